"""The one clear mistake where a layout that the picture names has nothing of this machine to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from topoviz.asked.refuse import refuse
from topoviz.drawing import suits
from topoviz.drawing.blocks import DEEPEST, Site, place, wanted
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scene import Scene, Text
from topoviz.drawing.scope import Scope
from topoviz.errors import SpecError
from topoviz.model.spelling import listed

BESIDE = ("facts", "key", "table")  # views that tell of what other views draw
IN_HINT = 5  # layouts named
SEEN = ("label", "decor")  # items of which a page may be full and show nothing


def unsuited(scene: Scene, scope: Scope, layouts: Mapping[str, Layout]) -> SpecError | None:
    """Return the mistake if nothing is drawn by the layout that the picture names; None if something is."""
    name = scope.request.layout
    hidden = suits.without_columns(_case(scope), scope.layout.block)
    if hidden:
        message = (
            f"the layout '{scope.layout.name}' stands everything in columns below each {hidden}, and all are hidden"
        )
        return refuse(scope.request, "hide", message, "layout: fabric or nested draws the rest", code="does-not-suit")
    if not name or name == "suited" or any(item.role not in SEEN for item in scene.items):
        return None
    if _draws(scope.layout.block, Site(scope=scope, layouts=layouts), scene.width):
        return None
    message = f"the layout '{name}' finds nothing to draw here"
    return refuse(scope.request, "layout", message, _hint(scope, layouts), code="does-not-suit")


def _draws(block: Block, site: Site, width: float) -> bool:
    """Return whether a view draws something; one that tells of others counts only where it is alone."""
    views = _views(block, site.layouts)
    wide = [one for one in views if one.view not in BESIDE] or views
    drawn = (place(one, site, width) for one in wide if wanted(one, site.scope))
    return any(not isinstance(shape, Text) for piece in drawn for item in piece.items for shape in item.shapes)


def _views(block: Block, layouts: Mapping[str, Layout], depth: int = 0) -> list[Block]:
    """Return the blocks that draw, with what they have from the block around them."""
    inner = [
        replace(one, of=one.of or block.of, hide=(*block.hide, *one.hide)) for one in (*block.rows, *block.columns)
    ]
    if not inner or depth > DEEPEST:
        return [block]
    return [found for one in inner for found in _views(one, layouts, depth + 1)]


def _hint(scope: Scope, layouts: Mapping[str, Layout]) -> str:
    if scope.layout.suits and all("panels" in one for one in scope.layout.suits) and not scope.panels:
        return "it draws panels: panels: [a, b]"
    found = [one[3] for one in sorted(suits.suiting(_case(scope), layouts))]
    names = list(dict.fromkeys([*found, suits.FALLBACK, "nested"]))[:IN_HINT]
    return f"{listed(names, 'or')} draws it; without layout: the first of them"


def _case(scope: Scope) -> suits.Case:
    """Return what a layout must suit, as if the picture named none."""
    root, request = suits.alone(scope.roots[0]), replace(scope.request, layout="")
    return suits.Case(topology=scope.topology, root=root, request=request, findings=scope.findings, alone=True)
