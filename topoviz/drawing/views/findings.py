"""The list of differences, numbered as in the picture: where, what was expected, what was found, what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, below, free_text, hairline
from topoviz.drawing.difference_words import Row, row
from topoviz.drawing.layout import Block
from topoviz.drawing.marked import NUMBERED
from topoviz.drawing.messages import say_text
from topoviz.drawing.scene import Drawing, Item, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.signs import BADGE, badge
from topoviz.errors import TopovizError
from topoviz.model import spec
from topoviz.model.findings import Difference

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "fields": "number, where, expected, found, cost, each with a head",
        "first": "so many with a number",
    }
)

HEADS = {"number": "#", "where": "Where", "expected": "Expected", "found": "Found", "cost": "What it costs"}
WIDTHS = {"where": 3.0, "expected": 2.0, "found": 2.0, "cost": 4.0}  # shares of what the numbers leave
Column: TypeAlias = "tuple[str, spec.Text, float, float]"  # name, head, left edge, room
NUMBER = 32.0
ROW = 30.0
MOST = 24  # rows that are printed; the rest is counted


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the list; nothing if nothing was compared, one sentence if nothing differs."""
    found = scope.findings.differences
    if found is None:
        return NOTHING
    if not found.items:
        said = fields.say(scope, "No differences: everything that could be compared is as expected.")
        lines = type_setting.wrap(said, width, 13, 3)
        texts = [Text(x=0, y=16 + 17 * i, content=line, bold=True) for i, line in enumerate(lines)]
        return Drawing(width=width, height=20 + 17 * (len(lines) - 1), items=free_text(texts))
    columns = _columns(block, width)
    first = int(block.options.get("first") or NUMBERED)
    rows = [_row(scope, one, columns, width, numbered=one.number <= first) for one in found.items[:MOST]]
    more = len(found.items) - MOST
    if more > 0:
        said = fields.say(scope, "and {count} more", numbers={"count": str(more)})
        rows.append(Drawing(width=width, height=24, items=free_text([Text(x=NUMBER, y=16, content=said, fill="ink2")])))
    end = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([_heads(scope, columns), *rows, end], [0.0] * (len(rows) + 1))


def _columns(block: Block, width: float) -> tuple[Column, ...]:
    """Return name, head, left edge and room of each column."""
    written = block.options.get("fields") or tuple(HEADS)
    asked = [_column(one) for one in written]
    total = sum(WIDTHS.get(name, 0.0) for name, _ in asked)
    numbers = NUMBER if any(name == "number" for name, _ in asked) else 0.0
    out, x = [], 0.0
    for name, head in asked:
        room = NUMBER if name == "number" else (width - numbers) * WIDTHS[name] / total
        out.append((name, head, x, room - 10))
        x += room
    return tuple(out)


def _column(asked: object) -> tuple[str, spec.Text]:
    """Return the name and head of a column. Raises TopovizError for one that the list does not have."""
    name, head = (asked.get("field"), asked.get("head")) if isinstance(asked, Mapping) else (asked, None)
    if name not in HEADS:
        raise TopovizError(f'a list of differences has no column "{name}"; it has {", ".join(HEADS)}')
    return str(name), head or HEADS[str(name)]


def _heads(scope: Scope, columns: Sequence[Column]) -> Drawing:
    texts = []
    for _, head, x, room in columns:
        content, size = type_setting.fit(say_text(head, scope.lang), room, 12)
        texts.append(Text(x=x, y=12, content=content, size=size, fill="ink2"))
    return Drawing(width=0, height=20, items=free_text(texts))


def _row(scope: Scope, one: Difference, columns: Sequence[Column], width: float, *, numbered: bool) -> Drawing:
    said: Row = row(one, scope.topology, scope.topology, scope.lang)
    items: list[Item] = [hairline(width, 0)]
    texts: list[Text] = []
    for name, _, x, room in columns:
        if name == "number":
            if numbered:
                items.append(badge(x + BADGE / 2, ROW / 2, str(one.number)))
            continue
        bold = name in {"where", "found"}
        content, size = type_setting.fit(str(getattr(said, name)), room, 13, bold=bold)
        ink = "alert" if name == "found" else "ink"
        texts.append(Text(x=x, y=ROW / 2 + 4.7, content=content, size=size, bold=bold, fill=ink))
    return Drawing(width=width, height=ROW, items=(*items, *free_text(texts)))
