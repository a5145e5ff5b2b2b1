"""Rows from top to bottom, links as lanes between them, labels in a gutter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from topoviz.drawing import glyphs, preliminary, text
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.compose import NOTHING
from topoviz.drawing.layout import Block, LineRule
from topoviz.drawing.scene import Box, Drawing, Item, Text
from topoviz.drawing.scope import Scope, in_place
from topoviz.drawing.sound import flaws
from topoviz.drawing.tiers import (
    columns,
    detail,
    fan,
    gutter,
    lines,
    paint,
    peers,
    route,
    rows,
    stack,
    versions,
)
from topoviz.drawing.tiers.cast import HOST, NETWORK, Cast, Join, Unit
from topoviz.drawing.tiers.stack import Band
from topoviz.drawing.tiers.stage import Stage, token
from topoviz.drawing.view_by_name import view
from topoviz.model.selectors import pick
from topoviz.model.topology import Link, Route, Thing

MOST_HOPS = 16  # of a route over hosts that is drawn in place
KEYS: Mapping[str, str] = MappingProxyType(
    {
        "columns": "what makes a column",
        "frame": "`here` for one enclosure round everything, or the tiers inside it",
        "tiers": "the rows, from top to bottom",
        "lines": "which links are drawn, and how",
        "route": "`in-place` draws the highlighted route in the picture, `over-hosts` only one over PCIe and CPUs",
        "otherwise": "the view that draws it where no version of this one is without a flaw",
    }
)


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:
    """Return the tiers of a block, ``width`` wide; with ``height`` the gaps grow until it ends there. Empty without any."""
    roots = _roots(block, scope)
    routes = _in_place(block, scope)
    block = detail.applied(versions.without_strangers(block, scope, roots) if routes else block, scope, roots)
    other = str(block.options.get("otherwise", ""))
    if not other:
        block, players = versions.readable(block, scope, roots, width, merge=scope.compact or bool(routes))
        if not any(players.units):
            return NOTHING
        return _drawing(block, scope, players, roots, routes, width, height)
    return _soundest(block, scope, roots, routes, width, height, other)


def _in_place(block: Block, scope: Scope) -> Sequence[Route]:
    """Return the routes that are drawn in the picture; over hosts one at most, and not under the colours of loads."""
    wish, routes = block.options.get("route"), in_place(scope)
    if wish == "over-hosts":
        hops = routes[0].hops if len(routes) == 1 and not scope.request.overlay else ()
        return routes if 0 < len(hops) <= MOST_HOPS and all(hop.kind in HOST and hop.via for hop in hops) else ()
    return routes if wish == "in-place" else ()


def _soundest(
    block: Block,
    scope: Scope,
    roots: Sequence[Thing],
    routes: Sequence[Route],
    width: float,
    height: float | None,
    other: str,
) -> Drawing:
    """Return the first drawing without a flaw: in full, with less in it, by another view; else the least flawed."""
    tried: list[tuple[int, Drawing]] = []
    for smaller, players in versions.versions(block, scope, roots, width, merge=scope.compact or bool(routes)):
        drawing = _drawing(smaller, scope, players, roots, routes, width, height)
        tried.append((flaws(drawing), drawing))
        if not tried[-1][0]:
            return drawing
    drawing = view(other)(block, scope, width, height)
    tried.append((flaws(drawing), drawing))
    return min(tried, key=lambda one: one[0])[1]


def _drawing(
    block: Block,
    scope: Scope,
    players: Cast,
    roots: Sequence[Thing],
    routes: Sequence[Route],
    width: float,
    height: float | None,
) -> Drawing:
    stage, end, labels, extra = _build(block, scope, players, roots, routes, width, height)
    items = [*_frames(stage, end), *lines.draw(stage), *paint.draw(stage), *fan.draw(stage), *extra]
    way = route.draw(stage, routes)
    items = [*route.making_way(items, way), *way]
    if versions.has_gutter(block, scope):
        items.extend(gutter.draw(labels, 16, end - 16))
    return Drawing(width=width, height=end, items=tuple(items), notes=_notes(stage, scope.roots))


def _roots(block: Block, scope: Scope) -> tuple[Thing, ...]:
    """What a block shows: all of a list of selectors, the first of one that finds several."""
    if not block.of:
        return scope.roots
    found = pick(scope.topology, scope.roots, block.of)
    if not found:
        return scope.roots
    return found[:1] if len(block.of) == 1 else found


def _build(
    block: Block,
    scope: Scope,
    players: Cast,
    roots: Sequence[Thing],
    routes: Sequence[Route],
    width: float,
    height: float | None,
) -> tuple[Stage, float, list[gutter.Label], tuple[Item, ...]]:
    ids, wood, grid = versions.gridded(block, scope, players, roots, width)
    row_units = tuple(u for row in players.units for u in row if u.form == "row")
    standing = replace(players, units=tuple(tuple(u for u in row if u.form != "row") for row in players.units))
    bands = [b for b in stack.bands(standing, wood, grid, ids, compact=scope.compact) if b.units]
    bands = [_for_route(b, routes, grid) for b in bands]
    placed, bottom = _heights(
        block, scope, players, bands, height, direct=_direct_depth(players, ids), over=peers.room(players, grid.x)
    )
    spots = stack.spots(placed, players, wood, grid, frozenset(ids), versions.edges(block, scope, width))
    stage = Stage(
        block=block,
        scope=scope,
        cast=players,
        forest=wood,
        grid=grid,
        columns=frozenset(ids),
        stack=placed,
        spots=spots,
        edges=versions.edges(block, scope, width),
        muted=bool(routes),
        ground="surf" if block.frame else "bg",
    )
    labels = _labels(stage)
    extra: tuple[Item, ...] = ()
    if row_units:
        extra, bottom, more = rows.draw(stage, row_units, placed[-1][1] + placed[-1][0].height if placed else 0.0)
        labels.extend(_rail_labels(stage, placed))
        labels.extend(more)
        labels.sort(key=lambda label: label.y)
    return stage, bottom, labels, extra


def _for_route(band: Band, routes: Sequence[Route], grid: columns.Grid) -> Band:
    """A strip that a route runs through is tall enough for two tracks."""
    if any(u.kind in {"cpu", "pcie"} for u in band.units):
        return replace(band, height=route.host_height(routes, [u.id for u in band.units], band.height))
    if not routes or band.form != "bars" or band.up or not any(u.kind == "nvswitch" for u in band.units):
        return band
    return replace(band, height=route.bar_height(routes, grid.x, grid.glyph))


def _direct_depth(players: Cast, ids: Sequence[str]) -> int:
    return len(lines.direct_joins(players.joins, frozenset(ids)))


def _heights(
    block: Block,
    scope: Scope,
    players: Cast,
    bands: Sequence[Band],
    height: float | None,
    *,
    direct: int,
    over: float,
) -> tuple[tuple[tuple[Band, float], ...], float]:
    """Tops of the bands and the lower end; a wished height stretches the gaps evenly."""
    gaps = [
        stack.gap(
            bands[i - 1] if i else None,
            band,
            _labels_in(block, players, bands, i),
            stubs=_stubs(players, band),
            plates=_plates(players, bands, i),
            compact=scope.compact,
        )
        for i, band in enumerate(bands)
    ]
    if 0 < direct <= 2 * lines.MOST_ARCS:
        gaps = [g + 12 * min(direct, 6) if i and bands[i - 1].form == "column" else g for i, g in enumerate(gaps)]
    gaps[0:1] = [gaps[0] + over] if gaps else []
    framed = bool(block.frame)
    lone = bool(bands) and bands[-1].form == "column" and stack.lone(bands[-1].units)
    end = (16.0 if framed else 4.0) + (16.0 if lone else 0)
    if not framed:
        gaps[0:1] = [max(0.0, gaps[0] - 14)] if gaps else []
    natural = sum(gaps) + sum(b.height for b in bands) + end
    if height is not None and height > natural and len(bands) > 1:
        share = (height - natural) / (len(bands) - 1)
        gaps = [gaps[0], *(g + share for g in gaps[1:])]
    tops, y, hung = [], 0.0, 0.0
    for band, gap in zip(bands, gaps, strict=True):
        y = max(y + gap, hung + 16) if band.form == "column" else y + gap
        hung = max(hung, y + band.height + stack.HANG + stack.NIC_HEIGHT) if band.hanging else hung
        tops.append((band, y))
        y += band.height
    hanging = max((t + b.height + stack.HANG + stack.NIC_HEIGHT for b, t in tops if b.hanging), default=0.0)
    arcs = (
        max(24.0, 12.0 * min(direct, lines.MOST_ARCS) + 14) if direct and bands and bands[-1].form == "column" else 0.0
    )
    return tuple(tops), max(y + arcs, hanging) + end


def _rules_at(block: Block, players: Cast, bands: Sequence[Band], i: int) -> list[tuple[LineRule, list[Join]]]:
    """The line entries whose label belongs into the gap above band ``i``: the first gap that they cross."""
    if i == 0:
        return []
    level = {u.id: k for k, band in enumerate(bands) for u in (*band.units, *band.hanging)}
    out: list[tuple[LineRule, list[Join]]] = []
    for rule in block.lines:
        joins = [j for j in players.joins if j.kind in rule.kind and players.rule(j) is rule]
        first = min(
            (
                min(level[j.upper], level[j.lower])
                for j in joins
                if j.upper in level and j.lower in level and level[j.upper] != level[j.lower]
            ),
            default=None,
        )
        hangs = any(j.lower in level and j.upper in level and level[j.upper] == level[j.lower] for j in joins)
        if first is None and hangs:
            continue
        if first == i - 1:
            out.append((rule, joins))
    return out


def _labels_in(block: Block, players: Cast, bands: Sequence[Band], i: int) -> int:
    found = sum(1 for rule, _ in _rules_at(block, players, bands, i) if rule.gutter is not False)
    return found + (1 if _stub_rule(block, players, bands[i]) else 0)


def _stub_rule(block: Block, players: Cast, band: Band) -> LineRule | None:
    units = [u.id for u in (*band.units, *band.hanging)]
    kinds = {players.ports[u] for u in units if u in players.ports}
    return next((r for r in block.lines if r.gutter and kinds & set(r.kind)), None)


def _stubs(players: Cast, band: Band) -> bool:
    return any(u.id in players.ports for u in (*band.units, *band.hanging))


def _plates(players: Cast, bands: Sequence[Band], i: int) -> bool:
    if not i:
        return False
    upper = {u.id for u in bands[i - 1].units}
    lower = {u.id for u in bands[i].units}
    return any(j.links > 1 for j in players.joins if {j.upper, j.lower} & upper and {j.upper, j.lower} & lower)


def _labels(stage: Stage) -> list[gutter.Label]:
    """Gutter labels from top to bottom: a band's own, and before it those of the lines above it."""
    out: list[gutter.Label] = []
    bands = [band for band, _ in stage.stack]
    seen: set[int] = set()
    for i, (band, top) in enumerate(stage.stack):
        above = stage.stack[i - 1][1] + stage.stack[i - 1][0].height if i else 0.0
        found: list[tuple[tuple[str, ...], str]] = []
        for rule, joins in _rules_at(stage.block, stage.cast, bands, i):
            words = _line_words(stage, rule, joins)
            if words:
                found.append((words, _hot(stage, joins)))
        stub = _stub_rule(stage.block, stage.cast, band)
        if stub is not None and isinstance(stub.gutter, tuple):
            units = [u for u in (*band.units, *band.hanging) if u.id in stage.cast.ports]
            things = Unit(id="", things=tuple(u.thing for u in units), tier=band.tier, form="box")
            found.append(
                (tuple(stage.text(line, unit=things) for line in stub.gutter), stage.tone(stub.kind[0], "text"))
            )
        step = (top - above) / (len(found) + 1) if found else 0
        out.extend(
            gutter.Label(
                y=above + step * (k + 1), lines=words, token=colour, quiet=stage.muted and not colour.endswith(".text")
            )
            for k, (words, colour) in enumerate(found)
        )
        if band.tier not in seen:
            seen.add(band.tier)
            words = _tier_words(stage, band)
            if words:
                quiet = stage.muted and band.form != "column"
                out.append(gutter.Label(y=top + band.height / 2, lines=words, quiet=quiet))
        out.extend(_hanging_labels(stage, band, top, seen))
        out.extend(_direct_labels(stage, band, top))
    return sorted(out, key=lambda label: label.y)


