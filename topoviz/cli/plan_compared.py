"""What ``topoviz plan`` prints of several cases: a row for each, the same numbers in the same column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from topoviz.cli.plan_text import (
    Case,
    job_lines,
    narrowest,
    rate_words,
    seconds_or_unknown,
    seconds_words,
    size_words,
    table,
)


def compared(cases: Sequence[Case]) -> list[str]:
    """Return several cases beside each other: a row for each, the same numbers in the same column."""
    lines = list(_compared_plans(cases))
    jobs = [case for case in cases if case.job is not None]
    if jobs:
        lines = [] if _same_plans(cases) else [*lines, ""]
        for case in jobs:
            lines.extend([*job_lines(case), ""])
        lines.extend(_compared_steps(jobs))
    return lines


def _same_plans(cases: Sequence[Case]) -> bool:
    return len({id(case.topology.root) for case in cases}) == 1


def _compared_plans(cases: Sequence[Case]) -> Iterator[str]:
    first = next((case for case in cases if case.plan is not None), None)
    if first is None or first.plan is None:
        return
    size = "" if first.size is None else f"{size_words(first.size)} "
    counted = {case.plan.rates for case in cases if case.plan is not None}
    rates = "line rate" if counted == {"line"} else "the rates that NCCL counts"
    rates = "line rate, or as NCCL counts where that is said" if len(counted) > 1 else rates
    yield f"{size}{first.plan.collective} at {rates}"
    heads = ("", "GPUs", "algorithm", "per direction", "sent per GPU", "time at least", "busbw", "set by")
    yield from table([heads, *(_compared_row(case, is_mixed=len(counted) > 1) for case in cases)])


def _compared_row(case: Case, *, is_mixed: bool) -> tuple[str, ...]:
    plan, size = case.plan, case.size
    if plan is None:
        return (case.name, "1", *["–"] * 6)
    seconds = None if size is None else plan.seconds(size)
    busbw = None if size is None else plan.busbw(size)
    return (
        f"{case.name} (as NCCL counts)" if is_mixed and plan.rates == "nccl" else case.name,
        f"{len(plan.ranks):,}",
        plan.algorithm,
        rate_words(plan.bandwidth),
        "–" if size is None else size_words(plan.sent(size)),
        "–" if seconds is None else seconds_words(seconds),
        "–" if busbw is None else rate_words(busbw),
        narrowest(plan),
    )


def _compared_steps(jobs: Sequence[Case]) -> Iterator[str]:
    """Yield a row for each job: what a step costs, what lies on a GPU, how it compares with the best that fits."""
    if len(jobs) < 2:
        return
    known = [case.job.seconds for case in jobs if case.job is not None]
    batches = [_sequences(case) for case in jobs]
    per = [None if seconds is None else seconds / batch for seconds, batch in zip(known, batches, strict=True)]
    fitting = [one for one, case in zip(per, jobs, strict=True) if _fits(case)]
    stated = [one for one in fitting if one is not None]
    least = min(stated) if stated and len(stated) == len(fitting) else None
    columns = [
        ("", [case.name for case in jobs]),
        ("a step communicates", [seconds_or_unknown(one) for one in known]),
        *(_per_sequence(batches, per) if len(set(batches)) > 1 else ()),
        ("on each GPU", [_on_each(case) for case in jobs]),
        ("against the best", [_beside(one, least, case) for one, case in zip(per, jobs, strict=True)]),
    ]
    drawn = [(head, *cells) for head, cells in columns if any(cells)]
    yield from table(list(zip(*drawn, strict=True)))


def _per_sequence(batches: Sequence[int], per: Sequence[float | None]) -> Iterator[tuple[str, list[str]]]:
    """Yield two columns more: copies take data of their own, so only what a sequence costs can be compared."""
    yield "sequences", [f"{one:,}" for one in batches]
    yield "per sequence", [seconds_or_unknown(one) for one in per]


def _sequences(case: Case) -> int:
    """Return how many sequences a step takes: those of a micro-batch, of all of them, in all copies."""
    job = case.topology.spec.job
    if case.job is None:
        return 1
    copies = prod(ranks for axis, ranks in case.job.grid.axes if axis in {"dp", "fsdp"})
    return copies * int(job.get("micro_batch", 1)) * int(job.get("micro_batches", 1))


def _fits(case: Case) -> bool:
    return case.memory is None or case.memory.fits


def _on_each(case: Case) -> str:
    """Return what the use that needs most puts on a GPU: ``140 GB of 80 GB``; empty without a model."""
    if case.memory is None:
        return ""
    use = max(case.memory.uses, key=lambda one: one.needed)
    held = max((tank.filled for tank in use.tanks), default=0.0)
    return f"{size_words(held)} of {size_words(case.memory.per_gpu)}"


def _beside(value: float | None, least: float | None, case: Case) -> str:
    if not _fits(case):
        return "does not fit"
    if value is None or least is None:
        return "unknown"
    return f"{value / least:.3g} times" if value > least else "best"
