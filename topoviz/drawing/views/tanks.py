"""What fills the memory of GPUs: the parts of a model as a bar, then poured into GPUs drawn as tanks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from topoviz.drawing import memory_words, state_bar, tank, tank_groups
from topoviz.drawing import text as type_setting
from topoviz.drawing.columns import equal
from topoviz.drawing.compose import NOTHING, below, beside, free_text, hairline
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import fill
from topoviz.drawing.panels import scopes
from topoviz.drawing.scene import Drawing, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.tank import Scale
from topoviz.drawing.tank_groups import MOST, Group
from topoviz.model.findings import MemoryFit, MemoryUse

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "ticks": "GB between two ticks",
        "per_row": "how many tanks in a row",
    }
)
HIGHEST = 170.0  # u of the largest memory
MOST_PER_GB = 1.4  # u
CLOSEST = 6.0  # u between two ticks
BETWEEN = 22.0
APART, MOST_APART = 28.0, 90.0  # between groups
Made: TypeAlias = "tuple[Drawing, Sequence[Sequence[Group]], Sequence[memory_words.Fact]]"


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return a section for each use: what it needs, the tanks, the division; nothing without a model.

    All tanks are in one scale. With panels the GPUs of each panel stand beside each other.
    """
    fits = [panel.findings.memory for panel in scopes(scope) if panel.findings.memory is not None]
    if not fits:
        return NOTHING
    per_row = int(block.options.get("per_row", MOST))
    made = [_groups(use, fits, width, scope.lang, per_row) for use in fits[0].uses]
    drawn = [group for rows, _ in made for row in rows for group in row]
    scale = _scale(drawn, float(block.options.get("ticks", 10) or 10), scope.lang)
    sections: list[Drawing] = []
    for use, (rows, shown) in zip(fits[0].uses, made, strict=True):
        line = (Drawing(width=width, height=1, items=(hairline(width, 0),)),) if sections else ()
        facts = memory_words.facts(fits[0], use, [one for one in fits[1:] if one not in shown], scope.lang)
        head = _head(fits[0], use, width, scale, first=not sections)
        sections.extend((*line, _section(use, (head, rows, facts), width, scale)))
    gaps = [BETWEEN if piece.height == 1 else 14.0 for piece in sections[1:]]
    return below(sections, gaps)


def _scale(drawn: Sequence[Group], gb: float, lang: str) -> Scale:
    """Return one scale for the whole picture; ticks that would stand too close are left out."""
    largest = max(one.size for group in drawn for one in group.tanks)
    per_byte = min(MOST_PER_GB / 1e9, HIGHEST / largest)
    fit = (gb * 1e9 * factor for factor in (1, 2, 5, 10, 20, 50, 100))
    tick = next((one for one in fit if one * per_byte >= CLOSEST), largest)
    return Scale(per_byte=per_byte, tick=tick, lang=lang)


def _section(use: MemoryUse, made: Made, width: float, scale: Scale) -> Drawing:
    head, rows, facts = made
    pieces, gaps = [head], []
    if len(use.fillings) > 1:
        pieces.append(state_bar.draw(use.fillings, width, scale.lang))
        gaps.append(12.0)
    for row in rows:
        pieces.append(_row(row, width, scale))
        gaps.append(10.0)
    if facts:
        pieces.append(_facts(facts, width))
        gaps.append(16.0)
    return below(pieces, gaps)


def _head(memory: MemoryFit, use: MemoryUse, width: float, scale: Scale, *, first: bool) -> Drawing:
    lang = scale.lang
    tick = fill("one tick is {value}", {"value": f"{scale.tick / 1e9:g} GB"}, lang)
    head, size = type_setting.fit(memory_words.head(use, lang), width, 15, bold=True)
    said, small = type_setting.fit(memory_words.sum_of(memory, use, lang), width - 120, 13)
    texts = [
        Text(x=0, y=14, content=head, size=size, bold=True),
        Text(x=0, y=35, content=said, size=small, fill="ink2"),
    ]
    if first:
        texts.append(Text(x=width, y=35, content=tick, size=12, fill="ink2", anchor="end"))
    return Drawing(width=width, height=40, items=free_text(texts))


def _groups(
    use: MemoryUse, fits: Sequence[MemoryFit], width: float, lang: str, per_row: int
) -> tuple[list[list[Group]], list[MemoryFit]]:
    """Return the rows of groups, and whose GPUs are drawn in them; the others are told in words."""
    memory = fits[0]
    if memory.gpus > 1:
        return [[one] for one in tank_groups.rows_of(tank_groups.of_machine(memory, use, lang), per_row)], [memory]
    if use.gpus_at_least > tank_groups.FEW:
        many = tank_groups.counted(memory, use, lang, rooms=True)
        return [[one] for one in tank_groups.rows_of(many, per_row)], [memory]
    first = [] if use.gpus_at_least == 1 else [tank_groups.of_machine(memory, use, lang)]
    found, shown = [*first, tank_groups.counted(memory, use, lang)], [memory]
    for other in fits[1:]:
        same = next((one for one in other.uses if one.use == use.use), None)
        if same is not None and other.gpus == 1 and same.gpus_at_least <= tank_groups.FEW:
            found.append(tank_groups.counted(other, same, lang))
            shown.append(other)
    rows: list[list[Group]] = []
    for group in found:
        if rows and sum(one.width() + APART for one in rows[-1]) + group.width() <= width:
            rows[-1].append(group)
        else:
            rows.append([group])
    return rows, shown


def _row(groups: Sequence[Group], width: float, scale: Scale) -> Drawing:
    """Return groups side by side, all tanks on one line; what is left of the width stands between them."""
    high = max(
        scale.high(one.size) + tank.surplus(one, scale) + (6 if one.count > 1 else 1)
        for group in groups
        for one in group.tanks
    )
    if len(groups) == 1:
        return tank_groups.draw(groups[0], width, scale, high)
    widths = [group.width() for group in groups]
    between = min(MOST_APART, (width - sum(widths)) / (len(groups) - 1))
    lefts = [sum(widths[:i]) + between * i for i in range(len(groups))]
    return beside([tank_groups.draw(one, room, scale, high) for one, room in zip(groups, widths, strict=True)], lefts)


def _facts(facts: Sequence[memory_words.Fact], width: float) -> Drawing:
    texts: list[Text] = []
    if len(facts) == 1:
        (head, *lines), comma = facts[0], 8.0
        said, size = type_setting.fit(", ".join(lines), width - type_setting.width(head, 13, bold=True) - comma, 12)
        texts = [Text(x=0, y=22, content=head, bold=True)]
        texts.append(
            Text(x=type_setting.width(head, 13, bold=True) + comma, y=22, content=said, size=size, fill="ink2")
        )
        return Drawing(width=width, height=26, items=(hairline(width, 0), *free_text(texts)))
    for (x, room), (head, *lines) in zip(equal(width, len(facts)), facts, strict=True):
        content, size = type_setting.fit(head, room, 13, bold=True)
        texts.append(Text(x=x, y=22, content=content, size=size, bold=True))
        for i, line in enumerate(lines):
            said, small = type_setting.fit(line, room, 12)
            texts.append(Text(x=x, y=41 + 17 * i, content=said, size=small, fill="ink2"))
    high = max(text.y for text in texts) + 4
    return Drawing(width=width, height=high, items=(hairline(width, 0), *free_text(texts)))