def _hot(stage: Stage, joins: Sequence[Join]) -> str:
    """The label of the links that a route runs over keeps the colour of their kind; it warns where a route should not."""
    hops = [hop for found in stage.scope.findings.routes for hop in found.hops if hop.kind == joins[0].kind]
    if stage.muted and hops:
        return "alert" if all(hop.past for hop in hops) else token(joins[0].kind, "text")
    return stage.tone(joins[0].kind, "text")


def _direct_labels(stage: Stage, band: Band, top: float) -> list[gutter.Label]:
    """The label of links that run from column to column, under the row of columns."""
    direct = [j for j in lines.direct_joins(stage.cast.joins, stage.columns) if {j.upper, j.lower} <= set(stage.spots)]
    if band.form != "column" or not direct or lines.tangled(direct, stage.spots):
        return []
    rule = stage.cast.rule(direct[0])
    words = _line_words(stage, rule, direct) if rule is not None else ()
    colour = _hot(stage, direct)
    return [gutter.Label(y=top + band.height + 22, lines=words, token=colour, quiet=stage.muted)] if words else []


def _hanging_labels(stage: Stage, band: Band, top: float, seen: set[int]) -> list[gutter.Label]:
    """The label of network cards that hang under a host, beside the first of them."""
    out: list[gutter.Label] = []
    for unit in band.hanging:
        tier = stage.cast.tiers[unit.tier]
        if unit.tier in seen or tier.gutter is False:
            continue
        seen.add(unit.tier)
        things = Unit(
            id="", things=tuple(t for u in stage.cast.units[unit.tier] for t in u.things), tier=unit.tier, form="box"
        )
        wired = all(any(p.kind in NETWORK for p in t.assembly.ports or ()) for t in things.things)
        lines_ = tier.gutter if isinstance(tier.gutter, tuple) else ("{count} NICs", *(("{gbit}",) if wired else ()))
        y = top + band.height + stack.HANG + stack.NIC_HEIGHT / 2
        out.append(gutter.Label(y=y, lines=tuple(stage.text(line, unit=things) for line in lines_), quiet=stage.muted))
    return out


