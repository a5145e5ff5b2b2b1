"""Two systems compared: one row for each quantity, a bar for each system in the scale of the row, the factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topoviz.drawing import preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.cells import Cell, cell, hue
from topoviz.drawing.compose import below, free_text, hairline
from topoviz.drawing.headline import name_of
from topoviz.drawing.messages import message
from topoviz.drawing.rows_of_fields import Field, head_of
from topoviz.drawing.scene import Box, Drawing, Item, Run, Text
from topoviz.drawing.scope import Scope

ROW, HEAD = 27.0, 28.0
BAR = 13.0
AFTER = 6.0
FACTOR = 64.0  # width of the column of factors
BETWEEN = 24.0
MOST_OF_NAMES = 0.36  # of the width


def draw(fields: Sequence[Field], panels: Sequence[Scope], width: float) -> Drawing:
    """Return the table; the factor is the second system divided by the first.

        ──────────────────────────────────────────────────────────────
                              GB200 NVL72     Vera Rubin NVL72   factor
        NVLinks               ▬▬▬ 18          ▬▬▬▬▬▬ 36             2 ×

    All bars of one row have one scale, from zero.
    """
    lang = panels[0].lang
    heads = [_words(field, lang) for field in fields]
    names = min(MOST_OF_NAMES * width, max(_wide(head) for head in heads) + 12)
    room = (width - names - FACTOR - BETWEEN) / 2
    lefts = (names, names + room + BETWEEN)
    top = _top(panels, lefts, room, width)
    rows = [_row(field, head, panels, (lefts, room, width)) for field, head in zip(fields, heads, strict=True)]
    end = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([top, *rows, end], [0.0] * (len(rows) + 1))


def _words(field: Field, lang: str) -> tuple[str, str]:
    """Return the name of a quantity and what is said of its direction."""
    name, direction = head_of(field, lang)
    return name.rstrip(","), direction


def _wide(head: tuple[str, str]) -> float:
    name, direction = head
    return type_setting.width(name, 13, bold=True) + (8 + type_setting.width(direction, 12) if direction else 0)


def _top(panels: Sequence[Scope], lefts: Sequence[float], room: float, width: float) -> Drawing:
    texts = []
    for panel, x in zip(panels, lefts, strict=True):
        content, size = type_setting.fit(preliminary.marked(name_of(panel), panel), room, 12)
        texts.append(Text(x=x, y=18, content=content, size=size, fill="ink2"))
    factor = message("factor", panels[0].lang)
    texts.append(Text(x=width, y=18, content=factor, size=12, anchor="end", fill="ink2"))
    return Drawing(width=width, height=HEAD, items=(hairline(width, 0), *free_text(texts)))


def _row(
    field: Field, head: tuple[str, str], panels: Sequence[Scope], place: tuple[Sequence[float], float, float]
) -> Drawing:
    lefts, room, width = place
    cells = [_cell(panel, field) for panel in panels]
    base = ROW / 2 + 4.7
    texts = [_named(head, base, lefts[0] - 8)]
    numbers = max(type_setting.width(one.text, 13, bold=True) for one in cells)
    most = max(one.amount or 0 for one in cells)
    bars: list[Box] = []
    for panel, one, x in zip(panels, cells, lefts, strict=True):
        length = max(2.0, (room - numbers - AFTER) * one.amount / most) if one.amount and most else 0.0
        if length:
            bars.append(_bar(one, x, length, announced=preliminary.is_preliminary(panel)))
        content, size = type_setting.fit(one.text, room - length - AFTER + 1, 13, bold=True)
        texts.append(Text(x=x + (length + AFTER if length else 0), y=base, content=content, size=size, bold=True))
    factor = _factor(cells)
    if factor:
        texts.append(Text(x=width, y=base, content=factor, bold=True, anchor="end"))
    drawn = (Item(role="decor", layer="device", shapes=tuple(bars)),) if bars else ()
    return Drawing(width=width, height=ROW, items=(hairline(width, 0), *drawn, *free_text(texts)))


def _cell(panel: Scope, field: Field) -> Cell:
    """Return the cell; what is told of memory has the hue of no fabric."""
    found = cell(panel, field)
    return replace(found, kind="") if "memory" in field.name.split(".") else found


def _named(head: tuple[str, str], base: float, room: float) -> Text:
    name, direction = head
    if not direction or _wide(head) > room:
        content, size = type_setting.fit(name, room, 13, bold=True)
        return Text(x=0, y=base, content=content, size=size, bold=True)
    runs = (Run(content=name, bold=True), Run(content=direction, size=12, fill="ink2", dx=8))
    return Text(x=0, y=base, content=name, runs=runs)


def _bar(one: Cell, x: float, length: float, *, announced: bool) -> Box:
    top = (ROW - BAR) / 2
    token = hue(one, "line")
    if not announced:
        return Box(x=x, y=top, width=length, height=BAR, radius=1, fill=token)
    inner = Box(x=x + 0.5, y=top + 0.5, width=length - 1, height=BAR - 1, fill="surf")
    return replace(inner, stroke=token, stroke_width=1, hatch=True)


def _factor(cells: Sequence[Cell]) -> str:
    one, two = (cell_.amount for cell_ in cells)
    return f"{two / one:.3g} ×" if one and two else ""
