"""Which thing of one topology is which of another: by its name, else by what hangs near it, else by its place in line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topoviz.comparing.around import Around
from topoviz.model.topology import Thing

KINDS = ("gpu", "nvswitch", "nic", "dpu", "switch", "cpu", "pcie")  # those that others are told by come first
CARDS = ("nic", "dpu")
NAME, NEAR, PLACE = 1000.0, 100.0, 1.0  # a name says more than any neighbour, a neighbour more than the order


def matched(expected: Around, found: Around) -> Mapping[str, str]:
    """Return for each expected thing the id of the one that it is in the topology as found; missing ones have none.

    Cards of both kinds are matched together, for a file may not tell a NIC from a DPU.
    """
    pairs: dict[str, str] = {}
    for kind in KINDS:
        kinds = CARDS if kind == "nic" else (kind,)
        if kind == "dpu":
            continue
        ours = [thing for one in kinds for thing in expected.of_kind(one)]
        theirs = [thing for one in kinds for thing in found.of_kind(one)]
        pairs.update(_assigned(ours, theirs, expected, found, pairs))
    return pairs


def _assigned(
    ours: Sequence[Thing], theirs: Sequence[Thing], expected: Around, found: Around, pairs: Mapping[str, str]
) -> dict[str, str]:
    """Return those with one id as pairs, then the others greedily, the most alike first; of equals the first in line."""
    same = {thing.id for thing in theirs} & {thing.id for thing in ours}
    if same:
        left, right = ([thing for thing in some if thing.id not in same] for some in (ours, theirs))
        return {name: name for name in sorted(same)} | _assigned(left, right, expected, found, pairs)
    scored = sorted(
        ((-_alike(a, i, b, j, expected, found, pairs), i, j) for i, a in enumerate(ours) for j, b in enumerate(theirs)),
    )
    out: dict[str, str] = {}
    taken: set[int] = set()
    for score, i, j in scored:
        if ours[i].id in out or j in taken or (score > -NEAR and _elsewhere(ours[i], theirs[j], expected, found)):
            continue
        out[ours[i].id] = theirs[j].id
        taken.add(j)
    return out


def _elsewhere(a: Thing, b: Thing, expected: Around, found: Around) -> bool:
    """Whether two cards hang beside different GPUs, so that equal order alone does not make them one."""
    if a.kind not in CARDS or len(expected.of_kind("nic")) == len(found.of_kind("nic")):
        return False
    return bool(expected.near(a.id)) and bool(found.near(b.id))


def _alike(a: Thing, i: int, b: Thing, j: int, expected: Around, found: Around, pairs: Mapping[str, str]) -> float:
    score = NAME if a.id == b.id or a.name == b.name else 0.0
    near = {pairs[one] for one in expected.near(a.id) if one in pairs}
    if near and near & found.near(b.id):
        score += NEAR * (2 if near == found.near(b.id) else 1)
    joined = {pairs[one] for one in expected.joined(a.id) if one in pairs}
    if joined:
        score += NEAR / 2 * len(joined & found.joined(b.id)) / len(joined)
    return score + PLACE / (1 + abs(i - j))
