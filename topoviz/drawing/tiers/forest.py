"""Which unit hangs on which: the host trees whose leaves are the columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from topoviz.drawing.tiers.cast import HOST, Cast, Join, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A unit and what hangs on it; a tree without children is a column.

    ``key`` is equal for subtrees that may change places without anybody noticing.
    """

    id: str
    name: tuple[object, ...]  # natural order
    key: str
    children: tuple[Tree, ...] = ()
    column: bool = False

    def columns(self) -> tuple[str, ...]:
        """Return the ids of the columns below, from left to right."""
        own = (self.id,) if self.column else ()
        return own + tuple(c for child in self.children for c in child.columns())


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """The trees, each unit's parent, and the guests: units that use the column of another.

    A card whose GPU is not there is a guest of itself: it keeps the empty column of that GPU.
    """

    trees: tuple[Tree, ...]
    parents: Mapping[str, str]
    depth: Mapping[str, int]
    guests: Mapping[str, str]

    @property
    def vacant(self) -> frozenset[str]:
        """Return the columns in which a card stands and nothing else: the place of a GPU that is not there."""
        return frozenset(card for card, column in self.guests.items() if card == column)


def natural(name: str) -> tuple[object, ...]:
    """Return a key that sorts numbers as numbers and ignores case.

    >>> sorted(["gpu10", "GPU2", "gpu1"], key=natural)
    ['gpu1', 'GPU2', 'gpu10']
    """
    return tuple(
        (0, int(piece), "") if piece.isdigit() else (1, 0, piece)
        for piece in re.split(r"(\d+)", name.casefold())
        if piece
    )


def rank(unit: Unit) -> tuple[object, ...]:
    """Return what sorts units: the number in the group where there is one, else the name."""
    thing = unit.thing
    place = natural(thing.id.rpartition("/")[0])
    return (
        (*place, *natural(thing.group), (2, thing.index, ""))
        if thing.index is not None
        else (*place, *natural(thing.name))
    )


def _in_place_of(card: Unit, gpu: Unit) -> tuple[object, ...]:
    """Return what sorts a card that keeps an empty column: the number that the GPU would have."""
    if card.thing.index is None:
        return rank(card)
    return (*natural(card.thing.id.rpartition("/")[0]), *natural(gpu.thing.group), (2, card.thing.index, ""))


def grow(cast: Cast, column_ids: Sequence[str]) -> Forest:
    """Return the forest of the cast: CPUs on top, columns (and cards of their own) as leaves."""
    units = {unit.id: unit for row in cast.units for unit in row}
    hosts = [j for j in cast.joins if j.kind in HOST and j.upper in units and j.lower in units]
    carriers = _carriers(units, hosts)
    depth = _depths(units, hosts, carriers)
    parents = {one: parent for one in units if (parent := _parent(one, hosts, depth, carriers)) is not None}
    guests = _guests(cast, units, parents, column_ids, carriers)
    leaves = [
        *column_ids,
        *(card for card, column in guests.items() if card == column),
        *(
            u.id
            for row in cast.units
            for u in row
            if u.id not in carriers and _own_column(u, guests, parents, column_ids)
        ),
    ]
    leaves += _bare_hosts(units, parents, leaves, carriers)
    return Forest(
        trees=_trees(cast, units, parents, leaves, carriers, guests), parents=parents, depth=depth, guests=guests
    )


def _carriers(units: Mapping[str, Unit], hosts: Sequence[Join]) -> frozenset[str]:
    """CPUs, PCIe switches, and cards with a switch inside: those that a GPU hangs on which hangs on nothing else."""
    above: dict[str, set[str]] = {}
    for join in hosts:
        for here, there in ((join.upper, join.lower), (join.lower, join.upper)):
            if units[here].kind == "gpu":
                above.setdefault(here, set()).add(there)
    lone = {next(iter(ends)) for ends in above.values() if len(ends) == 1}
    return frozenset(
        u for u, unit in units.items() if unit.kind in {"cpu", "pcie"} or (unit.kind == "nic" and u in lone)
    )


def _depths(units: Mapping[str, Unit], hosts: Sequence[Join], carriers: frozenset[str]) -> dict[str, int]:
    """Distance to the nearest CPU over host links; only carriers carry on."""
    roots = [u for u, unit in units.items() if unit.kind == "cpu"]
    depth = dict.fromkeys(roots, 0)
    queue = list(roots)
    if not roots:
        ends = {end for join in hosts for end in (join.upper, join.lower)}
        queue = [u for u, unit in units.items() if unit.kind == "pcie" and u in ends]
        depth = dict.fromkeys(queue, 1)
    while queue:
        here = queue.pop(0)
        for join in hosts:
            if here not in {join.upper, join.lower}:
                continue
            other = join.lower if join.upper == here else join.upper
            if other not in depth:
                depth[other] = depth[here] + 1
                if other in carriers:
                    queue.append(other)
    return depth


def _parent(unit_id: str, hosts: Sequence[Join], depth: Mapping[str, int], carriers: frozenset[str]) -> str | None:
    """The host with the widest link nearer to a CPU; ties by natural name order."""
    own = depth.get(unit_id)
    best: tuple[float, tuple[object, ...], str] | None = None
    for join in hosts:
        if unit_id not in {join.upper, join.lower}:
            continue
        other = join.lower if join.upper == unit_id else join.upper
        if other not in carriers or own is None or depth.get(other, own) >= own:
            continue
        score = (-(join.bandwidth or 0.0), natural(other), other)
        if best is None or score < best:
            best = score
    return best[2] if best else None


