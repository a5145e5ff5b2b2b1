"""Rings that are known beforehand: those that NCCL finds on the cube meshes, and those of full meshes.

The rings of the cube meshes are what NCCL 2.27.7 returns for these machines (its logs on eight
V100 show the same). Rings of full meshes: R. W. Walecki's circles for two ways each; the seven
one-way circles of eight members were found by exact search (T. W. Tillson 1980 shows that there
are n - 1 for every n but 4 and 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

Ring: TypeAlias = tuple[int, ...]
Joins: TypeAlias = Mapping[tuple[int, int], int]

CUBE_DOUBLE: tuple[Ring, ...] = (
    (0, 3, 2, 1, 5, 6, 7, 4),
    (0, 3, 2, 1, 5, 6, 7, 4),
    (0, 4, 7, 6, 5, 1, 2, 3),
    (0, 4, 7, 6, 5, 1, 2, 3),
    (0, 1, 3, 7, 5, 4, 6, 2),
    (0, 2, 6, 4, 5, 7, 3, 1),
)
CUBE_SINGLE: tuple[Ring, ...] = (
    (0, 1, 2, 3, 7, 5, 6, 4),
    (0, 2, 6, 7, 4, 5, 1, 3),
    (0, 3, 1, 5, 4, 7, 6, 2),
    (0, 4, 6, 5, 7, 3, 2, 1),
)
NCCL = (CUBE_DOUBLE, CUBE_SINGLE)

CUBE_CHAINS: tuple[Ring, ...] = (  # two servers and more, each chain at one of four network cards
    (0, 3, 2, 6, 7, 4, 5, 1),
    (2, 1, 0, 4, 6, 5, 7, 3),
    (4, 7, 6, 2, 3, 0, 1, 5),
    (6, 5, 4, 0, 2, 1, 3, 7),
)

CHANNELS: Mapping[str, int] = MappingProxyType(  # in which NCCL's search splits the one ring of an NVSwitch domain
    {
        "v100-sxm": 6,
        "a100-sxm-40gb": 12,
        "a100-sxm-80gb": 12,
        "h100-sxm": 12,
        "h200-sxm": 12,
        "b200": 16,
        "gb200-gpu": 16,
    }
)


def uses(rings: tuple[Ring, ...]) -> dict[tuple[int, int], int]:
    """Return how many rings run over every directed pair.

    >>> uses(((0, 1), (0, 1)))
    {(0, 1): 2, (1, 0): 2}
    """
    found: dict[tuple[int, int], int] = {}
    for ring in rings:
        for pair in zip(ring, (*ring[1:], ring[0]), strict=True):
            found[pair] = found.get(pair, 0) + 1
    return found


def by_nccl(joins: Joins) -> tuple[Ring, ...]:
    """Return the rings that NCCL makes on just these links; none if it is not one of the machines known."""
    return next((rings for rings in NCCL if uses(rings) == dict(joins)), ())


def full_mesh(count: int, links: int = 1) -> tuple[Ring, ...]:
    """Return rings over a full mesh in which every pair is joined by so many links.

    All links in both ways are used for an odd count and for eight; of another even count
    one ring less is made without a search.

    >>> [len(full_mesh(n)) for n in (3, 4, 5, 6, 8, 10)]
    [2, 2, 4, 4, 7, 8]
    """
    once = EIGHT if count == 8 else tuple(_walecki(count))
    return tuple(ring for ring in once for _ in range(links))


def _walecki(count: int) -> Iterator[Ring]:
    """Yield circles of which no two share a pair, and each of them backwards."""
    rim = count - 1
    for turn in range(rim // 2):
        zigzag = [turn]
        for step in range(1, rim):
            zigzag.append((turn + (step + 1) // 2 * (1 if step % 2 else -1)) % rim)
        ring = (rim, *zigzag)
        yield ring
        yield (rim, *zigzag[::-1])


EIGHT: tuple[Ring, ...] = (
    (0, 1, 2, 7, 6, 5, 3, 4),
    (0, 2, 6, 4, 3, 7, 5, 1),
    (0, 3, 2, 1, 6, 7, 4, 5),
    (0, 4, 1, 5, 7, 2, 3, 6),
    (0, 5, 2, 4, 6, 3, 1, 7),
    (0, 6, 2, 5, 4, 7, 1, 3),
    (0, 7, 3, 5, 6, 1, 4, 2),
)
