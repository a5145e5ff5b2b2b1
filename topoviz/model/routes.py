"""Rings, paths and trees that a person wrote down, with the ways between their members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from topoviz.marks import Mark
from topoviz.model.degrees import of_selector
from topoviz.model.ends import told
from topoviz.model.names import written_out
from topoviz.model.report import Report
from topoviz.model.scale_up import joined
from topoviz.model.selectors import find
from topoviz.model.source import Value
from topoviz.model.spec import RouteSpec, Selector
from topoviz.model.topology import Hop, Route, Thing, Topology
from topoviz.model.ways import Ways, cycle

SAID = {
    "nvlink": "NVLink", "xgmi": "xGMI", "pcie": "PCIe", "c2c": "C2C", "infiniband": "InfiniBand",
    "ethernet": "Ethernet",
}  # fmt: skip
WAYS = {"host": "way through the host", "network": "way over a network"}
SLOW = ("pcie", "infiniband", "ethernet", "host", "network")


def resolve(topology: Topology, report: Report) -> tuple[Route, ...]:
    """Return the routes of a document; none if it has no machine yet, for it waits to be joined with one."""
    if not topology.root.assembly.children or not topology.spec.routes:
        return ()
    ways = Ways(topology)
    found = [_route(route, topology, ways, report) for route in topology.spec.routes]
    return tuple(route for route in found if route is not None)


def ranks(topology: Topology) -> tuple[Thing, ...]:
    """Return what ``rank0``, ``rank1`` … mean: all GPUs in order, unless the job says otherwise."""
    wanted = topology.spec.job.get("ranks", "gpu")
    if wanted == "gpu":
        return tuple(topology.of_kind("gpu"))
    return of_selector(topology.root, wanted)


def _route(spec: RouteSpec, topology: Topology, ways: Ways, report: Report) -> Route | None:
    value = spec.origin.get(spec.shape) or spec.origin
    members, before = _Members(topology, value, report), len(report.found)
    if spec.shape == "tree":
        pairs = list(_branches(spec, members))
        nodes = list(dict.fromkeys(name for pair in pairs for name in pair))
    else:
        nodes = members.find(spec.nodes, f"{spec.shape} '{spec.name}'")
        following = [*nodes[1:], *(nodes[:1] if spec.shape == "ring" else [])]
        pairs = list(zip(nodes, following, strict=False))
        alike = not (spec.through_host or spec.through_network)
        pairs = pairs[:1] if len(nodes) == 2 and spec.shape == "ring" and alike else pairs
    _check_numbers(spec, len(pairs), report)
    if len(report.found) > before:
        return None
    hops = _hops(spec, [pair for pair in pairs if pair[0] != pair[1]], ways)
    missing = [pair for pair, hop in hops if hop is None]
    if missing:
        message = f"no {WAYS.get(spec.via, spec.via) or 'way'} {_between(missing)} ({spec.shape} '{spec.name}')"
        report.error(value.mark, message, _instead(spec, nodes, missing, ways), "no-such-link")
        return None
    whole = tuple(hop for _, hop in hops if hop is not None)
    back = (_turned(whole[0]),) if spec.shape == "ring" and len(pairs) == 1 else ()
    return Route(name=spec.name, shape=spec.shape, nodes=tuple(nodes), hops=(*whole, *back), count=spec.count)


def _hops(spec: RouteSpec, pairs: Sequence[tuple[str, str]], ways: Ways) -> list[tuple[tuple[str, str], Hop | None]]:
    """Return each pair with the way between them; of one that went past the fast links, the way that it took."""
    around = dict.fromkeys(spec.through_host, "host") | dict.fromkeys(spec.through_network, "network")
    return [(pair, _past(ways.hop(*pair, around.get(n, spec.via)), spec, ways)) for n, pair in enumerate(pairs, 1)]


def _past(hop: Hop | None, spec: RouteSpec, ways: Ways) -> Hop | None:
    """Return a hop that was told to go over PCIe or a network, marked if a fast link joins its ends."""
    if hop is None or spec.via not in SLOW or hop.past:
        return hop
    return replace(hop, past=joined(ways.topology, hop.source, hop.target))


def _check_numbers(spec: RouteSpec, count: int, report: Report) -> None:
    for key, numbers in (("through_host", spec.through_host), ("through_network", spec.through_network)):
        far = next((number for number in numbers if number > count), None)
        value = spec.origin.get(key)
        if far is not None and value is not None:
            message = f"hop {far} of {spec.shape} '{spec.name}', which has {count} hop{'s' * (count != 1)}"
            report.error(value.mark, message, "hops are counted from 1, as pictures number them", "no-such-hop")


def _turned(hop: Hop) -> Hop:
    return replace(hop, source=hop.target, target=hop.source, via=hop.via[::-1])


class _Members:
    """Finds the members of a route, seen from the document."""

    def __init__(self, topology: Topology, value: Value, report: Report) -> None:
        self._topology, self._value, self._report = topology, value, report

    def find(self, selector: Selector, called: str = "", mark: Mark | None = None) -> list[str]:
        """Return the ids of the members in the order written; a member that comes twice is noted."""
        found: dict[str, None] = {}
        place = mark or self._value.mark
        for text in selector:
            ordered = ranks(self._topology) if "rank" in text else ()
            things, miss = find(self._topology.root, text, ranks=ordered)
            if miss is not None:
                message, hint = told(text, miss)
                self._report.error(place, message, hint, "matches-nothing")
            twice = _repeated(text) or next((thing.id for thing in things if thing.id in found), "")
            if twice and called:
                self._report.error(place, f"{twice} is twice in {called}", code="twice")
            found.update(dict.fromkeys(thing.id for thing in things))
        return list(found)


def _repeated(text: str) -> str:
    """Return the first name that the ranges of a text hold twice; empty if none."""
    for step in text.split("/"):
        words = written_out(step)
        for position, word in enumerate(words):
            if word in words[:position]:
                return word
    return ""


def _branches(spec: RouteSpec, members: _Members) -> Iterator[tuple[str, str]]:
    for parent, children in spec.tree.items():
        texts = _texts(children)
        for above in members.find((parent,)):
            yield from ((above, below) for below in members.find(texts))


def _texts(children: object) -> Selector:
    if isinstance(children, Value):
        children = children.plain()
    return tuple(str(child) for child in children) if isinstance(children, (list, tuple)) else (str(children),)


def _between(pairs: Sequence[tuple[str, str]]) -> str:
    said = [f"between {a} and {b}" for a, b in pairs[:3]]
    more = f" and {len(pairs) - 3} more" if len(pairs) > 3 else ""
    return ", nor ".join(said) + more


def _instead(spec: RouteSpec, nodes: Sequence[str], missing: Sequence[tuple[str, str]], ways: Ways) -> str:
    """Return what would work: without `via`, or another ring through the same members."""
    hints = []
    if spec.via:
        other = [ways.hop(*pair) for pair in missing]
        kinds = dict.fromkeys(hop.kind for hop in other if hop is not None)
        if all(other):
            hints.append(
                f"leave out via: and these hops go over {' and '.join(SAID.get(kind, kind) for kind in kinds)}"
            )
    if spec.shape == "ring":
        ring = cycle(nodes, ways, spec.via)
        if ring:
            hints.append(f"a ring that fits: {shortened(ring)}")
    return "; ".join(hints)


def shortened(names: Sequence[str]) -> str:
    """Return names as one selector if they differ in their last number only.

    >>> shortened(["gpu0", "gpu3"]), shortened(["a", "b1"])
    ('gpu[0,3]', 'a, b1')
    """
    split = [re.fullmatch(r"(.*?)(\d+)", name) for name in names]
    heads = {match[1] for match in split if match}
    if len(heads) == 1 and all(split):
        return f"{heads.pop()}[{','.join(match[2] for match in split if match)}]"
    return ", ".join(names)
