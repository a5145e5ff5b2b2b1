"""The order that a picture asks for: things by the place of their names in `order`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topoviz.model.names import written_out
from topoviz.model.selectors import pick

if TYPE_CHECKING:
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Thing


def places(scope: Scope, roots: Sequence[Thing]) -> Mapping[str, int]:
    """Return the place of each thing that `order` names, by id; empty if it names none."""
    written = [name for text in scope.request.order for name in written_out(text)]
    wanted = [thing.id for name in written for thing in pick(scope.topology, roots, name)]
    return {name: place for place, name in reversed(list(enumerate(wanted)))}


def in_order(things: Sequence[Thing], wanted: Mapping[str, int]) -> tuple[Thing, ...]:
    """Return the things, those that were named first; the rest keeps its place behind.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> gpus = [Thing(f"gpu{i}", Child(name=f"gpu{i}", group="gpu", assembly=Assembly(kind="gpu"))) for i in range(3)]
    >>> [thing.id for thing in in_order(gpus, {"gpu2": 0})]
    ['gpu2', 'gpu0', 'gpu1']
    """
    return tuple(sorted(things, key=lambda thing: wanted.get(thing.id, len(wanted))))