def _rail_labels(stage: Stage, placed: Sequence[tuple[Band, float]]) -> list[gutter.Label]:
    """The label of the rails, which stand below the last band."""
    if not placed:
        return []
    bottom = placed[-1][1] + placed[-1][0].height
    for rule in stage.block.lines:
        joins = [
            j
            for j in stage.cast.joins
            if stage.cast.rule(j) is rule
            and j.kind in NETWORK
            and j.upper in stage.columns
            and j.lower not in stage.spots
        ]
        if joins and rule.gutter:
            words = _line_words(stage, rule, joins)
            return [
                gutter.Label(y=bottom + 24, lines=words, token=stage.tone(joins[0].kind, "text"), quiet=stage.muted)
            ]
    return []


DEFAULT_LINES = {"host": ("{link}", "{rate}"), "lanes": ("{link}, {each} links", "{rate}")}


def _line_words(stage: Stage, rule: LineRule, joins: Sequence[Join]) -> tuple[str, ...]:
    if rule.gutter is False or not joins:
        return ()
    lines_ = (
        rule.gutter
        if isinstance(rule.gutter, tuple)
        else DEFAULT_LINES["host" if joins[0].kind in (*HOST, *NETWORK) else "lanes"]
    )
    links = tuple(part for join in _meant(rule, joins, lines_) for part in join.parts)
    members = [u for row in stage.cast.units for u in row if u.id in stage.columns]
    things = Unit(id="", things=tuple(t for u in members for t in u.things), tier=0, form="box") if members else None
    if joins[0].kind in NETWORK and not rule.gutter:
        things = None  # a cable, not what a GPU has
    numbers = _rate_of_a_line(stage, rule, joins)
    words = tuple(stage.text(line, unit=things, links=links, numbers=numbers) for line in lines_)
    return (_brief(words[0], links), *words[1:])


