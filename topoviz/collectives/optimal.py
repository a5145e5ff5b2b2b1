"""The most that rings can carry, by SciPy (the extra ``optimal``): its only door.

*Fractional*: a linear program over all rings, of which only those that help are ever made. The
price of a ring is the shortest tour under the duals (M. Held, R. M. Karp 1962); when no tour is
cheaper than 1 the value is proven. *Whole*: a mixed integer program over all rings of few members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

from topoviz.collectives.known import Joins, Ring, uses

if TYPE_CHECKING:
    import numpy as np

MOST_MEMBERS = 16
ENUMERATED = 8  # members of which all rings are written out
ROUNDS = 2_000
NEAR = 1e-7
Shares = Mapping[tuple[int, int], Sequence[tuple[int, float]]]  # which capacity a hop uses, and how often


def is_there() -> bool:
    """Return whether SciPy is installed."""
    from importlib.util import find_spec

    return find_spec("scipy") is not None


def fractional(shares: Shares, capacities: Sequence[float], count: int, start: Sequence[Ring]) -> float | None:
    """Return the most that rings of any width carry together; None if that was not proven.

    ``shares`` tells for every possible hop how much of which capacity a ring over it uses;
    ``start`` are rings that exist.
    """
    if count > MOST_MEMBERS or not start:
        return None
    rings = list(dict.fromkeys(start))
    prices = _Prices(shares, count)
    for _ in range(ROUNDS):
        value, duals = _solved([_row(shares, ring, len(capacities)) for ring in rings], capacities)
        least, ring = prices.cheapest(duals)
        if ring is None or least >= 1 - NEAR:
            return value
        if ring in rings:
            return None
        rings.append(ring)
    return None


def _row(shares: Shares, ring: Ring, width: int) -> list[float]:
    row = [0.0] * width
    for pair in zip(ring, (*ring[1:], ring[0]), strict=True):
        for place, share in shares[pair]:
            row[place] += share
    return row


def _solved(rows: Sequence[Sequence[float]], capacities: Sequence[float]) -> tuple[float, Sequence[float]]:
    """Return the value of the program over these rings, and the price of every capacity."""
    import numpy as np
    from scipy.optimize import linprog

    found = linprog(c=-np.ones(len(rows)), A_ub=np.array(rows).T, b_ub=np.array(capacities), method="highs")
    return -float(found.fun), [-float(dual) for dual in found.ineqlin.marginals]


class _Prices:
    """Shortest tours through all members; what does not depend on the prices is worked out once."""

    def __init__(self, shares: Shares, count: int) -> None:
        import numpy as np

        self._shares, self._count = shares, count
        masks = np.arange(1 << (count - 1))
        sizes = np.zeros(len(masks), dtype=int)
        for bit in range(count - 1):
            sizes += (masks >> bit) & 1
        self._layers = [masks[sizes == size] for size in range(count)]

    def cheapest(self, duals: Sequence[float]) -> tuple[float, Ring | None]:
        """Return the price of the cheapest tour and the tour; member 0 is where it starts."""
        import numpy as np

        n = self._count - 1
        cost = np.full((n + 1, n + 1), np.inf)
        for (a, b), uses_of in self._shares.items():
            cost[a, b] = sum(share * duals[place] for place, share in uses_of)
        best = np.full((1 << n, n), np.inf)
        for member in range(n):
            best[1 << member, member] = cost[0, member + 1]
        for layer in self._layers[2:]:
            for member in range(n):
                masks = layer[(layer >> member) & 1 == 1]
                best[masks, member] = (best[masks ^ (1 << member)] + cost[1:, member + 1]).min(axis=1)
        whole = best[-1] + cost[1:, 0]
        least = float(whole.min())
        return (least, self._back(best, cost, int(whole.argmin()))) if np.isfinite(least) else (least, None)

    def _back(self, best: np.ndarray[Any, Any], cost: np.ndarray[Any, Any], last: int) -> Ring:
        mask, way = (1 << (self._count - 1)) - 1, [last]
        while mask != 1 << way[-1]:
            mask ^= 1 << way[-1]
            way.append(int((best[mask] + cost[1:, way[-1] + 1]).argmin()))
        return (0, *(member + 1 for member in reversed(way)))


def whole(joins: Joins, count: int) -> tuple[Ring, ...] | None:
    """Return the most rings of whole links, proven; None if there are too many members to write all rings out."""
    if count > ENUMERATED:
        return None
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    rings = list(_all(joins, count))
    if not rings:
        return ()
    pairs = {pair: i for i, pair in enumerate(joins)}
    rows = np.zeros((len(pairs), len(rings)))
    for column, ring in enumerate(rings):
        for pair in uses((ring,)):
            rows[pairs[pair], column] = 1
    limit = LinearConstraint(rows, -np.inf, np.array(list(joins.values())))
    found = milp(-np.ones(len(rings)), constraints=limit, integrality=np.ones(len(rings)), bounds=Bounds(0, np.inf))
    if found.x is None or found.status != 0:
        return None
    return tuple(ring for ring, times in zip(rings, found.x, strict=True) for _ in range(round(times)))


def _all(joins: Joins, count: int) -> Iterator[Ring]:
    for rest in permutations(range(1, count)):
        ring = (0, *rest)
        if all(pair in joins for pair in zip(ring, (*rest, 0), strict=True)):
            yield ring
