"""A job laid on a machine: its groups, which links carry them, what they send, and how long that takes at least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoviz.errors import PlanError
from topoviz.jobs import order, traffic, warned
from topoviz.jobs.carriers import RING, TO_ALL, TO_NEXT, Carrier, carrier
from topoviz.jobs.machine import Machine, Planner
from topoviz.model.degrees import misfit, misordered, of_selector, sizes
from topoviz.model.findings import Group, JobPlan, Sentence, Traffic
from topoviz.model.rank_grid import Grid
from topoviz.model.routes import ranks as ranks_of
from topoviz.model.topology import Thing, Topology

PATTERNS = {"pp": TO_NEXT, "ep": TO_ALL}
GIGA = 1e9
HIDDEN_BY_COMPUTE = ("dp", "fsdp")  # runs beside the layers of the backward pass; the others stand in their way


def lay(
    topology: Topology,
    job: Mapping[str, Any] | None = None,
    ranks: Sequence[str] | None = None,
    *,
    rates: str = "line",
    planner: Planner | None = None,
) -> JobPlan:
    """Return a job (that of the document if none is given) on the GPUs of a topology, or on those of ``ranks``.

    ``job`` has the keys of the document: tp, pp, dp …; ``rates`` is line or nccl. Where GPUs are
    joined without a switch, ``planner`` finds several rings; without it one ring counts.

    >>> import topoviz as tv
    >>> plan = lay(tv.load("superpod-h100", su=1), {"tp": 8, "pp": 31})
    >>> plan.grid.order, plan.group("pp").ids[:2]
    ('tp-pp', ('su0/node0/gpu0', 'su0/node1/gpu0'))
    >>> [(one.kind, one.link, one.rate) for one in plan.traffic]
    [('tp', 'NVLink 4', 450.0), ('pp', 'NDR', 50.0)]

    Raises:
        PlanError: the degrees do not fit on so many GPUs, or the order names an axis that there is not.
    """
    asked = dict(topology.spec.job if job is None else job)
    things = _things(topology, asked, ranks)
    for wrong, hint in (misfit(asked, len(things)), misordered(asked)):
        if wrong:
            raise PlanError(f"{wrong}; {hint}" if hint else wrong)
    machine = Machine(topology=topology, things=things, rates=rates, planner=planner)
    case = _Case(machine=machine, job=asked, count=len(things))
    rows = tuple(case.row(kind) for kind in case.kinds)
    return JobPlan(
        ranks=tuple(thing.id for thing in things),
        grid=case.grid,
        experts=case.experts,
        traffic=tuple(row for row, _ in rows),
        seconds=_sum([row.seconds for row, _ in rows]),
        warnings=tuple(case.warnings(rows)),
        domains=machine.domains,
    )


def exposed(plan: JobPlan, compute: float) -> float | None:
    """Return the seconds of a step's communication that its computing, so many seconds, does not hide.

    Gradients and shards of weights (dp, fsdp) are sent beside the computing and cost only what is
    longer; tp, cp, ep and pp stand between two pieces of it and are counted in full.

    >>> import topoviz as tv
    >>> plan = lay(tv.load({"part": "dgx-h100", "model": {"params": 7e9}, "job": {"dp": 8}}))
    >>> round(plan.seconds, 4), round(exposed(plan, 0.05), 4), exposed(plan, 0.1)
    (0.0544, 0.0044, 0.0)
    """
    beside = _sum([row.seconds for row in plan.traffic if row.kind in HIDDEN_BY_COMPUTE])
    between = _sum([row.seconds for row in plan.traffic if row.kind not in HIDDEN_BY_COMPUTE])
    if beside is None or between is None:
        return None
    return between + max(0.0, beside - compute)


def _things(topology: Topology, job: Mapping[str, Any], ranks: Sequence[str] | None) -> tuple[Thing, ...]:
    if ranks is not None:
        return tuple(topology.thing(name) for name in ranks)
    if topology.root.kind == "gpu":
        return (topology.root,)
    if "ranks" in job:
        return of_selector(topology.root, job["ranks"])
    return ranks_of(topology)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One job on one machine."""

    machine: Machine
    job: Mapping[str, Any]
    count: int

    @property
    def grid(self) -> Grid:
        return order.grid(self.job, self.count)

    @property
    def experts(self) -> Grid:
        return order.experts(self.job, self.count)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of groups with more than one rank, in rank order."""
        return tuple(kind for kind in order.order(self.job) if self._size(kind) > 1)

    def _over(self, kind: str) -> tuple[Grid, tuple[str, ...]]:
        """Return the grid and the axes of a kind: gradients are summed over cp too, for it holds copies."""
        if kind == "ep":
            return self.experts, ("ep",)
        return self.grid, ("cp", "dp") if kind == "dp" and self.grid.along("cp") > 1 else (kind,)

    def _size(self, kind: str) -> int:
        grid, axes = self._over(kind)
        size = 1
        for axis in axes:
            size *= grid.along(axis)
        return size

    def row(self, kind: str) -> tuple[Traffic, Carrier]:
        """Return what the groups of a kind send and what carries it."""
        grid, axes = self._over(kind)
        on = carrier(self.machine, grid.groups(*axes), PATTERNS.get(kind, RING))
        model = self.machine.topology.spec.model
        sent = traffic.sent(kind, model, self.job, sizes(self.job, self.count))
        ranks = grid.group_over(axes, 0)
        ids = tuple(self.machine.things[rank].id for rank in ranks)
        known = sent.bytes is not None and on.rate is not None
        row = Traffic(
            kind=kind,
            size=len(ranks),
            count=grid.count(*axes),
            example=Group(kind=kind, number=0, ranks=ranks, ids=ids),
            link=on.link,
            link_kind=on.kind,
            rate=on.rate,
            bytes=sent.bytes,
            seconds=sent.bytes / (on.rate * GIGA) if known and sent.bytes is not None and on.rate else None,
            leaving=on.leaving,
            unknown=sent.unknown,
            what=traffic.WHAT[kind],
            once=sent.once,
            times=sent.times,
            axes=tuple((axis, grid.along(axis)) for axis in sorted(axes, key=lambda axis: axis != kind)),
        )
        return row, on

    def warnings(self, rows: Sequence[tuple[Traffic, Carrier]]) -> Iterator[Sentence]:
        """Yield what a person should know before the job runs."""
        for row, on in rows:
            if not on.joined:
                yield warned.unjoined(row.kind)
            elif row.kind == "tp" and row.leaving:
                yield warned.outside(row, self.machine.smallest_domain, self.grid.stride("tp"))
        if self._size("ep") > 1 and any(row.kind in {"dp", "fsdp"} and row.bytes for row, _ in rows):
            yield warned.experts()
        yield from warned.down([thing.id for thing in self.machine.things if thing.state == "down"], self.count)


def _sum(seconds: Sequence[float | None]) -> float | None:
    total = 0.0
    for one in seconds:
        if one is None:
            return None
        total += one
    return total
