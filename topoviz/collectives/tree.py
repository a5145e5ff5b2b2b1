"""Tree: sums go up to the root and come back down; two binary trees share the data.

On switch chips and on the host a double binary tree over the ranks; over direct links as many
spanning trees as the links allow; over several boxes a double binary tree over the boxes for each
network card, and a chain through the GPUs of a box, as NCCL builds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from topoviz.collectives import bounds, btree, cost, flow, spanning
from topoviz.collectives.cost import Phase
from topoviz.collectives.flow import Cards, known, medium, wanted
from topoviz.collectives.hops import Way
from topoviz.collectives.network import MESH, Network, nearest_cards, network, together
from topoviz.collectives.order import has_chip, in_box
from topoviz.collectives.plan import Plan
from topoviz.collectives.rails import channels, named, turned
from topoviz.collectives.ring import boxes_of
from topoviz.errors import PlanError
from topoviz.model.findings import Bound
from topoviz.model.topology import Route, Topology

COLLECTIVES = ("all-reduce", "broadcast", "reduce")
UP, DOWN = ("all-reduce", "reduce"), ("all-reduce", "broadcast")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree over ranks: (parent, child) with every parent before its children; the part of the data that it has."""

    root: str
    pairs: tuple[tuple[str, str], ...]
    part: float
    count: int = 1


