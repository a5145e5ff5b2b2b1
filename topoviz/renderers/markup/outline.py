"""Shapes as path data: only geometry, no colours."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from topoviz.renderers.markup.element import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topoviz.drawing.scene import Box, Cells, Line

Point = tuple[float, float]


def hexagon(box: Box) -> str:
    """Return a hexagon with points left and right; its depth is the box's or what its height suggests."""
    depth = box.point or min(0.42 * box.height, 10, box.width / 2)
    left, right, bottom = box.x, box.x + box.width, box.y + box.height
    middle = box.y + box.height / 2
    corners = [
        (left + depth, box.y),
        (right - depth, box.y),
        (right, middle),
        (right - depth, bottom),
        (left + depth, bottom),
        (left, middle),
    ]
    return polygon(corners)


def polygon(corners: list[Point]) -> str:
    """Return a closed outline."""
    return _through(corners) + "Z"


def polyline(points: tuple[Point, ...], radius: float) -> str:
    """Return a line through the points whose corners are rounded as far as their legs allow.

    >>> polyline(((0, 0), (0, 40), (30, 40)), 12)
    'M0 0V28Q0 40 12 40H30'
    """
    if radius <= 0 or len(points) < 3:
        return _through(points)
    data, at = _move(points[0]), points[0]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        reach = min(radius, math.dist(before, corner) / 2, math.dist(corner, after) / 2)
        enter, leave = _toward(corner, before, reach), _toward(corner, after, reach)
        data += _line(at, enter) + f"Q{_pair(corner)} {_pair(leave)}"
        at = leave
    return data + _line(at, points[-1])


def curve(points: tuple[Point, ...]) -> str:
    """Return cubic Béziers: the first point, then two controls and an end each."""
    if len(points) % 3 != 1:
        raise ValueError(f"a curve has 1 + 3 n points, not {len(points)}")
    triples = (points[i : i + 3] for i in range(1, len(points), 3))
    return _move(points[0]) + "".join("C" + " ".join(_pair(p) for p in triple) for triple in triples)


def shortened(line: Line) -> tuple[Point, ...]:
    """Return the points of the line, drawn back so that its end does not show beside the arrow tip."""
    points = line.points
    if line.end == "arrow":
        points = _back(points, line.tip - 1)
    if line.start == "arrow":
        points = _back(points[::-1], line.tip - 1)[::-1]
    return points


def tips(line: Line) -> tuple[str, ...]:
    """Return the arrow tips of the line, none to two."""
    ends = ((line.end, line.points), (line.start, line.points[::-1]))
    return tuple(_tip(points, line.tip) for end, points in ends if end == "arrow")


def cells(shape: Cells) -> tuple[str, str]:
    """Return path data and dash pattern of equal marks: strokes as thick as a mark is high.

    If every row is full, a row is one stroke and the dashes are its marks, which is a
    twentieth of the text; else every mark is a stroke and the pattern is empty.
    """
    rows = [y + shape.height / 2 for y in shape.ys]
    dash = _pattern(shape) if shape.filled is None else ""
    if dash:
        return "".join(_line_of_marks(shape, y) for y in rows), dash
    columns = range(len(shape.xs))
    filled = (
        [shape.xs[c] for c in columns if shape.filled is None or (r, c) in shape.filled] for r in range(len(rows))
    )
    return "".join(_marks(xs, y, shape.width) for xs, y in zip(filled, rows, strict=True)), ""


def _pattern(shape: Cells) -> str:
    """Return marks and gaps of a row; nothing if there are too few to be worth it or marks touch."""
    gaps = _gaps(shape.xs, shape.width)
    if len(gaps) < 2 or len(shape.ys) < 2 or min(gaps) <= 0:
        return ""
    mark = number(shape.width)
    return " ".join(f"{mark} {number(gap)}" for gap in (*gaps, 1))  # the last gap lies beyond the end


def _line_of_marks(shape: Cells, y: float) -> str:
    left, right = round(shape.xs[0], 1), round(shape.xs[-1], 1) + round(shape.width, 1)
    return f"{_move((left, y))}H{number(right)}"


def _marks(xs: Sequence[float], y: float, width: float) -> str:
    if not xs:
        return ""
    mark = f"h{number(width)}"
    return _move((xs[0], y)) + mark + "".join(f"m{number(gap)} 0{mark}" for gap in _gaps(xs, width))


def _gaps(xs: Sequence[float], width: float) -> list[float]:
    """Return what lies between marks, from rounded places, so that errors of rounding do not add up."""
    return [round(after, 1) - round(before, 1) - round(width, 1) for before, after in pairwise(xs)]


def _tip(points: tuple[Point, ...], size: float) -> str:
    end, before = points[-1], _other(points)
    foot = _toward(end, before, size)
    across = ((foot[1] - end[1]) / 2, (end[0] - foot[0]) / 2)
    return polygon([end, (foot[0] + across[0], foot[1] + across[1]), (foot[0] - across[0], foot[1] - across[1])])


def _back(points: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    before = _other(points)
    return (*points[:-1], _toward(points[-1], before, min(by, math.dist(points[-1], before))))


def _other(points: tuple[Point, ...]) -> Point:
    """Return the nearest point that differs from the last one."""
    return next((p for p in reversed(points) if p != points[-1]), points[-1])


def _toward(start: Point, end: Point, reach: float) -> Point:
    length = math.dist(start, end)
    if not length:
        return start
    share = reach / length
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _through(points: tuple[Point, ...] | list[Point]) -> str:
    return _move(points[0]) + "".join(_line(a, b) for a, b in pairwise(points))


def _line(start: Point, end: Point) -> str:
    (x0, y0), (x1, y1) = ((number(x), number(y)) for x, y in (start, end))
    if (x0, y0) == (x1, y1):
        return ""
    if x0 == x1:
        return f"V{y1}"
    return f"H{x1}" if y0 == y1 else f"L{x1} {y1}"


def _move(point: Point) -> str:
    return f"M{_pair(point)}"


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
