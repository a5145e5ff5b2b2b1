"""Bytes and steps of ring collectives: the arithmetic of nccl-tests (its doc/PERFORMANCE.md).

N ranks, S bytes: S is the gathered size for all-gather and the input for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ROUNDS: Mapping[str, int] = MappingProxyType({"all-reduce": 2, "all-gather": 1, "reduce-scatter": 1})


def factor(collective: str, ranks: int) -> float:
    """Return busbw / algbw, which is also the share of the buffer that each rank sends in a ring.

    >>> factor("all-reduce", 8), factor("all-gather", 8)
    (1.75, 0.875)
    """
    return ROUNDS[collective] * (ranks - 1) / ranks


def steps(collective: str, ranks: int) -> int:
    """Return the number of steps of a ring.

    >>> steps("all-reduce", 8)
    14
    """
    return ROUNDS[collective] * (ranks - 1)
