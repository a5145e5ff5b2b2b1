"""Where the cells of a matrix stand, and what is written along its two sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.by_kind import Place, glyph_of
from topoviz.drawing.glyphs import SMALL, fitted
from topoviz.drawing.pairs import name, unit_of
from topoviz.drawing.scene import Item, Text

if TYPE_CHECKING:
    from topoviz.model.topology import Thing

ROOMY = 26.0  # from this pitch on a cell holds a word, and rows and columns are named by glyphs
SQUARE, TIGHT = 38.0, 7.2  # largest pitch of a roomy matrix; row pitch of a tight one
LEAST = 3.0  # pitch below which cells run together
GAP = 1.6  # after each unit of a tight matrix
FEW = 4  # so many names are all written, of more the first, the last and some between
NEAR = 14.0  # least distance of two row labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of the matrix: the edges of its cells, and which unit each thing belongs to."""

    things: tuple[Thing, ...]
    units: tuple[Thing | None, ...]
    edges: tuple[float, ...]
    pitch: float
    cell: float

    @property
    def end(self) -> float:
        """Return the far edge of the last cell."""
        return self.edges[-1] + self.cell

    def centre(self, at: int) -> float:
        """Return the middle of a cell."""
        return self.edges[at] + self.cell / 2

    def middle(self, at: int) -> float:
        """Return the middle of a cell, or of the unit that it begins."""
        unit = self.units[at]
        inside = [edge for edge, other in zip(self.edges, self.units, strict=True) if other == unit] if unit else []
        first, last = (inside[0], inside[-1]) if inside else (self.edges[at], self.edges[at])
        return (first + last + self.cell) / 2


def side(things: tuple[Thing, ...], ticks: tuple[str, ...], start: float, room: float, most: float) -> Side:
    """Return the cells of one side in ``room``, at most ``most`` apart, with a gap after each unit.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> gpu = Thing("gpu0", Child(name="gpu0", group="gpu", assembly=Assembly(kind="gpu")))
    >>> side((gpu, gpu), (), 10, 60, 38).edges
    (10.0, 40.0)
    """
    units = tuple(unit_of(thing, ticks) for thing in things)
    breaks = [at > 0 and units[at] != units[at - 1] for at in range(len(things))]
    pitch = min(most, (room - GAP * sum(breaks)) / len(things))
    edges = tuple(start + pitch * at + GAP * sum(breaks[: at + 1]) for at in range(len(things)))
    return Side(
        things=things,
        units=units,
        edges=edges,
        pitch=pitch,
        cell=pitch - (2 if pitch >= ROOMY else min(1.4, 0.2 * pitch)),
    )


def fitting(things: tuple[Thing, ...], room: float) -> tuple[Thing, ...]:
    """Return as many of the things, from the first, as can be told apart in ``room``.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> gpu = Thing("gpu0", Child(name="gpu0", group="gpu", assembly=Assembly(kind="gpu")))
    >>> len(fitting((gpu,) * 72, 30))
    10
    """
    return things[: max(1, int(room / LEAST))]


def labels(one: Side, important: tuple[int, ...], lang: str) -> tuple[tuple[int, str], ...]:
    """Return what may be written along a side: place of the first cell of each unit, and its name; most wanted first."""
    firsts = [
        at for at in range(len(one.things)) if at == 0 or one.units[at] is None or one.units[at] != one.units[at - 1]
    ]
    marked = [first for at in important if (first := max((f for f in firsts if f <= at), default=0)) is not None]
    spread = [firsts[len(firsts) * part // 4] for part in (2, 1, 3)]
    wanted = dict.fromkeys([firsts[0], firsts[-1], *marked, *(firsts if len(firsts) <= FEW else spread)])
    return tuple((at, name(one.units[at] or one.things[at], lang)) for at in wanted)


def beside(rows: Side, important: tuple[int, ...], axis: str, x: float, lang: str) -> tuple[Text, ...]:
    """Return the names left of the rows, right-aligned at ``x``; the first carries the word of the axis."""
    kept: list[tuple[float, str]] = []
    for at, text in labels(rows, important, lang):
        y = rows.middle(at)
        if all(abs(y - other) >= NEAR for other, _ in kept):
            kept.append((y, f"{axis} {text}".strip() if at == 0 else text))
    return tuple(Text(x=x, y=y + 4.3, content=text, size=SMALL, anchor="end", fill="ink2") for y, text in sorted(kept))


def under(
    columns: Side, important: tuple[int, ...], axis: str, place: tuple[float, float, float], lang: str
) -> tuple[Text, ...]:
    """Return the names under the columns; ``place`` is the right end of the axis word, the baseline, the right border."""
    left, y, border = place
    kept: list[tuple[float, float, str]] = [(0, left, "")] if axis else []
    for at, text in labels(columns, important, lang):
        half = type_setting.width(text, SMALL) / 2
        x = max(min(columns.middle(at), border - half), left + 5 + half if axis else half)
        if all(x + half + 4 <= low or x - half - 4 >= high for low, high, _ in kept):
            kept.append((x - half, x + half, text))
    word = (Text(x=left, y=y, content=axis, size=SMALL, anchor="end", fill="ink2"),) if axis else ()
    return (
        *word,
        *(
            Text(x=(low + high) / 2, y=y, content=text, size=SMALL, anchor="middle", fill="ink2")
            for low, high, text in sorted(kept)
            if text
        ),
    )


def glyph(thing: Thing, place: Place, lang: str) -> Item:
    """Return the small sign that stands for a thing at the side of a roomy matrix."""
    label, _ = fitted(name(thing, lang), place.width - 6, SMALL)
    return glyph_of(thing, place, label, lang=lang, side="")