def plan(topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line") -> Plan:
    """Return the plan of trees over the ranks (ids of GPUs).

    Raises:
        PlanError: the ranks are not joined, or trees cannot do the collective.
    """
    if collective not in COLLECTIVES:
        raise PlanError(f"a tree cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    if len(ranks) < 2:
        raise PlanError(f"a tree needs at least two GPUs, and here is {len(ranks) or 'none'}")
    net = network(topology, rates, ranks)
    known(net, ranks)
    boxes = boxes_of(net, ranks)
    cards = nearest_cards(net, ranks) if len(boxes) > 1 else {}
    if len(boxes) > 1:
        trees, order = _over_boxes(net, boxes, cards, collective), "double binary tree over boxes"
    elif _is_mesh(net, boxes[0]):
        trees, order = _spanning(net, boxes[0]), "spanning trees over direct links"
    else:
        members = ranks if all(has_chip(net, name) for name in ranks) else in_box(net, boxes[0])
        trees, order = _double(members, collective), "double binary tree"
    kinds = MESH if len(boxes) == 1 and len(together(net, ranks, ("nvswitch",), MESH)) == 1 else ()
    return _planned(net, ranks, trees, collective, rates, order, kinds, cards)


def _is_mesh(net: Network, box: Sequence[str]) -> bool:
    return len(together(net, box, (), MESH)) == 1


def _double(members: Sequence[str], collective: str) -> tuple[Tree, ...]:
    """Return both trees, each with half of the data; for what has one root, the first one alone."""
    both = btree.double(len(members))
    used = both if collective == "all-reduce" else both[:1]
    return tuple(_named(parents, members, 1 / len(used)) for parents in used)


def _named(parents: btree.Parents, members: Sequence[str], part: float) -> Tree:
    order = btree.ordered(parents)
    pairs = tuple((members[parents[one]], members[one]) for one in order[1:])
    return Tree(root=members[order[0]], pairs=pairs, part=part)


def _spanning(net: Network, box: Sequence[str]) -> tuple[Tree, ...]:
    """Return the most trees that share no link, all with the first GPU as root; equal ones together."""
    arcs = {(i, k): net.between(a, b, MESH) for k, b in enumerate(box) for i, a in enumerate(box[:k])}
    links = {pair: max(arc.links for arc in some) for pair, some in arcs.items() if some}
    found = spanning.trees(links, len(box))
    counts: dict[tuple[tuple[int, int], ...], int] = {}
    for one in found:
        counts[one] = counts.get(one, 0) + 1
    return tuple(
        Tree(root=box[0], pairs=tuple(_hung(one, box)), part=count / len(found), count=count)
        for one, count in counts.items()
    )


def _hung(edges: Iterable[tuple[int, int]], box: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield parent and child of a tree without direction, seen from the first member."""
    beside: dict[int, list[int]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    seen, queue = {0}, [0]
    for here in queue:
        for other in beside.get(here, ()):
            if other not in seen:
                seen.add(other)
                queue.append(other)
                yield box[here], box[other]


def _over_boxes(net: Network, boxes: Sequence[Sequence[str]], cards: Cards, collective: str) -> tuple[Tree, ...]:
    """Return a double tree over boxes for each network card, with a chain through the GPUs of every box."""
    found, _ = channels(net, boxes, named(cards))
    walks = [_cut(ring, boxes, named(cards)) for ring in found] or [
        [list(in_box(net, box, closed=False)) for box in boxes]
    ]
    out: list[Tree] = []
    for walk in walks:
        chains = [(one[0], tuple(zip(one, one[1:], strict=False))) for one in walk]
        for tree in _double([head for head, _ in chains], collective):
            inside = tuple(pair for _, chain in chains for pair in chain)
            out.append(Tree(root=tree.root, pairs=(*tree.pairs, *inside), part=tree.part / len(walks)))
    return tuple(out)


def _cut(ring: Sequence[str], boxes: Sequence[Sequence[str]], cards: Mapping[str, str]) -> list[list[str]]:
    """Return the walk of a channel through each box, in every box from the same card: trees stay on their rail."""
    walks, start = [], 0
    for number, box in enumerate(boxes):
        part = list(ring[start : start + len(box)])
        start += len(box)
        walks.append(turned(part, number, cards))
    return walks


def _planned(
    net: Network,
    ranks: Sequence[str],
    trees: Sequence[Tree],
    collective: str,
    rates: str,
    order: str,
    kinds: Sequence[str],
    cards: Cards,
) -> Plan:
    pairs = dict.fromkeys(pair for tree in trees for pair in tree.pairs)
    down = {pair: wanted(net, *pair, rates, cards) for pair in pairs}
    up = {pair[::-1]: wanted(net, *pair[::-1], rates, cards) for pair in down} if collective in UP else {}
    sent: dict[str, float] = {}
    parts: list[tuple[Way, float]] = []
    for tree in trees:
        for parent, child in tree.pairs:
            if collective in DOWN:
                parts.append((down[parent, child], tree.part))
                sent[parent] = sent.get(parent, 0.0) + tree.part
            if collective in UP:
                parts.append((up[child, parent], tree.part))
                sent[child] = sent.get(child, 0.0) + tree.part
    found = flow.flow(parts)
    share = max(sent.values())
    bandwidth = None if found.rate is None else share * found.rate
    steps = _steps(trees[0], down, collective)
    return Plan(
        collective=collective,
        algorithm="tree",
        ranks=tuple(ranks),
        routes=tuple(_route(tree, down, number) for number, tree in enumerate(trees)),
        loads=found.loads,
        bottleneck=found.bottleneck,
        bandwidth=bandwidth,
        rates=rates,
        link=found.link,
        unlimited=found.unlimited,
        bound=_bound(net, ranks, found.rate, collective, kinds),
        order=order,
        nccl="binary" in order,
        phases=(Phase(name=collective, share=share, bandwidth=bandwidth, steps=steps, link=found.link),),
        notes=flow.why(net, found),
    )


def _route(tree: Tree, down: dict[tuple[str, str], Way], number: int) -> Route:
    nodes = (tree.root, *(child for _, child in tree.pairs))
    hops = tuple(down[pair].hop for pair in tree.pairs)
    return Route(name=f"tree {number}", shape="tree", nodes=nodes, hops=hops, count=tree.count)


def _steps(tree: Tree, down: dict[tuple[str, str], Way], collective: str) -> tuple[tuple[str, int], ...]:
    """Return the steps of the longest way from the root to a leaf by what they go over; for all-reduce twice."""
    far: dict[str, dict[str, int]] = {tree.root: {}}
    for pair in tree.pairs:
        kind = medium(down[pair].hop)
        above = far[pair[0]]
        far[pair[1]] = {**above, kind: above.get(kind, 0) + 1}
    longest = max(far.values(), key=lambda steps: sum(steps.values()))
    rounds = 2 if collective == "all-reduce" else 1
    return tuple((kind, rounds * count) for kind, count in longest.items())


def _bound(
    net: Network, ranks: Sequence[str], rate: float | None, collective: str, kinds: Sequence[str]
) -> Bound | None:
    """Return what trees of any share could carry, as bus bandwidth of an all-reduce; None if it is not known."""
    if rate is None or collective != "all-reduce":
        return None
    most = bounds.trees(net, ranks, kinds)
    if most is None:
        return None
    reached = rate * cost.factor(collective, len(ranks))
    return Bound(bandwidth=most, met=reached * bounds.NEAR >= most, proof="cuts, by maximum flow, as bus bandwidth")
