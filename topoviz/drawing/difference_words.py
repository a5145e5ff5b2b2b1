"""A difference in words for a reader: where it is, what was expected, what was found, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.messages import fill, message
from topoviz.drawing.words import LINKS, THINGS
from topoviz.model.findings import Difference, Differences
from topoviz.model.topology import Thing, Topology

NAMED = {"gpu": "GPU", "cpu": "CPU", "nic": "NIC", "dpu": "DPU", "nvswitch": "NVSwitch"}
APART = {"rates": "rates"}


class Row(NamedTuple):
    """The four texts of a difference, in the words of one language."""

    where: str
    expected: str
    found: str
    cost: str


def row(one: Difference, expected: Topology, found: Topology, lang: str) -> Row:
    """Return the texts of a difference; ``cost`` is empty where it cannot be told."""
    return Row(
        where=where(one, expected, found, lang),
        expected=value(one, one.expected, expected, lang),
        found=value(one, one.found, expected, lang),
        cost=cost(one, expected, lang),
    )


def called(topology: Topology, name: str) -> str:
    """Return what a thing is called in a list: ``GPU 1``, ``node0/GPU 1``; its id if it has no number."""
    try:
        thing = topology.thing(name)
    except KeyError:
        return name
    noun = NAMED.get(thing.kind, thing.group)
    own = f"{noun} {thing.index}" if thing.index is not None and _plain(thing) else thing.name
    above = [one.name for one in thing.chain[1:-1]] if _several_holders(topology) else []
    return "/".join([*above, own])


def _several_holders(topology: Topology) -> bool:
    """Whether more than one thing holds others, so that a name alone would not say where."""
    here = [child for child in topology.root.children if child.children]
    return len(here) > 1 or any(inner.children for child in here for inner in child.children)


def _plain(thing: Thing) -> bool:
    """Whether a thing is called by its group and its number, and not by a name that somebody gave."""
    return thing.name == f"{thing.group}{thing.index}"


def where(one: Difference, expected: Topology, found: Topology, lang: str) -> str:
    """Return the place: a thing, the two ends of a link, or a thing and the fabric that it is joined to."""
    if one.what == "extra" and one.unit == "thing":
        return called(found, one.nodes[0])
    if one.unit == "end":
        other = expected.thing(one.expected)
        return f"{called(expected, one.ends[0])} – {other.group}"
    if one.ends:
        return " – ".join(called(expected, name) for name in one.ends[:2])
    name = called(expected, one.nodes[0])
    if one.unit in {"links", "rate"}:
        return f"{name}, {message(LINKS.get(one.kind, one.kind), lang)}"
    return name


def value(one: Difference, said: str, expected: Topology, lang: str) -> str:
    """Return what was expected or found, with its unit.

    >>> from topoviz.loading import load
    >>> less = Difference(number=1, what="less", unit="links", expected="18", found="17")
    >>> value(less, "17", load("dgx-h100"), "en")
    '17 links'
    """
    if one.unit == "links":
        return (
            fill("1 link" if said == "1" else "{count} links", {"count": said}, lang)
            if said != "0"
            else message("none", lang)
        )
    if one.unit == "thing":
        noun = message(THINGS.get(one.kind, one.kind), lang)
        return message("none", lang) if said == "0" else f"1 {noun}"
    if one.unit == "end":
        return called(expected, said)
    if one.unit == "near":
        return ", ".join(called(expected, name) for name in said.split(", "))
    return said


def cost(one: Difference, expected: Topology, lang: str) -> str:
    """Return what remains of a bandwidth in one direction, and of whom; empty where it cannot be told."""
    if one.unit == "end":
        return message("same rate, another switch", lang)
    if one.left is None or one.of is None or one.left >= one.of:
        return ""
    left, whole = (Bandwidth(low=rate, high=rate).number(lang) for rate in (one.left, one.of))
    who = called(expected, one.suffers)
    number, _, unit = left.partition(" ")
    same = whole.endswith(unit)
    said = "{who}: {left} of {whole} per direction"
    return fill(said, {"who": who, "left": number if same else left, "whole": whole}, lang)


def not_compared(all_of_them: Differences, lang: str) -> str:
    """Return what could not be compared, as a list in words."""
    nouns = [_noun(word) for word in all_of_them.not_compared]
    return _listed([message(noun, lang) for noun in dict.fromkeys(nouns)], lang)


def _noun(word: str) -> str:
    if word in APART:
        return APART[word]
    if word in LINKS:
        return f"{LINKS[word]} links"
    noun = THINGS.get(word, word)
    return f"{noun}es" if noun.endswith("ch") else f"{noun}s"


def _listed(texts: Sequence[str], lang: str) -> str:
    return (", " if lang.startswith("en") else "、").join(texts)
