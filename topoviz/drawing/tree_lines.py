"""One or two trees over a row of ranks: the first grows up from it, the second down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.look import SPARE
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.tree_levels import Place, places
from topoviz.model.topology import Route

SIGN = 24.0  # height of a rank
DISC = 9.0  # radius of the mark where a rank adds
CROWDED = 24.0  # between two ranks that have no room for their numbers
PITCH = 34.0  # between two levels
FIRST = 38.0  # from the middle of the row to the lowest level
WORDS = 34.0  # room for the name of a tree, beyond its root
TOKEN = "ring.a"  # partial sums, in every figure of an algorithm


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The ranks in a row: where each stands, and what is written on it."""

    members: tuple[str, ...]
    labels: tuple[str, ...]
    pitch: float
    y: float

    def x(self, column: int) -> float:
        return self.pitch * (column + 0.5)

    @property
    def sign(self) -> float:
        return min(34.0, 0.7 * self.pitch if self.crowded else self.pitch - 4)

    @property
    def crowded(self) -> bool:
        """Return whether there is no room for what is written on the ranks."""
        return self.pitch < CROWDED

    @property
    def disc(self) -> float:
        return min(DISC, 0.36 * self.pitch) if self.crowded else DISC


def trees(
    scope: Scope, routes: Sequence[Route], members: Sequence[str], labels: Sequence[str], width: float, *, total: int
) -> Drawing:
    """Return the ranks with one or two trees over and under them; lines point to where the sum is made.

    ``total`` is how many trees there are, drawn or not: each has an equal part of the data.
    """
    pitch = min(48.0, width / len(members))
    forests = [places(route, members) for route in routes]
    deep = [FIRST + PITCH * (max((place.level for place in one), default=1) - 1) + DISC for one in forests]
    y = deep[0] + WORDS
    row = Row(members=tuple(members), labels=tuple(labels), pitch=pitch, y=y)
    items: list[Item] = []
    texts: list[Text] = []
    for number, (route, forest) in enumerate(zip(routes, forests, strict=True)):
        items.extend(_tree(route, forest, row, -1 if number == 0 else 1))
        edge = y - deep[0] - 16 if number == 0 else y + deep[1] + 24
        names = (_called(scope, route, number), _part(scope, route.count, total))
        texts.extend(_name(names, edge, max(pitch * len(members), min(width, _wide(names)))))
    items.extend(_signs(row))
    below = deep[1] + WORDS - 2 if len(routes) > 1 else SIGN / 2
    wide = max(pitch * len(members), *(text.x + type_setting.width(text.content, 12, bold=text.bold) for text in texts))
    return Drawing(width=wide, height=y + below, items=(*items, *free_text(texts)))


def _signs(row: Row) -> Iterator[Item]:
    fit = all(type_setting.width(label, 12, bold=True) <= row.sign - 2 * SPARE for label in row.labels)
    for column, (member, label) in enumerate(zip(row.members, row.labels, strict=True)):
        x = row.x(column) - row.sign / 2
        yield glyphs.gpu(member, x, row.y - SIGN / 2, row.sign, SIGN, label if fit else "", tooltip=member)


def _called(scope: Scope, route: Route, number: int) -> str:
    """Return what a tree is called: as a planner numbers it, else by the name that the document gives."""
    if route.name in {"", f"tree {number}"}:
        return fields.say(scope, "tree {number}", numbers={"number": str(number)})
    return route.name


def _part(scope: Scope, count: int, total: int) -> str:
    """Return which part of the data goes over a tree, or over so many equal ones."""
    part = Fraction(count, total)
    known = {Fraction(1): "all of the data", Fraction(1, 2): "half of the data"}
    return fields.say(scope, known.get(part, "{share} of the data"), numbers={"share": str(part)})


def _wide(names: tuple[str, str]) -> float:
    return type_setting.width(names[0], 12, bold=True) + 9 + type_setting.width(names[1], 12)


def _name(names: tuple[str, str], y: float, width: float) -> Iterator[Text]:
    """Yield the name of a tree and its part of the data, in one line at the far side of its root."""
    share = names[1]
    aside = type_setting.width(share, 12) + 8
    name, _ = type_setting.fit(names[0], max(width / 2, width - aside), 12, bold=True)
    yield Text(x=0, y=y, content=name, size=12, bold=True)
    room = width - type_setting.width(name, 12, bold=True) - 8
    content, size = type_setting.fit(share, room, 12)
    yield Text(x=width - room, y=y, content=content, size=size, fill="ink2")


def _tree(route: Route, forest: Sequence[Place], row: Row, side: int) -> Iterator[Item]:
    at = {place.node: place for place in forest}
    stems = tuple(
        Line(
            points=((row.x(p.column), row.y + side * SIGN / 2), (row.x(p.column), _y(row, p, side))),
            stroke="ghost",
            width=1 if row.crowded else 2,
        )
        for p in forest
    )
    edges = tuple(_edge(row, place, at[place.parent], side) for place in forest if place.parent in at)
    discs = tuple(shape for place in forest for shape in _disc(row, place, side))
    of = tuple(place.node for place in forest)
    yield Item(role="decor", layer="enclosure", shapes=stems, of=of)
    yield Item(
        role="route",
        layer="route",
        kind="route",
        shapes=(*edges, *discs),
        data=(("route", route.name),),
        title=_told(route.name, forest, at),
        of=of,
    )


def _told(name: str, forest: Sequence[Place], at: Mapping[str, Place]) -> str:
    pairs = [f"{place.node} → {place.parent}" for place in forest if place.parent in at]
    return f"{name}: {', '.join(pairs)}"


def _y(row: Row, place: Place, side: int) -> float:
    return row.y + side * (FIRST + PITCH * (place.level - 1))


def _edge(row: Row, child: Place, parent: Place, side: int) -> Line:
    """Return the line from a child up its own column to the level of its parent, then across."""
    x, to = row.x(child.column), row.x(parent.column)
    y = _y(row, parent, side)
    stop = to + (-row.disc if x < to else row.disc)
    points = ((x, _y(row, child, side) + side * row.disc), (x, y), (stop, y))
    return Line(points=points, stroke=TOKEN, width=2.5, radius=6, end="arrow", tip=min(8.0, 0.8 * row.pitch))


def _disc(row: Row, place: Place, side: int) -> tuple[Shape, ...]:
    x, y = row.x(place.column), _y(row, place, side)
    radius = row.disc
    disc = Box(x=x - radius, y=y - radius, width=2 * radius, height=2 * radius, shape="disc", fill=TOKEN)
    if row.crowded:
        return (disc,)
    label = row.labels[place.column]
    return (disc, Text(x=x, y=y + 4.3, content=label, size=12, bold=True, anchor="middle", fill="ring.text"))
