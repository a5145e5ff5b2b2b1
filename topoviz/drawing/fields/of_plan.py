"""Fields about the plan that is highlighted: what is sent, in how many steps, how long it takes."""

from __future__ import annotations

from collections.abc import Mapping

from topoviz.drawing import amounts
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scope import Scope, in_place
from topoviz.model.findings import Estimate

NAMES = {"ring": "Ring", "tree": "Tree", "nvls": "NVLS", "direct": "Direct", "hierarchical": "Hierarchical", "send": ""}
FACTORS = {
    "all-reduce": "2 × (N − 1) / N × buffer",
    "all-gather": "(N − 1) / N × buffer",
    "reduce-scatter": "(N − 1) / N × buffer",
    "broadcast": "buffer, by the last one nothing",
    "reduce": "buffer, by the root nothing",
}


CHAINS: Mapping[str, str] = {
    "broadcast": "The first one leaves the GPU that has the data",
    "reduce": "The last one reaches the GPU that gets the sum",
}


def of_plan(scope: Scope, name: str) -> str | None:
    """Return a field of the estimate; None without a plan, or without the size that it needs."""
    if name == "in-place":
        return _in_place(scope)
    estimate = scope.findings.estimate
    if estimate is None:
        return None
    chunk = estimate.size / estimate.chunks if estimate.size and estimate.chunks else None
    measured = estimate.seconds / estimate.measured if estimate.seconds and estimate.measured else None
    value = {
        "ranks": amounts.count(len(estimate.ranks)),
        "size": None if estimate.size is None else amounts.size(estimate.size),
        "sent": None if estimate.sent is None else amounts.size(estimate.sent),
        "steps": None if estimate.steps is None else amounts.count(estimate.steps),
        "chunk": None if chunk is None else amounts.size(chunk),
        "time": None if estimate.seconds is None else amounts.time(estimate.seconds),
        "time.measured": None if measured is None else amounts.time(measured),
        "compute": None if estimate.compute is None else amounts.time(estimate.compute),
        "measured": None if estimate.measured is None else f"{100 * estimate.measured:.3g} %",
        "collective": estimate.collective,
        "algorithm": estimate.algorithm,
        "closing": _closing(scope),
        "exchange": _exchange(scope, estimate),
        "sent.factor": _factor(scope, estimate),
        "bottleneck": _bottleneck(scope),
    }
    return value[name]


def _in_place(scope: Scope) -> str | None:
    """Return that of many routes the first stands on the parts; None if all do."""
    drawn, every = in_place(scope), scope.findings.routes
    if len(drawn) == len(every):
        return None
    values = {"name": every[0].name, "count": amounts.count(len(every))}
    return fill("On the parts: {name}, the first of {count}", values, scope.lang)


def _closing(scope: Scope) -> str | None:
    """Return how a ring ends: it is closed, or is a chain from or to the GPU that is the root; None of anything else."""
    estimate = scope.findings.estimate
    ring = next((route for route in scope.findings.routes if route.shape == "ring"), None)
    if ring is None or estimate is None:
        return None
    is_chain = len(ring.hops) < len(ring.nodes)
    said = CHAINS.get(estimate.collective) if is_chain else "The last one closes the ring"
    return said and message(said, scope.lang)


def _exchange(scope: Scope, estimate: Estimate) -> str:
    """Return what runs: ``Ring all-reduce``; only ``A ring`` where nothing tells the collective and no size asks for one."""
    if estimate.assumed and estimate.size is None:
        return message("A ring", scope.lang)
    name = message(NAMES.get(estimate.algorithm, estimate.algorithm), scope.lang)
    return f"{name} {message(estimate.collective, scope.lang)}".strip()


def _factor(scope: Scope, estimate: Estimate) -> str | None:
    """Return what a GPU of a ring sends of the buffer; None where nothing tells the collective, or of other algorithms."""
    if estimate.algorithm != "ring" or (estimate.assumed and estimate.size is None):
        return None
    said = FACTORS.get(estimate.collective)
    return said and message(said, scope.lang)


def shape(scope: Scope) -> str:
    """Return what a route shown by itself is called, in English."""
    routes = scope.findings.routes
    return "Path" if routes and all(route.shape == "path" for route in routes) else "Logical ring"


def rate_of_plan(scope: Scope, name: str) -> Bandwidth | None:
    """Return what one hop carries (GB/s), or algorithm and bus bandwidth in the words of nccl-tests."""
    estimate = scope.findings.estimate
    if estimate is None:
        return None
    rate = {"hop.rate": estimate.bandwidth, "algbw": estimate.algbw, "busbw": estimate.busbw}[name]
    if rate is None and name != "hop.rate":
        return None
    return Bandwidth(low=rate, high=rate, at_least=bool(estimate.unlimited) and rate is None)


def bandwidth_without_direction(scope: Scope, name: str) -> str | None:
    """Return ``algbw`` or ``busbw``: a quotient of bytes and time, so it has no direction."""
    rate = rate_of_plan(scope, name)
    return rate.number(scope.lang) if rate else None


def _bottleneck(scope: Scope) -> str | None:
    found = scope.findings.bottleneck
    if not found:
        return None
    first = fill("{a} to {b}", {"a": found[0].source, "b": found[0].target}, scope.lang)
    more = len(found) - 1
    return first if not more else fill("{value} and {count} more", {"value": first, "count": str(more)}, scope.lang)
