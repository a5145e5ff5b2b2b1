"""Where the nodes of a tree stand: a column for each rank, a level for each generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
    column = {node: i for i, node in enumerate(order)}
    deepest = max((depth[node] for node in route.nodes if node in column), default=0)
    found = [
        Place(node=node, column=column[node], level=1 + deepest - depth[node], parent=parent.get(node, ""))
        for node in route.nodes
        if node in column
    ]
    return tuple(sorted(found, key=lambda place: place.column))


def upper(route: Route, most: int) -> Route:
    """Return a tree down to the deepest level at which it has not more than so many nodes.

    >>> from topoviz.model.topology import Hop
    >>> hops = tuple(Hop(source=a, target=b, via=(), kind="") for a, b in ("ab", "ac", "bd", "ce"))
    >>> tree = Route(name="t", shape="tree", nodes=tuple("abcde"), hops=hops)
    >>> upper(tree, 4).nodes, len(upper(tree, 4).hops), upper(tree, 9) == tree
    (('a', 'b', 'c'), 2, True)
    """
    parent = {hop.target: hop.source for hop in route.hops}
    depth = {node: _depth(node, parent) for node in route.nodes}
    levels = sorted(depth.values())
    deepest = levels[-1] if len(levels) <= most else levels[most] - 1
    nodes = tuple(node for node in route.nodes if depth[node] <= deepest)
    kept = frozenset(nodes)
    return replace(route, nodes=nodes, hops=tuple(hop for hop in route.hops if hop.target in kept))


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
