"""Where shapes of a scene are: rectangles of boxes and texts, segments of lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from topoviz.drawing.text import typical, width

if TYPE_CHECKING:
    from topoviz.drawing.scene import Box, Line, Shape, Text

Point = tuple[float, float]
ASCENT, DESCENT = 0.74, 0.2  # of the size: capitals above the baseline, tails below
PIECES = 12  # straight pieces by which a curve is judged


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        return max(0.0, self.right - self.left) * max(0.0, self.bottom - self.top)

    def shrunk(self, by: float) -> Bounds:
        """Return the rectangle drawn in on every side."""
        return Bounds(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def meets(self, other: Bounds, slack: float = 0) -> bool:
        """Return whether the two share more than ``slack`` in both directions."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and down > slack

    def holds(self, other: Bounds, slack: float = 0) -> bool:
        """Return whether the other lies inside, give or take ``slack``.

        >>> Bounds(0, 0, 10, 10).holds(Bounds(1, 1, 9, 11), slack=1)
        True
        """
        return (
            other.left >= self.left - slack
            and other.right <= self.right + slack
            and other.top >= self.top - slack
            and other.bottom <= self.bottom + slack
        )

    def has(self, point: Point) -> bool:
        """Return whether the point lies inside or on the edge."""
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

    def crossed(self, start: Point, end: Point) -> bool:
        """Return whether the segment touches the rectangle (Liang and Barsky's clipping).

        >>> Bounds(0, 0, 10, 10).crossed((-5, 5), (15, 5))
        True
        """
        first, last = 0.0, 1.0
        dx, dy = end[0] - start[0], end[1] - start[1]
        edges = (
            (-dx, start[0] - self.left),
            (dx, self.right - start[0]),
            (-dy, start[1] - self.top),
            (dy, self.bottom - start[1]),
        )
        for step, room in edges:
            if step == 0:
                if room < 0:
                    return False
            elif step < 0:
                first = max(first, room / step)
            else:
                last = min(last, room / step)
        return first <= last


def of_box(box: Box) -> Bounds:
    """Return the rectangle of a box, without its outline."""
    return Bounds(box.x, box.y, box.x + box.width, box.y + box.height)


def of_text(text: Text, *, safe: bool = True) -> Bounds:
    """Return the rectangle of the letters: as wide as they can get, or (not ``safe``) as in Arial."""
    measure = width if safe else typical
    runs = text.runs
    long = sum(r.dx + measure(r.content, r.size or text.size, bold=r.bold or text.bold) for r in runs)
    long = long if runs else measure(text.content, text.size, bold=text.bold)
    size = max([text.size, *(r.size for r in runs)])
    left = text.x - {"start": 0, "middle": long / 2, "end": long}[text.anchor]
    return Bounds(left, text.y - ASCENT * size, left + long, text.y + DESCENT * size)


def content(text: Text) -> str:
    """Return what the text says."""
    return " ".join(run.content for run in text.runs) if text.runs else text.content


def segments(line: Line) -> tuple[tuple[Point, Point], ...]:
    """Return the straight pieces of a line; a curve is taken in twelve pieces per bend."""
    if not line.curve:
        return tuple(pairwise(line.points))
    points: list[Point] = [line.points[0]]
    for at in range(0, len(line.points) - 3, 3):
        bend = line.points[at : at + 4]
        points += [_bezier(bend, step / PIECES) for step in range(1, PIECES + 1)]
    return tuple(pairwise(points))


def finite(shape: Shape) -> bool:
    """Return whether all numbers of the shape are finite.

    >>> from topoviz.drawing.scene import Box
    >>> finite(Box(x=0, y=0, width=float("inf"), height=1))
    False
    """
    values = [getattr(shape, name) for name in shape.__dataclass_fields__]
    return all(math.isfinite(number) for value in values for number in _numbers(value))


def _numbers(value: object) -> list[float]:
    if isinstance(value, (int, float)):
        return [value]
    if isinstance(value, (tuple, frozenset)):
        return [number for part in value for number in _numbers(part)]
    return []


def _bezier(points: tuple[Point, ...], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y
