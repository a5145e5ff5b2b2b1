"""Where in a document a built thing or link comes from: the nearest line that a person can change."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.marks import Mark
from topoviz.model.fabric import TIERS
from topoviz.model.names import written_out
from topoviz.model.selectors import fits, select
from topoviz.model.spec import Body, Selector, Wire
from topoviz.model.topology import Link, Thing


def mark_of_child(owner: Thing, group: str) -> Mark | None:
    """Return the place of the entry or fabric that makes a group; else the place where its owner is taken."""
    body = owner.assembly.body
    if body is None:
        return None
    entry = next((one for each in _bodies(body) for one in each.contains if one.name == group), None)
    fabric = next((one for each in _bodies(body) for one in each.fabric if group in TIERS), None)
    found = entry or fabric
    return found.origin.mark if found is not None else _taken(body)


def wire_of(owner: Thing, link: Link) -> Wire | None:
    """Return the wire of a body that makes a link; None if a part of the catalog or a fabric makes it."""
    body = owner.assembly.body
    wires = [wire for each in _bodies(body) for wire in each.wires if wire.kind == link.kind] if body else []
    ends = [Thing("", owner.child).at(path) for path in (link.source, link.target)]
    return next((wire for wire in wires if _joins(wire, ends) or _joins(wire, ends[::-1])), None)


def mark_of_link(owner: Thing, link: Link) -> Mark | None:
    """Return the place of the wire or fabric that makes a link; else the place where its owner is taken."""
    wire, body = wire_of(owner, link), owner.assembly.body
    if wire is not None or body is None:
        return wire.origin.mark if wire is not None else None
    fabric = next((one for each in _bodies(body) for one in each.fabric if one.kind == link.kind), None)
    return fabric.origin.mark if fabric is not None else _taken(body)


def excepted(owner: Thing) -> Iterator[str]:
    """Yield the ids of things about whose links a document says that they are exceptions: ``except`` and changes."""
    body = owner.assembly.body
    for each in _bodies(body) if body else ():
        pairs = [change.link for change in each.changes if change.link]
        for said in (*pairs, *(wire.exclude for wire in each.wires)):
            yield from (thing.id for thing in select(owner, said))


def _taken(body: Body) -> Mark:
    return body.origin.mark_of("part") if body.part else body.origin.mark


def _bodies(body: Body) -> Iterator[Body]:
    yield body
    yield from body.variants.values()


def _joins(wire: Wire, ends: list[Thing]) -> bool:
    target = wire.source if wire.target is None else wire.target
    return _ends(wire.source, ends[0]) and _ends(target, ends[1])


def _ends(selector: Selector, thing: Thing) -> bool:
    return any(_leads(text.strip("/").split("/"), thing) for text in selector)


def _leads(steps: list[str], thing: Thing) -> bool:
    """Return whether a path of words may end at a thing: its last word is the thing's, the others of what it stands in."""
    if not any(fits(thing, word) for word in written_out(steps[-1])):
        return False
    above = [*thing.chain[:-1]]
    for step in reversed(steps[:-1]):
        while above and not any(fits(above[-1], word) for word in written_out(step)):
            above.pop()
        if not above:
            return False
        above.pop()
    return True
