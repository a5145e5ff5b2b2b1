"""Signs on a picture: a square with the number of a difference, a cross on what is not there, a line round what is meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

from topoviz.drawing.scene import Box, Item, Line, Text

BADGE = 18.0
ARM = 5.0


def badge(x: float, y: float, number: str) -> Item:
    """Return the number of a difference in a square; discs are hops and letters of rings.

    >>> badge(10, 10, "3").shapes[1].content
    '3'
    """
    box = Box(x=x - BADGE / 2, y=y - BADGE / 2, width=BADGE, height=BADGE, radius=3, fill="alert")
    word = Text(x=x, y=y + 4.3, content=number, size=12, bold=True, anchor="middle", fill="bg")
    return Item(role="label", layer="label", shapes=(box, word))


def cross(at: tuple[float, float]) -> Iterator[Line]:
    """Yield the two strokes of a cross."""
    x, y = at
    for side in (-1, 1):
        yield Line(points=((x - ARM, y - side * ARM), (x + ARM, y + side * ARM)), stroke="alert", width=2.5)


def middle(item: Item, share: float = 0.5) -> tuple[float, float]:
    """Return the point of the longest piece of a link, ``share`` of the way along it."""
    lines = [shape for shape in item.shapes if isinstance(shape, Line)]
    pieces = [(a, b) for line in lines for a, b in zip(line.points, line.points[1:], strict=False)]
    (ax, ay), (bx, by) = max(pieces, key=lambda piece: hypot(piece[1][0] - piece[0][0], piece[1][1] - piece[0][1]))
    return ax + (bx - ax) * share, ay + (by - ay) * share


def outline(body: Box, stroke: str, outside: float) -> Box:
    """Return the line round a box at some distance, which says that this one is meant."""
    return replace(
        body, x=body.x - outside, y=body.y - outside, width=body.width + 2 * outside, height=body.height + 2 * outside,
        radius=body.radius + outside if body.radius else 0, fill="", stroke=stroke, stroke_width=2, dash=(),
    )  # fmt: skip
