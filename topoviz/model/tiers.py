"""How many leaves, spines and cores a fabric needs, and who is joined to whom, by numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class Unfit(Exception):  # noqa: N818 - a finding, told as a diagnostic
    """Why no fabric fits; ``key`` is the key of the fabric to point at."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The numbers of a fabric entry; ``ports`` are those of one switch."""

    ports: int
    rails: int = 1
    planes: int = 1
    down: int | None = None
    up: int | None = None
    oversubscription: float = 1.0
    tiers: int | None = None
    spines: int | None = None

    @property
    def split(self) -> tuple[int, int]:
        """Return how many ports of a leaf go down and how many up.

        >>> Wishes(ports=64).split, Wishes(ports=64, oversubscription=2).split, Wishes(ports=64, down=40).split
        ((32, 32), (42, 21), (40, 24))
        """
        if self.down is not None:
            return self.down, self.ports - self.down if self.up is None else self.up
        if self.up is not None:
            return self.ports - self.up, self.up
        if self.tiers == 1:
            return self.ports, 0
        up = int(self.ports / (1 + self.oversubscription))
        return int(up * self.oversubscription), up


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Numbers of switches, and joints by index.

    ``down``: the leaf of each end, empty if the leaves are the ends. ``middle``:
    (leaf, spine, links). ``top``: (spine, core, links).
    """

    leaves: int
    spines: int = 0
    cores: int = 0
    down: tuple[int, ...] = ()
    middle: tuple[tuple[int, int, int], ...] = ()
    top: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A leaf switch: its unit and its plane."""

    unit: int
    plane: int


