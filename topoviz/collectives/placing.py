"""Plans of very large machines, laid out box by box: what one kind of box does is planned once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from topoviz.collectives.flow import wanted
from topoviz.collectives.hops import Way
from topoviz.collectives.network import Arc
from topoviz.collectives.placed import Between, Kind, Machine
from topoviz.collectives.rails import entries, turned, walk
from topoviz.collectives.tally import Tally
from topoviz.errors import PlanError
from topoviz.model.topology import Hop

Walk = tuple[str, ...]


@dataclass(kw_only=True)
class Layer:
    """Makes the hops of a plan on a machine and tallies what they carry; ids are written out once for each box."""

    machine: Machine
    tally: Tally
    _walks: dict[int, tuple[Walk, ...]] = field(default_factory=dict)
    _ways: dict[tuple[int, str, str], Way] = field(default_factory=dict)
    _via: dict[tuple[int, Walk], Walk] = field(default_factory=dict)

    @classmethod
    def on(cls, machine: Machine) -> Layer:
        """Return an empty layer on a machine."""
        return cls(machine=machine, tally=Tally(machine=machine))

    def channels(self) -> int:
        """Return how many channels go through every box: one for each network card that all boxes have.

        Boxes whose cards are called differently have one for each card of the box that has fewest.
        """
        kinds = list({id(kind): kind for kind in self.machine.kinds}.values())
        rails = [{kind.cards[name]: name for name in entries(kind.gpus, kind.cards)} for kind in kinds]
        shared = [card for card in rails[0] if all(card in one for one in rails)]  # a card may be gone in some box
        heads = [[one[card] for card in shared] if shared else list(one.values()) for one in rails]
        count = min(len(some) for some in heads)
        for kind, some in zip(kinds, heads, strict=True):
            self._walks[id(kind)] = walk(kind.net, kind.gpus, some[:count], kind.cards)
        return count if all(self._walks.values()) else 0

    def walk(self, box: int, channel: int, *, alternate: bool = True) -> Walk:
        """Return the way of a channel through a box, with ids that begin at the box."""
        kind = self.machine.kinds[box]
        path = self._walks[id(kind)][channel]
        return turned(path, box, kind.cards) if alternate else path

    def inside(self, box: int, path: Walk, part: float, *, both: bool = False, closed: bool = False) -> list[Hop]:
        """Return the hops along a path in a box; ``both`` ways carry the same part, ``closed`` leads back to the start."""
        kind = self.machine.kinds[box]
        whole = (*path, path[0]) if closed else path
        ways = self._along(kind, whole)
        back = self._along(kind, whole[::-1]) if both else []
        self.tally.pattern((id(kind), whole, part, both), box, [*ways, *back], part)
        prefix = self.machine.prefixes[box]
        return [self._placed(box, prefix, one.hop) for one in ways]

    def _along(self, kind: Kind, path: Walk) -> list[Way]:
        ways = []
        for a, b in zip(path, path[1:], strict=False):
            key = (id(kind), a, b)
            if key not in self._ways:
                self._ways[key] = wanted(kind.net, a, b, self.machine.rates)
            ways.append(self._ways[key])
        return ways

    def _placed(self, box: int, prefix: str, hop: Hop) -> Hop:
        key = (box, hop.via)
        if key not in self._via:
            self._via[key] = tuple(prefix + name for name in hop.via)
        return Hop(source=prefix + hop.source, target=prefix + hop.target, via=self._via[key], kind=hop.kind)

    def across(self, one: int, source: str, other: int, target: str, part: float, *, both: bool = False) -> Hop:
        """Return the hop from a GPU of one box to a GPU of another.

        Raises:
            PlanError: no switch joins their network cards.
        """
        machine = self.machine
        out, back = machine.half(one, source, out=True), machine.half(other, target, out=False)
        first, last = machine.prefixes[one], machine.prefixes[other]
        cards = (first + out[-1].target, last + back[0].source)
        between = machine.between(*cards)
        if between is None:
            raise PlanError(f"no way from {first}{source} to {last}{target}: no switch joins {cards[0]} and {cards[1]}")
        self._count(one, out, between, other, back, part)
        if both:
            turn = machine.between(*cards[::-1])
            if turn is not None:
                again = (machine.half(other, target, out=True), machine.half(one, source, out=False))
                self._count(other, again[0], turn, one, again[1], part)
        via = (*(first + arc.target for arc in out), *between.via, *(last + arc.source for arc in back))
        return Hop(source=first + source, target=last + target, via=via, kind=between.up.kind)

    def _count(
        self, one: int, out: Sequence[Arc], between: Between, other: int, back: Sequence[Arc], part: float
    ) -> None:
        self.tally.half(one, out, part)
        self.tally.between(between, part)
        self.tally.half(other, back, part)
