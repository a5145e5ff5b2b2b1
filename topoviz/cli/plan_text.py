"""What ``topoviz plan`` prints: one plan in paragraphs, several as a table, and both as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topoviz.collectives.plan import Plan
    from topoviz.collectives.published import Published
    from topoviz.model.findings import JobPlan, MemoryFit
    from topoviz.model.overlap import Overlap
    from topoviz.model.topology import Topology

GB = 1e9
INDENT = 13
MOST_NODES, MOST_ROUTES, MOST_NARROWEST = 9, 8, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One thing that is planned, with all that was found about it."""

    name: str
    topology: Topology
    plan: Plan | None
    size: float | None = None
    memory: MemoryFit | None = None
    job: JobPlan | None = None
    compute: float | None = None
    exposed: float | None = None
    counted: Plan | None = None  # the same at the rates that NCCL counts
    published: Published | None = None


def called(topology: Topology) -> str:
    """Return what a machine is called: the title of its type, else the name of the document."""
    from topoviz.drawing.look import words
    from topoviz.drawing.own_title import filled

    topology = filled(topology, "en")
    return words(topology.root.assembly.title or topology.root.title) or topology.name


def as_json(case: Case) -> dict[str, Any]:
    """Return a case as plain data: the plan, and what memory and groups need; null or empty where not asked."""
    from topoviz.collectives import plan as planned

    out: dict[str, Any] = dict(planned.as_json(case.plan, case.size)) if case.plan is not None else {}
    warnings = [*out.get("warnings", []), *(case.job.warnings if case.job is not None else ())]
    return {
        "name": case.name,
        **out,
        "warnings": warnings,
        "nccl_bandwidth": None if case.counted is None else case.counted.bandwidth,
        "published": _published_json(case),
        "overlap": _overlap_json(case),
        "memory": _memory_json(case.memory),
        "groups": _groups_json(case.job),
        "step": None if case.job is None else {"seconds": case.job.seconds, "exposed": case.exposed},
    }


def _published_json(case: Case) -> dict[str, Any] | None:
    found = case.published
    if found is None or case.plan is None:
        return None
    share = found.share(case.plan)
    return {
        "busbw": found.busbw, "share": share, "system": found.system, "source": found.source, "whole": found.whole
    }  # fmt: skip


def _overlap_json(case: Case) -> dict[str, float] | None:
    both = None if case.plan is None else overlap_of(case, case.plan)
    if both is None:
        return None
    return {"compute": both.compute, "hidden": both.hidden, "exposed": both.exposed, "step": both.step}


def _memory_json(memory: MemoryFit | None) -> dict[str, Any] | None:
    """Return the numbers of the use that needs most, and of each use. Bytes."""
    if memory is None:
        return None
    rows = [
        {
            "use": use.use,
            "needed": use.needed,
            "per_gpu": memory.per_gpu,
            "held_per_gpu": max((tank.filled for tank in use.tanks), default=0.0),
            "gpus_at_least": use.gpus_at_least,
            "fits": use.fits,
        }
        for use in memory.uses
    ]
    most = max(rows, key=lambda row: float(str(row["needed"])))
    return {**most, "uses": rows}


def _groups_json(job: JobPlan | None) -> list[dict[str, Any]]:
    return [
        {
            "kind": row.kind,
            "size": row.size,
            "count": row.count,
            "example": list(row.example.ids),
            "link": row.link or row.link_kind,
            "bytes": row.bytes,
            "seconds": row.seconds,
            "rate": row.rate,
            "leaving": row.leaving,
            "needs": list(row.unknown),
        }
        for row in (job.traffic if job is not None else ())
    ]


def single(case: Case) -> list[str]:
    """Return one plan as lines for a person."""
    blocks = [list(_plan(case)), list(_memory(case.memory)), list(job_lines(case))]
    lines: list[str] = []
    for block in blocks:
        if block:
            lines.extend([*([""] if lines else []), *block])
    return lines


def _plan(case: Case) -> Iterator[str]:
    plan = case.plan
    if plan is None:
        gpus = (case.topology.root, *case.topology.of_kind("gpu"))  # a GPU may be all that the document is
        cut = next((thing.assembly.mig for thing in gpus if thing.assembly.mig), ())
        more = f"; its {len(cut)} instances have no peer access to each other" if cut else ""
        yield f"{case.name}: one GPU, nobody to send to{more}"
        return
    rates = "at line rate" if plan.rates == "line" else "at the rates that NCCL counts"
    yield f"{plan.collective} by {plan.algorithm} over {len(plan.ranks):,} GPUs of {case.name}, {rates}"
    yield from _routes(plan)
    yield _line("bandwidth", f"{rate_words(plan.bandwidth)} per direction, of one GPU")
    if plan.bottleneck:
        yield _line("set by", narrowest(plan))
    if plan.bound is not None:
        met = "met" if plan.bound.met else "not met"
        proof = f" ({plan.bound.proof})" if plan.bound.proof else ""
        yield _line("bound", f"{rate_words(plan.bound.bandwidth)}, {met}{proof}")
    yield from _against(case, plan)
    yield from _times(case, plan)
    yield from _overlap(case, plan)
    for note in (*plan.notes, *plan.warnings):
        yield _line("note", note)


