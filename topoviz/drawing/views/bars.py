"""One bar row per field, one bar per panel: a comparison in numbers alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.drawing import compared, state_bar
from topoviz.drawing import text as type_setting
from topoviz.drawing.cells import Cell, cell, hue
from topoviz.drawing.compose import NOTHING, below, free_text
from topoviz.drawing.fields.of_model import PARTS
from topoviz.drawing.headline import name_of
from topoviz.drawing.layout import Block
from topoviz.drawing.panels import scopes
from topoviz.drawing.rows_of_fields import Field, fields_of, head_in_one_line
from topoviz.drawing.scene import Box, Drawing, Item, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Filling

KEYS: Mapping[str, str] = MappingProxyType({"fields": "a list of fields, or of {field, head, when}"})

DEFAULT = (Field(name="gpu.rate"),)
MOST_OF_GUTTER = 200.0  # for the names of the panels
BAR = 14.0
SYSTEMS, QUANTITIES = 2, 3  # from which on a table with factors is clearer
PITCH = 24.0
BETWEEN = 20.0  # from one field to the next
AFTER = 8.0  # from the end of a bar to its number


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the bars of all fields; each field has a scale of its own, from zero.

        Per NIC, per direction
        HDR  ▬▬▬▬ 25 GB/s
        NDR  ▬▬▬▬▬▬▬▬ 50 GB/s

    Parts of a model (``weights``, ``optimizer`` …) are one bar in parts.
    Two systems in three quantities or more become a table: one row for each quantity, and the factor.
    The names of the panels stand at the left, as wide as the longest, at most 200 u.
    """
    fields = fields_of(block, scope) or DEFAULT
    panels = scopes(scope)
    names = [name_of(panel) for panel in panels]
    if not panels:
        return NOTHING
    kept = _kept(fields, scope)
    if kept:
        return state_bar.draw(kept, width, scope.lang)
    if len(panels) == SYSTEMS and len(fields) >= QUANTITIES:
        return compared.draw(fields, panels, width)
    gutter = min(MOST_OF_GUTTER, max(type_setting.width(name, 13) for name in names) + 1)
    pieces = [_field(field, panels, names, gutter, width) for field in fields]
    return below(pieces, [BETWEEN] * (len(pieces) - 1))


def _kept(fields: Sequence[Field], scope: Scope) -> list[Filling]:
    """Return the parts of a model that the fields name, if all of them do: they are parts of one bar."""
    names = [field.name for field in fields]
    memory = next((one.findings.memory for one in (scope, *scope.panels) if one.findings.memory), None)
    if memory is None or not set(names) <= set(PARTS):
        return []
    most = max(memory.uses, key=lambda use: use.needed)
    return [part for part in most.fillings if part.group in names]


def _field(field: Field, panels: Sequence[Scope], names: Sequence[str], gutter: float, width: float) -> Drawing:
    cells = [cell(panel, field) for panel in panels]
    left = gutter + 12
    numbers = max(type_setting.width(one.text, 13, bold=True) for one in cells)
    room = width - left - AFTER - numbers
    most = max(one.amount or 0 for one in cells)
    bars: list[Shape] = []
    texts: list[Text] = [_head(field, panels[0].lang, width)]
    for row, (name, one) in enumerate(zip(names, cells, strict=True)):
        y = 24 + PITCH * row
        length = room * (one.amount or 0) / most if most else 0
        if length:
            bars.append(Box(x=left, y=y + 5, width=max(2.0, length), height=BAR, radius=1, fill=hue(one, "line")))
        texts.extend(_words(name, one, y + 16.7, gutter, left + length + (AFTER if length else 0)))
    drawn = (Item(role="decor", layer="device", shapes=tuple(bars)),) if bars else ()
    return Drawing(width=width, height=24 + PITCH * len(cells), items=(*drawn, *free_text(texts)))


def _head(field: Field, lang: str, width: float) -> Text:
    content, size = type_setting.fit(head_in_one_line(field, lang), width, 13, bold=True)
    return Text(x=0, y=14, content=content, size=size, bold=True)


def _words(name: str, one: Cell, y: float, gutter: float, right_of_bar: float) -> tuple[Text, Text]:
    content, size = type_setting.fit(name, gutter, 13)
    return (
        Text(x=0, y=y, content=content, size=size, fill="ink2"),
        Text(x=right_of_bar, y=y, content=one.text, bold=True),
    )
