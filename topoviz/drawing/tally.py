"""Links of things, summed: how many a thing has of a kind, and what they carry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TypeAlias

from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.census import Sort, ancestors, population
from topoviz.model.topology import Assembly, Child, Link, Thing

Step: TypeAlias = tuple[str, Assembly]  # the group of a child and what stands there


@dataclass(slots=True)
class Sum:
    """Links and GB/s of one thing; ``unstated`` if a link has no rate."""

    links: int = 0
    rate: float = 0
    stated: bool = False
    unstated: bool = False
    plugs: float = 0
    names: dict[str, None] = field(default_factory=dict)

    def add(self, link: Link) -> None:
        self.links += link.links
        self.plugs += link.links / 2 if link.twin else link.links
        self.stated |= link.bandwidth is not None
        self.unstated |= link.bandwidth is None or link.at_least
        self.rate += link.bandwidth or 0
        if link.link:
            self.names[link.link] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What equal or nearly equal things have of one kind of link, each and together.

    ``population`` is how many things there are; ``names`` are the link names found.
    """

    kind: str
    links: tuple[float, float]
    rate: Bandwidth
    all_links: float
    all_plugs: float
    all_rate: Bandwidth
    names: tuple[str, ...] = ()
    population: int = 1

    @property
    def one_link(self) -> Bandwidth:
        """Return what one link carries, on the average of each thing."""
        if self.rate.low is None or self.rate.high is None:
            return self.rate
        ends = sorted((self.rate.low / self.links[0], self.rate.high / self.links[1]))
        return Bandwidth(low=ends[0], high=ends[1])

    def shared(self, among: int, number: int) -> Tally:
        """Return the share of ``number`` of the ``among`` users of these things.

        Eight GPUs that use four cards have half a card each.
        """
        one = self.rate if among == self.population else _times(self.all_rate, 1 / among)
        links = (self.all_links / among,) * 2 if self.all_links > among else (1, 1)
        return replace(self, links=links, rate=one, all_rate=_times(self.all_rate, number / among), population=number)


def summed(links: Iterable[Link]) -> Sum:
    """Return all links together."""
    total = Sum()
    for link in links:
        total.add(link)
    return total


def tally(found: Sequence[Sort], kind: str, within: Thing | None = None) -> Tally | None:
    """Return what the sorts have of a kind of link; None if they have none.

    Links that are up count; where there are none at all, the ports of the part do. ``within``
    leaves out links that are made below that container.
    """
    each = [one for sort in found if (one := _of_sort(sort, kind, within))]
    if not each and within is None and not any(_is_linked(sort.first, kind) for sort in found):
        each = [one for sort in found if (one := _of_ports(sort, kind))]
    return _together(each) if each else None


def kinds(found: Sequence[Sort], within: Thing | None = None) -> tuple[str, ...]:
    """Return the kinds of link that the sorts have, or else have ports for; links of ``within`` or above."""
    seen: dict[str, None] = {}
    for sort in found:
        for container, path in ancestors(sort.first):
            if within is None or _holds(container, within):
                seen.update({link.kind: None for link in container.assembly.ends.get(path, ())})
    if within is None:
        seen.update({port.kind: None for sort in found for port in sort.first.assembly.ports or ()})
    return tuple(seen)


def exactly(things: Sequence[Thing], kind: str, within: Thing | None = None) -> Tally | None:
    """Return what just these things have of a kind of link that is up; of a thing without any link, its ports."""
    sums = [one for one in _of_each(things, kind, within).values() if one.links]
    if sums:
        return _of_sums(kind, sums, len(things), len(things))
    plain = [thing for thing in things if within is None and not _is_linked(thing, kind)]
    each = [one for thing in plain if (one := _of_ports(Sort(thing, 1), kind))]
    return _together(each) if each else None


def touching(links: Sequence[Link], things: Sequence[Thing]) -> tuple[Sum, ...]:
    """Return the sum of those links that are up (their ends are full ids) and end at each thing; things without one are left out."""
    sums: Mapping[str, Sum] = {thing.id: Sum() for thing in things}
    for link in (one for one in links if one.state != "down"):
        for end in (link.source, link.target):
            if end in sums:
                sums[end].add(link)
    return tuple(one for one in sums.values() if one.links)


def bandwidth(sums: Sequence[Sum]) -> Bandwidth:
    """Return the range of the rates of several sums."""
    stated = [one.rate for one in sums if one.stated]
    if not stated:
        return Bandwidth(low=None, high=None)
    return Bandwidth(low=min(stated), high=max(stated), at_least=any(one.unstated for one in sums))


def _of_each(things: Sequence[Thing], kind: str, within: Thing | None) -> dict[str, Sum]:
    """Return the sum of each thing by id, with one look at each container."""
    paths: dict[str, dict[str, str]] = {}
    containers: dict[str, Thing] = {}
    for thing in things:
        for container, path in ancestors(thing):
            if within is None or _holds(container, within):
                containers[container.id] = container
                paths.setdefault(container.id, {})[path] = thing.id
    sums = {thing.id: Sum() for thing in things}
    for name, container in containers.items():
        for path, thing_id in paths[name].items():
            for link in container.assembly.ends.get(path, ()):
                if link.kind == kind and link.state != "down":
                    sums[thing_id].add(link)
    return sums


