"""The full graph as JSON: node-link, as networkx reads it."""

from __future__ import annotations

import json
from typing import Any

from topoviz.model.topology import Topology

SUFFIX = ".json"


def write(topology: Topology) -> str:
    """Return the graph as node-link JSON, ``networkx.node_link_graph(data, edges="edges")`` reads it.

    Nodes and edges come in the order of the document, keys in the order of the contract.
    """
    return json.dumps(data(topology), ensure_ascii=False, indent=1) + "\n"


def data(topology: Topology) -> dict[str, Any]:
    """Return the same as a dict."""
    graph = topology.graph
    return {
        "directed": False,
        "multigraph": True,
        "graph": dict(graph.graph),
        "nodes": [{"id": name, **attributes} for name, attributes in graph.nodes(data=True)],
        "edges": [
            {"source": source, "target": target, "key": key, **attributes}
            for source, target, key, attributes in graph.edges(keys=True, data=True)
        ],
    }
