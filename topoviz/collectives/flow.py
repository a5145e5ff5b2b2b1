"""What ways of data do to links: how busy each is, which one is the narrowest, and the plan that follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from topoviz.collectives.hops import Way, as_taken, way
from topoviz.collectives.network import MESH, NETWORK, Arc, Network
from topoviz.errors import PlanError
from topoviz.model.findings import Load
from topoviz.model.topology import Hop

EQUAL = 1 + 1e-9  # two quotients this near are one bottleneck
Cards: TypeAlias = Mapping[str, tuple[Arc, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """All arcs that carry something: the bytes on each for a byte of the buffer, and what follows from that.

    ``rate`` is bytes of the buffer in GB/s, least capacity divided by load; None if no arc has a stated rate.
    """

    busy: Mapping[Arc, float]
    rate: float | None
    crossed: Mapping[Arc, int]  # by how many hops

    @property
    def loads(self) -> tuple[Load, ...]:
        return tuple(self._load(arc) for arc in self.busy)

    @property
    def worst(self) -> tuple[Arc, ...]:
        """Return the arcs that set the rate."""
        if self.rate is None:
            return ()
        limit = self.rate * EQUAL
        return tuple(arc for arc, load in self.busy.items() if arc.capacity and arc.capacity <= limit * load)

    @property
    def bottleneck(self) -> tuple[Load, ...]:
        return tuple(self._load(arc) for arc in self.worst)

    @property
    def link(self) -> str:
        return next((arc.link for arc in self.worst), "")

    @property
    def unlimited(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(arc.link or arc.kind for arc in self.busy if arc.capacity is None))

    def _load(self, arc: Arc) -> Load:
        load = self.busy[arc] * self.rate / arc.capacity if self.rate and arc.capacity else 0.0
        return Load(source=arc.source, target=arc.target, kind=arc.kind, load=min(1.0, load))


def flow(parts: Iterable[tuple[Way, float]]) -> Flow:
    """Return what ways do to the arcs; each with the bytes that go along it for a byte of the buffer."""
    busy: dict[Arc, float] = {}
    crossed: dict[Arc, int] = {}
    for one, part in parts:
        for arc, share in one.shares:
            busy[arc] = busy.get(arc, 0.0) + part * share
            crossed[arc] = crossed.get(arc, 0) + 1
    rates = [arc.capacity / load for arc, load in busy.items() if arc.capacity and load > 0]
    return Flow(busy=busy, rate=min(rates, default=None), crossed=crossed)


def wanted(net: Network, source: str, target: str, rates: str, cards: Cards | None = None) -> Way:
    """Return the way from one rank to another; ``cards`` are the ways to their network cards.

    Raises:
        PlanError: nothing joins them.
    """
    found = way(net, source, target, rates, cards)
    if found is None:
        raise PlanError(f"no way from {source} to {target}: no link, switch, host or network joins them")
    return found


def along(
    net: Network, walks: Iterable[Sequence[str]], rates: str, cards: Cards | None = None, taken: Iterable[Hop] = ()
) -> list[list[Way]]:
    """Return the ways along several walks; one that several of them take is looked for once. Raises PlanError.

    ``taken`` are hops whose way is known: they are not looked for.
    """
    known_ways = {(hop.source, hop.target): as_taken(net, hop) for hop in taken}
    out = []
    for walk in walks:
        ways = []
        for pair in zip(walk, walk[1:], strict=False):
            if pair not in known_ways:
                known_ways[pair] = wanted(net, *pair, rates, cards)
            ways.append(known_ways[pair])
        out.append(ways)
    return out


def known(net: Network, ranks: Sequence[str]) -> None:
    """Check that all ranks are there, each once.

    Raises:
        PlanError: one is not.
    """
    if len(set(ranks)) < len(ranks):
        raise PlanError("a rank is given twice, and every GPU takes part once")
    for name in ranks:
        if name not in net.things:
            raise PlanError(f"'{name}' is not here, or is down")


def medium(hop: Hop) -> str:
    """Return what a step over a hop counts as: nvlink (any scale-up link), pcie (the host), or network.

    >>> medium(Hop(source="a", target="b", kind="xgmi")), medium(Hop(source="a", target="b", via=("n",), kind="ethernet"))
    ('nvlink', 'network')
    """
    if hop.kind in NETWORK and hop.via:
        return "network"
    return "nvlink" if hop.kind in {*MESH, "c2c"} else "pcie"


def counted(hops: Iterable[Hop], total: int, rounds: int) -> tuple[tuple[str, int], ...]:
    """Return how many of so many steps go over what, as the hops of a ring do; the last hop of a round is saved."""
    found: dict[str, int] = {}
    for hop in hops:
        found[medium(hop)] = found.get(medium(hop), 0) + 1
    if not found:
        return (("", total),)
    surplus = next(kind for kind in ("network", "pcie", "nvlink") if kind in found)
    if sum(found.values()) * rounds > total:  # a chain, such as that of a broadcast, has no hop to save
        found[surplus] -= 1
    return tuple((kind, count * rounds) for kind, count in found.items() if count)


def why(net: Network, found: Flow) -> tuple[str, ...]:
    """Return a sentence about the link that holds the plan back; nothing if it is one of a GPU itself.

    A link that several hops have to cross (of a PCIe switch, a CPU, between sockets) is why a server
    is slower than its GPUs.
    """
    told = [arc for arc in found.worst if not {net.kind(arc.source), net.kind(arc.target)} & {"gpu", "nvswitch"}]
    if not told or len(told) < len(found.worst):
        return ()
    arc = max(told, key=lambda one: found.crossed[one])
    name = f"{arc.link or arc.kind} from {arc.source} to {arc.target} ({arc.capacity:.4g} GB/s)"
    hops = found.crossed[arc]
    return (f"{name} is shared by {hops} hops" if hops > 1 else f"{name} is the narrowest link on the way",)
