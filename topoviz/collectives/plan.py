"""What an algorithm returns: the way of the data, the load of every link, and functions of a size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from topoviz.collectives import cost
from topoviz.model.findings import Estimate, Findings, Load
from topoviz.model.topology import Route

GIGA = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A collective on a topology. Rates in GB/s, sizes in bytes, times in seconds.

    ``bandwidth`` is what a rank can send steadily in one direction, set by the
    ``bottleneck``; None if no link on the way has a stated rate. Times are lower
    bounds: no protocol, no latency, no other traffic. ``unlimited`` names links
    without a stated rate, which were taken as unlimited.
    """

    collective: str
    algorithm: str
    ranks: tuple[str, ...]
    routes: tuple[Route, ...]
    loads: tuple[Load, ...]
    bottleneck: tuple[Load, ...]
    bandwidth: float | None
    rates: str = "line"
    link: str = ""  # name of the link that sets the bandwidth
    unlimited: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """Return how many steps the algorithm takes."""
        return cost.steps(self.collective, len(self.ranks))

    def sent(self, size: float) -> float:
        """Return the bytes that each rank sends."""
        return cost.factor(self.collective, len(self.ranks)) * size

    def seconds(self, size: float) -> float | None:
        """Return the least time; None if no rate is stated."""
        return None if self.bandwidth is None else self.sent(size) / (self.bandwidth * GIGA)

    def algbw(self, size: float) -> float | None:
        """Return size divided by time."""
        seconds = self.seconds(size)
        return size / seconds / GIGA if seconds else None

    def busbw(self, size: float) -> float | None:
        """Return algbw times the factor of the collective: what the links see."""
        algbw = self.algbw(size)
        return None if algbw is None else algbw * cost.factor(self.collective, len(self.ranks))


def findings(plan: Plan, size: float | None = None, measured: float | None = None) -> Findings:
    """Return what a picture may show of a plan; ``measured`` is the share of the line rate reached, 0 to 1."""
    return Findings(
        routes=plan.routes,
        loads=plan.loads,
        bottleneck=plan.bottleneck,
        estimate=estimate(plan, size, measured),
        nodes=plan.ranks,
    )


def estimate(plan: Plan, size: float | None = None, measured: float | None = None) -> Estimate:
    """Return the numbers of a plan; those that need a size are None without one."""
    return Estimate(
        collective=plan.collective,
        algorithm=plan.algorithm,
        ranks=plan.ranks,
        rates=plan.rates,
        bandwidth=plan.bandwidth,
        link=plan.link,
        chunks=len(plan.ranks),
        steps=plan.steps,
        size=size,
        sent=None if size is None else plan.sent(size),
        seconds=None if size is None else plan.seconds(size),
        algbw=None if size is None else plan.algbw(size),
        busbw=None if size is None else plan.busbw(size),
        measured=measured,
        unlimited=plan.unlimited,
    )


def as_json(plan: Plan, size: float | None = None) -> Mapping[str, object]:
    """Return the plan as plain data under the names that ``topoviz plan --format json`` promises."""
    numbers = estimate(plan, size)
    return {
        "collective": plan.collective,
        "algorithm": plan.algorithm,
        "ranks": list(plan.ranks),
        "routes": [_route(route) for route in plan.routes],
        "loads": [_load(load) for load in plan.loads],
        "bottleneck": [_load(load) for load in plan.bottleneck],
        "bytes_sent_per_rank": numbers.sent,
        "seconds": numbers.seconds,
        "algbw": numbers.algbw,
        "busbw": numbers.busbw,
        "bandwidth": plan.bandwidth,
        "rates": plan.rates,
        "warnings": [f"{name} has no stated rate and was taken as unlimited" for name in plan.unlimited],
    }


def _route(route: Route) -> dict[str, object]:
    hops = [{"source": h.source, "target": h.target, "via": list(h.via), "kind": h.kind} for h in route.hops]
    return {"name": route.name, "shape": route.shape, "nodes": list(route.nodes), "hops": hops, "count": route.count}


def _load(load: Load) -> dict[str, object]:
    return {"source": load.source, "target": load.target, "kind": load.kind, "load": load.load}
