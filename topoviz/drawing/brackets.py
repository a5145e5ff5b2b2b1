"""Brackets beside a rack: which things above each other are alike, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.glyphs import NAME, SMALL
from topoviz.drawing.rack import Shelf, contents
from topoviz.drawing.scene import Item, Line, Shape, Text

if TYPE_CHECKING:
    from topoviz.drawing.scope import Scope

LINE = 16.0  # from one baseline to the next
SKIPPED = 1  # so many free units do not end a run
WORTH = 2  # so many free units get a bracket
TWO_LINES = 26.0  # a run lower than this says one line only


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Equal things above each other, or free units (no shelves)."""

    bottom: int
    top: int
    shelves: tuple[Shelf, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """The words of one bracket, in lines, and the span on which they stand."""

    upper: float
    lower: float
    lines: tuple[str, ...]
    bold: bool = False
    fill: str = "ink2"
    first: int = 1  # how many of the lines are the name

    @property
    def height(self) -> float:
        """Return what the lines take, in u."""
        return LINE * len(self.lines)


def runs(shelves: tuple[Shelf, ...], height: int) -> tuple[Run, ...]:
    """Return the runs from the bottom to the top, those of free units between them.

    >>> runs((), 4)
    (Run(bottom=1, top=4, shelves=()),)
    """
    found: list[Run] = []
    for shelf in shelves:
        last = found[-1] if found else Run(bottom=0, top=0)
        if last.shelves and alike(last.shelves[-1], shelf) and shelf.unit - last.top - 1 <= SKIPPED:
            found[-1] = Run(bottom=last.bottom, top=max(last.top, shelf.top), shelves=(*last.shelves, shelf))
            continue
        if shelf.unit - last.top - 1 >= WORTH:
            found.append(Run(bottom=last.top + 1, top=shelf.unit - 1))
        found.append(Run(bottom=shelf.unit, top=shelf.top, shelves=(shelf,)))
    top = max((run.top for run in found), default=0)
    free = Run(bottom=top + 1, top=height)
    return (*found, free) if height - top >= WORTH else tuple(found)


def alike(one: Shelf, other: Shelf) -> bool:
    """Return whether two things may stand in one bracket: the same kind, part, title and group."""
    return _key(one) == _key(other)


def _key(shelf: Shelf) -> tuple[object, ...]:
    thing = shelf.thing
    return thing.kind, thing.part, str(thing.title), thing.group, thing.child.changed


def weighty(run: Run) -> bool:
    """Return whether the run is what a rack is about: it holds GPUs or NVLink switches."""
    inside = contents(run.shelves[0].thing) if run.shelves else {}
    return "gpu" in inside or "nvswitch" in inside


def is_fabric(run: Run) -> bool:
    """Return whether the run is of NVLink switches."""
    inside = contents(run.shelves[0].thing) if run.shelves else {}
    return "nvswitch" in inside and "gpu" not in inside


def said(run: Run, templates: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """Return the filled templates; only the first for things that hold nothing."""
    things = tuple(shelf.thing for shelf in run.shelves)
    wanted = templates if things[0].children else templates[:1]
    told = (one for one in wanted if fields.answers(scope, one, things=things))
    return tuple(text for template in told if (text := fields.say(scope, template, things=things)))


def saying(run: Run, span: tuple[float, float], words: tuple[str, ...], room: float) -> Saying:
    """Return the words of a run in lines that are at most ``room`` wide.

    >>> run = Run(bottom=1, top=4)
    >>> saying(run, (0, 46), ("free",), 100).lines
    ('free',)
    """
    upper, lower = span
    bold = weighty(run)
    if not run.shelves:
        lines = type_setting.wrap(" ".join(words), room, SMALL, 2)
        return Saying(upper=upper, lower=lower, lines=lines, fill="ink3", first=len(lines))
    name = type_setting.wrap(words[0], room, NAME if bold else SMALL, 2, bold=bold) if words else ()
    more = tuple(line for text in words[1:] for line in type_setting.wrap(text, room, SMALL, 2))
    fill = "nvlink.text" if is_fabric(run) else ("ink" if bold else "ink2")
    lines = (*name, *more) if lower - upper >= TWO_LINES else name
    return Saying(upper=upper, lower=lower, lines=lines, bold=bold, fill=fill, first=len(name))


def spread(sayings: tuple[Saying, ...], height: float) -> tuple[float, ...]:
    """Return the upper edge of each text, from top to bottom: beside its bracket, and never on another.

    >>> one = Saying(upper=0, lower=10, lines=("a",))
    >>> spread((one, one), 100)
    (-3.0, 13.0)
    """
    tops: list[float] = []
    for one in sayings:
        wanted = (one.upper + one.lower - one.height) / 2
        tops.append(max(wanted, tops[-1] + sayings[len(tops) - 1].height) if tops else wanted)
    limit = height
    for at in range(len(tops) - 1, -1, -1):
        tops[at] = min(tops[at], limit - sayings[at].height)
        limit = tops[at]
    return tuple(tops)


def item(sayings: tuple[Saying, ...], x: float, height: float) -> Item:
    """Return all brackets with their words, as one label; ``x`` is where the brackets begin."""
    tops = spread(sayings, height)
    shapes: list[Shape] = []
    for one, top in zip(sayings, tops, strict=True):
        points = ((x, one.upper), (x + 5, one.upper), (x + 5, one.lower), (x, one.lower))
        shapes.append(Line(points=points, stroke="hair" if one.fill == "ink3" else "frame", width=1))
        shapes += _texts(one, x + 12, top)
    return Item(role="label", layer="label", shapes=tuple(shapes))


def _texts(one: Saying, x: float, top: float) -> tuple[Text, ...]:
    return tuple(
        Text(
            x=x,
            y=top + LINE * at + LINE / 2 + 4.4,
            content=line,
            size=NAME if one.bold and at < one.first else SMALL,
            bold=one.bold and at < one.first,
            fill=one.fill if at < one.first else "ink2",
        )
        for at, line in enumerate(one.lines)
    )
