"""The fabric generator: switches that are counted out, not written down.

Half the ports of a leaf go down and half up, or as the document says; leaves are
filled unit by unit and in it rail by rail. Above them stand the fewest spines over
which a leaf's up-links divide evenly and which have ports enough. If there are
none, each unit gets its own spines, and spine *i* of all units meets at core group
*i*. Source: the tables of the DGX SuperPOD reference architectures follow from this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topoviz.model import ports
from topoviz.model.ends import Finder
from topoviz.model.hints import cards
from topoviz.model.names import with_article
from topoviz.model.parts import Layer
from topoviz.model.place import UNKNOWN, Places, Recipe
from topoviz.model.report import Report
from topoviz.model.selectors import fits
from topoviz.model.spec import EMPTY, Body, Fabric, Number
from topoviz.model.tiers import Plan, Unfit, Wishes, over, under
from topoviz.model.topology import Assembly, Child, Thing

TIERS = ("leaf", "spine", "core")


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a fabric adds: children, and pairs to be joined with so many links."""

    children: tuple[Child, ...]
    things: tuple[Thing, ...]
    pairs: tuple[tuple[Thing, Thing, int], ...]


def generate(
    top: Assembly, fabric: Fabric, layer: Layer, ends: Sequence[Thing], places: Places, finder: Finder, report: Report
) -> Made | None:
    """Return the switches of a fabric over its ends and what they join; None if a mistake was noted."""
    switch = switch_of(fabric, layer, places)
    hint = _cards_instead(ends, fabric)
    if switch.kind == UNKNOWN or not ports.check_port(ends, fabric.kind, fabric.origin.mark_of("join"), report, hint):
        return None
    wishes = _wishes(fabric, layer, switch, report)
    if wishes is None:
        return None
    try:
        plan = _plan(top, fabric, ends, wishes, finder)
    except Unfit as unfit:
        report.error(
            fabric.origin.mark_of(unfit.key) if unfit.key else fabric.origin.mark,
            str(unfit),
            code="fabric-does-not-fit",
        )
        return None
    return _made(top, fabric, ends, plan, switch, report)


def switch_of(fabric: Fabric, layer: Layer, places: Places) -> Assembly:
    """Return the switch of a fabric, placed once."""
    body = Body(part=fabric.switch, variant=fabric.variant, origin=fabric.origin)
    found = layer.scope.find(fabric.switch) or places.shelf.get(fabric.switch)
    if found is None:
        places.shelf.unknown_part(fabric.switch, fabric.origin.mark_of("switch"), tuple(layer.scope.names()))
        return Assembly(kind=UNKNOWN, part=fabric.switch)
    return places.place(Recipe(body=body, scope=layer.scope, numbers=EMPTY, group="switch"))


def _cards_instead(ends: Sequence[Thing], fabric: Fabric) -> str:
    """Return the selector of the network cards beside ends that cannot be joined."""
    owner = ends[0].parent
    group = cards(owner.assembly, fabric.kind) if owner else ""
    head, _, _ = fabric.join[0].rpartition("/")
    return f"join the network cards: {f'{head}/{group}' if head else group}" if group else ""


def _wishes(fabric: Fabric, layer: Layer, switch: Assembly, report: Report) -> Wishes | None:
    port = ports.port_of(switch, fabric.kind)
    if port is None:
        report.error(
            fabric.origin.mark_of("switch"),
            f"{with_article(fabric.switch)} has no {fabric.kind} port",
            _has(switch),
            "no-such-port",
        )
        return None

    def number(value: Number | None) -> int | None:
        return None if value is None else layer.number(value)

    down, up = number(fabric.down), number(fabric.up)
    if (down or 0) + (up or 0) > int(port.count):
        key = "up" if up is not None else "down"
        said = f"{down} down + {up} up = {(down or 0) + (up or 0)}" if down and up else f"{down or up} {key}"
        report.error(
            fabric.origin.mark_of(key),
            f"{said}, but {with_article(fabric.switch)} has {port.count} ports",
            code="too-few-ports",
        )
        return None
    return Wishes(
        ports=int(port.count),
        rails=layer.number(fabric.rails),
        planes=layer.number(fabric.planes),
        down=down,
        up=up,
        oversubscription=fabric.oversubscription or 1.0,
        tiers=number(fabric.tiers),
        spines=number(fabric.spines),
    )


def _has(switch: Assembly) -> str:
    said = ports.said_ports(switch)
    return f"it has {said}" if said else ""


