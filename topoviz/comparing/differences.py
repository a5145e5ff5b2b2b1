"""What differs between two topologies, numbered in the order in which a reader should look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from topoviz.comparing.around import Around, Sum
from topoviz.comparing.matching import matched
from topoviz.model.findings import Difference, Differences
from topoviz.model.topology import Thing, Topology

SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink")
NETWORK = ("infiniband", "ethernet")
DEVICES = ("gpu", "nvswitch", "nic", "dpu", "switch")  # a missing one is a difference; CPUs and bridges differ in words
ORDER = ("missing", "moved", "less", "extra", "more")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """Both sides, and which thing is which: ``there`` from expected to found, ``back`` the other way."""

    expected: Around
    found: Around
    there: Mapping[str, str]
    back: Mapping[str, str]


def diff(expected: Topology, found: Topology) -> Differences:
    """Return what differs, at the finest level that both know; things are told by ids of the expected topology.

    A missing thing is one difference, and its links are not told again. Numbers that
    only one side knows (a rate, the chips of a fabric, a kind of link) are not compared
    and listed in ``not_compared``.

    >>> from topoviz.loading import load
    >>> worse = {"part": "dgx-h100", "changes": [{"at": "nic6", "absent": True}]}
    >>> [(one.what, one.nodes) for one in diff(load("dgx-h100"), load(worse)).items]
    [('missing', ('nic6',))]
    """
    ours, theirs = Around(expected), Around(found)
    there = matched(ours, theirs)
    case = _Case(expected=ours, found=theirs, there=there, back={b: a for a, b in there.items()})
    items = [*_things(case), *_links(case)]
    ranked = sorted(enumerate(items), key=lambda pair: (ORDER.index(pair[1].what), pair[0]))
    numbered = tuple(replace(one, number=i) for i, (_, one) in enumerate(ranked, 1))
    return Differences(
        expected=expected.name, found=found.name, items=numbered, not_compared=tuple(_not_compared(case))
    )


def _things(case: _Case) -> Iterator[Difference]:
    """Yield devices that are missing, and those that nobody expected; of kinds that the other side knows at all."""
    for kind in DEVICES:
        if not _known(case, kind):
            continue
        for thing in case.expected.of_kind(kind):
            if thing.id not in case.there:
                yield _missing(case, thing)
        for thing in case.found.of_kind(kind):
            if thing.id not in case.back:
                yield Difference(
                    number=0, what="extra", unit="thing", expected="0", found="1", nodes=(thing.id,), kind=kind
                )


def _known(case: _Case, kind: str) -> bool:
    """Whether the found side tells devices of a kind apart: it has some, or it could have had them."""
    if kind == "nvswitch":
        return _same_fabric(case)
    if kind in {"nic", "dpu"}:
        return bool(case.found.of_kind("nic") or case.found.of_kind("dpu"))
    return bool(case.found.of_kind(kind))


def _same_fabric(case: _Case) -> bool:
    """Whether both sides know the chips of the fabric; a matrix knows the fabric as one."""
    ours, theirs = len(case.expected.of_kind("nvswitch")), len(case.found.of_kind("nvswitch"))
    return theirs > 1 or ours == theirs


def _missing(case: _Case, thing: Thing) -> Difference:
    near = sorted(case.expected.near(thing.id))
    suffers = near[0] if thing.kind in {"nic", "dpu"} and near else ""
    lost = next((one for kind in NETWORK if (one := case.expected.total(thing.id, kind)) is not None), None)
    ports = [port for port in thing.assembly.ports or () if port.kind in NETWORK]
    rate = lost.bandwidth if lost is not None else ports[0].rate.line if ports else None
    return Difference(
        number=0, what="missing", unit="thing", expected="1", found="0", nodes=(thing.id,), kind=thing.kind,
        suffers=suffers, left=0.0 if suffers and rate else None, of=rate if suffers else None,
    )  # fmt: skip


def _links(case: _Case) -> Iterator[Difference]:
    for kind in (*SCALE_UP, *NETWORK):
        if kind not in case.expected.kinds or kind not in case.found.kinds:
            continue
        if kind in SCALE_UP and not _same_fabric(case):
            yield from _totals(case, kind)
        else:
            yield from _pairs(case, kind)
    yield from _host(case)


def _totals(case: _Case, kind: str) -> Iterator[Difference]:
    """Yield GPUs whose links into the fabric are not as many as they should be."""
    for gpu in case.expected.of_kind("gpu"):
        if gpu.id not in case.there:
            continue
        ours, theirs = case.expected.total(gpu.id, kind), case.found.total(case.there[gpu.id], kind)
        if ours is None and theirs is None:
            continue
        yield from _compared(ours, theirs, (gpu.id,), (), kind, gpu.id, ours)


def _pairs(case: _Case, kind: str) -> Iterator[Difference]:
    """Yield pairs whose links differ; one cable less and one more at the same end is a cable in the wrong place."""
    less: list[Difference] = []
    for a, b in _expected_pairs(case, kind):
        if a not in case.there or b not in case.there:
            continue  # the missing thing is told already
        ours, theirs = case.expected.pair(a, b, kind), case.found.pair(case.there[a], case.there[b], kind)
        end = _sufferer(case, a, b)
        whole = case.expected.total(end, kind) if end else None
        less.extend(_compared(ours, theirs, (a, b), (a, b), kind, end, whole))
    extra = list(_unexpected(case, kind))
    for one in less:
        twin = next((other for other in extra if one.found == "0" and set(one.ends) & set(other.ends)), None)
        if twin is None:
            yield one
            continue
        extra.remove(twin)
        yield _moved(one, twin)
    yield from extra


def _expected_pairs(case: _Case, kind: str) -> Iterator[tuple[str, str]]:
    seen: set[frozenset[str]] = set()
    for name in case.expected.things:
        for other, link in case.expected.links.get(name, ()):
            pair = frozenset((name, other))
            if link.kind == kind and pair not in seen:
                seen.add(pair)
                yield name, other


def _unexpected(case: _Case, kind: str) -> Iterator[Difference]:
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


def _sufferer(case: _Case, a: str, b: str) -> str:
    """Return the end of a link whose bandwidth is told: the GPU, or the GPU that a card stands next to."""
    for end in (a, b):
        if case.expected.things[end].kind == "gpu":
            return end
    for end in (a, b):
        if case.expected.things[end].kind in {"nic", "dpu"}:
            return end
    return a


def _compared(
    ours: Sum | None,
    theirs: Sum | None,
    nodes: tuple[str, ...],
    ends: tuple[str, ...],
    kind: str,
    suffers: str,
    whole: Sum | None,
) -> Iterator[Difference]:
    """Yield the difference of two sums of links, if there is one: first in number, then in rate where both are known."""
    have, got = (ours.links if ours else 0), (theirs.links if theirs else 0)
    each = ours.bandwidth / have if ours and ours.bandwidth and have else None
    left = None if whole is None or whole.bandwidth is None or each is None else whole.bandwidth - (have - got) * each
    if have != got:
        yield Difference(
            number=0, what="less" if got < have else "more", unit="links", expected=str(have), found=str(got),
            nodes=nodes, ends=ends, kind=kind, suffers=suffers, left=left, of=whole.bandwidth if whole else None,
        )  # fmt: skip
        return
    if ours is None or theirs is None or not ours.names or not theirs.names or ours.names == theirs.names:
        return
    if ours.bandwidth is None or theirs.bandwidth is None or ours.bandwidth == theirs.bandwidth:
        return
    total = None if whole is None or whole.bandwidth is None else whole.bandwidth - ours.bandwidth + theirs.bandwidth
    yield Difference(
        number=0, what="less" if theirs.bandwidth < ours.bandwidth else "more", unit="rate",
        expected=", ".join(ours.names), found=", ".join(theirs.names), nodes=nodes, ends=ends, kind=kind,
        suffers=suffers, left=total, of=whole.bandwidth if whole else None,
    )  # fmt: skip


def _host(case: _Case) -> Iterator[Difference]:
    """Yield GPUs and cards whose PCIe link is narrower, and cards that hang beside another GPU than they should."""
    for thing in case.expected.things.values():
        if thing.kind not in {"gpu", "nic", "dpu"} or thing.id not in case.there:
            continue
        ours, theirs = case.expected.total(thing.id, "pcie"), case.found.total(case.there[thing.id], "pcie")
        if ours is not None and theirs is not None and ours.links == theirs.links:
            yield from _compared(ours, theirs, (thing.id,), (), "pcie", thing.id, ours)
        if thing.kind in {"nic", "dpu"}:
            yield from _beside(case, thing.id)


def _beside(case: _Case, card: str) -> Iterator[Difference]:
    ours = case.expected.near(card)
    theirs = {case.back[one] for one in case.found.near(case.there[card]) if one in case.back}
    gone = {one for one in ours if one not in case.there}
    if ours - gone and theirs and not (ours & theirs):
        yield Difference(
            number=0, what="moved", unit="near", expected=", ".join(sorted(ours)), found=", ".join(sorted(theirs)),
            nodes=(card,), kind="pcie",
        )  # fmt: skip


def _not_compared(case: _Case) -> Iterator[str]:
    """Yield what only the expected side knows: kinds of things and of links, the chips of a fabric, rates."""
    for kind in dict.fromkeys(thing.kind for thing in case.expected.things.values() if not thing.assembly.children):
        if kind in {"cpu", "pcie", "power-shelf"} or not _known(case, kind):
            yield kind
    for kind in sorted(case.expected.kinds - case.found.kinds):
        yield kind
    shared = sorted(case.expected.kinds & case.found.kinds)
    if any(not _rated(case.found, kind) for kind in shared if kind in (*SCALE_UP, *NETWORK)):
        yield "rates"


def _rated(side: Around, kind: str) -> bool:
    return any(link.bandwidth is not None for some in side.links.values() for _, link in some if link.kind == kind)
