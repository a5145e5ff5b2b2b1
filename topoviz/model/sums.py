"""Sums over links and parts, one type at a time and never one copy at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from topoviz.model.topology import Assembly, Link, Thing


def added(links: Sequence[Link]) -> Link:
    """Return one link for several of one kind: numbers and rates summed, in place of the first.

    A sum of which a part is not stated is ``at_least``; all of it not stated is None.

    >>> a, b = Link(source="x", target="y", kind="upi"), Link(source="x", target="y", kind="upi", bandwidth=5)
    >>> (added([a, b]).links, added([a, b]).bandwidth, added([a, b]).at_least)
    (2, 5, True)
    """
    first = links[0]
    if len(links) == 1:
        return first
    return replace(
        first,
        links=sum(link.links for link in links),
        bandwidth=_sum(link.bandwidth for link in links),
        nccl=_sum(link.nccl for link in links),
        link=first.link if all(link.link == first.link for link in links) else "",
        state=together(link.state for link in links),
        note="; ".join(dict.fromkeys(link.note for link in links if link.note)),
        twin=all(link.twin for link in links),
        at_least=_unsure(links),
    )


def _sum(rates: Iterable[float | None]) -> float | None:
    stated = [rate for rate in rates if rate is not None]
    return sum(stated) if stated else None


def _unsure(links: Sequence[Link]) -> bool:
    unstated = [link for link in links if link.bandwidth is None]
    return any(link.at_least for link in links) or 0 < len(unstated) < len(links)


def together(states: Iterable[str]) -> str:
    """Return the state of several links as one: what all say, else degraded.

    >>> together(["up", "down"])
    'degraded'
    """
    found = dict.fromkeys(states)
    return next(iter(found)) if len(found) == 1 else "degraded"


def total(thing: Thing, kind: str) -> Link:
    """Return the sum of all links of a kind inside; rates of ports that share are counted once."""
    links = [
        replace(link, links=link.links * n, bandwidth=_times(link.bandwidth, n), nccl=_times(link.nccl, n))
        for link, n in _all(thing.assembly, kind)
    ]
    if not links:
        return Link(source=thing.id, target=thing.id, kind=kind, links=0, bandwidth=0, nccl=0)
    return replace(added(links), source=thing.id, target=thing.id)


def _times(rate: float | None, number: int) -> float | None:
    return None if rate is None else rate * number


def _all(assembly: Assembly, kind: str) -> list[tuple[Link, int]]:
    """Return one summed link for each type inside, and how often that type occurs."""
    found: dict[Assembly, int] = {}
    _occurrences(assembly, 1, found)
    sums = ((_own(each, kind), times) for each, times in found.items())
    return [(link, times) for link, times in sums if link is not None]


def _occurrences(assembly: Assembly, times: int, found: dict[Assembly, int]) -> None:
    found[assembly] = found.get(assembly, 0) + times
    for inner, number in assembly.variety:
        if inner.children:
            _occurrences(inner, times * number, found)


def _own(assembly: Assembly, kind: str) -> Link | None:
    links = [link for link in assembly.links if link.kind == kind]
    return added([*_shared(assembly, links)]) if links else None


def _shared(assembly: Assembly, links: Sequence[Link]) -> Iterable[Link]:
    """Yield the links; those that share a port at one end get together what that port gives."""
    groups: dict[str, list[Link]] = {}
    for link in links:
        end = next((end for end in (link.source, link.target) if is_shared(assembly, end, link.kind)), "")
        groups.setdefault(end, []).append(link)
    for end, some in groups.items():
        yield from [_capped(assembly, end, some)] if end else some


def _capped(assembly: Assembly, end: str, links: Sequence[Link]) -> Link:
    one, at = added(links), assembly.at(end)
    rates = [port.rate for port in (at.ports if at and at.ports else ()) if port.kind == one.kind and port.shared]
    line, nccl = rates[0].line, rates[0].nccl
    return replace(one, bandwidth=_least(one.bandwidth, line), nccl=_least(one.nccl, nccl))


def _least(one: float | None, other: float | None) -> float | None:
    return one if other is None else (other if one is None else min(one, other))


def is_shared(assembly: Assembly, path: str, kind: str) -> bool:
    """Return whether all links of a kind at the thing there have one port's rate together."""
    at = assembly.at(path)
    return any(port.shared and port.kind == kind for port in (at.ports or () if at else ()))


def parts_used(assembly: Assembly) -> tuple[str, ...]:
    """Return the names of all parts inside and of the thing itself, each once, in order."""
    found: dict[str, None] = {}
    seen: dict[Assembly, None] = {}
    _parts(assembly, found, seen)
    return tuple(name for name in found if name)


def _parts(assembly: Assembly, found: dict[str, None], seen: dict[Assembly, None]) -> None:
    if assembly not in seen:
        seen[assembly] = None
        found[assembly.part] = None
        for inner, _ in assembly.variety:
            _parts(inner, found, seen)
