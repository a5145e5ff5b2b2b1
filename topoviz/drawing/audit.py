"""What is wrong with a picture, by geometry alone: no browser, no renderer.

Texts are taken as wide as the widest common font makes them. Found are texts that meet,
leave the page or their component, or are struck through; lines that cross components
they do not belong to; components that overlap without one holding the other; type
below 12 u; numbers that are not finite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing import bounds
from topoviz.drawing.bounds import Bounds
from topoviz.drawing.scene import LAYERS, Box, Item, Line, Scene, Text
from topoviz.drawing.text import FLOOR

if TYPE_CHECKING:
    from collections.abc import Iterator

SLACK = 0.5  # u that may be shared or stick out before it counts
FRAMES = ("enclosure",)  # what lies in these layers holds other things and is crossed by their lines


@dataclass(frozen=True, slots=True)
class _Placed:
    """A shape with its item, in the order of painting."""

    order: int
    item: Item
    shape: Box | Line | Text


@dataclass(frozen=True, slots=True)
class _Node:
    """A component and the largest of its boxes."""

    id: str
    item: Item
    area: Bounds


def audit(scene: Scene) -> tuple[str, ...]:
    """Return what is wrong, one sentence each; nothing if the picture may be published.

    >>> from topoviz.drawing.scene import Item, Scene, Text
    >>> texts = (Text(x=5, y=20, content="GPU 0"), Text(x=20, y=20, content="GPU 1"))
    >>> item = Item(role="label", layer="label", shapes=texts)
    >>> audit(Scene(width=99, height=30, items=(item,), title="t", description="d"))
    ("text 'GPU 0' meets text 'GPU 1'",)
    """
    infinite = [item for item in scene.items if not all(bounds.finite(shape) for shape in item.shapes)]
    if infinite:
        return tuple(f"{_name(item)} has a number that is not finite" for item in infinite)
    placed, nodes = _placed(scene), _nodes(scene)
    rules = (
        _small(placed),
        _outside(scene, placed, nodes),
        _overflowing(placed),
        _meeting(placed),
        _struck(placed),
        _crossing(scene, nodes),
        _overlapping(nodes),
    )
    return tuple(dict.fromkeys(finding for rule in rules for finding in rule))


def _placed(scene: Scene) -> list[_Placed]:
    items = sorted(scene.items, key=lambda item: LAYERS.index(item.layer))
    shapes = ((item, shape) for item in items for shape in item.shapes)
    return [_Placed(n, item, shape) for n, (item, shape) in enumerate(shapes) if isinstance(shape, (Box, Line, Text))]


def _nodes(scene: Scene) -> list[_Node]:
    found = []
    for item in scene.items:
        boxes = [bounds.of_box(shape) for shape in item.shapes if isinstance(shape, Box)]
        if item.role == "node" and boxes:
            found.append(_Node(dict(item.data).get("id", ""), item, max(boxes, key=lambda box: box.area)))
    return found


def _texts(placed: list[_Placed]) -> Iterator[tuple[_Placed, Text]]:
    for one in placed:
        if isinstance(one.shape, Text) and bounds.content(one.shape).strip():
            yield one, one.shape


def _small(placed: list[_Placed]) -> Iterator[str]:
    for _, text in _texts(placed):
        smallest = min(text.size, *(run.size or text.size for run in text.runs)) if text.runs else text.size
        if smallest < FLOOR:
            yield f"{_said(text)} is set in {smallest:g} u, below {FLOOR:g}"


def _outside(scene: Scene, placed: list[_Placed], nodes: list[_Node]) -> Iterator[str]:
    page = Bounds(0, 0, scene.width, scene.height)
    for _, text in _texts(placed):
        if not page.holds(bounds.of_text(text), SLACK):
            yield f"{_said(text)} leaves the page"
    for node in nodes:
        if not page.holds(node.area, SLACK):
            yield f"'{node.id}' leaves the page"


def _overflowing(placed: list[_Placed]) -> Iterator[str]:
    for one, text in _texts(placed):
        home = _home(one.item, text) if one.item.role == "node" else None
        area = bounds.of_text(text)
        if home is None:
            continue
        beside = max(home.left - area.left, area.right - home.right)
        above = max(home.top - area.top, area.bottom - home.bottom)
        if beside > SLACK:
            yield f"{_said(text)} of {_name(one.item)} is {beside:.1f} u too wide for its box"
        if above > 2 * SLACK:
            yield f"{_said(text)} of {_name(one.item)} is {above:.1f} u too high for its box"


def _home(item: Item, text: Text) -> Bounds | None:
    """Return the smallest box of the item around the anchor of the text, if it is one to write in."""
    anchor = (text.x, text.y - 0.3 * text.size)
    boxes = (bounds.of_box(shape) for shape in item.shapes if isinstance(shape, Box))
    around = [box for box in boxes if box.has(anchor) and box.bottom - box.top > 0.8 * text.size]
    return min(around, key=lambda box: box.area, default=None)


def _meeting(placed: list[_Placed]) -> Iterator[str]:
    areas = sorted(((bounds.of_text(text), text) for _, text in _texts(placed)), key=lambda pair: pair[0].left)
    for n, (area, text) in enumerate(areas):
        for other, neighbour in areas[n + 1 :]:
            if other.left > area.right:
                break
            if area.meets(other, SLACK):
                yield f"{_said(text)} meets {_said(neighbour)}"


def _struck(placed: list[_Placed]) -> Iterator[str]:
    """Yield texts that a line runs through: it is painted later, or no filled box lies between."""
    lines = [(one, one.shape) for one in placed if isinstance(one.shape, Line) and one.shape.stroke]
    plates = [(one.order, bounds.of_box(one.shape)) for one in placed if isinstance(one.shape, Box) and one.shape.fill]
    for one, text in _texts(placed):
        area = bounds.of_text(text, safe=False).shrunk(1)
        covers = [order for order, plate in plates if order < one.order and plate.holds(area)]
        cover = max(covers, default=-1)
        for line, shape in lines:
            if line.order > cover and any(area.crossed(*segment) for segment in bounds.segments(shape)):
                yield f"{_said(text)} is struck through by a line of {_name(line.item)}"


def _crossing(scene: Scene, nodes: list[_Node]) -> Iterator[str]:
    known = {node.id: node for node in nodes}
    solid = [node for node in nodes if node.item.layer not in FRAMES]
    for item in scene.items:
        segments = [s for shape in item.shapes if isinstance(shape, Line) for s in bounds.segments(shape)]
        own = _own(item)
        held = [known[name].area for name in own if name in known]
        for node in solid if segments else ():
            if node.id in own or any(node.area.holds(area, SLACK) for area in held):
                continue
            area = node.area.shrunk(1)
            if any(area.crossed(*segment) for segment in segments):
                yield f"a line of {_name(item)} crosses '{node.id}'"


def _own(item: Item) -> tuple[str, ...]:
    """Return the ids of what the item's lines may touch."""
    data = dict(item.data)
    return (*item.of, *(data[key] for key in ("id", "source", "target") if key in data))


def _overlapping(nodes: list[_Node]) -> Iterator[str]:
    ordered = sorted(nodes, key=lambda node: node.area.left)
    for n, node in enumerate(ordered):
        for other in ordered[n + 1 :]:
            if other.area.left > node.area.right:
                break
            apart = not node.area.meets(other.area, SLACK)
            if apart or node.area.holds(other.area, SLACK) or other.area.holds(node.area, SLACK):
                continue
            yield f"'{node.id}' overlaps '{other.id}'"


def _said(text: Text) -> str:
    return f"text '{bounds.content(text)}'"


def _name(item: Item) -> str:
    data = dict(item.data)
    if "source" in data:
        return f"'{data['source']}' to '{data.get('target', '')}'"
    name = data.get("id") or data.get("route") or item.title
    return f"'{name}'" if name else item.role
