"""A ring or a path as a circle: its members clockwise from the top, one arrow per hop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, pi, radians, sin, tan
from types import MappingProxyType

from topoviz.drawing import amounts, fields, glyphs, way
from topoviz.drawing.compose import NOTHING, free_text
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import fill
from topoviz.drawing.ring_boxes import MANY, boxes_of
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import COUNTED
from topoviz.model.routes import ranks
from topoviz.model.topology import Hop, Route, Thing

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "of": "what stands on the circle: ranks, the members of the ring in its order",
        "label": "what is written on each, for example {rank}",
    }
)

RADIUS = 92.0  # for 8 members
WIDEST = 24.0  # the sign of a GPU, and its height
TALLEST = 21.0
BADGE = 8.0
NAMED = 16  # so many members carry their rank; more are plain marks
ON_THE_ARC = 10  # so many hops have room for their number on the arrow itself; up to NAMED it stands inside
COLOURS = ("ring.a", "ring.b", "ring.c", "ring.d")
STEP = radians(0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """The middle of the circle, how wide it is, how many stand on it and how large."""

    x: float
    y: float
    radius: float
    count: int
    width: float
    height: float

    def angle(self, index: float) -> float:
        """Return the angle of a member, 0 at the top, clockwise, in radians."""
        return 2 * pi * index / self.count

    def at(self, angle: float, radius: float = 0) -> tuple[float, float]:
        """Return the point at that angle, on the circle or on another radius."""
        r = radius or self.radius
        return self.x + r * sin(angle), self.y - r * cos(angle)

    def clear(self, index: int, direction: int, room: float) -> float:
        """Return the angle at which the circle leaves the sign of a member, with some room, going one way."""
        middle = self.angle(index)
        x, y = self.at(middle)
        angle = middle
        for _ in range(ceil(pi / self.count / STEP)):
            px, py = self.at(angle)
            if abs(px - x) > self.width / 2 + room or abs(py - y) > self.height / 2 + room:
                break
            angle += direction * STEP
        return angle


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the first route, a ring as a circle and a path stop by stop; nothing if there is none.

    ``of: gpu`` on GPUs that are each joined with each gives them fixed places, the same for every route.
    """
    if block.of not in {(), ("ranks",)} and (fixed := _at_fixed_places(block, scope, width)).items:
        return fixed
    route = next((r for r in scope.findings.routes if r.shape in {"ring", "path"}), None)
    if route is None or len(route.nodes) < 2:
        return NOTHING
    if len(route.nodes) > MANY and (boxes := boxes_of(route.nodes, scope)):
        return _of_boxes(boxes, route, scope, width)
    token = COLOURS[((scope.number or 1) - 1) % len(COLOURS)]
    if route.shape == "path" and (passed := way.draw(scope, route, width, token)).items:
        return passed
    circle = _circle(len(route.nodes), width)
    members = tuple(_member(block, scope, circle, route, i) for i in range(circle.count))
    slow = tuple(i for i, hop in enumerate(route.hops) if hop.past)
    hops = _hops(route, circle, token, slow)
    size = 2 * circle.radius
    items = (*members, *hops, *_middle(scope, circle))
    return Drawing(width=size + circle.width, height=size + circle.height, items=items)


def _of_boxes(boxes: Sequence[tuple[Thing, int]], route: Route, scope: Scope, width: float) -> Drawing:
    """Return the circle with a mark for each thing that holds members; in the middle how many."""
    circle = replace(_circle(max(len(boxes), NAMED + 1), width), count=len(boxes))
    marks = []
    for i, (thing, count) in enumerate(boxes):
        x, y = circle.at(circle.angle(i))
        box = Box(
            x=x - circle.width / 2,
            y=y - circle.height / 2,
            width=circle.width,
            height=circle.height,
            radius=2,
            fill="gpu",
        )
        data = (("id", thing.id), ("kind", thing.kind), ("count", str(count)))
        marks.append(
            Item(
                role="node",
                layer="device",
                shapes=(box,),
                kind=thing.kind,
                data=data,
                title=f"{thing.id}: {count} GPUs",
            )
        )
    token = COLOURS[((scope.number or 1) - 1) % len(COLOURS)]
    arrow = Item(
        role="route",
        layer="route",
        shapes=tuple(_round(circle, len(boxes), token)),
        kind="route",
        data=(("route", route.name),),
        title=route.name,
        of=tuple(thing.id for thing, _ in boxes),
    )
    size = 2 * circle.radius
    items = (*marks, arrow, *free_text(_middle_of_boxes(boxes, scope, circle)))
    return Drawing(width=size + circle.width, height=size + circle.height, items=items)


def _middle_of_boxes(boxes: Sequence[tuple[Thing, int]], scope: Scope, circle: Circle) -> list[Text]:
    """Return how many GPUs there are, in how many things, and what a mark is."""
    counts = [count for _, count in boxes]
    kind = boxes[0][0].kind
    held = amounts.count(min(counts), max(counts))
    lines = (
        fields.say(scope, "{count} GPUs", numbers={"count": f"{sum(counts):,}"}),
        fill(COUNTED.get(kind, "{count} × {name}"), {"count": str(len(boxes)), "name": kind}, scope.lang),
        fill("a mark is {count} GPUs", {"count": held}, scope.lang),
    )
    return [
        Text(
            x=circle.x,
            y=circle.y - 12 + 18 * i,
            content=line,
            size=12 if i else 13,
            bold=not i,
            anchor="middle",
            fill="ink2",
        )
        for i, line in enumerate(lines)
    ]


