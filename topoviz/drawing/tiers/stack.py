"""The heights: tiers from top to bottom, with room for the lines and labels between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from topoviz.drawing.tiers import bars
from topoviz.drawing.tiers.cast import HOST, Cast, Unit
from topoviz.drawing.tiers.columns import Grid
from topoviz.drawing.tiers.forest import Forest, rank

LABEL_PITCH = 36.0  # two lines of a gutter label and the space to the next
HANG = 62.0  # from a host's lower edge to a network card that hangs under it
NIC_HEIGHT = 28.0
DENSE = 70.0  # apart; what is denser gets bars that stand closer together


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One row of glyphs, or several rows of bars; ``rows`` from top to bottom."""

    form: str  # host hub card above column bars micro cards
    tier: int
    units: tuple[Unit, ...]
    height: float
    rows: tuple[tuple[str, ...], ...] = ()
    pitch: float = 0
    up: bool = False  # bars whose members stand below them
    hanging: tuple[Unit, ...] = ()  # network cards under this host


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a unit stands: centre, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.y + self.height


def bands(cast: Cast, forest: Forest, grid: Grid, column_ids: Sequence[str], *, compact: bool) -> tuple[Band, ...]:
    """Return the bands from top to bottom, before they have a place."""
    out: list[Band] = []
    for index, row in enumerate(cast.units):
        if row:
            out.extend(_bands(index, row, cast, forest, grid, frozenset(column_ids), compact=compact))
    return tuple(_hang_cards(out, cast, forest, grid))


def _bands(
    index: int,
    row: Sequence[Unit],
    cast: Cast,
    forest: Forest,
    grid: Grid,
    columns: frozenset[str],
    *,
    compact: bool,
) -> list[Band]:
    tier = cast.tiers[index]
    if tier.tiers and tier.drawn_as == "card":
        return [Band(form="cards", tier=index, units=tuple(row), height=36)]
    if row[0].form in {"micro", "stack"}:
        return [Band(form="micro", tier=index, units=tuple(row), height=_block_height(row[0]))]
    if any(u.id in columns for u in row):
        wide = grid.glyph >= 36
        small = 26.0 if compact else 30.0
        height = 80.0 if lone(row) else 32.0 if row[0].kind == "switch" else 42.0 if wide else small
        return [Band(form="column", tier=index, units=tuple(row), height=height)]
    if any(u.form == "card" and u.kind in {"nic", "pcie"} for u in row):
        several = any(grid.width.get(u.id, 0) > 40 and u.kind == "pcie" for u in row)
        return [Band(form="card", tier=index, units=tuple(row), height=82 if several else 40)]
    if row[0].kind in {"cpu", "pcie"} and any(u.id in grid.x for u in row):
        return _hosts(index, row, forest, grid)
    cards = tuple(u for u in row if u.id in forest.guests)
    if cards:
        return [Band(form="above", tier=index, units=cards, height=NIC_HEIGHT)]
    if all(u.id in grid.x for u in row):
        return []  # network cards with columns of their own: they hang under their hosts
    return _bar_band(index, row, cast, grid, columns, compact=compact)


def _block_height(unit: Unit) -> float:
    """A container drawn small, a block of thin rows, or a stack with nothing but its number."""
    if unit.form == "micro":
        return 132.0
    return 200.0 if unit.kind == "node" and len(unit.things) <= 64 else 96.0


def lone(row: Sequence[Unit]) -> bool:
    """Return whether a row of columns is one GPU, which is drawn large with its memory beside it."""
    return len(row) == 1 and row[0].kind == "gpu"


def _hosts(index: int, row: Sequence[Unit], forest: Forest, grid: Grid) -> list[Band]:
    """CPUs all in one row, switches in a row for each depth."""
    placed = [u for u in row if u.id in grid.x]
    if row[0].kind == "cpu":
        return [Band(form="host", tier=index, units=tuple(placed), height=36)]
    depths = sorted({forest.depth.get(u.id, 1) for u in placed})
    return [
        Band(form="hub", tier=index, units=tuple(u for u in placed if forest.depth.get(u.id, 1) == d), height=28)
        for d in depths
    ]