def _guests(
    cast: Cast,
    units: Mapping[str, Unit],
    parents: Mapping[str, str],
    column_ids: Sequence[str],
    carriers: frozenset[str],
) -> dict[str, str]:
    """Cards that stand in the column of a neighbour: inside a card, or on the other side of their host.

    What has no column left gets one of its own: as wide as a GPU for a card of a PCIe switch.
    """
    out: dict[str, str] = {}
    used: set[str] = set()
    below = _below(parents, column_ids)
    for row in cast.units:
        cards = [
            u for u in row if u.kind in {"nic", "dpu"} and u.id not in {*column_ids, *carriers} and u.id in parents
        ]
        for host in dict.fromkeys(parents[u.id] for u in cards):
            mates, columns = [u for u in cards if parents[u.id] == host], below.get(host, [])
            inside = [u for u in mates if u.form == "card"]
            above = [u for u in mates if u.form != "card" and u.tier < units[host].tier]
            for n, unit in enumerate(above if columns else ()):  # dealt evenly over the columns
                out[unit.id] = columns[n * len(columns) // len(above)]
            free = [units[c] for c in columns if c not in used]
            out.update(found := _in_cards(inside, free))
            used |= set(found.values())
            if units[host].kind == "pcie" and units[host].form == "card":
                out.update({u.id: u.id for u in inside if u.id not in out})
    return out


def _below(parents: Mapping[str, str], column_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns that hang on each host, at any depth."""
    below: dict[str, list[str]] = {}
    for column in column_ids:
        host = parents.get(column)
        while host is not None:
            below.setdefault(host, []).append(column)
            host = parents.get(host)
    return below


def _in_cards(cards: Sequence[Unit], columns: Sequence[Unit]) -> dict[str, str]:
    """Return the column of each card: that of the same number where one side has all numbers of the other, else the k-th."""
    numbers = {u.thing.index: u.id for u in columns}
    own = {u.thing.index for u in cards}
    if None not in {*numbers, *own} and (own <= set(numbers) or set(numbers) <= own):
        return {u.id: numbers[u.thing.index] for u in cards if u.thing.index in numbers}
    return {card.id: column.id for card, column in zip(cards, columns, strict=False)}


def _own_column(unit: Unit, guests: Mapping[str, str], parents: Mapping[str, str], column_ids: Sequence[str]) -> bool:
    if unit.id in column_ids or unit.id in guests or unit.form in {"row", "strip"}:
        return False
    return unit.kind in {"nic", "dpu"} or (
        unit.id in parents and unit.kind not in {"cpu", "pcie", "nvswitch", "switch"}
    )


def _bare_hosts(
    units: Mapping[str, Unit], parents: Mapping[str, str], leaves: Sequence[str], carriers: frozenset[str]
) -> list[str]:
    """CPUs and PCIe switches on which nothing hangs: they need a place of their own."""
    carrying = {parents[u] for u in parents if u in leaves or u in carriers}
    return [u for u in units if u in carriers and u not in carrying and u not in leaves]


def _trees(
    cast: Cast,
    units: Mapping[str, Unit],
    parents: Mapping[str, str],
    leaves: Sequence[str],
    carriers: frozenset[str],
    guests: Mapping[str, str],
) -> tuple[Tree, ...]:
    children: dict[str, list[str]] = {}
    for unit_id, host in parents.items():
        if unit_id in leaves or unit_id in carriers:
            children.setdefault(host, []).append(unit_id)
    lanes: dict[str, list[str]] = {}
    for join in cast.joins:
        if join.kind not in HOST:
            lanes.setdefault(join.upper, []).append(f"{join.lower}*{join.links}{join.kind}")
            lanes.setdefault(join.lower, []).append(f"{join.upper}*{join.links}{join.kind}")
    rate = {(j.upper, j.lower): j.bandwidth for j in cast.joins if j.kind in HOST}
    rate.update({(j.lower, j.upper): j.bandwidth for j in cast.joins if j.kind in HOST})

    columns = [u for u in leaves if units[u].kind == "gpu"]
    standing_in = {u: _in_place_of(units[u], units[columns[0]]) for u in leaves if columns and guests.get(u) == u}

    def plant(unit_id: str, host: str | None) -> Tree:
        below = tuple(
            sorted((plant(child, unit_id) for child in children.get(unit_id, ())), key=lambda t: (t.name, t.id))
        )
        unit = units[unit_id]
        parts = [unit.kind, unit.thing.part, unit.thing.state, str(rate.get((unit_id, host or "")))]
        key = "|".join([*parts, *sorted(lanes.get(unit_id, ())), *(f"({c.key})" for c in below)])
        name = standing_in.get(unit_id) or rank(unit)
        return Tree(id=unit_id, name=name, key=key, children=below, column=unit_id in leaves)

    roots = [u for u in units if u not in parents and (u in leaves or units[u].kind in {"cpu", "pcie"})]
    hosts = [u for u in roots if units[u].kind in {"cpu", "pcie"}]
    loose = [u for u in roots if u not in hosts]
    trees = [plant(u, None) for u in hosts]
    return tuple(sorted(trees, key=lambda t: (t.name, t.id))) + tuple(plant(u, None) for u in loose)