def _at_fixed_places(block: Block, scope: Scope, width: float) -> Drawing:
    from topoviz.drawing.mesh.direct import of_block
    from topoviz.drawing.views.mesh import draw as on_links

    return on_links(block, replace(scope, compact=True), width) if of_block(block, scope).complete else NOTHING


def _circle(count: int, width: float) -> Circle:
    """Return a circle of 92 u for up to 8 members; more make it grow as far as the width allows."""
    wish = RADIUS * max(1.0, count / 8)
    radius = min(wish, (width - WIDEST) / 2, 140.0)
    apart = 2 * pi * radius / count
    if count > NAMED:
        sign = min(WIDEST, 0.55 * apart)
        return Circle(
            x=radius + sign / 2, y=radius + sign / 2, radius=radius, count=count, width=sign, height=0.875 * sign
        )
    sign, tall = (WIDEST, TALLEST) if count <= ON_THE_ARC else (WIDEST - 1, TALLEST - 4)
    return Circle(x=radius + sign / 2, y=radius + tall / 2, radius=radius, count=count, width=sign, height=tall)


def _member(block: Block, scope: Scope, circle: Circle, route: Route, index: int) -> Item:
    x, y = circle.at(circle.angle(index))
    node = route.nodes[index]
    label = _label(block, scope, node, index) if circle.count <= NAMED else ""
    return glyphs.gpu(
        node, x - circle.width / 2, y - circle.height / 2, circle.width, circle.height, label, tooltip=node
    )


def _label(block: Block, scope: Scope, node: str, index: int) -> str:
    estimate = scope.findings.estimate
    named = estimate.ranks if estimate is not None else tuple(thing.id for thing in ranks(scope.topology))
    rank = named.index(node) if node in named else index
    template = block.options.get("label", "{rank}")
    return fields.say(scope, template, numbers={"rank": str(rank), "index": str(rank)})


def _hops(route: Route, circle: Circle, token: str, slow: Sequence[int]) -> tuple[Item, ...]:
    hops = route.hops[: circle.count]
    named = circle.count <= NAMED
    drawn = (
        [shape for i in range(len(hops)) for shape in _hop(circle, i, "alert" if i in slow else token)]
        if named
        else _round(circle, len(hops), "alert" if len(slow) == len(hops) else token)
    )
    data = (("route", route.name),)
    return (
        Item(
            role="route",
            layer="route",
            shapes=tuple(drawn),
            kind="route",
            data=data,
            title=_order(route, hops),
            of=route.nodes,
        ),
    )


def _order(route: Route, hops: Sequence[Hop]) -> str:
    closing = route.nodes[:1] if len(hops) == len(route.nodes) else ()
    return f"{route.name}: {' → '.join((*route.nodes, *closing))}"


def _hop(circle: Circle, index: int, token: str) -> tuple[Shape, ...]:
    start = circle.clear(index, 1, 4 if circle.count <= ON_THE_ARC else 2)
    end = circle.clear(index + 1, -1, 2)
    tip = min(10.0, 0.6 * (end - start) * circle.radius)
    arc = Line(points=_bezier(circle, start, end), stroke=token, width=3, curve=True, end="arrow", tip=tip)
    return (arc, *_number(circle, index, token, (start + end - tip / circle.radius) / 2))


def _round(circle: Circle, hops: int, token: str) -> list[Shape]:
    """Return one arrow inside the circle for all hops together: so many members leave no room for one each."""
    radius = circle.radius - circle.height / 2 - 12
    inner = replace(circle, radius=radius)
    gap = 8 / radius
    last = circle.angle(hops) - (gap if hops == circle.count else 0)
    stops = [gap + (last - gap) * i / 4 for i in range(5)]
    points = [_bezier(inner, a, b) for a, b in pairwise(stops)]
    joined = (points[0][0], *(point for piece in points for point in piece[1:]))
    return [Line(points=joined, stroke=token, width=3, curve=True, end="arrow", tip=10)]


def _number(circle: Circle, index: int, token: str, middle: float) -> tuple[Shape, ...]:
    on_the_arc = circle.count <= ON_THE_ARC
    x, y = circle.at(middle, circle.radius if on_the_arc else circle.radius - 24)
    return glyphs.badge(x, y, str(index + 1), token, radius=BADGE if index < 9 else BADGE + 1.5)


def _bezier(circle: Circle, start: float, end: float) -> tuple[tuple[float, float], ...]:
    """Return the four points of a cubic curve that follows the circle from one angle to another.

    The length of a handle is 4/3 · tan(δ/4) of the radius, the usual approximation of an arc of δ.
    """
    handle = 4 / 3 * tan((end - start) / 4) * circle.radius
    (ax, ay), (bx, by) = circle.at(start), circle.at(end)
    return (
        (ax, ay),
        (ax + handle * cos(start), ay + handle * sin(start)),
        (bx - handle * cos(end), by - handle * sin(end)),
        (bx, by),
    )


def _middle(scope: Scope, circle: Circle) -> tuple[Item, ...]:
    """Return the number of members, where they are too many to be numbered."""
    if circle.count <= NAMED:
        return ()
    said = fields.say(scope, "{count} GPUs", numbers={"count": str(circle.count)})
    return free_text([Text(x=circle.x, y=circle.y + 5, content=said, bold=True, anchor="middle", fill="ink2")])
