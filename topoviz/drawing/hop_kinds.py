"""The hops of a route by kind: those that cross the same kinds of things in the same order are one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from topoviz.drawing.scope import Scope
from topoviz.model.findings import Findings
from topoviz.model.topology import Hop, Link, Thing, Topology

ROUTES = 8  # so many are looked at: rings of one plan differ in the rail they take, not in what it is made of
EXAMPLES = 48  # so many different hops are followed link by link
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """What joins two stages: kind and names of its links, GB/s of all together, and whether it sets the bandwidth."""

    kind: str
    names: tuple[str, ...]
    rate: float | None
    narrowest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HopKind:
    """Hops that are alike: how many one route has, at least and at most, and the way of one of them.

    ``stages`` are the things from sender to receiver, side by side where the data are spread over
    several; ``segments[i]`` joins stage ``i`` and the next.
    """

    least: int
    most: int
    stages: tuple[tuple[Thing, ...], ...]
    segments: tuple[Segment, ...]

    @property
    def narrowest(self) -> bool:
        """Return whether one of its links sets the bandwidth of the plan."""
        return any(one.narrowest for one in self.segments)

    @property
    def rate(self) -> float | None:
        """Return what its links carry, GB/s in one direction; None if one has no stated rate."""
        rates = [one.rate for one in self.segments]
        known = [rate for rate in rates if rate is not None]
        return min(known) if known and len(known) == len(rates) else None


def kinds_of(scope: Scope) -> tuple[HopKind, ...]:
    """Return the kinds of hops of what is highlighted, those that most hops belong to first."""
    findings = scope.findings
    rings = [route for route in findings.routes if route.shape in {"ring", "path"}]
    last, looked = len(rings) - 1, min(len(rings), ROUTES)
    routes = [rings[round(i * last / max(1, looked - 1))] for i in range(looked)]  # evenly, the last one too
    counted: dict[tuple[str, bool], list[int]] = {}
    examples: dict[tuple[str, bool], Hop] = {}
    slow = _slow(findings)
    for number, route in enumerate(routes):
        for hop in route.hops:
            ends = _ends(hop)
            key = NUMBER.sub("#", f"{hop.kind} {' '.join(ends)}"), slow.is_on(ends)
            counts = counted.setdefault(key, [0] * len(routes))
            counts[number] += 1
            examples.setdefault(key, hop)
    rates = findings.estimate.rates if findings.estimate is not None else "line"
    made: dict[tuple[object, ...], tuple[HopKind, list[int]]] = {}
    for key, hop in list(examples.items())[:EXAMPLES]:
        one = _followed(scope.topology, hop, slow, rates)
        same = _alike(one)
        before = made[same][1] if same in made else [0] * len(routes)
        made[same] = (
            (made[same][0] if same in made else one),
            [a + b for a, b in zip(before, counted[key], strict=True)],
        )
    found = [replace(one, least=min(counts), most=max(counts)) for one, counts in made.values()]
    return tuple(sorted(found, key=lambda one: -one.most))


def _ends(hop: Hop) -> tuple[str, ...]:
    return (hop.source, *hop.via, hop.target)


def _alike(one: HopKind) -> tuple[object, ...]:
    stages = tuple((stage[0].kind, len(stage)) for stage in one.stages)
    return stages, one.segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Slow:
    """The links that set the bandwidth: directed pairs, the same without numbers, and what follows each end.

    Of very many equal links only some are named; a link that differs in its numbers is taken for one of them.
    """

    pairs: frozenset[tuple[str, str]]
    shapes: frozenset[tuple[str, str]]
    following: Mapping[str, frozenset[str]]

    def is_on(self, ends: Sequence[str]) -> bool:
        """Return whether a named one of them joins two of these things."""
        return any(self.following.get(name, frozenset()).intersection(ends) for name in ends)

    def has(self, source: str, target: str) -> bool:
        """Return whether this directed link sets the bandwidth."""
        return (source, target) in self.pairs or _shape(source, target) in self.shapes


def _slow(findings: Findings) -> Slow:
    pairs = [(one.source, one.target) for one in findings.bottleneck]
    following: dict[str, list[str]] = {}
    for near, far in pairs:
        following.setdefault(near, []).append(far)
    many = [(one.source, one.target) for one in findings.bottleneck if one.count > 1]
    return Slow(
        pairs=frozenset(pairs),
        shapes=frozenset(_shape(*pair) for pair in many),
        following={near: frozenset(some) for near, some in following.items()},
    )


def _shape(source: str, target: str) -> tuple[str, str]:
    return NUMBER.sub("#", source), NUMBER.sub("#", target)


def _followed(topology: Topology, hop: Hop, slow: Slow, rates: str) -> HopKind:
    """Return the way of a hop in stages: how many links each thing between is away from the sender."""
    inside = {*_ends(hop)}
    around: dict[str, list[tuple[str, Link]]] = {name: list(_neighbours(topology, name, inside)) for name in inside}
    levels, known = [[hop.source]], {hop.source}
    while levels[-1] and hop.target not in known:
        following = dict.fromkeys(other for name in levels[-1] for other, _ in around[name] if other not in known)
        known.update(following)
        levels.append([hop.target] if hop.target in following else list(following))
    stages = tuple(tuple(topology.thing(name) for name in level) for level in levels if level)
    pairs = zip(stages, stages[1:], strict=False)
    segments = tuple(_segment(a, b, around, slow, rates) for a, b in pairs)
    return HopKind(least=0, most=0, stages=stages, segments=segments)


def _neighbours(topology: Topology, name: str, inside: set[str]) -> Iterator[tuple[str, Link]]:
    for link in topology.links_at(name):
        other = link.target if link.source == name else link.source
        if other in inside and link.state != "down":
            yield other, link


def _segment(
    near: Sequence[Thing], far: Sequence[Thing], around: dict[str, list[tuple[str, Link]]], slow: Slow, rates: str
) -> Segment:
    ends = {thing.id for thing in far}
    found = [(thing.id, other, link) for thing in near for other, link in around[thing.id] if other in ends]
    stated = [link.nccl if rates == "nccl" else link.bandwidth for _, _, link in found]
    known = [rate for rate in stated if rate is not None]
    return Segment(
        kind=found[0][2].kind if found else "",
        names=tuple(dict.fromkeys(link.link for _, _, link in found if link.link)),
        rate=sum(known) if known and len(known) == len(stated) else None,
        narrowest=any(slow.has(source, target) for source, target, _ in found),
    )
