"""Differences in a picture: what is as expected turns grey, what differs is told by sign, weight and a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from topoviz.drawing import bounds
from topoviz.drawing.bounds import Bounds
from topoviz.drawing.mark_numbers import number
from topoviz.drawing.scene import Box, Cells, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.signs import cross, middle, outline
from topoviz.drawing.words import SCALE_UP
from topoviz.model.findings import Difference

NUMBERED = 9  # differences with a number; the others are marks without one
MISSING = (4.0, 3.0)  # dash of what is not there
OUTSIDE = 2.5  # from the outline of a thing to the one that says it differs
HOSTS = "tiers"  # the view that shows what GPUs hang on
MESHES = ("mesh", "torus")
SHARED = ("switch", "nvswitch")  # many hang on these, so that a number beside the other end says more


def between_gpus(one: Difference, scope: Scope) -> bool:
    """Return whether a difference is about a link that joins two GPUs directly."""
    things = [scope.topology.thing(name) for name in one.ends[:2]]
    return one.kind in SCALE_UP and len(things) == 2 and all(thing.kind == "gpu" for thing in things)


def marked(drawing: Drawing, scope: Scope, *, meshed: bool = False) -> Drawing:
    """Return the drawing with the differences of the scope marked; the same if nothing was compared.

    ``meshed``: another view of the picture shows the links between GPUs, so that this one need not.
    """
    found = scope.findings.differences
    if found is None or not any(item.role in {"node", "link"} for item in drawing.items):
        return drawing
    told = tuple(one for one in found.items if not (meshed and between_gpus(one, scope)))
    drawn = frozenset(dict(item.data).get("id", "") for item in drawing.items if item.role == "node")
    told = tuple(replace(_seen(one, drawn), also=tuple(_seen(other, drawn) for other in one.also)) for one in told)
    singly = tuple(each for one in told for each in one.every)
    items = [_grey(item) for item in drawing.items]
    gone = frozenset(name for one in found.items for each in one.every if each.what == "missing" for name in each.nodes)
    items = [_severed(item, gone) for item in items]
    extra: list[Item] = []
    for one in singly:
        lined = any(item.role == "link" and _is_about(item, one) for item in items)
        items = [_changed(item, one, lined=lined) for item in items]
        items = _counted(items, one)
        extra.extend(_elsewhere(items, one))
    items.extend(extra)
    badges: list[Item] = []
    for one in [one for one in told if one.number <= NUMBERED]:
        badges.extend(_number(items, badges, one, drawing))
    return replace(drawing, items=(*items, *badges))


def _seen(one: Difference, drawn: frozenset[str]) -> Difference:
    """Return the difference about what is drawn: for a thing that is not, the nearest one round it."""

    def holder(name: str) -> str:
        here = name
        while here and here not in drawn:
            here = here.rpartition("/")[0]
        return here or name

    nodes = tuple(dict.fromkeys(map(holder, one.nodes)))
    inside = one.what in {"missing", "extra"} and one.unit == "thing" and nodes != one.nodes
    what = "less" if inside else one.what  # its holder is still there
    return replace(one, what=what, nodes=nodes, ends=tuple(map(holder, one.ends)))


def _grey(item: Item) -> Item:
    """Return an item without its hue; GPUs stay dark, so that they can be counted."""
    if item.layer == "enclosure" or (item.role == "node" and item.kind == "gpu"):
        return item
    return replace(item, shapes=tuple(_pale(shape, item) for shape in item.shapes))


def _pale(shape: Shape, item: Item) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, stroke="ghost")
    if isinstance(shape, Text):
        return replace(shape, fill="ink3") if item.role in {"node", "link"} or shape.fill.endswith(".text") else shape
    if isinstance(shape, Cells):
        return shape if shape.fill == "gpu" else replace(shape, fill="ghost")
    if item.role == "label" or shape.fill in {"bg", "surf", "gpu"}:
        return shape
    if shape.fill.endswith(".line"):
        return replace(shape, fill="ghost")
    return replace(shape, fill="surf" if shape.fill else "", stroke="ghost" if shape.stroke else "")


def _severed(item: Item, gone: frozenset[str]) -> Item:
    """Return the links of a missing thing as missing."""
    data = dict(item.data)
    if item.role != "link" or not {data.get("source"), data.get("target")} & gone:
        return item
    return replace(item, shapes=tuple(_dashed(shape) for shape in item.shapes))


def _dashed(shape: Shape) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, stroke="alert", width=1.5, dash=MISSING, start="", end="")
    return shape


def _is_about(item: Item, one: Difference) -> bool:
    data = dict(item.data)
    if item.role == "link":
        return len(one.ends) >= 2 and {data.get("source"), data.get("target")} == set(one.ends[:2])
    return item.role == "node" and data.get("id") in one.nodes


def _changed(item: Item, one: Difference, *, lined: bool) -> Item:
    """Return the item with the sign of a difference, if it is about the item."""
    if not _is_about(item, one) or one.what == "extra":
        return item
    if item.role == "link":
        if one.found == "0" or one.unit == "end":
            shapes = tuple(_dashed(shape) for shape in item.shapes)
            return replace(item, shapes=(*shapes, *cross(middle(item, 0.5 if one.unit != "end" else 0.25))))
        return _fewer(item, one)
    return _thing(item, one, lined=lined)


def _fewer(item: Item, one: Difference) -> Item:
    """Return the link in the colour of a difference; where each link has its own stroke, only those that are missing."""
    strokes = sum(isinstance(shape, Line) for shape in item.shapes)
    is_each = one.unit == "links" and one.what == "less" and strokes == int(one.expected) > 1
    left = int(one.found) if is_each else 0
    out: list[Shape] = []
    for shape in item.shapes:
        left -= isinstance(shape, Line)
        if not isinstance(shape, Line) or (is_each and left >= 0):
            out.append(shape)
        else:
            out.append(_dashed(shape) if is_each else replace(shape, stroke="alert"))
    return replace(item, shapes=tuple(out))


def _thing(item: Item, one: Difference, *, lined: bool) -> Item:
    body = next((shape for shape in item.shapes if isinstance(shape, Box)), None)
    if body is None:
        return item
    if one.what == "missing" and item.layer != "enclosure":
        empty = replace(body, fill="bg", stroke="alert", stroke_width=1.5, dash=MISSING)
        rest = tuple(replace(s, fill="ink2") if isinstance(s, Text) else s for s in item.shapes if s is not body)
        return replace(item, shapes=(empty, *(s for s in rest if not isinstance(s, Box))))
    if lined and one.unit != "end":
        return item  # the link says it, and its ends are as they should be
    return replace(item, shapes=(*item.shapes, outline(body, "alert", OUTSIDE)))


def _counted(items: Sequence[Item], one: Difference) -> list[Item]:
    """Return the items with the number of a bundle replaced by what was found, where that number stands on its line."""
    line = next((item for item in items if item.role == "link" and _is_about(item, one)), None)
    if line is None or one.unit != "links" or one.found == "0":
        return list(items)
    box = _on_line(line)
    return [
        replace(item, shapes=tuple(_found_number(shape, one, box) for shape in item.shapes))
        if item.role == "label"
        else item
        for item in items
    ]


def _on_line(item: Item) -> Bounds:
    points = [point for shape in item.shapes if isinstance(shape, Line) for point in shape.points]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Bounds(min(xs) - 3, min(ys), max(xs) + 3, max(ys))


def _found_number(shape: Shape, one: Difference, line: Bounds) -> Shape:
    if isinstance(shape, Text) and shape.content == one.expected and line.has((shape.x, shape.y)):
        return replace(shape, content=one.found, bold=True, fill="alert")
    return shape


def _places(items: Sequence[Item]) -> Mapping[str, Box]:
    """Return the outline of every drawn thing."""
    return {
        dict(item.data)["id"]: shape
        for item in items
        if item.role == "node" and "id" in dict(item.data)
        for shape in item.shapes[:1]
        if isinstance(shape, Box)
    }


def _elsewhere(items: Sequence[Item], one: Difference) -> Iterator[Item]:
    """Yield the line of a cable that leads elsewhere, or that nobody expected."""
    ends = (one.ends[0], one.ends[2]) if one.unit == "end" and len(one.ends) > 2 else one.ends[:2]
    if len(ends) < 2 or one.what not in {"moved", "extra"}:
        return
    places = _places(items)
    if not set(ends) <= set(places):
        return
    low, high = sorted((places[name] for name in ends), key=lambda box: -box.y)
    if low.y <= high.y + high.height:
        return
    words = [bounds.of_text(s) for item in items for s in item.shapes if isinstance(s, Text)]
    ways = list(_ways(low, high))
    points = min(ways, key=lambda way: _struck(way, words))
    end = points[-1]
    line = Line(points=points, stroke="alert", width=3, radius=8)
    port = Box(x=end[0] - 3.5, y=end[1] - 2.5, width=7, height=5, fill="alert")
    data = (("source", ends[0]), ("target", ends[1]), ("kind", one.kind), ("links", one.found), ("bandwidth", ""))
    yield Item(role="link", layer="link", kind=one.kind, shapes=(line, port), data=data, of=tuple(ends))


def _ways(low: Box, high: Box) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield ways from a box to one above it: with the turn at several heights, and to several places of the upper one."""
    top, bottom = low.y, high.y + high.height
    for share in (0.5, 0.7, 0.85, 0.3):
        turn = top + (bottom - top) * share
        for aside in (-10.0, 10.0, 0.36 * high.width, -0.36 * high.width):
            for out in (8.0, -8.0):
                x, end = low.x + low.width / 2 + out, high.x + high.width / 2 + aside
                yield ((x, top), (x, turn), (end, turn), (end, bottom))


def _struck(way: Sequence[tuple[float, float]], words: Sequence[Bounds]) -> int:
    return sum(word.crossed(a, b) for word in words for a, b in pairwise(way))


def _number(items: Sequence[Item], badges: Sequence[Item], one: Difference, drawing: Drawing) -> Iterator[Item]:
    """Yield the number of a difference beside its sign; of several that are alike at the first that is drawn."""
    new = [
        item
        for item in items
        if item.role == "link" and one.unit == "end" and _ends(item) == {one.ends[0], one.ends[2]}
    ]
    about = [*new, *(item for item in items if _is_about(item, one))]
    about.sort(key=lambda item: (item.role != "link" if one.ends else item.role == "link", item.kind in SHARED))
    yield from number(about, items, badges, str(one.number), drawing)


def _ends(item: Item) -> set[str]:
    data = dict(item.data)
    return {data.get("source", ""), data.get("target", "")}
