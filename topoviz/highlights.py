"""What a picture highlights, found on a topology; and what it asks for that nobody draws yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from topoviz.collectives import ring
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import Plan, findings
from topoviz.drawing.blocks import DEEPEST
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scene import Scene
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic, PlanError, SpecError
from topoviz.model.ends import told
from topoviz.model.findings import Findings
from topoviz.model.routes import ranks as all_ranks
from topoviz.model.selectors import find
from topoviz.model.spec import Picture, Spec
from topoviz.model.spelling import nearest
from topoviz.model.topology import Assembly, Route, Topology
from topoviz.model.ways import Ways

PLANNED = ("ring",)
LATER = ("tree", "nvls", "collnet", "ring-2d", "direct")  # algorithms that the language knows and nobody plans yet


def finding(topology: Topology, request: Picture) -> Findings:
    """Return everything that the picture highlights, in the order of writing.

    Raises:
        SpecError: it cannot be found, or not be drawn yet; with the place in the document.
    """
    out = Findings()
    if request.panels and not topology.root.assembly.children:
        return out  # the document is nothing but its panels, and each of them highlights for itself
    for one in request.highlight:
        out = _merged(out, _one(topology, request, one))
    return out


def refuse(request: Picture, key: str, message: str, hint: str = "", code: str = "not-yet") -> SpecError:
    """Return the one mistake that a key of a picture makes, with its place where it was written."""
    mark = request.origin.mark_of(key) if request.origin is not None else None
    return SpecError([Diagnostic(message=message, mark=mark, hint=hint, code=code)])


def _merged(a: Findings, b: Findings) -> Findings:
    return Findings(
        routes=(*a.routes, *b.routes),
        loads=(*a.loads, *b.loads),
        bottleneck=(*a.bottleneck, *b.bottleneck),
        estimate=a.estimate or b.estimate,
        nodes=(*a.nodes, *b.nodes),
    )


def _one(topology: Topology, request: Picture, one: Any) -> Findings:
    if isinstance(one, Mapping):
        return _described(topology, request, one)
    word = str(one)
    named = next((route for route in topology.routes if route.name == word), None)
    if named is not None:
        return _route(topology, request, named)
    if word == "routes":
        return _routes(topology, request)
    algorithm, _, collective = word.partition(":")
    return _described(topology, request, {"algorithm": algorithm, **({"collective": collective} if collective else {})})


def _described(topology: Topology, request: Picture, wish: Mapping[str, Any]) -> Findings:
    if "path" in wish:
        return _path(topology, request, _texts(wish["path"]))
    if "nodes" in wish:
        raise refuse(
            request, "highlight", "highlighting single things is not drawn yet", "a ring, a path and routes are"
        )
    algorithm = str(wish.get("algorithm", "ring"))
    if algorithm not in PLANNED:
        raise _unplanned(topology, request, algorithm)
    if wish.get("rings"):
        raise refuse(request, "highlight", "several rings at once are not planned yet", "write them as routes")
    members = _members(topology, request, _texts(wish["ranks"])) if wish.get("ranks") else gpus(topology)
    return _planned(
        request,
        lambda: ring.plan(topology, members, str(wish.get("collective", "all-reduce")), rates=request.rates or "line"),
    )


def _unplanned(topology: Topology, request: Picture, algorithm: str) -> SpecError:
    routes = tuple(route.name for route in topology.routes)
    if algorithm in LATER:
        return refuse(
            request,
            "highlight",
            f"highlighting '{algorithm}' is not there yet",
            "ring is, and the routes of a document",
        )
    near = nearest(algorithm, (*PLANNED, "routes", *routes))
    there = f"there is ring, routes, path:A,B; routes of the document: {', '.join(routes) or 'none'}"
    hint = f"did you mean '{near}'?" if near else there
    return refuse(request, "highlight", f"unknown highlight '{algorithm}'", hint, "unknown-highlight")


def _planned(request: Picture, plan: Callable[[], Plan]) -> Findings:
    try:
        made = plan()
    except PlanError as problem:
        raise refuse(request, "highlight", str(problem), code="no-plan") from None
    return findings(made, request.size, _measured(request, made))


def _measured(request: Picture, plan: Plan) -> float | None:
    """Return the share of the line rate that was reached, also where it was written as a bandwidth (GB/s)."""
    if request.measured_rate is not None and plan.bandwidth:
        return request.measured_rate / plan.bandwidth
    return request.measured


def _route(topology: Topology, request: Picture, route: Route) -> Findings:
    if route.shape != "ring":
        return Findings(routes=(route,))
    found = _planned(request, lambda: ring.along(topology, route.nodes, rates=request.rates or "line"))
    named = tuple(replace(one, name=route.name, count=route.count) for one in found.routes)
    return replace(found, routes=named)


def _routes(topology: Topology, request: Picture) -> Findings:
    if not topology.routes:
        raise refuse(
            request, "highlight", "the document has no routes", "write some under routes:", "unknown-highlight"
        )
    return Findings(routes=topology.routes)


def _path(topology: Topology, request: Picture, texts: Sequence[str]) -> Findings:
    nodes = _members(topology, request, texts)
    if len(nodes) < 2:
        raise refuse(request, "highlight", "a path needs two things or more", code="no-path")
    ways, pairs = Ways(topology), tuple(zip(nodes, nodes[1:], strict=False))
    hops = tuple((pair, ways.hop(*pair)) for pair in pairs)
    missing = next((pair for pair, hop in hops if hop is None), None)
    if missing is not None:
        raise refuse(request, "highlight", f"no way between {missing[0]} and {missing[1]}", code="no-such-link")
    route = Route(name="path", shape="path", nodes=nodes, hops=tuple(hop for _, hop in hops if hop is not None))
    return Findings(routes=(route,), nodes=nodes)


def _members(topology: Topology, request: Picture, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of what a highlight names, as the document would mean it."""
    found: dict[str, None] = {}
    for text in texts:
        things, miss = find(topology.root, text, ranks=all_ranks(topology) if "rank" in text else ())
        if miss is not None:
            raise refuse(request, "highlight", *told(text, miss), code="matches-nothing")
        found.update(dict.fromkeys(thing.id for thing in things))
    return tuple(found)


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip()) if "[" not in value else (value,)
    return tuple(str(one) for one in value)


