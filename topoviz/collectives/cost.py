"""Bytes, steps and times of collectives: the arithmetic of nccl-tests (its doc/PERFORMANCE.md) with latencies beside it.

N ranks, S bytes: S is the gathered size for all-gather and the input for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, log2
from types import MappingProxyType
from typing import TypeAlias

GIGA = 1e9
ROUNDS: Mapping[str, int] = MappingProxyType({"all-reduce": 2, "all-gather": 1, "reduce-scatter": 1})
WHOLE = ("broadcast", "reduce", "send")  # the whole buffer goes once over the link of a rank
SIMPLE: Mapping[str, float] = MappingProxyType({"nvlink": 3.4e-6, "pcie": 5.7e-6, "network": 14e-6})
"""Seconds that NCCL 2.27 counts for a step of a ring with the protocol Simple (src/graph/tuning.cc)."""


def factor(collective: str, ranks: int) -> float:
    """Return busbw / algbw, which is also the share of the buffer that each rank sends in a ring.

    >>> factor("all-reduce", 8), factor("all-gather", 8), factor("broadcast", 8)
    (1.75, 0.875, 1.0)
    """
    if collective in WHOLE:
        return 1.0
    return ROUNDS.get(collective, 1) * (ranks - 1) / ranks


def steps(collective: str, ranks: int) -> int:
    """Return the number of steps of a ring; of one that passes the whole buffer on, the hops of its first piece.

    >>> steps("all-reduce", 8), steps("broadcast", 8)
    (14, 7)
    """
    return ROUNDS.get(collective, 1) * (ranks - 1)


def tree_steps(collective: str, ranks: int) -> int:
    """Return the steps in a row of a binary tree: up and down for all-reduce, one way for the others.

    >>> tree_steps("all-reduce", 8), tree_steps("all-reduce", 1024), tree_steps("broadcast", 8)
    (6, 20, 3)
    """
    return (2 if collective == "all-reduce" else 1) * ceil(log2(ranks))


def pipelined(size: float, ranks: int, bandwidth: float, latency: float, chunks: int) -> float:
    """Return the seconds of a broadcast along a chain in so many chunks; GB/s, and seconds for a step.

    (N - 1 + k - 1)(α + S / kB), which approaches S / B for many chunks.

    >>> round(pipelined(8e9, 8, 50, 0, 1), 3), round(pipelined(8e9, 8, 50, 0, 10_000), 3)
    (1.12, 0.16)
    """
    return (ranks - 1 + chunks - 1) * (latency + size / (chunks * bandwidth * GIGA))


def passed_on(size: float, ranks: int, bandwidth: float, latency: float = 0.0) -> float:
    """Return the seconds of an all-to-all on a ring in which everybody passes on what is not its own.

    N(N - 1)/2 α + (N - 1)/2 S / B: the share of the farthest rank makes N - 1 hops.

    >>> passed_on(14e9, 8, 32)
    1.53125
    """
    return ranks * (ranks - 1) / 2 * latency + (ranks - 1) / 2 * size / (bandwidth * GIGA)


Latency: TypeAlias = float | Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A part of an algorithm: what a rank sends in it, how fast, and in how many steps of which kind.

    ``share`` is bytes that a rank sends for a byte of the buffer, ``bandwidth`` GB/s of one rank in
    one direction (None if no rate is stated), ``steps`` how many steps in a row go over NVLink,
    PCIe or the network.
    """

    name: str
    share: float
    bandwidth: float | None
    steps: tuple[tuple[str, int], ...] = ()
    link: str = ""

    def seconds(self, size: float, latency: Latency = 0.0) -> float | None:
        """Return α × steps + bytes / bandwidth; None if no rate is stated."""
        if self.bandwidth is None:
            return None
        return self.waits(latency) + self.share * size / (self.bandwidth * GIGA)

    def waits(self, latency: Latency) -> float:
        """Return the seconds of latency alone: of all steps the same, or by what a step goes over."""
        if isinstance(latency, Mapping):
            return sum(count * latency.get(kind, 0.0) for kind, count in self.steps)
        return latency * sum(count for _, count in self.steps)