def under(cards: Sequence[int], units: Sequence[int] | None, wishes: Wishes) -> Plan:
    """Return the plan for ends with these numbers inside their owners; leaves are counted out too.

    >>> plan = under([k for _ in range(32) for k in range(8)], None, Wishes(ports=64, rails=8))
    >>> (plan.leaves, plan.spines, plan.cores, sum(links for _, _, links in plan.middle))
    (8, 4, 0, 256)
    """
    size = wishes.split[0]
    if size < 1:
        raise Unfit("no port of a leaf leads down", "up")
    keys = _leaf_keys(cards, units, wishes, size)
    order = {key: number for number, key in enumerate(sorted(set(keys)))}
    leaves = [Leaf(unit=unit if units is not None else block, plane=plane) for unit, block, _, plane in order]
    down = tuple(order[key] for key in keys)
    if wishes.rails == 1 and units is None:
        leaves = [
            Leaf(unit=number // max(1, wishes.ports // 2), plane=leaf.plane) for number, leaf in enumerate(leaves)
        ]
    return _upwards(leaves, wishes, down)


def _leaf_keys(
    cards: Sequence[int], units: Sequence[int] | None, wishes: Wishes, size: int
) -> list[tuple[int, int, int, int]]:
    """Return (unit, block in it, rail, plane) of the leaf of each end; leaves are filled in order."""
    filled: dict[tuple[int, int, int], int] = {}
    keys = []
    for end, card in enumerate(cards):
        key = (units[end] if units is not None else 0, card % wishes.rails, card % wishes.planes)
        block = filled.get(key, 0) // size
        filled[key] = filled.get(key, 0) + 1
        keys.append((key[0], block, key[1], key[2]))
    return keys


def over(numbers: Sequence[int], units: Sequence[int], wishes: Wishes) -> Plan:
    """Return the plan of spines and cores over leaves that are there, by their numbers inside their owners.

    >>> plan = over([k for _ in range(16) for k in range(8)], [u for u in range(16) for _ in range(8)], Wishes(ports=64))
    >>> (plan.spines, plan.cores, sum(links for _, _, links in plan.top))
    (128, 64, 4096)
    """
    return _upwards([Leaf(unit=u, plane=k % wishes.planes) for k, u in zip(numbers, units, strict=True)], wishes, ())


def _upwards(leaves: Sequence[Leaf], wishes: Wishes, down: tuple[int, ...]) -> Plan:
    up = wishes.split[1]
    planes = [[i for i, leaf in enumerate(leaves) if leaf.plane == plane] for plane in range(wishes.planes)]
    planes = [plane for plane in planes if plane]
    alone = max(len(plane) for plane in planes) == 1 and wishes.spines is None and wishes.tiers is None
    if wishes.tiers == 1 or alone:
        return Plan(leaves=len(leaves), down=down)
    if up < 1:
        raise Unfit("no port of a leaf leads up", "down" if wishes.down is not None else "tiers")
    per_plane = [_spines_of(len(plane), up, wishes) for plane in planes]
    if wishes.tiers != 3 and all(per_plane):
        return _two(leaves, planes, per_plane, up, down)
    if wishes.tiers == 2:
        raise Unfit(f"{len(leaves)} leaves with {up} up-links each need a third tier", "tiers")
    return _three(leaves, planes, up, wishes, down)


def fewest(below: int, up: int, room: int) -> int:
    """Return the fewest switches over which ``up`` links of each of ``below`` divide evenly; 0 if there are none.

    >>> fewest(8, 32, 64), fewest(24, 32, 64), fewest(32, 72, 144), fewest(128, 32, 64)
    (4, 16, 18, 0)
    """
    return next((n for n in range(1, up + 1) if up % n == 0 and below * (up // n) <= room), 0)


def _spines_of(below: int, up: int, wishes: Wishes) -> int:
    if wishes.spines is None:
        return fewest(below, up, wishes.ports)
    if up % wishes.spines:
        raise Unfit(f"{up} up-links of a leaf do not divide evenly over {wishes.spines} spines", "spines")
    if below * (up // wishes.spines) > wishes.ports:
        raise Unfit(
            f"{below} leaves with {up} up-links each do not fit on {wishes.spines} spines with {wishes.ports} ports",
            "spines",
        )
    return wishes.spines


def _two(
    leaves: Sequence[Leaf], planes: Sequence[Sequence[int]], per_plane: Sequence[int], up: int, down: tuple[int, ...]
) -> Plan:
    middle: list[tuple[int, int, int]] = []
    first = 0
    for plane, spines in zip(planes, per_plane, strict=True):
        middle += [(leaf, first + spine, up // spines) for leaf in plane for spine in range(spines)]
        first += spines
    return Plan(leaves=len(leaves), spines=first, down=down, middle=tuple(sorted(middle)))


def _three(
    leaves: Sequence[Leaf], planes: Sequence[Sequence[int]], up: int, wishes: Wishes, down: tuple[int, ...]
) -> Plan:
    """Each unit gets its own spines; spine i of all units of a plane meets at core group i."""
    middle: list[tuple[int, int, int]] = []
    top: list[tuple[int, int, int]] = []
    spines, cores = 0, 0
    for plane in planes:
        units: dict[int, list[int]] = {}
        for leaf in plane:
            units.setdefault(leaves[leaf].unit, []).append(leaf)
        most = max(len(unit) for unit in units.values())
        each, group = _sizes(len(units), most, up, wishes)
        links, above = up // each, most * up // each // group
        for number, unit in enumerate(units.values()):
            row = range(spines + number * each, spines + (number + 1) * each)
            middle += [(leaf, spine, links) for leaf in unit for spine in row]
            top += [(spine, cores + i * group + core, above) for i, spine in enumerate(row) for core in range(group)]
        spines, cores = spines + len(units) * each, cores + each * group
    return Plan(leaves=len(leaves), spines=spines, cores=cores, down=down, middle=tuple(middle), top=tuple(top))


def _sizes(units: int, most: int, up: int, wishes: Wishes) -> tuple[int, int]:
    """Return how many spines a unit of a plane gets, and how many cores meet one spine of each unit."""
    half = wishes.ports // 2
    each = wishes.spines or fewest(most, up, half)
    if not each or up % each or most * (up // each) > half:
        raise Unfit(f"units of {most} leaves are too large for three tiers of switches with {wishes.ports} ports")
    group = fewest(units, most * (up // each), wishes.ports)
    if not group:
        message = f"{units} units of {most} leaves need more than three tiers of switches with {wishes.ports} ports"
        raise Unfit(message)
    return each, group
