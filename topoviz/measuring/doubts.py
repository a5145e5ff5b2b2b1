"""Why a measurement may not be of the machine that it is held against: another GPU is named, or it is too fast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from topoviz.collectives import ring
from topoviz.collectives.network import network
from topoviz.errors import PlanError
from topoviz.importers.evidence.products import PRODUCTS, product
from topoviz.measuring.runs import Run
from topoviz.model.graph import plain
from topoviz.model.topology import Topology
from topoviz.planning import plan

if TYPE_CHECKING:
    from topoviz.measuring.against import Held

ABOVE = 1.05  # of what a link can carry: rates of tools are rounded
BITS = 8
APART = 2  # trees that cross the network once may double what a ring reaches


def other_gpus(topology: Topology, run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return sentences about GPUs that a tool named and the machine does not have, where both are known makes.

    First those that make it another machine, then those whose links are the same.
    """
    known = {found.part: found for _, found in PRODUCTS}
    mine = {gpu.part: plain(gpu.title) or gpu.part for gpu in topology.of_kind("gpu")}
    if not mine or not set(mine) <= set(known):
        return (), ()
    links = {(known[part].nvlinks, known[part].link) for part in mine if known[part].nvlinks}
    machine = " and ".join(dict.fromkeys(mine.values()))
    doubts, notes = [], []
    for name in run.names:
        made = product(name)
        if made is None or made.part in mine:
            continue
        said = f"the GPUs that were measured are {name}, and those of the machine are {machine}"
        if (made.nvlinks, made.link) in links:
            notes.append(f"{said}; both have {made.nvlinks} × {made.link}")
        else:
            doubts.append(f"{said}: the file is of another machine")
    return tuple(doubts), tuple(notes)


def ceiling(topology: Topology, collective: str, ranks: Sequence[str], bandwidth: float) -> tuple[float, str]:
    """Return the busbw that cannot be exceeded, and what may lie between it and a ring; GB/s, one direction."""
    if collective != "all-reduce":
        return bandwidth, ""
    if len(ring.boxes_of(network(topology, "line", ranks), ranks)) > 1:
        return APART * bandwidth, "trees cross the network less often"
    try:
        reduced = plan(topology, collective, "nvls", ranks).bandwidth
    except PlanError:
        return bandwidth, ""
    if reduced is None:
        return bandwidth, ""
    count = len(ranks)
    return max(bandwidth, reduced * 2 * (count - 1) / (count + 1)), "the switches reduce (NVLS)"


def too_fast(measured: float, most: float, link: str) -> str:
    """Return the sentence about a number above what is possible; empty if it is not.

    >>> too_fast(100, 99, "NVLink 4")
    ''
    >>> too_fast(3000, 400, "NVLink 4")
    '3,000 GB/s is more than NVLink 4 can carry (400 GB/s): it is of another machine, or in gigabits'
    """
    if measured <= ABOVE * most:
        return ""
    units = ", or in gigabits" if most / 2 < measured / BITS <= ABOVE * most else ""
    return f"{measured:,.4g} GB/s is more than {link or 'the machine'} can carry ({most:,.4g} GB/s): it is of another machine{units}"


def of_tables(rows: Iterable[Held]) -> tuple[str, ...]:
    """Return the sentence about the copy that is most too fast; nothing if none is."""
    known = [one for one in rows if one.share is not None and one.share > ABOVE]
    if not known:
        return ()
    most = max(known, key=lambda one: one.share or 0.0)
    said = too_fast(most.measured, most.promised or 0.0, most.link)
    return (f"{most.source} → {most.target}: {said}",)
