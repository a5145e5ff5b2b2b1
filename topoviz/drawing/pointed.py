"""Things that a picture points out: a line round each of them."""

from __future__ import annotations

from dataclasses import replace

from topoviz.drawing.scene import Box, Drawing, Item
from topoviz.drawing.scope import Scope
from topoviz.drawing.signs import outline

OUTSIDE = 3.0


def pointed(drawing: Drawing, scope: Scope) -> Drawing:
    """Return the drawing with an outline round each thing that is highlighted by itself."""
    wanted = frozenset(scope.findings.outlined)
    if not wanted:
        return drawing
    return replace(drawing, items=tuple(_outlined(item) if item_id(item) in wanted else item for item in drawing.items))


def item_id(item: Item) -> str:
    """Return the id of the thing that an item draws; empty if it draws none."""
    return dict(item.data).get("id", "") if item.role == "node" else ""


def _outlined(item: Item) -> Item:
    body = next((shape for shape in item.shapes if isinstance(shape, Box)), None)
    return item if body is None else replace(item, shapes=(*item.shapes, outline(body, "ink", OUTSIDE)))