def _rate_of_a_line(stage: Stage, rule: LineRule, joins: Sequence[Join]) -> Mapping[str, str]:
    """Return what the lines beside the label carry, from the slowest to the fastest, where each stands for itself.

    A GPU has one line to its host and may share the next, so what a GPU has is not what every line carries.
    """
    known = [join.bandwidth for join in joins if join.bandwidth is not None]
    alone = joins[0].kind in HOST or (joins[0].kind in NETWORK and not rule.gutter)
    if not alone or not known:
        return {}
    return {"rate": Bandwidth(low=min(known), high=max(known)).text(stage.scope.lang)}


def _brief(words: str, links: Sequence[Link]) -> str:
    """A name that is too long for the gutter because links differ: what their names have in common."""
    names = sorted({link.link for link in links})
    if len(names) < 2 or text.width(words, 13, bold=True) <= gutter.ROOM:
        return words
    first = {name.split(" ")[0] for name in names}
    return first.pop() if len(first) == 1 else words


def _meant(rule: LineRule, joins: Sequence[Join], words: Sequence[object]) -> Sequence[Join]:
    """The links that a label speaks of: all of them for ``{each}``, else those of one line of the picture."""
    if joins[0].kind in NETWORK and not rule.gutter and len({j.bandwidth for j in joins}) == 1:
        return joins[:1]
    if not any("{links}" in str(line) for line in words) or any("{each}" in str(line) for line in words):
        return joins
    if rule.drawn_as == "beads":
        return [j for j in joins if j.upper == joins[0].upper]
    if rule.drawn_as == "trunks":
        return joins
    return joins[:1] if len({j.links for j in joins}) == 1 else joins


