"""In which order a ring visits the ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from topoviz.collectives.network import HOST, HOST_CARRIERS, SCALE_UP, Network, together, way_up
from topoviz.errors import PlanError

MOST_STEPS = 200_000  # of the search for a ring over direct links

Turn: TypeAlias = Callable[[Mapping[str, list[str]], set[str], str], Iterator[str]]  # where to go next, in order


def order(net: Network, ranks: Sequence[str]) -> tuple[str, ...]:
    """Return the ranks in the order of a ring.

    Box after box (what is joined without a network). Every second box is walked
    backwards, so that the ring leaves a box and enters the next by the same rail.
    Raises PlanError if a box of direct links has no ring.
    """
    boxes = together(net, ranks, (*HOST_CARRIERS, "nvswitch"), (*SCALE_UP, *HOST))
    walked = [in_box(net, box, closed=len(boxes) == 1) for box in boxes]
    return tuple(name for i, box in enumerate(walked) for name in (box[::-1] if i % 2 else box))


def in_box(net: Network, box: Sequence[str], *, closed: bool = True) -> tuple[str, ...]:
    """Return the order inside a box: by index on switch chips, along direct links, else by the host tree."""
    domains = together(net, box, ("nvswitch",), SCALE_UP)
    if len(domains) == 1 and len(box) > 1:
        if all(has_chip(net, name) for name in box):
            return tuple(box)
        return along_links(net, box, closed=closed)
    return by_host(net, box)


def by_host(net: Network, box: Sequence[str]) -> tuple[str, ...]:
    """Return the order of the host tree: each CPU and each PCIe switch is entered once."""
    return tuple(sorted(box, key=lambda name: _place(net, name)))


def along_links(net: Network, box: Sequence[str], *, closed: bool) -> tuple[str, ...]:
    """Return an order in which each rank has a direct link to the next; its narrowest link is as wide as can be.

    Raises PlanError if there is none, or none was found in a bounded search.
    """
    wide = {
        (a, b): max((arc.capacity or 0 for arc in net.between(a, b, SCALE_UP)), default=None) for a in box for b in box
    }
    widths = sorted({width for width in wide.values() if width is not None}, reverse=True)
    is_bounded = False
    for least in widths:
        joins = {a: [b for b in box if (w := wide[a, b]) is not None and w >= least] for a in box}
        for search in (_as_listed, _fewest_first):
            found, is_over = _search(joins, box, search, closed=closed)
            if found:
                return found
            if not is_over:
                break
        is_bounded |= is_over
    what = "ring" if closed else "path"
    if is_bounded:
        raise PlanError(f"no {what} over direct links was found for {len(box)} GPUs in {MOST_STEPS:,} steps")
    raise PlanError(f"no {what} over direct links visits each of the {len(box)} GPUs once: {box[0]} to {box[-1]}")


def _as_listed(joins: Mapping[str, list[str]], used: set[str], name: str) -> Iterator[str]:  # noqa: ARG001 - as the other
    """Return the neighbours in the order of the document: the ring that a person expects."""
    return iter(joins[name])


def _fewest_first(joins: Mapping[str, list[str]], used: set[str], name: str) -> Iterator[str]:
    """Return the neighbours, those first that are hardest to reach later: it finds rings in grids at once."""
    return iter(sorted(joins[name], key=lambda other: sum(far not in used for far in joins[other])))


def _search(
    joins: Mapping[str, list[str]], box: Sequence[str], turn: Turn, *, closed: bool
) -> tuple[tuple[str, ...], bool]:
    """Return a cycle (or path) through all, first in order, and whether the search was cut short."""
    way, used = [box[0]], {box[0]}
    rest = [turn(joins, used, box[0])]
    for _ in range(MOST_STEPS):
        if len(way) == len(box) and (not closed or box[0] in joins[way[-1]]):
            return tuple(way), False
        following = next((name for name in rest[-1] if name not in used), None)
        if following is not None:
            way.append(following)
            used.add(following)
            rest.append(turn(joins, used, following))
            continue
        rest.pop()
        used.discard(way.pop())
        if not way:
            return (), False
    return (), True


def has_chip(net: Network, name: str) -> bool:
    """Return whether a GPU has a link to a switch chip."""
    return any(arc.kind in SCALE_UP and net.kind(arc.target) == "nvswitch" for arc in net.arcs.get(name, ()))


def _place(net: Network, name: str) -> tuple[tuple[int, ...], ...]:
    """Return where a GPU hangs in the host tree: CPU, then the switches down to it, then itself, by document order."""
    above = [arc.target for arc in reversed(way_up(net, name))]
    return tuple(net.things[thing].position for thing in (*above, name))
