"""What both ways of standing share: boxes at their places, and a path for every stroke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from topoviz.drawing.bounds import Bounds

if TYPE_CHECKING:
    from topoviz.drawing.mesh.direct import Pair

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Sizes in u: of a box, between boxes, between the strokes of a pair, of the first arch."""

    box: tuple[float, float]
    pitch: float  # from column to column
    between: float  # from the upper row to the lower one, edge to edge
    step: float  # between strokes of one pair
    arch: float  # from the edge of a box to the first arch
    track: float  # between arches
    round: float = 8  # radius of corners


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One stroke from the first of a pair to the second; ``straight`` ones may be cut where others cross."""

    points: tuple[Point, ...]
    radius: float = 0

    @property
    def straight(self) -> bool:
        return len(self.points) == 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots:
    """Boxes by the place of their GPU, paths by pair, and how large all of it is."""

    width: float
    height: float
    boxes: tuple[Bounds, ...]
    paths: Mapping[Pair, tuple[Path, ...]]


def box(x: float, y: float, size: tuple[float, float]) -> Bounds:
    """Return the rectangle of that size round a point.

    >>> box(10, 10, (4, 2)).left
    8.0
    """
    return Bounds(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)


def middle(area: Bounds) -> Point:
    """Return the middle of a rectangle."""
    return (area.left + area.right) / 2, (area.top + area.bottom) / 2


def spread(count: int, step: float, room: float) -> list[float]:
    """Return the places of strokes beside each other, round 0, closer if there is no room.

    >>> spread(2, 12, 100), spread(3, 12, 12)
    ([-6.0, 6.0], [-6.0, 0.0, 6.0])
    """
    near = min(step, room / (count - 1)) if count > 1 else step
    return [(i - (count - 1) / 2) * near for i in range(count)]


def framed(boxes: Sequence[Bounds], paths: Mapping[Pair, Sequence[Path]], margin: float = 0) -> Spots:
    """Return everything moved so that it begins at (0, 0), with some room above and below arches."""
    xs = [x for area in boxes for x in (area.left, area.right)]
    ys = [y for area in boxes for y in (area.top, area.bottom)]
    turns = [point for lines in paths.values() for path in lines for point in path.points]
    left, right = min([*xs, *(x for x, _ in turns)]), max([*xs, *(x for x, _ in turns)])
    top = min([*ys, *(y - margin for _, y in turns)])
    low = max([*ys, *(y + margin for _, y in turns)])
    moved = {
        pair: tuple(
            Path(points=tuple((x - left, y - top) for x, y in path.points), radius=path.radius) for path in lines
        )
        for pair, lines in paths.items()
    }
    places = tuple(Bounds(a.left - left, a.top - top, a.right - left, a.bottom - top) for a in boxes)
    return Spots(width=right - left, height=low - top, boxes=places, paths=moved)
