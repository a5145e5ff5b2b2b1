"""Links of a tiers view: host lines, lanes to bars with plates and ports, links between CPUs, stubs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from topoviz.drawing import glyphs, text
from topoviz.drawing.scene import Item, Line, Shape, Text
from topoviz.drawing.tiers import bars, peers
from topoviz.drawing.tiers.cast import HOST, NETWORK, Join
from topoviz.drawing.tiers.columns import HOST_SIDE
from topoviz.drawing.tiers.stack import Spot
from topoviz.drawing.tiers.stage import Stage, line_width, token

PLATE = 16.0
DASHES = {"infiniband": (9.0, 3.0), "ethernet": (2.5, 2.5)}
BEFORE_STUB = 4.0  # a name begins so far left of its stub: clear of the host line beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One vertical line from a member to a bar."""

    join: Join
    member: str
    bar: str
    x: float
    y0: float  # at the member
    y1: float  # at the bar


def draw(stage: Stage) -> tuple[Item, ...]:
    """Return the items of all links of a tiers view that are not fans, rails or routes."""
    items: list[Item] = []
    hosts = [j for j in stage.cast.joins if j.kind in HOST]
    for join in hosts:
        items.extend(_host(stage, join))
    items.extend(link_item(stage, join, shapes) for join, shapes in peers.draw(stage))
    found = lanes(stage)
    items.extend(_lane(stage, lane, crowded=len(found) > 60) for lane in found)
    items.extend(_ports(stage, lane) for lane in found if stage.unit(lane.bar).form != "micro")
    items.extend(_plates(stage, found))
    items.extend(_side_by_side(stage))
    items.extend(_direct(stage))
    items.extend(_stubs(stage))
    return tuple(items)


def link_item(stage: Stage, join: Join, shapes: Sequence[Shape], *, layer: str = "link") -> Item:
    """Return the group of one join, with what the SVG promises about a link."""
    bandwidth = "" if join.bandwidth is None else f"{join.bandwidth:g}"
    data = (
        ("source", join.upper),
        ("target", join.lower),
        ("kind", join.kind),
        ("links", str(join.links)),
        ("bandwidth", bandwidth),
    )
    tip = stage.text("{links} × {link}, {rate}", links=join.parts) if len(join.parts) == 1 else ""
    return Item(
        role="link",
        layer=layer,
        shapes=tuple(shapes),
        kind=join.kind,
        data=data,
        of=(join.upper, join.lower),
        title=f"{join.upper} – {join.lower}" + (f": {tip}" if tip else ""),
    )


def stroke_of(stage: Stage, join: Join, *, bundle: bool = False) -> dict[str, object]:
    """Return stroke, dash and width of a join: cables alone are dashed, bundles and hosts solid."""
    if join.state == "down":
        return {"stroke": "alert", "dash": (4.0, 3.0), "width": 1.5}
    if join.state == "degraded":
        return {"stroke": "alert", "dash": (), "width": line_width(join.bandwidth)}
    dash = () if bundle or join.links > 1 else DASHES.get(join.kind, ())
    return {"stroke": stage.tone(join.kind), "dash": dash, "width": line_width(join.bandwidth)}


def _line(stage: Stage, join: Join, points: Sequence[tuple[float, float]], **more: object) -> Line:
    style = {**stroke_of(stage, join), **more}
    return Line(points=tuple(points), radius=10, **style)  # type: ignore[arg-type]