DEFAULT_TIERS = {
    "cpu": ("{count} CPUs",),
    "gpu": ("{count} GPUs",),
    "nic": ("{count} NICs",),
    "pcie": ("{count} PCIe switches",),
    "nvswitch": ("{count} NVSwitches",),
    "switch": ("{count} switches",),
    "dpu": ("{count} DPUs",),
}


def _tier_words(stage: Stage, band: Band) -> tuple[str, ...]:
    tier = stage.cast.tiers[band.tier]
    if tier.gutter is False or not band.units:
        return ()
    units = [u for u in stage.cast.units[band.tier] if u.form != "row"]
    things = Unit(id="", things=tuple(t for u in units for t in u.things), tier=band.tier, form="box")
    if isinstance(tier.gutter, tuple):
        return tuple(stage.text(line, unit=things) for line in tier.gutter)
    kinds = {t.kind for t in things.things}
    lines_ = DEFAULT_TIERS.get(things.kind, ("{count} × {title}",)) if len(kinds) == 1 else ("{count} devices",)
    words = [stage.text(line, unit=things) for line in lines_]
    same = len({(t.part, str(t.title)) for t in things.things}) == 1 and things.thing.title
    title = stage.text("{title}", unit=things) if same else ""
    return (*words, *((title,) if title and title.casefold() not in words[0].casefold() else ()))


def _frames(stage: Stage, end: float) -> tuple[Item, ...]:
    """The enclosure: round everything, round some tiers, or one round each container of columns."""
    if not stage.block.frame or not stage.stack:
        return ()
    apart = _containers(stage)
    if apart:
        return tuple(item for owner, units in apart.items() for item in _own_frame(stage, owner, units))
    left, right = stage.edges[0] - versions.INSET, stage.edges[1] + versions.INSET
    if stage.scope.compact:
        left, right = 0.5, stage.edges[1] + 9.5
    top, bottom = 0.5, end - 0.5
    if stage.block.frame != ("here",):
        names = set(stage.block.frame)
        inside = [(b, t) for b, t in stage.stack if names & {u.kind for u in b.units}]
        if inside:
            bottom = inside[-1][1] + inside[-1][0].height + 44
    owner = stage.scope.roots[0]
    item = glyphs.enclosure(
        owner.id,
        left,
        top,
        right - left,
        bottom - top,
        kind=owner.kind or "node",
        tooltip=glyphs.tooltip(owner, stage.scope.lang),
    )
    ink, dash = preliminary.outline(owner)
    boxes = tuple(
        replace(shape, stroke=ink, dash=dash) if dash else shape for shape in item.shapes if isinstance(shape, Box)
    )
    return (replace(item, role="node" if owner.id else "decor", shapes=boxes),)


