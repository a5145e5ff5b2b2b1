"""Which rings run in one box: their order, how many of each, and what is proven about their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor

from topoviz.collectives import bounds, optimal, solver
from topoviz.collectives.known import CHANNELS, Joins, Ring
from topoviz.collectives.network import MESH, Arc, Network
from topoviz.collectives.packing import packed
from topoviz.model.findings import Bound

SLACK = 1e-6
DENSE = 130  # directed pairs; of more the linear program takes too long to be worth it
SEARCHED = 16  # members; for more no exact search is made


@dataclass(frozen=True, slots=True, kw_only=True)
class Rings:
    """Rings of equal width: members in order with how many of each, GB/s of one (None if not stated), the proof."""

    rings: tuple[tuple[tuple[str, ...], int], ...]
    width: float | None
    bound: Bound | None = None
    order: str = ""
    nccl: bool = False
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        return sum(count for _, count in self.rings)


def on_chips(net: Network, box: Sequence[str], rates: str) -> Rings:
    """Return the one ring through switch chips, in index order as NCCL runs it, once for each link of a GPU."""
    to_chips = [_to_chips(net, name) for name in box]
    links = min(sum(arc.links for arc in arcs) for arcs in to_chips)
    part = net.things[box[0]].part
    count = CHANNELS.get(part, links) if rates == "nccl" else links
    return Rings(rings=((tuple(box), count),), width=None, order="index order on NVSwitch", nccl=True)


def _to_chips(net: Network, name: str) -> list[Arc]:
    return [arc for arc in net.arcs.get(name, ()) if net.kind(arc.target) == "nvswitch"]


def direct(net: Network, box: Sequence[str]) -> Rings | None:
    """Return the most bandwidth of equal rings over direct links; None if not even one goes round.

    Where links are of several rates, rings as wide as each of them are tried: of the narrowest
    more go round, the widest carry more each.
    """
    found = [rings for unit in _units_of(net, box) if (rings := _as_wide(net, box, unit))]
    return max(found, key=lambda rings: rings.count * (rings.width or 0.0), default=None)


def _units_of(net: Network, box: Sequence[str]) -> tuple[float | None, ...]:
    """Return how wide a ring may be: the rate of each sort of link, the narrowest first; None if one is not stated."""
    arcs = _arcs(net, box).values()
    rates = {arc.capacity / arc.links for arc in arcs if arc.capacity is not None}
    if any(arc.capacity is None for arc in arcs):
        return (None,)
    return tuple(sorted(rates))


def _as_wide(net: Network, box: Sequence[str], unit: float | None) -> Rings | None:
    """Return the most rings of one width; None if not even one goes round.

    First what is known or made without a search; where the bound is not met by that, an exact
    search (``solver``, else ``optimal`` for few members), if it is installed.
    """
    joined = _Joined.of(net, box, unit)
    most = joined.most
    rings, where = packed(joined.units, len(box), most) if most else ((), "")
    if not rings:
        return None
    fractional, proof = None, f"links of {joined.least(box)}"
    notes: tuple[str, ...] = ()
    if len(rings) < most or joined.is_uneven:
        fractional = _fractional(joined, rings, len(box))
    if len(rings) < most:
        better, proven, how = _exact(joined.units, len(box), rings, most, fractional)
        if better is not rings:
            rings, where = better, "exact search"
        if proven < most:
            most, proof = proven, how
        if len(rings) < most:
            notes = (_unproven(len(rings), most),)
    bound = _bound(len(rings), most, unit, fractional, proof)
    if joined.is_uneven and unit is not None:
        bound = _bound_of_uneven(net, box, joined, len(rings) * unit, fractional)
    named = tuple((tuple(box[i] for i in ring), count) for ring, count in _counted(rings))
    return Rings(rings=named, width=unit, bound=bound, order=where, nccl=where == "NCCL", notes=notes)


def _bound_of_uneven(
    net: Network, box: Sequence[str], joined: _Joined, bandwidth: float, fractional: float | None
) -> Bound | None:
    """Return what rings of any width cannot exceed: whole rings of one width leave a rest on links of another."""
    whole = None if fractional is None or joined.unit is None else round(fractional * joined.unit, 6)
    if whole is not None:
        return Bound(
            bandwidth=whole,
            met=bandwidth * bounds.NEAR >= whole,
            fractional=whole,
            proof="linear program over all rings",
        )
    return least_bound(net, box, bandwidth, MESH)


def _unproven(found: int, most: int) -> str:
    extra = "" if solver.is_there() else "; the extra 'solver' searches for more"
    return f"{found} rings were made without an exact search, at most {most} can be{extra}"


def _bound(found: int, most: int, unit: float | None, fractional: float | None, proof: str) -> Bound | None:
    if unit is None:
        return None
    whole = None if fractional is None else fractional * unit
    return Bound(bandwidth=most * unit, met=found == most, rings=most, fractional=whole, proof=proof)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Joined:
    """The links between the members of a box in rings of one width: how many go from one to another.

    ``units`` are whole rings, ``widths`` the same with the rest that is too narrow for one more.
    """

    units: Joins
    unit: float | None
    out: tuple[int, ...]
    widths: Mapping[tuple[int, int], float]

    @classmethod
    def of(cls, net: Network, box: Sequence[str], unit: float | None) -> _Joined:
        found = _arcs(net, box)
        units = {pair: _units(arc, unit) for pair, arc in found.items()}
        widths = {pair: _width(arc, unit) for pair, arc in found.items()}
        sums = [[0, 0] for _ in box]
        for (source, target), count in units.items():
            sums[source][0] += count
            sums[target][1] += count
        whole = {pair: count for pair, count in units.items() if count}
        return cls(units=whole, unit=unit, out=tuple(min(pair) for pair in sums), widths=widths)

    @property
    def is_uneven(self) -> bool:
        """Whether rings of this width leave a rest of some link unused."""
        return any(abs(width - self.units.get(pair, 0)) > SLACK for pair, width in self.widths.items())

    @property
    def most(self) -> int:
        return min(self.out)

    def least(self, box: Sequence[str]) -> str:
        return box[self.out.index(self.most)]


def _arcs(net: Network, box: Sequence[str]) -> dict[tuple[int, int], Arc]:
    """Return the widest direct link from each member to each other that it has one to, by their places in the box."""
    found: dict[tuple[int, int], Arc] = {}
    for i, a in enumerate(box):
        for k, b in enumerate(box):
            arcs = net.between(a, b, MESH) if i != k else ()
            if arcs:
                found[i, k] = max(arcs, key=lambda arc: arc.capacity or 0.0)
    return found


def _units(arc: Arc, unit: float | None) -> int:
    return floor(_width(arc, unit) + SLACK)


def _width(arc: Arc, unit: float | None) -> float:
    return float(arc.links) if unit is None or arc.capacity is None else arc.capacity / unit


def _fractional(joined: _Joined, rings: Sequence[Ring], count: int) -> float | None:
    """Return the most that rings of any width carry, in links; None if that cannot be computed here."""
    if joined.unit is None or not optimal.is_there() or len(joined.widths) > DENSE:
        return None
    shares: Mapping[tuple[int, int], Sequence[tuple[int, float]]] = {
        pair: ((place, 1.0),) for place, pair in enumerate(joined.widths)
    }
    return optimal.fractional(shares, list(joined.widths.values()), count, rings)


def _exact(
    units: Joins, count: int, rings: tuple[Ring, ...], most: int, fractional: float | None
) -> tuple[tuple[Ring, ...], int, str]:
    """Return the best rings known, what is proven to be the most, and how."""
    proven, how = most, ""
    if fractional is not None and floor(fractional + SLACK) < most:
        proven, how = floor(fractional + SLACK), "linear program over all rings"
    if len(rings) == proven or count > SEARCHED:
        return rings, proven, how
    if solver.is_there():
        found, most_whole = solver.whole(units, count, len(rings), proven)
        return found or rings, most_whole, "exact search"
    every = optimal.whole(units, count) if optimal.is_there() else None
    if every is not None:
        return (every if len(every) > len(rings) else rings), len(every), "exact search"
    return rings, proven, how


def _counted(rings: Sequence[Ring]) -> list[tuple[Ring, int]]:
    """Return equal rings as one with their number, in order of first appearance."""
    found: dict[Ring, int] = {}
    for ring in rings:
        start = ring.index(0)
        turned = (*ring[start:], *ring[:start])
        found[turned] = found.get(turned, 0) + 1
    return list(found.items())


def least_bound(net: Network, box: Sequence[str], bandwidth: float | None, kinds: Sequence[str] = ()) -> Bound | None:
    """Return the bound of rings of any width in a box: by counting the links of a GPU, else by maximum flow."""
    if bandwidth is None:
        return None
    cut = bounds.degree(net, box, kinds)
    if cut is None or bandwidth * bounds.NEAR < cut[0]:
        cut = bounds.by_flow(net, box, kinds) or cut
    if cut is None:
        return None
    return Bound(bandwidth=cut[0], met=bandwidth * bounds.NEAR >= cut[0], proof=cut[1])
