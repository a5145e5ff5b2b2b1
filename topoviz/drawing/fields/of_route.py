"""Fields about a highlighted way: where it begins and ends, and what its links carry."""

from __future__ import annotations

from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.hop_kinds import kinds_of
from topoviz.drawing.pairs import name
from topoviz.drawing.scope import Scope
from topoviz.model.topology import Thing


def of_route(scope: Scope, field: str) -> str | None:
    """Return a field of the first route that is a path; None if there is none."""
    route = next((one for one in scope.findings.routes if one.shape == "path"), None)
    if route is None:
        return None
    if field == "route.rate":
        rates = [one.rate for one in kinds_of(scope)]
        known = [rate for rate in rates if rate is not None]
        return (
            Bandwidth(low=min(known), high=min(known)).text(scope.lang) if known and len(known) == len(rates) else None
        )
    node = route.nodes[0] if field == "route.from" else route.nodes[-1]
    return _in_full(scope.topology.thing(node), scope.lang)


def _in_full(thing: Thing, lang: str) -> str:
    """Return the names from the outermost thing to this one: ``su 0, node 3, GPU 5``."""
    comma = "、" if lang.startswith("zh") else ", "
    return comma.join(name(one, lang) for one in thing.chain if one.id)
