"""A difference in words for a reader: where it is, what was expected, what was found, what it costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.messages import fill, message, several
from topoviz.drawing.words import LINKS, THINGS
from topoviz.model.findings import Difference, Differences
from topoviz.model.topology import Thing, Topology

NAMED = {"gpu": "GPU", "cpu": "CPU", "nic": "NIC", "dpu": "DPU", "nvswitch": "NVSwitch"}
APART = {"rates": "rates"}
PLURALS = {
    "nvswitch": "NVSwitches",
    "switch": "switches",
    "pcie-switch": "PCIe switches",
    "box": "boxes",
    "power-shelf": "power shelves",
}


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


def called(topology: Topology, name: str, kind: str = "") -> str:
    """Return what a thing is called in a list: ``GPU 1``, ``node0/GPU 1``; its id if it has no number.

    Of a thing that only the other topology has, ``kind`` says what it is.
    """
    thing = _thing(topology, name)
    if thing is None:
        holder, _, own = name.rpartition("/")
        match = re.fullmatch(r"[a-z]+(\d+)", own)
        said = f"{NAMED[kind]} {match[1]}" if match and kind in NAMED else own
        return f"{holder}/{said}" if holder else said
    noun = NAMED.get(thing.kind, thing.group)
    own = f"{noun} {thing.index}" if thing.index is not None and _plain(thing) else thing.name
    above = [one.name for one in thing.chain[1:-1]] if _several_holders(topology) else []
    return "/".join([*above, own])


def _thing(topology: Topology, name: str) -> Thing | None:
    try:
        return topology.thing(name)
    except KeyError:
        return None


def _several_holders(topology: Topology) -> bool:
    """Whether more than one thing holds others, so that a name alone would not say where."""
    here = [child for child in topology.root.children if child.children]
    return len(here) > 1 or any(inner.children for child in here for inner in child.children)


def _plain(thing: Thing) -> bool:
    """Whether a thing is called by its group and its number, and not by a name that somebody gave."""
    return thing.name == f"{thing.group}{thing.index}"


def where(one: Difference, expected: Topology, found: Topology, lang: str) -> str:
    """Return the place: a thing, the two ends of a link, or a thing and the fabric that it is joined to.

    Of many that are alike it is how many there are, and the first unless they are all of their kind.
    """
    side = found if one.what == "extra" and one.unit == "thing" else expected
    if one.unit == "fabric" or (one.also and len(one.nodes) == 1):
        place = _counted(one, side, lang)
    elif one.also:
        said = {"where": _one(one, expected, lang), "count": str(len(one.also))}
        return fill("{where} and {count} more", said, lang)
    else:
        return _one(one, side, lang)
    return f"{place}, {message(LINKS.get(one.kind, one.kind), lang)}" if one.unit in {"links", "rate"} else place


def _one(one: Difference, side: Topology, lang: str) -> str:
    if one.unit == "end":
        return f"{called(side, one.ends[0])} – {side.thing(one.expected).group}"
    if one.ends:
        first, second = (called(side, name) for name in one.ends[:2])
        holder = first.rpartition("/")[0]
        return f"{first} – {second.removeprefix(f'{holder}/') if holder else second}"
    name = called(side, one.nodes[0], one.kind)
    return f"{name}, {message(LINKS.get(one.kind, one.kind), lang)}" if one.unit in {"links", "rate"} else name


def _counted(one: Difference, side: Topology, lang: str) -> str:
    """Return ``8 × GPU`` where it is all of them, ``GPU 0-2,5`` for those of one holder, else the first and how many more."""
    names = [name for every in one.every for name in every.nodes]
    thing = _thing(side, names[0])
    kind = thing.kind if thing is not None else one.kind
    if thing is not None and len(names) == side.count(kind):
        return f"{len(names)} × {message(THINGS.get(kind, kind), lang)}"
    first = called(side, names[0], kind)
    return _of_one_holder(names, first) or fill(
        "{where} and {count} more", {"where": first, "count": str(len(names) - 1)}, lang
    )


def _of_one_holder(names: Sequence[str], first: str) -> str:
    """Return things of one group in one holder by their numbers; empty if they are not.

    >>> _of_one_holder(["n0/gpu0", "n0/gpu1", "n0/gpu2", "n0/gpu5"], "n0/GPU 0")
    'n0/GPU 0-2,5'
    """
    split = [re.fullmatch(r"(.*?)(\d+)", name) for name in names]
    stems = {match[1] for match in split if match}
    noun = first.rpartition(" ")[0]
    if len(stems) != 1 or not all(split) or not noun:
        return ""
    return f"{noun} {_ranges([int(match[2]) for match in split if match])}"


def _ranges(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)


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
    if one.unit == "state":
        return message(said, lang)
    if one.unit == "fabric":
        kind, chips = said.split()
        words = "{link}, directly" if chips == "0" else "{link} over {count} chips"
        return fill(words, {"link": LINKS.get(kind, kind), "count": chips}, lang)
    return said


def cost(one: Difference, expected: Topology, lang: str) -> str:
    """Return what remains of a bandwidth in one direction, and of whom; empty where it cannot be told."""
    if one.unit == "end":
        return message("same rate, another switch", lang)
    if one.what == "missing" and one.kind == "gpu" and one.unit == "thing":
        whole_number = expected.count("gpu")
        left_over = {"left": str(whole_number - len(one.every)), "whole": str(whole_number)}
        return fill("{left} of {whole} GPUs", left_over, lang)
    if one.left is None or one.of is None or one.left >= one.of:
        return ""
    left, whole = (Bandwidth(low=rate, high=rate).number(lang) for rate in (one.left, one.of))
    number, _, unit = left.partition(" ")
    numbers = {"left": number if whole.endswith(unit) else left, "whole": whole}
    if one.sharers > 1:
        noun = message(THINGS.get(expected.thing(one.suffers).kind, ""), lang)
        numbers |= {"noun": noun, "count": str(one.sharers)}
        return fill("each of {count} × {noun}: {left} of {whole} per direction", numbers, lang)
    if one.also:
        return fill("each: {left} of {whole} per direction", numbers, lang)
    return fill("{who}: {left} of {whole} per direction", {"who": called(expected, one.suffers), **numbers}, lang)


def not_compared(all_of_them: Differences, lang: str) -> str:
    """Return what could not be compared, as a list in words."""
    nouns = [_noun(word) for word in all_of_them.not_compared]
    return _listed([message(noun, lang) for noun in dict.fromkeys(nouns)], lang)


def _noun(word: str) -> str:
    if word in APART:
        return APART[word]
    if word in LINKS:
        return f"{LINKS[word]} links"
    return PLURALS.get(word) or several(THINGS.get(word, word))


def _listed(texts: Sequence[str], lang: str) -> str:
    return (", " if lang.startswith("en") else "、").join(texts)
