"""Where each column stands and how wide its glyph may be; then everything that follows from the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from topoviz.drawing import text
from topoviz.drawing.tiers.cast import NETWORK, Cast, Unit
from topoviz.drawing.tiers.forest import Forest, Tree

WIDEST_PITCH = 150.0  # few columns are not drawn farther apart than this
WIDEST_GLYPH = 96.0
BETWEEN_GROUPS = 40.0  # room for the CPU-CPU link where columns of two CPUs meet
CARD_NIC = 22.0  # in a card: switch left of the column's middle, network card right of it
OF_THE_PAGE = 0.62  # so much of the width goes at most to columns that are no GPUs
NARROWEST_CARD = 50.0
BESIDE = 8.0  # a card's column is wider than its glyph
MOST_NAMED = 84.0  # so wide a switch with one link gets for the sake of its name
STACK = 148.0  # the column of many network cards drawn as one
HOST_SIDE = 11.0  # on a network card with a column of its own: host link left, network right


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Centres and widths (u) of all units that hang on columns; ``hosts`` is the x of the line to the host."""

    x: Mapping[str, float]
    width: Mapping[str, float]
    hosts: Mapping[str, float]
    pitch: float
    glyph: float  # width of a column's glyph
    blocks: bool = False  # columns are blocks of many servers
    cards: frozenset[str] = frozenset()  # columns that are not as wide as a GPU


def grid(cast: Cast, forest: Forest, trees: Sequence[Tree], left: float, right: float, *, shrunk: bool = False) -> Grid:
    """Return the grid between two edges: columns first, then guests, hosts and cards.

    ::

        |<- outer ->|  gpu  |  gpu nic |<- gap ->|  gpu ...
    """
    units = {unit.id: unit for row in cast.units for unit in row}
    groups = _groups(trees, units)
    narrow = {c: units[c] for g in groups for c in g if _is_card(units[c]) and c not in forest.vacant}
    count = sum(1 for g in groups for c in g if c not in narrow)
    cards = _shares(narrow, (right - left) * OF_THE_PAGE)
    owners = {_owner(units[g[0]]) for g in groups}
    gap = BETWEEN_GROUPS if (cards or len(owners) > 1) and len(groups) > 1 and not _marks(units) else 0.0
    free = right - left - gap * (len(groups) - 1) - sum(cards.values())
    blocks = _marks(units)
    pitch = (free / count if blocks else min(WIDEST_PITCH, free / count)) if count else 0.0
    used = pitch * count + sum(cards.values()) + gap * (len(groups) - 1)
    at = left + (right - left - used) / 2
    x: dict[str, float] = {}
    for group in groups:
        for column in group:
            step = cards.get(column, pitch)
            x[column] = at + step / 2
            at += step
        at += gap
    glyph = _glyph_width(x, cards, pitch)
    out = max((glyph / 2 + 4 - (x[c] - left) for c in x if c not in cards), default=0.0)
    if out > 4 and not shrunk:
        # a GPU may be wider than its column where a network card stands beside it
        return grid(cast, forest, trees, left + out, right - max(0.0, min(out, 8.0)), shrunk=True)
    if any(u.form == "row" for u in units.values()) and pitch > 130:
        glyph = pitch - 20  # several rails leave one leaf, side by side
    width = {c: (min(_nic_glyph(units[c]), _card_room(c, x, cards)) if c in cards else glyph) for c in x}
    many = any(u.form in {"micro", "stack"} and u.kind != "rack" for u in units.values())
    return _hang(
        cast,
        forest,
        Grid(x=x, width=width, hosts={}, pitch=pitch or 48, glyph=glyph, blocks=many, cards=frozenset(cards)),
        trees,
    )


def _card_room(column: str, x: Mapping[str, float], cards: Mapping[str, float]) -> float:
    """Return how wide a card may be: beside a GPU, which stands in another row, a little wider than its column."""
    nearest = min((abs(x[other] - x[column]) for other in cards if other != column), default=cards[column])
    return max(cards[column] - BESIDE, min(nearest - BESIDE, cards[column] + BESIDE))


