"""Things and links that somebody calls degraded without saying by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.comparing.case import Case
from topoviz.model.findings import Difference


def degraded(case: Case, told: Sequence[Difference]) -> Iterator[Difference]:
    """Yield what the found side calls degraded, and what no difference told so far is about."""
    known = {(one.kind, name) for one in told for name in one.nodes if not one.ends}
    pairs = {(one.kind, frozenset(one.ends[:2])) for one in told}
    for one in _states(case):
        if (one.kind, frozenset(one.ends)) not in pairs and not any((one.kind, name) in known for name in one.nodes):
            yield one


def _states(case: Case) -> Iterator[Difference]:
    for name, thing in case.expected.things.items():
        if name in case.there and thing.state == "up" and case.found.things[case.there[name]].state == "degraded":
            yield _state((name,), (), thing.kind)
    seen: set[frozenset[str]] = set()
    for name, some in case.found.links.items():
        for other, link in some:
            pair = frozenset((name, other))
            if link.state != "degraded" or pair in seen or not pair <= set(case.back):
                continue
            seen.add(pair)
            a, b = case.back[name], case.back[other]
            states = {one.state for end, one in case.expected.links.get(a, ()) if end == b and one.kind == link.kind}
            if states == {"up"}:
                yield _state((a, b), (a, b), link.kind)


def _state(nodes: tuple[str, ...], ends: tuple[str, ...], kind: str) -> Difference:
    return Difference(
        number=0, what="less", unit="state", expected="up", found="degraded", nodes=nodes, ends=ends, kind=kind
    )
