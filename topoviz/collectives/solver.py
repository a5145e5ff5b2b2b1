"""The most rings of whole links, by the CP-SAT solver of OR-tools (the extra ``solver``): its only door."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from topoviz.collectives.known import Joins, Ring

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

EFFORT = 20.0  # at most, for one number of rings; the solver's own measure, which is the same on every machine


def is_there() -> bool:
    """Return whether OR-tools is installed."""
    from importlib.util import find_spec

    return find_spec("ortools") is not None


def whole(joins: Joins, count: int, least: int, most: int) -> tuple[tuple[Ring, ...] | None, int]:
    """Return rings of whole links, and what is proven to be the most.

    From ``most`` downward: a number of rings that cannot be is the proof for the one below.
    None for the rings if not more than ``least`` were found, which somebody has already.
    """
    for number in range(most, least, -1):
        rings, is_proven = _so_many(joins, count, number)
        if rings is not None:
            return rings, number
        if not is_proven:
            return None, number
    return None, least


def _so_many(joins: Joins, count: int, number: int) -> tuple[tuple[Ring, ...] | None, bool]:
    """Return so many rings, None if there are not; and whether that is proven."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = {(r, *pair): model.new_bool_var("") for r in range(number) for pair in joins}
    for r in range(number):
        model.add_circuit([(a, b, taken[r, a, b]) for a, b in joins])
    for (a, b), links in joins.items():
        model.add(sum(taken[r, a, b] for r in range(number)) <= links)
    _sort(model, taken, joins, number)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # the same rings on every machine
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = EFFORT
    status = solver.solve(model)
    if status not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return None, status == cp_model.INFEASIBLE
    following = [{a: b for a, b in joins if solver.value(taken[r, a, b])} for r in range(number)]
    return tuple(_walked(one, count) for one in following), True


def _sort(model: CpModel, taken: Mapping[tuple[int, int, int], IntVar], joins: Joins, number: int) -> None:
    """Sort the rings, which are alike, by where they go first; if every link of member 0 is needed, name it."""
    ways = [b for (a, b), links in joins.items() if a == 0 for _ in range(links)]
    if len(ways) == number:
        for r, b in enumerate(ways):
            model.add(taken[r, 0, b] == 1)
        return
    first = [sum(b * taken[r, a, b] for a, b in joins if a == 0) for r in range(number)]
    for one, other in zip(first, first[1:], strict=False):
        model.add(one <= other)


def _walked(following: dict[int, int], count: int) -> Ring:
    way = [0]
    while len(way) < count:
        way.append(following[way[-1]])
    return tuple(way)
