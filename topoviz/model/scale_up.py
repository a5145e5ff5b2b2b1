"""Which GPUs have fast links to each other, directly or over one switch chip."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.model.topology import Topology

FAST = ("nvlink", "xgmi")


def joined(topology: Topology, a: str, b: str) -> str:
    """Return the kind of link that joins two GPUs; empty if there is none.

    >>> from topoviz.loading import load
    >>> joined(load("dgx-h100"), "gpu0", "gpu5"), joined(load("l40s-server"), "gpu0", "gpu1")
    ('nvlink', '')
    """
    for kind in FAST:
        ends = set(_near(topology, a, kind))
        if b in ends:
            return kind
        nodes = topology.graph.nodes
        if any(end in ends and nodes[end].get("kind") == "nvswitch" for end in _near(topology, b, kind)):
            return kind
    return ""


def _near(topology: Topology, node: str, kind: str) -> Iterator[str]:
    for _, other, key in topology.graph.edges(node, keys=True):
        if key == kind:
            yield other
