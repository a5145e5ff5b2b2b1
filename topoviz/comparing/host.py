"""What hangs on a host: PCIe links that are narrower, links between CPUs, and cards beside another GPU."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.comparing.case import Case, specific
from topoviz.comparing.links import compared, expected_pairs
from topoviz.model.findings import Difference

DEVICES = ("gpu", "nic", "dpu")
BETWEEN = ("pcie", "upi", "qpi", "smp", "xgmi", "c2c")


def host(case: Case) -> Iterator[Difference]:
    """Yield GPUs and cards whose PCIe link is narrower, cards beside another GPU, and slower links above them."""
    for thing in case.expected.things.values():
        if thing.kind not in DEVICES or thing.id not in case.there:
            continue
        ours, theirs = case.expected.total(thing.id, "pcie"), case.found.total(case.there[thing.id], "pcie")
        if ours is not None and theirs is not None and ours.links == theirs.links:
            yield from compared(ours, theirs, (thing.id,), (), "pcie", thing.id, ours)
        if thing.kind in {"nic", "dpu"}:
            yield from _beside(case, thing.id)
    yield from _between(case)


def _between(case: Case) -> Iterator[Difference]:
    """Yield links between bridges and CPUs that are slower or fewer, where both sides know the link.

    Without rates both must say of what make the ends are: a file that does not has guessed the number.
    What is no link on the found side is not told: a file may show bridges otherwise.
    """
    for kind in () if "gpu" in case.other_parts else BETWEEN:
        for a, b in expected_pairs(case, kind):
            ends = {case.expected.things[name].kind for name in (a, b)}
            if not ends <= {"cpu", "pcie"} or a not in case.there or b not in case.there:
                continue
            ours, theirs = case.expected.pair(a, b, kind), case.found.pair(case.there[a], case.there[b], kind)
            rated = ours and theirs and ours.bandwidth is not None and theirs.bandwidth is not None
            if ours and theirs and (rated or _specific(case, a, b)):
                yield from compared(ours, theirs, (a, b), (a, b), kind, a, ours)


def _specific(case: Case, a: str, b: str) -> bool:
    """Whether both sides say of what make both ends are."""
    return all(specific(case.expected.things[one]) and specific(case.found.things[case.there[one]]) for one in (a, b))


def _beside(case: Case, card: str) -> Iterator[Difference]:
    ours = case.expected.near(card)
    theirs = {case.back[one] for one in case.found.near(case.there[card]) if one in case.back}
    gone = {one for one in ours if one not in case.there}
    if ours - gone and theirs and not (ours & theirs):
        yield Difference(
            number=0, what="moved", unit="near", expected=", ".join(sorted(ours)), found=", ".join(sorted(theirs)),
            nodes=(card,), kind="pcie",
        )  # fmt: skip
