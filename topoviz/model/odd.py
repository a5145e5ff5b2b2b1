"""Which of several siblings differ from the rest: what is faulty, changed, or built or joined otherwise than most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from topoviz.model.topology import Link, Thing

FEW = 4  # so many are exceptions; more are a kind of their own


def odd(things: Sequence[Thing]) -> frozenset[str]:
    """Return the ids of those that no other may stand for.

    A fault or a change makes a thing odd, in it or on a link that ends in it; so does
    being built or joined otherwise than most of the same part beside it.

    >>> from topoviz.model.topology import Assembly, Child
    >>> node = Assembly(kind="node")
    >>> odd([Thing(s, Child(name=s, group="node", state=s, assembly=node)) for s in ("up", "down")])
    frozenset({'down'})
    """
    looks = {thing.id: _look(thing) for thing in things}
    known: dict[Hashable, Counter[Hashable]] = {}
    for thing in things:
        known.setdefault(_beside(thing), Counter())[looks[thing.id]] += 1

    def is_rare(thing: Thing) -> bool:
        beside = known[_beside(thing)]
        alike = beside[looks[thing.id]]
        return alike <= FEW and 2 * alike < beside.total()

    return frozenset(thing.id for thing in things if is_rare(thing) or is_marked(thing))


def is_marked(thing: Thing) -> bool:
    """Return whether the thing, anything in it, or a link in it or at it is faulty or was changed."""
    if thing.child.changed or thing.state != "up" or thing.assembly.marked:
        return True
    return any(link.state != "up" for link in _leaving(thing))


def _beside(thing: Thing) -> Hashable:
    return thing.parent.id if thing.parent else "", thing.kind, thing.part


def _look(thing: Thing) -> Hashable:
    """Return what equal siblings share: what is in them, and how many links leave them, by kind and rate."""
    found: Counter[tuple[str, float | None]] = Counter()
    for link in _leaving(thing):
        each = None if link.bandwidth is None else link.bandwidth / link.links
        found[link.kind, each] += link.links
    return id(thing.assembly), frozenset(found.items())


def _leaving(thing: Thing) -> Iterator[Link]:
    """Yield the links from inside the thing to what stands outside, the innermost level first."""
    for owner in reversed(thing.chain[:-1]):
        inside = thing.id[len(owner.id) :].strip("/")
        for link in owner.assembly.branches.get(inside.partition("/")[0], ()):
            if _in(link.source, inside) != _in(link.target, inside):
                yield link


def _in(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}/")