def _host(stage: Stage, join: Join) -> Iterator[Item]:
    """A vertical line at the child's side; switch to card inside one card: horizontal."""
    upper, lower = stage.spots.get(join.upper), stage.spots.get(join.lower)
    if upper is None or lower is None:
        return
    parents = stage.forest.parents
    child = join.lower if parents.get(join.lower) == join.upper else join.upper
    if parents.get(child) not in {join.upper, join.lower}:
        yield from _second_host(stage, join, upper, lower)
        return
    if abs(upper.y - lower.y) < 1:
        left, right = sorted((upper, lower), key=lambda s: s.x)
        y = upper.y + upper.height / 2
        yield link_item(
            stage, join, [_line(stage, join, ((left.x + left.width / 2, y), (right.x - right.width / 2, y)))]
        )
        return
    if upper.y > lower.y:
        upper, lower = lower, upper
    x = stage.grid.hosts.get(child, stage.spots[child].x)
    if join.kind == "c2c":
        pair: list[Shape] = [_line(stage, join, ((x + d, upper.bottom), (x + d, lower.y)), width=1.6) for d in (-3, 3)]
        rule = stage.rule(join)
        if rule is not None and rule.label:
            words = stage.text(rule.label, links=join.parts)
            pair.append(
                Text(
                    x=x + 9,
                    y=(upper.bottom + lower.y) / 2 + 4,
                    content=words,
                    size=12,
                    fill=stage.tone(join.kind, "text"),
                )
            )
        yield link_item(stage, join, pair)
        return
    shapes: list[Shape] = [_line(stage, join, ((x, upper.bottom), (x, lower.y)))]
    if stage.scope.compact and len(stage.columns) == 1:
        # without a gutter, a lone line says itself what it is
        name = stage.text("{link}", links=join.parts)
        shapes += glyphs.plate(
            x, (upper.bottom + lower.y) / 2, name, stage.tone(join.kind, "text"), ground=stage.ground
        )
    yield link_item(stage, join, shapes)


def _second_host(stage: Stage, join: Join, upper: Spot, lower: Spot) -> Iterator[Item]:
    """A second parent: a track under the host's row, with a port square at both ends."""
    if upper.y > lower.y:
        upper, lower = lower, upper
    x = lower.x + lower.width / 2 - 8
    left, right = upper.x - upper.width / 2 + 8, upper.x + upper.width / 2 - 8
    end = min(max(x, left), right)
    track = upper.bottom + 12
    shapes: list[Shape] = [_line(stage, join, ((end, upper.bottom), (end, track), (x, track), (x, lower.y)))]
    colour = stage.tone(join.kind)
    shapes += [glyphs.port(end, upper.bottom, colour), glyphs.port(x, lower.y, colour)]
    yield link_item(stage, join, shapes)


def lanes(stage: Stage) -> tuple[Lane, ...]:
    """Return the lanes between members and bars: sorted on each member by where the bar is."""
    ends: dict[tuple[str, bool], list[tuple[float, int, str, Join]]] = {}
    order = {u: i for band, _ in stage.stack for i, u in enumerate(v for row in band.rows for v in row)}
    for join in stage.cast.joins:
        if join.kind in HOST or join.upper not in stage.spots or join.lower not in stage.spots:
            continue
        member, bar = _ends(stage, join)
        if not bar or abs(stage.spots[bar].y - stage.spots[member].y) < 1:
            continue
        up = stage.spots[bar].y < stage.spots[member].y
        ends.setdefault((member, up), []).append((round(stage.spots[bar].x, 1), order.get(bar, 0), bar, join))
    out: list[Lane] = []
    for (member, up), found in ends.items():
        spot = stage.spots[member]
        found.sort(key=lambda e: e[:3])
        for offset, (_, _, bar, join) in zip(_offsets(stage, member, len(found)), found, strict=True):
            target = stage.spots[bar]
            y0, y1 = (spot.y, target.bottom) if up else (spot.bottom, target.y)
            out.append(Lane(join=join, member=member, bar=bar, x=spot.x + offset, y0=y0, y1=y1))
    return tuple(out)


def _ends(stage: Stage, join: Join) -> tuple[str, str]:
    """Which end is the bar: the one in a band of bars; of two bars the one farther from the columns."""
    kinds = {u.id: band for band, _ in stage.stack if band.form == "bars" for u in band.units}
    upper, lower = join.upper in kinds, join.lower in kinds
    if upper and lower:
        return (join.lower, join.upper) if kinds[join.upper].up else (join.upper, join.lower)
    if upper:
        return join.lower, join.upper
    return (join.upper, join.lower) if lower else ("", "")


def _offsets(stage: Stage, member: str, count: int) -> tuple[float, ...]:
    spot = stage.spots[member]
    if member in stage.grid.x and stage.unit(member).kind in {"nic", "dpu"} and member not in stage.forest.guests:
        step = 6.0
        return tuple(HOST_SIDE + (i - (count - 1) / 2) * step for i in range(count))
    wide = spot.width if member in stage.columns or member in stage.grid.x else min(spot.width, 16 + 24.0 * (count - 1))
    return bars.lanes(wide, count)


