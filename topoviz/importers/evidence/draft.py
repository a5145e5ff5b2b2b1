"""A document in the making: things by group, links one by one, written as few wires as a person would write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

NAME = re.compile(r"(?P<stem>.*?)(?P<number>0|[1-9]\d*)")
TIERS = ("cpu", "sw", "nic", "gpu", "nvs")
LONGEST = 90  # signs of a name; a document takes 100, and a number may follow
UNFIT = re.compile(r"""[\s/\[\]*?,:{}#&!|>'"%@`]+""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Links of one kind between two things of a draft."""

    source: str
    target: str
    kind: str
    links: int = 1
    bandwidth: str = ""
    note: str = ""

    @property
    def sort(self) -> tuple[str, str, str]:
        """What links must have alike to be one wire."""
        return self.kind, self.bandwidth, self.note


@dataclass(slots=True)
class Draft:
    """Things and links of one machine."""

    groups: dict[str, list[str]] = field(default_factory=dict)
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)
    home: dict[str, str] = field(default_factory=dict)  # thing -> group
    links: list[Link] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def add(self, group: str, name: str, body: Mapping[str, Any]) -> str:
        """Add a thing and return its name, with a number if it is taken; things of a group have one body, the first."""
        wanted, number = name, 1
        while name in self.home:
            number += 1
            name = f"{wanted}-{number}"
        self.groups.setdefault(group, []).append(name)
        self.bodies.setdefault(group, _plain(body))
        self.home[name] = group
        return name

    def join(self, source: str, target: str, kind: str, **more: Any) -> None:
        """Join two things; ``more`` are links, bandwidth, note."""
        self.links.append(Link(source=source, target=target, kind=kind, **more))

    def body(self) -> dict[str, Any]:
        """Return ``contains``, ``wires`` and ``changes``."""
        order = sorted(self.groups, key=_tier)
        said: dict[str, Any] = {"contains": {group: self._entry(group) for group in order}}
        wires = list(self._wires())
        said |= {"wires": wires} if wires else {}
        facts = {"facts": dict(self.facts)} if self.facts else {}
        return facts | said | ({"changes": list(self.changes)} if self.changes else {})

    def _entry(self, group: str) -> Any:
        names, body = self.groups[group], self.bodies[group]
        part = body.get("part", "")
        if names == [group]:
            return part if list(body) == ["part"] else dict(body)
        if names == [f"{group}{number}" for number in range(len(names))]:
            if list(body) == ["part"]:
                return f"{len(names)} x {part}"
            return {"part": part, "count": len(names), **body} if part else {"count": len(names), **body}
        return {**body, "names": list(names)}

    def _wires(self) -> Iterator[dict[str, Any]]:
        bundles: dict[tuple[Any, ...], list[Link]] = {}
        for link in self.links:
            key = (self.home[link.source], self.home[link.target], *link.sort)
            bundles.setdefault(key, []).append(link)
        for (first, second, kind, bandwidth, note), links in bundles.items():
            tail = {key: value for key, value in (("bandwidth", bandwidth), ("note", note)) if value}
            made = self._among(first, links) if first == second else self._between(first, second, links)
            for wire in made:
                ends: dict[str, Any] = {key: wire[key] for key in ("from", "to") if key in wire}
                rest = {key: value for key, value in wire.items() if key not in ends}
                yield {**ends, "kind": kind, **rest, **tail}

    def _among(self, group: str, links: Sequence[Link]) -> Iterator[dict[str, Any]]:
        """Yield the wires inside a group: a mesh, a matrix, or each pair by itself."""
        names = self.groups[group]
        count = {frozenset((link.source, link.target)): link.links for link in links}
        equal = set(count.values())
        if len(names) > 1 and len(count) == len(names) * (len(names) - 1) // 2 and len(equal) == 1:
            yield {"from": group, "rule": "mesh", **_many(next(iter(equal)))}
        elif len(count) > len(names):
            rows = [[count.get(frozenset((a, b)), 0) if a != b else 0 for b in names] for a in names]
            yield {"from": group, "rule": "matrix", "matrix": rows}
        else:
            for link in links:
                yield {"from": link.source, "to": link.target, **_many(link.links)}

    def _between(self, first: str, second: str, links: Sequence[Link]) -> Iterator[dict[str, Any]]:
        """Yield the wires from one group to another by the shortest rule that says the same."""
        sources, targets = self.groups[first], self.groups[second]
        rows = {name: [(link.target, link.links) for link in links if link.source == name] for name in sources}
        counts = {link.links for link in links}
        if len(counts) == 1:
            many = _many(next(iter(counts)))
            single = [row[0][0] if len(row) == 1 else "" for row in rows.values()]
            share = len(sources) // len(targets)
            if len(links) == len(sources) * len(targets):
                yield {"from": first, "to": second, **many}
                return
            if share > 1 and single == [target for target in targets for _ in range(share)]:
                yield {"from": first, "to": second, "rule": "block", **many}
                return
            alone = [(name, end) for name, end in zip(sources, single, strict=True) if end and single.count(end) == 1]
            if len(alone) > 1:
                ends = {"from": self.selector([a for a, _ in alone]), "to": self.selector([b for _, b in alone])}
                yield {**ends, "rule": "pairwise", **many}
                rows = {name: row for name, row in rows.items() if name not in dict(alone)}
        yield from self._one_by_one(rows)

    def _one_by_one(self, rows: Mapping[str, Sequence[tuple[str, int]]]) -> Iterator[dict[str, Any]]:
        """Yield a wire for each set of things that are joined with the same things."""
        alike: dict[tuple[tuple[str, int], ...], list[str]] = {}
        for name, row in rows.items():
            if row:
                alike.setdefault(tuple(row), []).append(name)
        for same, members in alike.items():
            ordered = sorted(same, key=lambda one: one[1])
            for links, ends in groupby(ordered, key=lambda one: one[1]):
                called = self.selector([end for end, _ in ends])
                yield {"from": self.selector(members), "to": called, **_many(links)}

    def selector(self, names: Sequence[str]) -> str | list[str]:
        """Return what finds these things: the group, a name, or names with numbers in brackets."""
        chosen = list(names)
        group = self.home[chosen[0]]
        if chosen == self.groups[group]:
            return group
        return bracketed(chosen)


