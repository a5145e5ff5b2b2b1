"""How many switches a message passes between two servers or racks: found by walking the cables, not assumed."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.drawing import census
from topoviz.model.topology import Thing

DOMAINS = ("rack", "node")  # what NVLink joins, the largest first
WAYS = {
    1: "NIC → leaf → NIC",
    3: "NIC → leaf → spine → leaf → NIC",
    5: "NIC → leaf → spine → core → spine → leaf → NIC",
}


def same_rail(roots: tuple[Thing, ...]) -> int | None:
    """Return how many switches stand between the cards of one rail in the two farthest servers (or racks).

    1 if the leaf of the rail reaches them all, 3 if the leaves that share its spines do, else 5; None without leaves.
    """
    leaf = _leaf(roots)
    if leaf is None:
        return None
    all_domains = _number_of_domains(roots, leaf)
    reached = _domains(leaf)
    if len(reached) >= all_domains:
        return 1
    for one in _neighbours(leaf):
        reached |= _domains(one)
        if len(reached) >= all_domains:
            return 3
    return 5 if any(_up(spine) for spine in _up(leaf)) else None


def other_rail(roots: tuple[Thing, ...]) -> int | None:
    """Return how many switches stand between the cards of two rails in the two farthest servers (or racks).

    None if the rails do not meet in the network. A leaf may hold several rails: two of them at one leaf
    are no farther apart than one of them, so the rails of two leaves are meant.
    """
    leaf = _leaf(roots)
    if leaf is None:
        return None
    own = {card.index for card in cards(leaf)}
    spines = _up(leaf)
    if len(own) > 1 and not any({card.index for card in cards(one)} - own for one in _neighbours(leaf)):
        return same_rail(roots)  # all rails of a server meet at one leaf
    if any({card.index for card in cards(one)} - own for one in _neighbours(leaf)):
        return max(3, same_rail(roots) or 3)
    return 5 if any(_up(spine) for spine in spines) else None


def _leaf(roots: tuple[Thing, ...]) -> Thing | None:
    found = census.select(roots, "leaf")
    return found[0].first if found else None


def _ends(switch: Thing) -> Iterator[Thing]:
    for link, container, path in census.links_of(switch):
        if link.kind in census.NETWORK:
            yield container.at(path)


def cards(leaf: Thing) -> tuple[Thing, ...]:
    """Return the network cards that a leaf switch holds."""
    return tuple(end for end in _ends(leaf) if end.kind in census.CARDS)


def _is_leaf(switch: Thing) -> bool:
    return any(end.kind in census.CARDS for end in _ends(switch))


def _up(switch: Thing) -> tuple[Thing, ...]:
    """Return the switches above a leaf or a spine: those without cards of their own."""
    found = {end.id: end for end in _ends(switch) if end.kind == "switch"}
    return tuple(end for end in found.values() if not _is_leaf(end))


def _neighbours(leaf: Thing) -> Iterator[Thing]:
    """Yield the leaves that share a spine with it."""
    seen = {leaf.id}
    for spine in _up(leaf):
        for end in _ends(spine):
            if end.kind == "switch" and end.id not in seen and _is_leaf(end):
                seen.add(end.id)
                yield end


def _domain(card: Thing) -> str:
    """Return the id of what NVLink joins round a card: its rack, its server, or what holds it."""
    for kind in DOMAINS:
        for one in card.chain:
            if one.kind == kind and (kind != "rack" or _has_fabric(one)):
                return one.id
    return card.parent.id if card.parent else card.id


def _has_fabric(rack: Thing) -> bool:
    return "nvswitch" in rack.assembly.counts


def _domains(leaf: Thing) -> set[str]:
    return {_domain(card) for card in cards(leaf)}


def _number_of_domains(roots: tuple[Thing, ...], leaf: Thing) -> int:
    held = cards(leaf)
    domain = _domain(held[0]) if held else ""
    kind = next((one.kind for one in held[0].chain if one.id == domain), "") if held else ""
    return sum(sort.count for sort in census.sorts(roots) if sort.first.kind == kind)
