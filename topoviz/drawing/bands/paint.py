"""Bands, their bars and leaves, and the racks below, with every cable ending at a port square."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.bands.place import BAR, EDGE, RACK, Page, Spot
from topoviz.drawing.bands.wiring import Leaf
from topoviz.drawing.look import fabric_of
from topoviz.drawing.rack import rack_mark
from topoviz.drawing.scene import Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.model.topology import Link, Thing

LABELS = {"spine": "spine {index}", "leaf": "leaf {index}"}
WIDTH = 3.0  # of a line that stands for cables


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is drawn: the page, the racks in their columns, and which of them is opened elsewhere."""

    scope: Scope
    page: Page
    racks: tuple[Thing, ...]
    opened: str = ""


def draw(work: Work) -> Iterator[Item]:
    """Yield the frames, then lanes behind everything, then bars, leaves and racks, then numbers."""
    spots = work.page.spots
    for spot in spots:
        yield _frame(work.page, spot)
    for number, spot in enumerate(spots):
        for leaf in spot.band.leaves:
            yield from _down(work, number, spot, leaf)
            yield from _up(work, spot, leaf)
        yield from _bars(work, spot)
        yield from (_leaf(work, spot, leaf, i) for i, leaf in enumerate(spot.band.leaves))
    for column, rack in enumerate(work.racks):
        yield from _rack(work, column, rack)
    yield from _cables(work)


def _frame(page: Page, spot: Spot) -> Item:
    """Return the plate of a band: it is no thing, only what belongs together."""
    item = glyphs.enclosure("", page.left, spot.top, page.right - page.left, spot.height)
    return replace(item, role="decor", kind="", data=())


def _token(spot: Spot, part: str) -> str:
    return f"{fabric_of(spot.band.kind)}.{part}"


def _switch(work: Work, name: str, place: tuple[float, float, float, float], label: str, *, bold: bool) -> Item:
    thing = work.scope.topology.thing(name)
    fabric = next((port.kind for port in thing.assembly.ports or () if port.kind), "infiniband")
    return glyphs.switch(
        name, *place, label, fabric=fabric, state=thing.state, bold=bold, tooltip=glyphs.tooltip(thing, work.scope.lang)
    )


def _bars(work: Work, spot: Spot) -> Iterator[Item]:
    page = work.page
    left, wide = page.left + EDGE, page.right - page.left - 2 * EDGE
    if not spot.bars:
        return
    if not spot.opened:
        said = fields.say(work.scope, "{count} spine switches", numbers={"count": str(len(spot.band.spines))})
        item = _switch(work, spot.band.spines[0], (left, spot.bars[0], wide, BAR), said, bold=True)
        yield replace(item, data=(*item.data, ("count", str(len(spot.band.spines)))))
        return
    for number, (name, y) in enumerate(zip(spot.band.spines, spot.bars, strict=True)):
        item = _switch(work, name, (left, y, wide, BAR), "", bold=True)
        label = fields.say(work.scope, LABELS["spine"], numbers={"index": str(number)})
        word = Text(x=left + 12, y=y + 13, content=label, size=12, bold=True, fill="ink")
        yield replace(item, shapes=(*item.shapes, word))


def _leaf(work: Work, spot: Spot, leaf: Leaf, number: int) -> Item:
    x, wide = work.page.leaf(leaf)
    label = fields.say(work.scope, LABELS["leaf"], numbers={"index": str(number)})
    if type_setting.width(label, 13, bold=True) > wide - 16:
        label = str(number)
    return _switch(work, leaf.id, (x, spot.leaves, wide, spot.leaf_height), label, bold=spot.opened)


def _item(work: Work, ends: tuple[str, str], links: Sequence[Link], shapes: Sequence[Shape], of: Sequence[str]) -> Item:
    count = sum(link.links for link in links)
    known = [link.bandwidth for link in links if link.bandwidth is not None]
    data = (
        ("source", ends[0]),
        ("target", ends[1]),
        ("kind", links[0].kind),
        ("links", str(count)),
        ("bandwidth", f"{sum(known):g}" if len(known) == len(links) else ""),
    )
    tip = fields.say(work.scope, "{links} × {link}, {rate}", links=links)
    title = f"{ends[0]} – {ends[1]}: {tip}"
    return Item(
        role="link", layer="link", shapes=tuple(shapes), kind=links[0].kind, data=data, title=title, of=tuple(of)
    )


def _down(work: Work, number: int, spot: Spot, leaf: Leaf) -> Iterator[Item]:
    """Yield the cables of each rack to a leaf: in full between the bands, as a trace behind those it only passes."""
    page = work.page
    line, trace = _token(spot, "line"), _token(spot, "tint")
    nearer = page.spots[number + 1 :]
    for column, links in leaf.down.items():
        x, y = page.lane(column, number), spot.leaves + spot.leaf_height
        shapes: list[Shape] = []
        for other in nearer:
            shapes.append(Line(points=((x, y), (x, other.top)), stroke=line, width=WIDTH))
            shapes.append(Line(points=((x, other.top), (x, other.bottom)), stroke=trace, width=WIDTH))
            y = other.bottom
        shapes.append(Line(points=((x, y), (x, page.racks)), stroke=line, width=WIDTH))
        passed = [name for other in nearer for name in _names(other)]
        yield _item(work, (work.racks[column].id, leaf.id), links, shapes, (work.racks[column].id, leaf.id, *passed))
        yield Item(
            role="decor", layer="device", of=(leaf.id,),
            shapes=(glyphs.port(x, spot.leaves + spot.leaf_height, line),),
        )  # fmt: skip


