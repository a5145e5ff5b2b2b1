"""The number of a difference, beside its sign: where nothing else is, else where it hides the least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.drawing import bounds
from topoviz.drawing.bounds import Bounds
from topoviz.drawing.scene import Box, Drawing, Item, Line, Text
from topoviz.drawing.signs import BADGE, badge, middle


def number(
    about: Sequence[Item], items: Sequence[Item], badges: Sequence[Item], said: str, drawing: Drawing
) -> Iterator[Item]:
    """Yield the number at the first free place beside one of the items that it is about.

    Without one it may lie on lines, then on the edge of a thing; never on words or on another number.
    """
    words = [bounds.of_text(s) for item in (*items, *badges) for s in item.shapes if isinstance(s, Text)]
    boxes = [area for item in (*items, *badges) for area in _areas(item)]
    numbers = [area for item in badges for area in _areas(item)]
    lines = [piece for item in items for s in item.shapes if isinstance(s, Line) for piece in bounds.segments(s)]
    page = Bounds(0, 0, drawing.width, drawing.height)
    for taken, crossed in ((boxes, lines), (boxes, []), ([*words, *numbers], lines), ([*words, *numbers], [])):
        for item in about:
            for x, y in _candidates(item):
                area = Bounds(x - BADGE / 2 - 1, y - BADGE / 2 - 1, x + BADGE / 2 + 1, y + BADGE / 2 + 1)
                free = page.holds(area) and not any(area.meets(other) for other in taken)
                if free and not any(area.crossed(*piece) for piece in crossed):
                    yield badge(x, y, said)
                    return


def _areas(item: Item) -> Iterator[Bounds]:
    if item.layer == "enclosure":
        yield from (bounds.of_text(shape) for shape in item.shapes if isinstance(shape, Text))
        return
    for shape in item.shapes:
        if isinstance(shape, Text):
            yield bounds.of_text(shape)
        elif isinstance(shape, Box):
            yield bounds.of_box(shape)


def _candidates(item: Item) -> Iterator[tuple[float, float]]:
    """Yield places beside a thing or a line, the nearest first."""
    if item.role == "link":
        for share in (0.5, 0.35, 0.65, 0.2, 0.8):
            x, y = middle(item, share)
            for aside in (14.0, -14.0, 22.0, -22.0, 34.0, -34.0):
                yield x + aside, y
                yield x, y + aside
        return
    boxes = [bounds.of_box(shape) for shape in item.shapes if isinstance(shape, Box)]
    if not boxes:
        return
    box = max(boxes, key=lambda one: one.area)
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    for gap in (13.0, 17.0, 3.0):
        yield box.right + gap, y
        yield box.left - gap, y
        yield x, box.top - gap
        yield x, box.bottom + gap
        yield box.right - 10, box.top - gap
        yield box.right - 10, box.bottom + gap
        yield box.left + 10, box.bottom + gap
        yield box.right + gap, box.top - gap
        yield box.left - gap, box.top - gap
