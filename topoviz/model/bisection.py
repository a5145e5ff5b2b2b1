"""What passes between the two halves of a machine: the largest flow that its links can carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.model.ground import SCALE_UP
from topoviz.model.roles import CARDS, NETWORK
from topoviz.model.topology import Link, Thing, Topology

if TYPE_CHECKING:
    import networkx as nx

MOST_ENDS = 1_500  # a flow between more is left to others


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisection:
    """GB/s in one direction from the first half of the ends to the second, over links of these kinds."""

    bandwidth: float
    kinds: tuple[str, ...]
    ends: str  # kind of what is halved
    halves: tuple[int, int]


def bisection(topology: Topology) -> Bisection | None:
    """Return what passes from the first half of the GPUs to the second; None if it is not known.

    GPUs that one scale-up domain joins are halved over its links; else the things that hold
    network cards, over the network. The halves are those of the order of the document: a unit,
    a board or a row of racks stays together. Source of the measure: maximum flow is minimum cut.

    >>> from topoviz.loading import load
    >>> bisection(load("dgx-2")).bandwidth
    1200.0
    """
    gpus = tuple(topology.of_kind("gpu")) if topology.count("gpu") <= MOST_ENDS else ()
    found = _over(topology, gpus, SCALE_UP) or _over(topology, gpus, NETWORK)
    return found or _over(topology, _holders(topology), NETWORK)


def _holders(topology: Topology) -> tuple[Thing, ...]:
    """Return what stands directly round network cards, each once: nodes, trays."""
    cards = (card for kind in CARDS for card in topology.of_kind(kind))
    found = {card.parent.id: card.parent for card in cards if card.parent is not None and card.parent.id}
    return tuple(sorted(found.values(), key=lambda thing: thing.position))


def _over(topology: Topology, ends: Sequence[Thing], kinds: Iterable[str]) -> Bisection | None:
    """Return the flow between the halves of the ends over these kinds of links; None if these do not join all."""
    if not 1 < len(ends) <= MOST_ENDS:
        return None
    switches = (thing for kind in ("nvswitch", "switch") for thing in topology.of_kind(kind))
    shown = dict.fromkeys([*(end.id for end in ends), *(thing.id for thing in switches)])
    wanted = frozenset(kinds)
    links = [link for link in topology.fold(shown) if link.kind in wanted]
    if any(link.bandwidth is None for link in links) or not _joined(ends, links):
        return None
    half = len(ends) // 2
    flow = _flow([end.id for end in ends[:half]], [end.id for end in ends[half:]], links)
    used = tuple(dict.fromkeys(link.kind for link in links))
    return Bisection(bandwidth=flow, kinds=used, ends=ends[0].kind, halves=(half, len(ends) - half))


def _graph(links: Sequence[Link]) -> nx.DiGraph[str]:
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    for link in links:
        for one, other in ((link.source, link.target), (link.target, link.source)):
            known = graph.get_edge_data(one, other, {"capacity": 0.0})["capacity"]
            graph.add_edge(one, other, capacity=known + (link.bandwidth or 0.0))
    return graph


def _joined(ends: Sequence[Thing], links: Sequence[Link]) -> bool:
    """Return whether the links join all ends into one piece."""
    import networkx as nx

    graph = _graph(links)
    if ends[0].id not in graph:
        return False
    reached = {ends[0].id, *nx.descendants(graph, ends[0].id)}
    return all(end.id in reached for end in ends)


def _flow(first: Sequence[str], second: Sequence[str], links: Sequence[Link]) -> float:
    import networkx as nx

    graph = _graph(links)
    graph.add_edges_from(("from", one) for one in first)  # no capacity: as much as there is
    graph.add_edges_from((other, "to") for other in second)
    return float(nx.maximum_flow_value(graph, "from", "to"))
