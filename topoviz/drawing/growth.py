"""How a network of units grows: the same units and switches, fewer and more of them, as far as the cables reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from topoviz.drawing import census
from topoviz.drawing.crossbar.wiring import Wiring, wiring
from topoviz.drawing.scope import Scope
from topoviz.model.selectors import pick

FACTORS = tuple(Fraction(one) for one in ("1/2", "1", "2", "4", "8"))
MOST = 4  # rows
PAIR = "each"  # the field that counts the cables between a switch of a unit and one above it


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """One size of the network: as many times what there is; ``cables`` lead from a switch of a unit to each above that it meets."""

    factor: Fraction
    cables: int


def sizes(scope: Scope, words: Sequence[str]) -> tuple[Size, ...]:
    """Return the sizes that whole units and whole switches allow, with this one among them; empty if there is no other.

    Twice the units take twice the switches above them, for each unit brings its cables along. They then lead to
    twice as many switches, so half as many to each: where one would be left with none, another tier begins.
    """
    units = tuple(pick(scope.topology, scope.roots, ("su",)))
    found = wiring(scope.roots[0], units) if len(units) > 1 else None
    pair = _pair(found) if found is not None and _alike(found) else None
    if pair is None:
        return ()
    counts = [count(scope, word) for word in words]
    made = [Size(factor=one, cables=int(pair / one)) for one in FACTORS if _is_whole(one, pair, counts, len(units))]
    return tuple(made[:MOST]) if len(made) > 1 else ()


def count(scope: Scope, word: str) -> int:
    """Return how many things there are that a word finds."""
    return census.number_of(census.select(scope.roots, word))


def _pair(found: Wiring) -> int | None:
    """Return the cables between a switch of a unit and a switch above that it meets; None where they differ."""
    pairs = {
        Fraction(sum(link.links for link in links), len(found.bars[bar]))
        for unit in found.units
        for (_, bar), links in unit.up.items()
    }
    pair = pairs.pop() if len(pairs) == 1 else Fraction(1, 2)
    return int(pair) if pair.denominator == 1 else None


def _alike(found: Wiring) -> bool:
    """Whether one more unit would be like those that there are."""
    inside = {tuple(sorted(unit.thing.assembly.counts.items())) for unit in found.units}
    return len(inside) == 1 and not found.above


def _is_whole(factor: Fraction, pair: int, counts: Sequence[int], units: int) -> bool:
    whole = [pair / factor, *(number * factor for number in counts)]
    return all(Fraction(one).denominator == 1 for one in whole) and units * factor > 1
