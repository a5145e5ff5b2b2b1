"""Ring: every rank sends to the next, the last to the first; as many rings as the links allow.

In one box: through switch chips one ring in index order, once for each link of a GPU; over direct
links the most rings that share no link (``rings.py``); over the host one ring in the order of its
tree. Over several boxes a channel for each network card (``rails.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from topoviz.collectives import bounds, cost, flow, rings
from topoviz.collectives.cost import ROUNDS, Phase
from topoviz.collectives.flow import Cards, counted, known
from topoviz.collectives.known import ALTERNATING
from topoviz.collectives.network import (
    HOST,
    HOST_CARRIERS,
    MESH,
    SCALE_UP,
    Network,
    gpus,
    nearest_cards,
    network,
    together,
    way_up,
)
from topoviz.collectives.order import along_links, by_host, has_chip, order
from topoviz.collectives.plan import Plan
from topoviz.collectives.rails import channels, entries, named
from topoviz.errors import PlanError
from topoviz.model.findings import Bound
from topoviz.model.topology import Hop, Route, Topology

COLLECTIVES = (*ROUNDS, "broadcast", "reduce")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The rings of a plan: members in order with how many of each, where the order is from, and what is proven."""

    rings: tuple[tuple[tuple[str, ...], int], ...]
    order: str = ""
    nccl: bool = False
    bound: Bound | None = None
    kinds: tuple[str, ...] = ()  # links that such rings may use, for the bound
    notes: tuple[str, ...] = ()
    boxes: tuple[tuple[str, ...], ...] = ()
    cards: Cards = field(default_factory=dict)  # the way of each rank to its network card
    taken: tuple[Hop, ...] = ()  # hops whose way is known


def plan(
    topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line", most: int | None = None
) -> Plan:
    """Return the plan of rings over the ranks (ids of GPUs), as many as there can be; ``most`` takes only so many.

    Raises:
        PlanError: the ranks cannot be joined by a ring.
    """
    _check(ranks, collective)
    net = network(topology, rates, ranks)
    known(net, ranks)
    course = _course(net, ranks, rates)
    return _planned(net, ranks, course if most is None else fewer(course, most), collective, rates)


def along(
    topology: Topology,
    nodes: Sequence[str],
    collective: str = "all-reduce",
    *,
    rates: str = "line",
    taken: Sequence[Hop] = (),
) -> Plan:
    """Return the plan of a ring in a given order, for a ring that a person wrote down. Raises PlanError.

    ``taken`` are hops of it whose way is known, such as those that a log shows past NVLink.
    """
    _check(nodes, collective)
    net = network(topology, rates, nodes)
    known(net, nodes)
    members = set(nodes)
    ranks = [gpu for gpu in gpus(topology) if gpu in members]  # a rank keeps its number, whatever the order of the ring
    return _planned(
        net, ranks, Course(rings=((tuple(nodes), 1),), order="as written", taken=tuple(taken)), collective, rates
    )


