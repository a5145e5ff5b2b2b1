"""How much of a block is drawn: in full, or with less in it where the page has no room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from topoviz.drawing import ordered
from topoviz.drawing.layout import Block
from topoviz.drawing.scope import Scope
from topoviz.drawing.tiers import columns, forest, lines, order
from topoviz.drawing.tiers.cast import BETWEEN_CPUS, HOST, NETWORK, Cast, cast
from topoviz.model.selectors import pick
from topoviz.model.topology import Thing

GUTTER = 136.0  # where the frame begins when there are labels beside it
INSET = 14.0  # from the frame to what is inside
LANE_ROOM = 6.0  # lanes closer than this are joined into one
LESS: tuple[tuple[str, ...], ...] = ((), ("nic", "dpu"), ("nic", "dpu", "pcie"))
NARROWEST = 15.0  # a GPU without a name
CARD_PITCH = 92.0  # a switch and a network card side by side


def readable(block: Block, scope: Scope, roots: Sequence[Thing], width: float, *, merge: bool) -> tuple[Block, Cast]:
    """The block as far as it fits: cards, then switches are left out before GPUs become unreadable."""
    for smaller, players in _all_versions(block, scope, roots, width, merge=merge):
        if _fits(players, smaller, scope, roots, width):
            break
    return smaller, players


def _all_versions(
    block: Block, scope: Scope, roots: Sequence[Thing], width: float, *, merge: bool
) -> Iterator[tuple[Block, Cast]]:
    for kinds in LESS:
        smaller = _without(block, kinds)
        players = cast(smaller, scope, roots, merge=merge)
        if not merge and _too_tight(players, smaller, scope, roots, width):
            players = cast(smaller, scope, roots, merge=True)
        yield smaller, players


def versions(
    block: Block, scope: Scope, roots: Sequence[Thing], width: float, *, merge: bool
) -> Iterator[tuple[Block, Cast]]:
    """Yield what could be drawn and has room, the most detailed first.

    Cards are not left out where a network is drawn: it would hang in the air.
    """
    if sum(_gpus(root) for root in roots) * NARROWEST > width:
        return  # they cannot all stand side by side, so nothing is tried
    for smaller, players in _all_versions(block, scope, roots, width, merge=merge):
        folded = any(u.form == "stack" and u.kind == "gpu" for row in players.units for u in row)
        if _fits(players, smaller, scope, roots, width) and not folded:
            yield smaller, players
        if any(j.kind in NETWORK for j in players.joins):
            return


def without_strangers(block: Block, scope: Scope, roots: Sequence[Thing]) -> Block:
    """Return the block without CPUs that nothing else is joined to: beside a route they would float in the air."""
    players = cast(block, scope, roots, merge=False)
    row_of = {unit.id: number for number, row in enumerate(players.units) for unit in row}
    joined = {
        row_of[end]
        for join in players.joins
        if row_of.get(join.upper) != row_of.get(join.lower)
        for end in (join.upper, join.lower)
        if end in row_of
    }
    strange = any(row[0].kind == "cpu" for number, row in enumerate(players.units) if row and number not in joined)
    return _without(block, ("cpu",)) if strange else block


def _gpus(thing: Thing) -> int:
    return thing.assembly.counts.get("gpu", 0)


def _without(block: Block, kinds: Sequence[str]) -> Block:
    if not kinds:
        return block
    tiers = tuple(t for t in block.tiers if not set(t.show) <= set(kinds))
    tiers = tuple(replace(t, show=tuple(s for s in t.show if s not in kinds)) for t in tiers)
    through = (*block.through, "pcie") if "pcie" in kinds else block.through
    return replace(block, tiers=tiers, through=through, hide=(*block.hide, *(k for k in kinds if k != "pcie")))


def _fits(players: Cast, block: Block, scope: Scope, roots: Sequence[Thing], width: float) -> bool:
    ids, wood, grid = gridded(block, scope, players, roots, width)
    if not ids or not any(players.unit(i).kind == "gpu" for i in ids):
        return True
    cards = any(u.form == "card" and u.kind == "pcie" for row in players.units for u in row)
    own = any(u not in ids for tree in wood.trees for u in tree.columns())
    hubs = sorted(
        (grid.x[u.id], grid.width[u.id], wood.depth.get(u.id, 0))
        for row in players.units
        for u in row
        if u.kind == "pcie" and u.form != "card" and u.id in grid.x
    )
    apart = all(b[0] - a[0] >= (a[1] + b[1]) / 2 + 4 for a, b in zip(hubs, hubs[1:], strict=False) if a[2] == b[2])
    return apart and grid.glyph >= (34.0 if own else NARROWEST) and (not cards or grid.pitch >= CARD_PITCH)


def has_gutter(block: Block, scope: Scope) -> bool:
    """Whether words stand beside the rows."""
    return not scope.compact and block.gutter is not False and any(t.gutter is not False for t in block.tiers)


def _column_ids(block: Block, scope: Scope, players: Cast, roots: Sequence[Thing]) -> tuple[str, ...]:
    """The units that make columns: those the layout names, else the row with the most units."""
    wanted = {t.id for t in pick(scope.topology, roots, block.column_of)} if block.column_of else set()
    for row in players.units:
        found = [u.id for u in row if u.id in wanted and u.form not in {"row", "strip"}]
        if found:
            return tuple(found)
    widest = max(players.units, key=len, default=())
    return tuple(u.id for u in widest)


def edges(block: Block, scope: Scope, width: float) -> tuple[float, float]:
    """Return the left and right end of the rows."""
    if has_gutter(block, scope):
        return GUTTER + INSET, width - INSET
    return (10.0, width - 10.0) if scope.compact else (INSET, width - INSET)


def gridded(
    block: Block, scope: Scope, players: Cast, roots: Sequence[Thing], width: float
) -> tuple[tuple[str, ...], forest.Forest, columns.Grid]:
    """Return the units that make columns, what hangs on what, and where the columns stand."""
    ids = _column_ids(block, scope, players, roots)
    wood = forest.grow(players, ids)
    left, right = edges(block, scope, width)
    trees = order.order(wood.trees, _wishes(players, wood, ids))
    if scope.request.order:
        trees = order.given(trees, ordered.places(scope, roots))
    return ids, replace(wood, trees=trees), columns.grid(players, wood, trees, left, right)


def _wishes(players: Cast, wood: forest.Forest, ids: Sequence[str]) -> order.Wishes:
    units = {u.id: u for row in players.units for u in row}
    members: dict[str, set[str]] = {}
    for join in players.joins:
        if join.kind in HOST:
            continue
        for bar, member in ((join.upper, join.lower), (join.lower, join.upper)):
            if member in ids and bar not in ids and bar in units and units[bar].form != "row":
                members.setdefault(bar, set()).add(member)
    peers = [(j.upper, j.lower) for j in players.joins if j.kind in BETWEEN_CPUS]
    own = [u for tree in wood.trees for u in tree.columns() if u not in ids and u not in wood.vacant]
    direct = [(j.upper, j.lower) for j in lines.direct_joins(players.joins, frozenset(ids))]
    return order.Wishes(
        bars=tuple(frozenset(m) for m in members.values()),
        counted=frozenset(ids),
        peers=tuple(peers),
        direct=tuple(direct),
        cards=frozenset(own),
    )


def _too_tight(players: Cast, block: Block, scope: Scope, roots: Sequence[Thing], width: float) -> bool:
    """Whether lanes of one GPU would stand closer than a reader can tell apart."""
    ids, _, grid = gridded(block, scope, players, roots, width)
    counts: dict[str, int] = {}
    bars = {u.id for row in players.units for u in row if u.form == "bar" and u.id not in ids}
    for join in players.joins:
        for member, other in ((join.upper, join.lower), (join.lower, join.upper)):
            if member in ids and other in bars and join.kind not in HOST:
                counts[member] = counts.get(member, 0) + 1
    most = max(counts.values(), default=0)
    fans = any(rule.drawn_as == "fan" for rule in block.lines)
    return not fans and most > 1 and (grid.glyph - 16) / (most - 1) < LANE_ROOM
