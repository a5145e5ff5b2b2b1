"""Ways between two members of a topology: directly, or through switches of the right kinds of link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf

from topoviz.model.folding import links_at
from topoviz.model.topology import Hop, Link, Topology

STRIPED = ("nvlink",)  # a fabric of these is used by all its chips at once
ALONE = ("nvlink", "xgmi", "ici", "neuronlink", "c2c")  # tried one at a time, in this order
HOST = ("pcie", "c2c", "upi", "qpi", "xgmi", "smp")
NETWORK = ("infiniband", "ethernet")
AROUND = ("host", "network")  # what a way past the fast links leads through
ENDS_ONLY = ("gpu",)  # a way never leads through one


@dataclass(frozen=True, slots=True)
class Ways:
    """Finds ways in one topology and remembers who is joined to whom."""

    topology: Topology
    known: dict[str, tuple[tuple[str, Link], ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    def hop(self, source: str, target: str, via: str = "") -> Hop | None:
        """Return the way from one to the other over the best kind of link (or ``via``); None if there is none.

        ``via`` is a kind of link, or ``host`` or ``network`` (see ``detours.py``).
        """
        if via in AROUND:
            from topoviz.model.detours import around

            return around(self, source, target, via)
        for kinds in [(via,)] if via else [*((kind,) for kind in ALONE), HOST, (*HOST, *NETWORK)]:
            found = self.over(source, target, kinds)
            if found is not None:
                return found
        return None

    def beside(self, name: str) -> tuple[tuple[str, Link], ...]:
        """Return what a thing is joined to by links that are up, with the links."""
        if name not in self.known:
            links = (link for link in links_at(self.topology.thing(name)) if link.state != "down")
            self.known[name] = tuple((link.target if link.source == name else link.source, link) for link in links)
        return self.known[name]

    def kind_of(self, name: str) -> str:
        """Return the kind of a thing."""
        if name not in self.kinds:
            self.kinds[name] = self.topology.thing(name).kind
        return self.kinds[name]

    def _joined(self, name: str, kinds: Sequence[str], start: str) -> Iterator[tuple[str, Link]]:
        if name == start or self.kind_of(name) not in ENDS_ONLY:
            yield from ((other, link) for other, link in self.beside(name) if link.kind in kinds)

    def over(self, source: str, target: str, kinds: Sequence[str]) -> Hop | None:
        """Return the way over these kinds of links only; None if there is none."""
        direct = [link for other, link in self._joined(source, kinds, source) if other == target]
        if direct:
            return Hop(source=source, target=target, kind=direct[0].kind)
        if kinds[0] in STRIPED:
            between = self._all_between(source, target, kinds)
            return Hop(source=source, target=target, via=between, kind=kinds[0]) if between else None
        way = self._widest(source, target, kinds)
        if way is None:
            return None
        return Hop(
            source=source,
            target=target,
            via=tuple(name for name, _ in way[:-1]),
            kind=_carrier([link for _, link in way]),
        )

    def _all_between(self, source: str, target: str, kinds: Sequence[str]) -> tuple[str, ...]:
        """Return everything that lies on a shortest way, in the order of the document."""
        ahead, back = self._distances(source, target, kinds), self._distances(target, source, kinds)
        if target not in ahead:
            return ()
        length = ahead[target]
        middle = [
            name
            for name, far in ahead.items()
            if name not in (source, target) and far + back.get(name, length) == length
        ]
        return tuple(sorted(middle, key=lambda name: self.topology.thing(name).position))

    def _distances(self, source: str, target: str, kinds: Sequence[str]) -> dict[str, int]:
        found, edge = {source: 0}, [source]
        while edge and target not in found:
            following = [other for name in edge for other, _ in self._joined(name, kinds, source) if other not in found]
            depth = found[edge[0]] + 1
            edge = list(dict.fromkeys(following))
            found.update(dict.fromkeys(edge, depth))
        return found

    def _widest(self, source: str, target: str, kinds: Sequence[str]) -> list[tuple[str, Link]] | None:
        """Return the shortest of the widest ways, as (thing, link that leads to it), without the source."""
        width = self._width(source, target, kinds)
        came: dict[str, tuple[str, Link]] = {}
        edge = [source]
        while edge and target not in came:
            following: dict[str, None] = {}
            for name in edge:
                for other, link in self._joined(name, kinds, source):
                    if other != source and other not in came and _rate(link) >= width:
                        came[other] = (name, link)
                        following[other] = None
            edge = list(following)
        return _back(came, source, target) if target in came else None

    def _width(self, source: str, target: str, kinds: Sequence[str]) -> float:
        """Return the rate of the widest way; 0 if there is none."""
        heap, seen = [(-inf, source)], set()
        while heap:
            width, name = heappop(heap)
            if name == target:
                return -width
            if name in seen:
                continue
            seen.add(name)
            for other, link in self._joined(name, kinds, source):
                if other not in seen:
                    heappush(heap, (max(width, -_rate(link)), other))
        return 0.0


def _rate(link: Link) -> float:
    return inf if link.bandwidth is None else link.bandwidth


def _back(came: dict[str, tuple[str, Link]], source: str, target: str) -> list[tuple[str, Link]]:
    way, here = [], target
    while here != source:
        before, link = came[here]
        way.append((here, link))
        here = before
    return way[::-1]


def _carrier(links: Iterable[Link]) -> str:
    """Return the kind that a mixed way is known by: the network if it uses one, else PCIe, else the first."""
    kinds = [link.kind for link in links]
    return next((kind for wanted in (*NETWORK, "pcie") for kind in kinds if kind == wanted), kinds[0])


def cycle(members: Sequence[str], ways: Ways, via: str, most: int = 20_000) -> tuple[str, ...]:
    """Return the first ring through all members over a kind of link, in their order; empty if none was found."""
    joined = {a: [b for b in members if b != a and ways.hop(a, b, via) is not None] for a in members}
    steps = 0

    def extend(way: list[str]) -> list[str] | None:
        nonlocal steps
        steps += 1
        if len(way) == len(members):
            return way if way[0] in joined[way[-1]] else None
        if steps > most:
            return None
        longer = (extend([*way, other]) for other in joined[way[-1]] if other not in way)
        return next((found for found in longer if found is not None), None)

    return tuple(extend([members[0]]) or ()) if len(members) <= 16 else ()
