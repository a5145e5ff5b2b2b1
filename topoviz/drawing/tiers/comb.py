"""All links of one GPU as a comb: one line to a bus, one drop to every card with the number of its links."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from topoviz.drawing import glyphs
from topoviz.drawing.scene import Item, Line
from topoviz.drawing.tiers.cast import Join
from topoviz.drawing.tiers.lines import link_item
from topoviz.drawing.tiers.stage import Stage

ABOVE = 44.0  # from the bus down to the cards: a drop, its number, a drop
THICK, THIN = 5.0, 3.5


def card_of(join: Join, cards: Collection[str]) -> str:
    """Return the card in which a link ends, or nothing."""
    return next((card for card in cards if f"{join.lower}/".startswith(f"{card}/")), "")


def draw(stage: Stage, source: str, joins: Sequence[Join], plate: str) -> Iterator[Item]:
    """Return the comb of one GPU: its line with the number of all links, the bus, the drops with their numbers.

        [GPU 1]
           ┃ ×36
        ┏━━┻━━┳━━━━━┳━━━━━┓
        4     4     4     4

    It takes the room between the enclosure and the cards.
    """
    cards = [unit.id for row in stage.cast.units for unit in row if unit.id in stage.cast.inner and unit.form == "card"]
    below = {card: [join for join in joins if card_of(join, cards) == card] for card in cards}
    drops = [(card, stage.spots[card], mine) for card, mine in below.items() if mine]
    gpu = stage.spots[source]
    bus = min(spot.y for _, spot, _ in drops) - ABOVE
    tone, ink = stage.tone(joins[0].kind), stage.tone(joins[0].kind, "text")
    total = sum(join.links for join in joins)
    ends = [spot.x for _, spot, _ in drops] + [gpu.x]
    trunk = (
        Line(points=((gpu.x, gpu.bottom), (gpu.x, bus)), stroke=tone, width=THICK),
        Line(points=((min(ends) - THIN / 2, bus), (max(ends) + THIN / 2, bus)), stroke=tone, width=THICK),
    )
    yield Item(role="decor", layer="link", shapes=trunk, of=(source,))
    words = plate.replace("{links}", f"{total:,}")
    # within the enclosure, as the numbers of the other GPUs
    shapes = [*glyphs.plate(gpu.x, gpu.bottom + 26, words, ink, ground=stage.ground)]
    for card, spot, mine in drops:
        drop = Line(points=((spot.x, bus), (spot.x, spot.y)), stroke=tone, width=THIN)
        yield link_item(stage, _together(mine, card), [drop])
        shapes.extend(glyphs.plate(spot.x, bus + ABOVE / 2, f"{sum(join.links for join in mine):,}", ink, ground="bg"))
    yield Item(role="label", layer="label", shapes=tuple(shapes))


def _together(joins: Sequence[Join], card: str) -> Join:
    """Return all links of a GPU to one card as one join."""
    rates = [join.bandwidth for join in joins if join.bandwidth is not None]
    return replace(
        joins[0],
        lower=card,
        links=sum(join.links for join in joins),
        bandwidth=sum(rates) if len(rates) == len(joins) else None,
        parts=tuple(part for join in joins for part in join.parts),
    )
