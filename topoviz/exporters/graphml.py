"""GraphML, for Gephi, yEd, Cytoscape and igraph: every thing and every link with its attributes."""

from __future__ import annotations

from topoviz.model.topology import Topology

SUFFIX = ".graphml"


def write(topology: Topology) -> str:
    """Return the graph as GraphML; ``networkx.read_graphml`` reads it. What is not known is left out.

    >>> from topoviz.loading import load
    >>> write(load("dgx-h100")).count("<node ")
    30
    """
    import networkx as nx

    graph: nx.MultiGraph[str] = nx.MultiGraph()
    graph.graph.update(_known(topology.graph.graph))
    for name, attributes in topology.graph.nodes(data=True):
        graph.add_node(name, **_known(attributes))
    for source, target, key, attributes in topology.graph.edges(keys=True, data=True):
        graph.add_edge(source, target, key=key, **_known(attributes))
    return "\n".join(nx.generate_graphml(graph)) + "\n"


def _known(attributes: dict[str, object]) -> dict[str, object]:
    """Return the attributes without those that have no value, and without lists: GraphML has neither."""
    return {
        name: value
        for name, value in attributes.items()
        if value is not None and value != "" and not isinstance(value, list)
    }
