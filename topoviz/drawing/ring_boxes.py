"""What holds the members of a large ring or tree one after the other: trays, servers, racks, units."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.drawing.scope import Scope
from topoviz.model.topology import Hop, Route, Thing

MANY = 96  # members; of more, what holds them is drawn


def boxes_of(names: Sequence[str], scope: Scope) -> tuple[tuple[Thing, int], ...]:
    """Return the things that hold these ids in a row, with how many each holds.

    They are the smallest of which there are at most 96; nothing if the row leaves one and comes back.
    """
    above = [scope.topology.thing(name).chain[:-1][::-1] for name in names]
    for level in range(min(len(chain) for chain in above)):
        found: list[tuple[Thing, int]] = []
        for chain in above:
            if found and found[-1][0].id == chain[level].id:
                found[-1] = (chain[level], found[-1][1] + 1)
            else:
                found.append((chain[level], 1))
        if len(found) > 2 and found[0][0].id == found[-1][0].id:  # a ring may begin in the middle of a box
            found[0] = (found[0][0], found[0][1] + found.pop()[1])
        different = len({thing.id for thing, _ in found}) == len(found)
        if different and 1 < len(found) <= MANY:
            return tuple(found)
    return ()


def contracted(tree: Route, boxes: Sequence[tuple[Thing, int]]) -> Route | None:
    """Return a tree of boxes: who adds for whom between them; None if a box has several parents, so that it is none."""
    names = [thing.id for thing, _ in boxes]
    held = {node: next((name for name in names if node.startswith(f"{name}/")), "") for node in tree.nodes}
    parents: dict[str, str] = {}
    for hop in tree.hops:
        above, below = held[hop.source], held[hop.target]
        if above == below:
            continue
        if not above or parents.get(below, above) != above:
            return None
        parents[below] = above
    hops = tuple(Hop(source=above, target=below, via=(), kind="") for below, above in parents.items())
    return Route(name=tree.name, shape="tree", nodes=tuple(names), hops=hops, count=tree.count)
