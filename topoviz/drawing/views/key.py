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

KEYS: Mapping[str, str] = MappingProxyType({})

STEP = 82.0  # one step of the scale
HEIGHT = 15.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the scale of the load and the sign of the bottleneck; nothing where neither is drawn.

    Link load  ▭▭▭▭▭                        ▶ ◀ bottleneck: the links that set the pace
               0 %  20 %  …  100 %
    """
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
