"""A link is a block: one row for each panel, every link of a GPU as long as its bandwidth, all in one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from topoviz.drawing import fields, preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.compose import NOTHING, below, free_text, hairline
from topoviz.drawing.fields import of_series
from topoviz.drawing.layout import Block
from topoviz.drawing.look import fabric_of
from topoviz.drawing.messages import fill, message, say_text
from topoviz.drawing.panels import numbers, scopes
from topoviz.drawing.rows_of_fields import Field, fields_of, head_of
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import Tally

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "per": "`link`: what a block is",
        "kind": "kind of link",
        "axis": "a word for the blocks",
        "fields": "what is said: before the GPU, after its blocks, at the right end",
    }
)
DEFAULT = tuple(Field(name=name) for name in ("link", "year", "short", "rate.both", "change"))
NAMES, CHIP = 88.0, 70.0  # widths: the words at the left, the GPU
BLOCKS = NAMES + CHIP + 24.0  # left edge of the blocks
ROW, HEAD, BAR = 76.0, 26.0, 38.0
UNDER = 20.0  # for the words of a row whose blocks leave no room beside them
GAP = 1.6  # between two blocks; it counts as part of the first
AFTER = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A panel with its links of the kind; ``factor`` is 2 if both directions are counted."""

    scope: Scope
    tally: Tally | None
    before: Tally | None
    factor: int

    @property
    def rate(self) -> float:
        """Return GB/s of all links, in the directions that are counted."""
        return self.factor * (self.tally.rate.low or 0) if self.tally else 0.0

    @property
    def others(self) -> tuple[float, ...]:
        """Return what else was published of a preliminary part, in GB/s."""
        if self.tally is None:
            return ()
        part = of_series.subject(self.scope).first.assembly
        ports = (port for one in part.others for port in one if port.kind == self.tally.kind)
        sums = (self.factor * int(port.count) * port.rate.line for port in ports if port.rate.line)
        return tuple(dict.fromkeys(one for one in sums if abs(one - self.rate) > 1))


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the rows; the length of a block is what one link carries, of a row what the GPU has.

        Generation  GPU      Links of one GPU, both directions
        NVLink 4    [H100]━ ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮  900 GB/s            1.5 × the links
        2022                                    18 links × 50 GB/s

    Blocks of preliminary parts are hatched; a dashed line stands where another figure was published.
    """
    asked = fields_of(block, scope) or DEFAULT
    rows = _rows(block, scope, asked)
    longest = max((max(row.rate, *row.others, 0.0) for row in rows), default=0.0)
    if not longest:
        return NOTHING
    per_rate = (width - BLOCKS - 4) / longest
    drawn = [_row(row, asked, per_rate, width) for row in rows]
    return below([_heads(block, asked, scope.lang, width), *drawn], [0.0] * len(drawn))


def _rows(block: Block, scope: Scope, asked: Sequence[Field]) -> list[Row]:
    kind = block.options.get("kind")
    kind = kind if isinstance(kind, str) else next(iter(kind), None) if kind else None
    factor = 2 if any(field.both for field in asked) else 1
    rows: list[Row] = []
    for panel in scopes(scope):
        subject = of_series.subject(panel)
        found = subject.tally(kind) if kind else subject.main()
        rows.append(Row(scope=panel, tally=found, before=rows[-1].tally if rows else None, factor=factor))
    return rows


def _heads(block: Block, asked: Sequence[Field], lang: str, width: float) -> Drawing:
    left = next((field for field in asked if _place(field, asked) == "left"), None)
    chip = next((field for field in asked if _place(field, asked) == "chip"), None)
    axis = block.options.get("axis", "")
    words = axis if isinstance(axis, (str, Mapping)) else next(iter(axis), "")
    said = (
        (0.0, head_of(left, lang)[0] if left else "", NAMES - 6),
        (NAMES, head_of(chip, lang)[0] if chip else "", CHIP),
        (BLOCKS, say_text(words, lang), width - BLOCKS),
    )
    texts = []
    for x, words_, room in said:
        content, size = type_setting.fit(words_, room, 12)
        texts.append(Text(x=x, y=14, content=content, size=size, fill="ink2"))
    return Drawing(width=width, height=HEAD, items=free_text([text for text in texts if text.content]))


def _place(field: Field, asked: Sequence[Field]) -> str:
    """Return where a field stands: at the left, in the GPU, after the blocks, or at the right end."""
    if field.carried:
        return "amount"
    if field.name.rpartition(".")[2] in {"short", "title"}:
        return "chip"
    at = next((i for i, one in enumerate(asked) if one.carried or _is_chip(one)), len(asked))
    return "left" if asked.index(field) < at else "right"


def _is_chip(field: Field) -> bool:
    return field.name.rpartition(".")[2] in {"short", "title"}


def _said(row: Row, field: Field) -> str:
    told = {**numbers(row.scope), "change": of_series.change(row.before, row.tally, row.scope.lang)}
    return fields.say(row.scope, f"{{{field.name}}}", numbers=told)


def _row(row: Row, asked: Sequence[Field], per_rate: float, width: float) -> Drawing:
    top = (ROW - BAR) / 2
    ink = f"{fabric_of(row.tally.kind)}.text" if row.tally else "ink"
    texts = _left(row, asked, ink, top)
    boxes = _blocks(row, per_rate, top)
    links: tuple[Item, ...] = ()
    if row.tally is not None:
        token = f"{fabric_of(row.tally.kind)}.line"
        wire = Line(points=((NAMES + CHIP, ROW / 2), (BLOCKS, ROW / 2)), stroke=token, width=7)
        links = (Item(role="decor", layer="link", shapes=(wire,)),)
    amount, lower = _amount(row, asked, per_rate, top, width)
    dashed, marks = _other_figures(row, per_rate, top, lower)
    items = (
        hairline(width, 0),
        *links,
        _chip(row, asked, top),
        *((Item(role="decor", layer="device", shapes=boxes),) if boxes else ()),
        *((Item(role="decor", layer="label", shapes=dashed),) if dashed else ()),
        *free_text((*texts, *amount, *marks)),
    )
    return Drawing(width=width, height=ROW + (UNDER if lower else 0), items=items)


def _left(row: Row, asked: Sequence[Field], ink: str, top: float) -> list[Text]:
    words = [_said(row, field) for field in asked if _place(field, asked) == "left"]
    if preliminary.is_preliminary(row.scope):
        words.append(message(preliminary.WORD, row.scope.lang))
    lines = [word for word in words if word]
    first = top + BAR / 2 + 4.5 - 8 * (len(lines) - 1)
    out = []
    for i, line in enumerate(lines):
        content, size = type_setting.fit(line, NAMES - 6, 12 if i else 13, bold=not i)
        out.append(Text(x=0, y=first + 16 * i, content=content, size=size, bold=not i, fill="ink2" if i else ink))
    return out


def _chip(row: Row, asked: Sequence[Field], top: float) -> Item:
    """Return the GPU of a row, with its short name."""
    thing = of_series.subject(row.scope).first
    box = Box(x=NAMES, y=top, width=CHIP, height=BAR, radius=4, fill="gpu")
    field = next((one for one in asked if _is_chip(one)), Field(name="short"))
    content, size = type_setting.fit(_said(row, field), CHIP - 8, 13, bold=True)
    name = Text(
        x=NAMES + CHIP / 2,
        y=top + BAR / 2 + 4.7,
        content=content,
        size=size,
        bold=True,
        anchor="middle",
        fill="gpu.text",
    )
    data = (("id", f"{row.scope.number or 1}:{thing.id or thing.part}"), ("kind", thing.kind))
    return Item(role="node", layer="device", kind=thing.kind, shapes=(box, name), data=data)


def _blocks(row: Row, per_rate: float, top: float) -> tuple[Box, ...]:
    if row.tally is None or not row.rate:
        return ()
    count = max(1, round(row.tally.links[0]))
    each = row.rate / count * per_rate
    gap = GAP if each > 2.5 * GAP else each * 0.3
    fabric, open_ = fabric_of(row.tally.kind), preliminary.is_preliminary(row.scope)
    if open_:
        return tuple(
            Box(x=BLOCKS + i * each + 0.5, y=top + 0.5, width=each - gap - 0.6, height=BAR - 1,
                fill=f"{fabric}.tint", stroke=f"{fabric}.line", stroke_width=1, hatch=True)
            for i in range(count)
        )  # fmt: skip
    return tuple(
        Box(x=BLOCKS + i * each, y=top, width=each - gap, height=BAR, fill=f"{fabric}.line") for i in range(count)
    )


def _amount(row: Row, asked: Sequence[Field], per_rate: float, top: float, width: float) -> tuple[list[Text], bool]:
    """Return the words of a row, and whether they stand under its blocks."""
    lang = row.scope.lang
    if row.tally is None:
        return [Text(x=BLOCKS, y=top + BAR / 2 + 4.7, content=message("none", lang), fill="ink2")], False
    total = _number(row.rate / row.factor, row.factor, lang)
    values = {"count": f"{row.tally.links[0]:g}", "rate": _number(row.tally.one_link.low, row.factor, lang)}
    each = fill("{count} links × {rate}", values, lang)
    right = [word for field in asked if _place(field, asked) == "right" and (word := _said(row, field))]
    x = BLOCKS + row.rate * per_rate + AFTER
    need = max(type_setting.width(total, 15, bold=True), type_setting.width(each, 12))
    room = width - x - need - 12
    beside = max((type_setting.width(word, 12) for word in right), default=0)
    if room >= beside:
        texts = [
            Text(x=x, y=top + 17, content=total, size=15, bold=True),
            Text(x=x, y=top + 34, content=each, size=12, fill="ink2"),
        ]
        texts += [
            Text(x=width, y=top + 17 + 16 * i, content=word, size=12, anchor="end", fill="ink2")
            for i, word in enumerate(right)
        ]
        return texts, False
    y = top + BAR + 22
    words = " · ".join((each, *right))
    after = BLOCKS + type_setting.width(total, 15, bold=True) + AFTER
    return [
        Text(x=BLOCKS, y=y, content=total, size=15, bold=True),
        Text(x=after, y=y, content=words, size=12, fill="ink2"),
    ], True


def _other_figures(row: Row, per_rate: float, top: float, lower: bool) -> tuple[tuple[Shape, ...], tuple[Text, ...]]:  # noqa: FBT001
    """Return a dashed line and its number for every other figure that was published."""
    lines, texts = [], []
    for other in row.others:
        x = BLOCKS + other * per_rate
        end = top + BAR + 8 if lower else top + BAR + 4
        lines.append(Line(points=((x, top - 6), (x, end)), stroke="ink", width=1.5, dash=(4, 3)))
        said = _number(other / row.factor, row.factor, row.scope.lang)
        y = top + BAR + 22 if lower else top - 9
        texts.append(Text(x=x, y=y, content=said, size=12, anchor="middle", fill="ink2"))
    return tuple(lines), tuple(texts)


def _number(rate: float | None, factor: int, lang: str) -> str:
    return Bandwidth(low=rate, high=rate, both=factor == 2).number(lang)