def _lane(stage: Stage, lane: Lane, *, crowded: bool) -> Item:
    trunk = _is_trunk(stage, lane)
    style = stroke_of(stage, lane.join, bundle=trunk)
    if trunk:
        style["width"] = min(float(style["width"]), 3.0)  # type: ignore[arg-type]
    if crowded:
        style["width"] = min(float(style["width"]), 4.0)  # type: ignore[arg-type]
    xs = _trunk_xs(stage, lane) if trunk else (lane.x,)
    styles = [style] * len(xs)
    if trunk and lane.join.state == "degraded":  # of many cables some are down or slower: one line says so
        whole = {**style, "stroke": stage.tone(lane.join.kind)}
        styles = [*([whole] * (len(xs) - 1)), {**style, "dash": (4.0, 3.0)}]
    lines = [Line(points=((x, lane.y0), (x, lane.y1)), **one) for x, one in zip(xs, styles, strict=True)]  # type: ignore[arg-type]
    item = link_item(stage, lane.join, lines)
    passed = {"bars", "host", "hub"} if lane.join.kind in NETWORK else {"bars"}  # the way up leads behind the hosts
    bars_passed = tuple(u.id for band, _ in stage.stack if band.form in passed for u in band.units)
    return Item(
        role=item.role,
        layer=item.layer,
        shapes=item.shapes,
        kind=item.kind,
        data=item.data,
        title=item.title,
        of=(*item.of, *bars_passed),
    )


def _is_trunk(stage: Stage, lane: Lane) -> bool:
    """Whether one of the ends stands for many things, so that the line stands for many cables."""
    member = stage.unit(lane.member)
    return stage.unit(lane.bar).form == "strip" and (
        member.form == "strip" or (stage.grid.blocks and member.form != "box")
    )


def _trunk_xs(stage: Stage, lane: Lane) -> tuple[float, ...]:
    """Two joined tiers: a few lines side by side stand for all cables between them."""
    columns = sorted(stage.spots[c].x for c in stage.columns if c in stage.spots)
    a, b = stage.spots[lane.member], stage.spots[lane.bar]
    narrow = a if a.width <= b.width else b
    inside = tuple(x for x in columns if abs(x - narrow.x) < narrow.width / 2)
    if 2 <= len(inside) <= 12 and stage.unit(lane.member).form == "strip":
        return inside
    wide, count = narrow.width * 0.8, 8 if narrow.width > 120 else 4
    return tuple(narrow.x - wide / 2 + wide * (i + 0.5) / count for i in range(count))


def _ports(stage: Stage, lane: Lane) -> Item:
    if stage.unit(lane.bar).form == "strip":
        return Item(role="decor", layer="link", shapes=())
    colour = "alert" if lane.join.state == "down" else stage.tone(lane.join.kind)
    return Item(role="decor", layer="device", shapes=(glyphs.port(lane.x, lane.y1, colour),), of=(lane.bar,))


def _plates(stage: Stage, found: Sequence[Lane]) -> Iterator[Item]:
    """The counts of bundles, at a common height for all members of a row."""
    rows: dict[tuple[float, bool], list[Lane]] = {}
    for lane in found:
        rows.setdefault((lane.y0, lane.y1 < lane.y0), []).append(lane)
    for (y0, up), row in rows.items():
        nearest = max(lane.y1 for lane in row) if up else min(lane.y1 for lane in row)
        y = (y0 + nearest) / 2 if stage.scope.compact or abs(nearest - y0) < 50 else y0 + (-24 if up else 24)
        yield from _row_plates(stage, row, y)


