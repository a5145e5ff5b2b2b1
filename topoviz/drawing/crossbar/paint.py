"""Bars, lines behind them, a port square at every bar that a line is cabled to; one unit opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.crossbar.place import BAR, CABLES, CARD, LEAF, NUMBERS, SERVERS, SPINE, Page
from topoviz.drawing.crossbar.wiring import Unit
from topoviz.drawing.look import fabric_of
from topoviz.drawing.scene import Box, Cells, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.model.topology import Link, Thing

WIDTH = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is drawn: the page and the scope that it is drawn for."""

    scope: Scope
    page: Page

    def token(self, part: str) -> str:
        return f"{fabric_of(self.page.wiring.kind)}.{part}"

    def say(self, template: str, **numbers: str) -> str:
        return fields.say(self.scope, template, numbers=numbers)


def draw(work: Work) -> Iterator[Item]:
    """Yield frames, lines, bars over them, squares, then the unit and the numbers."""
    page = work.page
    thing = page.unit.thing
    yield glyphs.enclosure(
        thing.id, page.left, page.top, page.split - page.left, page.bottom - page.top,
        kind=thing.kind, tooltip=glyphs.tooltip(thing, work.scope.lang),
    )  # fmt: skip
    yield from _bars(work)
    yield from _inside(work)
    yield from _leaves(work)
    yield from _servers(work)
    yield from _upwards(work)
    for number in range(page.shown):
        yield from _closed(work, number)
    yield from _names(work)


def _item(work: Work, ends: tuple[str, str], links: Sequence[Link], shapes: Sequence[Shape], of: Sequence[str]) -> Item:
    known = [link.bandwidth for link in links if link.bandwidth is not None]
    data = (
        ("source", ends[0]),
        ("target", ends[1]),
        ("kind", links[0].kind),
        ("links", str(sum(link.links for link in links))),
        ("bandwidth", f"{sum(known):g}" if len(known) == len(links) else ""),
    )
    tip = fields.say(work.scope, "{links} × {link}, {rate}", links=tuple(links))
    return Item(
        role="link", layer="link", shapes=tuple(shapes), kind=links[0].kind, data=data, of=tuple(of),
        title=f"{ends[0]} – {ends[1]}: {tip}",
    )  # fmt: skip


def _squares(work: Work, places: Sequence[tuple[float, float]], of: Sequence[str]) -> Item:
    token = work.token("line")
    ports = tuple(glyphs.port(x, y, token) for x, y in places)
    return Item(role="decor", layer="device", shapes=ports, of=tuple(of))


def _switch(
    work: Work, names: Sequence[str], place: tuple[float, float, float, float], label: str, *, bold: bool
) -> Item:
    """Return one switch, or several drawn as one with their number; the label stands at its left end."""
    thing = work.scope.topology.thing(names[0])
    x, y, wide, high = place
    tip = glyphs.tooltip(thing, work.scope.lang)
    item = glyphs.switch(names[0], x, y, wide, high, "", fabric=work.page.wiring.kind, state=thing.state, tooltip=tip)
    content, size = type_setting.fit(label, wide - 24, 12, bold=bold)
    word = Text(x=x + 12, y=y + high / 2 + 4.3, content=content, size=size, bold=bold)
    data = (*item.data, ("count", str(len(names)))) if len(names) > 1 else item.data
    return replace(item, shapes=(*item.shapes, word), data=data)


def _bars(work: Work) -> Iterator[Item]:
    page = work.page
    for number, names in enumerate(page.wiring.bars):
        place = (page.left, page.bar(number), page.right - page.left, BAR)
        role = _role(work)
        label = f"{role} group {{number}}" if len(names) > 1 else f"{role} {{number}}"
        yield _switch(work, names, place, work.say(label, number=str(number)), bold=True)


def _role(work: Work) -> str:
    """Return what the switches of the top tier are: what nothing but leaves meets are spines."""
    return "core" if work.page.unit.spines else "spine"


def _inside(work: Work) -> Iterator[Item]:
    """Yield the spines of the opened unit as bars, and one line for each leaf behind all of them."""
    page, unit = work.page, work.page.unit
    first, last = page.inner
    for number, name in enumerate(unit.spines):
        yield _switch(work, (name,), (first, page.spine(number), last - first, SPINE), str(number), bold=True)
    for number, leaf in enumerate(unit.leaves):
        met = [(i, unit.inside[leaf, spine]) for i, spine in enumerate(unit.spines) if (leaf, spine) in unit.inside]
        if not met:
            continue
        x = page.leaf(number)[0]
        line = Line(
            points=((x, page.leaves), (x, page.spine(met[0][0]) + SPINE)), stroke=work.token("line"), width=WIDTH
        )
        links = [link for _, some in met for link in some]
        yield _item(work, (leaf, unit.spines[met[0][0]]), links, (line,), (leaf, *unit.spines))
        yield _squares(work, [(x, page.spine(i) + SPINE) for i, _ in met], unit.spines)
        count = sum(link.links for link in links)
        shapes = glyphs.plate(x, page.leaves - NUMBERS / 2, f"{count:,}", work.token("text"), ground="surf")
        yield Item(role="label", layer="label", shapes=shapes)


