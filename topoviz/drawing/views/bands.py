"""Racks as columns, rails as bands: every rail with its spines and leaves, one of them opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from topoviz.drawing import fields
from topoviz.drawing.bands.paint import Work
from topoviz.drawing.bands.paint import draw as painted
from topoviz.drawing.bands.place import BAR, CABLES, LANES, RACK, Page, Spot, page
from topoviz.drawing.bands.wiring import bands
from topoviz.drawing.compose import NOTHING
from topoviz.drawing.layout import Block
from topoviz.drawing.look import fabric_of
from topoviz.drawing.scene import Drawing
from topoviz.drawing.scope import Scope
from topoviz.drawing.tiers import gutter
from topoviz.model.selectors import pick
from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "columns": "what makes a column: rack",
        "bands": "what makes a band: rail",
        "open": "what is drawn in full: one band (rail0) and one column (rack0)",
        "tiers": "spine and leaf, for their labels",
        "lines": "for their labels",
    }
)

GUTTER = 136.0
NARROWEST = 34.0  # a column in which a rack can still be told


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return bands over columns; nothing where no network joins the columns, or they are too many to be told."""
    root = scope.roots[0]
    columns = tuple(pick(scope.topology, scope.roots, block.column_of or ("rack",)))
    found = bands(root, columns)
    left = 0.5 if scope.compact or block.gutter is False else GUTTER
    if not found or (width - left) / len(columns) < NARROWEST:
        return NOTHING
    wishes = tuple(str(one) for one in _texts(block.options.get("open")))
    place = page(found, len(columns), left, width - 0.5, {i: f"rail{i}" in wishes or not wishes for i in range(1)})
    opened = next((rack.id for rack in columns if rack.name in wishes), "")
    items = tuple(painted(Work(scope=scope, page=place, racks=columns, opened=opened)))
    labels = tuple(_labels(scope, place, columns)) if left == GUTTER else ()
    return Drawing(
        width=width, height=place.bottom, items=(*items, *gutter.draw(labels, 16, place.bottom - 16)),
        notes=tuple(_notes(scope, place)),
    )  # fmt: skip


def _texts(value: object) -> tuple[object, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _labels(scope: Scope, place: Page, columns: tuple[Thing, ...]) -> Iterator[gutter.Label]:
    """Yield the words beside the bands, the cables and the racks."""
    for number, spot in enumerate(place.spots):
        yield from _band_labels(scope, spot, number)
    first = place.spots[0]
    links = tuple(link for some in first.band.leaves[0].down.values() for link in some)
    token = f"{fabric_of(first.band.kind)}.text"
    words = (_said(scope, "{links} cables, each", links=links), _said(scope, "{link.rate}", links=links))
    yield gutter.Label(y=place.racks - CABLES / 2 + 4, lines=words, token=token)
    title = fields.say(scope, "{count} × {title}", things=columns)
    gpus = fields.say(scope, "{gpu.count} GPUs in all")
    yield gutter.Label(y=place.racks + RACK / 2, lines=(title, gpus))


def _band_labels(scope: Scope, spot: Spot, number: int) -> Iterator[gutter.Label]:
    token = f"{fabric_of(spot.band.kind)}.text"
    name = "Rail {number}" if spot.band.rail is not None else "Network {number}"
    numbers = {
        "number": str(spot.band.rail if spot.band.rail is not None else number),
        "spines": str(len(spot.band.spines)),
        "leaves": str(len(spot.band.leaves)),
    }
    said = fields.say(scope, name, numbers=numbers)
    if not spot.opened:
        inside = "{spines} spines, {leaves} leaves" if spot.band.spines else "{leaves} leaves"
        yield gutter.Label(
            y=spot.top + spot.height / 2, lines=(said, fields.say(scope, inside, numbers=numbers)), token=token
        )
        return
    leaf = spot.band.leaves[0]
    between = tuple(leaf.up.values())[:1]
    yield gutter.Label(
        y=(spot.bars[0] + spot.bars[-1] + BAR) / 2,
        lines=(
            fields.say(scope, f"{name}, opened", numbers=numbers),
            fields.say(scope, "{spines} spines", numbers=numbers),
        ),
        token=token,
    )
    yield gutter.Label(
        y=spot.leaves - LANES / 2,
        lines=(_said(scope, "{links} cables per lane", links=between), _said(scope, "{rate}", links=between)),
        token=token,
    )
    down = sum(link.links for some in leaf.down.values() for link in some)
    ports = {"down": str(down), "up": str(sum(link.links for link in leaf.up.values())), **numbers}
    yield gutter.Label(
        y=spot.leaves + spot.leaf_height / 2,
        lines=(
            fields.say(scope, "{leaves} leaves", numbers=ports),
            fields.say(scope, "{down} down, {up} up", numbers=ports),
        ),
    )


def _said(scope: Scope, template: str, *, links: object) -> str:
    return fields.say(scope, template, links=links)  # type: ignore[arg-type]


def _notes(scope: Scope, place: Page) -> Iterator[str]:
    """Yield that all switches are drawn, or which are not: those above the spines."""
    drawn = {name for spot in place.spots for name in (*spot.band.spines, *(leaf.id for leaf in spot.band.leaves))}
    switches = pick(scope.topology, scope.roots, ("switch",))
    if all(thing.id in drawn for thing in switches):
        yield "drawn: " + fields.say(scope, "{count} switches", things=switches)
        return
    others = [thing for thing in switches if thing.id not in drawn]
    yield "left-out: " + fields.say(scope, "{count} switches above the spines", things=others)
