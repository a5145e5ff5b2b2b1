"""Fields about a network: ways through leaf and spine switches, whether they are oversubscribed; the axes of a torus."""

from __future__ import annotations

from topoviz.drawing import census
from topoviz.drawing.fields import hops
from topoviz.drawing.mesh import grid
from topoviz.drawing.mesh.direct import direct
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import summed
from topoviz.model.selectors import pick
from topoviz.model.topology import Link, Thing


def of_network(scope: Scope, name: str) -> str | None:
    """Return the way between two cards, the number of switches on it, or the oversubscription; None without leaves.

    ``torus`` is ``4 × 4 × 4``; None where the GPUs are joined in another way.
    """
    if name == "torus":
        return _torus(scope)
    if name == "rails":
        return _rails(scope)
    if name == "ways":
        return _ways(scope)
    leaves = census.select(scope.roots, "leaf")
    if not leaves:
        return None
    if name == "oversubscription":
        return oversubscription(leaves[0].first, scope.lang)
    if name.endswith(".pxn") and not census.select(scope.roots, "nvswitch"):
        return None
    count = hops.other_rail(scope.roots) if name.endswith(".spine") else hops.same_rail(scope.roots)
    if count is None:
        return None
    if name.startswith("hops."):
        return message(PXN if name.endswith(".pxn") else hops.WAYS[count], scope.lang)
    said = PXN_SWITCHES.get(count, "{count} switches") if name.endswith(".pxn") else "{count} switches"
    return fill(said, {"count": str(count)}, scope.lang)


def _rails(scope: Scope) -> str | None:
    """Return in a sentence which network card meets at which leaf; it must be the same in every server."""
    leaves = pick(scope.topology, scope.roots, "leaf")
    if not leaves:
        return None
    own = all({card.index for card in hops.cards(leaf)} == {leaf.index} for leaf in leaves)
    return message(
        "GPU k of every server meets at leaf switch k" if own else "card k of every server meets at one leaf switch",
        scope.lang,
    )


def _ways(scope: Scope) -> str | None:
    """Return in a sentence how GPUs and network cards share each other; None without network cards."""
    gpus = census.number_of(census.select(scope.roots, "gpu"))
    found = {sort.first.id: sort for kind in census.CARDS for sort in census.select(scope.roots, kind)}
    cards = sum(sort.count for sort in found.values() if _is_wired(sort.first))
    if not gpus or not cards:
        return None
    if gpus == cards:
        return message("each GPU has a network card of its own", scope.lang)
    for many, few, said in ((gpus, cards, "{count} GPUs share a network card"), (cards, gpus, OWN)):
        if many % few == 0:
            return fill(said, {"count": f"{many // few:,}"}, scope.lang)
    return fill("{gpus} GPUs share {cards} network cards", {"gpus": f"{gpus:,}", "cards": f"{cards:,}"}, scope.lang)


def _is_wired(card: Thing) -> bool:
    return any(link.kind in census.NETWORK for link, _, _ in census.links_of(card))


def _torus(scope: Scope) -> str | None:
    gpus = [thing for root in scope.roots for thing in scope.topology.of_kind("gpu", root)][: grid.MOST + 1]
    found = grid.grid(len(gpus), frozenset(direct(scope.topology, gpus).joints)) if len(gpus) <= grid.MOST else None
    return " × ".join(map(str, found.shape)) if found is not None else None


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


OWN = "each GPU has {count} network cards of its own"
PXN = "GPU → NVSwitch → GPU, then its rail"
PXN_SWITCHES = {1: "{count} leaf switch (NCCL calls this PXN)"}