def _leaves(work: Work) -> Iterator[Item]:
    page = work.page
    for number, name in enumerate(page.unit.leaves):
        x, room = page.leaf(number)
        wide = min(60.0, room - 4)
        thing = work.scope.topology.thing(name)
        tip = glyphs.tooltip(thing, work.scope.lang)
        yield glyphs.switch(
            name,
            x - wide / 2,
            page.leaves,
            wide,
            LEAF,
            str(number),
            fabric=page.wiring.kind,
            tooltip=tip,
            state=thing.state,
        )
        foot = Line(points=((x, page.leaves + LEAF), (x, page.servers)), stroke=work.token("line"), width=WIDTH)
        yield Item(role="decor", layer="link", shapes=(foot,), of=(name,))


def servers_of(unit: Unit, scope: Scope) -> tuple[Thing, ...]:
    """Return what stands in a unit and holds GPUs."""
    return tuple(one for one in unit.thing.children if scope.topology.count("gpu", within=one))


def _servers(work: Work) -> Iterator[Item]:
    """Yield one thin row for each server: a dark mark for every GPU, under the leaf of its card where each has one."""
    page, scope = work.page, work.scope
    servers = servers_of(page.unit, scope)
    per = [scope.topology.count("gpu", within=one) for one in servers]
    most = max(per, default=0)
    leaves = len(page.unit.leaves)
    if not most:
        return
    first, last = page.inner
    each = leaves if most % leaves == 0 else most
    inside = most // each
    room = (last - first) / each
    step = SERVERS / len(servers)
    wide = min(30.0, room - 14) / inside if leaves == each else room * 0.7
    xs = tuple(first + room * (i + 0.5) - 4 + k * wide for i in range(each) for k in range(inside))
    filled = frozenset((row, column) for row, count in enumerate(per) for column in range(count))
    marks = Cells(
        xs=xs, ys=tuple(page.servers + i * step for i in range(len(servers))),
        width=wide * 0.86 if inside > 1 else wide, height=step * 0.66, fill="gpu", filled=filled,
    )  # fmt: skip
    cards = Cells(
        xs=tuple(first + room * (i + 0.5) - 14 for i in range(each)),
        ys=tuple(page.servers + i * step for i in range(len(servers))),
        width=7, height=step * 0.66, fill=work.token("line"),
    )  # fmt: skip
    shapes = (cards, marks) if each == leaves else (marks,)
    data = (("id", servers[0].id), ("kind", servers[0].kind), ("count", str(len(servers))))
    tip = work.say("{count} servers", count=str(len(servers)))
    yield Item(role="node", layer="device", shapes=shapes, kind=servers[0].kind, data=data, title=tip)


def _upwards(work: Work) -> Iterator[Item]:
    """Yield the ways of the opened unit to the bars: of each spine on a track of its own, or of each leaf straight."""
    page, unit = work.page, work.page.unit
    leaving = unit.spines or unit.leaves
    for number, name in enumerate(leaving):
        met = sorted(bar for one, bar in unit.up if one == name)
        if not met:
            continue
        if unit.spines:
            y, x, start = page.spine(number) + SPINE / 2, page.track(number), page.inner[1]
            points: tuple[tuple[float, float], ...] = ((start, y), (x, y), (x, page.bar(met[0]) + BAR))
        else:
            x = page.leaf(number)[0]
            points = ((x, page.leaves), (x, page.bar(met[0]) + BAR))
        links = [link for bar in met for link in unit.up[name, bar]]
        line = Line(points=points, stroke=work.token("line"), width=WIDTH, radius=6)
        bars = [one for names in page.wiring.bars for one in names[:1]]
        yield _item(work, (name, page.wiring.bars[met[0]][0]), links, (line,), (name, unit.thing.id, *bars))
        yield _squares(work, [(x, page.bar(bar) + BAR) for bar in met], bars)
        if unit.spines:
            yield _squares(work, [(page.inner[1], page.spine(number) + SPINE / 2)], (name,))
    yield from _leaving_numbers(work, leaving)