LAYOUTS_LATER = {"memory": "model", "mig": "mig", "groups": "job", "fault-diff": "found"}
UNHEARD = ("animate",)  # read, and without effect until somebody draws them


def refuse_cuts(topology: Topology) -> None:
    """Tell that a cut GPU cannot be drawn yet: drawn whole it would be a wrong picture.

    Raises:
        SpecError: with the place of `mig` where the document says it.
    """
    cut = next((assembly for assembly in _types(topology.root.assembly) if assembly.mig), None)
    if cut is None:
        return
    origin = topology.spec.body.origin
    mark = origin.mark_of("mig") if origin.get("mig") is not None else None
    message = f"'mig' is read but not drawn yet, so {cut.part or cut.kind} cannot be shown cut in {len(cut.mig)}"
    raise SpecError([Diagnostic(message=message, mark=mark, hint="leave it out for now", code="not-yet")])


def _types(assembly: Assembly) -> Iterator[Assembly]:
    """Yield an assembly and every type inside it."""
    yield assembly
    for inner, _ in assembly.variety:
        yield from _types(inner)


def undrawn(spec: Spec) -> tuple[Diagnostic, ...]:
    """Return a warning for what a document says of its use and no picture shows yet."""
    found = []
    for key, said in (("job", spec.job), ("model", spec.model)):
        if said:
            mark = spec.origin.key_mark(key) if spec.origin.get(key) is not None else None
            found.append(
                Diagnostic(message=f"'{key}' is read but not drawn yet", mark=mark, severity="warning", code="not-yet")
            )
    return tuple(found)


def refuse_later(request: Picture) -> None:
    """Tell what a picture asks for that is read but not drawn yet.

    Raises:
        SpecError: with the place in the document.
    """
    if request.found:
        raise refuse(request, "found", "differences are not drawn yet", "leave it out for now")
    if request.overlay:
        raise refuse(
            request, "overlay", f"overlay {', '.join(request.overlay)} is not drawn yet", "leave it out for now"
        )
    if request.layout in LAYOUTS_LATER:
        raise refuse(request, "layout", f"'{LAYOUTS_LATER[request.layout]}' is read but not drawn yet")


def unheard(requests: Sequence[Picture]) -> tuple[Diagnostic, ...]:
    """Return a warning for every key of a picture or panel that has no effect yet."""
    found: list[Diagnostic] = []
    for one in requests:
        for key in UNHEARD:
            if getattr(one, key):
                mark = one.origin.key_mark(key) if one.origin is not None else None
                message = f"'{key}' is read but has no effect yet"
                found.append(Diagnostic(message=message, mark=mark, severity="warning", code="not-yet"))
        found.extend(unheard(one.panels))
    return tuple(found)


SAY_ROUTES = ("circle", "chunks", "times")  # views that show a route or its numbers without a line


def left_out(scene: Scene, scope: Scope, layouts: Mapping[str, Layout]) -> tuple[Diagnostic, ...]:
    """Return a warning if the picture shows nothing of the routes that it was asked to highlight."""
    if _says_routes(scope.layout.block, layouts):
        return ()
    drawn = sum(item.role == "route" for item in scene.items)
    if scope.panels:
        return _in_panels(scope, drawn)
    if drawn or not scope.findings.routes:
        return ()
    origin = scope.request.origin
    message = f"highlighted and not drawn: the layout '{scope.layout.name}' has no place for routes yet"
    hint = "a server with NVSwitches has; numbers are right all the same"
    mark = origin.mark_of("highlight") if origin is not None else None
    return (Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code="not-yet"),)


def _in_panels(scope: Scope, drawn: int) -> tuple[Diagnostic, ...]:
    asked = sum(bool(panel.findings.routes) for panel in scope.panels)
    if drawn >= asked:
        return ()
    origin = scope.request.origin
    message = f"highlighted and not drawn in {asked - drawn} of {len(scope.panels)} panels: their layouts have no place for routes yet"
    mark = origin.mark_of("highlight") if origin is not None else None
    return (Diagnostic(message=message, mark=mark, severity="warning", code="not-yet"),)


def _says_routes(block: Block, layouts: Mapping[str, Layout], depth: int = 0) -> bool:
    if block.view in SAY_ROUTES or block.each == "route" or block.options.get("cell") == "route":
        return True
    inner = (layouts[block.layout].block,) if block.layout in layouts and depth < DEEPEST and not block.view else ()
    return any(_says_routes(one, layouts, depth + 1) for one in (*block.rows, *block.columns, *inner))
