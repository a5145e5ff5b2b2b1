"""A rack by slots, seen from the front: one row for each unit, brackets that name runs of equal things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from topoviz.drawing import brackets, fields, preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.by_kind import Place
from topoviz.drawing.compose import NOTHING
from topoviz.drawing.glyphs import SMALL, tooltip
from topoviz.drawing.rack import Shelf, shelves, the_rack, units
from topoviz.drawing.rack_panel import panel
from topoviz.drawing.scene import Box, Cells, Drawing, Item, Line, Text
from topoviz.drawing.shelf import MARKS, shelf_item

if TYPE_CHECKING:
    from topoviz.drawing.layout import Block
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = {
    "marks": "kinds of things drawn inside each row, so that they can be counted: [gpu, cpu, nvswitch]",
    "brackets": "one or two texts beside each run of equal things, with fields",
    "ticks": "every so many units get a number: 8",
    "free": "what is said beside empty units",
    "axis": "what stands above the numbers: U",
}
PITCH = 11.6  # height of one unit
LEAST, MOST = 7.0, 15.0  # to which it gives way if the drawing has to fit beside others
POST = 3.0
ABOVE, BELOW = 17.0, 9.0  # the axis label and the upper edge; the foot
LEFT, INNER = (
    30.0,
    164.0,
)  # from the left to the middle of the first post; the room between the posts, without 5 at each side
CLEAR = 13.0  # from the post to the brackets, without their words
DEFAULT = ("{count} {title}", "{contents} each")


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:
    """Return the front of the first rack that the block shows; in a panel, its small form.

    ``height`` stretches or shrinks a unit between 7 and 15 u. Empty for what is no rack and holds nothing.
    """
    rack = the_rack(scope.roots)
    if not shelves(rack) and rack.kind != "rack":
        return NOTHING
    if scope.compact:
        return panel(rack, scope, _texts(block, "brackets", DEFAULT)[:1], width, height)
    pitch = PITCH if height is None else min(MOST, max(LEAST, (height - ABOVE - BELOW) / units(rack)))
    total = ABOVE + units(rack) * pitch + BELOW
    marks = _texts(block, "marks", MARKS)
    inner = _inner(rack, block, scope, width)
    items = (
        _frame(rack, scope, inner, total),
        _scale(block, scope, units(rack), pitch),
        *(
            shelf_item(shelf.thing, _place(shelf, units(rack), pitch, inner), marks, scope.lang)
            for shelf in shelves(rack)
        ),
        _labels(rack, block, scope, (pitch, LEFT + inner + 10 + CLEAR, width)),
    )
    return Drawing(width=width, height=total, items=items)


def _texts(block: Block, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    given = block.options.get(key, default)
    return (given,) if isinstance(given, str) else tuple(given)


def _inner(rack: Thing, block: Block, scope: Scope, width: float) -> float:
    """Return the room between the posts: as in the reference picture, less if the words need it."""
    names = [
        type_setting.width(text, 13, bold=brackets.weighty(run))
        for run in brackets.runs(shelves(rack), units(rack))
        if run.shelves
        for text in brackets.said(run, _texts(block, "brackets", DEFAULT)[:1], scope)
    ]
    rest = width - LEFT - 10 - CLEAR - 14 - max(names, default=0)
    return max(min(INNER, rest), min(110.0, 0.45 * width))


def _place(shelf: Shelf, height: int, pitch: float, inner: float) -> Place:
    upper = ABOVE + 2.3 + (height - shelf.top) * pitch
    return Place(x=LEFT + 5, y=upper, width=inner, height=shelf.height * pitch - 0.19 * pitch)


def _frame(rack: Thing, scope: Scope, inner: float, total: float) -> Item:
    left, right, foot = LEFT, LEFT + inner + 10, total - POST / 2
    ink, dash = preliminary.outline(rack)
    posts = Line(points=((left, foot), (left, ABOVE), (right, ABOVE), (right, foot)), stroke=ink, width=POST, dash=dash)
    base = Line(points=((left - 1.5, foot), (right + 1.5, foot)), stroke="frame", width=POST)
    ground = Box(x=left, y=ABOVE, width=right - left, height=foot - ABOVE, fill="bg")
    shapes = (ground, posts, base)
    if not rack.id:
        return Item(role="decor", layer="enclosure", shapes=shapes)
    data = (("id", rack.id), ("kind", rack.kind))
    return Item(
        role="node", layer="enclosure", kind=rack.kind, shapes=shapes, data=data, title=tooltip(rack, scope.lang)
    )


def _scale(block: Block, scope: Scope, height: int, pitch: float) -> Item:
    step = max(1, int(block.options.get("ticks", 8)))
    while step * pitch < SMALL + 1:
        step *= 2
    middle = [ABOVE + 1.3 + (height - unit + 0.5) * pitch for unit in range(1, height + 1)]
    ticks = Cells(xs=(LEFT - 7,), ys=tuple(y - 0.5 for y in middle), width=5, height=1, fill="frame")
    told = [unit for unit in range(1, height + 1) if unit % step == 0 or (unit == 1 and (step - 1) * pitch > SMALL)]
    numbers = tuple(
        Text(x=LEFT - 11, y=middle[unit - 1] + 4.2, content=str(unit), size=SMALL, anchor="end", fill="ink3")
        for unit in told
    )
    name = fields.say(scope, str(block.options.get("axis", "U")))
    axis = Text(x=LEFT - 11, y=ABOVE - 5, content=name, size=SMALL, anchor="end", fill="ink3")
    return Item(role="label", layer="label", shapes=(ticks, axis, *numbers))


def _labels(rack: Thing, block: Block, scope: Scope, frame: tuple[float, float, float]) -> Item:
    pitch, x, width = frame
    room = width - x - 12
    templates = _texts(block, "brackets", DEFAULT)
    free = block.options.get("free", "free")
    found = reversed(brackets.runs(shelves(rack), units(rack)))
    sayings = []
    for run in found:
        upper = ABOVE + 1.8 + (units(rack) - run.top) * pitch
        lower = ABOVE + 0.3 + (units(rack) - run.bottom + 1) * pitch
        words = brackets.said(run, templates, scope) if run.shelves else ((fields.say(scope, free),) if free else ())
        sayings.append(brackets.saying(run, (upper, lower - 1), words, room))
    kept = tuple(one for one in sayings if one.lines)
    return brackets.item(kept, x - 5, ABOVE + units(rack) * pitch + BELOW)
