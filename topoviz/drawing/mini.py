"""A machine in the size of a word: its GPUs, and what a highlighted route goes through, from its hops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.drawing.look import fabric_of
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.model.topology import Route

WIDTH, HEIGHT = 126.0, 62.0
IN_A_ROW, MOST = 18, 90  # GPUs that are drawn beside each other, and in all; of more there are few and their number
FEW = 4
SIGN, TALL = 12.0, 14.0
AIR = 2.5  # between GPUs that stand close
LAYERS = ("nic", "dpu", "pcie", "cpu", "nvswitch", "switch")  # from the GPUs upwards
CARDS = ("nic", "dpu")
BARS = ("nvswitch", "switch", "cpu")  # as wide as everything under them


def mini(scope: Scope, route: Route, kind: str) -> Drawing:
    """Return the picture: squares for GPUs below, one layer for each kind of thing on the way.

    A layer has as many signs as the route meets things of that kind, but a fabric of
    switches is one bar. Without anything between them the GPUs are joined in a line.
    ``kind`` is the kind of link whose hops are shown, where a route has several.
    """
    number = len(route.nodes)
    rows = -(-number // IN_A_ROW) if number <= MOST else 1
    count = -(-number // rows) if number <= MOST else FEW
    layers = _layers(scope, route, count, kind)
    sign = min(SIGN, WIDTH / count - AIR)
    tall = TALL if rows == 1 else rows * (sign + AIR) - AIR
    xs = _spread(count, WIDTH if number <= MOST else WIDTH / 2)
    top = HEIGHT - tall
    half = TALL / 2 if rows == 1 else 6.0
    steps = [top * (1 - (i + 1) / len(layers)) + half for i in range(len(layers))]
    heights = [top + min(tall, TALL) / 2, *steps]
    shapes: list[Shape] = []
    below = xs
    for (layer, many), y, under in zip(layers, heights[1:], heights, strict=False):
        places = _spread(many)
        shapes.extend(_joined(below, places, under, y, layer))
        shapes.extend(_sign(layer, x, y, WIDTH / many) for x in places)
        below = places
    if not layers:
        shapes.extend(_direct(xs, route, top))
    boxes = (*(s for s in shapes if isinstance(s, Box)), *_gpus(xs, number if number <= MOST else count, top, sign))
    items: tuple[Item, ...] = (
        Item(role="decor", layer="link", shapes=tuple(s for s in shapes if isinstance(s, Line))),
        Item(role="decor", layer="device", shapes=boxes),
    )
    if number > MOST:
        said = Text(x=WIDTH / 2 + 4, y=HEIGHT - 3, content=f"… {number:,}", size=12, fill="ink2")
        items = (*items, Item(role="label", layer="label", shapes=(said,)))
    return Drawing(width=WIDTH, height=HEIGHT, items=items)


def _gpus(xs: Sequence[float], number: int, top: float, sign: float) -> Iterator[Box]:
    """Yield a square for every GPU, row by row under the same places."""
    high = TALL if number <= len(xs) else sign
    for i in range(number):
        x, y = xs[i % len(xs)], top + i // len(xs) * (sign + AIR)
        yield Box(x=x - sign / 2, y=y, width=sign, height=high, radius=2 if sign > 8 else 1, fill="gpu")


def _layers(scope: Scope, route: Route, count: int, kind: str) -> list[tuple[str, int]]:
    """Return kinds on the way with the number of signs, from the GPUs upwards."""
    root = scope.topology.root
    met: dict[str, set[str]] = {}
    hops = [hop for hop in route.hops if hop.kind == kind] or route.hops
    for name in sorted({name for hop in hops for name in hop.via}):
        met.setdefault(root.at(name).kind, set()).add(name)
    if met.keys() & set(CARDS):
        met.pop("pcie", None)  # the switch in front of a card is not what the picture is about
    whole = ("nvswitch", "switch")
    return [(one, 1 if one in whole else min(count, len(met[one]))) for one in LAYERS if one in met]


def _spread(count: int, room: float = WIDTH) -> tuple[float, ...]:
    return tuple(room * (i + 0.5) / count for i in range(count))


def _joined(below: Sequence[float], above: Sequence[float], under: float, y: float, kind: str) -> Iterator[Line]:
    """Yield a line from each sign to the one above it; one sign above takes them all straight."""
    token = f"{fabric_of('pcie' if kind in CARDS else kind)}.line"  # a card hangs on PCIe
    width = 3.0 if kind == "nvswitch" else 2.0
    for i, x in enumerate(below):
        to = x if len(above) == 1 else above[i * len(above) // len(below)]
        points = (
            ((x, under), (x, y))
            if len(above) in {1, len(below)}
            else ((x, under), (x, (under + y) / 2), (to, (under + y) / 2), (to, y))
        )
        yield Line(points=points, stroke=token, width=width)


def _sign(kind: str, x: float, y: float, room: float) -> Box:
    fabric = fabric_of(kind)
    tall = 12.0 if kind in BARS else 10.0
    wide = room - 4 if kind in BARS or kind == "pcie" else min(SIGN, room - AIR)
    shape = "hexagon" if kind in {"nvswitch", "switch", "pcie"} else "rect"
    return Box(
        x=x - wide / 2, y=y - tall / 2, width=wide, height=tall, shape=shape, point=5, radius=1,
        fill=f"{fabric}.tint", stroke=f"{fabric}.line",
    )  # fmt: skip


def _direct(xs: Sequence[float], route: Route, under: float) -> Iterator[Line]:
    """Yield a line along the GPUs and back over them: they are joined without anything between."""
    token = f"{fabric_of(route.hops[0].kind if route.hops else '')}.line"
    top, middle = under - 16, under + 7
    yield Line(points=((xs[0], middle), (xs[-1], middle)), stroke=token, width=3)
    yield Line(points=((xs[0], middle), (xs[0], top), (xs[-1], top), (xs[-1], middle)), stroke=token, width=3, radius=6)
