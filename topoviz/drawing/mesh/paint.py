"""Strokes and boxes as items of a scene: links first, routes on them, letters and numbers where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.bounds import Bounds
from topoviz.drawing.mesh import free
from topoviz.drawing.mesh.lanes import SINGLY, Lane, Step, Style
from topoviz.drawing.scene import Box, Item, Line, Shape
from topoviz.drawing.tiers.stage import line_width, token

if TYPE_CHECKING:
    from topoviz.drawing.mesh.direct import Direct, Pair
    from topoviz.drawing.mesh.spots import Path, Point, Spots
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Link, Route

BADGE = 9.0
TAGS = 2  # letters on each route
PALE = 1.5
RED = "alert"
PAST: tuple[float, ...] = (2, 4)
DOWN: tuple[float, ...] = (4, 3)


@dataclass(frozen=True, kw_only=True)
class Canvas:
    """What is painted: who, where, which strokes, which routes lie on them, and how much is said."""

    scope: Scope
    direct: Direct
    spots: Spots
    lanes: Mapping[Pair, tuple[Lane, ...]]
    routes: tuple[Route, ...]
    styles: tuple[Style, ...]
    labels: tuple[str, ...]
    small: bool = False
    thin: float = 1  # factor of all widths, where many lines run close together
    counted: bool = True  # whether a stroke for many links says so


def items(canvas: Canvas) -> tuple[Item, ...]:
    """Return links, routes and boxes."""
    over = [key for key, lane in _keys(canvas) if lane.step is not None]
    opened = free.gaps(canvas.spots.paths, over)
    taken = list(canvas.spots.boxes)
    links = [item for pair in canvas.lanes for item in _links(canvas, pair, opened)]
    routes = [_route(canvas, number, opened, taken) for number in range(len(canvas.routes))]
    plates = list(_plates(canvas, taken)) if canvas.counted and not canvas.small else []
    gpus = boxes(canvas.scope, canvas.direct, canvas.spots.boxes, canvas.labels, canvas.routes)
    return (*links, *(item for item in routes if item.shapes), *gpus, *plates)


def _keys(canvas: Canvas) -> Iterator[tuple[free.Key, Lane]]:
    for pair, lanes in canvas.lanes.items():
        for i, lane in enumerate(lanes):
            yield (pair, i), lane


def _links(canvas: Canvas, pair: Pair, opened: Mapping[free.Key, Sequence[tuple[float, float]]]) -> Iterator[Item]:
    """Yield one item for each kind of link of a pair, with all its strokes; under a route they are pale."""
    for link in canvas.direct.joints[pair]:
        shapes: list[Shape] = []
        for i, lane in enumerate(canvas.lanes[pair]):
            if lane.link is link and not (lane.step is not None and lane.step.past):
                path = canvas.spots.paths[pair][i]
                look = _look(canvas, lane)
                for points in free.pieces(path, opened.get((pair, i), ())):
                    shapes.append(Line(points=points, radius=path.radius, **look))  # type: ignore[arg-type]
        if link.state == "down":
            shapes += cross(canvas.spots.paths[pair][0].points)
        yield link_item(canvas.scope, link, tuple(shapes))


def _look(canvas: Canvas, lane: Lane) -> dict[str, object]:
    if lane.link.state == "down":
        return {"stroke": "alert", "dash": DOWN, "width": PALE}
    if lane.link.state == "degraded":
        return {"stroke": "alert", "width": PALE}
    if canvas.routes or lane.pale:
        return {"stroke": "ghost", "width": 0.8 if canvas.small and canvas.direct.complete else PALE}
    each = lane.link.bandwidth and lane.link.bandwidth / lane.link.links * lane.links
    return {"stroke": token(lane.link.kind), "width": round(canvas.thin * line_width(each), 2)}


def cross(points: Sequence[Point], size: float = 5) -> list[Shape]:
    """Return the cross on a stroke that is down."""
    start, end = max(pairwise(points), key=lambda p: abs(p[0][0] - p[1][0]) + abs(p[0][1] - p[1][1]))
    x, y = free.between(start, end, 0.5)
    strokes = (((x - size, y - size), (x + size, y + size)), ((x - size, y + size), (x + size, y - size)))
    return [Line(points=points, stroke="alert", width=2) for points in strokes]


def link_item(scope: Scope, link: Link, shapes: tuple[Shape, ...]) -> Item:
    """Return the group of one link, with what the SVG promises about it."""
    said = fields.say(scope, "{links} × {link}, {rate}", links=(link,))
    data = (
        ("source", link.source),
        ("target", link.target),
        ("kind", link.kind),
        ("links", str(link.links)),
        ("bandwidth", "" if link.bandwidth is None else f"{link.bandwidth:g}"),
    )
    title = f"{link.source} – {link.target}: {said}"
    ends = (link.source, link.target)
    return Item(role="link", layer="link", kind=link.kind, shapes=shapes, data=data, title=title, of=ends)


def _route(
    canvas: Canvas,
    number: int,
    opened: Mapping[free.Key, Sequence[tuple[float, float]]],
    taken: list[Bounds],
) -> Item:
    """Return one route: an arrow for each hop, and its letter on some of them. What it takes is added to ``taken``."""
    style, route = canvas.styles[number], canvas.routes[number]
    hops = [(key, lane.step) for key, lane in _keys(canvas) if lane.step is not None and lane.step.route == number]
    hops.sort(key=lambda hop: hop[1].number)
    shapes: list[Shape] = []
    for key, step in hops:
        path = canvas.spots.paths[key[0]][key[1]]
        parts = free.pieces(path, opened.get(key, ()))
        shapes += arrows(parts, _styled(style, step), path.radius, small=canvas.small, on=step.forward)
    if not canvas.small:
        shapes += _tags(canvas, hops, style, taken)
    return route_item(route, tuple(shapes))


def route_item(route: Route, shapes: tuple[Shape, ...]) -> Item:
    """Return the group of one route."""
    closing = route.nodes[:1] if len(route.hops) == len(route.nodes) else ()
    title = f"{route.name}: {' → '.join((*route.nodes, *closing))}"
    data = (("route", route.name),)
    return Item(role="route", layer="route", kind=route.shape, shapes=shapes, data=data, title=title, of=route.nodes)


def arrows(
    parts: Sequence[Sequence[Point]], style: Style, radius: float = 0, *, small: bool = False, on: bool = True
) -> list[Shape]:
    """Return a hop in its pieces, with the tip at the receiver. ``on``: in the direction of the points."""
    turned = [tuple(points) if on else tuple(points[::-1]) for points in parts]
    last = len(turned) - 1 if on else 0
    return [
        Line(
            points=_short(points, 1.0) if i == last else points,
            stroke=style.token,
            width=2.4 if small else 3,
            radius=radius,
            dash=style.dash,
            end="arrow" if i == last else "",
            tip=8 if small else 10,
        )
        for i, points in enumerate(turned)
    ]


def _short(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return the points with the last one a little nearer, so that a tip does not touch the box."""
    (ax, ay), (bx, by_) = points[-2], points[-1]
    long = max(1e-9, hypot(bx - ax, by_ - ay))
    return (*points[:-1], (bx - by * (bx - ax) / long, by_ - by * (by_ - ay) / long))


