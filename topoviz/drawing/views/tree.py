"""How an algorithm goes: a ring as a circle, trees over the row of ranks, NVLS through the switch that adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from topoviz.drawing import fields
from topoviz.drawing.blocks import centred
from topoviz.drawing.compose import NOTHING, shifted
from topoviz.drawing.layout import Block
from topoviz.drawing.nvls_frames import nvls
from topoviz.drawing.scene import Box, Drawing, Item
from topoviz.drawing.scope import Scope
from topoviz.drawing.tree_lines import trees
from topoviz.drawing.views import circle
from topoviz.model.topology import Route

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "of": "what stands in the row: ranks",
        "label": "what is written on each, for example {rank}",
    }
)

MOST = 16  # ranks that are drawn; of more the first ones, and the number of all is said
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
        drawing = nvls(scope, members[:MOST], _labels(block, scope, members[:MOST]), _chips(scope), room)
    elif found:
        members = _members(scope, found)
        drawing = trees(scope, found[:2], members[:MOST], _labels(block, scope, members[:MOST]), room)
    else:
        return circle.draw(block, scope, room)
    more = len(members) - MOST
    notes = (fields.say(scope, "{count} more ranks are not drawn.", numbers={"count": str(more)}),) if more > 0 else ()
    return replace(drawing, notes=(*drawing.notes, *notes))


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
