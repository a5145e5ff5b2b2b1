"""The tiers of a cluster of units: leaves of each unit, spines that serve one unit alone, and what joins the units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topoviz.drawing.census import NETWORK
from topoviz.model.topology import Link, Thing

MOST_BARS = 16  # switches of the top tier that get a bar each; more are drawn by groups of equal ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One column: its leaves, the spines that serve it alone, and the cables between them and upwards.

    ``up`` is keyed by (switch that leaves the unit, bar): the links between them.
    """

    thing: Thing
    leaves: tuple[str, ...]
    spines: tuple[str, ...]
    inside: Mapping[tuple[str, str], tuple[Link, ...]]  # (leaf, spine)
    up: Mapping[tuple[str, int], tuple[Link, ...]]  # (leaf or spine, bar)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Units and the bars above them; a bar is one switch, or several that are wired alike."""

    units: tuple[Unit, ...]
    bars: tuple[tuple[str, ...], ...]
    kind: str
    above: tuple[str, ...] = ()  # switches over the bars, which join no unit themselves


@dataclass(slots=True)
class _Found:
    """What a walk over the cables collects, before it is sorted."""

    neighbours: dict[str, dict[str, list[Link]]] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)  # leaf -> unit
    kind: str = ""


def wiring(root: Thing, units: Sequence[Thing]) -> Wiring | None:
    """Return the tiers above the units; None where nothing joins them."""
    found = _walked(root, units)
    serves = {switch: _served(switch, found) for switch in found.neighbours if switch not in found.leaves}
    own = {switch: next(iter(who)) for switch, who in serves.items() if len(who) == 1}
    top = [
        name for name, who in serves.items() if len(who) > 1 or (not who and found.neighbours[name].keys() & own.keys())
    ]
    bars = _bars(top, found)
    if not bars:
        return None
    of_bar = {name: i for i, bar in enumerate(bars) for name in bar}
    made = tuple(_unit(thing, number, found, own, of_bar) for number, thing in enumerate(units))
    above = tuple(name for name in serves if name not in of_bar and name not in own)
    return Wiring(units=made, bars=bars, kind=found.kind, above=above)


def _walked(root: Thing, units: Sequence[Thing]) -> _Found:
    found = _Found()
    switches = {thing.id for thing in root.walk() if thing.kind == "switch"}
    numbers = {thing.id: i for i, thing in enumerate(units)}
    for source, target, link in _cables(root):
        if source in switches and target in switches:
            for here, there in ((source, target), (target, source)):
                found.neighbours.setdefault(here, {}).setdefault(there, []).append(link)
            continue
        for switch, other in ((source, target), (target, source)):
            unit = _unit_of(other, numbers)
            if switch in switches and unit is not None and root.at(_inside(root, other)).kind in {"nic", "dpu"}:
                found.leaves.setdefault(switch, unit)
                found.kind = found.kind or link.kind
    return found


def _cables(root: Thing) -> Iterator[tuple[str, str, Link]]:
    for container in (root, *root.walk()):
        prefix = f"{container.id}/" if container.id else ""
        for link in container.assembly.links:
            if link.kind in NETWORK and link.state != "down":
                yield prefix + link.source, prefix + link.target, link


def _inside(root: Thing, name: str) -> str:
    return name.removeprefix(f"{root.id}/") if root.id else name


def _unit_of(name: str, numbers: Mapping[str, int]) -> int | None:
    parts = name.split("/")
    return next((numbers[way] for i in range(len(parts)) if (way := "/".join(parts[: i + 1])) in numbers), None)


def _served(switch: str, found: _Found) -> frozenset[int]:
    """Return the units whose leaves a switch meets; empty for one above the spines."""
    return frozenset(found.leaves[other] for other in found.neighbours[switch] if other in found.leaves)


def _bars(top: Sequence[str], found: _Found) -> tuple[tuple[str, ...], ...]:
    """Return the switches of the top tier, those wired alike together where they are many."""
    joined = [name for name in top if found.neighbours[name]]
    if len(joined) <= MOST_BARS:
        return tuple((name,) for name in joined)
    groups: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for name in joined:
        met = found.neighbours[name]
        alike = tuple(sorted((other, sum(link.links for link in links)) for other, links in met.items()))
        groups.setdefault(alike, []).append(name)
    return tuple(tuple(group) for group in groups.values())


def _unit(thing: Thing, number: int, found: _Found, own: Mapping[str, int], of_bar: Mapping[str, int]) -> Unit:
    leaves = tuple(name for name, unit in found.leaves.items() if unit == number)
    spines = tuple(name for name, unit in own.items() if unit == number)
    inside: dict[tuple[str, str], tuple[Link, ...]] = {}
    up: dict[tuple[str, int], tuple[Link, ...]] = {}
    for name in (*leaves, *spines):
        for other, links in found.neighbours.get(name, {}).items():
            if name in leaves and other in spines:
                inside[name, other] = tuple(links)
            elif other in of_bar:
                up[name, of_bar[other]] = (*up.get((name, of_bar[other]), ()), *links)
    return Unit(thing=thing, leaves=leaves, spines=spines, inside=inside, up=up)
