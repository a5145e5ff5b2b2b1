"""One hull: the ranks of a group in lines, over the NVSwitch that joins them; or in one bare row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from topoviz.drawing import fields, glyphs, group_gauge, group_places, group_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.group_board import Board, Hull, Line
from topoviz.drawing.layout import Block
from topoviz.drawing.look import SPARE
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Box, Item, Shape, Text
from topoviz.drawing.scene import Line as Stroke
from topoviz.drawing.scope import Scope

PAD = 12.0
HEAD = 26.0
GPU, BARE_GPU = 32.0, 22.0
WIDEST = 56.0
APART, CLOSEST = 6.0, 2.0
LANE, STRIP, LINES = 22.0, 22.0, 8.0
MORE = 18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How the hulls of a view are drawn: in full with a head and switches, or as one bare row."""

    scope: Scope
    block: Block
    board: Board
    full: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A drawn hull: where it is, its items, and the middles of the GPUs of its first and last line."""

    hull: Hull
    box: Box
    items: tuple[Item, ...]
    top: tuple[float, ...]
    bottom: tuple[float, ...]


def height(style: Style, hull: Hull) -> float:
    """Return how high a hull is."""
    if not style.full:
        return BARE_GPU * len(hull.lines) + 5 * (len(hull.lines) - 1) + 14 + (MORE if hull.more else 0)
    blocks = _blocks(hull)
    inner = sum(_block_height(style, block) for block in blocks) + LINES * (len(blocks) - 1)
    return HEAD + 6 + inner + PAD + (MORE if hull.more else 0)


def draw(style: Style, hull: Hull, x: float, y: float, width: float, tall: float) -> Placed:
    """Return a hull with its upper left corner at a place."""
    token = group_words.hue(style.board.cell)
    box = Box(
        x=x,
        y=y,
        width=width,
        height=tall,
        radius=7,
        fill=group_words.tint(style.board.cell),
        stroke=token,
        stroke_width=2,
    )
    name = f"{style.board.cell}-{hull.numbers[0]}"
    tip = fill(
        "{place}", {"place": group_places.with_ranks(style.board, hull.ranks, style.scope.lang)}, style.scope.lang
    )
    outer = Item(role="decor", layer="enclosure", shapes=(box,), kind="group", data=(("id", name),), title=tip)
    items: list[Item] = [outer]
    top = y + 7
    if style.full:
        items.extend(_head(style, hull, box, token))
        top = y + HEAD + 6
    inner = (x + PAD, width - 2 * PAD) if style.full else (x + 8, width - 16)
    rows: list[tuple[float, ...]] = []
    for block in _blocks(hull) if style.full else [[line] for line in hull.lines]:
        made, middles, down = _block(style, block, inner, top)
        items.extend(made)
        rows.extend(middles)
        top += down + (LINES if style.full else 5)
    if hull.more:
        said = fill("and {count} more ranks", {"count": f"{hull.more:,}"}, style.scope.lang)
        text = Text(x=x + width / 2, y=top + 10, content=said, size=12, anchor="middle", fill="ink2")
        items.append(Item(role="label", layer="label", shapes=(text,)))
    return Placed(hull=hull, box=box, items=tuple(items), top=rows[0], bottom=rows[-1])


def _blocks(hull: Hull) -> list[list[Line]]:
    """Return the lines of a hull that share a scale-up domain together."""
    return [list(lines) for _, lines in groupby(hull.lines, key=lambda line: line.domain)]


def _has_switch(style: Style, block: Sequence[Line]) -> bool:
    if not any("nvswitch" in tier.show for tier in style.block.tiers) or len(block) > 2:
        return False
    gpu = style.board.thing(block[0].ranks[0])
    return any(thing.assembly.counts.get("nvswitch") for thing in gpu.chain)


def _block_height(style: Style, block: Sequence[Line]) -> float:
    lines = len(block)
    if _has_switch(style, block):
        return lines * (GPU + LANE) + STRIP
    return lines * GPU + (lines - 1) * LINES


def _head(style: Style, hull: Hull, box: Box, token: str) -> tuple[Item, ...]:
    lang = style.scope.lang
    short = group_words.SHORT[style.board.cell]
    numbers = hull.numbers
    template = "{kind} group {number}" if len(numbers) == 1 else "{kind} groups {number}"
    name = fill(template, {"kind": short, "number": group_words.ranks(numbers)}, lang)
    room = box.width - 2 * PAD - type_setting.width(name, 13, bold=True) - 12
    said = group_places.with_ranks(style.board, hull.ranks, lang)
    tank = group_gauge.tank_of(style.scope, style.board.thing(hull.ranks[0]).id)
    if tank is not None:
        said += ("，" if lang.startswith("zh") else ", ") + group_gauge.words(tank, lang)
    if type_setting.width(said, 12) > room:
        said = fill("ranks {ranks}", {"ranks": group_words.ranks(hull.ranks)}, lang)
    place, size = type_setting.fit(said, room, 12)
    texts = [Text(x=box.x + PAD, y=box.y + 20, content=name, bold=True, fill=token)]
    if place == said:
        texts.append(Text(x=box.x + box.width - PAD, y=box.y + 20, content=place, size=size, anchor="end", fill="ink2"))
    return (Item(role="label", layer="label", shapes=tuple(texts)),)


def _block(
    style: Style, block: Sequence[Line], inner: tuple[float, float], top: float
) -> tuple[list[Item], list[tuple[float, ...]], float]:
    """Return the lines of one domain: GPUs, and the switch under the first line or between two."""
    items: list[Item] = []
    rows: list[tuple[float, ...]] = []
    tall = GPU if style.full else BARE_GPU
    longest = max(len(line.ranks) for line in block)
    switched = style.full and _has_switch(style, block)
    y = top
    for position, line in enumerate(block):
        if switched and position == 1:
            y += LANE  # the lanes of the second line go up
        made, middles = _gpus(style, line, longest, inner, (y, tall))
        items.extend(made)
        rows.append(middles)
        y += tall
        if switched and position == 0:
            items.extend(_switch(style, block, inner, y + LANE))
            items.append(_lanes(style, middles, y, y + LANE))
            y += LANE + STRIP
        elif switched:
            items.append(_lanes(style, middles, y - tall - LANE, y - tall))
        elif position + 1 < len(block):
            y += LINES
    return items, rows, y - top


def _gpus(
    style: Style, line: Line, longest: int, inner: tuple[float, float], at: tuple[float, float]
) -> tuple[list[Item], tuple[float, ...]]:
    left, room = inner
    wide = gpu_width(style, longest, room)
    ranked = ranks_fit(style, wide)
    pitch = min(1.8 * wide, (room - wide) / (longest - 1)) if longest > 1 else 0.0
    start = left + (room - (pitch * (len(line.ranks) - 1) + wide)) / 2
    items, middles = [], []
    for position, rank in enumerate(line.ranks):
        thing = style.board.thing(rank)
        x = start + pitch * position
        label = _label(style, rank if ranked else position, position)
        if type_setting.width(label, 12, bold=True) > wide - 2 * SPARE:
            label = ""
        items.append(
            glyphs.gpu(
                thing.id,
                x,
                at[0],
                wide,
                at[1],
                label,
                tooltip=glyphs.tooltip(thing, style.scope.lang),
                state=thing.state,
            )
        )
        tank = group_gauge.tank_of(style.scope, thing.id) if style.full else None
        if tank is not None and wide > 12:
            items.append(group_gauge.gauge(tank, x + 4, at[0] + at[1] - 8, wide - 8))
        middles.append(x + wide / 2)
    return items, tuple(middles)


def gpu_width(style: Style, longest: int, room: float) -> float:
    """Return how wide each of so many GPUs beside each other is: closer together where the ranks have room only so."""
    gap = min(APART if style.full else APART / 2, 0.2 * room / longest)
    wide, close = ((room - one * (longest - 1)) / longest for one in (gap, min(gap, CLOSEST)))
    return min(WIDEST, close if ranks_fit(style, close) and not ranks_fit(style, wide) else wide)


def ranks_fit(style: Style, wide: float) -> bool:
    """Return whether every rank of the job could be written on a GPU of that width; else none is."""
    return type_setting.width(str(style.board.plan.grid.size - 1), 12, bold=True) <= wide - 2 * SPARE


def numbers(style: Style, room: float) -> str:
    """Return what the numbers on GPUs are where they are not the ranks; ``room`` is the width of a hull."""
    inner = room - 2 * (PAD if style.full else 8)
    longest = max(len(line.ranks) for line in style.board.hull(0, 0).lines)
    fit = ranks_fit(style, gpu_width(style, longest, inner))
    return "" if fit else message("numbers: place in the group", style.scope.lang)


def _label(style: Style, rank: int, position: int) -> str:
    template = style.block.options.get("label", "{rank}")
    numbers = {"rank": str(rank), "position": str(position), "index": str(rank)}
    return fields.say(style.scope, template, numbers=numbers)


def _switch(style: Style, block: Sequence[Line], inner: tuple[float, float], y: float) -> tuple[Item, ...]:
    """Return the bar that stands for all switch chips of the domain, in grey: it is there, not the subject."""
    left, room = inner
    gpu = style.board.thing(block[0].ranks[0])
    holder = next(thing for thing in reversed(gpu.chain) if thing.assembly.counts.get("nvswitch"))
    count = holder.assembly.counts["nvswitch"]
    said = fill("{count} NVSwitch chips", {"count": str(count)}, style.scope.lang)
    if type_setting.width(said, 12) > room - 24:
        said = "NVSwitch"
    box = Box(
        x=left, y=y, width=room, height=STRIP, shape="hexagon", point=9, fill="surf", stroke="frame", stroke_width=1
    )
    text = Text(x=left + room / 2, y=y + STRIP / 2 + 4.3, content=said, size=12, anchor="middle", fill="ink2")
    shapes: tuple[Shape, ...] = (box, text)
    return (Item(role="decor", layer="switch", shapes=shapes, kind="nvswitch", title=holder.id),)


def _lanes(style: Style, middles: Sequence[float], top: float, bottom: float) -> Item:
    token = group_words.hue(style.board.cell)
    strokes = tuple(Stroke(points=((x, top), (x, bottom)), stroke=token, width=4) for x in middles)
    return Item(role="decor", layer="link", shapes=strokes)