def _bar_band(
    index: int,
    row: Sequence[Unit],
    cast: Cast,
    grid: Grid,
    columns: frozenset[str],
    *,
    compact: bool,
) -> list[Band]:
    members = {u.id: _members(u.id, cast) for u in row}
    up = sum(1 for u in row for m in members[u.id] if cast.unit(m).tier > index) * 2 > sum(
        len(m) for m in members.values()
    )
    spans = [s for u in row if (s := _span(u, members[u.id], grid, columns)) is not None]
    found = bars.rows(spans, up=up, clear=min((_clear(_apart(span.at)) for span in spans), default=bars.CLEAR))
    loose = tuple(u.id for u in row if u.id not in {s.id for s in spans})
    rows = (*(reversed(found) if up else found), *((loose,) if loose else ()))
    strip = row[0].form == "strip"
    high = (42.0 if compact else 30.0) if strip else 24.0
    pitch = high + 14 if len(rows) < 4 else high + 10
    units = tuple(replace(u) for u in row)
    return [
        Band(form="bars", tier=index, units=units, height=pitch * (len(rows) - 1) + high, rows=rows, pitch=pitch, up=up)
    ]


def _members(unit_id: str, cast: Cast) -> tuple[str, ...]:
    found = [
        j.lower if j.upper == unit_id else j.upper
        for j in cast.joins
        if unit_id in {j.upper, j.lower} and j.kind not in HOST
    ]
    return tuple(dict.fromkeys(found))


def _span(unit: Unit, members: Sequence[str], grid: Grid, columns: frozenset[str]) -> bars.Span | None:
    at = [m for m in members if m in grid.x]
    if not at:
        return None
    least = min(22.0, 0.62 * grid.pitch)
    reach = {m: max(grid.width[m] / 2 + 4, least) if m in columns else grid.width[m] / 2 + 8 for m in at}
    apart = _apart([grid.x[m] for m in at])
    if apart < DENSE:  # neighbours that share no column stay in one row
        reach = {m: min(far, (apart - _clear(apart)) / 2 - 0.5) for m, far in reach.items()}
    if grid.blocks:
        reach = dict.fromkeys(at, (grid.pitch - bars.CLEAR - 2) / 2)
    return bars.Span(
        id=unit.id,
        left=min(grid.x[m] - reach[m] for m in at),
        right=max(grid.x[m] + reach[m] for m in at),
        at=tuple(grid.x[m] for m in at),
        name=rank(unit),
    )


def _apart(places: Sequence[float]) -> float:
    """The least distance between two places; endless if there is only one."""
    found = sorted(places)
    return min((b - a for a, b in zip(found, found[1:], strict=False)), default=inf)


def _clear(apart: float) -> float:
    """The room between two bars in one row: less where what they join is dense."""
    return min(bars.CLEAR, 0.3 * apart)


def span_of(unit: Unit, cast: Cast, grid: Grid, columns: frozenset[str]) -> tuple[float, float] | None:
    """Return the left and right edge of a bar, or None if it reaches nothing that stands in a column."""
    span = _span(unit, _members(unit.id, cast), grid, columns)
    return (span.left, span.right) if span else None


def _hang_cards(out: list[Band], cast: Cast, forest: Forest, grid: Grid) -> list[Band]:
    """Attach network cards with columns of their own to the band of the host they hang on."""
    band_of = {u.id: i for i, band in enumerate(out) for u in band.units}
    for row in cast.units:
        for unit in row:
            host = forest.parents.get(unit.id)
            if unit.id in band_of or unit.id not in grid.x or host not in band_of:
                continue
            band = out[band_of[host]]
            out[band_of[host]] = replace(band, hanging=(*band.hanging, unit))
    return out


def gap(upper: Band | None, lower: Band, labels: int, *, stubs: bool, plates: bool, compact: bool) -> float:
    """Return the space above ``lower``: what the lines, plates, stubs and gutter labels between need."""
    if upper is None:
        return 60.0 if lower.form == "above" and stubs and not compact else 14.0
    base = _base(upper, lower, stubs=stubs, plates=plates, compact=compact)
    if compact:
        return base
    need = LABEL_PITCH * (labels + 1) + 2 - (min(upper.height, 44) + min(lower.height, 44)) / 2
    if upper.form == "bars" and upper.height > 44:
        need = LABEL_PITCH * labels + 22
    return max(base, need if labels else 0)


