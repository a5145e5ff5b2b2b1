"""Fields by panel: the columns of the panels above, or a plain table with a row for each group of things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from topoviz.drawing import group_rows, growth
from topoviz.drawing import text as type_setting
from topoviz.drawing.cells import Cell, cell, hue
from topoviz.drawing.columns import GUTTER, HEADS, PANELS_IN_A_ROW, Span, equal
from topoviz.drawing.compose import NOTHING, below, free_text, hairline
from topoviz.drawing.growth import PAIR
from topoviz.drawing.headline import name_of
from topoviz.drawing.layout import Block
from topoviz.drawing.panels import scopes
from topoviz.drawing.rows_of_fields import Field, each_of, fields_of, head_in_one_line, head_of, written_in
from topoviz.drawing.scene import Box, Drawing, Item, Run, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.view_by_name import view
from topoviz.errors import TopovizError
from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "each": "what a column or row is: panel (the default), tier, group, finding or growth",
        "fields": "a list of fields, or of {field, head, bars, when}",
    }
)

BAR = 11.0  # height of a bar
LINE = 22.0  # height of a row of a plain table


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of a plain table: what its cells hold."""

    cells: tuple[Cell, ...]
    own: bool = False  # what the picture shows, among others


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the table; nothing without fields."""
    if block.options.get("each", block.each) == "growth":
        return _growth(block, scope, width)
    fields = fields_of(block, scope)
    if not fields:
        return NOTHING
    each = each_of(block, scope)
    panels = scopes(scope)
    if each == "panel" and len(panels) <= PANELS_IN_A_ROW:
        return _under_panels(fields, panels, width)
    if each == "panel":
        heads = (Field(name="title", head="System"), *fields)
        rows = [Line(cells=(Cell(text=name_of(p)), *(cell(p, f) for f in fields))) for p in panels]
        return _plain(heads, rows, scope.lang, width)
    if each == "group":
        return group_rows.draw(fields, scope, width)
    if each == "tier":
        groups = groups_of(scope.roots[0])
        rows = [Line(cells=tuple(cell(scope, f, things) for f in fields)) for things in groups]
        return _plain(fields, rows, scope.lang, width)
    if each == "finding":
        return view("findings")(block, scope, width, None)
    raise TopovizError(
        f'a table has no rows for each "{each}"; it has for each "panel", "tier", "group", "finding" and "growth"'
    )


def _growth(block: Block, scope: Scope, width: float) -> Drawing:
    """Return a row for each size of a network of units, this one in bold; nothing where it does not grow evenly."""
    fields = written_in(block, scope)
    words = [field.name.removesuffix(".count") for field in fields if field.name != PAIR]
    sizes = growth.sizes(scope, words)
    if not sizes:
        return NOTHING
    shown = [field for field in fields if field.name == PAIR or growth.count(scope, field.name.removesuffix(".count"))]
    rows = [
        Line(cells=tuple(Cell(text=f"{_grown(scope, field, size):,}") for field in shown), own=size.factor == 1)
        for size in sizes
    ]
    return _plain(shown, rows, scope.lang, width)


def _grown(scope: Scope, field: Field, size: growth.Size) -> int:
    if field.name == PAIR:
        return size.cables
    return int(growth.count(scope, field.name.removesuffix(".count")) * size.factor)


def groups_of(root: Thing) -> tuple[tuple[Thing, ...], ...]:
    """Return the things inside, those of one group and one part together, in the order of the document."""
    found: dict[tuple[str, str], list[Thing]] = {}
    for thing in root.children:
        found.setdefault((thing.group, thing.part), []).append(thing)
    return tuple(tuple(things) for things in found.values())


def _under_panels(fields: Sequence[Field], panels: Sequence[Scope], width: float) -> Drawing:
    """Return rows with hairlines between; a head at the left, one column under each panel.

        ──────────────────────────────────────────────
        Per GPU,        32 GB/s          450 GB/s
        per direction   ▪                ▬▬▬▬
        ──────────────────────────────────────────────

    All bars of one row have one scale: the greatest number fills its column.
    """
    spans = equal(width, len(panels), heads=HEADS)
    rows = [_row(field, panels, spans, width) for field in fields]
    last = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([*rows, last], [0] * len(rows))


def _row(field: Field, panels: Sequence[Scope], spans: Sequence[Span], width: float) -> Drawing:
    lang = panels[0].lang
    cells = [cell(panel, field) for panel in panels]
    two_lines = not field.bars and any(one.remark for one in cells)
    name, direction = head_of(field, lang)
    tall = two_lines or direction or len(type_setting.wrap(name, HEADS - 6, 13, 2, bold=True)) > 1
    height = 56.0 if field.bars else 47.0 if tall else 32.0
    shapes = [*_row_head(field, lang, height, above=two_lines)]
    bars: list[Shape] = []
    most = max((one.amount or 0 for one in cells), default=0)
    for one, (x, room) in zip(cells, spans, strict=True):
        shapes.extend(_cell(one, field, (x, room), height, above=two_lines))
        if field.bars and one.amount and most:
            bars.append(_bar(one, x, room * one.amount / most))
    drawn = (Item(role="decor", layer="device", shapes=tuple(bars)),) if bars else ()
    return Drawing(width=width, height=height, items=(hairline(width, 0), *drawn, *free_text(shapes)))


def _row_head(field: Field, lang: str, height: float, *, above: bool) -> tuple[Text, ...]:
    name, direction = head_of(field, lang)
    first = 21.0 if above else (height / 2 - 3 if direction else height / 2 + 4.7)
    lines = type_setting.wrap(name, HEADS - 6, 13, 2, bold=True)
    if direction or len(lines) == 1:
        fitted, size = type_setting.fit(name, HEADS - 6, 13, bold=True)
        heads = (Text(x=0, y=first, content=fitted, size=size, bold=True),)
        return (*heads, Text(x=0, y=first + 16, content=direction, size=12, fill="ink2")) if direction else heads
    return tuple(Text(x=0, y=height / 2 - 3 + 16 * i, content=line, bold=True) for i, line in enumerate(lines))


def _cell(one: Cell, field: Field, span: Span, height: float, *, above: bool) -> tuple[Text, ...]:
    x, room = span
    if field.bars:
        return (_with_remark(one, x, room),)
    linked = field.name.endswith("link")
    fill = hue(one, "text") if linked else "ink"
    content, size = type_setting.fit(one.text, room, 13, bold=linked)
    name = Text(x=x, y=21 if above else height / 2 + 4.7, content=content, size=size, bold=linked, fill=fill)
    if not one.remark:
        return (name,)
    remark, small = type_setting.fit(one.remark, room, 12)
    return name, Text(x=x, y=38, content=remark, size=small, fill="ink2")


def _with_remark(one: Cell, x: float, room: float) -> Text:
    content, size = type_setting.fit(one.text, room, 15, bold=True)
    used = type_setting.width(content, size, bold=True)
    if not one.remark or used + 6 + type_setting.width(one.remark, 12) > room:
        return Text(x=x, y=27, content=content, size=size, bold=True)
    runs = (Run(content=content, size=size, bold=True), Run(content=one.remark, size=12, fill="ink2", dx=6))
    return Text(x=x, y=27, content=content, size=size, bold=True, runs=runs)


def _bar(one: Cell, x: float, length: float) -> Box:
    return Box(x=x, y=35, width=max(2.0, length), height=BAR, radius=1, fill=hue(one, "line"))


def _plain(fields: Sequence[Field], rows: Sequence[Line], lang: str, width: float) -> Drawing:
    """Return a table with its heads on top, columns as wide as their texts."""
    heads = [head_in_one_line(field, lang) for field in fields]
    spans = _spans(heads, rows, width)
    top = _line([Cell(text=head) for head in heads], spans, bold=True)
    drawn = [_line(row.cells, spans, bold=row.own, width=width, ground=row.own) for row in rows]
    last = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([top, *drawn, last], [0] * (len(drawn) + 1))


def _spans(heads: Sequence[str], rows: Sequence[Line], width: float) -> list[Span]:
    needs = [
        max(type_setting.width(head, 13, bold=True), *(_need(row, i) for row in rows), 20.0)
        for i, head in enumerate(heads)
    ]
    total = sum(needs) + GUTTER * (len(needs) - 1)
    factor = min(1.0, (width - GUTTER * (len(needs) - 1)) / (total - GUTTER * (len(needs) - 1)))
    widths = [need * factor for need in needs]
    return [(sum(widths[:i]) + GUTTER * i, each) for i, each in enumerate(widths)]


def _need(row: Line, column: int) -> float:
    return type_setting.width(row.cells[column].text, 13, bold=row.own)


def _line(
    cells: Sequence[Cell], spans: Sequence[Span], *, bold: bool, width: float = 0, ground: bool = False
) -> Drawing:
    wrapped = [
        type_setting.wrap(one.text, room + 0.1, 13, 2, bold=bold) for one, (_, room) in zip(cells, spans, strict=True)
    ]
    shapes = [
        Text(x=x, y=16 + 16 * i, content=line, bold=bold, fill="ink" if bold or not column else "ink2")
        for column, (lines, (x, _)) in enumerate(zip(wrapped, spans, strict=True))
        for i, line in enumerate(lines)
    ]
    height = LINE + 16 * (max((len(lines) for lines in wrapped), default=1) - 1)
    rule = (hairline(width, 0),) if width else ()
    if ground:
        box = Box(x=0, y=0.5, width=width, height=height - 1, fill="surf2")
        rule = (Item(role="decor", layer="enclosure", shapes=(box,)), *rule)
    return Drawing(width=width, height=height, items=(*rule, *free_text(shapes)))
