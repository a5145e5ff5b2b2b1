"""GPUs that are joined directly: the pairs, and what each GPU is called in few letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from topoviz.drawing.pairs import name
from topoviz.model.selectors import pick

if TYPE_CHECKING:
    from topoviz.drawing.layout import Block
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Link, Thing, Topology

Pair: TypeAlias = tuple[int, int]  # places in the order of the document, the smaller first
NOT_DIRECT = ("pcie",)  # kinds that join a GPU with its host


@dataclass(frozen=True, kw_only=True)
class Direct:
    """Things in the order of the document, and for each pair its links, one for each kind."""

    things: tuple[Thing, ...]
    joints: Mapping[Pair, tuple[Link, ...]]

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Return the place of each thing by its id."""
        return {thing.id: at for at, thing in enumerate(self.things)}

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """Return for each thing the places of those it is joined with."""
        found: list[set[int]] = [set() for _ in self.things]
        for a, b in self.joints:
            found[a].add(b)
            found[b].add(a)
        return tuple(map(frozenset, found))

    @property
    def complete(self) -> bool:
        """Return whether each is joined with each other."""
        count = len(self.things)
        return count > 1 and len(self.joints) == count * (count - 1) // 2

    @property
    def connected(self) -> bool:
        """Return whether a way over direct links leads from each to each other."""
        seen, todo = {0}, [0]
        while todo and self.things:
            fresh = self.peers[todo.pop()] - seen
            seen |= fresh
            todo += sorted(fresh)
        return len(self.things) > 1 and len(seen) == len(self.things)

    def links(self, pair: Pair) -> int:
        """Return how many links a pair has, of all kinds together; 0 if it has none."""
        return sum(link.links for link in self.joints.get(pair, ()))


def direct(topology: Topology, things: Sequence[Thing], kinds: Sequence[str] = ()) -> Direct:
    """Return the links of these kinds (of all but PCIe, if none are named) between the things."""
    place = {thing.id: at for at, thing in enumerate(things)}
    found: dict[Pair, list[Link]] = {}
    for link in topology.fold(place) if len(place) > 1 else ():
        if link.kind in kinds if kinds else link.kind not in NOT_DIRECT:
            a, b = sorted((place[link.source], place[link.target]))
            if a != b:
                found.setdefault((a, b), []).append(link)
    joints = {pair: tuple(found[pair]) for pair in sorted(found)}
    return Direct(things=tuple(things), joints=joints)


def of_block(block: Block, scope: Scope) -> Direct:
    """Return what a block of the views mesh or torus shows."""
    words = block.of or ("gpu",)
    hidden = {thing.id for thing in pick(scope.topology, scope.roots, block.hide)} if block.hide else set()
    things = [thing for thing in pick(scope.topology, scope.roots, words) if thing.id not in hidden]
    kinds = block.options.get("kind", ())
    return direct(scope.topology, things, (kinds,) if isinstance(kinds, str) else tuple(kinds))


def marks(things: Sequence[Thing]) -> tuple[str, ...]:
    """Return the shortest words that tell things apart: their numbers, with those of what holds them if they must.

    Things without numbers have their own names if these are short, else their places.

    >>> marks([])
    ()
    """
    numbers = [thing.index if thing.name == f"{thing.group}{thing.index}" else None for thing in things]
    if None not in numbers and len(set(numbers)) == len(things):
        return tuple(str(number) for number in numbers)
    inner = [f"{thing.parent.index}.{number}" for thing, number in zip(things, numbers, strict=True) if thing.parent]
    if not any("None" in word for word in inner) and len(set(inner)) == len(things):
        return tuple(inner)
    short = [thing.name for thing in things]
    if len(set(short)) == len(short) and max(map(len, short), default=0) <= 2:
        return tuple(short)
    return tuple(str(place) for place in range(len(things)))


def names(things: Sequence[Thing], lang: str = "en") -> tuple[str, ...]:
    """Return the words for a roomy box: ``GPU 0``, or the thing's own name; ``GPU 1.0`` if two are called alike."""
    called = [name(thing, lang) for thing in things]
    if len(set(called)) == len(called):
        return tuple(called)
    return tuple(f"GPU {mark}" for mark in marks(things))


def numbered(things: Sequence[Thing]) -> bool:
    """Return whether all things have numbers, so that these can stand for their names."""
    return all(thing.index is not None for thing in things)
