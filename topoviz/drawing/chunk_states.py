"""Who has which part of the buffer after every step of a ring: computed, never drawn by hand.

Rows are the members of the ring in its order, columns the chunks of the buffer. A state says
whose data a cell holds. Source of the order of chunks: NCCL's ring (all_reduce.h): in step k
of reduce-scatter member g sends chunk g − k + 1, in step k of all-gather chunk g − k + 2, modulo N.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

State: TypeAlias = tuple[tuple[frozenset[int], ...], ...]  # [member][chunk] = whose data are in it

PHASES = {
    "all-reduce": (("reduce-scatter", 1), ("all-gather", 2)),
    "reduce-scatter": (("reduce-scatter", 1),),
    "all-gather": (("all-gather", 1),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One chunk on its way in a step, from a member to the next."""

    source: int
    target: int
    chunk: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The state after a step. Step 0 is the start, with no phase and no moves."""

    step: int
    phase: str
    state: State
    moves: tuple[Move, ...] = ()


def frames(members: int, collective: str) -> tuple[Frame, ...]:
    """Return the start and the state after every step; empty for a collective that is no ring of chunks.

    >>> made = frames(4, "all-reduce")
    >>> len(made), all(len(cell) == 4 for row in made[-1].state for cell in row)
    (7, True)
    """
    if collective not in PHASES or members < 2:
        return ()
    out = [Frame(step=0, phase="", state=_start(members, collective))]
    for phase, ahead in PHASES[collective]:
        for k in range(1, members):
            moves = tuple(
                Move(source=g, target=(g + 1) % members, chunk=(g - k + ahead) % members) for g in range(members)
            )
            state = _after(out[-1].state, moves)
            out.append(Frame(step=len(out), phase=phase, state=state, moves=moves))
    return tuple(out)


def _start(members: int, collective: str) -> State:
    """Return the state before the first step: everybody's own data, or for all-gather one chunk each."""
    if collective == "all-gather":
        everybody = frozenset(range(members))
        return tuple(
            tuple(everybody if chunk == g else frozenset() for chunk in range(members)) for g in range(members)
        )
    return tuple(tuple(frozenset({g}) for _ in range(members)) for g in range(members))


def _after(state: State, moves: tuple[Move, ...]) -> State:
    """Return the state after moves that happen at once; what arrives is added to what is there."""
    rows = [list(row) for row in state]
    for move in moves:
        rows[move.target][move.chunk] = state[move.target][move.chunk] | state[move.source][move.chunk]
    return tuple(tuple(row) for row in rows)
