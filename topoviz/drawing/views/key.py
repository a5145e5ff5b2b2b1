"""What is not labelled in place: the steps of the load, the signs of a difference."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, free_text
from topoviz.drawing.heat import STEPS, TIP
from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.signs import cross

KEYS: Mapping[str, str] = MappingProxyType({})

STEP = 82.0  # one step of the scale
HEIGHT = 15.0
OTHER_VALUE = 2  # its sign has a number in the middle


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the scale of the load and the sign of the bottleneck; nothing where neither is drawn.

    Link load  ▭▭▭▭▭                        ▶ ◀ bottleneck: the links that set the pace
               0 %  20 %  …  100 %
    """
    if scope.findings.differences is not None and scope.findings.differences.items:
        return _differences(scope, width)
    asked = set(scope.request.overlay) | {one for panel in scope.panels for one in panel.request.overlay}
    asked |= set(block.overlay)
    loads = scope.findings.loads or any(panel.findings.loads for panel in scope.panels)
    if not asked & {"load", "bottleneck"} or not loads:
        return NOTHING
    shapes: list[Shape] = []
    texts: list[Text] = []
    x = 0.0
    if "load" in asked:
        x = _scale(scope, shapes, texts)
    if "bottleneck" in asked:
        _bottleneck(scope, x, width, shapes, texts)
    items = (Item(role="decor", layer="device", shapes=tuple(shapes)), *free_text(texts))
    return Drawing(width=width, height=36.0, items=items)


def _scale(scope: Scope, shapes: list[Shape], texts: list[Text]) -> float:
    """Add the steps; return where they end."""
    name = fields.say(scope, "Link load")
    left = type_setting.width(name, 13, bold=True) + 16
    texts.append(Text(x=0, y=12, content=name, bold=True))
    for i in range(STEPS):
        x = left + i * (STEP + 3)
        shapes.append(
            Box(x=x, y=1, width=STEP, height=HEIGHT, fill=f"load.{i}", stroke="casing", stroke_width=1, radius=1)
        )
    for i in range(STEPS + 1):
        x = left + i * (STEP + 3) - 1.5
        texts.append(
            Text(x=x, y=32, content=f"{100 * i // STEPS} %", size=12, anchor="middle" if i else "start", fill="ink2")
        )
    return left + STEPS * (STEP + 3) + 30


def _bottleneck(scope: Scope, x: float, width: float, shapes: list[Shape], texts: list[Text]) -> None:
    for side in (-1, 1):
        tip = x + TIP + 3 + side * 5
        shapes.append(
            Line(points=((tip + side * TIP, 8.5), (tip, 8.5)), stroke="alert", width=1.5, end="arrow", tip=TIP)
        )
    left = x + 2 * TIP + 18
    said = fields.say(scope, "bottleneck: what sets the pace")
    lines = type_setting.wrap(said, width - left, 12, 2)
    texts.extend(Text(x=left, y=13 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(lines))


def _differences(scope: Scope, width: float) -> Drawing:
    """Return how a difference looks: dashed with a cross, solid, with another number, grey."""
    name = fields.say(scope, "How a difference looks")
    signs = ("expected, not found", "found, not expected", "other value", "as expected")
    said = [fields.say(scope, sign) for sign in signs]
    needs = [52 + type_setting.width(one, 12) for one in said]
    x = type_setting.width(name, 13, bold=True) + 20
    gap = max(10.0, (width - x - sum(needs)) / len(signs))
    shapes: list[Shape] = []
    texts = [Text(x=0, y=13, content=name, bold=True)]
    for number, (one, need) in enumerate(zip(said, needs, strict=True)):
        shapes.extend(_sign(number, x))
        content, size = type_setting.fit(one, width - x - 52, 12)
        texts.append(Text(x=x + 52, y=13, content=content, size=size, fill="ink2"))
        if number == OTHER_VALUE:
            texts.append(Text(x=x + 22, y=13, content="3", size=12, bold=True, anchor="middle", fill="alert"))
        x += need + gap
    items = (Item(role="decor", layer="device", shapes=tuple(shapes)), *free_text(texts))
    return Drawing(width=width, height=20.0, items=items)


def _sign(number: int, x: float) -> tuple[Shape, ...]:
    whole = ((x, 8.5), (x + 44, 8.5))
    if number == 0:
        return (Line(points=whole, stroke="alert", width=1.5, dash=(4, 3)), *cross((x + 22, 8.5)))
    if number == OTHER_VALUE:
        halves = (((x, 8.5), (x + 14, 8.5)), ((x + 30, 8.5), (x + 44, 8.5)))
        return tuple(Line(points=half, stroke="alert", width=3) for half in halves)
    return (Line(points=whole, stroke="alert" if number == 1 else "ghost", width=3),)
