"""What algorithms walk on: things joined by links of one direction, each with a capacity."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from topoviz.model.topology import Assembly, Link, Thing, Topology

SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink")
MESH = (*SCALE_UP, "ethernet")  # of what direct links between GPUs are
HOST = ("pcie", "c2c", "upi", "qpi", "xgmi", "smp")
NETWORK = ("infiniband", "ethernet")
CARRIERS = ("pcie", "cpu", "nic", "dpu", "switch")  # what a path may run through; never another GPU
HOST_CARRIERS = ("pcie", "cpu")


@dataclass(frozen=True, slots=True)
class Arc:
    """One direction of all links of one kind between two things. ``capacity`` in GB/s, None if not stated."""

    source: str
    target: str
    kind: str
    capacity: float | None
    link: str = ""
    links: int = 1  # how many links it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Things that are up, outer ones first, and the arcs that leave each."""

    things: Mapping[str, Thing]
    arcs: Mapping[str, tuple[Arc, ...]]

    def kind(self, name: str) -> str:
        return self.things[name].kind

    def between(self, source: str, target: str, kinds: Sequence[str] = ()) -> tuple[Arc, ...]:
        """Return the arcs from one thing to another, of these kinds if any are given."""
        return tuple(
            arc for arc in self.arcs.get(source, ()) if arc.target == target and (not kinds or arc.kind in kinds)
        )


def network(topology: Topology, rates: str = "line", ranks: Sequence[str] | None = None) -> Network:
    """Return the network of a topology at ``line`` or ``nccl`` rates, without what is down.

    With ``ranks``, containers of other GPUs are left out: no way between the ranks leads through them.
    """
    wanted = None if ranks is None else {"/".join(steps[: i + 1]) for steps in _split(ranks) for i in range(len(steps))}
    things: dict[str, Thing] = {}
    containers = [topology.root]
    for thing in containers:
        for child in thing.children:
            if child.state != "down" and (wanted is None or child.id in wanted or not child.assembly.counts.get("gpu")):
                things[child.id] = child
                if child.child.assembly.children:
                    containers.append(child)
    return Network(things=things, arcs=_arcs(containers, things, rates))


def _split(ranks: Iterable[str]) -> Iterator[list[str]]:
    for name in ranks:
        yield name.split("/")


def _arcs(containers: Iterable[Thing], things: Mapping[str, Thing], rates: str) -> dict[str, tuple[Arc, ...]]:
    arcs: dict[str, list[Arc]] = {}
    for container in containers:
        prefix = f"{container.id}/" if container.id else ""
        for link in container.assembly.links:
            ends = (prefix + link.source, prefix + link.target)
            if link.state != "down" and all(end in things for end in ends):
                rate = _rate(link, rates)
                for source, target in (ends, ends[::-1]):
                    arcs.setdefault(source, []).append(Arc(source, target, link.kind, rate, link.link, link.links))
    return {name: tuple(some) for name, some in arcs.items()}


def _rate(link: Link, rates: str) -> float | None:
    return link.nccl if rates == "nccl" else link.bandwidth


def gpus(topology: Topology) -> tuple[str, ...]:
    """Return the ids of all GPUs in document order: the ranks, if nobody says otherwise.

    What is down is left out, and what MIG cuts: its instances have no peer access to anybody.
    """
    known: dict[Assembly, tuple[str, ...]] = {}

    def inside(assembly: Assembly) -> tuple[str, ...]:
        if assembly not in known:
            known[assembly] = tuple(
                f"{child.name}/{rest}" if rest else child.name
                for child in assembly.children
                if child.state != "down" and not child.assembly.mig
                for rest in (("",) if child.assembly.kind == "gpu" else inside(child.assembly))
            )
        return known[assembly]

    return inside(topology.root.assembly)


def path(net: Network, source: str, target: str, through: Sequence[str] = CARRIERS) -> tuple[Arc, ...]:
    """Return the arcs of a shortest path whose inner things are of these kinds; empty if there is none.

    Of equally short ones the first in document order.
    """
    return _search(net, source, lambda name: name == target, through)