def _others(canvas: Canvas, key: free.Key) -> list[tuple[Point, Point]]:
    """Return all pieces of strokes but those of one."""
    return [
        piece
        for pair, lines in canvas.spots.paths.items()
        for i, path in enumerate(lines)
        if (pair, i) != key
        for piece in pairwise(path.points)
    ]


def _tags(canvas: Canvas, hops: Sequence[tuple[free.Key, Step]], style: Style, taken: list[Bounds]) -> list[Shape]:
    """Return the letter of a route on its longest hops that have room; a route alone has the number of each hop, or none."""
    alone = len(canvas.routes) == 1
    must = alone and any(step.past for _, step in hops)  # a sentence says the number of such a hop
    found: list[Shape] = []
    for key, step in hops if alone else sorted(hops, key=lambda hop: _worth(canvas, *hop)):
        said = str(step.number + 1) if alone else style.said
        wide = tag_width(said)
        path, size = canvas.spots.paths[key[0]][key[1]], (wide + 2, 2 * BADGE + 2)
        spot = free.room(path, size, _others(canvas, key), taken) or (
            free.room(path, size, (), taken) if must else None
        )
        if spot is None:
            continue
        taken.append(Bounds(spot[0] - wide / 2, spot[1] - BADGE, spot[0] + wide / 2, spot[1] + BADGE))
        found += tag(*spot, said, _styled(style, step).token)
        if not alone and len(found) >= 2 * TAGS:
            break
    return found if must or not alone or len(found) == 2 * len(hops) else []


