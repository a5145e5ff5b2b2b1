"""A torus as a grid: inner links straight, links over the edge as stubs that name the far end; routes on their links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, free_text, shifted
from topoviz.drawing.mesh import direct, flat, lanes, paint
from topoviz.drawing.mesh.grid import grid
from topoviz.drawing.mesh.said import labels, not_drawn
from topoviz.drawing.mesh.spots import box
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.tiers.stage import line_width, token

if TYPE_CHECKING:
    from topoviz.drawing.bounds import Bounds
    from topoviz.drawing.layout import Block
    from topoviz.drawing.mesh.direct import Direct, Pair
    from topoviz.drawing.mesh.flat import Flat
    from topoviz.drawing.mesh.lanes import Lane, Style
    from topoviz.drawing.mesh.spots import Point
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Link, Route

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "of": "what is joined: gpu",
        "kind": "kind of link; all but PCIe if absent",
        "label": "what is written on each, for example {position}: its place in the ring",
    }
)

ALIGNED = 48.0  # with so little room to spare it begins where the title begins
LONG = 36.0  # a hop so long has room for the letter of its route


Pieces: TypeAlias = tuple[tuple["Point", "Point"], ...]


@dataclass(frozen=True, kw_only=True)
class Torus:
    """What is drawn, where, and what runs on it."""

    scope: Scope
    direct: Direct
    flat: Flat
    lanes: Mapping[Pair, tuple[Lane, ...]]
    routes: tuple[Route, ...]
    styles: tuple[Style, ...]
    marks: tuple[str, ...]
    small: bool


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001 - a grid keeps its shape
    """Return the torus; empty if the links make none."""
    found = direct.of_block(block, scope)
    shape = grid(len(found.things), frozenset(found.joints))
    if shape is None:
        return NOTHING
    marks = direct.marks(found.things)
    routes = _together(found, scope)
    rate = scope.findings.estimate.bandwidth if scope.findings.estimate is not None else None
    steps, elsewhere = lanes.hops(found, routes, rate)
    first = (scope.number or 1) - 1 if len(routes) == 1 else 0
    torus = Torus(
        scope=scope,
        direct=found,
        flat=flat.placed(shape, width, marks, small=scope.compact, head=_head_width(scope, shape.shape)),
        lanes={
            pair: lanes.lanes(links, steps.get(pair, ()), singly=0, rest=False) for pair, links in found.joints.items()
        },
        routes=routes,
        styles=lanes.styles(routes, first),
        marks=marks,
        small=scope.compact,
    )
    boxes = paint.boxes(scope, found, torus.flat.boxes, labels(block, scope, found, routes), routes)
    items = (*_frames(torus), *_links(torus), *_routes(torus), *boxes, *_names(torus))
    spare = max(0.0, width - torus.flat.width)
    left = spare / 2 if spare > ALIGNED or scope.compact else 0.0
    piece = Drawing(width=torus.flat.width, height=torus.flat.height, items=items)
    notes = () if scope.compact else not_drawn(scope, found, elsewhere)
    return Drawing(width=max(width, piece.width), height=piece.height, items=shifted(piece, left, 0), notes=notes)


def _together(found: Direct, scope: Scope) -> tuple[Route, ...]:
    if "load" in scope.request.overlay and scope.number is None:
        return ()  # the load of a link says more than whose it is
    routes = tuple(r for r in scope.findings.routes if any(node in found.place for node in r.nodes))
    return routes if len(routes) <= lanes.AT_ONCE else ()


def _frames(torus: Torus) -> Iterator[Item]:
    """Yield a frame for each layer, and in its head where its stubs lead."""
    for layer in torus.flat.layers:
        area = layer.frame
        if torus.small:
            continue
        box = Box(
            x=area.left,
            y=area.top,
            width=area.right - area.left,
            height=area.bottom - area.top,
            radius=8,
            fill="surf",
            stroke="frame",
            stroke_width=1,
        )
        yield Item(role="decor", layer="enclosure", shapes=(box,))
        if len(torus.flat.layers) > 1:
            yield from free_text(_head(torus, layer))


def _head(torus: Torus, layer: flat.Layer) -> list[Shape]:
    """Return the name of a layer, and an arrow with the name of each layer that its stubs lead to."""
    x, y = layer.frame.left + 10, layer.frame.top + 19
    said = _name(torus.scope, "Layer {number}", layer.number)
    shapes: list[Shape] = [Text(x=x, y=y, content=said, bold=True)]
    x += type_setting.width(said, 13, bold=True) + 12
    for other, up in _ways(layer.number, len(torus.flat.layers)):
        content = _name(torus.scope, "layer {number}", other)
        a, b = (x, y), (x + 9, y - 9)
        shapes.append(Line(points=(a, b) if up else (b, a), stroke="ink2", width=1.5, end="arrow", tip=6))
        shapes.append(Text(x=x + 14, y=y, content=content, size=12, fill="ink2"))
        x += 14 + type_setting.width(content, 12) + 10
    return shapes


def _head_width(scope: Scope, shape: tuple[int, ...]) -> float:
    """Return the room that the head of the last layer needs, which has the longest number; 0 for a torus of two axes."""
    if len(shape) < 3:
        return 0.0
    last = shape[0] - 1
    ways = (_name(scope, "layer {number}", last) for _ in _ways(last, shape[0]))
    own = type_setting.width(_name(scope, "Layer {number}", last), 13, bold=True)
    return 22 + own + sum(24 + type_setting.width(said, 12) for said in ways)


def _ways(number: int, count: int) -> list[tuple[int, bool]]:
    """Return the layers that a layer is joined with, and whether the stubs to them point up."""
    ways = []
    if count > 2 or number == 0:
        ways.append(((number + 1) % count, True))
    if count > 2 or number == 1:
        ways.append(((number - 1) % count, False))
    return ways


def _name(scope: Scope, said: str, number: int) -> str:
    return fields.say(scope, said, numbers={"number": str(number)})


def _links(torus: Torus) -> Iterator[Item]:
    for pair, strokes in torus.lanes.items():
        drawn = flat.strokes(torus.flat, pair, len(strokes))
        for link in torus.direct.joints[pair]:
            shapes: list[Shape] = [
                Line(points=piece, **_look(torus, link))  # type: ignore[arg-type]
                for pieces, lane in zip(drawn, strokes, strict=True)
                if lane.link is link
                for piece in pieces
            ]
            if link.state == "down" and drawn:
                shapes += [shape for piece in drawn[0] for shape in paint.cross(piece, 4)]
            yield paint.link_item(torus.scope, link, tuple(shapes))


def _look(torus: Torus, link: Link) -> dict[str, object]:
    if link.state == "down":
        return {"stroke": "alert", "dash": paint.DOWN, "width": paint.PALE}
    if link.state == "degraded":
        return {"stroke": "alert", "width": paint.PALE}
    if torus.routes:
        return {"stroke": "ghost", "width": paint.PALE}
    factor = 1.0 if torus.flat.size.pitch[0] >= 60 else 0.6
    return {"stroke": token(link.kind), "width": round(factor * line_width(link.bandwidth), 2)}


def _routes(torus: Torus) -> Iterator[Item]:
    taken: list[Bounds] = []
    for number, route in enumerate(torus.routes):
        shapes: list[Shape] = []
        for pieces, lane in _hops(torus, number):
            forward = lane.step is None or lane.step.forward
            for piece in pieces if forward else tuple(piece[::-1] for piece in pieces[::-1]):
                shapes += _arrow(torus, piece, torus.styles[number])
        if shapes:
            yield paint.route_item(route, (*shapes, *_tags(torus, number, taken)))


def _hops(torus: Torus, number: int) -> Iterator[tuple[Pieces, Lane]]:
    """Yield the strokes that a route runs on, in their pieces."""
    for pair, strokes in torus.lanes.items():
        for pieces, lane in zip(flat.strokes(torus.flat, pair, len(strokes)), strokes, strict=True):
            if lane.step is not None and lane.step.route == number:
                yield pieces, lane


def _arrow(torus: Torus, piece: tuple[Point, Point], style: Style) -> list[Shape]:
    small = torus.small or torus.flat.size.pitch[0] < 60
    return paint.arrows((piece,), style, small=small)


def _tags(torus: Torus, number: int, taken: list[Bounds]) -> list[Shape]:
    """Return the letter of a route on a long hop and on one half a round later; alone, the number of each hop.

    What they take is added to ``taken``: parallel lanes are too close for two letters side by side.
    """
    if torus.small:
        return []
    places: list[tuple[int, float, float]] = []
    for pieces, lane in _hops(torus, number):
        (ax, ay), (bx, by) = pieces[0]
        if lane.step is not None and len(pieces) == 1 and abs(ax - bx) + abs(ay - by) >= LONG:
            places.append((lane.step.number, (ax + bx) / 2, (ay + by) / 2))
    places.sort()
    style = torus.styles[number]
    if len(torus.routes) == 1:
        inner = sum(len(pieces) == 1 for pieces, _ in _hops(torus, number))
        if len(places) < inner:
            return []
        return [shape for hop, x, y in places for shape in paint.tag(x, y, str(hop + 1), style.token)]
    half = len(places) // 2
    orders = (places, places[half:] + places[:half]) if half else (places,)
    chosen = [_free_spot(order, paint.tag_width(style.said), taken) for order in orders]
    return [shape for spot in chosen if spot is not None for shape in paint.tag(*spot, style.said, style.token)]


def _free_spot(places: Sequence[tuple[int, float, float]], wide: float, taken: list[Bounds]) -> Point | None:
    """Return the first place where a tag meets no other, and take it; None if there is none."""
    for _, x, y in places:
        area = box(x, y, (wide, 2 * paint.BADGE))
        if not any(area.meets(other) for other in taken):
            taken.append(area)
            return x, y
    return None


def _names(torus: Torus) -> tuple[Item, ...]:
    if torus.small:
        return ()
    texts = [
        Text(x=x, y=y, content=content, size=glyphs.SMALL, anchor=anchor, fill="ink2")
        for (x, y), anchor, content in flat.far_ends(torus.flat, torus.lanes, torus.marks)
    ]
    return free_text(texts)