def _groups(trees: Sequence[Tree], units: Mapping[str, Unit]) -> list[tuple[str, ...]]:
    """Columns that stand close together: those of one host, and loose ones of one container."""
    out: list[tuple[str, ...]] = []
    loose = ""
    for tree in trees:
        columns = tree.columns()
        if not columns:
            continue
        owner = _owner(units[columns[0]]) if tree.column else ""
        if tree.column and out and loose == f"in {owner}":
            out[-1] = (*out[-1], *columns)
        else:
            out.append(columns)
        loose = f"in {owner}" if tree.column else ""
    return out


def _marks(units: Mapping[str, Unit]) -> bool:
    """Whether columns are blocks or rails, which may stand as far apart as the page allows."""
    return any(u.form in {"micro", "stack", "row"} for u in units.values())


def _owner(unit: Unit) -> str:
    return unit.thing.parent.id if unit.thing.parent is not None else ""


def _is_card(unit: Unit) -> bool:
    """Whether a column is not as wide as a GPU: a network card, or a host on which nothing hangs."""
    return unit.kind in {"nic", "dpu", "cpu", "pcie"}


def _shares(cards: Mapping[str, Unit], room: float) -> dict[str, float]:
    """The widths of columns that are no GPUs: as wide as their names, narrower where they would take the whole page."""
    wishes = {c: _card_width(unit) for c, unit in cards.items()}
    if sum(wishes.values()) <= room:
        return wishes
    widest = max((w for w in wishes.values() if sum(min(w, o) for o in wishes.values()) <= room), default=0.0)
    return {c: min(w, max(widest, room / len(wishes), NARROWEST_CARD)) for c, w in wishes.items()}


def _card_width(unit: Unit) -> float:
    if unit.form == "stack":
        return STACK
    if unit.kind in {"cpu", "pcie"}:
        return _nic_glyph(unit) + 16
    return max(56.0, text.width(unit.thing.name, 12) + 18)


def _nic_glyph(unit: Unit) -> float:
    if unit.form == "stack":
        return STACK - 2 * BESIDE
    if unit.kind in {"cpu", "pcie"}:
        return max(72.0, text.width(unit.thing.name, 13, bold=True) + 24)
    return max(40.0, text.width(unit.thing.name, 12) + 10)


def _glyph_width(x: Mapping[str, float], cards: Mapping[str, float], pitch: float) -> float:
    """A GPU may use the room under a network card, which stands in another row."""
    centres = sorted(at for column, at in x.items() if column not in cards)
    nearest = min((b - a for a, b in zip(centres, centres[1:], strict=False)), default=pitch)
    side = 20.0 if nearest >= 90 else max(3.0, 0.2 * nearest)
    return max(2.0, min(WIDEST_GLYPH, nearest - side))


def _hang(cast: Cast, forest: Forest, base: Grid, trees: Sequence[Tree]) -> Grid:
    x, width, hosts = dict(base.x), dict(base.width), dict(base.x)
    units = {unit.id: unit for row in cast.units for unit in row}
    for column in base.x:
        if units[column].kind in {"nic", "dpu"}:
            hosts[column] = base.x[column] - HOST_SIDE
    carded = [u.id for row in cast.units for u in row if u.form == "card" and u.kind == "pcie"]
    carried = set(forest.parents.values())
    cards = [u.id for row in cast.units for u in row if u.form == "card" and u.kind == "nic" and u.id in carried]
    for unit_id, column in forest.guests.items():
        in_card = units[unit_id].form == "card"
        single = in_card and _columns_of(forest.parents[unit_id], trees) == (column,)
        mates = [g for g, c in forest.guests.items() if c == column and units[g].form == units[unit_id].form]
        step = base.pitch / len(mates)
        aside = CARD_NIC if in_card else (mates.index(unit_id) - (len(mates) - 1) / 2) * step
        x[unit_id] = base.x[column] + aside
        width[unit_id] = 40.0 if in_card else min(0.75 * base.glyph, 72.0, step - 8)
        hosts[unit_id] = x[unit_id]
        if single:
            hosts[column] = base.x[column] - CARD_NIC
    for hub in carded:
        columns = _columns_of(hub, trees)
        if len(columns) == 1:
            hosts[columns[0]] = base.x[columns[0]] - CARD_NIC
            x[hub], width[hub] = hosts[columns[0]], 36.0
    for card in cards:  # a network card with a PCIe switch inside: its GPU hangs on it
        columns = _columns_of(card, trees)
        if len(columns) == 1:
            x[card], width[card] = base.x[columns[0]], min(0.9 * base.glyph, 56.0)
    _spans(trees, units, base, x, width, hosts, forest)
    return replace(base, x=x, width=width, hosts=hosts)


