"""What no ring and no tree can exceed: cuts through the machine, by counting links and by maximum flow.

Every ring crosses every cut between two of its members once in each direction, so all rings
together carry at most what the cut carries. For trees: T. L. Zhao et al., ForestColl (arXiv 2402.06787).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from topoviz.collectives.network import CARRIERS, Arc, Network

if TYPE_CHECKING:
    import networkx as nx

MOST_FLOWS = 32  # ranks; of more, only cuts round one GPU and one box are looked at
Cut: TypeAlias = tuple[float, str]  # GB/s, and what carries it
NEAR = 1 + 1e-9


def degree(net: Network, ranks: Sequence[str], kinds: Sequence[str] = ()) -> Cut | None:
    """Return the least that a rank can send or receive over links of these kinds; None if a rate is not stated."""
    found: list[Cut] = []
    for name in ranks:
        arcs = [arc for arc in net.arcs.get(name, ()) if not kinds or arc.kind in kinds]
        rate = total(arcs)
        if rate is None:
            return None
        found.append((rate, f"links of {name}"))
    return min(found, key=lambda cut: cut[0]) if found else None


def total(arcs: Iterable[Arc]) -> float | None:
    """Return what arcs carry together; None if one of them has no stated rate."""
    rate = 0.0
    for arc in arcs:
        if arc.capacity is None:
            return None
        rate += arc.capacity
    return rate


def around(net: Network, boxes: Sequence[Sequence[str]], cards: Mapping[str, str]) -> Cut | None:
    """Return the least that the network cards of a box carry; ``cards`` is the nearest one of each rank."""
    found: list[Cut] = []
    for box in boxes:
        own = dict.fromkeys(cards[name] for name in box if name in cards)
        rate = total(arc for card in own for arc in net.arcs[card] if arc.kind in {"infiniband", "ethernet"})
        if rate is None or not own:
            return None
        found.append((rate, f"network cards beside {box[0]}" if len(own) > 1 else f"links of {next(iter(own))}"))
    return min(found, key=lambda cut: cut[0]) if found else None


def by_flow(net: Network, ranks: Sequence[str], kinds: Sequence[str] = (), *, most: int = MOST_FLOWS) -> Cut | None:
    """Return the least of all cuts between two ranks; None if there are too many ranks, or nothing limits them."""
    if not 2 <= len(ranks) <= most:
        return None
    import networkx as nx

    graph = flow_graph(net, ranks, kinds)
    found: list[Cut] = []
    for other in ranks[1:]:
        for source, target in ((ranks[0], other), (other, ranks[0])):
            if source not in graph or target not in graph:
                return (0.0, f"no way from {source} to {target}")
            try:
                value = nx.maximum_flow_value(graph, source, target)
            except nx.NetworkXUnbounded:
                continue
            found.append((float(value), f"everything between {source} and {target}"))
    return min(found, key=lambda cut: cut[0]) if found else None


def flow_graph(net: Network, ranks: Sequence[str], kinds: Sequence[str] = ()) -> nx.DiGraph[str]:
    """Return the arcs that ranks may use, as a graph of networkx; an arc without a stated rate has no capacity."""
    import networkx as nx

    members = set(ranks)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(ranks)
    for source, arcs in net.arcs.items():
        for arc in arcs:
            may = all(name in members or net.kind(name) in {*CARRIERS, "nvswitch"} for name in (source, arc.target))
            if may and (not kinds or arc.kind in kinds):
                before = graph.get_edge_data(source, arc.target, {"capacity": 0.0}).get("capacity", inf)
                graph.add_edge(source, arc.target, capacity=before + (inf if arc.capacity is None else arc.capacity))
    return graph


def trees(net: Network, ranks: Sequence[str], kinds: Sequence[str] = ()) -> float | None:
    """Return the bus bandwidth of the best all-gather by trees, GB/s; None if nothing limits it or there are too many.

    Every rank sends its share to all others: with x for each, a cut round S lets out at most what
    it carries, so x = min over S of capacity(S) / ranks in S. From any x the violated cut gives the
    next smaller one (W. Dinkelbach 1967), until none is violated. The bandwidth is (N - 1) x.
    """
    if not 2 <= len(ranks) <= MOST_FLOWS:
        return None
    import networkx as nx

    graph = flow_graph(net, ranks, kinds)
    members, first = set(ranks), ranks[0]
    each = sum(float(data["capacity"]) for _, _, data in graph.out_edges(first, data=True))
    if each == inf:
        return None
    tight = False
    while not tight:
        tight = True
        graph.add_edges_from((("", name) for name in ranks), capacity=each)
        for target in ranks:
            value, (inside, _) = nx.minimum_cut(graph, "", target)
            if value * NEAR < each * len(ranks):
                held = inside & members
                each = _leaving(graph, inside) / len(held)
                tight = False
                break
    return each * (len(ranks) - 1)


def _leaving(graph: nx.DiGraph[str], inside: set[str]) -> float:
    return sum(
        float(data["capacity"]) for a, b, data in graph.edges(data=True) if a in inside and a and b not in inside
    )
