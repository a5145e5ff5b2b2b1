"""Rings that are known beforehand: those that NCCL finds on the cube meshes, and those of full meshes.

The rings of the cube meshes are what NCCL 2.27.7 returns for these machines (its logs on eight
V100 show the same). Rings of full meshes: R. W. Walecki's circles for two ways each; the one-way
circles of 8, 10, 12, 14 and 16 members were found by exact search (T. W. Tillson 1980 shows that
there are n - 1 for every n but 4 and 6).
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

ALTERNATING = ("v100-sxm", "h100-sxm", "h200-sxm")
"""GPUs whose channels NCCL 2.27.7 leads through several servers as they are made here. Those of an A100 leave by the
card by which they came, on B200 all channels walk downwards and leave by PXN."""

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

    All links in both ways are used for an odd count and for 8 to 16; of another even count
    one ring less is made without a search.

    >>> [len(full_mesh(n)) for n in (3, 4, 5, 6, 8, 10, 16, 18)]
    [2, 2, 4, 4, 7, 9, 15, 16]
    """
    written = EVEN.get(count, "").split()
    once = [tuple(int(member, 16) for member in ring) for ring in written] or list(_walecki(count))
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


def square(side: int) -> tuple[Ring, ...]:
    """Return four rings that use every link of a square torus in both ways; members are counted row by row.

    One goes along each row and then a step down, the other along each column and then a step
    to the right, where the first one left a link; and each of them backwards.

    >>> square(3)[0]
    (0, 1, 2, 5, 3, 4, 7, 8, 6)
    >>> set(uses(square(8)).values()), len(uses(square(8)))
    ({1}, 256)
    """
    steps = range(side * side)
    along = tuple((i // side) * side + (i % side - i // side) % side for i in steps)
    across = tuple(((i % side - i // side) % side) * side + i // side for i in steps)
    return tuple(ring for one in (along, across) for ring in (one, (one[0], *one[:0:-1])))


# n - 1 circles of n members, a hexadecimal digit for each member; each of the n (n - 1) ways is used once
EVEN: Mapping[int, str] = MappingProxyType(
    {
        8: "01276534 02643751 03216745 04157236 05246317 06254713 07356142",
        10: ("0145832976 0273185469 0347826591 0415798623 0563748192 0617249538 0752139684 0894367125 0935164287"),
        12: (
            "0125b398674a 026b475a8931 03516978a42b 0481a5237b96 0564ba291387 0632a719b845 "
            "073ab1462859 08241b79a653 09217a368b54 0a943b276158 0b6a18349572"
        ),
        14: (
            "012b3dc74598a6 02376bc84d5a19 0391d7a2c4b865 04a9c16d27358b 05726cd389b41a "
            "062d49a3b5178c 07c21536ab948d 082a75c931bd64 0954283adb1c67 0acb79d1346852 "
            "0ba87d9243c561 0ca5d8147b2963 0da4c325b69718"
        ),
        16: (
            "018b29d435f6cae7 02f397b4cd58e6a1 03c7f85a6db9214e 04a9bfc315d67e28 0574962de83f1acb "
            "064819a25b37dcef 0753bad89c61f2e4 087a5693dfeb1c42 094f5273a86ed1bc 0afb8d91ec547236 "
            "0b782cfa4659e1d3 0c845e9f71326bda 0d2a34be5c1768f9 0e38a7c9512b6f4d 0fd798c24163eab5"
        ),
    }
)