def _names(spot: Spot) -> tuple[str, ...]:
    return (*spot.band.spines, *(leaf.id for leaf in spot.band.leaves))


def _up(work: Work, spot: Spot, leaf: Leaf) -> Iterator[Item]:
    """Yield a lane to every bar of an opened band, behind those below it; one line to the bar of a closed one."""
    if not leaf.up:
        return
    x, wide = work.page.leaf(leaf)
    line = _token(spot, "line")
    if not spot.opened:
        middle = x + wide / 2
        ends = ((middle, spot.leaves), (middle, spot.bars[0] + BAR))
        shape = Line(points=ends, stroke=line, width=WIDTH)
        yield _item(work, (leaf.id, spot.band.spines[0]), tuple(leaf.up.values()), (shape,), _names(spot))
        return
    for place, (spine, link) in enumerate(sorted(leaf.up.items(), key=lambda pair: spot.band.spines.index(pair[0]))):
        at = _lane(x, wide, place, len(leaf.up))
        y = spot.bars[spot.band.spines.index(spine)] + BAR
        shape = Line(points=((at, spot.leaves), (at, y)), stroke=line, width=2.5)
        yield _item(work, (leaf.id, spine), (link,), (shape,), _names(spot))
        yield Item(role="decor", layer="device", shapes=(glyphs.port(at, y, line),), of=(spine,))
    yield from _lane_numbers(work, spot, leaf)


def _lane(x: float, wide: float, place: int, count: int) -> float:
    room = wide - 12
    return x + 6 + (room * place / (count - 1) if count > 1 else room / 2)


def _lane_numbers(work: Work, spot: Spot, leaf: Leaf) -> Iterator[Item]:
    """Yield the number of cables of each lane, or of each in words where they stand too close."""
    x, wide = work.page.leaf(leaf)
    counts = [link.links for _, link in sorted(leaf.up.items(), key=lambda pair: spot.band.spines.index(pair[0]))]
    if max(counts) == 1:
        return
    y = spot.leaves - 18
    apart = (wide - 12) / max(1, len(counts) - 1)
    ink = _token(spot, "text")
    if type_setting.width(str(max(counts)), 12) + 6.5 <= apart or len(counts) == 1:
        shapes = [
            shape
            for place, count in enumerate(counts)
            for shape in glyphs.plate(_lane(x, wide, place, len(counts)), y, str(count), ink, ground="surf")
        ]
        yield Item(role="label", layer="label", shapes=tuple(shapes))
    elif len(set(counts)) == 1:
        said = fields.say(work.scope, "{links} each", numbers={"links": str(counts[0])})
        if type_setting.width(said, 12) + 8 <= wide:
            yield Item(role="label", layer="label", shapes=glyphs.plate(x + wide / 2, y, said, ink, ground="surf"))


def _rack(work: Work, column: int, rack: Thing) -> Iterator[Item]:
    page = work.page
    x = page.x(column)
    wide = page.rack_width
    yield from rack_mark(rack, work.scope.topology, x - wide / 2, page.racks, wide, RACK, heavy=rack.id == work.opened)
    name = rack.name if type_setting.width(rack.name, 12) <= page.pitch - 4 else str(rack.index)
    content, size = type_setting.fit(name, page.pitch - 4, 12)
    word = Text(x=x, y=page.racks + RACK + 17, content=content, size=size, anchor="middle", fill="ink2")
    yield Item(role="label", layer="label", shapes=(word,))


def _cables(work: Work) -> Iterator[Item]:
    """Yield the number of cables of every lane of a rack, or of all of them together where they stand too close."""
    page = work.page
    y = page.racks - 30
    for column in range(page.columns):
        counts = [
            (number, sum(link.links for link in leaf.down[column]), spot)
            for number, spot in enumerate(page.spots)
            for leaf in spot.band.leaves
            if column in leaf.down
        ]
        if not counts:
            continue
        apart = abs(page.lane(column, 1) - page.lane(column, 0)) if len(page.spots) > 1 else page.pitch
        widest = max(type_setting.width(str(count), 12) for _, count, _ in counts)
        if widest + 5 <= apart:
            for number, count, spot in counts:
                shapes = glyphs.plate(page.lane(column, number), y, str(count), _token(spot, "text"))
                yield Item(role="label", layer="label", shapes=shapes)
        elif len({count for _, count, _ in counts}) == 1:
            said = f"{len(counts)} × {counts[0][1]}"
            if type_setting.width(said, 12) + 8 <= page.pitch:
                yield Item(
                    role="label",
                    layer="label",
                    shapes=glyphs.plate(page.x(column), y, said, _token(counts[0][2], "text")),
                )
