"""Tiers wired all to all: units as columns, the tier above as bars, a square for every connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from topoviz.drawing import fields
from topoviz.drawing.compose import NOTHING
from topoviz.drawing.crossbar.paint import Work, servers_of
from topoviz.drawing.crossbar.paint import draw as painted
from topoviz.drawing.crossbar.place import CABLES, LEAF, NAME, NUMBERS, SERVERS, SPINE, Page, page
from topoviz.drawing.crossbar.wiring import wiring
from topoviz.drawing.layout import Block
from topoviz.drawing.look import fabric_of
from topoviz.drawing.scene import Drawing
from topoviz.drawing.scope import Scope
from topoviz.drawing.tiers import gutter
from topoviz.model.selectors import pick
from topoviz.model.topology import Link

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "columns": "what makes a column: su",
        "bars": "what makes a bar: the switches that join the columns",
        "group": "`same`: bars wired alike are one",
        "open": "the unit that is drawn in full: the first",
        "tiers": "what stands inside the opened unit, for its labels",
        "lines": "for their labels",
    }
)

GUTTER = 136.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return bars over units; nothing where no switch joins the units."""
    root = scope.roots[0]
    units = tuple(pick(scope.topology, scope.roots, block.column_of or ("su",)))
    found = wiring(root, units)
    if found is None or not found.units or not found.units[0].leaves:
        return NOTHING
    left = 0.5 if scope.compact or block.gutter is False else GUTTER
    place = page(found, left, width - 0.5)
    bottom = place.bottom + NAME
    labels = tuple(_labels(scope, place)) if left == GUTTER else ()
    items = (*painted(Work(scope=scope, page=place)), *gutter.draw(labels, 16, bottom - 16))
    return Drawing(width=width, height=bottom, items=items, notes=tuple(_notes(scope, place)))


def _labels(scope: Scope, place: Page) -> Iterator[gutter.Label]:
    """Yield the words beside the bars, the cables, the tiers of the opened unit and its servers."""
    unit, bars = place.unit, place.wiring.bars
    token = f"{fabric_of(place.wiring.kind)}.text"
    role = "core" if unit.spines else "spine"
    count = sum(len(names) for names in bars)
    grouped = len(bars[0]) > 1
    yield gutter.Label(
        y=place.bars_end / 2,
        lines=(
            fields.say(scope, f"{{count}} {role} switches", numbers={"count": f"{count:,}"}),
            fields.say(
                scope, "{groups} groups of {each}", numbers={"groups": str(len(bars)), "each": str(len(bars[0]))}
            )
            if grouped
            else _ports(scope, bars[0][0]),
        ),
    )
    links = tuple(link for some in unit.up.values() for link in some)
    if links:
        words = _words(scope, links, "{links} cables per unit", "{link.rate} each")
        yield gutter.Label(y=place.bars_end + CABLES / 2, lines=words, token=token)
    if unit.spines:
        said = fields.say(scope, "{count} spines per unit", numbers={"count": str(len(unit.spines))})
        middle = (place.spine(0) + place.spines_end) / 2
        yield gutter.Label(y=middle, lines=(said, _ports(scope, unit.spines[0])))
        words = _words(scope, next(iter(unit.inside.values()), ()), "{links} cables per square", "{rate}")
        yield gutter.Label(y=place.spines_end + NUMBERS / 2 - SPINE, lines=words, token=token)
    said = fields.say(scope, "{count} leaves per unit", numbers={"count": str(len(unit.leaves))})
    yield gutter.Label(y=place.leaves + LEAF / 2, lines=(said, _ports(scope, unit.leaves[0])))
    yield gutter.Label(y=place.servers + SERVERS / 2, lines=_units(scope, place))


def _words(scope: Scope, links: tuple[Link, ...], *templates: str) -> tuple[str, ...]:
    return tuple(fields.say(scope, template, links=links) for template in templates)


def _units(scope: Scope, place: Page) -> tuple[str, str]:
    """Return how many units there are and what is in each, or in the opened one where they differ."""
    gpus = [scope.topology.count("gpu", within=one.thing) for one in place.wiring.units]
    inside = "{servers} servers, {gpus} GPUs" if len(set(gpus)) == 1 else "opened: {gpus} GPUs"
    numbers = {"servers": str(len(servers_of(place.unit, scope))), "gpus": f"{gpus[0]:,}", "count": str(len(gpus))}
    return fields.say(scope, "{count} units", numbers=numbers), fields.say(scope, inside, numbers=numbers)


def _ports(scope: Scope, name: str) -> str:
    return fields.say(scope, "{ports} ports each", things=(scope.topology.thing(name),))


def _notes(scope: Scope, place: Page) -> Iterator[str]:
    if place.wiring.above:
        things = tuple(scope.topology.thing(name) for name in place.wiring.above)
        yield "left-out: " + fields.say(scope, "{count} core switches", things=things)
    gone = len(place.wiring.units) - 1 - place.shown
    if gone:
        yield "left-out: " + fields.say(scope, "{count} more units", numbers={"count": str(gone)})