def _is_linked(thing: Thing, kind: str) -> bool:
    """Return whether a link of the kind, up or down, ends at the thing."""
    return any(
        link.kind == kind for container, path in ancestors(thing) for link in container.assembly.ends.get(path, ())
    )


def _of_sort(sort: Sort, kind: str, within: Thing | None) -> Tally | None:
    """Return the tally of one sort: over all containers that make links for it."""
    found = [
        _of_sums(kind, sums, population(container.assembly, chain), sort.count)
        for container, path in ancestors(sort.first)
        if within is None or _holds(container, within)
        for chain in [_chain(container.assembly, path)]
        if (sums := _ends(container.assembly, kind, chain))
    ]
    return reduce(_plus, found) if found else None


def _of_ports(sort: Sort, kind: str) -> Tally | None:
    ports = [port for port in sort.first.assembly.ports or () if port.kind == kind]
    total = Sum()
    for port in ports:
        links = int(port.count)
        rate = None if port.rate.line is None else port.rate.line * (1 if port.shared else links)
        total.add(
            Link(source="", target="", kind=kind, links=links, bandwidth=rate, link=port.rate.link, twin=port.twin)
        )
    return _of_sums(kind, [total], 1, sort.count) if ports else None


def _of_sums(kind: str, sums: Sequence[Sum], among: int, number: int) -> Tally:
    """Return the tally of ``number`` things; the sums are those of ``among`` of them, the others are like these."""
    rate, times = bandwidth(sums), number / among
    total = None if rate.low is None else times * sum(one.rate for one in sums)
    return Tally(
        kind=kind,
        links=(min(one.links for one in sums), max(one.links for one in sums)),
        rate=rate,
        all_links=times * sum(one.links for one in sums),
        all_plugs=times * sum(one.plugs for one in sums),
        all_rate=Bandwidth(low=total, high=total, at_least=any(one.unstated for one in sums)),
        names=tuple(dict.fromkeys(name for one in sums for name in one.names)),
        population=number,
    )


def _plus(a: Tally, b: Tally) -> Tally:
    """Return the tally of the same things with the links of two containers."""
    return replace(
        a,
        links=(a.links[0] + b.links[0], a.links[1] + b.links[1]),
        rate=_sum(a.rate, b.rate),
        all_links=a.all_links + b.all_links,
        all_plugs=a.all_plugs + b.all_plugs,
        all_rate=_sum(a.all_rate, b.all_rate),
        names=tuple(dict.fromkeys((*a.names, *b.names))),
    )


def _together(each: Sequence[Tally]) -> Tally:
    """Return the tally of different things."""
    stated = [one.rate for one in each if one.rate.low is not None]
    unstated = len(stated) < len(each) or any(rate.at_least for rate in stated)
    rate = Bandwidth(
        low=min((r.low for r in stated if r.low is not None), default=None),
        high=max((r.high for r in stated if r.high is not None), default=None),
        at_least=bool(stated) and unstated,
    )
    return Tally(
        kind=each[0].kind,
        links=(min(one.links[0] for one in each), max(one.links[1] for one in each)),
        rate=rate,
        all_links=sum(one.all_links for one in each),
        all_plugs=sum(one.all_plugs for one in each),
        all_rate=reduce(_sum, (one.all_rate for one in each)),
        names=tuple(dict.fromkeys(name for one in each for name in one.names)),
        population=sum(one.population for one in each),
    )


def _times(rate: Bandwidth, factor: float) -> Bandwidth:
    if rate.low is None or rate.high is None:
        return rate
    return replace(rate, low=rate.low * factor, high=rate.high * factor)


def _sum(a: Bandwidth, b: Bandwidth) -> Bandwidth:
    if a.low is None or a.high is None:
        return replace(b, at_least=b.low is not None)
    if b.low is None or b.high is None:
        return replace(a, at_least=True)
    return Bandwidth(low=a.low + b.low, high=a.high + b.high, at_least=a.at_least or b.at_least)


def _ends(assembly: Assembly, kind: str, chain: Sequence[Step]) -> list[Sum]:
    """Return one sum for each thing of the chain that has a link of the kind in this assembly."""
    sums = (
        summed(link for link in links if link.kind == kind and link.state != "down")
        for path, links in assembly.ends.items()
        if _is_of(assembly, path, chain)
    )
    return [one for one in sums if one.links]


def _is_of(assembly: Assembly, path: str, chain: Sequence[Step]) -> bool:
    """Return whether the things on a path are of these groups and assemblies."""
    names = path.split("/")
    return len(names) == len(chain) and all(
        (child.group, child.assembly) == step for child, step in zip(_children(assembly, names), chain, strict=True)
    )


def _chain(assembly: Assembly, path: str) -> list[Step]:
    """Return group and assembly of every step of a path."""
    return [(child.group, child.assembly) for child in _children(assembly, path.split("/"))]


def _children(assembly: Assembly, names: Sequence[str]) -> Iterator[Child]:
    for name in names:
        child = assembly.children[assembly.places[name]]
        yield child
        assembly = child.assembly


def _holds(container: Thing, inner: Thing | None) -> bool:
    while inner is not None:
        if container == inner:
            return True
        inner = inner.parent
    return False
