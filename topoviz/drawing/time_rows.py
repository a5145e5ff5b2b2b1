"""One row for each panel: how the GPUs are joined, the link, its rate, the time, and a bar in one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, below, free_text, hairline, shifted
from topoviz.drawing.messages import message
from topoviz.drawing.mini import HEIGHT, mini
from topoviz.drawing.panels import scopes
from topoviz.drawing.scene import Box, Drawing, Item, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.slowest import fill_of, ink_of, kind_of
from topoviz.drawing.words import link_name
from topoviz.model.findings import Estimate

LINK, RATE, TIME, BAR = 150.0, 318.0, 478.0, 596.0  # left edges of the columns
ROW = 94.0
HEADS = ("How GPUs are joined", "Link", "Per GPU, per direction", "{sent} ÷ rate", "Time")
MEASURED = "Time: line rate (solid), in practice (open)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A panel with its estimate, and the time that practice takes if the picture says so."""

    scope: Scope
    estimate: Estimate
    seconds: float
    practice: float | None


def draw(scope: Scope, width: float) -> Drawing:
    """Return the table of times; nothing without a size, or where no rate is stated."""
    rows = [row for panel in scopes(scope) if (row := _row_of(panel)) is not None]
    if not rows:
        return NOTHING
    longest = max(max(row.seconds, row.practice or 0) for row in rows)
    is_mixed = len({row.estimate.rates for row in rows}) > 1
    drawn = [_drawn(row, longest, width, is_mixed=is_mixed) for row in rows]
    end = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([_heads(scope, rows, width), *drawn, end], [0.0] * (len(drawn) + 1))


def _row_of(panel: Scope) -> Row | None:
    estimate = panel.findings.estimate
    if estimate is None or estimate.seconds is None or not panel.findings.routes:
        return None
    practice = estimate.seconds / estimate.measured if estimate.measured else None
    return Row(scope=panel, estimate=estimate, seconds=estimate.seconds, practice=practice)


def _heads(scope: Scope, rows: Sequence[Row], width: float) -> Drawing:
    same = len({row.estimate.sent for row in rows}) == 1
    last = MEASURED if any(row.practice for row in rows) else "Time at line rate"
    if any(row.estimate.rates == "nccl" for row in rows):
        is_mixed = any(row.estimate.rates != "nccl" for row in rows)
        last = "Time" if is_mixed else "Time at the rates that NCCL counts"
    texts = []
    ends = (LINK, RATE, TIME, BAR, width)
    for head, x, end in zip((*HEADS[:4], last), (0.0, LINK, RATE, TIME, BAR), ends, strict=True):
        text = "Sent ÷ rate" if head.startswith("{sent}") and not same else head
        said = fields.say(rows[0].scope if same else scope, text)
        content, size = type_setting.fit(said, end - x - 8, 12)
        texts.append(Text(x=x, y=12, content=content, size=size, fill="ink2"))
    return Drawing(width=width, height=24, items=free_text(texts))


def _drawn(row: Row, longest: float, width: float, *, is_mixed: bool) -> Drawing:
    """Return one row: rate before result, for the reader divides; if not all are at one rate, at which this is."""
    middle = ROW / 2
    estimate, scope = row.estimate, row.scope
    kind = kind_of(scope)
    named = message(link_name(kind, [estimate.link] if estimate.link else []), scope.lang)
    name, small = type_setting.fit(named, RATE - LINK - 12, 13, bold=True)
    where = type_setting.wrap(scope.title, RATE - LINK - 12, 12, 2) if scope.number else ()
    rate = fields.quantity(scope, "hop.rate")
    texts = [
        Text(x=LINK, y=middle - 3, content=name, size=small, bold=True, fill=ink_of(scope, kind)),
        *(Text(x=LINK, y=middle + 15 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(where)),
        _large(RATE, middle, rate.number(scope.lang) if rate is not None else "", TIME - RATE - 10),
        _large(TIME, middle, fields.say(scope, "{time}"), BAR - TIME - 10),
    ]
    room = (width - BAR) / longest
    open_bar = bool(row.practice and row.practice > row.seconds)
    top = middle - 16 if open_bar else middle - 10
    bars = [Box(x=BAR, y=top, width=max(1.0, row.seconds * room), height=20, fill=fill_of(scope, kind))]
    if row.practice and open_bar:
        start = BAR + row.seconds * room
        bars.append(
            Box(x=start, y=top + 0.5, width=row.practice * room - row.seconds * room, height=19,
                stroke="frame", stroke_width=1, dash=(3, 2))
        )  # fmt: skip
        said = fields.say(scope, "measured {measured}: {time.measured}")
        content, size = type_setting.fit(said, width - BAR, 12)
        texts.append(Text(x=BAR, y=middle + 22, content=content, size=size, fill="ink2"))
    elif is_mixed:
        said = fields.say(scope, "at line rate" if estimate.rates == "line" else "at the rate that NCCL counts")
        content, size = type_setting.fit(said, width - BAR, 12)
        texts.append(Text(x=BAR, y=middle + 26, content=content, size=size, fill="ink2"))
    picture = shifted(mini(scope, scope.findings.routes[0], kind), 0, (ROW - HEIGHT) / 2)
    items = (
        hairline(width, 0),
        *picture,
        Item(role="decor", layer="device", shapes=tuple(bars)),
        *free_text(texts),
    )
    return Drawing(width=width, height=ROW, items=items)


def _large(x: float, middle: float, content: str, room: float) -> Text:
    fitted, size = type_setting.fit(content, room, 22, bold=True)
    return Text(x=x, y=middle + 7, content=fitted, size=size, bold=True)
