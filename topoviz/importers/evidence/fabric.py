"""A fabric in the making: switches by tier, hosts with their network cards, cables written as few wires."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from topoviz.importers.evidence.draft import fit
from topoviz.importers.evidence.text import UNSEEN, plain
from topoviz.model.hostlist import collapsed

TIERS = ("leaf", "spine", "core")
SWITCH = {"part": "switch"}
Entry = tuple[list[str], Mapping[str, Any]]  # names and what they are
Groups = Mapping[tuple[str, ...], str]  # the names of a group -> its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """Links of one kind between two ends; ``card`` is the network card of the source, if the file names it."""

    source: str
    target: str
    kind: str
    card: str = ""
    links: int = 1
    bandwidth: str = ""
    note: str = ""

    @property
    def sort(self) -> tuple[str, str, str]:
        """What cables must have alike to be one wire."""
        return self.kind, self.bandwidth, self.note


@dataclass(slots=True, kw_only=True)
class Fabric:
    """Hosts and switches by what the file calls them, each with the name that the document gives it."""

    switches: dict[str, str] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    cards: dict[str, list[str]] = field(default_factory=dict)  # host -> its network cards
    bodies: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # host -> what it holds besides
    titles: dict[str, str] = field(default_factory=dict)  # thing -> its name where a document cannot take it
    cables: list[Cable] = field(default_factory=list)
    tiers: dict[str, int] = field(default_factory=dict)  # switch -> 1 next to hosts; found from the cables if empty
    taken: set[str] = field(default_factory=set)

    def switch(self, key: str, name: str = "") -> None:
        """Note a switch."""
        if key not in self.switches:
            self.switches[key] = self._named(key, name or key)

    def host(self, key: str, name: str = "") -> None:
        """Note a host."""
        if key not in self.hosts:
            self.hosts[key] = self._named(key, name or key)

    def _named(self, key: str, name: str) -> str:
        """Return a name that a document takes and that nothing else has; keep the one that a reader shall see."""
        plain = fit(UNSEEN.sub("", name))
        out, number = plain, 1
        while out in self.taken:
            number += 1
            out = f"{plain}-{number}"
        self.taken.add(out)
        if out != name:
            self.titles[key] = " ".join(name.split())
        return out

    def body(self) -> dict[str, Any]:
        """Return ``contains``, ``wires`` and ``changes`` of a document."""
        entries = {**self._switch_entries(), **self._host_entries()}
        groups = {tuple(names): group for group, (names, _) in entries.items()}
        wires = list(self._wires(groups))
        changes = [self._retitled(key) for key in self.titles if key in self.switches or key in self.hosts]
        said: dict[str, Any] = {"contains": {group: _entry(group, *one) for group, one in entries.items()}}
        return said | ({"wires": wires} if wires else {}) | ({"changes": changes} if changes else {})

    @property
    def names(self) -> dict[str, str]:
        """Return what the file calls a thing and what the document does."""
        return {**self.switches, **self.hosts}

    def _retitled(self, key: str) -> dict[str, str]:
        return {"at": self.names[key], "title": self.titles[key]}

    # ---- what there is

    def _switch_entries(self) -> dict[str, Entry]:
        """Return the switches, the highest tier first."""
        tiers = self.tiers or found_tiers(self)
        rows: dict[int, list[str]] = {}
        for key, name in self.switches.items():
            rows.setdefault(tiers.get(key, 1), []).append(name)
        single = len(self.switches) == 1
        called = {tier: "switch" if single else tier_name(tier) for tier in sorted(rows, reverse=True)}
        return {self._group(word, rows[tier]): (rows[tier], SWITCH) for tier, word in called.items()}

    def _host_entries(self) -> dict[str, Entry]:
        sorts: dict[tuple[Any, ...], Entry] = {}
        for key, name in self.hosts.items():
            sort = (tuple(self.cards.get(key, ())), repr(self.bodies.get(key, {})))
            sorts.setdefault(sort, ([], self._host_body(key)))[0].append(name)
        words = [
            "node",
            *(f"node-{'abcdefghijklmnopqrstuvwxyz'[at]}" if at < 26 else f"node-{at}-" for at in range(1, len(sorts))),
        ]
        return {self._group(word, one[0]): one for word, one in zip(words, sorts.values(), strict=False)}

    def _group(self, word: str, names: Sequence[str]) -> str:
        """Return the name of a group: the word, unless another thing is called so."""
        return word if word not in self.taken or list(names) == [word] else self._group(f"{word}-group", names)

    def _host_body(self, key: str) -> dict[str, Any]:
        own, cards = dict(self.bodies.get(key, {})), self.cards.get(key, [])
        inside = {**own.pop("contains", {}), **({"nic": _cards(cards)} if cards else {})}
        return {"kind": "node", **own, **({"contains": inside} if inside else {})}

    # ---- what is joined

    def _wires(self, groups: Groups) -> Iterator[dict[str, Any]]:
        bundles: dict[tuple[Any, ...], dict[str, dict[str, int]]] = {}
        names = self.names
        for cable in self.cables:
            rows = bundles.setdefault((self._level(cable), cable.card, *cable.sort), {})
            row = rows.setdefault(names[cable.source], {})
            target = names[cable.target]
            row[target] = row.get(target, 0) + cable.links
        for (_, card, kind, bandwidth, note), rows in bundles.items():
            tail = {key: value for key, value in (("bandwidth", bandwidth), ("note", note)) if value}
            for sources, targets, links, rule in _gathered(rows):
                ends = {
                    "from": _selector(sources, groups, card),
                    **({"to": _selector(targets, groups)} if targets else {}),
                }
                yield {**ends, "kind": kind, **rule, **({"links": links} if links > 1 else {}), **tail}

    def _level(self, cable: Cable) -> bool:
        return cable.source in self.hosts


def tier_name(tier: int) -> str:
    """Return the group of the switches of a tier, counted from the hosts.

    >>> tier_name(1), tier_name(4)
    ('leaf', 'tier-4-switch')
    """
    return TIERS[tier - 1] if tier <= len(TIERS) else f"tier-{tier}-switch"


def found_tiers(fabric: Fabric) -> dict[str, int]:
    """Return how far each switch stands from the nearest host; 1 for one that reaches none."""
    near: dict[str, list[str]] = {}
    for cable in fabric.cables:
        near.setdefault(cable.source, []).append(cable.target)
        near.setdefault(cable.target, []).append(cable.source)
    found, row = dict.fromkeys(fabric.hosts, 0), list(fabric.hosts)
    while row:
        row = [
            end for one in row for end in near.get(one, ()) if found.setdefault(end, found[one] + 1) == found[one] + 1
        ]
        row = list(dict.fromkeys(row))
    return {key: found.get(key, 1) for key in fabric.switches}


def _entry(group: str, names: Sequence[str], body: Mapping[str, Any]) -> Any:
    """Return an entry as short as a person would write it."""
    if list(names) == [group]:
        return body["part"] if list(body) == ["part"] else dict(body)
    short = collapsed(names)
    return {**body, "names": short[0] if len(short) == 1 else short}


def _cards(cards: Sequence[str]) -> Any:
    return {"part": "nic", "names": list(cards)} if list(cards) != ["nic"] else "nic"


def _selector(names: Sequence[str], groups: Groups, card: str = "") -> str | list[str]:
    """Return what finds these things, or this card of each: the group, or names with numbers in brackets."""
    group = groups.get(tuple(names))
    said = [f"{one}/{card}" if card else one for one in ([group] if group else collapsed(names))]
    return said[0] if len(said) == 1 else said


Wire = tuple[list[str], list[str], int, dict[str, str]]  # sources, targets, links of a pair, the rule


def _gathered(rows: Mapping[str, Mapping[str, int]]) -> Iterator[Wire]:
    """Yield wires: equal runs as blocks, else one for each set of sources that have the same targets."""
    block = _as_block(rows)
    if block is not None:
        yield block
        return
    alike: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for source, row in rows.items():
        alike.setdefault(tuple(row.items()), []).append(source)
    for same, sources in alike.items():
        for links in dict.fromkeys(count for _, count in same):
            yield sources, [target for target, count in same if count == links], links, {}


def _as_block(rows: Mapping[str, Mapping[str, int]]) -> Wire | None:
    """Return the one wire of sources that stand in equal runs on their targets; None if they do not."""
    if any(len(row) != 1 for row in rows.values()):
        return None
    ends = [next(iter(row.items())) for row in rows.values()]
    counts = {links for _, links in ends}
    runs: dict[str, int] = {}
    for target, _ in ends:
        runs[target] = runs.get(target, 0) + 1
    in_order = [target for target, many in runs.items() for _ in range(many)] == [target for target, _ in ends]
    if len(counts) != 1 or len(runs) < 2 or len(set(runs.values())) != 1 or not in_order:
        return None
    sources, targets = list(rows), list(runs)
    if len(sources) > 2 and targets == [*sources[1:], sources[0]]:
        return sources, [], ends[0][1], {"rule": "ring"}
    rule = {"rule": "pairwise"} if len(runs) == len(rows) else {"rule": "block"}
    return sources, targets, ends[0][1], rule


def gbit(rate: float) -> str:
    """Return a rate in Gb/s as a document writes it.

    >>> gbit(400), gbit(2.5)
    ('400 Gb/s', '2.5 Gb/s')
    """
    return f"{plain(rate)} Gb/s"


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts names with their numbers by value."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"([0-9]+)", text) if part]


def ordered(names: Iterable[str]) -> list[str]:
    """Return names sorted with their numbers by value.

    >>> ordered(["n10", "n9", "a"])
    ['a', 'n9', 'n10']
    """
    return sorted(names, key=natural)
