"""Where GPUs stand so that few links cross: two rows, or a circle.

In two rows a link between neighbours is straight, one between the rows stays in the gap
between them, and a longer one in a row is an arch outside. On a circle every link is a
chord. So no link can meet a box that it does not belong to, and whether two links cross
depends only on the four slots of their ends. The order is searched for: fewest crossings
(counted by strokes), then the shortest links with the widest bundles first, then the
order of the document; names play no part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
Cost: TypeAlias = tuple[int, int]  # crossings, length
Strokes: TypeAlias = tuple[tuple[int, int, int], ...]  # a, b, how many

MOST = 16  # so many can be drawn on an outline
IN_ROWS = 12
WALKS = 2_000  # steps in search of a walk over all GPUs
TRIES = 12_000  # partial orders that are looked at
ARCH = 2  # an arch counts as so much longer than it is wide
ARCHES = 6  # more than these are a tangle of their own


@dataclass(frozen=True, slots=True)
class Form:
    """Slots, in which links cross by the slots of their ends. ``top`` of them are the upper row; 0: a circle."""

    count: int
    top: int = 0

    def spot(self, slot: int) -> tuple[float, int]:
        """Return column and row of a slot; a lower row with fewer slots is centred."""
        if slot < self.top:
            return float(slot), 0
        return slot - self.top + (2 * self.top - self.count) / 2, 1

    def arch(self, pair: Pair) -> bool:
        """Return whether a link is an arch: in one row, and not between neighbours."""
        (x, row), (other, below) = map(self.spot, pair)
        return bool(self.top) and row == below and abs(x - other) > 1

    def crosses(self, one: Pair, other: Pair) -> bool:
        """Return whether links between these slots cross; two that share a slot do not."""
        if set(one) & set(other):
            return False
        if not self.top:
            return _interleaved(one, other)
        if self.arch(one) or self.arch(other):
            same = self.spot(one[0])[1] == self.spot(other[0])[1]
            return self.arch(one) and self.arch(other) and same and _interleaved(one, other)
        if one[0] >= self.top or one[1] < self.top or other[0] >= self.top or other[1] < self.top:
            return False  # between neighbours in a row
        return (one[0] - other[0]) * (self.spot(one[1])[0] - self.spot(other[1])[0]) < 0

    def length(self, pair: Pair) -> int:
        """Return how long a link is, in tenths of a column."""
        (x, row), (other, below) = map(self.spot, pair)
        if not self.top:
            around = abs(pair[0] - pair[1])
            return 10 * min(around, self.count - around)
        return round(10 * hypot(x - other, row - below)) + (10 * ARCH if self.arch(pair) else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """``order[slot]`` is the place of a GPU in the document; ``crossings`` counts pairs that cross."""

    form: Form
    order: tuple[int, ...]
    crossings: int

    def slots(self, pair: Pair) -> Pair:
        """Return the slots of two GPUs, the smaller first."""
        a, b = sorted((self.order.index(pair[0]), self.order.index(pair[1])))
        return a, b


@cache
def arranged(count: int, strokes: Strokes) -> Outline:
    """Return where so many GPUs with these links stand best. Links are (a, b, number of strokes), a < b.

    >>> k4 = tuple((a, b, 1) for a in range(4) for b in range(a + 1, 4))
    >>> arranged(4, k4).crossings
    1
    """
    full = count * (count - 1) // 2
    if count == 3 or (count > 4 and len(strokes) == full):
        return _named(Form(count), tuple(range(count)), strokes)
    forms = [Form(count, (count + 1) // 2)] if count <= IN_ROWS else []
    if count > 4:
        forms.append(Form(count))
    found = [_named(form, _search(form, strokes), strokes) for form in forms]
    return min(found, key=lambda one: (_burden(one, strokes), one.form.top == 0))


def _burden(outline: Outline, strokes: Strokes) -> int:
    arches = sum(outline.form.arch(outline.slots((a, b))) for a, b, _ in strokes)
    return outline.crossings + max(0, arches - ARCHES)


def _named(form: Form, order: tuple[int, ...], strokes: Strokes) -> Outline:
    once = tuple((a, b, 1) for a, b, _ in strokes)
    return Outline(form=form, order=order, crossings=cost(form, order, once)[0])


def cost(form: Form, order: Sequence[int], strokes: Strokes) -> Cost:
    """Return crossings and length of an order; both weighted by the strokes of the links."""
    table = _table(form)
    slot = {place: at for at, place in enumerate(order)}
    placed = [(_pair(slot[a], slot[b]), n) for a, b, n in strokes]
    crossings = sum(n * m for i, (one, n) in enumerate(placed) for other, m in placed[:i] if other in table[one])
    return crossings, sum(n * form.length(pair) for pair, n in placed)


def _pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def _interleaved(one: Pair, other: Pair) -> bool:
    return (one[0] < other[0] < one[1]) != (one[0] < other[1] < one[1])


@cache
def _table(form: Form) -> Mapping[Pair, frozenset[Pair]]:
    """Return for each pair of slots the pairs that cross it."""
    every = [(a, b) for a in range(form.count) for b in range(a + 1, form.count)]
    return {one: frozenset(other for other in every if form.crosses(one, other)) for one in every}


def _search(form: Form, strokes: Strokes) -> tuple[int, ...]:
    """Return the best order found: swaps first, then all orders by branch and bound, as far as the tries reach."""
    starts = [tuple(range(form.count)), *_round_the_outline(form, strokes)]
    start = min((_swapped(form, order, strokes) for order in starts), key=lambda order: cost(form, order, strokes))
    better = _Branches(form, strokes, cost(form, start, strokes)).best()
    return better or _turned(form, start)


def _round_the_outline(form: Form, strokes: Strokes) -> list[tuple[int, ...]]:
    """Return the order in which a walk over all GPUs, the widest links first, runs round the outline; none if there is no walk."""
    peers: dict[int, list[tuple[int, int]]] = {place: [] for place in range(form.count)}
    for a, b, n in strokes:
        peers[a].append((-n, b))
        peers[b].append((-n, a))
    starts = sorted(peers, key=lambda place: (len(peers[place]), place))[:2]  # an end of a line, if it is one
    walks = [walk for start in starts if (walk := _walk(start, {p: sorted(found) for p, found in peers.items()}))]
    return [(*walk[: form.top], *walk[form.top :][::-1]) if form.top else walk for walk in walks]


def _walk(start: int, peers: Mapping[int, Sequence[tuple[int, int]]]) -> tuple[int, ...]:
    """Return a walk that visits every GPU once, closed if one is found in time; empty if there is none."""
    best: tuple[int, ...] = ()
    todo: list[tuple[int, ...]] = [(start,)]
    for _ in range(WALKS):
        if not todo:
            break
        walk = todo.pop()
        if len(walk) == len(peers):
            best = best or walk
            if any(place == start for _, place in peers[walk[-1]]):
                return walk
        todo += [(*walk, place) for _, place in reversed(peers[walk[-1]]) if place not in walk]
    return best


def _swapped(form: Form, order: tuple[int, ...], strokes: Strokes) -> tuple[int, ...]:
    best = cost(form, order, strokes)
    improved = True
    while improved:
        improved = False
        for i in range(form.count):
            for j in range(i + 1, form.count):
                other = list(order)
                other[i], other[j] = other[j], other[i]
                now = cost(form, other, strokes)
                if now < best:
                    best, order, improved = now, tuple(other), True
    return order


def _turned(form: Form, order: tuple[int, ...]) -> tuple[int, ...]:
    """Return of the orders that are the same but for mirrors and turns the one that begins with the first GPU.

    In two rows that GPU stands in the upper one and as far left as it can.
    """
    if form.top:
        top, low = order[: form.top], order[form.top :]
        same = [(*top, *low), (*top[::-1], *low[::-1])]
        if len(top) == len(low):
            same += [(*b, *a) for a, b in ((top, low), (top[::-1], low[::-1]))]
        return min(same, key=lambda one: (one.index(0), one))
    ways = (order, order[::-1])
    return min((*way[i:], *way[:i]) for way in ways for i in range(form.count))


class _Branches:
    """Orders, slot by slot, given up as soon as they are worse than the best."""

    def __init__(self, form: Form, strokes: Strokes, bound: Cost) -> None:
        self.form, self.table, self.bound = form, _table(form), bound
        self.found: tuple[int, ...] | None = None
        self.tries = TRIES
        self.joined: list[list[tuple[int, int]]] = [[] for _ in range(form.count)]
        for a, b, n in strokes:
            self.joined[a].append((b, n))
            self.joined[b].append((a, n))
        # column by column, so that links are complete early
        self.slots = sorted(range(form.count), key=lambda slot: (*form.spot(slot),)) if form.top else range(form.count)

    def best(self) -> tuple[int, ...] | None:
        self._next(0, {}, [], (0, 0))
        return None if self.found is None else _turned(self.form, self.found)

    def _next(self, depth: int, slot: dict[int, int], lines: list[tuple[Pair, int]], now: Cost) -> None:
        if depth == self.form.count:
            self.bound, self.found = now, tuple(sorted(slot, key=slot.__getitem__))
            return
        for place in range(self.form.count):
            if place in slot or self.tries <= 0 or (not self.form.top and depth == 0 and place):
                continue
            self.tries -= 1
            at = self.slots[depth]
            fresh = [(_pair(at, slot[peer]), n) for peer, n in self.joined[place] if peer in slot]
            after = (now[0] + self._crossings(fresh, lines), now[1] + sum(n * self.form.length(p) for p, n in fresh))
            if after < self.bound or (self.found is None and after == self.bound):
                self._next(depth + 1, {**slot, place: at}, lines + fresh, after)

    def _crossings(self, fresh: Sequence[tuple[Pair, int]], lines: Sequence[tuple[Pair, int]]) -> int:
        """Return the crossings of new links with those before; links of one GPU do not cross each other."""
        return sum(n * m for one, n in fresh for other, m in lines if other in self.table[one])
