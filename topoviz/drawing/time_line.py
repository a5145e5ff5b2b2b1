"""One row for each panel: the computing of a step, piece by piece, and each piece on its way, in one scale of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topoviz.drawing import amounts, fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, below, free_text, hairline
from topoviz.drawing.messages import fill, message
from topoviz.drawing.panels import scopes
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.slowest import fill_of, ink_of, kind_of
from topoviz.drawing.words import link_name
from topoviz.model.overlap import in_pieces

LANE, LINE = 244.0, 254.0  # right edge of the names of lanes, start of time
NAME = 168.0  # width of the names of machines
RESULT = 132.0  # width of the last column
HIGH, TOP, APART = 18.0, 16.0, 24.0  # of a lane; of the first; from one to the next
GAP = 1.5  # between two pieces
ROW = 90.0
PIECES = 8
HEADS = ("Machine", "Time of one step, sent in {count} pieces", "A step takes")
LANES = ("computing", "exchange")
SAID = "{hidden} of {time} hidden, {exposed} not"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A panel with the seconds of its exchange and its computing, and when each piece is sent."""

    scope: Scope
    exchange: float
    compute: float
    turns: tuple[tuple[float, float], ...]

    @property
    def end(self) -> float:
        return self.turns[-1][1]


def draw(scope: Scope, width: float, pieces: int = PIECES) -> Drawing:
    """Return the rows; nothing without a size and a time of computing, or where no rate is stated."""
    rows = [row for panel in scopes(scope) if (row := _row_of(panel, pieces)) is not None]
    if not rows:
        return NOTHING
    longest = max(row.end for row in rows)
    drawn = [_drawn(row, longest, width) for row in rows]
    heads = _heads(scope, width, len(rows[0].turns))
    end = Drawing(width=width, height=1, items=(hairline(width, 0),))
    return below([heads, *drawn, end], [0.0] * (len(drawn) + 1))


def _row_of(panel: Scope, pieces: int) -> Row | None:
    estimate = panel.findings.estimate
    if estimate is None or estimate.seconds is None or estimate.compute is None or not panel.findings.routes:
        return None
    turns = in_pieces(estimate.seconds, estimate.compute, pieces)
    return Row(scope=panel, exchange=estimate.seconds, compute=estimate.compute, turns=turns)


def _heads(scope: Scope, width: float, pieces: int) -> Drawing:
    places = ((0.0, LANE), (LINE, width - RESULT), (width - RESULT + 14, width))
    texts = [
        _small(fill(head, {"count": str(pieces)}, scope.lang), x, 12, end - x - 8)
        for head, (x, end) in zip(HEADS, places, strict=True)
    ]
    return Drawing(width=width, height=24, items=free_text(texts))


def _drawn(row: Row, longest: float, width: float) -> Drawing:
    room = (width - RESULT - LINE) / longest
    items = (
        hairline(width, 0),
        Item(role="decor", layer="device", shapes=(*_bars(row, room), _ready(row, room))),
        *free_text([*_names(row), *_lanes(row), *_verdict(row, width)]),
    )
    return Drawing(width=width, height=ROW, items=items)


def _bars(row: Row, room: float) -> Iterator[Shape]:
    """Yield the pieces: computed above, sent below; open where nothing is computed any more."""
    colour = fill_of(row.scope, kind_of(row.scope))
    for number in range(len(row.turns)):
        start, end = (row.compute * (number + i) / len(row.turns) for i in (0, 1))
        yield _piece(start, end, room, TOP, "gpu")
    for start, end in row.turns:
        if end <= row.compute or start >= row.compute:
            yield _piece(start, end, room, TOP + APART, colour, is_open=start >= row.compute)
        else:  # the computing ends while it is on its way
            yield _piece(start, row.compute, room, TOP + APART, colour, last=False)
            yield _piece(row.compute, end, room, TOP + APART, colour, is_open=True)


def _piece(
    start: float, end: float, room: float, y: float, colour: str, *, is_open: bool = False, last: bool = True
) -> Box:
    wide = max(0.75, (end - start) * room - (GAP if last else 0))
    left = LINE + start * room
    if not is_open:
        return Box(x=left, y=y, width=wide, height=HIGH, fill=colour)
    return Box(x=left + 0.5, y=y + 0.5, width=max(0.75, wide - 1), height=HIGH - 1, stroke=colour, stroke_width=1.5)


def _ready(row: Row, room: float) -> Line:
    """Return the moment at which everything is computed."""
    x = LINE + row.compute * room
    return Line(points=((x, TOP - 6), (x, TOP + APART + HIGH + 6)), stroke="ink2", width=1, dash=(3, 3))


def _names(row: Row) -> list[Text]:
    scope, kind = row.scope, kind_of(row.scope)
    estimate = scope.findings.estimate
    lines = type_setting.wrap(scope.title, NAME, 13, 2, bold=True)
    texts = [Text(x=0, y=28 + 17 * i, content=line, bold=True) for i, line in enumerate(lines)]
    named = message(link_name(kind, [estimate.link] if estimate and estimate.link else []), scope.lang)
    texts.append(_small(named, 0, texts[-1].y + 18, NAME, ink_of(scope, kind)))
    texts.append(_small(fields.say(scope, "{hop.rate}"), 0, texts[-1].y + 16, NAME))
    return texts


def _lanes(row: Row) -> list[Text]:
    texts = []
    for number, name in enumerate(LANES):
        content, size = type_setting.fit(message(name, row.scope.lang), 78, 12)
        y = TOP + APART * number + 13
        texts.append(Text(x=LANE, y=y, content=content, size=size, fill="ink2", anchor="end"))
    return texts


def _verdict(row: Row, width: float) -> Sequence[Text]:
    """Return how much is hidden, under the lanes, and the time of a step at the right."""
    scope, exposed = row.scope, row.end - row.compute
    numbers = {"hidden": row.exchange - exposed, "time": row.exchange, "exposed": exposed}
    said = fill(SAID, {name: amounts.time(value) for name, value in numbers.items()}, scope.lang)
    left, wide = width - RESULT + 14, RESULT - 14
    total, size = type_setting.fit(amounts.time(row.end), wide, 22, bold=True)
    instead = fill("instead of {time}", {"time": amounts.time(row.exchange + row.compute)}, scope.lang)
    return (
        _small(said, LINE, TOP + APART + HIGH + 22, width - RESULT - LINE),
        Text(x=left, y=TOP + 22, content=total, size=size, bold=True),
        _small(instead, left, TOP + 42, wide),
    )


def _small(content: str, x: float, y: float, room: float, fill_: str = "ink2") -> Text:
    fitted, size = type_setting.fit(content, room, 12)
    return Text(x=x, y=y, content=fitted, size=size, fill=fill_)