def _plan(top: Assembly, fabric: Fabric, ends: Sequence[Thing], wishes: Wishes, finder: Finder) -> Plan:
    owners = _owners(ends, fabric)
    card = _numbers(owners)
    units = _units(top, fabric, ends, finder)
    if ends[0].kind == "switch":
        return over(card, units or _ranks(owners), wishes)
    return under(card, units, wishes)


def _owners(ends: Sequence[Thing], fabric: Fabric) -> list[str]:
    steps = [text.strip("/").split("/")[-2] if "/" in text.strip("/") else "" for text in fabric.join]
    return [_owner(thing, steps) for thing in ends]


def _owner(thing: Thing, steps: Sequence[str]) -> str:
    here = thing.parent
    while here is not None and here.parent is not None:
        if any(step and fits(here, step) for step in steps):
            return here.id
        here = here.parent
    return ""


def _numbers(owners: Iterable[str]) -> list[int]:
    """Return the number of each end inside its owner."""
    seen: dict[str, int] = {}
    found = []
    for owner in owners:
        found.append(seen.get(owner, 0))
        seen[owner] = found[-1] + 1
    return found


def _ranks(owners: Iterable[str]) -> list[int]:
    order: dict[str, int] = {}
    return [order.setdefault(owner, len(order)) for owner in owners]


def _units(top: Assembly, fabric: Fabric, ends: Sequence[Thing], finder: Finder) -> list[int] | None:
    """Return the unit of each end, by the things that ``unit`` finds; None if none is given."""
    if not fabric.unit:
        return None
    known = {
        t.id: i for i, t in enumerate(finder.ends(top, (fabric.unit,), fabric.origin.get("unit") or fabric.origin))
    }
    inside = [next((known[above.id] for above in reversed(thing.chain) if above.id in known), None) for thing in ends]
    if None in inside:
        raise Unfit(f"{ends[inside.index(None)].id} is in no {fabric.unit}", "unit")
    return [unit for unit in inside if unit is not None]


def _made(
    top: Assembly, fabric: Fabric, ends: Sequence[Thing], plan: Plan, switch: Assembly, report: Report
) -> Made | None:
    first = 0 if plan.down else (TIERS.index(ends[0].group) + 1 if ends[0].group in TIERS[:2] else 1)
    counts = [plan.leaves, plan.spines, plan.cores] if plan.down else [plan.spines, plan.cores]
    if first + len([n for n in counts if n]) > len(TIERS):
        report.error(fabric.origin.mark, "there is no name for a tier above core", code="fabric-does-not-fit")
        return None
    tiers = [_tier(TIERS[first + i], number, switch) for i, number in enumerate(counts) if number]
    children = tuple(child for tier in tiers for child in tier)
    if fabric.name:
        inner = Assembly(kind="fabric", title=fabric.name, children=children)
        children = (Child(name=fabric.name, group=fabric.name, assembly=inner),)
    twice = next((child.name for child in children if child.name in top.places), "")
    if twice:
        report.error(
            fabric.origin.mark,
            f"'{twice}' exists already",
            "give the fabric a name: its switches stand inside",
            "twice",
        )
        return None
    prefix = f"{fabric.name}/" if fabric.name else ""
    rows = [[Thing(prefix + child.name, child) for child in tier] for tier in tiers]
    return Made(children=children, things=tuple(t for row in rows for t in row), pairs=_pairs(ends, plan, rows))


def _tier(group: str, number: int, switch: Assembly) -> list[Child]:
    return [Child(name=f"{group}{i}", group=group, index=i, assembly=switch) for i in range(number)]


def _pairs(ends: Sequence[Thing], plan: Plan, rows: Sequence[Sequence[Thing]]) -> tuple[tuple[Thing, Thing, int], ...]:
    leaves, upper = (rows[0], rows[1:]) if plan.down else (ends, rows)
    found = [(ends[end], leaves[leaf], 1) for end, leaf in enumerate(plan.down)]
    if plan.middle:
        found += [(leaves[leaf], upper[0][spine], links) for leaf, spine, links in plan.middle]
    if plan.top:
        found += [(upper[0][spine], upper[1][core], links) for spine, core, links in plan.top]
    return tuple(found)


def check(fabric: Fabric, layer: Layer, places: Places) -> None:
    """Note what a fabric names and does not exist: its switch."""
    switch_of(fabric, layer, places)
