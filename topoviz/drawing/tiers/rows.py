"""Servers as rows across rails: a few in full, the others as thin rows, network cards as beads on the rails.

::

    leaf 0          leaf 1
      |32  rail 0     |32  rail 1
    +-[NIC][0]--------[NIC][1]-----+   a server in full
    |  ===== 4 x NVSwitch =====    |
    +------------------------------+
      =  ===          =  ===           thin rows: the same, one row each
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from topoviz.drawing import glyphs, text
from topoviz.drawing.mesh.paint import cross
from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Box, Cells, Item, Line, Text
from topoviz.drawing.tiers import gutter
from topoviz.drawing.tiers.cast import HOST, NETWORK, Join, Unit
from topoviz.drawing.tiers.lines import link_item, stroke_of
from topoviz.drawing.tiers.stage import Stage, line_width
from topoviz.drawing.words import link_name

ABOVE = 64.0  # between the leaf switches and the first row
FULL = 76.0
APART = 7.0
THIN = 6.4
MOST_THIN = 64  # more rows than this are one block with their number


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A network card and its GPU in the column of their leaf; lanes are the x of its rails."""

    card: Unit | None
    gpu: Unit | None
    x: float  # middle of the seat
    room: float
    lanes: tuple[tuple[str, float], ...]  # leaf id and x


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One server in full, or a run of thin ones."""

    units: tuple[Unit, ...]
    y: float
    height: float
    seats: tuple[Seat, ...]
    full: bool


def draw(
    stage: Stage, row_units: Sequence[Unit], top: float
) -> tuple[tuple[Item, ...], float, tuple[gutter.Label, ...]]:
    """Return the items of all rows, the height they end at, and their gutter labels."""
    by_card = _rails(stage)
    full = [u for u in row_units if u.id in stage.cast.inner]
    rows: list[Row] = []
    y = top + ABOVE
    model = full[0] if full else None
    for run in _runs(row_units, stage.cast.inner, by_card):
        if run[0].id in stage.cast.inner:
            seats = _seats(stage, run[0], by_card)
            rows.append(Row(units=run, y=y, height=FULL, seats=seats, full=True))
            y += FULL + APART
        else:
            height = THIN * min(len(run), MOST_THIN) + 6
            seats = _thin_seats(stage, run[0], model, by_card)
            rows.append(Row(units=run, y=y + 3, height=height, seats=seats, full=False))
            y += height + APART
    rows = _with_lone_gpus(stage, rows)
    items = [*_lines(stage, rows, top)]
    labels: list[gutter.Label] = []
    for row in rows:
        items.extend(_full(stage, row) if row.full else _thin(stage, row))
        labels.append(_label(stage, row))
    items.extend(_faults(stage, rows, by_card))
    return tuple(items), y, tuple(labels)


def _runs(
    units: Sequence[Unit], inner: Mapping[str, object], by_card: Mapping[str, list[Join]]
) -> Iterator[tuple[Unit, ...]]:
    """One opened row alone; rows that hang on the same switches together."""
    run: list[Unit] = []
    before: frozenset[str] = frozenset()
    for unit in units:
        leaves = frozenset(j.upper for j in by_card.get(unit.id, ()))
        if run and (unit.id in inner or leaves != before):
            yield tuple(run)
            run = []
        before = leaves
        if unit.id in inner:
            yield (unit,)
        else:
            run.append(unit)
    if run:
        yield tuple(run)


def _rails(stage: Stage) -> dict[str, list[Join]]:
    """Network joins by the lower end: a card of a full row, or a whole thin row."""
    out: dict[str, list[Join]] = {}
    for join in stage.cast.joins:
        if join.kind in NETWORK and join.upper in stage.columns:
            out.setdefault(join.lower, []).append(join)
    return out


def _lane_x(stage: Stage, leaf: str, seats_here: int, k: int) -> float:
    spot = stage.spots[leaf]
    step = stage.grid.pitch / seats_here
    return spot.x - stage.grid.pitch / 2 + step * k + step * 0.22


def _seats(stage: Stage, node: Unit, by_card: Mapping[str, list[Join]]) -> tuple[Seat, ...]:
    inside = [u for row in stage.cast.inner[node.id] for u in row]
    cards = [u for u in inside if u.kind in {"nic", "dpu"} and u.id in by_card]
    gpus = [u for u in inside if u.kind == "gpu"]
    partner = _partners(stage, cards, gpus)
    columns: dict[tuple[str, ...], list[Unit]] = {}
    for card in cards:
        leaves = tuple(dict.fromkeys(j.upper for j in by_card[card.id]))
        columns.setdefault(leaves, []).append(card)
    out: list[Seat] = []
    for leaves, mine in columns.items():
        left = min(stage.spots[leaf].x for leaf in leaves) - stage.grid.pitch / 2
        room = stage.grid.pitch * len(leaves) / len(mine)
        for k, card in enumerate(mine):
            lanes = tuple((leaf, _lane_x(stage, leaf, len(mine), k)) for leaf in leaves)
            out.append(Seat(card=card, gpu=partner.get(card.id), x=left + room * (k + 0.5), room=room, lanes=lanes))
    return tuple(sorted(out, key=lambda s: s.x))


def _with_lone_gpus(stage: Stage, rows: Sequence[Row]) -> list[Row]:
    """Return the rows with the GPUs that have no network card, each where the others have the GPU of its number."""
    usual = {_number(s.gpu): s for row in rows for s in row.seats if s.gpu is not None and s.card is not None}
    out = []
    for row in rows:
        taken = {seat.gpu.id for seat in row.seats if seat.gpu is not None}
        inside = [u for group in stage.cast.inner.get(row.units[0].id, ()) for u in group] if row.full else []
        lone = [u for u in inside if u.kind == "gpu" and u.id not in taken and _number(u) in usual]
        places = {seat.x for seat in row.seats if seat.gpu is not None}
        seats = [replace(usual[_number(u)], card=None, gpu=u) for u in lone if usual[_number(u)].x not in places]
        out.append(replace(row, seats=tuple(sorted((*row.seats, *seats), key=lambda s: s.x))))
    return out


def _partners(stage: Stage, cards: Sequence[Unit], gpus: Sequence[Unit]) -> dict[str, Unit]:
    """Return the GPU beside each card: of those on its switch that of its number, else one that no other card has.

    A card whose GPU is not there stands alone. Where no link says which belong together, the numbers do.
    """
    near = _near(stage, cards, gpus)
    known = any(near.values())
    out: dict[str, Unit] = {}
    for card in cards:
        same = [g for g in (near[card.id] if known else gpus) if _number(g) is not None and _number(g) == _number(card)]
        if same:
            out[card.id] = same[0]
    used = {gpu.id for gpu in out.values()}
    for i, card in enumerate(cards):
        rest = [g for g in (near[card.id] if known else gpus[i : i + 1]) if g.id not in used]
        if card.id not in out and rest:
            used.add(rest[0].id)
            out[card.id] = rest[0]
    return out


def _near(stage: Stage, cards: Sequence[Unit], gpus: Sequence[Unit]) -> dict[str, list[Unit]]:
    """Return the GPUs that each card shares a switch with."""
    by_id = {g.id: g for g in gpus}
    near: dict[str, list[Unit]] = {card.id: [] for card in cards}
    for join in stage.cast.joins:
        for card, gpu in ((join.upper, join.lower), (join.lower, join.upper)):
            if join.kind in HOST and card in near and gpu in by_id:
                near[card].append(by_id[gpu])
    return near


def _number(unit: Unit) -> int | None:
    return unit.thing.index


def _thin_seats(stage: Stage, node: Unit, model: Unit | None, by_card: Mapping[str, list[Join]]) -> tuple[Seat, ...]:
    """Thin rows have their marks where the rails say; how many per column, the server in full says."""
    if model is None or node.id not in by_card:
        return ()
    pattern = _seats(stage, model, by_card)
    leaves = {j.upper for j in by_card[node.id]}
    here = [s for s in pattern if {leaf for leaf, _ in s.lanes} <= leaves]
    if here:
        return tuple(here)
    per = max((sum(1 for s in pattern if s.lanes[:1] == p.lanes[:1]) for p in pattern), default=1)
    out = []
    for leaf in sorted(leaves, key=lambda i: stage.spots[i].x):
        for k in range(per):
            room = stage.grid.pitch / per
            x = stage.spots[leaf].x - stage.grid.pitch / 2 + room * (k + 0.5)
            out.append(Seat(card=None, gpu=None, x=x, room=room, lanes=((leaf, _lane_x(stage, leaf, per, k)),)))
    return tuple(out)


def _card_width(seat: Seat) -> float:
    return min(30.0, seat.room * 0.4)


def _lines(stage: Stage, rows: Sequence[Row], top: float) -> Iterator[Item]:
    """Rails from the leaf through all rows that hang on it; plate and name once, under the leaf."""
    reach: dict[tuple[str, float], list[Row]] = {}
    for row in rows:
        for seat in row.seats:
            for leaf, x in seat.lanes if seat.card is not None or not row.full else ():
                reach.setdefault((leaf, round(x, 2)), []).append(row)
    joins = {leaf: [j for found in _rails(stage).values() for j in found if j.upper == leaf] for leaf in stage.columns}
    first = {leaf: min(x for other, x in reach if other == leaf) for leaf, _ in reach}
    for (leaf, x), hung in reach.items():
        mine = joins[leaf]
        count = sum(j.links for j in mine)
        colour = stage.tone(mine[0].kind)
        lanes = sum(1 for other, _ in reach if other == leaf)
        cable = next((p.bandwidth / p.links for j in mine for p in j.parts if p.bandwidth), None)
        width = min(4.0, line_width(cable * 8) if cable else 2.0)
        passed = [row for row in rows if row.y <= hung[-1].y]
        yield from _rail(stage, leaf, x, (hung, passed), (top, colour, width), mine)
        yield from _rail_words(stage, leaf, x, top + 24, count // lanes, mine[0], named=lanes == 1 and x == first[leaf])


def _faults(stage: Stage, rows: Sequence[Row], by_card: Mapping[str, Sequence[Join]]) -> Iterator[Item]:
    """Yield the cables that are down or slower: the end of the rail at a card, or a mark in a thin row."""
    for row in rows:
        for seat in row.seats:
            ends = [seat.card.id] if row.full and seat.card is not None else [u.id for u in row.units[:MOST_THIN]]
            for i, end in enumerate(ends):
                for join in by_card.get(end, ()):
                    x = next((x for leaf, x in seat.lanes if leaf == join.upper), None)
                    if x is not None and join.state in {"down", "degraded"}:
                        yield _full_fault(stage, row, join, x) if row.full else _thin_fault(stage, row, join, x, i)


def _full_fault(stage: Stage, row: Row, join: Join, x: float) -> Item:
    """Return the last piece of a cable, down with a cross, on a ground that hides the rail under it."""
    start, end = (x, row.y - APART), (x, row.y + 12)
    look = stroke_of(stage, join)
    shapes = [Line(points=(start, end), stroke="surf", width=8), Line(points=(start, end), **look)]  # type: ignore[arg-type]
    if join.state == "down":
        shapes += [s for s in cross((start, end)) if isinstance(s, Line)]
    return link_item(stage, join, shapes)


def _thin_fault(stage: Stage, row: Row, join: Join, x: float, place: int) -> Item:
    y = row.y + place * THIN + THIN / 2
    return link_item(
        stage, join, (Line(points=((x - 5, y), (x + 5, y)), stroke="alert", width=THIN - 2),), layer="device"
    )


def _rail(
    stage: Stage,
    leaf: str,
    x: float,
    on: tuple[Sequence[Row], Sequence[Row]],
    look: tuple[float, str, float],
    joins: Sequence[Join],
) -> Iterator[Item]:
    """Full strength between rows, faint inside a row where it only passes; ``on`` are its own rows and all on its way."""
    (rows, passed), (top, colour, width) = on, look
    faint = "hair" if stage.muted else colour.replace(".line", ".tint")
    shapes = []
    y = top
    for row in passed:
        bottom = row.y + row.height
        if row not in rows:  # behind a server that it does not belong to
            shapes.append(Line(points=((x, y), (x, row.y)), stroke=colour, width=width))
            shapes.append(Line(points=((x, row.y), (x, bottom)), stroke=faint, width=width))
        elif row.full:
            shapes.append(Line(points=((x, y), (x, row.y + 12)), stroke=colour, width=width))
            if row is not passed[-1]:
                shapes.append(Line(points=((x, row.y + 34), (x, bottom)), stroke=faint, width=width))
        else:
            shapes.append(Line(points=((x, y), (x, bottom)), stroke=colour, width=min(width, 2.5)))
        y = bottom
    item = link_item(stage, joins[0], shapes)
    data = (
        ("source", leaf),
        ("target", "rail"),
        ("kind", joins[0].kind),
        ("links", str(sum(j.links for j in joins))),
        ("bandwidth", f"{sum(j.bandwidth or 0 for j in joins):g}"),
    )
    yield Item(
        role="link",
        layer="link",
        shapes=item.shapes,
        kind=joins[0].kind,
        data=data,
        title=f"{leaf}: {_cables(joins, stage.scope.lang)}",
        of=(leaf, *_passed(stage, passed)),
    )


def _passed(stage: Stage, rows: Sequence[Row]) -> Iterator[str]:
    """What a rail runs behind: the rows, and in a full one the cards on it and the bar of its switches."""
    for row in rows:
        for unit in row.units:
            yield unit.id
            for inner in stage.cast.inner.get(unit.id, ()):
                yield from (u.id for u in inner if u.kind in {"nic", "dpu", "nvswitch"})


def _rail_words(stage: Stage, leaf: str, x: float, y: float, count: int, join: Join, *, named: bool) -> Iterator[Item]:
    colour = stage.tone(join.kind, "text")
    shapes = [*glyphs.plate(x, y, f"{count:,}", colour, ground="bg")]
    rule = stage.rule(join)
    name = stage.text(rule.label if rule else "", unit=stage.unit(leaf), links=join.parts) if named else ""
    left = x + text.width(f"{count:,}", 12) / 2 + 9
    if name and left + text.width(name, 12) < stage.spots[leaf].x + stage.grid.pitch / 2 - 2:
        shapes.append(Text(x=left, y=y + 4.3, content=name, size=12, fill="ink2"))
    yield Item(role="label", layer="label", shapes=tuple(shapes))


def _full(stage: Stage, row: Row) -> Iterator[Item]:
    node = row.units[0]
    left, right = stage.edges
    yield glyphs.enclosure(
        node.id,
        left - 8,
        row.y,
        right - left + 16,
        row.height,
        kind=node.kind,
        tooltip=glyphs.tooltip(node.thing, stage.scope.lang),
        muted=False,
        state=node.thing.state,
    )
    for seat in row.seats:
        yield from _seat(stage, row, seat)
    yield from _fabric(stage, row)


def _seat(stage: Stage, row: Row, seat: Seat) -> Iterator[Item]:
    wide = _card_width(seat)
    x = seat.lanes[0][1]
    dual = len(seat.lanes) > 1
    if seat.card is not None:
        spot_x, w = (seat.x, seat.lanes[-1][1] - x + 24) if dual else (x, wide)
        label = "NIC" if text.width("NIC", 12) + 4 <= w else ""
        fabric = stage.scope.topology.thing(seat.card.id).assembly.ports or ()
        kind = next((p.kind for p in fabric if p.kind in NETWORK), "infiniband")
        yield glyphs.nic(
            seat.card.id,
            spot_x - w / 2,
            row.y + 12,
            w,
            22,
            label,
            fabric=kind,
            muted=stage.muted,
            tooltip=glyphs.tooltip(seat.card.thing, stage.scope.lang),
            state=seat.card.thing.state,
        )
    if seat.gpu is None:
        return
    gpu_left = x + wide / 2 + 5
    gpu_right = min(seat.x + seat.room / 2 - 7, gpu_left + 60)
    label = stage.text(stage.cast.tiers[row.units[0].tier].tiers[0].label or "{index}", unit=seat.gpu)
    if seat.card is not None:
        short = Line(points=((x + wide / 2, row.y + 23), (gpu_left, row.y + 23)), stroke=stage.tone("pcie"), width=2)
        yield _card_to_gpu(stage, seat, short)
    yield glyphs.gpu(
        seat.gpu.id,
        gpu_left,
        row.y + 10,
        gpu_right - gpu_left,
        27,
        label,
        tooltip=glyphs.tooltip(seat.gpu.thing, stage.scope.lang),
        state=seat.gpu.thing.state,
    )


def _card_to_gpu(stage: Stage, seat: Seat, line: Line) -> Item:
    """Return the line from a card to its GPU: a link if they are joined, else a sign that they belong together."""
    ends = {one.id for one in (seat.card, seat.gpu) if one is not None}
    join = next((j for j in stage.cast.joins if {j.upper, j.lower} == ends), None)
    if join is None:
        return Item(role="decor", layer="link", shapes=(line,))
    return link_item(stage, join, (line,))


def _fabric(stage: Stage, row: Row) -> Iterator[Item]:
    """One bar for all NVSwitch chips of the server, a line down to it from every GPU."""
    node = row.units[0]
    strips = [u for inner in stage.cast.inner[node.id] for u in inner if u.form == "strip"]
    gpus = [(s, s.gpu) for s in row.seats if s.gpu is not None]
    if not strips or not gpus:
        return
    strip = strips[0]
    tier = next(t for t in stage.cast.tiers[node.tier].tiers if t.drawn_as == "strip")
    centres = []
    for seat, _gpu in gpus:
        gpu_left = seat.lanes[0][1] + _card_width(seat) / 2 + 5
        centres.append((gpu_left + min(seat.x + seat.room / 2 - 7, gpu_left + 60)) / 2)
    joins = [j for j in stage.cast.joins if strip.id in {j.upper, j.lower}]
    for x, (_, gpu) in zip(centres, gpus, strict=True):
        mine = next((j for j in joins if gpu is not None and gpu.id in {j.upper, j.lower}), None)
        if mine is not None:
            line = Line(
                points=((x, row.y + 37), (x, row.y + 50)),
                stroke=stage.tone(mine.kind),
                width=line_width(mine.bandwidth),
            )
            yield link_item(stage, mine, [line])
    first, last = stage.edges  # the frame of the row is 8 wider on each side
    left, right = max(first - 4, min(s.lanes[0][1] for s, _ in gpus) - 12), min(last + 4, max(centres) + 26)
    label = stage.text(tier.label, unit=strip)
    yield glyphs.nvswitch(strip.id, left, row.y + 50, right - left, 18, "", tooltip=label, muted=stage.muted)
    yield Item(
        role="label",
        layer="label",
        shapes=(
            Text(
                x=(left + right) / 2,
                y=row.y + 63.3,
                content=label,
                size=12,
                anchor="middle",
                fill="ink3" if stage.muted else "nvlink.text",
            ),
        ),
    )


def _thin(stage: Stage, row: Row) -> Iterator[Item]:
    """Equal servers, one thin row each: the ground, a mark per card, a mark per GPU."""
    left, right = stage.edges
    count = min(len(row.units), MOST_THIN)
    ys = tuple(row.y + i * THIN for i in range(count))
    ground = tuple(Box(x=left - 8, y=y, width=right - left + 16, height=THIN - 1.2, fill="surf2") for y in ys)
    data = (("id", row.units[0].id), ("kind", row.units[0].kind), ("count", str(len(row.units))))
    ids = f"{row.units[0].id} … {row.units[-1].id}"
    yield Item(role="node", layer="enclosure", shapes=ground, kind=row.units[0].kind, data=data, title=ids)
    if not row.seats:
        return
    yield Item(role="decor", layer="device", shapes=(*_thin_cards(stage, row, ys), *_thin_gpus(row, ys)))


def _thin_cards(stage: Stage, row: Row, ys: Sequence[float]) -> Iterator[Cells]:
    """Yield the marks of the cards, those of each fabric in its colour."""
    kinds = {end: j.kind for j in stage.cast.joins if j.kind in NETWORK for end in (j.upper, j.lower)}
    wide = min(10.0, _card_width(row.seats[0]) * 0.6)
    places: dict[str, list[float]] = {}
    for seat in row.seats:
        for leaf, x in seat.lanes:
            places.setdefault(kinds.get(leaf, "infiniband"), []).append(x - wide / 2)
    tops = tuple(y + 0.7 for y in ys)
    for fabric, xs in places.items():
        yield Cells(xs=tuple(xs), ys=tops, width=wide, height=THIN - 2.6, fill=stage.tone(fabric))


def _thin_gpus(row: Row, ys: Sequence[float]) -> Iterator[Cells]:
    """Yield the marks of the GPUs, where a card has one beside it."""
    seats = [seat for seat in row.seats if seat.gpu is not None]
    if not seats:
        return
    left = [seat.lanes[0][1] + _card_width(seat) / 2 + 5 for seat in seats]
    room = min(seats[-1].x + seats[-1].room / 2 - 7, left[-1] + 60) - left[-1]
    wide = [min(seat.x + seat.room / 2 - 7, x + 60) - x for seat, x in zip(seats, left, strict=True)]
    xs = tuple(x + one * 0.2 for x, one in zip(left, wide, strict=True))
    yield Cells(xs=xs, ys=tuple(y + 0.9 for y in ys), width=room * 0.6, height=THIN - 3, fill="gpu")


def _label(stage: Stage, row: Row) -> gutter.Label:
    node = row.units[0]
    tier = stage.cast.tiers[node.tier]
    lines = tier.gutter if row.full or len(row.units) == 1 else tier.rest
    if not isinstance(lines, tuple):
        lines = ("{name}", "{title}")
    words = [_many(stage, row, line) for line in lines]
    if _differ(row):  # one number does not run through them, and they need not be wired the same
        words = _sorts(stage, row)
    elif _is_named(node):
        first, last = node.thing.name, row.units[-1].thing.name
        words[0] = first if first == last else stage.text("{first} to {last}", numbers={"first": first, "last": last})
    if len(row.units) > MOST_THIN and not row.full:
        said = {"count": f"{len(row.units):,}", "shown": str(MOST_THIN)}
        words[1:] = [stage.text("{count} servers, {shown} drawn", numbers=said)]
    return gutter.Label(y=row.y + row.height / 2, lines=tuple(words))


def _differ(row: Row) -> bool:
    """Whether the servers of a row are of several groups or parts."""
    return len({(unit.thing.group, id(unit.thing.assembly)) for unit in row.units}) > 1


def _sorts(stage: Stage, row: Row) -> list[str]:
    """Return what a row of different servers holds: ``6 more servers``, ``2 × DGX H100 + 4 × DGX A100``."""
    numbers = {"count": f"{len(row.units):,}"}
    titles = Counter(stage.text("{title}", unit=unit) for unit in row.units)
    return [
        stage.text("{count} more servers", numbers=numbers),
        " + ".join(f"{count:,} × {title}" for title, count in titles.items()),
    ]


def _is_named(unit: Unit) -> bool:
    """Whether a person gave the thing a name of its own, which says more than a number."""
    return unit.thing.index is not None and unit.thing.name != f"{unit.thing.group}{unit.thing.index}"


def _many(stage: Stage, row: Row, line: object) -> str:
    unit = Unit(id=row.units[0].id, things=tuple(u.thing for u in row.units), tier=row.units[0].tier, form="row")
    return stage.text(line, unit=unit)


def _cables(joins: Sequence[Join], lang: str) -> str:
    values = {"count": f"{sum(join.links for join in joins):,}", "link": link_name(joins[0].kind, ())}
    return fill("{count} {link}", values, lang)
