"""What a picture highlights: an algorithm, a route of the document, a path, things."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from topoviz import planning
from topoviz.asked.refuse import refuse
from topoviz.collectives import ring
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import Plan, findings
from topoviz.errors import PlanError, SpecError
from topoviz.model.ends import told
from topoviz.model.findings import Findings, merged
from topoviz.model.routes import ranks as all_ranks
from topoviz.model.selectors import find
from topoviz.model.spec import Picture
from topoviz.model.spelling import nearest
from topoviz.model.topology import Route, Topology
from topoviz.model.ways import Ways

PLANNED = ("auto", *planning.ALGORITHMS)


def found(topology: Topology, request: Picture) -> Findings:
    """Return everything that the picture highlights, in the order of writing.

    Raises:
        SpecError: it cannot be found; with the place in the document.
    """
    out = Findings()
    for one in request.highlight:
        out = merged(out, _one(topology, request, one))
    return out


def _one(topology: Topology, request: Picture, one: Any) -> Findings:
    if isinstance(one, Mapping):
        return _described(topology, request, one)
    word = str(one)
    named = next((route for route in topology.routes if route.name == word), None)
    if named is not None:
        return _route(topology, request, named)
    if word == "routes":
        return _routes(topology, request)
    return _described(topology, request, _wish(word))


def plan_of(topology: Topology, request: Picture) -> Plan | None:
    """Return the plan that the picture highlights first; None if it highlights no algorithm and no ring.

    Raises:
        SpecError: it cannot be planned; with the place in the document.
    """
    for one in request.highlight:
        named = next((route for route in topology.routes if route.name == str(one)), None)
        if named is not None and named.shape == "ring":
            return _made(request, _along(topology, request, named))
        if named is None and one != "routes":
            wish = one if isinstance(one, Mapping) else _wish(str(one))
            if "path" not in wish and "nodes" not in wish:
                return _made(request, _planner(topology, request, wish))
    return None


def _wish(word: str) -> Mapping[str, Any]:
    """Return ``ring:all-gather`` as the mapping that it is short for."""
    algorithm, _, collective = word.partition(":")
    if algorithm in {"path", "nodes"}:
        return {algorithm: collective}
    return {"algorithm": algorithm, **({"collective": collective} if collective else {})}


def _described(topology: Topology, request: Picture, wish: Mapping[str, Any]) -> Findings:
    if "path" in wish:
        return _path(topology, request, _texts(wish["path"]))
    if "nodes" in wish:
        return Findings(outlined=_members(topology, request, _texts(wish["nodes"])))
    return _found(request, _planner(topology, request, wish))


def _planner(topology: Topology, request: Picture, wish: Mapping[str, Any]) -> Callable[[], Plan]:
    """Return what makes the plan that a highlight describes."""
    algorithm = str(wish.get("algorithm", "auto" if "collective" in wish else "ring"))
    if algorithm not in PLANNED:
        raise _unknown(topology, request, algorithm)
    members = _members(topology, request, _texts(wish["ranks"])) if wish.get("ranks") else gpus(topology)
    collective = str(wish.get("collective", planning.FIRST.get(algorithm, "all-reduce")))
    rates, rings = request.rates or "line", wish.get("rings")
    return lambda: planning.plan(
        topology, collective, algorithm, members, rates, rings=None if rings is None else int(rings)
    )


def _along(topology: Topology, request: Picture, route: Route) -> Callable[[], Plan]:
    taken = tuple(hop for hop in route.hops if hop.past)
    return lambda: ring.along(topology, route.nodes, rates=request.rates or "line", taken=taken)


def _unknown(topology: Topology, request: Picture, algorithm: str) -> SpecError:
    routes = tuple(route.name for route in topology.routes)
    near = nearest(algorithm, (*PLANNED, "routes", *routes))
    known = ", ".join(planning.ALGORITHMS)
    there = f"there is {known}, routes, path:A,B, nodes:A,B; routes of the document: {', '.join(routes) or 'none'}"
    hint = f"did you mean '{near}'?" if near else there
    return refuse(request, "highlight", f"unknown highlight '{algorithm}'", hint, "unknown-highlight")


def _found(request: Picture, plan: Callable[[], Plan]) -> Findings:
    made = _made(request, plan)
    return findings(made, request.size, _measured(request, made), request.compute)


def _made(request: Picture, plan: Callable[[], Plan]) -> Plan:
    try:
        return plan()
    except PlanError as problem:
        raise refuse(request, "highlight", str(problem), code="no-plan") from None


def _measured(request: Picture, plan: Plan) -> float | None:
    """Return the share of the line rate that was reached, also where it was written as a bandwidth (GB/s)."""
    if request.measured_rate is not None and plan.bandwidth:
        return request.measured_rate / plan.bandwidth
    return request.measured


def _route(topology: Topology, request: Picture, route: Route) -> Findings:
    if route.shape != "ring":
        return Findings(routes=(route,))
    found = _found(request, _along(topology, request, route))
    named = tuple(replace(one, name=route.name, count=route.count) for one in found.routes)
    estimate = found.estimate and replace(found.estimate, assumed=True)
    return replace(found, routes=named, estimate=estimate)


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
            message, hint = told(text, miss)
            hint = _by_rank(topology, text) or hint
            raise refuse(request, "highlight", message, hint, code="matches-nothing")
        found.update(dict.fromkeys(thing.id for thing in things))
    return tuple(found)


def _by_rank(topology: Topology, text: str) -> str:
    """Return what to write for ``gpu9`` where GPUs stand in boards or servers and start anew in each."""
    number = text.removeprefix("gpu")
    known = all_ranks(topology)
    if not text.startswith("gpu") or not number.isdigit() or int(number) >= len(known):
        return ""
    return f"rank{number} is {known[int(number)].id}; write either of them"


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip()) if "[" not in value else (value,)
    return tuple(str(one) for one in value)
