"""Where the nodes of a tree stand: a column for each rank, a level for each generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from topoviz.model.topology import Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A node of a tree: its column, its level above the row of ranks (1 is the lowest), its parent."""

    node: str
    column: int
    level: int
    parent: str = ""


def places(route: Route, order: Sequence[str]) -> tuple[Place, ...]:
    """Return the nodes of a tree in the order of the columns; the root has the highest level.

    A tree in which every node stands between its children (as NCCL's binary trees do by
    rank) has no two lines that cross: a line goes up its own column, then across.

    >>> from topoviz.model.topology import Hop
    >>> hops = tuple(Hop(source="b", target=one, via=(), kind="nvlink") for one in "ac")
    >>> tree = Route(name="t", shape="tree", nodes=("b", "a", "c"), hops=hops)
    >>> [(place.node, place.column, place.level) for place in places(tree, "abc")]
    [('a', 0, 1), ('b', 1, 2), ('c', 2, 1)]
    """
    parent = {hop.target: hop.source for hop in route.hops}
    depth = {node: _depth(node, parent) for node in route.nodes}
    deepest = max(depth.values(), default=0)
    column = {node: i for i, node in enumerate(order)}
    found = [
        Place(node=node, column=column[node], level=1 + deepest - depth[node], parent=parent.get(node, ""))
        for node in route.nodes
        if node in column
    ]
    return tuple(sorted(found, key=lambda place: place.column))


def _depth(node: str, parent: Mapping[str, str]) -> int:
    """Return how many generations stand above a node; a circle in what somebody wrote ends the count."""
    depth, seen = 0, {node}
    while node in parent and parent[node] not in seen:
        node = parent[node]
        seen.add(node)
        depth += 1
    return depth


def height(route: Route) -> int:
    """Return how many generations a tree has below its root: the steps in a row of one way.

    >>> height(Route(name="t", shape="tree", nodes=("a",), hops=()))
    0
    """
    parent = {hop.target: hop.source for hop in route.hops}
    return max((_depth(node, parent) for node in route.nodes), default=0)
