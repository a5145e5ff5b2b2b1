"""Rings over several boxes: a channel for each network card, which stays on its rail from box to box.

As NCCL makes them: channel c enters a box at the GPU beside card c, walks all GPUs and leaves beside the
card that it shares a pair with (c xor 1); every second box is walked backwards, so that no hop but the
last one of an odd number of boxes has to cross from one rail to another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TypeAlias, TypeVar

from topoviz.collectives.known import CUBE_CHAINS, CUBE_DOUBLE, Ring, uses
from topoviz.collectives.network import MESH, NETWORK, Arc, Network, path
from topoviz.collectives.order import has_chip
from topoviz.collectives.packing import paths

Channel: TypeAlias = tuple[str, ...]
Walk = TypeVar("Walk", tuple[str, ...], list[str])


def channels(net: Network, boxes: Sequence[Sequence[str]], cards: Mapping[str, str]) -> tuple[tuple[Channel, ...], str]:
    """Return the rings over all boxes, one for each card of the box that has fewest, and where the order is from.

    ``cards`` names the card nearest to each GPU. Empty if the boxes have no cards or their GPUs no
    scale-up links: one ring is all then.
    """
    heads = matched(net, boxes, cards)
    heads = _worth(net, heads, cards)
    count = min(len(one) for one in heads)
    walks = [walk(net, box, one[:count], cards) for box, one in zip(boxes, heads, strict=True)] if count else []
    if not walks or not all(walks):
        return (), ""
    rings = tuple(tuple(name for i, box in enumerate(walks) for name in turned(box[c], i, cards)) for c in range(count))
    return (
        rings,
        "a channel for each network card, rails alternating" if count > 1 else "in and out by one network card",
    )


def matched(net: Network, boxes: Sequence[Sequence[str]], cards: Mapping[str, str]) -> list[list[str]]:
    """Return the first GPU beside each network card of each box, so that those of one channel are on one rail.

    Where a card of a box is gone, the rails that all boxes have come first, then pairs of the other
    cards between which switches lead. Boxes whose cards are not on a switch each keep their own order.
    """
    rails = [{_leaf(net, cards[name]): name for name in entries(box, cards)} for box in boxes]
    common = [leaf for leaf in rails[0] if all(leaf in one for one in rails)] if rails else []
    if not common or any(len(one) < len(entries(box, cards)) for one, box in zip(rails, boxes, strict=True)):
        return [entries(box, cards) for box in boxes]
    heads = [[one[leaf] for leaf in common] for one in rails]
    others = [[name for leaf, name in one.items() if leaf not in common] for one in rails]
    for row in zip(*others, strict=False):
        plugs = [cards[name] for name in row]
        if all(path(net, a, b, ("switch",)) for a, b in zip(plugs, (*plugs[1:], plugs[0]), strict=True)):
            for some, name in zip(heads, row, strict=True):
                some.append(name)
    return heads


def _worth(net: Network, heads: Sequence[Sequence[str]], cards: Mapping[str, str]) -> list[list[str]]:
    """Return the channels that carry most together: all send equally much, so a slow rail may be worth less than none."""
    rows = list(zip(*heads, strict=False))
    rates = [min((_rate(net, cards[name]) for name in row), default=0.0) for row in rows]
    slowest = max(set(rates), key=lambda rate: (rate * sum(one >= rate for one in rates), -rate), default=0.0)
    kept = [row for row, rate in zip(rows, rates, strict=True) if rate >= slowest]
    return [list(some) for some in zip(*kept, strict=True)] if kept else [[] for _ in heads]


def _rate(net: Network, card: str) -> float:
    """Return what a network card carries; without bound where nobody states it."""
    stated = [arc.capacity for arc in net.arcs.get(card, ()) if arc.kind in NETWORK]
    return sum(rate for rate in stated if rate is not None) if None not in stated else inf


def _leaf(net: Network, card: str) -> tuple[str, ...]:
    """Return the switches that a network card is plugged into."""
    return tuple(sorted(arc.target for arc in net.arcs.get(card, ()) if net.kind(arc.target) == "switch"))


def turned(path: Walk, box: int, cards: Mapping[str, str]) -> Walk:
    """Return the path of a channel through a box: backwards in every second one, if it leaves by another card."""
    return path[::-1] if box % 2 and cards.get(path[0]) != cards.get(path[-1]) else path


def entries(box: Sequence[str], cards: Mapping[str, str]) -> list[str]:
    """Return the first GPU beside each network card, in order."""
    found: dict[str, str] = {}
    for name in box:
        if name in cards:
            found.setdefault(cards[name], name)
    return list(found.values())


def walk(net: Network, box: Sequence[str], heads: Sequence[str], cards: Mapping[str, str]) -> tuple[Channel, ...]:
    """Return the way of each channel through a box; none if the GPUs are joined by the host alone."""
    place = {name: i for i, name in enumerate(box)}
    ends = [(place[name], place[_exit(box, heads, c, cards)]) for c, name in enumerate(heads)]
    if all(has_chip(net, name) for name in box):
        ways = [_over_chips(len(box), a, b, c) for c, (a, b) in enumerate(ends)]
    else:
        joins = {
            (i, k): max(arc.links for arc in arcs)
            for i, a in enumerate(box)
            for k, b in enumerate(box)
            if i != k and (arcs := net.between(a, b, MESH))
        }
        is_cube = joins == uses(CUBE_DOUBLE) and [a for a, _ in ends] == [chain[0] for chain in CUBE_CHAINS]
        ways = list(CUBE_CHAINS) if is_cube else paths(joins, len(box), ends)
    return tuple(tuple(box[i] for i in one) for one in ways)


def _exit(box: Sequence[str], heads: Sequence[str], channel: int, cards: Mapping[str, str]) -> str:
    """Return where a channel leaves: beside the other card of its pair, else beside its own one, else before its entry.

    Of an odd number the last three go round, so that every card is left by once.
    """
    last = len(heads) - 1
    if len(heads) % 2 and len(heads) > 1 and channel > last - 3:
        return heads[channel + 1 if channel < last else last - 2]
    other = channel ^ 1
    if other < len(heads):
        return heads[other]
    head = heads[channel]
    beside = [name for name in box if name != head and cards.get(name) == cards[head]]
    return beside[-1] if beside else box[box.index(head) - 1]


def _over_chips(count: int, first: int, last: int, channel: int) -> Ring:
    """Return all members from first to last: downwards on even channels and upwards on odd ones, as NCCL does.

    >>> _over_chips(8, 0, 1, 0), _over_chips(4, 1, 0, 1)
    ((0, 7, 6, 5, 4, 3, 2, 1), (1, 2, 3, 0))
    """
    step = 1 if channel % 2 else -1
    between = ((first + step * i) % count for i in range(1, count))
    rest = tuple(i for i in between if i != last)
    return (first, *rest, last) if first != last else (first, *rest)


def named(cards: Mapping[str, Sequence[Arc]]) -> dict[str, str]:
    """Return the names of the cards at the ends of the ways to them."""
    return {name: way[-1].target for name, way in cards.items()}
