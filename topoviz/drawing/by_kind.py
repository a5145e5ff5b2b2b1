"""The sign of any thing, chosen by its kind; a plain card for a kind that has no sign of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing import glyphs

if TYPE_CHECKING:
    from topoviz.drawing.scene import Item
    from topoviz.model.topology import Thing

SIGNS: Mapping[str, Callable[..., Item]] = {
    "gpu": glyphs.gpu,
    "cpu": glyphs.cpu,
    "pcie": glyphs.pcie_switch,
    "nvswitch": glyphs.nvswitch,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A rectangle: its top left corner and its size, in u."""

    x: float
    y: float
    width: float
    height: float


def glyph_of(thing: Thing, place: Place, label: str, *, lang: str = "en", side: str = "top") -> Item:
    """Return the sign of a thing with its tooltip and state; ``side`` is that of the port tab of a network card.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> valve = Thing("valve", Child(name="valve", group="valve", assembly=Assembly(kind="valve")))
    >>> glyph_of(valve, Place(x=0, y=0, width=60, height=30), "valve").kind
    'valve'
    """
    x, y, width, height = place.x, place.y, place.width, place.height
    tip, state = glyphs.tooltip(thing, lang), thing.state
    if thing.kind == "nic":
        fabric = network(thing)
        return glyphs.nic(thing.id, x, y, width, height, label, fabric=fabric, side=side, tooltip=tip, state=state)
    if thing.kind == "switch":
        fabric = network(thing)
        return glyphs.switch(thing.id, x, y, width, height, label, fabric=fabric, tooltip=tip, state=state)
    if thing.kind in SIGNS:
        return SIGNS[thing.kind](thing.id, x, y, width, height, label, tooltip=tip, state=state)
    return glyphs.card(thing.id, x, y, width, height, label, kind=thing.kind, tooltip=tip, state=state)


def network(thing: Thing) -> str:
    """Return the hue of a switch or a network card: of its network ports, else of its links, else by its kind.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> network(Thing("tor", Child(name="tor", group="tor", assembly=Assembly(kind="switch"))))
    'ethernet'
    """
    kinds = [port.kind for port in thing.assembly.ports or () if port.kind != "pcie"] or _wired(thing)
    if kinds:
        return glyphs.fabric_of(kinds[0])
    return "ethernet" if thing.kind == "switch" else "infiniband"


def _wired(thing: Thing) -> list[str]:
    """Return the kinds of the links that the box around makes to a thing that states no ports."""
    around = thing.parent.assembly.links if thing.parent else ()
    return [link.kind for link in around if thing.name in {link.source, link.target} and link.kind != "pcie"]
