"""A ring or a path in place: through the whole fabric, with the number of each hop.

The line leaves a GPU on its right half, turns inside the one bar that stands for
all chips, and arrives on the left half of the next. Hops that would lie on each
other have tracks of their own, the longer ones lower down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from topoviz.drawing import glyphs
from topoviz.drawing.scene import Item, Line, Shape
from topoviz.drawing.tiers.stage import Stage
from topoviz.model.topology import Hop, Route

TRACK = 22.0  # first track below the bar's upper edge
NEXT = 34.0  # from one track to the next
RINGS = ("ring.a", "ring.b", "ring.c", "ring.d")
DASHES: tuple[tuple[float, ...], ...] = ((), (10, 4), (4, 3), (12, 3, 3, 3))


def tracks(routes: Sequence[Route], x: Mapping[str, float], glyph: float) -> Mapping[tuple[int, int], int]:
    """Return the track of each hop (route, hop), 0 on top; shorter hops above longer ones, none over another.

    ``x`` are the middles of the columns, ``glyph`` their width.
    """
    side = _side(glyph)
    out: dict[tuple[int, int], int] = {}
    first = 0
    for r, route in enumerate(routes[: len(RINGS)]):
        spans = {
            n: tuple(sorted((x[hop.source] + side, x[hop.target] - side)))
            for n, hop in enumerate(route.hops)
            if hop.source in x and hop.target in x
        }
        taken: list[list[tuple[float, ...]]] = []
        for n, span in sorted(spans.items(), key=lambda item: (round(item[1][1] - item[1][0], 1), item[0])):
            free = (k for k, row in enumerate(taken) if all(span[0] > o[1] + 4 or span[1] < o[0] - 4 for o in row))
            k = next(free, len(taken))
            if k == len(taken):
                taken.append([])
            taken[k].append(span)
            out[r, n] = first + k
        first += len(taken)
    return out


def _side(glyph: float) -> float:
    return min(19.0, glyph / 2 - 6)


def _apart(count: int) -> float:
    return NEXT if count <= 3 else 24.0


def bar_height(routes: Sequence[Route], x: Mapping[str, float], glyph: float) -> float:
    """Return how tall the one bar must be for the tracks of the routes."""
    count = max(tracks(routes, x, glyph).values(), default=0) + 1
    return 2 * TRACK + _apart(count) * (count - 1) - 4


def draw(stage: Stage, routes: Sequence[Route]) -> tuple[Item, ...]:
    """Return one item per route, drawn through bars below the columns or, without any, over the host tree."""
    x = {column: stage.spots[column].x for column in stage.columns if column in stage.spots}
    levels = tracks(routes, x, stage.grid.glyph)
    items: list[Item] = []
    for r, route in enumerate(routes[: len(RINGS)]):
        shapes = [shape for n, hop in enumerate(route.hops) for shape in _hop(stage, hop, (r, n), levels)]
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


def _hop(stage: Stage, hop: Hop, which: tuple[int, int], levels: Mapping[tuple[int, int], int]) -> Iterator[Shape]:
    a, b = stage.spots.get(hop.source), stage.spots.get(hop.target)
    if a is None or b is None:
        return
    below = (
        v for v in hop.via if v in stage.spots and (stage.unit(v).form == "strip" or stage.unit(v).kind == "nvswitch")
    )
    bar = next((stage.spots[v] for v in below), None)
    r, n = which
    token, dash = RINGS[r], DASHES[r]
    if bar is None or which not in levels:
        yield from _through_hosts(stage, hop, n + 1, token, r)
        return
    side = _side(a.width) - 6 * r
    y = bar.y + TRACK + _apart(max(levels.values()) + 1) * levels[which]
    points = ((a.x + side, a.bottom), (a.x + side, y), (b.x - side, y), (b.x - side, b.bottom + 1))
    yield Line(points=points, stroke=token, width=4, radius=12, dash=dash, end="arrow", tip=13)
    yield from glyphs.badge((a.x + b.x) / 2, y, str(n + 1), token)


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
