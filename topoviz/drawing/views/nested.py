"""Boxes in boxes: a picture of any hierarchy, for things that have no better one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.by_kind import Place, glyph_of
from topoviz.drawing.messages import fill, message
from topoviz.drawing.nest import Nest, fitting
from topoviz.drawing.nest_groups import Rule, stack_name
from topoviz.drawing.nest_lines import FAULTY, lines
from topoviz.drawing.ordered import places
from topoviz.drawing.pairs import name
from topoviz.drawing.scene import Drawing, Item
from topoviz.drawing.words import LINKS
from topoviz.model.selectors import pick

if TYPE_CHECKING:
    from topoviz.drawing.layout import Block
    from topoviz.drawing.scope import Scope
    from topoviz.model.spec import Selector
    from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = {}
GAP = 24.0  # between two roots
STACK_EDGES = 30.0  # of a stack: its two edges behind, and the room beside the words


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001 - boxes keep their shape
    """Return everything inside the roots as boxes in boxes; links that would cross boxes are counted in the notes."""
    roots = tuple(pick(scope.topology, scope.roots, block.of)) if block.of else scope.roots
    rule = _rule(block, scope)
    items: list[Item] = []
    missing: Counter[str] = Counter()
    stacked: Counter[str] = Counter()
    y = 0.0
    for root in roots:
        nest = fitting(root, width, rule)
        drawn, left = _painted(nest, max(0.0, (width - nest.width) / 2), y, scope)
        items += drawn
        missing.update(left)
        y += nest.height + GAP
        stacked.update(_stacked(nest))
    faulty = missing.pop(FAULTY, 0)
    notes = [f"left-out: {_links(count, kind, scope.lang)}" for kind, count in missing.items()]
    if faulty:  # a fault that is not drawn is told at least
        said = "among them {count} faulty" if faulty > 1 else "one of them faulty"
        notes.append(f"left-out: {fields.say(scope, said, numbers={'count': f'{faulty:,}'})}")
    notes += [f"{count:,} × {what}" for what, count in stacked.items()]
    return Drawing(width=width, height=max(0.0, y - GAP), items=tuple(items), notes=tuple(notes))


def _rule(block: Block, scope: Scope) -> Rule:
    words = [word for tier in block.tiers for word in ((tier.show,) if isinstance(tier.show, str) else tier.show)]

    def ids(selector: Selector) -> frozenset[str]:
        return frozenset(thing.id for thing in pick(scope.topology, scope.roots, selector)) if selector else frozenset()

    return Rule(
        order={word: at for at, word in enumerate(words)},
        first=places(scope, scope.roots) if scope.request.order else {},
        folded=ids(scope.request.fold),
        unfolded=ids(scope.request.unfold),
        hidden=ids(scope.request.hide) | ids(block.hide),
        lang=scope.lang,
    )


def _stacked(nest: Nest) -> Counter[str]:
    """Return what is folded into stacks, by title or kind."""
    found: Counter[str] = Counter()
    if nest.form == "stack":
        found[glyphs.words(nest.thing.title) or nest.thing.kind] += len(nest.things)
    for row in nest.rows:
        for inside in row.nests:
            found.update(_stacked(inside))
    return found


def _painted(nest: Nest, x: float, y: float, scope: Scope) -> tuple[list[Item], Counter[str]]:
    """Return the box, everything in it and the lines between, and the links that are not drawn."""
    items = [_item(nest, x, y, scope)] if nest.thing.id or nest.form != "box" else [_ground(nest, x, y)]
    drawn, missing = lines(nest, x, y) if nest.form == "box" else ((), Counter())
    items += drawn
    for row in nest.rows:
        for inside in row.nests:
            more, left = _painted(inside, x + inside.x, y + inside.y, scope)
            items += more
            missing.update(left)
    return items, missing


def _ground(nest: Nest, x: float, y: float) -> Item:
    enclosure = glyphs.enclosure("", x, y, nest.width, nest.height)
    return Item(role="decor", layer="enclosure", shapes=enclosure.shapes)


def _item(nest: Nest, x: float, y: float, scope: Scope) -> Item:
    thing, tip = nest.thing, glyphs.tooltip(nest.thing, scope.lang)
    width, height = nest.width, nest.height
    title = name(thing, scope.lang)
    if nest.form == "stack":
        count = f"{len(nest.things):,}"
        wishes = (stack_name(nest.things, scope.lang), f"× {count}", count)
        fits = (one for one in wishes if type_setting.width(one, glyphs.NAME, bold=True) + STACK_EDGES <= width)
        label = next(fits, count)
        return glyphs.stack(thing.id, x, y, width, height, label, kind=thing.kind, count=len(nest.things), tooltip=tip)
    if nest.form == "box":
        whole = _title(thing, scope.lang)
        head = whole if type_setting.width(whole, glyphs.NAME, bold=True) <= width - 20 else title
        return glyphs.enclosure(thing.id, x, y, width, height, head, kind=thing.kind, tooltip=tip, state=thing.state)
    if nest.form == "bar":
        title = stack_name(nest.things, scope.lang)
    sign = glyph_of(thing, Place(x=x, y=y, width=width, height=height), title, lang=scope.lang)
    return glyphs.opaque(sign, "surf") if nest.form == "bar" else sign


def _title(thing: Thing, lang: str) -> str:
    """Return name and title of a box: "node 3, DGX H100"."""
    own, title = name(thing, lang), glyphs.words(thing.title, lang)
    return own if not title or title in {own, thing.name} else f"{own}, {title}"


def _links(count: int, kind: str, lang: str) -> str:
    values = {"count": f"{count:,}", "link": message(LINKS.get(kind, kind), lang)}
    return fill("{count} {link} links", values, lang)
