"""Parts of a model poured into GPUs one after the other: not how a job lays them, but how many it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topoviz.model.findings import Filling, Tank

ALMOST = 1.0  # byte: less than this is rounding


def poured(parts: Sequence[Filling], size: float) -> tuple[Tank, ...]:
    """Return so many GPUs of ``size`` bytes as it takes, runs of equal ones as one ``Tank`` with a count.

    >>> made = poured([Filling(name="weights", bytes=140e9)], 80e9)
    >>> [(tank.count, tank.filled / 1e9) for tank in made]
    [(1, 80.0), (1, 60.0)]
    """
    done: list[Tank] = []
    here: list[Filling] = []  # the GPU that is being filled
    for part in parts:
        left = part.bytes
        room = size - sum(one.bytes for one in here)
        if here and left >= ALMOST:
            took = min(left, room)
            here.append(replace(part, bytes=took))
            left -= took
            if room - took < ALMOST:
                done.append(Tank(size=size, fillings=tuple(here)))
                here = []
        whole = int((left + ALMOST / 2) // size)
        if whole:
            done.append(Tank(count=whole, size=size, fillings=(replace(part, bytes=size),)))
            left -= whole * size
        if left >= ALMOST:
            here.append(replace(part, bytes=left))
    if here:
        done.append(Tank(size=size, fillings=tuple(here)))
    return tuple(done)
