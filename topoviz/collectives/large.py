"""Rings, trees and hierarchical plans over thousands of GPUs: one box of each kind is planned, then placed.

The loads are those of links that are alike, with their number; the trees name the GPU of every box
at which a channel enters, and not the chain from there through the box.
"""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.collectives import bounds, btree, cost, hierarchical, ring
from topoviz.collectives.cost import ROUNDS, Phase
from topoviz.collectives.flow import medium
from topoviz.collectives.known import ALTERNATING
from topoviz.collectives.network import NETWORK, gpus
from topoviz.collectives.placed import SMALL, Machine, machine
from topoviz.collectives.placing import Layer
from topoviz.collectives.plan import Plan
from topoviz.collectives.tally import Result
from topoviz.model.findings import Bound
from topoviz.model.topology import Hop, Route, Topology

ALGORITHMS = ("ring", "tree", "hierarchical")


def plan(
    topology: Topology,
    ranks: Sequence[str],
    collective: str,
    algorithm: str,
    rates: str = "line",
    *,
    least: int = SMALL,
) -> Plan | None:
    """Return the plan over all GPUs of a large machine; None if it is small, or its boxes are not alike enough."""
    if algorithm not in ALGORITHMS or len(ranks) <= least or tuple(ranks) != gpus(topology):
        return None
    found = machine(topology, rates)
    if found is None:
        return None
    makers = {"ring": _ring, "tree": _tree, "hierarchical": _hierarchical}
    return makers[algorithm](found, tuple(ranks), collective)


def _ring(found: Machine, ranks: tuple[str, ...], collective: str) -> Plan | None:
    layer = Layer.on(found)
    count = layer.channels()
    if not count or collective not in ring.COLLECTIVES:
        return None
    boxes = range(len(found.prefixes))
    routes: list[Route] = []
    for channel in range(count):
        hops: list[Hop] = []
        walks = [layer.walk(box, channel) for box in boxes]
        for box in boxes:
            following = (box + 1) % len(boxes)
            hops.extend(layer.inside(box, walks[box], 1 / count))
            hops.append(layer.across(box, walks[box][-1], following, walks[following][0], 1 / count))
        nodes = tuple(hop.source for hop in hops)
        routes.append(
            Route(name=f"ring {channel + 1}" if count > 1 else "ring", shape="ring", nodes=nodes, hops=tuple(hops))
        )
    result = layer.tally.done()
    rounds = ROUNDS.get(collective, 1)
    steps = (
        (medium(routes[0].hops[0]), rounds * (len(ranks) - len(boxes))),
        ("network", rounds * (len(boxes) - 1)),
    )
    share = cost.factor(collective, len(ranks))
    order = "a channel for each network card, rails alternating" if count > 1 else "in and out by one network card"
    return _plan(
        collective, "ring", ranks, routes, result, share, steps, found, order, bound=_bound(found, result.rate)
    )


def _bound(found: Machine, rate: float | None) -> Bound | None:
    """Return what the network cards of a box carry, or the links of a GPU, whichever is less."""
    if rate is None:
        return None
    cuts: list[bounds.Cut] = []
    seen: dict[int, int] = {}
    for box, kind in enumerate(found.kinds):
        seen.setdefault(id(kind), box)
    for box in seen.values():
        kind, prefix = found.kinds[box], found.prefixes[box]
        degree = bounds.degree(kind.net, kind.gpus)
        arcs = [
            arc
            for card in dict.fromkeys(kind.cards.values())
            for arc in found.switches.arcs[prefix + card]
            if arc.kind in NETWORK
        ]
        cards = bounds.total(arcs)
        cuts += [degree] if degree else []
        cuts += [(cards, f"network cards beside {prefix}{kind.gpus[0]}")] if cards is not None else []
    if not cuts:
        return None
    least = min(cuts, key=lambda cut: cut[0])
    return Bound(bandwidth=least[0], met=rate * bounds.NEAR >= least[0], proof=least[1])