def _tier(group: str) -> int:
    """Return where a group stands among the others in a document: as our own files have it, CPUs first."""
    return TIERS.index(group.partition("-")[0]) if group.partition("-")[0] in TIERS else len(TIERS)


def _plain(value: Any) -> Any:
    """Return mappings that may not change as ordinary ones."""
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, Mapping) else value


def _many(links: int) -> dict[str, int]:
    return {} if links == 1 else {"links": links}


def bracketed(names: Sequence[str]) -> str | list[str]:
    """Return names that differ in their last number as one text.

    >>> bracketed(["gpu0", "gpu1", "gpu2", "gpu5"]), bracketed(["a", "b1"]), bracketed(["gpu3"])
    ('gpu[0-2,5]', ['a', 'b1'], 'gpu3')
    """
    if len(names) == 1:
        return names[0]
    split = [NAME.fullmatch(name) for name in names]
    stems = {match["stem"] for match in split if match}
    if not all(split) or len(stems) != 1:
        return list(names)
    return f"{stems.pop()}[{ranges([int(match['number']) for match in split if match])}]"


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers in their order, runs upwards as ranges.

    >>> ranges([0, 1, 2, 7, 6])
    '0-2,7,6'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(str(number) for number in run) for run in runs]
    return ",".join(said)


def fit(name: str) -> str:
    """Return a name that a document takes: signs of its grammar become dashes, the middle of a long one is left out.

    >>> fit("mlx5_4+mlx5_5"), fit("ib dev/0")
    ('mlx5_4+mlx5_5', 'ib-dev-0')
    """
    plain = UNFIT.sub("-", name).strip("-") or "unnamed"
    return plain if len(plain) <= LONGEST else f"{plain[:56]}--{plain[-32:]}"  # names differ at their ends
