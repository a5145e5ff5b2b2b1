"""Rows of bars, and the side on which the lane to each bar leaves a glyph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

CLEAR = 12  # between two bars in one row


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A bar before it has a height: from ``left`` to ``right``, joined at ``at`` (x of its members)."""

    id: str
    left: float
    right: float
    at: tuple[float, ...]
    name: tuple[object, ...]

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2


def rows(spans: Sequence[Span], *, up: bool = False, clear: float = CLEAR) -> tuple[tuple[str, ...], ...]:
    """Return rows of bar ids, nearest to the members first.

    Equal rows stand in natural order from top to bottom, so with ``up`` (bars above
    their members) the last one is nearest.

    Interval colouring: longest first, into the first row where it stays clear of
    the others. Then the order of rows with the fewest bars passed by lanes.
    """
    by_id = {span.id: span for span in spans}
    packed: list[list[Span]] = []
    for span in sorted(spans, key=lambda s: (-(round(s.right - s.left, 3)), s.name)):
        for row in packed:
            if all(span.left >= other.right + clear or span.right <= other.left - clear for other in row):
                row.append(span)
                break
        else:
            packed.append([span])
    ids = [tuple(s.id for s in sorted(row, key=lambda s: s.left)) for row in packed]
    return tuple(_fewest_passed(ids, by_id, up=up))


def _fewest_passed(ids: list[tuple[str, ...]], spans: Mapping[str, Span], *, up: bool) -> list[tuple[str, ...]]:
    natural = sorted(ids, key=lambda row: min(spans[i].name for i in row), reverse=up)
    if len(ids) <= 6:
        return min(map(list, permutations(natural)), key=lambda order: (_passed(order, spans), _rank(order, natural)))
    order = sorted(natural, key=lambda row: sum(spans[i].right - spans[i].left for i in row))
    if all(_same(spans, row, natural[0]) for row in natural):
        return natural
    for _ in order:
        for k in range(len(order) - 1):
            swapped = [*order[:k], order[k + 1], order[k], *order[k + 2 :]]
            if _passed(swapped, spans) < _passed(order, spans):
                order = swapped
    return order


def _same(spans: Mapping[str, Span], row: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return [(spans[i].left, spans[i].right) for i in row] == [(spans[i].left, spans[i].right) for i in other]


def _rank(order: Sequence[tuple[str, ...]], natural: Sequence[tuple[str, ...]]) -> tuple[int, ...]:
    return tuple(natural.index(row) for row in order)


def _passed(order: Sequence[tuple[str, ...]], spans: Mapping[str, Span]) -> int:
    """How many bars the lanes run behind on their way to a farther row."""
    return sum(
        1
        for depth, row in enumerate(order)
        for bar in row
        for x in spans[bar].at
        for nearer in order[:depth]
        for other in nearer
        if spans[other].left <= x <= spans[other].right
    )


def lanes(width: float, count: int) -> tuple[float, ...]:
    """Return the offsets of ``count`` lanes from the centre of a glyph ``width`` wide.

    >>> lanes(76, 4)
    (-30.0, -10.0, 10.0, 30.0)
    >>> lanes(76, 1)
    (0.0,)
    """
    if count < 2:
        return (0.0,) * count
    step = min(24.0, (width - 16) / (count - 1))
    return tuple((i - (count - 1) / 2) * step for i in range(count))
