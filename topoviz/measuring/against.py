"""Measured numbers beside promised ones: the share that was reached, and what lies far below its neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from topoviz.collectives import network as networks
from topoviz.collectives.hops import way
from topoviz.collectives.network import Network
from topoviz.collectives.plan import Plan
from topoviz.errors import Diagnostic, PlanError, SpecError
from topoviz.measuring import doubts as doubting
from topoviz.measuring.runs import Run, Sweep, Table
from topoviz.model.findings import Difference, Differences
from topoviz.model.topology import Topology
from topoviz.planning import plan

LOW = 0.6  # of the promise; a healthy copy reaches 0.75 to 0.95
BESIDE = 0.8  # of the median of the same table
ALL = 0.75  # so many of a GPU's pairs are low: it is the GPU, not the pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One measured number: ids of both ends (of a collective the first rank only), GB/s, the promise, a verdict.

    ``promised`` is None if a link on the way has no stated rate. ``link`` names what sets the promise.
    """

    what: str
    source: str
    target: str
    measured: float
    promised: float | None
    link: str = ""
    kind: str = ""
    low: bool = False

    @property
    def share(self) -> float | None:
        """Return measured ÷ promised."""
        return self.measured / self.promised if self.promised else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A file held against a topology: everything that was measured, and sentences about it."""

    tool: str
    rows: tuple[Held, ...]
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()  # why it may be of another machine

    @property
    def low(self) -> tuple[Held, ...]:
        return tuple(one for one in self.rows if one.low)

    @property
    def differences(self) -> Differences:
        """Return what is low as differences from the promise, one for a GPU whose pairs are all low."""
        return Differences(items=tuple(_numbered(_items(self.rows))))


def held(topology: Topology, run: Run) -> Measured:
    """Return a run held against the topology of the machine that it ran on.

    Raises:
        SpecError: the run has more devices than the topology.
    """
    gpus = networks.gpus(topology)
    net = networks.network(topology)
    rows = [row for table in run.tables for row in _table(net, gpus, table, run)]
    others, same = doubting.other_gpus(topology, run)
    notes, doubts = list(same), [*others, *doubting.of_tables(rows)]
    for sweep in run.sweeps:
        row, said, doubt = _sweep(topology, gpus, sweep, run)
        rows.append(row)
        notes += said
        doubts += [doubt] if doubt else []
    return Measured(tool=run.tool, rows=tuple(rows), notes=tuple(notes), doubts=tuple(doubts))


def _table(net: Network, gpus: Sequence[str], table: Table, run: Run) -> list[Held]:
    """Return the rows of a table; low is what lies far under the promise, or under the median of the others."""
    found = []
    for cell in table.cells:
        _check(gpus, cell.column, run, cell.line)
        first, second = cell.row, cell.column
        if table.row_kind == "gpu":
            _check(gpus, cell.row, run, cell.line)
            ends = (gpus[first], gpus[second])
        else:
            ends = ("cpu", gpus[second])
        source, target = ends if table.flow == "row" else ends[::-1]
        promised, link, kind = _promise(net, source, target)
        times = 2 if table.both else 1
        row = Held(
            what=table.name, source=source, target=target, measured=cell.value,
            promised=None if promised is None else promised * times, link=link, kind=kind,
        )  # fmt: skip
        found.append(row)
    shares = [one.share for one in found if one.share is not None]
    middle = median(shares) if shares else 0.0
    return [
        replace(one, low=one.share is not None and one.share < min(1.0, max(LOW, BESIDE * middle))) for one in found
    ]


def _check(gpus: Sequence[str], number: int, run: Run, line: int) -> None:
    if number >= len(gpus):
        said = f"{run.path}:{line}: device {number} was measured, but the machine has {len(gpus)} GPUs"
        raise SpecError([Diagnostic(message=said, hint="it ran on another machine", code="more-devices")])


def _promise(net: Network, source: str, target: str) -> tuple[float | None, str, str]:
    """Return what the way carries in one direction, the link that sets it, and its kind."""
    if "cpu" in {source, target}:
        gpu = target if source == "cpu" else source
        arcs = networks.way_up(net, gpu) or tuple(a for a in net.arcs.get(gpu, ()) if net.kind(a.target) == "cpu")
        rates = [(arc.capacity, arc) for arc in arcs]
        if not rates or any(rate is None for rate, _ in rates):
            return None, "", ""
        least = min(rates, key=lambda pair: pair[0] or 0.0)
        return least[0], least[1].link, least[1].kind
    found = way(net, source, target)
    if found is None or any(arc.capacity is None for arc, _ in found.shares):
        return None, "", "" if found is None else found.hop.kind
    arc, share = min(found.shares, key=lambda pair: (pair[0].capacity or 0.0) / pair[1])
    return (arc.capacity or 0.0) / share, arc.link, found.hop.kind


def _sweep(topology: Topology, gpus: Sequence[str], sweep: Sweep, run: Run) -> tuple[Held, list[str], str]:
    """Return the best size of a collective beside its plan, what is to say about it, and why it is in doubt."""
    best = max(sweep.points, key=lambda one: (one.busbw, one.size))
    ranks = _ranks(gpus, sweep, run)
    try:
        promise = plan(topology, sweep.collective, ranks=ranks)
        bandwidth, link = promise.bandwidth, promise.link
        notes = [f"the plan: {promise.algorithm}, {promise.order}; its pace is set by {_pace(promise)}"]
    except PlanError as problem:
        bandwidth, link, notes = None, "", [f"no plan for {sweep.collective}: {problem}"]
    notes += [f"{one.wrong} values came out wrong at {one.size:,} bytes" for one in sweep.points if one.wrong]
    row = Held(
        what=f"{sweep.collective}, busbw at {best.size:,} bytes, {len(ranks)} GPUs",
        source=ranks[0], target=ranks[-1], measured=best.busbw, promised=bandwidth, link=link,
    )  # fmt: skip
    doubt = ""
    if bandwidth and best.busbw > bandwidth:
        most, why = doubting.ceiling(topology, sweep.collective, ranks, bandwidth)
        doubt = doubting.too_fast(best.busbw, most, link)
        if why and not doubt:
            notes.append(f"more than a ring can carry: {why}")
    return replace(row, low=row.share is not None and row.share < LOW), notes, doubt


def _pace(promise: Plan) -> str:
    """Return what sets the bandwidth of a plan: the link by name, and one of those that are as narrow."""
    first = promise.bottleneck[0] if promise.bottleneck else None
    if first is None:
        return "nothing that has a stated rate"
    more = f" and {len(promise.bottleneck) - 1} links as busy" if len(promise.bottleneck) > 1 else ""
    return f"{promise.link or first.kind}, {first.source} → {first.target}{more}"


def _ranks(gpus: Sequence[str], sweep: Sweep, run: Run) -> tuple[str, ...]:
    """Return the GPUs of the ranks: by device on one host, in order on several. Raises SpecError."""
    if not sweep.devices:
        return tuple(gpus)
    if len(sweep.devices) > len(gpus):
        said = f"{run.path}: the run has {len(sweep.devices)} ranks, but the machine has {len(gpus)} GPUs"
        raise SpecError([Diagnostic(message=said, hint="it ran on another machine", code="more-ranks")])
    if len(set(sweep.hosts)) == 1 and max(sweep.devices) < len(gpus):
        return tuple(gpus[device] for device in sweep.devices)
    return tuple(gpus[: len(sweep.devices)])


def _items(rows: Sequence[Held]) -> Iterable[Difference]:
    """Yield what is low in each table: GPUs whose pairs are all low, then single pairs, each once."""
    for name in dict.fromkeys(one.what for one in rows):
        mine = [one for one in rows if one.what == name]
        whole = whole_gpus(mine)
        for gpu in whole:
            yield _difference(min(_of(gpu, mine), key=lambda one: one.share or 1.0), (gpu,))
        pairs: dict[frozenset[str], Held] = {}
        for one in sorted((one for one in mine if one.low), key=lambda one: one.share or 0.0):
            if not {one.source, one.target} & set(whole):
                pairs.setdefault(frozenset((one.source, one.target)), one)
        for one in pairs.values():
            yield _difference(one, tuple(end for end in dict.fromkeys((one.source, one.target)) if end != "cpu"))


def whole_gpus(rows: Sequence[Held]) -> tuple[str, ...]:
    """Return the GPUs of a table of which nearly all pairs are low."""
    return tuple(gpu for gpu in _gpus(one for one in rows if one.low) if _all_low(gpu, rows))


def _gpus(rows: Iterable[Held]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(end for one in rows for end in (one.source, one.target) if end != "cpu"))


def _of(gpu: str, rows: Iterable[Held]) -> list[Held]:
    return [one for one in rows if gpu in {one.source, one.target}]


def _all_low(gpu: str, rows: Sequence[Held]) -> bool:
    """Return whether nearly all pairs of a GPU are low, and those of most others are not."""
    mine = [one for one in _of(gpu, rows) if one.promised is not None]
    rest = [one for one in rows if gpu not in {one.source, one.target}]
    return (
        sum(one.low for one in mine) >= ALL * len(mine)
        and len(mine) > 1
        and bool(rest)
        and sum(one.low for one in rest) < 0.5 * max(1, len(rest))
    )


def _difference(one: Held, nodes: tuple[str, ...]) -> Difference:
    return Difference(
        number=0, what="less", unit="rate", expected=_rate(one.promised), found=_rate(one.measured), nodes=nodes,
        ends=nodes if len(nodes) == 2 else (), kind=one.kind, suffers=nodes[0], left=one.measured, of=one.promised,
    )  # fmt: skip


def _rate(value: float | None) -> str:
    return "?" if value is None else f"{value:.4g} GB/s"


def _numbered(items: Iterable[Difference]) -> Iterable[Difference]:
    return (replace(one, number=number) for number, one in enumerate(items, start=1))
