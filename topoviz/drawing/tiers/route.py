"""A ring or a path in place: through the whole fabric, with the number of each hop.

The line leaves a GPU on its right half, turns inside the one bar that stands for
all chips, and arrives on the left half of the next. What goes back across others
(the closing hop) has a track of its own, lower down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.drawing import glyphs
from topoviz.drawing.scene import Item, Line, Shape
from topoviz.drawing.tiers.stage import Stage
from topoviz.model.topology import Hop, Route

TRACK = 22.0  # first track below the bar's upper edge
NEXT = 34.0  # from one track to the next
RINGS = ("ring.a", "ring.b", "ring.c", "ring.d")
DASHES: tuple[tuple[float, ...], ...] = ((), (10, 4), (4, 3), (12, 3, 3, 3))


def bar_height(route: Route | None) -> float:
    """Return how tall the one bar must be for the tracks of a route."""
    return 74.0 if route is not None else 36.0


def draw(stage: Stage, routes: Sequence[Route]) -> tuple[Item, ...]:
    """Return one item per route, drawn through bars below the columns or, without any, over the host tree."""
    items: list[Item] = []
    for i, route in enumerate(routes[: len(RINGS)]):
        shapes = [shape for n, hop in enumerate(route.hops, 1) for shape in _hop(stage, hop, n, i)]
        if shapes:
            items.append(
                Item(
                    role="route",
                    layer="route",
                    shapes=tuple(shapes),
                    kind=route.shape,
                    data=(("route", route.name),),
                    title=f"{route.name}: {', '.join(route.nodes)}",
                    of=(*route.nodes, *(v for hop in route.hops for v in hop.via)),
                )
            )
    return tuple(items)


def _hop(stage: Stage, hop: Hop, number: int, index: int) -> Iterator[Shape]:
    a, b = stage.spots.get(hop.source), stage.spots.get(hop.target)
    if a is None or b is None:
        return
    bar = next((stage.spots[v] for v in hop.via if v in stage.spots and stage.unit(v).form == "strip"), None)
    token = RINGS[index]
    side = min(19.0, a.width / 2 - 6)
    if bar is not None:
        xs = sorted(stage.spots[c].x for c in stage.columns if c in stage.spots)
        between = any(min(a.x, b.x) < x < max(a.x, b.x) for x in xs)
        y = bar.y + TRACK + (NEXT if between else 0)
        points = ((a.x + side, a.bottom), (a.x + side, y), (b.x - side, y), (b.x - side, b.bottom + 1))
        middle = (a.x + side + b.x - side) / 2
        yield Line(points=points, stroke=token, width=4, radius=12, dash=DASHES[index], end="arrow", tip=13)
        yield from glyphs.badge(middle, y, str(number), token)
        return
    yield from _through_hosts(stage, hop, number, token, index)


def _through_hosts(stage: Stage, hop: Hop, number: int, token: str, index: int) -> Iterator[Shape]:
    """A hop over the host tree: up beside the host line, across inside the common host, down again."""
    a, b = stage.spots[hop.source], stage.spots[hop.target]
    above = [stage.spots[v] for v in hop.via if v in stage.spots]
    if not above:
        y = a.bottom + 16
        yield Line(
            points=((a.x + 8, a.bottom), (a.x + 8, y), (b.x - 8, y), (b.x - 8, b.bottom + 1)),
            stroke=token,
            width=3,
            radius=8,
            dash=DASHES[index],
            end="arrow",
            tip=11,
        )
        yield from glyphs.badge((a.x + b.x) / 2, y, str(number), token)
        return
    top = min(above, key=lambda s: s.y)
    y = top.y + top.height * (0.68 if abs(a.x - b.x) <= stage.grid.pitch * 1.5 else 0.3)
    out = stage.grid.hosts.get(hop.source, a.x) + 7
    back = stage.grid.hosts.get(hop.target, b.x) - 7
    yield Line(
        points=((out, a.y), (out, y), (back, y), (back, b.y - 1)),
        stroke=token,
        width=3,
        radius=8,
        dash=DASHES[index],
        end="arrow",
        tip=11,
    )
    yield from glyphs.badge((out + back) / 2, y, str(number), token)
