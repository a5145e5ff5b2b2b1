"""Boxes in boxes: what stands in a box, in which rows, how large it is, and what is folded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.glyphs import NAME, SMALL
from topoviz.drawing.nest_groups import LEAVES, Rule, groups, linked, members, stack_name
from topoviz.drawing.pairs import name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topoviz.model.topology import Thing

SIZES = {
    "gpu": (76.0, 42.0),
    "cpu": (112.0, 36.0),
    "pcie": (40.0, 28.0),
    "nic": (44.0, 28.0),
    "dpu": (64.0, 28.0),
    "nvswitch": (104.0, 28.0),
    "switch": (88.0, 32.0),
    "power-shelf": (104.0, 24.0),
}
OTHER = (96.0, 32.0)
LEAST = {"gpu": 30.0, "nic": 26.0, "pcie": 26.0, "switch": 46.0, "cpu": 60.0, "nvswitch": 46.0}  # narrower boxes wrap
PAD, TITLE, BETWEEN, LEVEL = 14.0, 26.0, 12.0, 30.0  # inside a box; its title; beside and below each other
BAR, BAR_PITCH, BARS = 24.0, 34.0, 6  # switches wired to everything beside them; more than six are one bar
BUDGET, SQUARE = 120, 0.9  # boxes in a picture; its height as a share of its width
BESIDE = 8.0  # between a PCIe switch and its network card


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """One box at its place inside the box around it. ``things`` are several if it is a stack."""

    things: tuple[Thing, ...]
    width: float
    height: float
    x: float = 0
    y: float = 0
    rows: tuple[Row, ...] = ()
    form: str = "leaf"  # leaf, box, stack, bar

    @property
    def thing(self) -> Thing:
        """Return the first thing that it stands for."""
        return self.things[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Boxes beside each other, or switches drawn as bars below each other."""

    nests: tuple[Nest, ...]
    width: float
    height: float
    bars: bool = False
    columns: tuple[int, ...] = ()  # how many boxes stand together in each column; empty: one


def fitting(root: Thing, width: float, rule: Rule) -> Nest:
    """Return the box of the root with as many equal boxes in full as stay within the budget.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> fitting(Thing("gpu0", Child(name="gpu0", group="gpu", assembly=Assembly(kind="gpu"))), 900, Rule()).width
    76.0
    """
    kept = measure((root,), width, replace(rule, full=1))
    for full in (2, 4, 8, 16, 40, 1000):
        more = measure((root,), width, replace(rule, full=full))
        if boxes(more) > BUDGET or more.height > SQUARE * width:
            break
        kept = more
    return kept


def boxes(nest: Nest) -> int:
    """Return how many boxes are drawn in all.

    >>> boxes(Nest(things=(), width=1, height=1))
    1
    """
    return 1 + sum(boxes(inside) for row in nest.rows for inside in row.nests)


def measure(things: tuple[Thing, ...], room: float, rule: Rule) -> Nest:
    """Return a thing, or a stack of equal things, with its size; its inside at most ``room`` wide."""
    thing = things[0]
    inside = tuple(child for child in thing.children if child.id not in rule.hidden)
    if len(things) > 1:
        return Nest(things=things, width=min(room, _stack_width(things, rule)), height=50, form="stack")
    if not inside:
        width, height = SIZES.get(thing.kind, OTHER)
        if thing.kind not in SIZES:
            width = min(room, max(60.0, type_setting.width(name(thing, rule.lang), SMALL) + 16))
        return Nest(things=things, width=width, height=height)
    if thing.id in rule.folded:
        return Nest(things=things, width=min(room, 2 + _stack_width(things, rule)), height=50, form="stack")
    rows = _rows(thing, inside, room - 2 * PAD, rule)
    title = type_setting.width(name(thing, rule.lang), NAME, bold=True) + 24 if thing.id else 0
    wide = max(title, *(row.width for row in rows))
    return _placed(Nest(things=things, width=wide + 2 * PAD, height=0, rows=rows, form="box"))


def _stack_width(things: tuple[Thing, ...], rule: Rule) -> float:
    return 40 + type_setting.width(stack_name(things, rule.lang), NAME, bold=True)


def _rows(thing: Thing, inside: tuple[Thing, ...], room: float, rule: Rule) -> tuple[Row, ...]:
    grouped = groups(inside, rule)
    wired = linked(thing)
    rows: list[Row] = []
    at = 0
    while at < len(grouped):
        group = grouped[at]
        together = _with_cards(group, grouped[at + 1 : at + 2], wired, room)
        if together:
            rows.append(together)
            at += 2
            continue
        above = grouped[at - 1] if at and not rows[-1].bars else ()
        if rows and rows[-1].bars and _reaches(grouped[at - 1], group, wired):
            rows += _wrapped(_narrowed(_measured(group, room, rule), room), room)
        elif _is_bar(group, (above, *grouped[at + 1 : at + 2]), wired):
            rows.append(_bar_row(group, rule))
        else:
            rows += _wrapped(_narrowed(_measured(group, room, rule), room), room)
        at += 1
    return tuple(rows)


def _measured(group: tuple[Thing, ...], room: float, rule: Rule) -> tuple[Nest, ...]:
    """Return the boxes of a group; narrower ones if that puts them all in one row and tears no links apart."""
    together = members(group, rule)
    nests = tuple(measure(things, room, rule) for things in together)
    share = (room - BETWEEN * (len(nests) - 1)) / len(nests)
    if all(nest.form == "leaf" for nest in nests) or sum(nest.width for nest in nests) <= share * len(nests):
        return nests
    narrow = tuple(measure(things, share, rule) for things in together)
    whole = all(
        len(one.rows) == len(other.rows) or not one.thing.assembly.links
        for one, other in zip(nests, narrow, strict=True)
    )
    return narrow if whole and all(nest.width <= share for nest in narrow) else nests


