"""What differs between two topologies, numbered in the order in which a reader should look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topoviz.comparing.alike import grouped
from topoviz.comparing.around import Around
from topoviz.comparing.case import NETWORK, SCALE_UP, Case
from topoviz.comparing.host import host
from topoviz.comparing.links import links
from topoviz.comparing.matching import matched
from topoviz.comparing.states import degraded
from topoviz.comparing.things import things
from topoviz.model.findings import Difference, Differences
from topoviz.model.topology import Topology

BRIDGES = "pcie-switch"  # the things, where "pcie" are the links
ORDER = ("missing", "other", "moved", "less", "extra", "more")


def diff(expected: Topology, found: Topology) -> Differences:
    """Return what differs, at the finest level that both know; things are told by ids of the expected topology.

    A missing thing is one difference, and its links are not told again; many that are alike
    are one, with the others in ``also``. Numbers that
    only one side knows (a rate, the chips of a fabric, a kind of link) are not compared
    and listed in ``not_compared``.

    >>> from topoviz.loading import load
    >>> worse = {"part": "dgx-h100", "changes": [{"at": "nic6", "absent": True}]}
    >>> [(one.what, one.nodes) for one in diff(load("dgx-h100"), load(worse)).items]
    [('missing', ('nic6',))]
    """
    ours, theirs = Around(expected), Around(found)
    there = matched(ours, theirs)
    case = Case(expected=ours, found=theirs, there=there, back={b: a for a, b in there.items()})
    told = [*things(case), *links(case), *host(case)]
    items = grouped([*told, *degraded(case, told)], case)
    ranked = sorted(enumerate(items), key=lambda pair: (ORDER.index(pair[1].what), pair[0]))
    numbered = tuple(_numbered(one, i) for i, (_, one) in enumerate(ranked, 1))
    return Differences(
        expected=expected.name, found=found.name, items=numbered, not_compared=tuple(_not_compared(case))
    )


def _numbered(one: Difference, number: int) -> Difference:
    return replace(one, number=number, also=tuple(replace(other, number=number) for other in one.also))


def _not_compared(case: Case) -> Iterator[str]:
    """Yield what only the expected side knows: kinds of things and of links, the chips of a fabric, rates."""
    for kind in dict.fromkeys(thing.kind for thing in case.expected.things.values() if not thing.assembly.children):
        if kind in {"cpu", "pcie", "power-shelf"} or not case.knows(kind):
            yield BRIDGES if kind == "pcie" else kind
    for kind in sorted(case.expected.kinds - case.found.kinds):
        yield kind
    shared = sorted(case.expected.kinds & case.found.kinds)
    if any(not _rated(case.found, kind) for kind in shared if kind in (*SCALE_UP, *NETWORK)):
        yield "rates"


def _rated(side: Around, kind: str) -> bool:
    return any(link.bandwidth is not None for some in side.links.values() for _, link in some if link.kind == kind)
