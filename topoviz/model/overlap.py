"""Communication beside computing: what of it is hidden, and when each piece of it is on its way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What of a communication is hidden behind computing, and what is not; seconds."""

    communication: float
    compute: float

    @property
    def hidden(self) -> float:
        return min(self.communication, self.compute)

    @property
    def exposed(self) -> float:
        return max(0.0, self.communication - self.compute)

    @property
    def step(self) -> float:
        """Return how long a step takes if both start together."""
        return max(self.communication, self.compute)


def overlap(communication: float, compute: float) -> Overlap:
    """Return how a communication and the computing beside it cover each other; seconds.

    >>> both = overlap(0.054, 0.040)
    >>> both.hidden, round(both.exposed, 3), both.step
    (0.04, 0.014, 0.054)
    """
    return Overlap(communication=communication, compute=compute)


def in_pieces(communication: float, compute: float, pieces: int) -> tuple[tuple[float, float], ...]:
    """Return start and end of each piece that is sent, in seconds from the start of computing.

    A piece is sent when it has been computed and the piece before it is through. All
    pieces are alike. The last one starts when the computing ends, so with p pieces a step takes
    the longer of the two and a p-th of the shorter.

    >>> in_pieces(0.5, 1.0, 2)
    ((0.5, 0.75), (1.0, 1.25))
    >>> [round(end, 2) for _, end in in_pieces(0.8, 0.4, 2)]
    [0.6, 1.0]
    """
    turns: list[tuple[float, float]] = []
    for number in range(1, pieces + 1):
        start = max(compute * number / pieces, turns[-1][1] if turns else 0.0)
        turns.append((start, start + communication / pieces))
    return tuple(turns)