def _row_plates(stage: Stage, row: Sequence[Lane], y: float) -> Iterator[Item]:
    if all(lane.join.links == 1 for lane in row):
        return
    strips = all(stage.unit(lane.bar).form == "strip" for lane in row)
    members = {lane.member: [other for other in row if other.member == lane.member] for lane in row}
    texts = {id(lane): _plate_text(stage, lane, whole=strips) for lane in row}
    widest = max(text.width(t, 12) + 6 for t in texts.values())
    xs = sorted(lane.x for lane in row)
    closest = min((b - a for a, b in zip(xs, xs[1:], strict=False)), default=1000.0)
    shown = stage.tone(row[0].join.kind, "text")
    if stage.unit(row[0].member).form == "strip":
        return
    if widest <= closest - 3 or len(row) == 1:
        for lane in row:
            if lane.join.links > 1 or any(o.join.links > 1 for o in row):
                yield _label(glyphs.plate(lane.x, y, texts[id(lane)], shown, ground=stage.ground))
        return
    sums = {sum(lane.join.links for lane in lanes_of) for lanes_of in members.values()}
    if len(sums) == 1 and len(members) > 1:
        yield _label(
            glyphs.plate(
                _middle(xs),
                y,
                stage.text("×{links} each", numbers={"links": f"{sums.pop():,}"}),
                shown,
                ground=stage.ground,
            )
        )
        return
    for lanes_of in members.values():
        middle = sum(lane.x for lane in lanes_of) / len(lanes_of)
        total = sum(lane.join.links for lane in lanes_of)
        yield _label(glyphs.plate(middle, y, f"×{total}", shown, ground=stage.ground))


def _middle(xs: Sequence[float]) -> float:
    """The middle of the row, moved onto a lane or between two so that no lane is covered by half."""
    return (xs[0] + xs[-1]) / 2


def _plate_text(stage: Stage, lane: Lane, *, whole: bool) -> str:
    rule = stage.rule(lane.join)
    template = (rule.plate if rule else "") or stage.block.plate
    if whole:
        return f"×{lane.join.links:,}"
    return stage.text(template, links=lane.join.parts) if template else f"{lane.join.links:,}"


def _label(shapes: Sequence[Shape]) -> Item:
    return Item(role="label", layer="label", shapes=tuple(shapes))


def direct_joins(stage_joins: Sequence[Join], columns: frozenset[str]) -> tuple[Join, ...]:
    """Return the joins between two columns: GPU to GPU without a switch."""
    return tuple(j for j in stage_joins if j.upper in columns and j.lower in columns and j.kind not in HOST)


def _side_by_side(stage: Stage) -> Iterator[Item]:
    """Bars of one row that are joined to each other: a line between their ends with its count."""
    bars_here = {u.id for band, _ in stage.stack if band.form == "bars" for u in band.units}
    for join in stage.cast.joins:
        if join.upper not in bars_here or join.lower not in bars_here:
            continue
        a, b = sorted((stage.spots[join.upper], stage.spots[join.lower]), key=lambda s: s.x)
        x0, x1, y = a.x + a.width / 2, b.x - b.width / 2, a.y + a.height / 2
        if abs(a.y - b.y) > 1 or x1 <= x0:
            continue
        shapes: list[Shape] = [_line(stage, join, ((x0, y), (x1, y)))]
        count = f"×{join.links:,}"
        if text.width(count, 12) + 10 <= x1 - x0:
            shapes += glyphs.plate((x0 + x1) / 2, y, count, stage.tone(join.kind, "text"), ground=stage.ground)
        yield link_item(stage, join, shapes)


MOST_ARCS = 6  # direct links past a neighbour: more of them are a tangle


def tangled(joins: Sequence[Join], spots: Mapping[str, Spot]) -> bool:
    """Return whether direct links are too many to be drawn as arcs; a matrix shows them better."""
    xs = sorted({spots[end].x for j in joins for end in (j.upper, j.lower)})
    arcs = [
        j
        for j in joins
        if any(min(spots[j.upper].x, spots[j.lower].x) < x < max(spots[j.upper].x, spots[j.lower].x) for x in xs)
    ]
    return len(arcs) > MOST_ARCS


