"""Fields about links: how many, what they are called, what they carry.

Three kinds of links are asked for: those handed in, those of the things that a word
finds (``gpu.nvlink``), and all of a kind in the scope (``nvlink``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from topoviz.drawing import amounts, census
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.fields.subject import links_of_kind
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import fill
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import Sum, Tally, bandwidth, summed, tally, touching
from topoviz.drawing.words import COLOURS, SCALE_UP, link_name
from topoviz.model.topology import Link, Thing

RATES = ("rate", "all", "link.rate")


def of_tally(found: Tally, tail: str, lang: str, *, long: bool = False) -> str | None:
    """Return a field of the links of things; ``long`` names the link with its number: ``NVLink 4, 18 links``."""
    if tail == "link" and long and found.links[1] > 1:
        return fill("{link}, {each} links", {"link": _name(found), "each": amounts.count(*found.links)}, lang)
    if tail in {"links", "each"}:
        return amounts.count(*found.links)
    if tail in {"link", "link.family"}:
        return _name(found) if tail == "link" else link_name(found.kind, ())
    if tail == "cables":
        return amounts.count(found.all_plugs)
    return found.one_link.bits() if tail == "gbit" else None


def rate_of_tally(found: Tally, stem: str) -> Bandwidth:
    """Return what one thing has, what all have, or what one link carries."""
    return {"rate": found.rate, "all": found.all_rate, "link.rate": found.one_link}[stem]


def of_kind(scope: Scope, kind: str, tail: str) -> str | None:
    """Return a field of all links of a kind in the scope; where there are none, the ports tell the name."""
    found = links_of_kind(scope, kind)
    if tail in {"links", "cables"}:
        total = sum(times * (link.links / 2 if tail == "cables" and link.twin else link.links) for link, times in found)
        return amounts.count(total)
    if tail == "link.family":
        return link_name(kind, ())
    if not found:
        ports = _ports(scope, kind)
        return of_tally(ports, tail, scope.lang) if ports else None
    if tail == "link":
        return link_name(kind, tuple(dict.fromkeys(link.link for link, _ in found if link.link)))
    return _one([link for link, _ in found]).bits() if tail == "gbit" else None


def rate_of_kind(scope: Scope, kind: str, stem: str) -> Bandwidth | None:
    """Return what one link of a kind carries, or all in the scope together."""
    found = links_of_kind(scope, kind)
    if not found:
        ports = _ports(scope, kind)
        return ports.one_link if ports else None
    if stem != "all":
        return _one([link for link, _ in found])
    total = [replace(link, bandwidth=link.bandwidth and link.bandwidth * times) for link, times in found]
    return bandwidth([summed(total)])


def of_links(links: Sequence[Link], things: Sequence[Thing], tail: str) -> str | None:
    """Return a field of the links handed in. With things, ``each`` and ``rate`` are of one of them."""
    every = summed(links)
    if tail == "links":
        return amounts.count(every.links)
    if tail == "cables":
        return amounts.count(every.plugs)
    if tail == "each":
        each = _each(links, things)
        return amounts.count(min(one.links for one in each), max(one.links for one in each))
    if tail in {"link", "link.family"}:
        return link_name(links[0].kind, tuple(every.names) if tail == "link" else ())
    return _one(links).bits() if tail == "gbit" else None


def rate_of_links(links: Sequence[Link], things: Sequence[Thing], stem: str) -> Bandwidth:
    """Return the rate for one of the things, of all links together, or of one link."""
    if stem == "link.rate":
        return _one(links)
    return bandwidth([summed(links)] if stem == "all" else _each(links, things))


def colour(scope: Scope, links: Sequence[Link]) -> str:
    """Return the word for the hue of the links, or of the fastest fabric in the scope: ``Green``.

    Under a route that is drawn in place everything else is grey.
    """
    if scope.findings.routes and any(_is_muted(block) for block in _blocks(scope.layout.block)):
        return "Grey"
    found = [link.kind for link in links] or [
        kind for kind in (*SCALE_UP, *census.NETWORK, "pcie") if links_of_kind(scope, kind)
    ]
    return COLOURS.get(found[0], "Grey") if found else "Grey"


def _is_muted(block: Block) -> bool:
    return block.view == "tiers" and block.options.get("route") == "in-place"


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for inner in (*block.rows, *block.columns):
        yield from _blocks(inner)


def _each(links: Sequence[Link], things: Sequence[Thing]) -> tuple[Sum, ...]:
    return touching(links, things) or (summed(links),)


def _one(links: Sequence[Link]) -> Bandwidth:
    stated = [link.bandwidth / link.links for link in links if link.bandwidth is not None and link.links]
    return Bandwidth(low=min(stated, default=None), high=max(stated, default=None))


def _ports(scope: Scope, kind: str) -> Tally | None:
    ends = [sort for sort in census.sorts(scope.roots) if not sort.first.assembly.children]
    devices = [sort for sort in ends if sort.first.kind == "gpu"] or ends
    return tally(devices, kind) or tally(ends, kind)


def _name(found: Tally) -> str:
    return link_name(found.kind, found.names)
