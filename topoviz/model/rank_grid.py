"""Ranks as a grid: the axis that varies fastest first, so that groups are arithmetic and never a list.

The rank at ``(tp, cp, dp, pp)`` is ``tp + TP × (cp + CP × (dp + DP × pp))``, as Megatron-LM counts
(megatron/core/parallel_state.py); a grid may have other axes, or these in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Axes by kind with their sizes, the fastest first; axes of size 1 count nothing and may be there.

    >>> grid = Grid(axes=(("tp", 2), ("dp", 2), ("pp", 4)))
    >>> grid.size, grid.count("pp"), grid.group("pp", 1), grid.place(5)
    (16, 4, (1, 5, 9, 13), {'tp': 1, 'dp': 0, 'pp': 1})
    """

    axes: tuple[tuple[str, int], ...]

    @property
    def size(self) -> int:
        """Return how many ranks there are."""
        return prod(size for _, size in self.axes)

    @property
    def order(self) -> str:
        """Return the names of the axes that have more than one rank, ``tp-dp-pp``."""
        return "-".join(kind for kind, size in self.axes if size > 1)

    def along(self, kind: str) -> int:
        """Return the size of an axis; 1 if there is none of that kind."""
        return dict(self.axes).get(kind, 1)

    def stride(self, kind: str) -> int:
        """Return how far apart two neighbours on an axis are, in ranks; 1 if there is none of that kind."""
        out = 1
        for name, size in self.axes:
            if name == kind:
                return out
            out *= size
        return 1

    def place(self, rank: int) -> dict[str, int]:
        """Return where a rank stands on every axis."""
        found = {}
        for kind, size in self.axes:
            rank, found[kind] = divmod(rank, size)
        return found

    def rank(self, **place: int) -> int:
        """Return the rank at a place; an axis that is not named counts as 0.

        >>> Grid(axes=(("tp", 8), ("dp", 2), ("pp", 2))).rank(pp=1, dp=1, tp=3)
        27
        """
        return sum(at * self.stride(kind) for kind, at in place.items())

    def count(self, *kinds: str) -> int:
        """Return how many groups of a kind there are; of several kinds, of the groups over all of them."""
        return self.size // prod(self.along(kind) for kind in kinds)

    def group(self, kind: str, number: int) -> tuple[int, ...]:
        """Return the ranks of a group in its order; groups are numbered by their first rank."""
        return self.group_over((kind,), number)

    def group_over(self, kinds: Sequence[str], number: int) -> tuple[int, ...]:
        """Return the ranks of a group over several axes, in the order of ranks.

        >>> Grid(axes=(("tp", 2), ("cp", 2), ("dp", 2))).group_over(("cp", "dp"), 1)
        (1, 3, 5, 7)
        """
        first = 0
        for kind, size in self.axes:
            if kind not in kinds:
                number, at = divmod(number, size)
                first += at * self.stride(kind)
        members = [first]
        for kind, size in self.axes:
            if kind in kinds:
                step = self.stride(kind)
                members = [rank + step * at for at in range(size) for rank in members]
        return tuple(members)

    def groups(self, *kinds: str) -> Iterator[tuple[int, ...]]:
        """Yield the groups of a kind (or over several) one after the other."""
        for number in range(self.count(*kinds)):
            yield self.group_over(kinds, number)
