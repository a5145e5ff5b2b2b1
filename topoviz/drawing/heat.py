"""How busy every drawn link is: five fixed steps of 20 %, and two triangles that pinch the narrowest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Cells, Drawing, Item, Line, Shape
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Load

STEPS = 5
LEAST = 3.5  # width of a line whose colour can still be told
CASING = 2.4
MOST_PINCHED = 8  # bottlenecks that are marked; more of them are all the same and told in words
TIP = 12.0  # depth and width of a triangle
SPARE = 3.0  # from the line to the triangle
RAIL = "rail"  # the other end of a line that runs past many servers
SHORTEST = 14.0  # a piece of line with room for the triangles


def heated(drawing: Drawing, scope: Scope) -> Drawing:
    """Return the drawing with its links coloured by load; the same if no load is asked for or known.

    A link that carries nothing turns pale. A bundle that stands for several links
    shows the busiest of them, in its busier direction.
    """
    asked = set(scope.request.overlay)
    if not asked & {"load", "bottleneck"} or not scope.findings.loads:
        return drawing
    book = Book(scope.findings.loads)
    items = [_heated(item, book, scope.lang) for item in drawing.items] if "load" in asked else list(drawing.items)
    if "bottleneck" in asked:
        items.extend(pinches(drawing.items, Book(scope.findings.bottleneck)))
    return replace(drawing, items=tuple(items))


class Book:
    """Loads by the two ends of a link, whichever direction is busier."""

    def __init__(self, loads: Sequence[Load]) -> None:
        self._pairs: dict[frozenset[str], float] = {}
        self._ends: dict[tuple[str, str], float] = {}
        for one in loads:
            pair = frozenset((one.source, one.target))
            self._pairs[pair] = max(self._pairs.get(pair, 0.0), one.load)
            for end in pair:
                key = (end, one.kind)
                self._ends[key] = max(self._ends.get(key, 0.0), one.load)

    def load(self, item: Item) -> float | None:
        """Return the load of a drawn link, 0 to 1; None if nothing runs over it.

        A line that bridges a hidden switch has no link of its own: its lower end tells.
        """
        data = dict(item.data)
        source, target, kind = data.get("source", ""), data.get("target", ""), data.get("kind", "")
        found = self._pairs.get(frozenset((source, target)))
        if found is not None:
            return found
        if target == RAIL:
            return self._ends.get((source, kind))
        inside = self._within(source, target)
        if inside is not None:
            return inside
        ends = [self._ends.get((end, kind)) for end in (source, target)]
        both = [one for one in ends if one is not None]
        return min(both) if len(both) == 2 else None

    def _within(self, source: str, target: str) -> float | None:
        """Return the greatest load between what two containers hold."""
        found = [
            load
            for pair, load in self._pairs.items()
            if len(pair) == 2
            for a, b in (sorted(pair), sorted(pair, reverse=True))
            if _inside(a, source) and _inside(b, target)
        ]
        return max(found, default=None)


def _inside(name: str, container: str) -> bool:
    return bool(container) and (name == container or name.startswith(f"{container}/"))


def step(load: float) -> str:
    """Return the token of a load.

    >>> step(0.1), step(0.5), step(0.94), step(1.0)
    ('load.0', 'load.2', 'load.4', 'load.4')
    """
    return f"load.{min(STEPS - 1, int(load * STEPS + 1e-9))}"


def _heated(item: Item, book: Book, lang: str) -> Item:
    if item.role != "link":
        return item
    load = book.load(item)
    if load is None:
        return replace(item, shapes=tuple(_pale(shape) for shape in item.shapes))
    shapes: list[Shape] = []
    for shape in item.shapes:
        shapes.extend(_cased(shape, step(load)) if isinstance(shape, Line) else [shape])
    data = (*item.data, ("load", f"{load:.3g}"))
    title = fill("{what}, {percent} % busy", {"what": item.title, "percent": f"{100 * load:.0f}"}, lang)
    return replace(item, shapes=tuple(shapes), data=data, title=title if item.title else "")


def _pale(shape: Shape) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, stroke="ghost")
    return replace(shape, fill="ghost") if isinstance(shape, Cells) else shape


def _cased(line: Line, token: str) -> tuple[Line, Line]:
    width = max(LEAST, line.width)
    inner = replace(line, stroke=token, width=width, dash=(), start="", end="")
    return replace(inner, stroke="casing", width=width + CASING), inner


def pinches(items: Sequence[Item], narrowest: Book) -> tuple[Item, ...]:
    """Return two facing triangles at each drawn link that is as narrow as the narrowest; none if they are many."""
    pinched = [item for item in items if item.role == "link" and narrowest.load(item) is not None]
    if len(pinched) > MOST_PINCHED:
        return ()
    found = [shapes for item in pinched if (shapes := tuple(_pinch(item)))]
    return (Item(role="decor", layer="route", shapes=tuple(s for some in found for s in some)),) if found else ()


def _pinch(item: Item) -> Iterator[Line]:
    """Yield the triangles at the longest straight piece of a link, as arrows whose tip is all of them."""
    lines = [shape for shape in item.shapes if isinstance(shape, Line) and not shape.curve]
    pieces = [(a, b, line) for line in lines for a, b in zip(line.points, line.points[1:], strict=False)]
    if not pieces:
        return
    (ax, ay), (bx, by), line = max(
        pieces, key=lambda piece: hypot(piece[1][0] - piece[0][0], piece[1][1] - piece[0][1])
    )
    length = hypot(bx - ax, by - ay)
    if length < SHORTEST:
        return
    others = [piece for piece in pieces if piece[2] is not line]
    x, y = (ax + bx) / 2, (ay + by) / 2
    nx, ny = (by - ay) / length, (ax - bx) / length
    aside = [abs((p[0] - x) * nx + (p[1] - y) * ny) for a, b, _ in others for p in (a, b)]
    off = max([line.width / 2, *aside]) + CASING / 2 + SPARE if len(lines) <= 3 else line.width / 2 + SPARE
    for side in (-1, 1):
        tip = (x + side * nx * off, y + side * ny * off)
        tail = (tip[0] + side * nx * TIP, tip[1] + side * ny * TIP)
        yield Line(points=(tail, tip), stroke="alert", width=1.5, end="arrow", tip=TIP)
