"""Placed shapes without colours: what the drawing room hands to a renderer.

Coordinates are user units (1 u = 1 CSS px), y grows downwards. ``fill`` and
``stroke`` are *tokens* of a theme (``gpu``, ``nvlink.line``, ``ink2``), never
colours; an empty token paints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

# paint order of the layers, back to front
LAYERS = ("enclosure", "link", "switch", "device", "route", "label")


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A filled and outlined shape in a rectangle.

    shape: ``rect`` (with ``radius``), ``hexagon`` (pointed left and right, ``point``
    deep), ``capsule`` (half circles left and right), ``disc`` (an ellipse).
    """

    x: float
    y: float
    width: float
    height: float
    shape: str = "rect"
    radius: float = 0
    point: float = 0
    fill: str = ""
    stroke: str = ""
    stroke_width: float = 1.5
    dash: tuple[float, ...] = ()
    hatch: bool = False
    opacity: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A polyline with rounded corners, or (``curve``) cubic Béziers: p0, c1, c2, p1, c1, c2, p2 and so on.

    ``start`` and ``end`` are ``""`` or ``arrow``; the tip of an arrow lies *on* the
    first or last point and is ``tip`` long and wide, drawn as a filled path.
    """

    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float = 1.5
    radius: float = 0
    curve: bool = False
    dash: tuple[float, ...] = ()
    start: str = ""
    end: str = ""
    tip: float = 10
    cap: str = "butt"
    opacity: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A piece of a text in one weight, size and tint; ``dx`` is the gap before it."""

    content: str
    size: float = 0  # 0: that of the text
    bold: bool = False
    fill: str = ""  # empty: that of the text
    dx: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One line of text; ``x`` is the anchor, ``y`` the baseline. ``runs`` replace ``content``."""

    x: float
    y: float
    content: str = ""
    size: float = 13
    bold: bool = False
    anchor: str = "start"  # start, middle, end
    fill: str = "ink"
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Rows and columns of equal marks, written as one path.

    ``xs`` and ``ys`` are the left and top edges of columns and rows; ``filled`` holds
    (row, column) pairs, or is None if all are.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    width: float
    height: float
    fill: str
    filled: frozenset[tuple[int, int]] | None = None


Shape: TypeAlias = Box | Line | Text | Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Some shapes that belong together and become one ``<g>``.

    role: ``node`` (data: id, kind), ``link`` (data: source, target, kind, links,
    bandwidth), ``route`` (data: route), ``label`` or ``decor``. ``title`` is the tooltip.
    ``of`` are ids of nodes that its lines may touch or pass behind (for the audit).
    Items whose data have a ``step`` may be shown in turn.
    """

    role: str
    layer: str
    shapes: tuple[Shape, ...]
    kind: str = ""
    data: tuple[tuple[str, str], ...] = ()
    title: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A piece of a picture, placed from (0, 0) to its size."""

    width: float
    height: float
    items: tuple[Item, ...] = ()
    notes: tuple[str, ...] = ()  # what was folded or left out, for the caption (English keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A whole picture."""

    width: float
    height: float
    items: tuple[Item, ...]
    title: str
    description: str
    lang: str = "en"
    background: bool = True
    interactive: bool = False
    animate: bool = False
    notes: tuple[str, ...] = ()  # what was folded or left out, as the drawings say it (not drawn from here)


def in_step(drawing: Drawing, step: int) -> Drawing:
    """Return the drawing with every item marked as belonging to a step."""
    items = tuple(replace(item, data=(*item.data, ("step", str(step)))) for item in drawing.items)
    return replace(drawing, items=items)


def moved(item: Item, dx: float, dy: float) -> Item:
    """Return the item shifted by (dx, dy)."""
    return replace(item, shapes=tuple(_moved(shape, dx, dy) for shape in item.shapes))


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    if isinstance(shape, Cells):
        return replace(shape, xs=tuple(x + dx for x in shape.xs), ys=tuple(y + dy for y in shape.ys))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def scaled(scene: Scene, factor: float) -> Scene:
    """Return the scene with everything larger: places, sizes, type and strokes.

    >>> scaled(Scene(width=10, height=5, items=(), title="", description=""), 2).width
    20
    """
    items = tuple(replace(item, shapes=tuple(_scaled(shape, factor) for shape in item.shapes)) for item in scene.items)
    return replace(scene, width=scene.width * factor, height=scene.height * factor, items=items)


def _scaled(shape: Shape, k: float) -> Shape:
    if isinstance(shape, Box):
        return replace(
            shape,
            x=k * shape.x,
            y=k * shape.y,
            width=k * shape.width,
            height=k * shape.height,
            radius=k * shape.radius,
            point=k * shape.point,
            stroke_width=k * shape.stroke_width,
            dash=tuple(k * d for d in shape.dash),
        )
    if isinstance(shape, Line):
        return replace(
            shape,
            points=tuple((k * x, k * y) for x, y in shape.points),
            width=k * shape.width,
            radius=k * shape.radius,
            dash=tuple(k * d for d in shape.dash),
            tip=k * shape.tip,
        )
    if isinstance(shape, Text):
        runs = tuple(replace(run, size=k * run.size, dx=k * run.dx) for run in shape.runs)
        return replace(shape, x=k * shape.x, y=k * shape.y, size=k * shape.size, runs=runs)
    return replace(
        shape,
        xs=tuple(k * x for x in shape.xs),
        ys=tuple(k * y for y in shape.ys),
        width=k * shape.width,
        height=k * shape.height,
    )
