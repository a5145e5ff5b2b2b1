"""Double binary trees over n members, as NCCL builds them (src/graph/trees.cc)."""

from __future__ import annotations

from typing import TypeAlias

Parents: TypeAlias = tuple[int, ...]  # of each member; -1 at the root


def double(count: int) -> tuple[Parents, Parents]:
    """Return the parents in both trees: no member is interior in both, but member 0 of an odd count.

    The first tree joins a member to the one that has its lowest set bit cleared and the next one
    set, or just cleared if there is no such member. The second is its mirror image for an even
    count, else the same moved on by one.

    >>> double(4)
    ((-1, 2, 0, 2), (1, 3, 1, -1))
    """
    first = tuple(_parent(rank, count) for rank in range(count))
    return first, tuple(_second(rank, first) for rank in range(count))


def _parent(rank: int, count: int) -> int:
    if not rank:
        return -1
    low = rank & -rank
    above = (rank ^ low) | (low << 1)
    return above if above < count else rank ^ low


def _second(rank: int, first: Parents) -> int:
    count = len(first)
    if count % 2:
        above = first[(rank - 1) % count]
        return -1 if above < 0 else (above + 1) % count
    above = first[count - 1 - rank]
    return -1 if above < 0 else count - 1 - above


def depth(parents: Parents) -> int:
    """Return how many generations stand below the root.

    >>> [max(depth(tree) for tree in double(n)) for n in (2, 8, 9, 1024)]
    [1, 3, 4, 10]
    """
    far = [0 if above < 0 else -1 for above in parents]
    for rank in range(len(parents)):
        chain = [rank]
        while far[chain[-1]] < 0:
            chain.append(parents[chain[-1]])
        start = far[chain[-1]]
        for step, member in enumerate(reversed(chain)):
            far[member] = start + step
    return max(far)


def ordered(parents: Parents) -> tuple[int, ...]:
    """Return the members with every parent before its children.

    >>> ordered((-1, 2, 0, 2))
    (0, 2, 1, 3)
    """
    below: dict[int, list[int]] = {}
    for rank, above in enumerate(parents):
        below.setdefault(above, []).append(rank)
    out = list(below[-1])
    for rank in out:
        out.extend(below.get(rank, ()))
    return tuple(out)
