"""Loads of very large machines: what goes on inside equal boxes is counted once, whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from topoviz.collectives.flow import EQUAL
from topoviz.collectives.hops import Way
from topoviz.collectives.network import Arc, turned
from topoviz.collectives.placed import Between, Machine
from topoviz.model.findings import Load

Busy = dict[Arc, float]


@dataclass(kw_only=True)
class Tally:
    """Bytes on every link for a byte of the buffer, gathered while a plan is laid out.

    ``patterns`` are what happens inside boxes in the same way, with the boxes in which it does;
    ``inside`` what one box has beside that; ``cables`` those from cards to switches and back (False),
    ``middles`` what goes between two switches.
    """

    machine: Machine
    patterns: dict[object, tuple[Busy, list[int]]] = field(default_factory=dict)
    inside: dict[int, Busy] = field(default_factory=dict)
    cables: dict[tuple[Arc, bool], float] = field(default_factory=dict)
    middles: dict[tuple[str, str], float] = field(default_factory=dict)

    def pattern(self, key: object, box: int, ways: Iterable[Way], part: float) -> None:
        """Add ways inside a box that many boxes have; of those under one key only the first is looked at."""
        if key not in self.patterns:
            busy: Busy = {}
            for way in ways:
                for arc, share in way.shares:
                    busy[arc] = busy.get(arc, 0.0) + part * share
            self.patterns[key] = (busy, [])
        self.patterns[key][1].append(box)

    def half(self, box: int, arcs: Iterable[Arc], part: float) -> None:
        """Add the way between a GPU of a box and its network card."""
        busy = self.inside.setdefault(box, {})
        for arc in arcs:
            busy[arc] = busy.get(arc, 0.0) + part

    def between(self, way: Between, part: float) -> None:
        """Add a way between two network cards."""
        ends = (way.up.target, way.down.target)
        self.cables[way.up, True] = self.cables.get((way.up, True), 0.0) + part
        self.cables[way.down, False] = self.cables.get((way.down, False), 0.0) + part
        self.middles[ends] = self.middles.get(ends, 0.0) + part

    def done(self) -> Result:
        """Return the loads, one for all links that are alike."""
        alike = [*self._in_boxes(), *self._between()]
        rates = [arc.capacity / busy for arc, _, busy, _ in alike if arc.capacity and busy > 0]
        return Result(alike=tuple(alike), rate=min(rates, default=None))

    def _in_boxes(self) -> Iterator[tuple[Arc, str, float, int]]:
        """Yield (arc, prefix of the first box, bytes, number of boxes) for every sort of box."""
        of_box: dict[int, list[object]] = {}
        for key, (_, boxes) in self.patterns.items():
            for box in boxes:
                of_box.setdefault(box, []).append(key)
        sorts: dict[object, list[int]] = {}
        for box, kind in enumerate(self.machine.kinds):
            own = tuple((arc, round(part, 12)) for arc, part in self.inside.get(box, {}).items())
            sorts.setdefault((id(kind), tuple(of_box.get(box, ())), frozenset(own)), []).append(box)
        for boxes in sorts.values():
            busy: Busy = {}
            for key in of_box.get(boxes[0], ()):
                _add(busy, self.patterns[key][0])
            _add(busy, self.inside.get(boxes[0], {}))
            for arc, part in busy.items():
                yield arc, self.machine.prefixes[boxes[0]], part, len(boxes)

    def _between(self) -> Iterator[tuple[Arc, str, float, int]]:
        """Yield the links of the network that are of one kind and equally busy, once."""
        kinds = self.machine.switches.things
        sorts: dict[object, list[tuple[Arc, float]]] = {}
        for arc, part in self._outside().items():
            key = (kinds[arc.source].kind, kinds[arc.target].kind, arc.kind, arc.link, arc.capacity, round(part, 12))
            sorts.setdefault(key, []).append((arc, part))
        for some in sorts.values():
            yield some[0][0], "", some[0][1], len(some)

    def _outside(self) -> Busy:
        """Return the bytes on every link of the network."""
        busy: Busy = {}
        for (arc, is_out), part in self.cables.items():
            _add(busy, {arc if is_out else turned(arc): part})
        for ends, part in self.middles.items():
            for arc, share in self.machine.middle(*ends):
                busy[arc] = busy.get(arc, 0.0) + part * share
        return busy


def _add(busy: Busy, more: Busy) -> None:
    for arc, part in more.items():
        busy[arc] = busy.get(arc, 0.0) + part


@dataclass(frozen=True, kw_only=True)
class Result:
    """Links that are alike: (arc, prefix of its box, bytes for a byte of the buffer, how many); GB/s of the buffer."""

    alike: tuple[tuple[Arc, str, float, int], ...]
    rate: float | None

    @property
    def loads(self) -> tuple[Load, ...]:
        return tuple(self._load(*one) for one in self.alike)

    @property
    def bottleneck(self) -> tuple[Load, ...]:
        return tuple(self._load(*one) for one in self._worst())

    @property
    def link(self) -> str:
        return next((arc.link for arc, _, _, _ in self._worst()), "")

    @property
    def unlimited(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(arc.link or arc.kind for arc, _, _, _ in self.alike if arc.capacity is None))

    def _worst(self) -> list[tuple[Arc, str, float, int]]:
        rate = self.rate
        return [one for one in self.alike if rate and one[0].capacity and one[0].capacity <= rate * one[2] * EQUAL]

    def _load(self, arc: Arc, prefix: str, busy: float, count: int) -> Load:
        load = min(1.0, busy * self.rate / arc.capacity) if self.rate and arc.capacity else 0.0
        return Load(source=prefix + arc.source, target=prefix + arc.target, kind=arc.kind, load=load, count=count)
