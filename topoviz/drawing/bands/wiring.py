"""Which switches form a band: the parts of the network that meet below the core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from topoviz.drawing.census import NETWORK
from topoviz.model.topology import Link, Thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A switch next to network cards: the cables of each column that it serves, and of each spine above it."""

    id: str
    down: Mapping[int, tuple[Link, ...]]
    up: Mapping[str, Link]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Leaves that meet in the same spines; ``rail`` is the common number of their cards, None if they differ."""

    leaves: tuple[Leaf, ...]
    spines: tuple[str, ...]
    kind: str
    rail: int | None


def bands(root: Thing, columns: Sequence[Thing]) -> tuple[Band, ...]:
    """Return the bands in the order of their first leaf; none where no card of a column meets a switch."""
    of_column = {column.id: i for i, column in enumerate(columns)}
    kinds = {thing.id: thing.kind for thing in root.walk()}
    down: dict[str, dict[int, list[Link]]] = {}
    rails: dict[str, set[int]] = {}
    between: list[tuple[str, str, Link]] = []
    for source, target, link in _cables(root):
        for card, switch in ((source, target), (target, source)):
            column = _column(card, of_column)
            if kinds.get(switch) == "switch" and column is not None:
                down.setdefault(switch, {}).setdefault(column, []).append(link)
                rails.setdefault(switch, set()).add(root_index(root, card))
        if kinds.get(source) == kinds.get(target) == "switch":
            between.append((source, target, link))
    up: dict[str, dict[str, Link]] = {}
    for source, target, link in between:
        low, high = (source, target) if source in down else (target, source)
        if low in down and high not in down:
            up.setdefault(low, {})[high] = link
    leaves = {
        name: Leaf(id=name, down={c: tuple(some) for c, some in sorted(found.items())}, up=up.get(name, {}))
        for name, found in down.items()
    }
    return tuple(_band(group, rails) for group in _together(leaves))


def _cables(root: Thing) -> Iterator[tuple[str, str, Link]]:
    for container in (root, *root.walk()):
        prefix = f"{container.id}/" if container.id else ""
        for link in container.assembly.links:
            if link.kind in NETWORK and link.state != "down":
                yield prefix + link.source, prefix + link.target, link


def _column(name: str, columns: Mapping[str, int]) -> int | None:
    parts = name.split("/")
    return next((columns[way] for i in range(len(parts)) if (way := "/".join(parts[: i + 1])) in columns), None)


def root_index(root: Thing, name: str) -> int:
    """Return the number of a thing in its group, as its name says."""
    inside = name.removeprefix(f"{root.id}/") if root.id else name
    return root.at(inside).child.index or 0


def _together(leaves: Mapping[str, Leaf]) -> list[list[Leaf]]:
    """Return leaves that share a spine, directly or by others, in groups."""
    groups: list[tuple[list[Leaf], set[str]]] = []
    for leaf in leaves.values():
        spines = set(leaf.up) or {leaf.id}
        met = [group for group in groups if group[1] & spines]
        merged: tuple[list[Leaf], set[str]] = ([one for group in met for one in group[0]], set(spines))
        for group in met:
            merged[1].update(group[1])
            groups.remove(group)
        merged[0].append(leaf)
        groups.append(merged)
    order = {name: i for i, name in enumerate(leaves)}
    return sorted(
        ([*sorted(group, key=lambda one: order[one.id])] for group, _ in groups), key=lambda g: order[g[0].id]
    )


def _band(group: Sequence[Leaf], rails: Mapping[str, set[int]]) -> Band:
    numbers = {number for leaf in group for number in rails[leaf.id]}
    spines = tuple(dict.fromkeys(spine for leaf in group for spine in leaf.up))
    kind = next(link.kind for leaf in group for some in leaf.down.values() for link in some)
    return Band(
        leaves=tuple(sorted(group, key=lambda leaf: min(leaf.down))),
        spines=spines,
        kind=kind,
        rail=numbers.pop() if len(numbers) == 1 else None,
    )
