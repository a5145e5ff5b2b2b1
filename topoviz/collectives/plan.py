"""What an algorithm returns: the way of the data, the load of every link, and functions of a size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from topoviz.collectives import cost
from topoviz.collectives.cost import GIGA, Latency, Phase
from topoviz.model.findings import Bound, Estimate, Findings, Load
from topoviz.model.topology import Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A collective on a topology. Rates in GB/s, sizes in bytes, times in seconds.

    ``bandwidth`` is what a rank can send steadily in one direction over all routes
    together, set by the ``bottleneck``; None if no link on the way has a stated rate.
    Times are lower bounds: no protocol, no latency unless it is given, no other
    traffic. ``unlimited`` names links without a stated rate, which were taken as
    unlimited. ``bound`` is what nothing of this kind can exceed, and whether it is met;
    ``order`` says where the order of the ranks comes from, and ``nccl`` whether NCCL
    would take the same. ``phases`` run side by side on different parts of the buffer.
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
    bound: Bound | None = None
    order: str = ""
    nccl: bool = False
    phases: tuple[Phase, ...] = ()
    notes: tuple[str, ...] = ()  # sentences: why it is not more, what was done instead

    @property
    def steps(self) -> int:
        """Return how many steps in a row the algorithm takes."""
        return sum(count for phase in self.parts for _, count in phase.steps)

    @property
    def parts(self) -> tuple[Phase, ...]:
        """Return the phases; of an algorithm that says none, the one of a ring."""
        if self.phases:
            return self.phases
        count = len(self.ranks)
        steps = (("", cost.steps(self.collective, count)),)
        share = cost.factor(self.collective, count)
        return (Phase(name=self.collective, share=share, bandwidth=self.bandwidth, steps=steps, link=self.link),)

    def sent(self, size: float) -> float:
        """Return the bytes that each rank sends (the busiest one, if they differ)."""
        return sum(phase.share for phase in self.parts) * size

    def seconds(self, size: float, latency: Latency = 0.0) -> float | None:
        """Return the least time; None if no rate is stated. Phases that run side by side count by the longest.

        ``latency`` is seconds for a step, or seconds by kind of step: ``nvlink``, ``pcie``, ``network``.
        """
        times = [phase.seconds(size) for phase in self.parts]
        known = [one for one in times if one is not None]
        if len(known) < len(times):
            return None
        return max(known) + sum(phase.waits(latency) for phase in self.parts)

    def in_turn(self, size: float, latency: Latency = 0.0) -> float | None:
        """Return the time if every phase waits for the one before; None if no rate is stated."""
        times = [phase.seconds(size, latency) for phase in self.parts]
        known = [one for one in times if one is not None]
        return sum(known) if len(known) == len(times) else None

    def algbw(self, size: float) -> float | None:
        """Return size divided by time."""
        seconds = self.seconds(size)
        return size / seconds / GIGA if seconds else None

    def busbw(self, size: float) -> float | None:
        """Return algbw times the factor of the collective: what the links of a ring would see."""
        algbw = self.algbw(size)
        return None if algbw is None else algbw * cost.factor(self.collective, len(self.ranks))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what somebody should know before believing the numbers, in sentences without a full stop."""
        return tuple(f"{name} has no stated rate and was taken as unlimited" for name in self.unlimited)


def findings(
    plan: Plan, size: float | None = None, measured: float | None = None, compute: float | None = None
) -> Findings:
    """Return what a picture may show of a plan.

    ``measured`` is the share of the line rate reached, 0 to 1; ``compute`` the seconds that a step computes.
    """
    return Findings(
        routes=plan.routes,
        loads=plan.loads,
        bottleneck=plan.bottleneck,
        estimate=replace(estimate(plan, size, measured), compute=compute),
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
        share=sum(phase.share for phase in plan.parts),
        bound=plan.bound,
        order=plan.order,
        nccl=plan.nccl,
        notes=plan.notes,
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
        "bound": _bound(plan.bound),
        "rates": plan.rates,
        "warnings": list(plan.warnings),
        "order": plan.order,
        "nccl": plan.nccl,
        "steps": plan.steps,
        "link": plan.link,
        "notes": list(plan.notes),
        "phases": [_phase(phase, size) for phase in plan.parts],
    }


def _route(route: Route) -> dict[str, object]:
    hops = [{"source": h.source, "target": h.target, "via": list(h.via), "kind": h.kind} for h in route.hops]
    return {"name": route.name, "shape": route.shape, "nodes": list(route.nodes), "hops": hops, "count": route.count}


def _load(load: Load) -> dict[str, object]:
    return {"source": load.source, "target": load.target, "kind": load.kind, "load": load.load, "count": load.count}


def _bound(bound: Bound | None) -> dict[str, object] | None:
    if bound is None:
        return None
    return {
        "bandwidth": bound.bandwidth,
        "met": bound.met,
        "rings": bound.rings,
        "fractional": bound.fractional,
        "proof": bound.proof,
    }


def _phase(phase: Phase, size: float | None) -> dict[str, object]:
    return {
        "name": phase.name,
        "bytes_sent_per_rank": None if size is None else phase.share * size,
        "bandwidth": phase.bandwidth,
        "link": phase.link,
        "steps": dict(phase.steps),
        "seconds": None if size is None else phase.seconds(size),
    }
