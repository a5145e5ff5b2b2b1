"""One row of a table for each kind of group of a job: who talks, over which link, how much, how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoviz.drawing import amounts, group_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.compose import NOTHING, below, free_text, hairline
from topoviz.drawing.fields.of_job import of_row
from topoviz.drawing.messages import fill, message, say_text
from topoviz.drawing.rows_of_fields import Field
from topoviz.drawing.scene import Box, Drawing, Item, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Traffic

ROW = 46.0
HEADS = 30.0
BETWEEN = 20.0
BAR = 13.0
BAR_ROOM = 70.0  # a bar is at least so long where its number is greatest
DEFAULT = {
    "kind": "Parallelism",
    "count": "Groups here",
    "size": "Ranks in a group",
    "example": "Who talks",
    "link": "Link",
    "rate": "Per GPU, per direction",
    "bytes": "Sent per GPU and step",
    "time": "Time at line rate",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """What stands in one place: a line in ink, a second one below, and how long a bar is."""

    text: str
    second: str = ""
    bold: bool = False
    fill: str = "ink"
    amount: float | None = None


def draw(fields: Sequence[Field], scope: Scope, width: float) -> Drawing:
    """Return the table, nothing without a job; bars of one column have one scale."""
    plan = scope.findings.job
    if plan is None or not plan.traffic:
        return NOTHING
    tails = [field.name.removeprefix("group.") for field in fields]
    rows = [[_cell(scope, row, tail) for tail in tails] for row in plan.traffic]
    heads = [_head(field, tail, scope) for field, tail in zip(fields, tails, strict=True)]
    spans = _spans(fields, heads, rows, width)
    drawn = [_row(fields, cells, plan.traffic[i], spans, width, _most(rows)) for i, cells in enumerate(rows)]
    last = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([_heads(heads, spans, width), *drawn, last], [0.0] * (len(drawn) + 1))


def _head(field: Field, tail: str, scope: Scope) -> str:
    if field.head:
        return say_text(field.head, scope.lang)
    head = "Time at the rates that NCCL counts" if tail == "time" and scope.request.rates == "nccl" else DEFAULT[tail]
    return message(head, scope.lang)


def _most(rows: Sequence[Sequence[_Cell]]) -> list[float]:
    return [max((cells[i].amount or 0 for cells in rows), default=0) for i in range(len(rows[0]))]


def _cell(scope: Scope, row: Traffic, tail: str) -> _Cell:
    lang = scope.lang
    text = of_row(scope, row, tail) or message("unknown", lang)
    if tail == "kind":
        return _Cell(text=text, second=message(row.what, lang), bold=True, fill=group_words.hue(row.kind))
    if tail == "count":
        count, size = amounts.count(row.count), amounts.count(row.size)
        return _Cell(
            text=fill("{count} groups", {"count": count}, lang), second=fill("of {size} ranks", {"size": size}, lang)
        )
    if tail == "link":
        return _Cell(text=text, second=_where(row, lang))
    if tail == "rate":
        rate = Bandwidth(low=row.rate, high=row.rate)
        return _Cell(text=rate.number(lang), bold=True, amount=row.rate)
    if tail == "bytes":
        return _Cell(text=text, second=_made_of(row, lang), bold=row.bytes is not None, amount=row.bytes)
    if tail == "time":
        return _Cell(text=text, bold=row.seconds is not None, amount=row.seconds)
    return _Cell(text=text)


def _where(row: Traffic, lang: str) -> str:
    """Return whether groups stay in their domain, in words."""
    if row.inside:
        return message("never leaves NVLink" if row.link_kind == "nvlink" else "stays inside", lang)
    if row.link_kind in {"infiniband", "ethernet"}:
        return message("over the network", lang)
    return message("through the host", lang)


def _made_of(row: Traffic, lang: str) -> str:
    """Return the product that makes the bytes, or which keys would tell them."""
    if row.bytes is None:
        keys = row.unknown[:1] if row.unknown[0] == "model" else row.unknown
        return fill("needs {keys}", {"keys": ", ".join(keys[:2]) + (", …" if len(keys) > 2 else "")}, lang)
    if row.once is None or not row.times or row.times == 1:
        return message("once per step", lang)
    return f"{amounts.size(row.once)} × {amounts.count(row.times)}"


def _spans(
    fields: Sequence[Field], heads: Sequence[str], rows: Sequence[Sequence[_Cell]], width: float
) -> list[tuple[float, float]]:
    """Return the columns: each as wide as its texts, what is left goes to those with bars."""
    needs = []
    for i, field in enumerate(fields):
        texts = [0.62 * type_setting.width(heads[i], 12)]  # a head may take two lines
        for cells in rows:
            texts.append(type_setting.width(cells[i].text, 13, bold=cells[i].bold) + (8 if field.bars else 0))
            texts.append(type_setting.width(cells[i].second, 12))
        needs.append(max(texts) + 2 + (BAR_ROOM if field.bars else 0))
    room = width - BETWEEN * (len(fields) - 1)
    spare = room - sum(needs)
    if spare < 0:
        needs = [need * room / sum(needs) for need in needs]
    else:
        wide = [i for i, field in enumerate(fields) if field.bars] or list(range(len(fields)))
        share = min(spare / len(wide), 150.0) if any(field.bars for field in fields) else spare / len(wide)
        needs = [need + share * (i in wide) for i, need in enumerate(needs)]
        rest = (room - sum(needs)) / max(1, len(fields) - 1)
        return [(sum(needs[:i]) + (BETWEEN + rest) * i, need) for i, need in enumerate(needs)]
    return [(sum(needs[:i]) + BETWEEN * i, need) for i, need in enumerate(needs)]


def _heads(heads: Sequence[str], spans: Sequence[tuple[float, float]], width: float) -> Drawing:
    wrapped = [type_setting.wrap(head, room + 1, 12, 2) for head, (_, room) in zip(heads, spans, strict=True)]
    most = max(len(lines) for lines in wrapped)
    texts = [
        Text(x=x, y=20 + 15 * (most - len(lines) + i), content=line, size=12, fill="ink2")
        for lines, (x, _) in zip(wrapped, spans, strict=True)
        for i, line in enumerate(lines)
    ]
    return Drawing(width=width, height=HEADS + 15 * (most - 1), items=(hairline(width, 0), *free_text(texts)))


def _row(
    fields: Sequence[Field],
    cells: Sequence[_Cell],
    row: Traffic,
    spans: Sequence[tuple[float, float]],
    width: float,
    most: Sequence[float],
) -> Drawing:
    shapes: list[Text] = []
    bars: list[Shape] = []
    for i, (cell, (x, room)) in enumerate(zip(cells, spans, strict=True)):
        left = x
        if fields[i].bars and cell.amount and most[i]:
            texts = type_setting.width(cell.text, 13, bold=True) + 8
            length = max(2.0, (room - max(texts, 66.0)) * cell.amount / most[i])
            bars.append(Box(x=x, y=(ROW - BAR) / 2, width=length, height=BAR, radius=1, fill=group_words.hue(row.kind)))
            left = x + length + 8
        shapes.extend(_texts(cell, left, room - (left - x), two=not fields[i].bars or not cell.amount))
    drawn = (Item(role="decor", layer="device", shapes=tuple(bars)),) if bars else ()
    return Drawing(width=width, height=ROW, items=(hairline(width, 0), *drawn, *free_text(shapes)))


def _texts(cell: _Cell, x: float, room: float, *, two: bool) -> list[Text]:
    content, size = type_setting.fit(cell.text, room, 13, bold=cell.bold)
    if not two or not cell.second:
        return [Text(x=x, y=ROW / 2 + 4.7, content=content, size=size, bold=cell.bold, fill=cell.fill)]
    second, small = type_setting.fit(cell.second, room, 12)
    return [
        Text(x=x, y=ROW / 2 - 3, content=content, size=size, bold=cell.bold, fill=cell.fill),
        Text(x=x, y=ROW / 2 + 14, content=second, size=small, fill="ink2"),
    ]
