"""A card at a leaf of another rail, or of another unit, than all its like.

Why: in a rail-optimised fabric NIC *k* of every node of a unit is at leaf *k*, so that two
GPUs of one rail are one switch apart (DGX SuperPOD reference architectures). A card at
another leaf has three switches to its rail, and the leaf that it is at may lack a port later.
To mend: move the card. A fabric that mixes rails or units at its leaves is not looked at:
the rule speaks only where three of four cards of a leaf are of one rail (one unit).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from topoviz.errors import Diagnostic
from topoviz.model.ground import Ground, copies, named, warning
from topoviz.model.roles import CARDS, NETWORK
from topoviz.model.sites import Site
from topoviz.model.topology import Link, Thing
from topoviz.model.where import mark_of_link

SHARE, FEWEST = 0.75, 4  # of a leaf's cards, and cards at it
Key = tuple[object, ...]
HINT = "cards of one {word} are one switch apart, to this one it is three; its like are at {home}"


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield cards that are at another leaf than those of their rail, and then those of their unit."""
    for site in ground.owners:
        ends = tuple(_ends(site))
        for word, key in (("rail", _rail), ("unit", _unit)):
            yield from _strays(site, ends, key, word)


def _ends(site: Site) -> Iterator[tuple[Thing, str, Link]]:
    """Yield each card with the switch at the other end of its link."""
    top = Thing("", site.thing.child)
    assembly = site.thing.assembly
    things: dict[str, Thing] = {}
    for link in assembly.links:
        for here, there in ((link.source, link.target), (link.target, link.source)):
            one, other = assembly.at(here), assembly.at(there)
            if link.kind in NETWORK and one and other and one.kind in CARDS and other.kind == "switch":
                if here not in things:
                    things[here] = top.at(here)
                yield things[here], there, link


def _rail(card: Thing) -> Key:
    node = card.parent
    return (node.part if node else "", card.group, card.index)


def _unit(card: Thing) -> Key:
    node = card.parent
    return (node.parent.id if node is not None and node.parent is not None else "",)


def _strays(
    site: Site, ends: tuple[tuple[Thing, str, Link], ...], key: Callable[[Thing], Key], word: str
) -> Iterator[Diagnostic]:
    homes = _homes(ends, key)
    leaves: dict[Key, list[str]] = {}
    for leaf, whose in homes.items():
        leaves.setdefault(whose, []).append(leaf)
    strays: dict[str, list[tuple[Thing, str, Link]]] = {}
    for card, leaf, link in ends:
        if leaf in homes and homes[leaf] != key(card) and key(card) in leaves:
            node = card.parent.id if card.parent else ""
            strays.setdefault(node if word == "unit" else card.id, []).append((card, leaf, link))
    for who, some in strays.items():
        there = named([_full(site, leaf) for _, leaf, _ in some])
        message = f"{_full(site, who)} is at {there}, where all others are of another {word}"
        home = named([_full(site, one) for one in leaves[key(some[0][0])]])
        mark = mark_of_link(site.thing, some[0][2])
        yield warning("wrong-leaf", mark, message + copies(site), HINT.format(word=word, home=home))


def _homes(ends: tuple[tuple[Thing, str, Link], ...], key: Callable[[Thing], Key]) -> Mapping[str, Key]:
    """Return whose each leaf is, if it is clear: the rail or unit of nearly all its cards."""
    found: dict[str, Counter[Key]] = {}
    for card, leaf, _ in ends:
        found.setdefault(leaf, Counter())[key(card)] += 1
    tops = {leaf: (counted.most_common(1)[0], sum(counted.values())) for leaf, counted in found.items()}
    return {leaf: whose for leaf, ((whose, times), all_) in tops.items() if all_ >= FEWEST and times >= SHARE * all_}


def _full(site: Site, inner: str) -> str:
    return f"{site.thing.id}/{inner}" if site.thing.id else inner