def _direct(stage: Stage) -> Iterator[Item]:
    """GPU to GPU: straight between neighbours, else arcs under the row, nested by length."""
    xs = sorted(stage.spots[c].x for c in stage.columns if c in stage.spots)
    depth = 0
    joins = [
        j for j in direct_joins(stage.cast.joins, stage.columns) if j.upper in stage.spots and j.lower in stage.spots
    ]
    if tangled(joins, stage.spots):
        return
    for join in sorted(joins, key=lambda j: abs(stage.spots[j.upper].x - stage.spots[j.lower].x)):
        a, b = sorted((stage.spots[join.upper], stage.spots[join.lower]), key=lambda s: s.x)
        colour = stage.tone(join.kind, "text")
        count = f"{join.links}" if join.links > 1 else ""
        if not any(a.x < x < b.x for x in xs):
            y = a.y + a.height / 2
            x0, x1 = a.x + a.width / 2, b.x - b.width / 2
            shapes: list[Shape] = [_line(stage, join, ((x0, y), (x1, y)))]
            if count and x1 - x0 >= text.width(count, 12) + 12:
                shapes += glyphs.plate((x0 + x1) / 2, y, count, colour, ground=stage.ground)
            yield link_item(stage, join, shapes)
            continue
        y = a.bottom + 18 + 12 * depth
        inset = 6 + 4 * (depth % 3)
        depth += 1
        x0, x1 = a.x + inset, b.x - inset
        arc: list[Shape] = [_line(stage, join, ((x0, a.bottom), (x0, y), (x1, y), (x1, b.bottom)))]
        if count:
            arc += glyphs.plate((x0 + x1) / 2, y, count, colour, ground=stage.ground)
        yield link_item(stage, join, arc)


def _stubs(stage: Stage) -> Iterator[Item]:
    """Lines that leave the picture: arrows up, with the name of what they lead to where all names fit."""
    if stage.scope.compact:
        return
    found = [(u, kind) for u, kind in stage.cast.ports.items() if u in stage.spots]
    words = {u: _stub_words(stage, u, kind) for u, kind in found}
    fit = all(words.values())
    for unit_id, kind in found:
        spot, unit = stage.spots[unit_id], stage.unit(unit_id)
        own = _own_column(stage, unit_id)
        x = spot.x + (HOST_SIDE if own else 0)
        rates = [p.rate.line for p in unit.thing.assembly.ports or () if p.kind == kind and p.rate.line]
        line = Line(
            points=((x, spot.y - 2), (x, spot.y - 30)),
            stroke=stage.tone(kind),
            width=line_width(rates[0] if rates else None),
            dash=() if stage.muted else DASHES.get(kind, ()),
            end="arrow",
            tip=9,
        )
        yield Item(role="decor", layer="link", shapes=(line,), kind=kind, of=(unit_id,))
        if fit:
            at, anchor = (x - BEFORE_STUB, "start") if own else (x, "middle")  # clear of the host line beside it
            yield _label(
                (
                    Text(
                        x=at,
                        y=spot.y - 36,
                        content=words[unit_id],
                        size=12,
                        anchor=anchor,
                        fill=stage.tone(kind, "text"),
                    ),
                )
            )


def _own_column(stage: Stage, unit_id: str) -> bool:
    return unit_id not in stage.forest.guests and unit_id in stage.grid.x and unit_id not in stage.columns


def _stub_words(stage: Stage, unit_id: str, kind: str) -> str:
    """The name of a stub, its number alone where the name is too wide, or nothing."""
    rule = next((r for r in stage.block.lines if kind in r.kind and (r.drawn_as == "stub" or not r.between)), None)
    label = stage.text((rule.label if rule else "") or "{gbit}", unit=stage.unit(unit_id))
    if _own_column(stage, unit_id):
        start = stage.spots[unit_id].x + HOST_SIDE - BEFORE_STUB
        return label if text.width(label, 12) <= _free_right(stage, unit_id) - start else ""
    room = stage.grid.pitch - 6
    number = label.rsplit(" ", 1)[-1]
    fitting = [word for word in (label, number) if text.width(word, 12) <= room and (word is label or word.isdigit())]
    return fitting[0] if fitting else ""


def _free_right(stage: Stage, unit_id: str) -> float:
    """How far a label may reach to the right of a network card: to the next line, or the frame."""
    here = stage.spots[unit_id].x
    lines_ = [x for column, x in stage.grid.hosts.items() if x > here and column in stage.grid.x]
    return min([stage.edges[1] + 10, *lines_]) - 6


def network(kind: str) -> bool:
    """Return whether links of this kind leave the server."""
    return kind in NETWORK


__all__ = ["Lane", "direct_joins", "draw", "lanes", "link_item", "network", "stroke_of", "token"]
