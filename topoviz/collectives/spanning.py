"""As many spanning trees as links allow, no link in two of them: what is left where there is no ring.

J. Edmonds' partition of matroids: a link that fits no tree is put into one in exchange for another
link, which moves on, along a shortest chain of such exchanges. So the number is the most there can be
(C. St. J. A. Nash-Williams and W. T. Tutte 1961).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]


def trees(links: Mapping[Pair, int], count: int) -> tuple[tuple[Pair, ...], ...]:
    """Return the most trees that join all members; ``links`` tells how many links each pair (low, high) has.

    >>> [len(trees({(a, b): 1 for b in range(n) for a in range(b)}, n)) for n in (3, 4, 5, 8)]
    [1, 2, 2, 4]
    """
    edges = [pair for pair, number in links.items() for _ in range(number)]
    most = len(edges) // (count - 1) if count > 1 else 0
    found: tuple[tuple[Pair, ...], ...] = ()
    for number in range(1, most + 1):
        forests = _forests(edges, count, number)
        if any(len(forest) < count - 1 for forest in forests):
            break
        found = tuple(tuple(edges[e] for e in sorted(forest)) for forest in forests)
    return found


def _forests(edges: Sequence[Pair], count: int, number: int) -> list[set[int]]:
    """Return so many forests without common edges that hold as many edges as can be."""
    forests: list[set[int]] = [set() for _ in range(number)]
    for edge in range(len(edges)):
        _insert(edges, forests, edge, count)
    return forests


def _insert(edges: Sequence[Pair], forests: list[set[int]], edge: int, count: int) -> None:
    """Put an edge into the forests, moving others along a shortest chain of exchanges; leave it out if none ends."""
    came: dict[int, tuple[int, int] | None] = {edge: None}
    queue = deque([edge])
    while queue:
        here = queue.popleft()
        for number, forest in enumerate(forests):
            if here in forest:
                continue
            circle = _circle(edges, forest, edges[here], count)
            if circle is None:
                _shift(forests, came, here, number)
                return
            for other in circle:
                if other not in came:
                    came[other] = (here, number)
                    queue.append(other)


def _shift(forests: list[set[int]], came: Mapping[int, tuple[int, int] | None], last: int, free: int) -> None:
    """Move every edge of the chain into the forest that its successor leaves."""
    here, into = last, free
    while True:
        step = came[here]
        if step is not None:
            forests[step[1]].discard(here)
        forests[into].add(here)
        if step is None:
            return
        here, into = step


def _circle(edges: Sequence[Pair], forest: set[int], pair: Pair, count: int) -> list[int] | None:
    """Return the edges of a forest between the two ends of a pair; None if it does not join them."""
    beside: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for edge in sorted(forest):
        a, b = edges[edge]
        beside[a].append((b, edge))
        beside[b].append((a, edge))
    came: dict[int, tuple[int, int] | None] = {pair[0]: None}
    queue = deque([pair[0]])
    while queue and pair[1] not in came:
        here = queue.popleft()
        for other, edge in beside[here]:
            if other not in came:
                came[other] = (here, edge)
                queue.append(other)
    if pair[1] not in came:
        return None
    way: list[int] = []
    step = came[pair[1]]
    while step is not None:
        way.append(step[1])
        step = came[step[0]]
    return way
