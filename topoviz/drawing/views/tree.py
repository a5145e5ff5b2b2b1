"""How an algorithm goes: a ring as a circle, trees over the row of ranks, NVLS through the switch that adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.drawing import amounts, fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.blocks import centred
from topoviz.drawing.compose import NOTHING, below, free_text, shifted
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import fill
from topoviz.drawing.nvls_frames import nvls
from topoviz.drawing.ring_boxes import MANY, boxes_of, contracted
from topoviz.drawing.scene import Box, Drawing, Item, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.tree_levels import upper
from topoviz.drawing.tree_lines import trees
from topoviz.drawing.views import circle
from topoviz.drawing.words import COUNTED
from topoviz.model.topology import Route, Thing

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "of": "what stands in the row: ranks",
        "label": "what is written on each, for example {rank}",
    }
)

MOST = 16  # ranks that are numbered; more are marks
ALIKE = "{count} more ranks do the same and are not drawn."
ROW = "{count} ranks, rank 0 at the left."
SQUARES = "A square is one of {value} with {count} GPUs, which add up among themselves."
NEAREST = "Drawn are the {count} of {row} ranks that are nearest to the roots; the trees go on below them."
BESIDE = "The first two of {count} trees; the others run beside them."
FIRST = "The first two of {count} trees, over {row} of {to.count} GPUs; the others run beside them."
EDGE = 12.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:
    """Return the highlighted algorithm on a plate; nothing if nothing is highlighted."""
    routes = scope.findings.routes
    if not routes:
        return NOTHING
    room = width - 2 * EDGE
    inner = _inner(block, scope, routes, room)
    if not inner.height:
        return NOTHING
    tall = max(inner.height + 2 * EDGE, height or 0)
    plate = Box(x=0, y=0, width=width, height=tall, radius=5, fill="surf", stroke="frame", stroke_width=1)
    back = Item(role="decor", layer="enclosure", shapes=(plate,))
    body = shifted(centred(inner, room), EDGE, (tall - inner.height) / 2)
    return Drawing(width=width, height=tall, items=(back, *body), notes=inner.notes)


def _inner(block: Block, scope: Scope, routes: Sequence[Route], room: float) -> Drawing:
    estimate = scope.findings.estimate
    found = tuple(route for route in routes if route.shape == "tree")
    if estimate is not None and estimate.algorithm == "nvls":
        members = _members(scope, routes)
        drawing = nvls(
            scope, members[:MOST], _labels(block, scope, members[:MOST]), _chips(scope), room, everybody=len(members)
        )
        more = len(members) - MOST
        return _with(drawing, [(ALIKE, {"count": str(more)})] if more > 0 else [], scope, room)
    if found:
        return _trees(block, scope, found, room)
    return circle.draw(block, scope, room)


def _trees(block: Block, scope: Scope, found: Sequence[Route], room: float) -> Drawing:
    """Return the first two trees; of very many ranks what holds them stands in the row. What is left out is said."""
    members, drawn = _members(scope, found), tuple(found[:2])
    inside = {node for route in drawn for node in route.nodes}
    members, everybody = tuple(name for name in members if name in inside), len(members)
    said: list[tuple[str, dict[str, str]]] = []
    if len(found) > len(drawn):
        numbers = {"count": amounts.count(len(found)), "row": amounts.count(len(members))}
        all_of_them = len(members) == everybody
        said.append((BESIDE if all_of_them else FIRST, {**numbers, "to.count": amounts.count(everybody)}))
    boxes = boxes_of(members, scope) if len(members) > MANY else ()
    small = tuple(one for route in drawn if (one := contracted(route, boxes)) is not None) if boxes else ()
    if len(small) == len(drawn):
        counts = [count for _, count in boxes]
        held = amounts.count(min(counts), max(counts))
        said.insert(0, (SQUARES, {"count": held, "value": _counted(boxes, scope)}))
        drawn, members = small, tuple(thing.id for thing, _ in boxes)
    elif len(members) > MANY:
        drawn = tuple(upper(route, MANY // len(drawn)) for route in drawn)
        near = {node for route in drawn for node in route.nodes}
        said.insert(0, (NEAREST, {"count": amounts.count(len(near)), "row": amounts.count(len(members))}))
        members = tuple(name for name in members if name in near)
    elif len(members) > MOST:
        said.insert(0, (ROW, {"count": str(len(members))}))
    total = sum(route.count for route in found)
    drawing = trees(scope, drawn, members, _labels(block, scope, members), room, total=total)
    return _with(drawing, said, scope, room)


def _counted(boxes: Sequence[tuple[Thing, int]], scope: Scope) -> str:
    kind = boxes[0][0].kind
    return fill(COUNTED.get(kind, "{count} × {name}"), {"count": str(len(boxes)), "name": kind}, scope.lang)


def _with(drawing: Drawing, said: Sequence[tuple[str, Mapping[str, str]]], scope: Scope, room: float) -> Drawing:
    """Return the drawing with sentences below it."""
    texts = [fields.say(scope, template, numbers=numbers) for template, numbers in said]
    lines = [line for text in texts for line in type_setting.wrap(text, room, 12, 3)]
    if not lines:
        return drawing
    words = [Text(x=0, y=12 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(lines)]
    wide = max(drawing.width, *(type_setting.width(line, 12) for line in lines))
    return below([drawing, Drawing(width=wide, height=16 * len(lines), items=free_text(words))], [10.0])


def _members(scope: Scope, routes: Sequence[Route]) -> tuple[str, ...]:
    """Return the ranks in their order; of routes that a person wrote, their members in the order of the document."""
    estimate = scope.findings.estimate
    if estimate is not None and estimate.ranks:
        return estimate.ranks
    named = dict.fromkeys(node for route in routes for node in route.nodes)
    return tuple(thing.id for thing in scope.topology.root.walk() if thing.id in named)


def _labels(block: Block, scope: Scope, members: Sequence[str]) -> tuple[str, ...]:
    template = block.options.get("label", "{rank}")
    return tuple(fields.say(scope, template, numbers={"rank": str(i), "index": str(i)}) for i, _ in enumerate(members))


def _chips(scope: Scope) -> int:
    return len({node for route in scope.findings.routes for hop in route.hops for node in hop.via}) or 1