def _base(upper: Band, lower: Band, *, stubs: bool, plates: bool, compact: bool) -> float:
    if upper.hanging and lower.form != "hub":
        return HANG + NIC_HEIGHT + 16
    if lower.form == "card":
        return 70.0 if stubs else 44.0
    if upper.form == "card":
        return 36.0
    if upper.form == "above":
        return 24.0
    if lower.form == "bars" and upper.form == "bars":
        return 46.0 if plates else 30.0
    if lower.form == "bars" or upper.form == "bars":
        return 54.0 if plates else 40.0
    if lower.form == "cards":
        return 110.0
    return 52.0 if compact else 64.0


def spots(
    stack: Sequence[tuple[Band, float]],
    cast: Cast,
    forest: Forest,
    grid: Grid,
    columns: frozenset[str],
    edges: tuple[float, float],
) -> Mapping[str, Spot]:
    """Return the place of every unit; ``stack`` are the bands with their tops, ``edges`` the inner frame."""
    out: dict[str, Spot] = {}
    for band, top in stack:
        if band.form == "bars":
            out.update(_bar_spots(band, top, cast, grid, columns, edges))
        elif band.form == "micro" and band.units[0].id in grid.x:
            narrow = min(grid.pitch * 0.94, 72.0) if band.units[0].kind == "rack" else grid.pitch * 0.92
            cards = {u.id: grid.width[u.id] for u in band.units if u.kind in {"nic", "dpu"} and u.id not in columns}
            out.update(
                {
                    u.id: Spot(x=grid.x[u.id], y=top, width=cards.get(u.id, narrow), height=band.height)
                    for u in band.units
                }
            )
        elif band.form in {"cards", "micro"}:
            out.update(_even(band, top, edges))
        elif band.form == "card":
            out.update(_card_spots(band, top, forest, grid))
        else:
            for unit in band.units:
                out[unit.id] = Spot(x=grid.x[unit.id], y=top, width=grid.width[unit.id], height=band.height)
        for unit in band.hanging:
            out[unit.id] = Spot(
                x=grid.x[unit.id], y=top + band.height + HANG, width=grid.width[unit.id], height=NIC_HEIGHT
            )
    return out


def _bar_spots(
    band: Band,
    top: float,
    cast: Cast,
    grid: Grid,
    columns: frozenset[str],
    edges: tuple[float, float],
) -> dict[str, Spot]:
    out: dict[str, Spot] = {}
    high = band.height - band.pitch * (len(band.rows) - 1)
    units = {u.id: u for u in band.units}
    for i, row in enumerate(band.rows):
        y = top + i * band.pitch
        loose = [u for u in row if span_of(units[u], cast, grid, columns) is None]
        for unit_id in row:
            span = span_of(units[unit_id], cast, grid, columns)
            if span is None:
                step = (edges[1] - edges[0]) / len(loose)
                middle = edges[0] + (loose.index(unit_id) + 0.5) * step
                span = (middle - step * 0.48, middle + step * 0.48)
            out[unit_id] = Spot(x=(span[0] + span[1]) / 2, y=y, width=span[1] - span[0], height=high)
    return out


def _even(band: Band, top: float, edges: tuple[float, float]) -> dict[str, Spot]:
    step = (edges[1] - edges[0]) / len(band.units)
    narrow = min(step * 0.94, 72.0) if band.form == "micro" else step * 0.9
    return {
        unit.id: Spot(x=edges[0] + (i + 0.5) * step, y=top, width=narrow, height=band.height)
        for i, unit in enumerate(band.units)
    }


def _card_spots(band: Band, top: float, forest: Forest, grid: Grid) -> dict[str, Spot]:
    """One column: switch and card side by side. Several: cards above, the switch as a bar under them."""
    out: dict[str, Spot] = {}
    tall = band.height > 40
    for unit in band.units:
        if unit.id not in grid.x:
            continue
        host = forest.parents.get(unit.id, "")
        wide = grid.width.get(unit.id if unit.kind == "pcie" else host, 36) > 40
        y = top + 6 if not tall or (unit.kind != "pcie" and wide) else top + band.height - 34
        out[unit.id] = Spot(x=grid.x[unit.id], y=y, width=grid.width[unit.id], height=NIC_HEIGHT)
    return out
