"""A warning for what was asked for and is not in the picture."""

from __future__ import annotations

from collections.abc import Mapping

from topoviz.drawing.arrange import WIDTH
from topoviz.drawing.blocks import DEEPEST
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scene import Scene
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic
from topoviz.model.spelling import listed

IN_TURN = 2  # steps; of one there is no turn
SAY_ROUTES = (
    "circle",
    "chunks",
    "steps",
    "times",
    "timeline",
    "tree",
)  # views that show a route or its numbers without a line


def left_out(scene: Scene, scope: Scope, layouts: Mapping[str, Layout]) -> tuple[Diagnostic, ...]:
    """Return a warning if the picture shows nothing of the routes that it was asked to highlight."""
    if _says_routes(scope.layout.block, layouts, several=len(scope.findings.routes) > 1):
        return ()
    if any(name == "load" for item in scene.items for name, _ in item.data):
        return ()  # the load of its links says where a route goes
    drawn = sum(item.role == "route" for item in scene.items)
    if scope.panels:
        return _in_panels(scope, drawn)
    if drawn or not scope.findings.routes:
        return ()
    origin = scope.request.origin
    message = f"highlighted and not drawn: the layout '{scope.layout.name}' has no place for routes yet"
    hint = "without layout one is chosen that has; numbers are right all the same"
    mark = origin.mark_of("highlight") if origin is not None else None
    return (Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code="not-drawn"),)


def not_pointed(scene: Scene, scope: Scope) -> tuple[Diagnostic, ...]:
    """Return a warning if things that the picture was to point out are not drawn one by one."""
    drawn = {value for item in scene.items if item.role == "node" for name, value in item.data if name == "id"}
    missing = [name for name in scope.findings.outlined if name not in drawn]
    if not missing:
        return ()
    origin = scope.request.origin
    message = f"highlighted and not drawn one by one: {listed(missing, 'and')}"
    hint = f"the layout '{scope.layout.name}' leaves them out or draws them as one; layout: nested has a box for each"
    mark = origin.mark_of("highlight") if origin is not None else None
    return (Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code="not-drawn"),)


def widened(scene: Scene, scope: Scope) -> tuple[Diagnostic, ...]:
    """Return a warning if the picture had to become wider than it was to be."""
    request = scope.request
    asked = request.width or WIDTH
    if scene.width <= asked + 0.5:
        return ()
    enlarged = f" at scale {request.scale:g}" if request.scale else ""
    message = f"{asked:g} is too narrow for this picture{enlarged}: it is drawn {scene.width:g} wide"
    key = "width" if request.width else "scale"
    mark = request.origin.mark_of(key) if request.origin is not None else None
    hint = "hide: leaves things out, a smaller scale: makes them smaller"
    return (Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code="too-narrow"),)


def still(scene: Scene, scope: Scope) -> tuple[Diagnostic, ...]:
    """Return a warning if the picture was to show steps in turn and has none."""
    steps = {value for item in scene.items for name, value in item.data if name == "step"}
    if not scene.animate or len(steps) >= IN_TURN:
        return ()
    origin = scope.request.origin
    message = f"animate has no effect: the layout '{scope.layout.name}' has no steps to show in turn"
    mark = origin.key_mark("animate") if origin is not None else None
    hint = "layout: steps has, with highlight: ring"
    return (Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code="not-drawn"),)


def _in_panels(scope: Scope, drawn: int) -> tuple[Diagnostic, ...]:
    asked = sum(bool(panel.findings.routes) for panel in scope.panels)
    if drawn >= asked:
        return ()
    origin = scope.request.origin
    message = f"highlighted and not drawn in {asked - drawn} of {len(scope.panels)} panels: their layouts have no place for routes yet"
    mark = origin.mark_of("highlight") if origin is not None else None
    return (Diagnostic(message=message, mark=mark, severity="warning", code="not-drawn"),)


def _says_routes(block: Block, layouts: Mapping[str, Layout], depth: int = 0, *, several: bool = True) -> bool:
    """Whether a view says routes without a line; one picture for each is drawn only for ``several``, if it says so."""
    if block.view in SAY_ROUTES or block.options.get("cell") == "route":
        return True
    if block.each == "route" and (several or "routes" not in block.when):
        return True
    inner = (layouts[block.layout].block,) if block.layout in layouts and depth < DEEPEST and not block.view else ()
    blocks = (*block.rows, *block.columns, *inner)
    return any(_says_routes(one, layouts, depth + 1, several=several) for one in blocks)