def _worth(canvas: Canvas, key: free.Key, step: Step) -> tuple[bool, float]:
    """Return what comes first where only some hops have a letter: one past the links, then the longest."""
    return not step.past, -_long(canvas.spots.paths[key[0]][key[1]])


def _styled(style: Style, step: Step) -> Style:
    """Return how a hop is drawn: as its route, or red and dotted if it went past the links."""
    return Style(letter=style.letter, token=RED, dash=PAST, count=style.count) if step.past else style


def tag(x: float, y: float, said: str, colour: str) -> tuple[Shape, Shape]:
    """Return what is said on a route: on a disc, or on a capsule if it is longer."""
    disc, text = glyphs.badge(x, y, said, colour, radius=BADGE)
    wide = tag_width(said)
    if wide > 2 * BADGE:
        disc = Box(x=x - wide / 2, y=y - BADGE, width=wide, height=2 * BADGE, shape="capsule", fill=colour)
    return disc, text


def tag_width(said: str) -> float:
    """Return how wide a tag is.

    >>> tag_width("A")
    18.0
    """
    return 2 * BADGE if len(said) == 1 else type_setting.width(said, 12, bold=True) + 8


def _long(path: Path) -> float:
    return max(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path.points))


def _plates(canvas: Canvas, taken: list[Bounds]) -> Iterator[Item]:
    """Yield the numbers on strokes that stand for many links."""
    for (pair, i), lane in _keys(canvas):
        if lane.links <= SINGLY or lane.step is not None:
            continue
        said = f"{lane.links:,}"
        wide = type_setting.width(said, 12) + 8
        path = canvas.spots.paths[pair][i]
        spot = free.room(path, (wide, 18), _others(canvas, (pair, i)), taken) or free.room(path, (wide, 18), (), taken)
        if spot is None:
            continue
        taken.append(Bounds(spot[0] - wide / 2, spot[1] - 9, spot[0] + wide / 2, spot[1] + 9))
        ink = "ink3" if canvas.routes else token(lane.link.kind, "text")
        yield Item(role="label", layer="label", shapes=glyphs.plate(*spot, said, ink))


def boxes(
    scope: Scope, direct: Direct, areas: Sequence[Bounds], labels: Sequence[str], routes: Sequence[Route]
) -> tuple[Item, ...]:
    """Return the GPUs; those that no route visits are grey."""
    visited = {node for route in routes for node in route.nodes}
    found = []
    for thing, area, label in zip(direct.things, areas, labels, strict=True):
        size = (area.right - area.left, area.bottom - area.top)
        muted = bool(visited) and thing.id not in visited
        tip = glyphs.tooltip(thing, scope.lang)
        found.append(
            glyphs.gpu(thing.id, area.left, area.top, *size, label, tooltip=tip, muted=muted, state=thing.state)
        )
    return tuple(found)
