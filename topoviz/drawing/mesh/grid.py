"""Tori found from their links: the lengths of the axes, and where each GPU stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import TypeAlias

Shape: TypeAlias = tuple[int, ...]
Spot: TypeAlias = tuple[int, ...]
Pairs: TypeAlias = frozenset[tuple[int, int]]

LEAST = 9  # with fewer GPUs an outline says more
MOST = 1024
MISSING = 0.1  # so large a share of the links may be absent, as after a fault
TRIES = 20_000


@dataclass(frozen=True, slots=True)
class Grid:
    """A torus: ``shape`` with the last axis across, ``spots[place]`` where each GPU of the document stands."""

    shape: Shape
    spots: tuple[Spot, ...]

    def axis(self, a: int, b: int) -> int:
        """Return the axis along which two neighbours lie."""
        return next(axis for axis, (x, y) in enumerate(zip(self.spots[a], self.spots[b], strict=True)) if x != y)

    def over(self, a: int, b: int) -> bool:
        """Return whether the link between two neighbours leads over the edge."""
        axis = self.axis(a, b)
        return abs(self.spots[a][axis] - self.spots[b][axis]) > 1


@cache
def grid(count: int, pairs: Pairs) -> Grid | None:
    """Return the torus of two or three axes that these links make; None if they make none.

    The order of the document is tried first, the last axis fastest, and there a tenth of the
    links may be missing. Then every place is found by walking from neighbour to neighbour.

    >>> ring = [(row + a, row + (a + 1) % 3) for row in (0, 3, 6) for a in range(3)]
    >>> down = [(a, (a + 3) % 9) for a in range(9)]
    >>> grid(9, frozenset((min(p), max(p)) for p in ring + down)).shape
    (3, 3)
    """
    if not LEAST <= count <= MOST:
        return None
    shapes = [shape for shape in _shapes(count) if _fits(shape, len(pairs))]
    for shape in shapes:
        whole = _pairs(shape)
        if pairs <= whole and len(pairs) >= (1 - MISSING) * len(whole):
            return Grid(shape, tuple(product(*map(range, shape))))
    peers = _peers(count, pairs)
    walked = (_walked(shape, peers) for shape in shapes if len(_pairs(shape)) == len(pairs))
    return next((found for found in walked if found is not None), None)


def _shapes(count: int) -> Iterator[Shape]:
    """Yield what so many GPUs can be: two axes, the squarest first, then three."""
    sides = [n for n in range(2, count) if count % n == 0]
    two = [(a, count // a) for a in sides if count // a >= 2]
    three = [(a, b, count // a // b) for a, b in product(sides, sides) if count % (a * b) == 0 and count // a // b >= 2]
    for found in (two, three):
        yield from sorted(found, key=lambda shape: (max(shape) - min(shape), shape))


def _fits(shape: Shape, pairs: int) -> bool:
    most = sum(prod(shape) if side > 2 else prod(shape) // 2 for side in shape)
    return (1 - MISSING) * most <= pairs <= most


@cache
def _pairs(shape: Shape) -> Pairs:
    """Return all links of a torus, its GPUs counted with the last axis fastest."""
    place = {spot: at for at, spot in enumerate(product(*map(range, shape)))}
    found = set()
    for spot, at in place.items():
        for axis, side in enumerate(shape):
            other = place[_moved(spot, axis, side, 1)]
            found.add((min(at, other), max(at, other)))
    return frozenset(found)


def _moved(spot: Spot, axis: int, side: int, step: int) -> Spot:
    return (*spot[:axis], (spot[axis] + step) % side, *spot[axis + 1 :])


def _peers(count: int, pairs: Pairs) -> list[frozenset[int]]:
    found: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        found[a].add(b)
        found[b].add(a)
    return [frozenset(one) for one in found]


def _walked(shape: Shape, peers: Sequence[frozenset[int]]) -> Grid | None:
    """Return the GPUs at their places, found spot by spot: each must be joined with all neighbours placed before."""
    spots = list(product(*map(range, shape)))
    at = {spot: number for number, spot in enumerate(spots)}
    before = [[at[n] for n in _neighbours(spot, shape) if at[n] < at[spot]] for spot in spots]
    chosen: list[int] = [0]
    todo: list[Iterator[int]] = [iter(()), iter(_candidates(1, chosen, before, peers))]
    for _ in range(TRIES):
        if len(chosen) == len(spots):
            places = {place: spots[number] for number, place in enumerate(chosen)}
            return Grid(shape, tuple(places[place] for place in range(len(spots))))
        step = next(todo[-1], None)
        if step is not None:
            chosen.append(step)
            todo.append(iter(_candidates(len(chosen), chosen, before, peers)))
            continue
        todo.pop()
        if len(chosen) <= 1:
            return None
        chosen.pop()
    return None


def _neighbours(spot: Spot, shape: Shape) -> set[Spot]:
    return {_moved(spot, axis, side, step) for axis, side in enumerate(shape) for step in (1, -1)}


def _candidates(
    number: int, chosen: Sequence[int], before: Sequence[Sequence[int]], peers: Sequence[frozenset[int]]
) -> list[int]:
    if number >= len(before):
        return []
    common = frozenset.intersection(*(peers[chosen[n]] for n in before[number]))
    return sorted(common - set(chosen))