def _tree(found: Machine, ranks: tuple[str, ...], collective: str) -> Plan | None:
    layer = Layer.on(found)
    count = layer.channels()
    if not count or collective != "all-reduce":
        return None
    boxes = range(len(found.prefixes))
    both = btree.double(len(boxes))
    part = 0.5 / count
    sent: dict[tuple[int, str], float] = {}
    routes: list[Route] = []
    for channel in range(count):
        walks = [layer.walk(box, channel, alternate=False) for box in boxes]
        for tree in both:
            order = btree.ordered(tree)
            hops = []
            for box in order[1:]:
                above = tree[box]
                hops.append(layer.across(above, walks[above][0], box, walks[box][0], part, both=True))
                for end in ((above, walks[above][0]), (box, walks[box][0])):
                    sent[end] = sent.get(end, 0.0) + part
            nodes = tuple(found.prefixes[box] + walks[box][0] for box in order)
            routes.append(Route(name=f"tree {len(routes)}", shape="tree", nodes=nodes, hops=tuple(hops)))
        for box in boxes:
            layer.inside(box, walks[box], 2 * part, both=True)
            for i, name in enumerate(walks[box]):
                ways = (i > 0) + (i < len(walks[box]) - 1)
                sent[box, name] = sent.get((box, name), 0.0) + 2 * part * ways
    result = layer.tally.done()
    steps = (
        ("network", 2 * max(btree.depth(tree) for tree in both)),
        ("nvlink", 2 * (len(found.kinds[0].gpus) - 1)),
    )
    return _plan(
        collective, "tree", ranks, routes, result, max(sent.values()), steps, found, "double binary tree over boxes"
    )


def _plan(
    collective: str, algorithm: str, ranks: tuple[str, ...], routes: Sequence[Route], result: Result, share: float,
    steps: tuple[tuple[str, int], ...], found: Machine, order: str, *, bound: Bound | None = None,
) -> Plan:  # fmt: skip
    bandwidth = None if result.rate is None else share * result.rate
    if algorithm == "ring":
        bandwidth = result.rate
    phase = Phase(name=collective, share=share, bandwidth=bandwidth, steps=steps, link=result.link)
    return Plan(
        collective=collective,
        algorithm=algorithm,
        ranks=ranks,
        routes=tuple(routes),
        loads=result.loads,
        bottleneck=result.bottleneck,
        bandwidth=bandwidth,
        rates=found.rates,
        link=result.link,
        unlimited=result.unlimited,
        bound=bound,
        order=order,
        nccl=algorithm == "tree" or (len(routes) % 2 == 0 and _is_alternating(found)),
        phases=(phase,),
        notes=(_alike(found),),
    )


def _is_alternating(found: Machine) -> bool:
    kinds = {id(kind): kind for kind in found.kinds}.values()
    return all(kind.net.things[name].part in ALTERNATING for kind in kinds for name in kind.gpus)


def _alike(found: Machine) -> str:
    kinds = len({id(kind) for kind in found.kinds})
    many = f"{len(found.prefixes):,} boxes"
    return f"{many} of {kinds} kind{'s' if kinds > 1 else ''}: each kind was planned once, links that are alike are counted"


def _hierarchical(found: Machine, ranks: tuple[str, ...], collective: str) -> Plan | None:
    if collective not in hierarchical.COLLECTIVES:
        return None
    sizes = [len(kind.gpus) for kind in found.kinds]
    hierarchical.check(sizes)
    inside, across = Layer.on(found), Layer.on(found)
    boxes = range(len(found.prefixes))
    courses = {id(kind): ring.in_box(kind.net, kind.gpus, found.rates) for kind in found.kinds}
    routes: list[Route] = []
    for box in boxes:
        course = courses[id(found.kinds[box])]
        total = sum(count for _, count in course.rings)
        for nodes, count in course.rings:
            hops = tuple(inside.inside(box, nodes, count / total, closed=True))
            names = tuple(found.prefixes[box] + name for name in nodes)
            routes.append(Route(name=f"inside {box}", shape="ring", nodes=names, hops=hops, count=count))
    for place in range(sizes[0]):
        names = tuple(found.kinds[box].gpus[place] for box in boxes)
        after = [*boxes[1:], 0]
        turn = tuple(
            across.across(box, names[box], other, names[other], 1.0) for box, other in zip(boxes, after, strict=True)
        )
        nodes = tuple(found.prefixes[box] + names[box] for box in boxes)
        routes.append(Route(name=f"across {place}", shape="ring", nodes=nodes, hops=turn))
    results = (inside.tally.done(), across.tally.done())
    first = (medium(routes[0].hops[0]), sizes[0] - 1)
    phases = hierarchical.phases_of(collective, sizes[0], len(boxes), *results, (first,), "network")
    return hierarchical.assembled(collective, ranks, routes, results, phases, found.rates, notes=(_alike(found),))