def _with_cards(
    group: tuple[Thing, ...], after: list[tuple[Thing, ...]], wired: Mapping[tuple[str, str], str], room: float
) -> Row | None:
    """Return PCIe switches with their network cards beside them, so that the next row hangs on the switches."""
    if (
        not after
        or group[0].kind != "pcie"
        or after[0][0].kind not in {"nic", "dpu"}
        or len(after[0]) + len(group) > LEAVES
    ):
        return None
    cards = {switch.name: tuple(card for card in after[0] if (card.name, switch.name) in wired) for switch in group}
    if sum(len(mine) for mine in cards.values()) != len(after[0]) or len(
        {c.name for mine in cards.values() for c in mine}
    ) != len(after[0]):
        return None
    things = tuple(thing for switch in group for thing in (switch, *cards[switch.name]))
    nests = tuple(Nest(things=(thing,), width=SIZES[thing.kind][0], height=28) for thing in things)
    sizes = tuple(1 + len(cards[switch.name]) for switch in group)
    width = sum(nest.width for nest in nests) + BESIDE * len(after[0]) + BETWEEN * (len(group) - 1)
    return Row(nests=nests, width=width, height=28, columns=sizes) if width <= room else None


def _is_bar(
    group: tuple[Thing, ...], beside: tuple[tuple[Thing, ...], ...], wired: Mapping[tuple[str, str], str]
) -> bool:
    """Return whether these are switches that reach everything in the row above or below."""
    if group[0].kind not in {"switch", "nvswitch"} or group[0].children:
        return False
    return any(_reaches(group, row, wired) for row in beside if len(row) > 1)


def _reaches(group: tuple[Thing, ...], row: tuple[Thing, ...], wired: Mapping[tuple[str, str], str]) -> bool:
    return all((one.name, other.name) in wired for one in group for other in row)


def _bar_row(group: tuple[Thing, ...], rule: Rule) -> Row:
    singles = tuple((thing,) for thing in group) if len(group) <= BARS else (group,)
    width = 32 + max(type_setting.width(stack_name(things, rule.lang), NAME, bold=True) for things in singles)
    nests = tuple(Nest(things=things, width=width, height=BAR, form="bar") for things in singles)
    return Row(nests=nests, width=width, height=BAR_PITCH * (len(nests) - 1) + BAR, bars=True)


def _narrowed(nests: tuple[Nest, ...], room: float) -> tuple[Nest, ...]:
    """Return boxes without content narrow enough to stand in one row, if they stay wide enough to be read."""
    if any(nest.form != "leaf" for nest in nests):
        return nests
    each = (room - BETWEEN * (len(nests) - 1)) / len(nests)
    least = LEAST.get(nests[0].thing.kind, nests[0].width)
    return tuple(replace(nest, width=min(nest.width, max(each, least))) for nest in nests)


def _wrapped(nests: tuple[Nest, ...], room: float) -> list[Row]:
    """Return the boxes in as few rows as fit, about equally many in each."""
    total = sum(nest.width for nest in nests) + BETWEEN * (len(nests) - 1)
    if total <= room:
        return [_row(nests)]
    widest = max(nest.width for nest in nests)
    abreast = max(1, int((room + BETWEEN) // (widest + BETWEEN)))
    lines = -(-len(nests) // abreast)
    each = -(-len(nests) // lines)
    return [_row(nests[at : at + each]) for at in range(0, len(nests), each)]


def _row(nests: tuple[Nest, ...]) -> Row:
    width = sum(nest.width for nest in nests) + BETWEEN * (len(nests) - 1)
    return Row(nests=nests, width=width, height=max(nest.height for nest in nests))


def _placed(nest: Nest) -> Nest:
    """Return the box with its rows spread over its width, and its height."""
    inner = nest.width - 2 * PAD
    y = (TITLE if nest.thing.id else 0) + PAD / 2 + 2
    rows: list[Row] = []
    for row in nest.rows:
        rows.append(_bars(row, y, inner) if row.bars else _spread(row, y, inner))
        y += row.height + LEVEL
    return replace(nest, rows=tuple(rows), height=y - LEVEL + PAD)


def _bars(row: Row, y: float, inner: float) -> Row:
    nests = tuple(replace(nest, x=PAD, y=y + BAR_PITCH * at, width=inner) for at, nest in enumerate(row.nests))
    return replace(row, nests=nests)


def _spread(row: Row, y: float, inner: float) -> Row:
    """Return the boxes of a row in columns of equal width if they fit, else with equal gaps."""
    parts = _columns(row)
    column = inner / len(parts)
    widths = [sum(nest.width for nest in part) + BESIDE * (len(part) - 1) for part in parts]
    if all(width <= column - BESIDE for width in widths):
        starts = [PAD + column * (at + 0.5) - width / 2 for at, width in enumerate(widths)]
    else:
        gap = (inner - sum(widths)) / max(1, len(parts) - 1)
        starts = [PAD + gap * at + sum(widths[:at]) for at in range(len(parts))]
    nests = [
        replace(nest, x=start + sum(before.width + BESIDE for before in part[:at]), y=y)
        for part, start in zip(parts, starts, strict=True)
        for at, nest in enumerate(part)
    ]
    return replace(row, nests=tuple(nests))


def _columns(row: Row) -> list[tuple[Nest, ...]]:
    sizes = row.columns or (1,) * len(row.nests)
    return [row.nests[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]
