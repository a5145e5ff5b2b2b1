"""Things that are joined alike, seen once: what a lint looks at instead of every copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from topoviz.model.topology import Assembly, Child, Link, Thing, Topology


class Joint(NamedTuple):
    """The end of links at a thing: where inside it they end, of which kind, how many, and what is at the other end."""

    path: str  # seen from the thing; empty: the thing itself
    kind: str
    links: int
    bandwidth: float | None
    far: str  # kind of the thing at the other end


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """A thing that holds others, with the links from outside that end in it; it stands for all that are alike."""

    thing: Thing
    times: int
    outside: tuple[Joint, ...] = ()

    @cached_property
    def joints(self) -> Mapping[str, tuple[Joint, ...]]:
        """Return the ends of links in each child by its name, the links of this level and of all above."""
        found: dict[str, list[Joint]] = {child.name: [] for child in self.thing.assembly.children}
        for joint in (*_own(self.thing.assembly), *self.outside):
            name, _, rest = joint.path.partition("/")
            if name in found:
                found[name].append(joint._replace(path=rest))
        return {name: tuple(joints) for name, joints in found.items()}

    def links(self, child: Child, kinds: Iterable[str] = (), far: Iterable[str] = ()) -> int:
        """Return how many links of these kinds end at a child itself, at such things at the other end; none: any."""
        wanted, beyond = frozenset(kinds), frozenset(far)
        return sum(
            joint.links
            for joint in self.joints[child.name]
            if not joint.path and (not wanted or joint.kind in wanted) and (not beyond or joint.far in beyond)
        )


@dataclass(slots=True)
class _Seen:
    thing: Thing
    outside: tuple[Joint, ...]
    times: int = 0
    inner: list[tuple[Hashable, int]] = field(default_factory=list)


def sites(topology: Topology) -> tuple[Site, ...]:
    """Return all things that hold others, each sort once: the same type with the same links from outside.

    It costs as much as the links that are written down, however many copies there are.
    """
    seen: dict[Hashable, _Seen] = {}
    first = _visit(topology.root, (), seen)
    _count(first, 1, seen)
    return tuple(Site(thing=one.thing, times=one.times, outside=one.outside) for one in seen.values())


def _visit(thing: Thing, outside: tuple[Joint, ...], seen: dict[Hashable, _Seen]) -> Hashable:
    key = (thing.assembly, frozenset(Counter(outside).items()))
    if key not in seen:
        here = seen[key] = _Seen(thing, outside)
        joints = Site(thing=thing, times=1, outside=outside).joints
        within: Counter[Hashable] = Counter()
        for inner in thing.children:
            if inner.assembly.children:
                within[_visit(inner, joints[inner.name], seen)] += 1
        here.inner = list(within.items())
    return key


def _count(key: Hashable, times: int, seen: dict[Hashable, _Seen]) -> None:
    here = seen[key]
    here.times += times
    for inner, number in here.inner:
        _count(inner, times * number, seen)


def _own(assembly: Assembly) -> Iterable[Joint]:
    kinds: dict[str, str] = {}
    for link in assembly.links:
        yield _joint(assembly, link, link.source, link.target, kinds)
        yield _joint(assembly, link, link.target, link.source, kinds)


def _joint(assembly: Assembly, link: Link, here: str, there: str, kinds: dict[str, str]) -> Joint:
    if there not in kinds:
        at = assembly.at(there)
        kinds[there] = at.kind if at is not None else ""
    return Joint(here, link.kind, link.links, link.bandwidth, kinds[there])
