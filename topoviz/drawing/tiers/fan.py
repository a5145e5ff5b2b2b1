"""All links of one GPU as curves to every chip; the other GPUs get a stub with their number.

Above 24 curves nobody can follow one: then a comb, one line to a bus and a drop to every card
with the number of its links.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topoviz.drawing import glyphs
from topoviz.drawing.scene import Item, Line
from topoviz.drawing.tiers import comb
from topoviz.drawing.tiers.cast import Join, Unit
from topoviz.drawing.tiers.lines import link_item
from topoviz.drawing.tiers.stack import Spot
from topoviz.drawing.tiers.stage import Stage

MOST_CURVES = 24
ABREAST = 2  # chips of a card beside each other; more stand in two rows


def draw(stage: Stage) -> tuple[Item, ...]:
    """Return cards with their chips, the fan of the one, and the stubs of the rest."""
    rule = next((r for r in stage.block.lines if r.drawn_as == "fan"), None)
    chips = dict(_chips(stage))
    items = [item for card in _opened(stage) for item in _card(stage, card, chips)]
    if rule is None:
        return tuple(items)
    joins = [j for j in stage.cast.joins if j.kind in rule.kind and (j.upper in chips or j.lower in chips)]
    sources = list(dict.fromkeys(j.upper if j.lower in chips else j.lower for j in joins))
    one = next((s for s in sources if s.rsplit("/", 1)[-1] == rule.one), sources[0] if sources else "")
    for source in sources:
        mine = [j for j in joins if source in {j.upper, j.lower}]
        if source == one and len(mine) <= MOST_CURVES:
            items.extend(_curves(stage, source, mine, chips))
        elif source == one and _combed(stage, mine):
            items.extend(comb.draw(stage, source, mine, str(rule.plate or "×{links}")))
        else:
            items.extend(_stub(stage, source, mine, str(rule.plate or "×{links}")))
    return tuple(items)


def _opened(stage: Stage) -> list[Unit]:
    return [u for row in stage.cast.units for u in row if u.id in stage.cast.inner and u.form == "card"]


def _combed(stage: Stage, joins: list[Join]) -> bool:
    """Return whether every link ends in a card below, so that a bus over the cards can stand for the curves."""
    cards = {unit.id for unit in _opened(stage)}
    return len(cards) > 1 and all(comb.card_of(join, cards) for join in joins)


def _chips(stage: Stage) -> Iterator[tuple[str, Spot]]:
    """Chips side by side in their card."""
    for card in _opened(stage):
        spot = stage.spots[card.id]
        inside = [u for row in stage.cast.inner[card.id] for u in row]
        across = len(inside) if len(inside) <= ABREAST else -(-len(inside) // 2)
        step = (spot.width - 4) / across
        wide, high = min(step - 2, 24.0), 21 if across == len(inside) else (spot.height - 6) / 2
        for i, unit in enumerate(inside):
            x = spot.x - spot.width / 2 + 2 + (i % across + 0.5) * step
            top = spot.y + spot.height / 2 - 10.5 if across == len(inside) else spot.y + 2 + (i // across) * (high + 2)
            yield unit.id, Spot(x=x, y=top, width=wide, height=high)


def _card(stage: Stage, card: Unit, chips: dict[str, Spot]) -> Iterator[Item]:
    spot = stage.spots[card.id]
    item = glyphs.card(
        card.id,
        spot.x - spot.width / 2,
        spot.y,
        spot.width,
        spot.height,
        kind=card.kind,
        tooltip=glyphs.tooltip(card.thing, stage.scope.lang),
        muted=stage.muted,
    )
    yield replace(item, layer="enclosure")
    for row in stage.cast.inner[card.id]:
        for unit in row:
            chip = chips[unit.id]
            yield glyphs.nvswitch(
                unit.id,
                chip.x - chip.width / 2,
                chip.y,
                chip.width,
                chip.height,
                tooltip=glyphs.tooltip(unit.thing, stage.scope.lang),
                muted=stage.muted,
            )


def _curves(stage: Stage, source: str, joins: list[Join], chips: dict[str, Spot]) -> Iterator[Item]:
    """Each curve leaves the GPU vertically, spreads, and enters its chip vertically."""
    spot = stage.spots[source]
    ends = sorted(joins, key=lambda j: chips[j.lower if j.lower in chips else j.upper].x)
    step = (spot.width - 12) / max(len(ends) - 1, 1)
    for i, join in enumerate(ends):
        chip = chips[join.lower if join.lower in chips else join.upper]
        x0, y0 = spot.x - (spot.width - 12) / 2 + i * step, spot.bottom
        x1, y1 = chip.x, chip.y
        # the outer curves turn later, so that neighbours do not cross
        bend = 0.42 + 0.16 * abs(2 * i / max(len(ends) - 1, 1) - 1)
        points = ((x0, y0), (x0, y0 + (y1 - y0) * (1 - bend) + 10), (x1, y1 - (y1 - y0) * bend), (x1, y1))
        yield link_item(stage, join, [Line(points=points, curve=True, stroke=stage.tone(join.kind), width=2)])


def _stub(stage: Stage, source: str, joins: list[Join], plate: str) -> Iterator[Item]:
    spot = stage.spots[source]
    total = sum(j.links for j in joins)
    line = Line(points=((spot.x, spot.bottom), (spot.x, spot.bottom + 16)), stroke="ghost", width=5)
    words = plate.replace("{links}", f"{total:,}")
    yield Item(role="decor", layer="link", shapes=(line,), of=(source,))
    yield Item(
        role="label", layer="label", shapes=glyphs.plate(spot.x, spot.bottom + 26, words, "ink2", ground=stage.ground)
    )
