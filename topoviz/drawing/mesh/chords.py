"""GPUs on a circle, the first on top, clockwise; every link a chord that meets no box but its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from topoviz.drawing.mesh.spots import Path, Point, Spots, box, framed, middle, spread

if TYPE_CHECKING:
    from topoviz.drawing.bounds import Bounds
    from topoviz.drawing.mesh.direct import Pair
    from topoviz.drawing.mesh.outline import Outline

CLEAR = 3.0  # least room between a chord and a box; half as much beside the smallest boxes
TINY = 23.0
BOXES = ((76.0, 40.0), (60.0, 34.0), (46.0, 28.0), (36.0, 24.0), (28.0, 20.0), (24.0, 18.0), (22.0, 14.0),
         (14.0, 11.0), (10.0, 8.0))  # fmt: skip


def placed(
    outline: Outline, counts: Mapping[Pair, int], step: float, radius: float, width: float, widest: float
) -> Spots:
    """Return boxes and chords: boxes as large as the chords leave room for, at most ``widest`` wide.

    ``radius`` is the wish; it grows as far as ``width`` allows if boxes or chords would meet.
    """
    found = None
    for size in [size for size in BOXES if size[0] <= widest] or [BOXES[-1]]:
        most = (width - size[0]) / 2
        for wish in sorted({min(radius, most), min(1.25 * radius, most), most}):
            areas = _areas(outline, size, wish)
            paths = {pair: _chords(areas, pair, count, step) for pair, count in counts.items()}
            found = areas, paths
            if _clear(areas, paths):
                return framed(*found)
    return framed(*found) if found is not None else Spots(width=0, height=0, boxes=(), paths={})


def _areas(outline: Outline, size: tuple[float, float], radius: float) -> tuple[Bounds, ...]:
    count = outline.form.count
    angles = [2 * pi * outline.order.index(place) / count for place in range(count)]
    return tuple(box(radius * sin(angle), -radius * cos(angle), size) for angle in angles)


def _chords(areas: Sequence[Bounds], pair: Pair, count: int, step: float) -> tuple[Path, ...]:
    (ax, ay), (bx, by) = middle(areas[pair[0]]), middle(areas[pair[1]])
    long = hypot(bx - ax, by - ay) or 1.0
    nx, ny = (ay - by) / long, (bx - ax) / long
    if nx * (ax + bx) + ny * (ay + by) > 0:  # the first stroke is the outer one
        nx, ny = -nx, -ny
    area = areas[pair[0]]
    room = min(area.right - area.left, area.bottom - area.top) - 6
    lines = []
    for o in spread(count, step, room):
        a, b = (ax + nx * o, ay + ny * o), (bx + nx * o, by + ny * o)
        lines.append(Path(points=(leaving(a, b, areas[pair[0]]), leaving(b, a, areas[pair[1]]))))
    return tuple(lines)


def leaving(start: Point, toward: Point, area: Bounds) -> Point:
    """Return where a line from inside a rectangle leaves it.

    >>> from topoviz.drawing.bounds import Bounds
    >>> leaving((5, 5), (25, 5), Bounds(0, 0, 10, 10))
    (10.0, 5.0)
    """
    dx, dy = toward[0] - start[0], toward[1] - start[1]
    ways = []
    if dx:
        ways.append(((area.right if dx > 0 else area.left) - start[0]) / dx)
    if dy:
        ways.append(((area.bottom if dy > 0 else area.top) - start[1]) / dy)
    t = min(ways, default=0.0)
    return start[0] + t * dx, start[1] + t * dy


def _clear(areas: Sequence[Bounds], paths: Mapping[Pair, Sequence[Path]]) -> bool:
    tiny = areas[0].right - areas[0].left < TINY
    wide = [area.shrunk(-CLEAR / 2 if tiny else -CLEAR) for area in areas]
    if any(wide[i].meets(wide[j]) for i in range(len(areas)) for j in range(i)):
        return False
    return not any(wide[place].crossed(*path.points) for place, path in _strangers(len(areas), paths))


def _strangers(count: int, paths: Mapping[Pair, Sequence[Path]]) -> Iterator[tuple[int, Path]]:
    for pair, lines in paths.items():
        yield from ((place, line) for line in lines for place in range(count) if place not in pair)
