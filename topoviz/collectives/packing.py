"""As many rings as directed links allow, made without a search for the best: known ones, then one after another.

What is found is checked by whoever asks against a bound. The order of trying is fixed, so the
same machine always gets the same rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from topoviz.collectives.known import Joins, Ring, by_nccl, full_mesh, square, uses

TRIES = 400
STEPS = 3_000  # of one search for one ring
LARGE = 16  # members; of more, fewer tries
FACTOR, STEP, WIDTH = 6364136223846793005, 1442695040888963407, 1 << 64  # D. E. Knuth's MMIX


class Chance:
    """A fixed sequence of shuffles, so that every run tries the same orders.

    >>> row = [0, 1, 2, 3]
    >>> Chance(4).shuffle(row); row
    [3, 0, 1, 2]
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def shuffle(self, row: list[int]) -> None:
        """Put the members into another order, in place."""
        for last in range(len(row) - 1, 0, -1):
            self._state = (self._state * FACTOR + STEP) % WIDTH
            other = (self._state >> 33) % (last + 1)
            row[last], row[other] = row[other], row[last]


def packed(joins: Joins, count: int, most: int) -> tuple[tuple[Ring, ...], str]:
    """Return rings over directed links (how many each pair has) and where they come from; ``most`` ends the search.

    >>> rings, where = packed({(a, b): 1 for a in range(5) for b in range(5) if a != b}, 5, 4)
    >>> len(rings), where
    (4, 'full mesh')
    """
    found = by_nccl(joins)
    if found:
        return found, "NCCL"
    made = _of_full_mesh(joins, count)
    if len(made) >= most:
        return made[:most], "full mesh"
    tried = _tried(joins, count, most)
    if made and len(made) >= len(tried):
        return made, "full mesh"
    regular = () if len(tried) >= most else _of_torus(joins, count)
    return (regular, "square torus") if len(regular) > len(tried) else (tried, "one after another")


def _of_full_mesh(joins: Joins, count: int) -> tuple[Ring, ...]:
    if len(joins) < count * (count - 1) or count < 3:
        return ()
    return full_mesh(count, min(joins.values()))


def _of_torus(joins: Joins, count: int) -> tuple[Ring, ...]:
    """Return the rings of a square torus of which the members are counted row by row; none if it is not one."""
    side = isqrt(count)
    if side * side != count or side < 3:
        return ()
    once = square(side)
    times = min((joins.get(pair, 0) for pair in uses(once)), default=0)
    return tuple(ring for ring in once for _ in range(times))


def _tried(joins: Joins, count: int, most: int) -> tuple[Ring, ...]:
    """Return the best of several tries; the first keeps the order of the document."""
    best: tuple[Ring, ...] = ()
    chance = Chance(count)
    for turn in range(TRIES if count <= LARGE else 4):
        made = _one_try(joins, count, chance if turn else None)
        if len(made) > len(best):
            best = made
        if len(best) >= most or not made:
            break
    return best


def _one_try(joins: Joins, count: int, chance: Chance | None) -> tuple[Ring, ...]:
    """Return rings taken from what is left until no more is found; each backwards too, if that is free."""
    left = dict(joins)
    rings: list[Ring] = []
    while (ring := _ring(left, count, chance)) is not None:
        for one in (ring, (ring[0], *ring[:0:-1])):
            if all(left.get(pair, 0) >= times for pair, times in uses((one,)).items()):
                rings.append(one)
                for pair, times in uses((one,)).items():
                    left[pair] -= times
    return tuple(rings)


def _ring(left: Joins, count: int, chance: Chance | None) -> Ring | None:
    """Return a ring over what is left, those first from which fewest ways go on; None if none was found."""
    return _ring_from(left, count, 0, None, chance)


def _ring_from(left: Joins, count: int, first: int, last: int | None, chance: Chance | None) -> Ring | None:
    """Return a way from a member through all others, to ``last`` or to where a link leads back."""
    to = [[b for b in range(count) if left.get((a, b), 0) > 0] for a in range(count)]
    if chance is not None:
        for row in to:
            chance.shuffle(row)
    way, used = [first], {first}
    rest = [iter(_sorted(to, left, first, used, chance))]
    for _ in range(STEPS):
        if len(way) == count and (way[-1] == last if last is not None else left.get((way[-1], first), 0) > 0):
            return tuple(way)
        following = next((b for b in rest[-1] if b not in used), None)
        if following is not None:
            way.append(following)
            used.add(following)
            rest.append(iter(_sorted(to, left, following, used, chance)))
            continue
        rest.pop()
        used.discard(way.pop())
        if not way:
            return None
    return None


def _sorted(
    to: Sequence[Sequence[int]], left: Joins, here: int, used: set[int], chance: Chance | None
) -> Sequence[int]:
    """Return where to go next: in the order of the document, else over the most links and to the most cornered first."""
    if chance is None:
        return to[here]
    return sorted(to[here], key=lambda b: (-left[here, b], sum(c not in used for c in to[b])))


def paths(joins: Joins, count: int, ends: Sequence[tuple[int, int]]) -> list[Ring]:
    """Return a path through all members for each pair of ends, no link used twice; none if not all were found.

    >>> paths({(a, b): 1 for a in range(4) for b in range(4) if a != b}, 4, [(0, 1), (1, 0)])
    [(0, 2, 3, 1), (1, 3, 2, 0)]
    """
    chance = Chance(count)
    for turn in range(TRIES):
        left, made = dict(joins), []
        for first, last in ends:
            found = _ring_from(left, count, first, last, chance if turn else None)
            if found is None:
                break
            made.append(found)
            for pair in zip(found, found[1:], strict=False):
                left[pair] -= 1
        if len(made) == len(ends):
            return made
    return []