def _columns_of(unit_id: str, trees: Sequence[Tree]) -> tuple[str, ...]:
    for tree in trees:
        if tree.id == unit_id:
            return tree.columns()
        found = _columns_of(unit_id, tree.children)
        if found:
            return found
    return ()


def _spans(
    trees: Sequence[Tree],
    units: Mapping[str, Unit],
    base: Grid,
    x: dict[str, float],
    width: dict[str, float],
    hosts: dict[str, float],
    forest: Forest,
) -> None:
    """Switches from their first to their last link, CPUs over all their columns; from the leaves up."""
    in_cards: dict[str, list[str]] = {}
    for card in forest.guests:
        if units[card].form == "card":
            in_cards.setdefault(forest.parents[card], []).append(card)

    def visit(tree: Tree) -> None:
        for child in tree.children:
            visit(child)
        if tree.column or tree.id in x:
            return
        hanging = (*(c.id for c in tree.children), *in_cards.get(tree.id, ()))
        lines = [hosts[c] for c in hanging if c in hosts]
        unit = units[tree.id]
        if unit.kind == "pcie" and lines:
            side = min(16.0, 0.36 * base.pitch)
            first, last = min(lines) - side, max(lines) + side
            named = (
                min(text.width(unit.thing.name, 12) + 24, max(MOST_NAMED, 0.9 * base.pitch)) if len(lines) == 1 else 0
            )
            wide = max(40.0, last - first, named)
            x[tree.id], width[tree.id] = (first + last) / 2, wide
        elif unit.kind == "cpu" and tree.columns():
            left, right = _edges(tree, units, base, hosts)
            x[tree.id], width[tree.id] = (left + right) / 2, right - left
        hosts.setdefault(tree.id, x.get(tree.id, 0.0))

    for tree in trees:
        visit(tree)
    _trim([t.id for t in trees if units[t.id].kind == "cpu" and t.id in x], base, x, width)


def _edges(tree: Tree, units: Mapping[str, Unit], base: Grid, hosts: Mapping[str, float]) -> tuple[float, float]:
    """A CPU reaches from its first column to its last, but leaves the way up free for a last network card."""
    columns = tree.columns()
    first, last = columns[0], columns[-1]
    left = base.x[first] - max(base.width[first] / 2 + 2, min(18.0, 0.6 * base.pitch))
    right = base.x[last] + max(base.width[last] / 2 + 2, min(18.0, 0.6 * base.pitch))
    if (
        last in base.cards
        and units[last].kind in {"nic", "dpu"}
        and any(p.kind in NETWORK for p in units[last].thing.assembly.ports or ())
    ):
        right = max(hosts[last] + 14, left + 72)
    return left, right


def _trim(cpus: Sequence[str], base: Grid, x: dict[str, float], width: dict[str, float]) -> None:
    """Leave a gap between neighbouring CPUs, for the link between them."""
    wish = 36.0 if base.pitch >= 80 else max(6.0, 0.4 * base.pitch)
    for a, b in zip(cpus, cpus[1:], strict=False):
        right, left = x[a] + width[a] / 2, x[b] - width[b] / 2
        lack = wish - (left - right)
        if lack > 0:
            for cpu, side in ((a, -1), (b, 1)):
                x[cpu] += side * lack / 4
                width[cpu] -= lack / 2
