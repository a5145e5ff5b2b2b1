"""A path stop by stop: every thing that it passes, from top to bottom, with the arrows of the route between them.

::

    [GPU]   GPU 0, node 0
      |
    [SW]    SW 0, node 0
      v
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.by_kind import Place, glyph_of
from topoviz.drawing.compose import free_text
from topoviz.drawing.messages import say_text
from topoviz.drawing.pairs import name
from topoviz.drawing.scene import Drawing, Item, Line, Text

if TYPE_CHECKING:
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Route, Thing, Topology

MOST = 20  # stops; a longer route is told by another view
SIGN, HIGH, PITCH = 40.0, 20.0, 36.0
BESIDE = 10.0  # from a sign to its name


@dataclass(frozen=True, slots=True)
class Stop:
    """A thing on the way, or all chips of a fabric that a hop is spread over."""

    things: tuple[Thing, ...]


def stops(topology: Topology, route: Route) -> tuple[Stop, ...]:
    """Return what a path passes, in order, its members included."""
    ids = [route.nodes[0]]
    for hop in route.hops:
        ids += [*hop.via, hop.target]
    found: list[Stop] = []
    for one in ids:
        thing = topology.thing(one)
        if len(found) > 1 and one not in route.nodes and _beside(topology, found[-2], found[-1], thing):
            found[-1] = Stop((*found[-1].things, thing))
        else:
            found.append(Stop((thing,)))
    return tuple(found)


def _beside(topology: Topology, before: Stop, last: Stop, thing: Thing) -> bool:
    """Return whether a thing is one more of the chips that the hop is spread over, and not the next on the way."""
    alike = last.things[0].kind == thing.kind and last.things[0].parent == thing.parent
    return alike and any(thing.id in {link.source, link.target} for link in topology.links_at(before.things[0].id))


def draw(scope: Scope, route: Route, width: float, token: str) -> Drawing:
    """Return the path; empty if it has more stops than a reader follows."""
    found = stops(scope.topology, route)
    if len(found) > MOST:
        return Drawing(width=0, height=0)
    signs = [_sign(scope, stop, i * PITCH) for i, stop in enumerate(found)]
    names = [_words(scope, stop, i * PITCH, width) for i, stop in enumerate(found)]
    ids = tuple(thing.id for stop in found for thing in stop.things)
    way = Item(
        role="route",
        layer="route",
        shapes=tuple(_arrows(len(found), token)),
        kind=route.shape,
        data=(("route", route.name),),
        title=f"{route.name}: {' → '.join(route.nodes)}",
        of=ids,
    )
    used = SIGN + BESIDE + max(type_setting.width(one.content, 13) for one in names)
    high = PITCH * (len(found) - 1) + HIGH
    return Drawing(width=used, height=high, items=(*signs, way, *free_text(names)))


def _sign(scope: Scope, stop: Stop, y: float) -> Item:
    place = Place(x=0, y=y, width=SIGN, height=HIGH)
    sign = glyph_of(stop.things[0], place, "", lang=scope.lang, side="none")
    return replace(sign, data=(*sign.data, ("count", str(len(stop.things))))) if len(stop.things) > 1 else sign


def _words(scope: Scope, stop: Stop, y: float, width: float) -> Text:
    """Return what a stop is called, and what it stands in."""
    thing = stop.things[0]
    own = name(thing, scope.lang)
    if len(stop.things) > 1:
        own = f"{len(stop.things)} × {say_text(thing.title, scope.lang) or own}"
    inside = name(thing.parent, scope.lang) if thing.parent is not None and thing.parent.id else ""
    said = f"{own}, {inside}" if inside else own
    room = width - SIGN - BESIDE
    return Text(x=SIGN + BESIDE, y=y + HIGH / 2 + 4.6, content=type_setting.fit(said, room, 13)[0])


def _arrows(count: int, token: str) -> Iterator[Line]:
    for i in range(count - 1):
        y = i * PITCH + HIGH
        yield Line(
            points=((SIGN / 2, y + 1), (SIGN / 2, y + PITCH - HIGH - 2)), stroke=token, width=3, end="arrow", tip=9
        )