def _containers(stage: Stage) -> dict[str, list[str]]:
    """Units by the container that holds them, if columns stand in more than one."""
    owners: dict[str, list[str]] = {}
    for unit_id in stage.spots:
        parent = stage.unit(unit_id).thing.parent
        if parent is not None and parent.parent is not None:
            owners.setdefault(parent.id, []).append(unit_id)
    with_columns = [o for o, units in owners.items() if any(u in stage.columns for u in units)]
    return {o: owners[o] for o in with_columns} if len(with_columns) > 1 else {}


def _own_frame(stage: Stage, owner: str, units: Sequence[str]) -> tuple[Item, ...]:
    """One container round its units, with its name below them."""
    spots = [stage.spots[u] for u in units]
    left, right = min(s.x - s.width / 2 for s in spots) - 12, max(s.x + s.width / 2 for s in spots) + 12
    top, bottom = min(s.y for s in spots) - 12, max(s.bottom for s in spots) + 26
    thing = stage.scope.topology.thing(owner)
    item = glyphs.enclosure(
        owner,
        left,
        top,
        right - left,
        bottom - top,
        kind=thing.kind,
        muted=stage.muted,
        tooltip=glyphs.tooltip(thing, stage.scope.lang),
    )
    name = Text(
        x=(left + right) / 2,
        y=bottom - 9,
        content=text.fit(thing.name, right - left - 8, 12)[0],
        size=12,
        anchor="middle",
        fill="ink2",
    )
    return (item, Item(role="label", layer="label", shapes=(name,)))


def _notes(stage: Stage, roots: Sequence[Thing]) -> tuple[str, ...]:
    """What is drawn as one, and what is there and not drawn; in the language of the picture."""
    out: list[str] = []
    for row in stage.cast.units:
        for unit in row:
            if unit.form == "strip" and len(unit.things) > 1 and not stage.cast.tiers[unit.tier].over:
                out.append(stage.text(MERGED.get(unit.kind, "{count} × {title}"), unit=unit))
    shown = {t.id for row in stage.cast.units for u in row for t in u.things}
    shown |= {t.id for group in stage.cast.inner.values() for row in group for u in row for t in u.things}
    kinds = {t.kind for row in stage.cast.units for u in row for t in u.things}
    kinds |= {t.kind for group in stage.cast.inner.values() for row in group for u in row for t in u.things}
    if any(u.form in {"micro", "stack", "row"} for row in stage.cast.units for u in row):
        kinds |= {"gpu"}  # as marks
    if any(u.kind == "rack" for row in stage.cast.units for u in row):
        kinds |= {"nvswitch"}  # as the tinted part of each rack
    for kind, words in DEFAULT_TIERS.items():
        found = () if kind in kinds else pick(stage.scope.topology, roots, (kind,))
        if found:
            things = Unit(id="", things=tuple(found), tier=0, form="box")
            out.append(LEFT_OUT + stage.text(words[0], unit=things))
    direct = lines.direct_joins(stage.cast.joins, stage.columns)
    if lines.tangled([j for j in direct if {j.upper, j.lower} <= set(stage.spots)], stage.spots):
        out.append(LEFT_OUT + stage.text("{links} × {link}", links=[part for j in direct for part in j.parts]))
    return tuple(out)


LEFT_OUT = "left-out: "
MERGED = {"nvswitch": "{count} NVSwitch chips"}


__all__ = ["KEYS", "draw", "token"]