def way_up(net: Network, source: str) -> tuple[Arc, ...]:
    """Return the arcs from a thing through PCIe switches to the nearest CPU; empty if there is none."""
    return _search(net, source, lambda name: net.kind(name) == "cpu", ("pcie",))


def nearest_cards(
    net: Network, ranks: Iterable[str], plugged: Iterable[str] | None = None
) -> dict[str, tuple[Arc, ...]]:
    """Return for each rank the arcs through its host to a nearest network card that is plugged into a network.

    Of equally near cards each is taken by as many ranks as the others. ``plugged`` names the cards, if
    the network is not in sight.
    """
    used: dict[str, int] = {}
    known = None if plugged is None else set(plugged)
    found: dict[str, tuple[Arc, ...]] = {}
    for name in ranks:
        ways = _near(net, name, known)
        if ways:
            best = min(ways, key=lambda way: used.get(way[-1].target, 0))
            used[best[-1].target] = used.get(best[-1].target, 0) + 1
            found[name] = best
    return found


def _near(net: Network, source: str, plugged: set[str] | None) -> list[tuple[Arc, ...]]:
    """Return the ways to all cards that are nearest, in document order."""
    came: dict[str, Arc | None] = {source: None}
    edge = [source]
    while edge:
        following, ways = [], []
        for here in edge:
            for arc in net.arcs.get(here, ()):
                if arc.target in came:
                    continue
                if _is_plugged(net, arc.target, plugged):
                    ways.append((*tuple(_back(came, here))[::-1], arc))
                elif net.kind(arc.target) in HOST_CARRIERS:
                    came[arc.target] = arc
                    following.append(arc.target)
        if ways:
            return ways
        edge = following
    return []


def _is_plugged(net: Network, name: str, plugged: set[str] | None) -> bool:
    if plugged is not None:
        return name in plugged
    return net.kind(name) in {"nic", "dpu"} and any(arc.kind in NETWORK for arc in net.arcs.get(name, ()))


def turned(arc: Arc) -> Arc:
    """Return the other direction of an arc; both carry the same."""
    return Arc(arc.target, arc.source, arc.kind, arc.capacity, arc.link, arc.links)


def _search(net: Network, source: str, is_target: Callable[[str], bool], through: Sequence[str]) -> tuple[Arc, ...]:
    came: dict[str, Arc | None] = {source: None}
    queue = deque([source])
    while queue:
        for arc in net.arcs.get(queue.popleft(), ()):
            if arc.target in came or not (is_target(arc.target) or net.kind(arc.target) in through):
                continue
            came[arc.target] = arc
            if is_target(arc.target):
                return tuple(_back(came, arc.target))[::-1]
            queue.append(arc.target)
    return ()


def _back(came: Mapping[str, Arc | None], target: str) -> Iterator[Arc]:
    arc = came[target]
    while arc is not None:
        yield arc
        arc = came[arc.source]


def together(net: Network, members: Iterable[str], through: Sequence[str], kinds: Sequence[str]) -> list[list[str]]:
    """Return the members in groups that links of these kinds join, directly, through one another or through such things."""
    wanted = dict.fromkeys(members)
    seen: set[str] = set()
    groups = []
    for member in wanted:
        if member not in seen:
            reached = _flood(net, member, through, kinds, wanted)
            seen |= reached
            groups.append([name for name in wanted if name in reached])
    return groups


def _flood(
    net: Network, start: str, through: Sequence[str], kinds: Sequence[str], wanted: Mapping[str, None]
) -> set[str]:
    reached, queue = {start}, deque([start])
    while queue:
        for arc in net.arcs.get(queue.popleft(), ()):
            passable = arc.target in wanted or net.kind(arc.target) in through
            if arc.kind in kinds and passable and arc.target not in reached:
                reached.add(arc.target)
                queue.append(arc.target)
    return reached
