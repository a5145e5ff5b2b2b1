"""Ways past the fast links: through the host, or out over the network, as a log may say that data went."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from topoviz.model.scale_up import joined
from topoviz.model.topology import Hop

if TYPE_CHECKING:
    from topoviz.model.ways import Ways

CARDS = ("nic", "dpu")
INSIDE = ("pcie", "c2c", "upi", "qpi", "xgmi", "smp")  # what a way inside a host is made of
UNSEEN = "ethernet"  # every host has a card for it
BETWEEN = ("infiniband", "ethernet")


def around(ways: Ways, source: str, target: str, over: str) -> Hop | None:
    """Return the hop through the ``host``, or over the ``network``; None if nothing leads that way.

    Over a network that the document does not show, the way ends at one card and goes on at the other;
    where it shows no card, through the host to one that nobody sees.
    """
    found = _outside(ways, source, target) if over == "network" else None
    if found is None:
        found = _inside(ways, source, target) or _hidden(ways, source, target)
        found = replace(found, kind=UNSEEN) if found is not None and over == "network" else found
    return None if found is None else replace(found, past=joined(ways.topology, source, target))


def _inside(ways: Ways, source: str, target: str) -> Hop | None:
    way = _search(ways, source, lambda name: name == target)
    return Hop(source=source, target=target, via=tuple(way[:-1]), kind="pcie") if way else None


def _hidden(ways: Ways, source: str, target: str) -> Hop | None:
    """Return the hop where the document leaves out the host of both ends: nothing stands between them."""
    if any(any(_beside(ways, end)) for end in (source, target)):
        return None
    return Hop(source=source, target=target, kind="pcie")


def _outside(ways: Ways, source: str, target: str) -> Hop | None:
    """Return the way over the card that is nearest to either end."""
    out, back = (_search(ways, end, lambda name: ways.kind_of(name) in CARDS) for end in (source, target))
    if not out or not back:
        return None
    first, last = out[-1], back[-1]
    ports = ways.topology.thing(first).assembly.ports or ()
    kind = next((port.kind for port in ports if port.kind in BETWEEN), BETWEEN[0])
    between = ways.over(first, last, BETWEEN) if first != last else None
    middle = (first, *(between.via if between else ()), last)
    via = tuple(dict.fromkeys((*out[:-1], *middle, *back[-2::-1])))
    return Hop(source=source, target=target, via=via, kind=between.kind if between else kind)


def _search(ways: Ways, source: str, arrived: Callable[[str], bool]) -> list[str]:
    """Return the shortest way inside the host to what is looked for, without its start; empty if there is none."""
    came: dict[str, str] = {source: ""}
    row = [source]
    while row:
        following = []
        for here in row:
            for name in _beside(ways, here):
                if name in came:
                    continue
                came[name] = here
                if arrived(name):
                    return _back(came, name)
                if ways.kind_of(name) != "gpu":
                    following.append(name)
        row = following
    return []


def _beside(ways: Ways, here: str) -> Iterator[str]:
    """Yield what is joined inside the host; never from one GPU to another directly."""
    for name, link in ways.beside(here):
        if link.kind in INSIDE and not (ways.kind_of(here) == ways.kind_of(name) == "gpu"):
            yield name


def _back(came: dict[str, str], name: str) -> list[str]:
    way = []
    while came[name]:
        way.append(name)
        name = came[name]
    return way[::-1]
