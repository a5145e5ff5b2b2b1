"""Links that are fewer, slower, in another place, or that nobody expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topoviz.comparing.around import Sum
from topoviz.comparing.case import NETWORK, SCALE_UP, Case
from topoviz.model.findings import Difference

EQUAL = 0.1  # rates this near are one: tools write 26.6 GB/s of a link whose data sheet says 25


def links(case: Case) -> Iterator[Difference]:
    """Yield what is to say of links between GPUs and in the network; each fault once."""
    if case.joined_otherwise:
        yield _joined_otherwise(case)
    for kind in (*SCALE_UP, *NETWORK):
        if kind not in case.expected.kinds or kind not in case.found.kinds:
            continue
        if kind in SCALE_UP and (case.joined_otherwise or not case.same_fabric or _other_ends(case)):
            yield from _totals(case, kind)
        else:
            yield from _pairs(case, kind)


def _other_ends(case: Case) -> bool:
    """Whether GPUs or chips are of another make, so that only what a GPU has in all can be compared."""
    return bool(case.other_parts & {"gpu", "nvswitch"})


def _joined_otherwise(case: Case) -> Difference:
    ours, theirs = (f"{kind} {chips}" for kind, chips in case.fabrics)
    gpus = tuple(thing.id for thing in case.expected.of_kind("gpu"))
    return Difference(
        number=0, what="other", unit="fabric", expected=ours, found=theirs, nodes=gpus, kind=case.fabrics[0][0]
    )


def _totals(case: Case, kind: str) -> Iterator[Difference]:
    """Yield GPUs whose links into the fabric are not as many as they should be."""
    for gpu in case.expected.of_kind("gpu"):
        if gpu.id not in case.there:
            continue
        ours, theirs = case.expected.total(gpu.id, kind), case.found.total(case.there[gpu.id], kind)
        if ours is None and theirs is None:
            continue
        yield from compared(ours, theirs, (gpu.id,), (), kind, gpu.id, ours)


def _pairs(case: Case, kind: str) -> Iterator[Difference]:
    """Yield pairs whose links differ; one cable less and one more at the same end is a cable in the wrong place."""
    less: list[Difference] = []
    for a, b in expected_pairs(case, kind):
        if a not in case.there or b not in case.there:
            continue  # the missing thing is told already
        ours, theirs = case.expected.pair(a, b, kind), case.found.pair(case.there[a], case.there[b], kind)
        end = _sufferer(case, a, b)
        whole = case.expected.total(end, kind) if end else None
        less.extend(compared(ours, theirs, (a, b), (a, b), kind, end, whole))
    extra = list(_unexpected(case, kind))
    for one in less:
        twin = next((other for other in extra if one.found == "0" and set(one.ends) & set(other.ends)), None)
        if twin is None:
            yield one
            continue
        extra.remove(twin)
        yield _moved(one, twin)
    yield from extra


def expected_pairs(case: Case, kind: str) -> Iterator[tuple[str, str]]:
    """Yield each pair that links of a kind should join, once."""
    seen: set[frozenset[str]] = set()
    for name in case.expected.things:
        for other, link in case.expected.links.get(name, ()):
            pair = frozenset((name, other))
            if link.kind == kind and pair not in seen:
                seen.add(pair)
                yield name, other


def _unexpected(case: Case, kind: str) -> Iterator[Difference]:
    seen: set[frozenset[str]] = set()
    for name in case.found.things:
        for other, link in case.found.links.get(name, ()):
            pair = frozenset((name, other))
            if link.kind != kind or pair in seen or name not in case.back or other not in case.back:
                continue
            seen.add(pair)
            a, b = case.back[name], case.back[other]
            if case.expected.pair(a, b, kind) is None:
                found = case.found.pair(name, other, kind)
                count = str(found.links if found else 0)
                yield Difference(
                    number=0,
                    what="extra",
                    unit="links",
                    expected="0",
                    found=count,
                    nodes=(a, b),
                    ends=(a, b),
                    kind=kind,
                )


def _moved(one: Difference, other: Difference) -> Difference:
    """Return the two halves of a cable that leads elsewhere as one difference, from the end that is right."""
    end = next(name for name in one.ends if name in other.ends)
    was = next(name for name in one.ends if name != end)
    now = next(name for name in other.ends if name != end)
    return replace(
        one, what="moved", unit="end", expected=was, found=now, nodes=(end,), ends=(end, was, now), left=None, of=None
    )


def _sufferer(case: Case, a: str, b: str) -> str:
    """Return the end of a link whose bandwidth is told: the GPU, or the GPU that a card stands next to."""
    for end in (a, b):
        if case.expected.things[end].kind == "gpu":
            return end
    for end in (a, b):
        if case.expected.things[end].kind in {"nic", "dpu"}:
            return end
    return a


def compared(
    ours: Sum | None,
    theirs: Sum | None,
    nodes: tuple[str, ...],
    ends: tuple[str, ...],
    kind: str,
    suffers: str,
    whole: Sum | None,
) -> Iterator[Difference]:
    """Yield the difference of two sums of links, if there is one: first in number, then in rate where both are known.

    ``whole`` are all links of the kind at ``suffers``, of which ``ours`` are some.
    """
    have, got = (ours.links if ours else 0), (theirs.links if theirs else 0)
    lost = _lost(ours, theirs)
    of = whole.bandwidth if whole is not None else None
    left = None if of is None or lost is None else of - lost
    told = Difference(number=0, what="less", unit="links", expected=str(have), found=str(got), nodes=nodes, ends=ends,
                      kind=kind, suffers=suffers, left=left, of=of)  # fmt: skip
    if have != got:
        yield replace(told, what="less" if got < have else "more")
    elif ours is not None and theirs is not None and lost is not None and _differ(ours, theirs):
        names = ours.names != theirs.names and ours.names and theirs.names
        yield replace(
            told,
            what="less" if lost > 0 else "more",
            unit="rate",
            expected=", ".join(ours.names) if names else _each(ours),
            found=", ".join(theirs.names) if names else _each(theirs),
        )


def _lost(ours: Sum | None, theirs: Sum | None) -> float | None:
    """Return how much less there is, GB/s of one direction; of links without a rate, as much as each should carry."""
    if ours is None or ours.bandwidth is None:
        return None
    if (
        theirs is None
        or theirs.bandwidth is None
        or abs(theirs.bandwidth / theirs.links - ours.bandwidth / ours.links) < (EQUAL * ours.bandwidth / ours.links)
    ):
        got = theirs.links if theirs else 0
        return (ours.links - got) * ours.bandwidth / ours.links
    return ours.bandwidth - theirs.bandwidth


def _differ(ours: Sum, theirs: Sum) -> bool:
    if ours.bandwidth is None or theirs.bandwidth is None:
        return False
    if ours.names and theirs.names and ours.names != theirs.names:
        return ours.bandwidth != theirs.bandwidth
    return abs(ours.bandwidth - theirs.bandwidth) > EQUAL * ours.bandwidth


def _each(some: Sum) -> str:
    return f"{(some.bandwidth or 0) / some.links:.4g} GB/s"