def _against(case: Case, plan: Plan) -> Iterator[str]:
    """Yield what NCCL counts in place of line rates, and what was measured and published, each as a share."""
    if case.counted is not None and case.counted.bandwidth and plan.bandwidth:
        counted = case.counted.bandwidth
        if counted != plan.bandwidth:
            yield _line(
                "NCCL", f"{rate_words(counted)} at the rates that NCCL counts, {_share(counted / plan.bandwidth)}"
            )
    found = case.published
    share = None if found is None else found.share(plan)
    if found is not None and share is not None:
        what = f"of the busbw planned at {'line rate' if plan.rates == 'line' else 'these rates'}"
        chosen = ", by the algorithm that NCCL chose" if found.is_open else ""
        yield _line("published", f"{rate_words(found.busbw)} busbw measured, {_share(share)} {what}")
        yield _line("", f"{found.system}{chosen} ({found.source})")
    elif found is not None and not found.whole:
        yield _line("published", f"{rate_words(found.busbw)} busbw measured without the faults that this machine has")
        yield _line("", f"{found.system} ({found.source})")


def _overlap(case: Case, plan: Plan) -> Iterator[str]:
    """Yield what of the communication the computing of a step hides; a job has a line of its own for it."""
    both = overlap_of(case, plan)
    if both is not None:
        beside = f"beside {seconds_words(both.compute)} of computing"
        yield _line("overlap", f"{seconds_words(both.hidden)} hidden {beside}, {seconds_words(both.exposed)} not")
        yield _line("step", f"{seconds_words(both.step)} if both start together")


def overlap_of(case: Case, plan: Plan) -> Overlap | None:
    """Return how the computing that was given covers the plan; None without a size, a rate or a time."""
    from topoviz.model.overlap import overlap

    seconds = None if case.size is None or case.compute is None or case.job is not None else plan.seconds(case.size)
    return None if seconds is None or case.compute is None else overlap(seconds, case.compute)


def _times(case: Case, plan: Plan) -> Iterator[str]:
    if case.size is None:
        yield _line("time", "give --size to know, such as --size 14GB")
        return
    seconds, algbw, busbw = plan.seconds(case.size), plan.algbw(case.size), plan.busbw(case.size)
    yield _line("size", size_words(case.size))
    yield _line(
        "sent",
        f"{size_words(plan.sent(case.size))} by each GPU, in {plan.steps:,} step{'s' if plan.steps != 1 else ''}",
    )
    yield _line("time", f"{seconds_words(seconds)} at least" if seconds else "unknown: no rate is stated")
    if algbw and busbw:
        yield _line("algbw", f"{rate_words(algbw)} (size ÷ time)")
        yield _line("busbw", f"{rate_words(busbw)} (as nccl-tests prints it)")
        if case.published is not None and case.published.whole:
            yield _line(
                "", f"{seconds_words(busbw / case.published.busbw * (seconds or 0))} at the busbw that was published"
            )


def _routes(plan: Plan) -> Iterator[str]:
    """Yield each route with its members, and what its hops run over."""
    for position, route in enumerate(plan.routes[:MOST_ROUTES]):
        nodes = [*route.nodes, *(route.nodes[:1] if len(route.hops) == len(route.nodes) else ())]
        shown = nodes if len(nodes) <= MOST_NODES else [*nodes[:4], "…", *nodes[-2:]]
        times = f" ×{route.count}" if route.count > 1 else ""
        yield _line("route" if not position else "", f"{route.name}{times}: {' → '.join(shown)}")
    if len(plan.routes) > MOST_ROUTES:
        yield _line("", f"and {len(plan.routes) - MOST_ROUTES} more")
    if plan.order:
        yield _line("order", _order(plan))
    via = plan.routes[0].hops[0].via if plan.routes and plan.routes[0].hops else ()
    if via:
        over = ", ".join(via) if len(via) <= 4 else f"{via[0]} … {via[-1]} ({len(via)})"
        yield _line("first hop", f"over {over}")