def _check(ranks: Sequence[str], collective: str) -> None:
    if collective not in COLLECTIVES:
        raise PlanError(f"a ring cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    if len(ranks) < 2:
        raise PlanError(f"a ring needs at least two GPUs, and here is {len(ranks) or 'none'}")
    if len(set(ranks)) < len(ranks):
        raise PlanError("a ring visits every GPU once, and a rank is given twice")


def _course(net: Network, ranks: Sequence[str], rates: str) -> Course:
    boxes = boxes_of(net, ranks)
    if len(boxes) == 1:
        return in_box(net, boxes[0], rates)
    cards = nearest_cards(net, ranks)
    found, where = channels(net, boxes, named(cards))
    held = tuple(tuple(box) for box in boxes)
    if not found:
        return Course(rings=((order(net, ranks), 1),), order="box after box", boxes=held, cards=cards)
    every = tuple((one, 1) for one in found)
    beside = named(cards)
    whole = all(len(entries(box, beside)) == len(found) for box in boxes) and len(found) % 2 == 0
    is_nccl = whole and all(net.things[name].part in ALTERNATING for name in ranks)
    return Course(rings=every, order=where, nccl=is_nccl, boxes=held, cards=cards)


def boxes_of(net: Network, ranks: Sequence[str]) -> list[list[str]]:
    """Return the ranks in boxes: what is joined without a network."""
    return together(net, ranks, (*HOST_CARRIERS, "nvswitch"), (*MESH, *HOST))


def in_box(net: Network, box: Sequence[str], rates: str) -> Course:
    """Return the rings in one box: on switch chips, over direct links, else over the host."""
    domains = together(net, box, ("nvswitch",), MESH)
    notes: tuple[str, ...] = ()
    if len(domains) == 1:
        if all(has_chip(net, name) for name in box):
            one = rings.on_chips(net, box, rates)
            return Course(rings=one.rings, order=one.order, nccl=True, kinds=MESH)
        found = rings.direct(net, box)
        if found is not None:
            return Course(
                rings=found.rings, order=found.order, nccl=found.nccl, bound=found.bound, kinds=MESH, notes=found.notes
            )
        if not all(way_up(net, name) for name in box):
            return Course(rings=((along_links(net, box, closed=True), 1),), order="along direct links", kinds=MESH)
        notes = (_no_ring(net, box, "no circle over direct links visits every GPU once"),)
    elif any(len(one) > 1 for one in domains):
        parts = " and ".join(f"{one[0]} to {one[-1]}" if len(one) > 1 else one[0] for one in domains[:3])
        notes = (_no_ring(net, box, f"{len(domains)} parts are not joined by it ({parts})"),)
    return Course(rings=((by_host(net, box), 1),), order="order of the host tree", nccl=not notes, notes=notes)


def _no_ring(net: Network, box: Sequence[str], why: str) -> str:
    """Return the sentence that says why there is no ring over scale-up links, and what trees would carry."""
    kind = next(arc.kind for name in box for arc in net.arcs[name] if arc.kind in MESH)
    what = {"nvlink": "NVLink", "xgmi": "xGMI"}.get(kind, kind)
    trees = bounds.trees(net, box, SCALE_UP)
    instead = f"; spanning trees over {what} alone carry at most {trees:.4g} GB/s" if trees else ""
    return f"no {what} ring: {why}; the ring goes over PCIe where it is missing{instead}"


def fewer(course: Course, most: int) -> Course:
    """Return the first rings only, so many at most."""
    if most < 1:
        raise PlanError(f"a plan needs at least one ring, and {most} are asked for")
    left, kept = most, []
    for nodes, count in course.rings:
        if left:
            kept.append((nodes, min(count, left)))
            left -= min(count, left)
    fewer = sum(count for _, count in kept) < sum(count for _, count in course.rings)
    notes = (*course.notes, f"{most} of {sum(count for _, count in course.rings)} rings") if fewer else course.notes
    return replace(course, rings=tuple(kept), notes=notes)


def _planned(net: Network, ranks: Sequence[str], course: Course, collective: str, rates: str) -> Plan:
    total = sum(count for _, count in course.rings)
    is_closed = collective in ROUNDS
    if not is_closed:
        course = replace(course, rings=tuple((_from(nodes, ranks[0], collective), n) for nodes, n in course.rings))
    turns = [(*nodes, nodes[0]) if is_closed else nodes for nodes, _ in course.rings]
    walks = flow.along(net, turns, rates, course.cards, course.taken)
    ways = [(some, count / total) for some, (_, count) in zip(walks, course.rings, strict=True)]
    found = flow.flow((one, part) for hops, part in ways for one in hops)
    hops = [tuple(one.hop for one in some) for some, _ in ways]
    steps = counted(hops[0], cost.steps(collective, len(ranks)), ROUNDS.get(collective, 1))
    share = cost.factor(collective, len(ranks))
    return Plan(
        collective=collective,
        algorithm="ring",
        ranks=tuple(ranks),
        routes=tuple(_routes(course, hops)),
        loads=found.loads,
        bottleneck=found.bottleneck,
        bandwidth=found.rate,
        rates=rates,
        link=found.link,
        unlimited=found.unlimited,
        bound=_bound(net, ranks, course, found.rate) if is_closed else None,  # it is that of whole rings
        order=course.order,
        nccl=course.nccl,
        phases=(Phase(name=collective, share=share, bandwidth=found.rate, steps=steps, link=found.link),),
        notes=(*course.notes, *flow.why(net, found)),
    )


def _from(nodes: Sequence[str], root: str, collective: str) -> tuple[str, ...]:
    """Return the ring cut open at the root, which sends first in a broadcast and gets last in a reduce.

    >>> _from("cdab", "a", "broadcast"), _from("cdab", "a", "reduce")
    (('a', 'b', 'c', 'd'), ('b', 'c', 'd', 'a'))
    """
    at = list(nodes).index(root) + (collective == "reduce")
    return (*nodes[at:], *nodes[:at])


def _routes(course: Course, hops: Sequence[tuple[Hop, ...]]) -> list[Route]:
    alone = len(course.rings) == 1
    return [
        Route(name="ring" if alone else f"ring {i}", shape="ring", nodes=nodes, hops=some, count=count)
        for i, ((nodes, count), some) in enumerate(zip(course.rings, hops, strict=True), start=1)
    ]


def _bound(net: Network, ranks: Sequence[str], course: Course, bandwidth: float | None) -> Bound | None:
    if course.bound is not None:
        met = course.bound.met and bandwidth is not None and bandwidth * bounds.NEAR >= course.bound.bandwidth
        return Bound(
            bandwidth=course.bound.bandwidth, met=met, rings=course.bound.rings,
            fractional=course.bound.fractional, proof=course.bound.proof,
        )  # fmt: skip
    if len(course.boxes) > 1 and bandwidth is not None:
        cuts = (bounds.degree(net, ranks, course.kinds), bounds.around(net, course.boxes, named(course.cards)))
        stated = [cut for cut in cuts if cut is not None]
        least = min(stated, key=lambda cut: cut[0], default=None)
        if least is not None and bandwidth * bounds.NEAR >= least[0]:
            return Bound(bandwidth=least[0], met=True, proof=least[1])
    return rings.least_bound(net, ranks, bandwidth, course.kinds)
