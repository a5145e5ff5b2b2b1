"""Where strokes cross, and where on a stroke there is room for a letter or a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

from topoviz.drawing.bounds import Bounds

if TYPE_CHECKING:
    from topoviz.drawing.mesh.direct import Pair
    from topoviz.drawing.mesh.spots import Path, Point

Key: TypeAlias = tuple["Pair", int]  # a pair and the number of its stroke
Segment: TypeAlias = tuple["Point", "Point"]

GAP = 4.5  # half of what is left open where two strokes cross
FEW = 12  # so many crossings get a gap; more would tear the strokes to pieces
ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)


def crossings(paths: Mapping[Pair, Sequence[Path]]) -> list[tuple[Key, Key]]:
    """Return the strokes of different pairs that cross, each two once; those that share a GPU never do."""
    every = [((pair, i), path) for pair, lines in paths.items() for i, path in enumerate(lines)]
    found = []
    for n, (one, path) in enumerate(every):
        for other, second in every[:n]:
            if not set(one[0]) & set(other[0]) and _cross(path, second):
                found.append((other, one))
    return found


def _cross(one: Path, other: Path) -> bool:
    return any(meeting(a, b) is not None for a in pairwise(one.points) for b in pairwise(other.points))


def meeting(one: Segment, other: Segment) -> float | None:
    """Return how far along the first segment, 0 to 1, the second crosses it; None if it does not.

    >>> meeting(((0, 0), (10, 0)), ((5, -5), (5, 5)))
    0.5
    """
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if abs(across) < 1e-9:
        return None
    t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
    return t if 0 < t < 1 and 0 < u < 1 else None


def gaps(
    paths: Mapping[Pair, Sequence[Path]], over: Iterable[Key] = (), found: Sequence[tuple[Key, Key]] | None = None
) -> Mapping[Key, tuple[tuple[float, float], ...]]:
    """Return the open places of straight strokes that others cross, as shares of their length.

    Of two strokes the later one is open, unless it alone is among those that lie ``over`` the rest.
    """
    both = crossings(paths) if found is None else found
    if len(both) > FEW:
        return {}
    above = set(over)
    opened: dict[Key, list[tuple[float, float]]] = {}
    for first, second in both:
        cut, kept = (first, second) if second in above and first not in above else (second, first)
        line, other = paths[cut[0]][cut[1]], paths[kept[0]][kept[1]]
        if line.straight and other.straight:
            opened.setdefault(cut, []).append(_gap(line.points, other.points))
    return {key: tuple(sorted(places)) for key, places in opened.items()}


def _gap(line: Sequence[Point], other: Sequence[Point]) -> tuple[float, float]:
    (ax, ay), (bx, by) = line
    (cx, cy), (dx, dy) = other
    long, wide = hypot(bx - ax, by - ay), hypot(dx - cx, dy - cy)
    sine = abs((bx - ax) * (dy - cy) - (by - ay) * (dx - cx)) / (long * wide)
    t = meeting((line[0], line[1]), (other[0], other[1])) or 0.5
    half = min(GAP / max(sine, 0.3), 0.1 * long) / long
    return t - half, t + half


def pieces(path: Path, opened: Sequence[tuple[float, float]]) -> tuple[tuple[Point, ...], ...]:
    """Return a stroke in the pieces that its gaps leave; a bent one is whole."""
    if not path.straight or not opened:
        return (path.points,)
    start, end = path.points
    stops = [0.0, *(t for gap in opened for t in gap), 1.0]
    return tuple((between(start, end, a), between(start, end, b)) for a, b in zip(stops[::2], stops[1::2], strict=True))


def between(start: Point, end: Point, t: float) -> Point:
    """Return the point a share of the way from one point to another."""
    return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])


def room(
    path: Path, size: tuple[float, float], strokes: Iterable[Segment], taken: Iterable[Bounds]
) -> tuple[float, float] | None:
    """Return the middle of a free place of that size on the longest piece of a stroke; None if there is none.

    It meets no other stroke and nothing that is there already. ``strokes`` are the others.
    """
    start, end = max(
        pairwise(path.points), key=lambda piece: hypot(piece[1][0] - piece[0][0], piece[1][1] - piece[0][1])
    )
    others, there = list(strokes), list(taken)
    for t in ALONG:
        x, y = between(start, end, t)
        area = Bounds(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)
        if any(area.crossed(*other) for other in others) or any(area.shrunk(-2).meets(one) for one in there):
            continue
        return x, y
    return None
