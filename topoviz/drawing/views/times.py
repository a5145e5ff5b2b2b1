"""How long a collective takes: bytes divided by bandwidth, the result, and what it ignores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from topoviz.drawing import fields, time_rows
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, free_text
from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Drawing, Text
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Estimate

KEYS: Mapping[str, str] = MappingProxyType({})

LOWER_BOUND = "A lower bound: no protocol overhead, no latency, no other traffic on the links."
UNLIMITED = "{links} has no stated rate and was taken as unlimited."
PITCH = 17.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the division and its result; nothing without a size.

        24.5 GB ÷ 450 GB/s per direction
        ≈ 54 ms
        A lower bound: no protocol overhead, no latency, no other traffic on the links.

    With a measured share of the rate a second time stands under the first. With
    ``each: panel`` every panel is a row of a table, with a bar in one scale.
    """
    if block.each == "panel":
        return time_rows.draw(scope, width)
    estimate = scope.findings.estimate
    if estimate is None or estimate.seconds is None:
        return NOTHING
    rate = fields.say(scope, "{hop.rate}")
    shapes = _lines(fields.say(scope, "{sent} ÷ {rate}", numbers={"rate": rate}), 14, width)
    if estimate.rates == "nccl":
        shapes += _lines(fields.say(scope, "at the rate that NCCL counts"), shapes[-1].y + PITCH, width, small=True)
    shapes += _result(fields.say(scope, "≈ {time}"), shapes[-1].y + 38, width)
    for text in ignored(estimate):
        said = fields.say(scope, text, numbers={"links": ", ".join(estimate.unlimited)})
        shapes += _lines(said, shapes[-1].y + 26, width, small=True)
    if estimate.measured is not None:
        shapes += _lines(fields.say(scope, "measured {measured}: {time.measured}"), shapes[-1].y + 28, width, bold=True)
    return Drawing(width=width, height=shapes[-1].y + 6, items=free_text(shapes))


def ignored(estimate: Estimate) -> tuple[str, ...]:
    """Return what the time leaves out, as texts with fields.

    >>> ignored(Estimate(collective="all-reduce", algorithm="ring", ranks=(), unlimited=("UPI",)))[1:]
    ('{links} has no stated rate and was taken as unlimited.',)
    """
    return (LOWER_BOUND, UNLIMITED) if estimate.unlimited else (LOWER_BOUND,)


def _lines(content: str, y: float, width: float, *, small: bool = False, bold: bool = False) -> list[Text]:
    size, fill = (12, "ink2") if small else (13, "ink")
    lines = type_setting.wrap(content, width, size, 4, bold=bold)
    return [Text(x=0, y=y + PITCH * i, content=line, size=size, fill=fill, bold=bold) for i, line in enumerate(lines)]


def _result(content: str, y: float, width: float) -> list[Text]:
    fitted, size = type_setting.fit(content, width, 22, bold=True)
    return [Text(x=0, y=y, content=fitted, size=size, bold=True)]