def _leaving_numbers(work: Work, leaving: Sequence[str]) -> Iterator[Item]:
    """Yield how many cables each way up has, once for all that have the same."""
    page, unit = work.page, work.page.unit
    counts = [
        sum(link.links for (one, _), links in unit.up.items() if one == name for link in links) for name in leaving
    ]
    if not counts or len(set(counts)) != 1 or not counts[0]:
        return
    xs = [page.track(i) if unit.spines else page.leaf(i)[0] for i in range(len(leaving))]
    said = work.say("{links} each", links=f"{counts[0]:,}")
    shapes = glyphs.plate((xs[0] + xs[-1]) / 2, page.bars_end + CABLES / 2, said, work.token("text"))
    yield Item(role="label", layer="label", shapes=shapes)


def _closed(work: Work, number: int) -> Iterator[Item]:
    """Yield a unit as a card with strips at the heights of the opened one, and one line with a square at every bar."""
    page = work.page
    unit = page.wiring.units[number + 1]
    x, wide = page.card(number), min(max(CARD, page.pitch / 2), page.pitch - 3)
    card = Box(
        x=x - wide / 2,
        y=page.top,
        width=wide,
        height=page.bottom - page.top,
        radius=2,
        fill="bg",
        stroke="frame",
        stroke_width=1,
    )
    strips: list[Shape] = [card]
    tint, line = work.token("tint"), work.token("line")
    strip = wide - (6 if wide < 20 else 8)
    if unit.spines:
        high = page.spines_end - page.spine(0)
        strips.append(
            Box(
                x=x - strip / 2,
                y=page.spine(0),
                width=strip,
                height=high,
                radius=1,
                fill=tint,
                stroke=line,
                stroke_width=1,
            )
        )
    strips.append(
        Box(x=x - strip / 2, y=page.leaves, width=strip, height=LEAF, radius=1, fill=tint, stroke=line, stroke_width=1)
    )
    strips.append(Box(x=x - strip / 2, y=page.servers, width=strip, height=SERVERS, radius=1, fill="gpu"))
    gpus = work.scope.topology.count("gpu", within=unit.thing)
    data = (("id", unit.thing.id), ("kind", unit.thing.kind), ("count", str(gpus)))
    tip = glyphs.tooltip(unit.thing, work.scope.lang)
    yield Item(role="node", layer="device", shapes=tuple(strips), kind=unit.thing.kind, data=data, title=tip)
    met = sorted({bar for _, bar in unit.up})
    links = [link for some in unit.up.values() for link in some]
    if met:
        trunk = Line(points=((x, page.top), (x, page.bar(met[0]) + BAR)), stroke=line, width=WIDTH)
        bars = [one for names in page.wiring.bars for one in names[:1]]
        yield _item(work, (unit.thing.id, page.wiring.bars[met[0]][0]), links, (trunk,), (unit.thing.id, *bars))
        yield _squares(work, [(x, page.bar(bar) + BAR) for bar in met], bars)


def _names(work: Work) -> Iterator[Item]:
    """Yield what stands under the units, and the cables of the closed ones in one plate."""
    page = work.page
    y = page.bottom + 17
    opened = fields.say(work.scope, "{name}, opened", things=(page.unit.thing,))
    texts = [Text(x=(page.left + page.split) / 2, y=y, content=opened, size=12, anchor="middle", fill="ink2")]
    step = 1 if page.pitch >= 20 else 2 if page.pitch >= 12 else 4
    for number in range(0, page.shown, step):
        index = page.wiring.units[number + 1].thing.index
        texts.append(Text(x=page.card(number), y=y, content=str(index), size=12, anchor="middle", fill="ink2"))
    yield Item(role="label", layer="label", shapes=tuple(texts))
    totals = {sum(link.links for some in unit.up.values() for link in some) for unit in page.wiring.units[1:]}
    per_bar = {sum(link.links for link in some) for unit in page.wiring.units[1:] for some in _by_bar(unit)}
    if len(totals) == 1 and page.shown > 1:
        links = f"{totals.pop():,}"
        said = work.say("{links} each", links=links)
        if len(per_bar) == 1 and len(page.wiring.bars) > 1:
            longer = work.say("{links} each, {each} to each bar", links=links, each=f"{per_bar.pop():,}")
            said = longer if type_setting.width(longer, 12) < page.pitch * page.shown - 8 else said
        middle = (page.card(0) + page.card(page.shown - 1)) / 2
        shapes = glyphs.plate(middle, page.bars_end + CABLES / 2, said, work.token("text"))
        yield Item(role="label", layer="label", shapes=shapes)


def _by_bar(unit: Unit) -> Iterator[list[Link]]:
    for bar in sorted({bar for _, bar in unit.up}):
        yield [link for (_, at), some in unit.up.items() if at == bar for link in some]
