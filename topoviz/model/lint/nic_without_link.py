"""A network card without a network link, though the card beside it has one.

Why: a rail-optimised fabric needs NIC *k* of every node at leaf *k*; a card
without a link is a rail that this GPU does not have (NVIDIA DGX SuperPOD
reference architectures: "NIC i of every node of an SU goes to leaf i").
To mend: wire the card, or give a card that is used otherwise a group of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import Ground, copies, have, named, path, warning
from topoviz.model.roles import CARDS, NETWORK
from topoviz.model.where import mark_of_child

HINT = "each NIC of a node is one rail; wire it, or give a card that has another task a group of its own"


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield cards without a network link whose equal siblings have one."""
    for site, cards in ground.siblings(frozenset(CARDS)):
        without = [path(site, card) for card in cards if not site.links(card, NETWORK)]
        if 0 < len(without) < len(cards):
            mark = mark_of_child(site.thing, cards[0].group)
            rest = len(cards) - len(without)
            message = f"{named(without)} {have(len(without))} no network link; the other {rest} {cards[0].group} {have(rest)} one"
            yield warning("nic-without-link", mark, message + copies(site), HINT)
