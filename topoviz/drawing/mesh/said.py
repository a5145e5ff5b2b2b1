"""What is written on GPUs that are joined directly, and what of the picture is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topoviz.drawing import fields
from topoviz.drawing.mesh import direct

if TYPE_CHECKING:
    from topoviz.drawing.layout import Block
    from topoviz.drawing.mesh.direct import Direct
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Route

HOSTS = ("tiers", "nested")  # views that show what the GPUs hang on


def labels(
    block: Block, scope: Scope, found: Direct, routes: Sequence[Route], *, short: bool = False
) -> tuple[str, ...]:
    """Return what is written on each: as the layout says, else its name, where it has to be ``short`` its number.

    ``{position}`` is the place in the only route, ``{rank}`` the place in the document,
    ``{mark}`` the shortest word that tells it apart.
    """
    template = block.options.get("label", "")
    marks = direct.marks(found.things)
    if not template:
        return marks if short else direct.names(found.things, scope.lang)
    nodes = routes[0].nodes if len(routes) == 1 else ()
    said = []
    for place, thing in enumerate(found.things):
        position = str(nodes.index(thing.id)) if thing.id in nodes else ""
        numbers = {"rank": str(place), "mark": marks[place], "position": position}
        said.append(fields.say(scope, template, things=(thing,), numbers=numbers))
    return tuple(said)


def not_drawn(scope: Scope, found: Direct, elsewhere: int) -> tuple[str, ...]:
    """Return what is not drawn: hops over other things, and the host, where no other view of the layout shows it."""
    if _has(scope.layout.block, HOSTS):
        return ()
    hops = (f"left-out: {elsewhere} hop",) if elsewhere else ()
    kinds = dict.fromkeys(thing.kind for root in scope.roots for thing in root.walk() if not thing.assembly.children)
    counts = {kind: sum(scope.topology.count(kind, root) for root in scope.roots) for kind in kinds}
    kept = {thing.kind for thing in found.things}
    return (*hops, *(f"left-out: {number} {kind}" for kind, number in counts.items() if kind not in kept))


def _has(block: Block, views: Sequence[str]) -> bool:
    return block.view in views or any(_has(one, views) for one in (*block.rows, *block.columns))
