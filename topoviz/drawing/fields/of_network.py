"""Fields about a network of leaf and spine switches: ways through it, and whether it is oversubscribed."""

from __future__ import annotations

from topoviz.drawing import census
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import summed
from topoviz.model.topology import Link, Thing


def of_network(scope: Scope, name: str) -> str | None:
    """Return the way between two cards, the number of switches on it, or the oversubscription; None without leaves."""
    leaves = census.select(scope.roots, "leaf")
    if not leaves:
        return None
    spines = census.select(scope.roots, "spine")
    if name == "oversubscription":
        return oversubscription(leaves[0].first, scope.lang)
    if name.endswith(".spine") and not spines:
        return None
    if name.endswith(".pxn") and not census.select(scope.roots, "nvswitch"):
        return None
    way = WAYS[name]
    return (
        message(way, scope.lang)
        if name.startswith("hops.")
        else fill(way, {"count": COUNTS.get(name, "1")}, scope.lang)
    )


def oversubscription(leaf: Thing, lang: str) -> str | None:
    """Return how much more enters a leaf from below than can leave it upwards; None if nothing leaves it."""
    below: list[Link] = []
    above: list[Link] = []
    for link, container, path in census.links_of(leaf):
        if link.kind in census.NETWORK:
            (above if container.at(path).kind == "switch" else below).append(link)
    down, up = summed(below), summed(above)
    if not up.links:
        return None
    ratio = down.rate / up.rate if up.rate and down.rate else down.links / up.links
    if ratio <= 1:
        return message("no oversubscription", lang)
    return fill("{ratio} to 1 oversubscribed", {"ratio": f"{ratio:.3g}"}, lang)


WAYS = {
    "hops.same-rail": "NIC → leaf → NIC",
    "hops.pxn": "GPU → NVSwitch → GPU, then its rail",
    "hops.spine": "NIC → leaf → spine → leaf → NIC",
    "switches.same-rail": "{count} switches",
    "switches.pxn": "{count} leaf switch (NCCL calls this PXN)",
    "switches.spine": "{count} switches",
}
COUNTS = {"switches.spine": "3"}
