"""A ring or a path in place: through the whole fabric, with the number of each hop.

The line leaves a GPU on its right half, turns inside the one bar that stands for
all chips, and arrives on the left half of the next. Hops that would lie on each
other have tracks of their own, the longer ones lower down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from topoviz.drawing import bounds, glyphs, text
from topoviz.drawing.bounds import Bounds, Point
from topoviz.drawing.census import CARDS
from topoviz.drawing.compose import free_text
from topoviz.drawing.scene import Box, Item, Line, Shape, Text
from topoviz.drawing.tiers.cast import HOST, NETWORK
from topoviz.drawing.tiers.stage import Stage
from topoviz.model.topology import Hop, Route

LANE = 8.0  # between the line of a link and the route beside it
BADGE = 11.0  # half of a number of a hop
EDGE = LANE + 6  # kept free between a line and a name
TALL = 74.0  # a host in which a route turns: two tracks, and a name between the upper one and the badges
COMPUTED = {"cpu": "CPU {index}", "pcie": "SW {index}"}
UNDER = 0.86  # of the height of a host: below its name
TURN = 0.3  # of the height of a host: where a route turns towards the host above it
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
    return (*items, *free_text(_names(stage, routes)))


def making_way(items: Iterable[Item], routes: Sequence[Item]) -> Iterator[Item]:
    """Yield the items; a plate that a route touches lies below it, one whose number it would strike out is gone."""
    pieces = [
        piece
        for item in routes
        if item.role == "route"
        for shape in item.shapes
        if isinstance(shape, Line)
        for piece in bounds.segments(shape)
    ]
    for item in items:
        plates = _plates(item)
        if not any(_struck(bounds.of_box(item.shapes[i]), pieces) for i in plates):  # type: ignore[arg-type]
            yield item
            continue
        struck = [i for i in plates if _struck(bounds.of_text(item.shapes[i + 1], safe=False), pieces)]  # type: ignore[arg-type]
        kept = tuple(shape for i, shape in enumerate(item.shapes) if not {i, i - 1} & set(struck))
        if kept:
            yield replace(item, shapes=kept, layer="device" if item.layer == "label" else item.layer)


def _struck(area: Bounds, pieces: Sequence[tuple[Point, Point]]) -> bool:
    return any(area.crossed(*piece) for piece in pieces)


def _plates(item: Item) -> list[int]:
    """Return where in an item a number on its ground stands."""
    pairs = zip(item.shapes, item.shapes[1:], strict=False)
    is_there = item.role in {"label", "link"}
    return [i for i, (box, word) in enumerate(pairs) if is_there and isinstance(box, Box) and isinstance(word, Text)]


def _hop(stage: Stage, hop: Hop, which: tuple[int, int], levels: Mapping[tuple[int, int], int]) -> Iterator[Shape]:
    a, b = stage.spots.get(hop.source), stage.spots.get(hop.target)
    if a is None or b is None:
        return
    below = (
        v for v in hop.via if v in stage.spots and (stage.unit(v).form == "strip" or stage.unit(v).kind == "nvswitch")
    )
    bar = next((stage.spots[v] for v in below), None)
    r, n = which
    token, dash = "alert" if hop.past else RINGS[r], DASHES[r]
    if hop.past and hop.kind in NETWORK:
        yield from _out_and_back(stage, hop, n + 1, r)
        return
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
    lane = LANE * (index + 1)
    up, down = _walk(stage, hop.source, hop.via, lane), _walk(stage, hop.target, hop.via[::-1], -lane)
    top = min(above, key=lambda s: s.y)
    near = abs(up[-1][0] - down[-1][0]) <= stage.grid.pitch * 1.5 or a.x < b.x
    y = top.y + top.height * (0.72 if near else 0.28)
    points = (*up, (up[-1][0], y), (down[-1][0], y), *down[::-1])
    yield Line(points=points, stroke=token, width=3, radius=8, dash=DASHES[index], end="arrow", tip=11)
    yield from glyphs.badge((up[-1][0] + down[-1][0]) / 2, y, str(number), token)


def _out_and_back(stage: Stage, hop: Hop, number: int, index: int) -> Iterator[Shape]:
    """A hop that left over the network: to the card of the sender, and from that of the receiver, each with its number."""
    for end, via, coming in ((hop.source, hop.via, False), (hop.target, hop.via[::-1], True)):
        card = next((name for name in via if stage.scope.topology.thing(name).kind in CARDS), "")
        if end not in stage.spots or card not in stage.spots:
            continue
        points = _to_card(stage, end, card, via[: via.index(card)], -LANE if coming else LANE)
        yield Line(
            points=tuple(points[::-1] if coming else points),
            stroke="alert",
            width=3,
            radius=6,
            dash=DASHES[index],
            end="arrow",
            tip=11,
        )
        (x, a), (_, b) = points[:2]
        yield from glyphs.badge(x, (a + b) / 2, str(number), "alert")


def _to_card(stage: Stage, end: str, card: str, via: Sequence[str], lane: float) -> list[tuple[float, float]]:
    """Return the corners from a GPU beside its host line to what it shares with the card, and on to the card."""
    spot, place = stage.spots[end], stage.spots[card]
    x = stage.grid.hosts.get(end, spot.x) + lane
    host = next((stage.spots[name] for name in via if name in stage.spots), None)
    if host is None:
        return [(place.x, spot.y), (place.x, place.bottom)]
    y = host.y + host.height * UNDER
    if place.y <= y <= place.bottom:  # beside it
        side = place.x - place.width / 2 if place.x > x else place.x + place.width / 2
        return [(x, spot.y), (x, y), (side, y)]
    edge = place.y if place.y > y else place.bottom
    return [(x, spot.y), (x, y), (place.x - LANE / 2, y), (place.x - LANE / 2, edge)]


def _walk(stage: Stage, end: str, via: Sequence[str], lane: float) -> list[tuple[float, float]]:
    """Return the corners from a GPU up beside its host line, and through each host on the way that has one above it."""
    spot = stage.spots[end]
    x = stage.grid.hosts.get(end, spot.x) + lane
    points = [(x, spot.y if lane > 0 else spot.y - 1)]
    for name, above in zip(via, via[1:], strict=False):
        here, higher = stage.spots.get(name), stage.spots.get(above)
        if here is None or higher is None or higher.y >= here.y:
            break
        y = here.y + here.height * TURN
        points += [(x, y), (here.x + lane, y)]
        x = here.x + lane
    return points


def crossed(routes: Sequence[Route], name: str) -> bool:
    """Return whether a route turns in a host towards another host, so that its line stands where the name would."""
    return any(name in hop.via and len(hop.via) > 1 and hop.kind in HOST for one in routes for hop in one.hops)


def host_height(routes: Sequence[Route], names: Iterable[str], height: float) -> float:
    """Return how tall hosts must be for a route that turns in them."""
    return max(height, TALL) if any(crossed(routes, name) for name in names) else height


def _names(stage: Stage, routes: Sequence[Route]) -> Iterator[Shape]:
    """Yield the names of hosts that a route turns in: of a wide one at its left end, else beside the line above it."""
    for name in dict.fromkeys(v for one in routes for hop in one.hops for v in hop.via):
        spot = stage.spots.get(name)
        if spot is None or not crossed(routes, name):
            continue
        said = stage.text(COMPUTED.get(stage.unit(name).kind, ""), unit=stage.unit(name))
        if not said:
            continue
        if stage.unit(name).kind == "cpu":
            x = _room(stage, routes, name, text.width(said, 13, bold=True))
            yield Text(x=x, y=spot.y + (spot.height - BADGE) / 2 + 4.5, content=said, size=13, bold=True, fill="ink2")
        elif not _neighboured(stage, name, spot.x + 2 * LANE, text.width(said, 12)):
            yield Text(x=spot.x + 2 * LANE, y=spot.y - 8, content=said, size=12, fill="ink2")


def _neighboured(stage: Stage, name: str, x: float, width: float) -> bool:
    """Return whether a card stands beside a host, so that its way out would strike a name above it."""
    spot = stage.spots[name]
    return any(
        other != name
        and abs(one.y + one.height / 2 - spot.y - spot.height / 2) < spot.height / 2
        and one.x - one.width / 2 < x + width
        and one.x + one.width / 2 > x
        for other, one in stage.spots.items()
    )


def _room(stage: Stage, routes: Sequence[Route], name: str, width: float) -> float:
    """Return where a name of so much width starts in a host, between the lines that come up into it."""
    spot = stage.spots[name]
    lines = sorted(
        {
            stage.grid.hosts.get(other, stage.spots[other].x)
            for one in routes
            for hop in one.hops
            for pair in zip((hop.source, *hop.via), (*hop.via, hop.target), strict=True)
            if name in pair
            for other in pair
            if other in stage.spots and stage.spots[other].y > spot.bottom
        }
    )
    left, right = spot.x - spot.width / 2, spot.x + spot.width / 2
    gaps = [(start + EDGE, end - start - 2 * EDGE) for start, end in zip((left, *lines), (*lines, right), strict=True)]
    return next((start for start, room in gaps if room >= width), max(gaps, key=lambda gap: gap[1])[0])