def _order(plan: Plan) -> str:
    """Return where the order comes from, and whether NCCL takes the same."""
    if plan.order == "NCCL":
        return "that of NCCL"
    return f"{plan.order}, as NCCL takes it" if plan.nccl else plan.order


def narrowest(plan: Plan) -> str:
    """Return the link that sets the bandwidth, by its two ends: ``PCIe 4.0 x16: sw0 → cpu0 and 3 more``."""
    from topoviz.drawing.words import link_name

    found = plan.bottleneck
    if not found:
        return "no stated rate"
    ends = [f"{one.source} → {one.target}" for one in found[:MOST_NARROWEST]]
    more = len(found) - len(ends)
    said = ", ".join(ends) + (f" and {more:,} more alike" if more else "")
    return f"{link_name(found[0].kind, [plan.link] if plan.link else [])}: {said}"


def _memory(memory: MemoryFit | None) -> Iterator[str]:
    if memory is None:
        return
    yield f"memory: {memory.gpus:,} GPUs of {size_words(memory.per_gpu)}"
    for use in memory.uses:
        held = max((tank.filled for tank in use.tanks), default=0.0)
        verdict = "fits" if use.fits else "does not fit"
        shared = "one copy, evenly" if use.shared == "evenly" else f"laid as {use.shared}"
        gpus = f"{use.gpus_at_least:,} GPU{'s' if use.gpus_at_least > 1 else ''} at least"
        yield _line(
            use.use, f"{size_words(use.needed)} needed, {gpus}; {size_words(held)} on each GPU, {shared}: {verdict}"
        )


def job_lines(case: Case) -> Iterator[str]:
    """Yield the table of groups and the time of a step."""
    from topoviz.drawing.group_words import job as in_short

    job = case.job
    if job is None:
        return
    yield f"job: {in_short(job)} on {job.grid.size:,} GPUs, order {job.grid.order or 'one rank'}"
    heads = ("", "groups", "of", "who talks", "link", "per direction", "sent per step", "time at least")
    yield from table([heads, *(_row(job, i) for i in range(len(job.traffic)))])
    if job.seconds is not None:
        yield f"  a step communicates {seconds_words(job.seconds)} at least, one kind after the other"
    if case.exposed is not None:
        yield f"  beside {seconds_words(case.compute or 0)} of computing {seconds_words(case.exposed)} of it stay visible"
    needs = dict.fromkeys(key for row in job.traffic for key in row.unknown)
    if needs:
        yield f"  bytes unknown: needs {', '.join(needs)}"
    for warning in job.warnings:
        yield f"  warning: {warning}"


def _row(job: JobPlan, position: int) -> tuple[str, ...]:
    from topoviz.drawing.group_words import SHORT, example
    from topoviz.drawing.words import link_name

    row = job.traffic[position]
    return (
        " × ".join(SHORT[axis] for axis, _ in row.axes) or SHORT[row.kind],
        f"{row.count:,}",
        f"{row.size:,}",
        example(row),
        link_name(row.link_kind, [row.link] if row.link else []) if row.link_kind else "none",
        rate_words(row.rate),
        "unknown" if row.bytes is None else size_words(row.bytes),
        seconds_or_unknown(row.seconds),
    )


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with columns as wide as their texts; numbers keep to the right, words to the left."""
    columns = range(len(rows[0]))
    widths = [max(len(row[i]) for row in rows) for i in columns]
    right = [all(_is_number(row[i]) for row in rows[1:]) for i in columns]
    for row in rows:
        cells = [row[i].rjust(widths[i]) if right[i] else row[i].ljust(widths[i]) for i in columns]
        yield ("  " + "  ".join(cells)).rstrip()


def _is_number(text: str) -> bool:
    return text in {"–", "unknown", "best"} or text[:1].isdigit()


def _line(head: str, text: str) -> str:
    return f"  {head:<{INDENT - 2}}{text}"


def rate_words(value: float | None) -> str:
    """Return a bandwidth with its unit, or that nobody stated it."""
    return "not stated" if value is None else f"{value:,.6g} GB/s"


def size_words(value: float) -> str:
    """Return bytes with their unit: as documents write them if they are round, else in GB."""
    from topoviz.model.units import size_text

    return size_text(value) if _is_round(value) else f"{value / GB:,.4g} GB"


def _is_round(value: float) -> bool:
    return float(f"{value:.4g}") == value


def _share(value: float) -> str:
    return f"{100 * value:.3g} %"


def seconds_or_unknown(value: float | None) -> str:
    """Return a time, or that nobody knows it."""
    return "unknown" if value is None else seconds_words(value)


def seconds_words(value: float) -> str:
    """Return a time with its unit."""
    return f"{value:.6g} s"
