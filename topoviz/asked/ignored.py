"""A warning for each wish about what is drawn, and in which order, that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from topoviz.drawing.blocks import Site, flat, included
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scene import Scene
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic
from topoviz.model.names import written_out
from topoviz.model.selectors import pick
from topoviz.model.topology import Thing

WISHES = ("hide", "fold", "unfold", "order")
ORDERED = ("tiers", "nested")  # views that stand things in the order of `order`


def ignored(scene: Scene, scope: Scope, layouts: Mapping[str, Layout]) -> tuple[Diagnostic, ...]:
    """Return what of `hide`, `fold`, `unfold` and `order` finds nothing or is not followed; panels have their own."""
    if scope.panels:
        return ()
    return (*_unmatched(scope), *_unfolded(scene, scope), *_unordered(scope, layouts))


def _unmatched(scope: Scope) -> Iterator[Diagnostic]:
    for key in WISHES:
        for word in getattr(scope.request, key):
            if not _things(scope, word):
                yield _told(scope, key, f"{key}: '{word}' matches nothing here", code="matches-nothing")


def _things(scope: Scope, word: str) -> list[Thing]:
    return [thing for name in written_out(word) for thing in pick(scope.topology, scope.roots, name)]


def _unfolded(scene: Scene, scope: Scope) -> Iterator[Diagnostic]:
    """Yield the words of `fold` of which something is still drawn by itself, or with what is in it."""
    drawn = {dict(item.data).get("id", ""): item for item in scene.items if item.role == "node"}
    holders = {name.rpartition("/")[0] for name in drawn}
    for word in scope.request.fold:
        things = _things(scope, word)
        alone = [t for t in things if t.id in drawn and not t.children and "count" not in dict(drawn[t.id].data)]
        if alone or any(thing.id in holders for thing in things):
            hint = (
                "a layout folds whole rows, such as all switches of a kind, and servers; layout: nested folds any box"
            )
            yield _told(scope, "fold", f"fold: '{word}' is drawn in full by the layout '{scope.layout.name}'", hint)


def _unordered(scope: Scope, layouts: Mapping[str, Layout]) -> Iterator[Diagnostic]:
    views = {one.view for one in _blocks(scope.layout.block, Site(scope=scope, layouts=layouts))}
    if scope.request.order and not views & set(ORDERED):
        yield _told(scope, "order", f"order has no effect: the layout '{scope.layout.name}' has an order of its own")


def _blocks(block: Block, site: Site) -> Iterator[Block]:
    """Yield the blocks that draw, those of included layouts too."""
    yield from flat(block)
    if block.layout:
        for inner in included(block, site):
            yield from flat(inner)
    for child in (*block.rows, *block.columns):
        if child.layout:
            yield from _blocks(child, site)


def _told(scope: Scope, key: str, message: str, hint: str = "", code: str = "not-drawn") -> Diagnostic:
    origin = scope.request.origin
    mark = origin.mark_of(key) if origin is not None else None
    return Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code=code)
