"""Hulls as bare rows: a column is a machine, its rows are stages or copies, the same at the same height in all."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.drawing import group_arrows, group_hull, group_places, group_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.group_full import layers, notes, place
from topoviz.drawing.group_hull import Placed, Style
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Box, Drawing, Item, Text
from topoviz.drawing.scope import Scope

LEFT, RIGHT = 88.0, 80.0
LANE = 38.0  # beside the hulls of a column, for what runs between its rows
PAD = 12.0
BETWEEN = 108.0
FOLDED = 136.0
STUB = 30.0
HEAD = 44.0
APART = 8.0
BAR = 26.0
BETWEEN_ROWS = {
    "pp": "forward, back",
    "dp": "all-reduce",
    "fsdp": "weights and gradients",
    "cp": "keys and values",
    "tp": "all-reduce",
}
FOLDED_ROW = 24.0


def draw(style: Style, width: float) -> Drawing:
    """Return the columns with their hulls, arrows in lanes, and the legend at the right."""
    board = style.board
    spans = _columns(style, width)
    tops, bar, tall = _heights(style)
    items: list[Item] = []
    for column, (x, room) in spans:
        if column is None:
            items.extend(_folded_column(style, (x, room), tall))
            continue
        items.extend(_frame(style, column, (x, room), tall))
        placed = _hulls(style, column, (x, room), tops)
        items.extend(item for one in placed for item in one.items)
        if board.rows:
            items.extend(_lanes(style, placed, x + room - PAD - LANE / 2 + 2))
        if bar is not None:
            items.extend(_bar(style, placed, bar))
    items.extend(_row_heads(style, tops))
    items.extend(_across(style, spans, tops))
    legend = _legend(style, width, tops)
    items.extend(free_text(legend))
    tall = max([tall, *(text.y + 5 for text in legend)])
    return Drawing(width=width, height=tall, items=tuple(items), notes=_notes(style, bar))


def _notes(style: Style, bar: float | None) -> tuple[str, ...]:
    """Return what is not drawn, and what the arrows stand for."""
    return notes(style, switches=bar is not None, arrows=style.board.size if style.board.columns else 0)


def _columns(style: Style, width: float) -> list[tuple[int | None, tuple[float, float]]]:
    board, shown = style.board, style.board.shown_columns
    left = LEFT if board.rows else 0.0
    hulls = sum(one is not None for one in shown)
    gaps = sum(a is not None and b is not None for a, b in zip(shown, shown[1:], strict=False))
    fold = FOLDED if None in shown else 0.0
    wide = min(420.0, (width - left - RIGHT - BETWEEN * gaps - fold) / hulls)
    out: list[tuple[int | None, tuple[float, float]]] = []
    x = left
    for position, column in enumerate(shown):
        room = wide if column is not None else FOLDED
        out.append((column, (x, room)))
        following = shown[position + 1] if position + 1 < len(shown) else None
        x += room + (BETWEEN if column is not None and following is not None else 0)
    return out


def _heights(style: Style) -> tuple[list[tuple[int | None, float, float]], float | None, float]:
    """Return each row with its top and height, where the bar of the switches is, and how high all is."""
    board = style.board
    tall = group_hull.height(style, board.hull(0, 0))
    middle = (len(board.shown_rows) + 1) // 2 if _switches(style) else None
    rows: list[tuple[int | None, float, float]] = []
    y, bar = HEAD + PAD, None
    for position, row in enumerate(board.shown_rows):
        if position == middle:
            bar, y = y, y + BAR + APART
        high = tall if row is not None else FOLDED_ROW
        rows.append((row, y, high))
        y += high + APART
    if middle == len(board.shown_rows):
        bar, y = y, y + BAR + APART
    return rows, bar, y - APART + PAD


def _switches(style: Style) -> int:
    """Return how many NVSwitch chips a column has, if it is one machine with such."""
    board = style.board
    if len({board.plan.domains[rank] for rank in _ranks(style, 0)}) > 1:
        return 0
    container = board.thing(0)
    chips = [thing.assembly.counts["nvswitch"] for thing in container.chain if thing.assembly.counts.get("nvswitch")]
    return chips[-1] if chips else 0


def _ranks(style: Style, column: int) -> tuple[int, ...]:
    """Return all ranks of a column."""
    board = style.board
    grid = board.plan.grid
    kinds = [kind for kind, _ in grid.axes if kind != board.columns]
    members = grid.group_over(kinds, 0)
    step = grid.stride(board.columns) * column if board.columns else 0
    return tuple(sorted(rank + step for rank in members))


def _frame(style: Style, column: int, span: tuple[float, float], tall: float) -> tuple[Item, ...]:
    """Return the frame of a column and its head: the machine in bold, which part of the job it is, its ranks."""
    x, room = span
    board, lang = style.board, style.scope.lang
    ranks = _ranks(style, column)
    box = Box(x=x, y=HEAD, width=room, height=tall - HEAD, radius=6, fill="surf", stroke="frame", stroke_width=2)
    machine = group_places.where(board, ranks, lang)
    part = place(style, board.columns, column) if board.columns else ""
    kind = board.columns
    spread = kind != "" and machine == group_places.where(board, _ranks(style, (column + 1) % board.across), lang)
    name = part if spread else machine[:1].upper() + machine[1:] or part
    words = [machine] if spread else [part] if part and part != name else []
    if kind == "pp" and layers(style, column):
        words.append(layers(style, column))
    words.append(fill("ranks {ranks}", {"ranks": group_words.ranks(ranks)}, lang))
    second, size = type_setting.fit(("，" if lang.startswith("zh") else ", ").join(words), room, 12)
    first, large = type_setting.fit(name, room, 15, bold=True)
    texts = [
        Text(x=x, y=15, content=first, size=large, bold=True),
        Text(x=x, y=34, content=second, size=size, fill="ink2"),
    ]
    return (Item(role="decor", layer="enclosure", shapes=(box,), title=machine), *free_text(texts))


def _hulls(
    style: Style, column: int, span: tuple[float, float], tops: Sequence[tuple[int | None, float, float]]
) -> list[Placed]:
    x, room = span
    wide = room - 2 * PAD - (LANE if style.board.rows else 0)
    return [
        group_hull.draw(style, style.board.hull(row, column), x + PAD, y, wide, high)
        for row, y, high in tops
        if row is not None
    ]


def _lanes(style: Style, placed: Sequence[Placed], x: float) -> tuple[Item, ...]:
    """Return the arrows between neighbouring rows, from the middle of one hull to that of the next."""
    items: list[Item] = []
    for a, b in zip(placed, placed[1:], strict=False):
        if b.hull.row == a.hull.row + 1:
            span = (a.box.y + a.box.height / 2 + 4, b.box.y + b.box.height / 2 - 4)
            items.extend(group_arrows.in_lane(style.board.rows, x, span))
    return tuple(items)


def _bar(style: Style, placed: Sequence[Placed], y: float) -> tuple[Item, ...]:
    """Return the switches that join the whole column, as one grey bar: there, and not the subject."""
    first = placed[0].box
    said = fill("{count} NVSwitch chips", {"count": str(_switches(style))}, style.scope.lang)
    content, size = type_setting.fit(said, first.width - 26, 12)
    box = Box(
        x=first.x,
        y=y,
        width=first.width,
        height=BAR,
        shape="hexagon",
        point=9,
        fill="bg",
        stroke="frame",
        stroke_width=1,
    )
    text = Text(
        x=first.x + first.width / 2, y=y + BAR / 2 + 4.3, content=content, size=size, anchor="middle", fill="ink2"
    )
    return (Item(role="decor", layer="switch", shapes=(box, text), kind="nvswitch"),)


def _row_heads(style: Style, tops: Sequence[tuple[int | None, float, float]]) -> tuple[Item, ...]:
    kind = style.board.rows
    if not kind:
        return ()
    texts: list[Text] = []
    for row, y, high in tops:
        middle = y + high / 2
        if row is None:
            count = style.board.down - sum(one is not None for one in style.board.shown_rows)
            said = fill(group_words.MORE[kind], {"count": f"{count:,}"}, style.scope.lang)
            lines = type_setting.wrap(said, LEFT - 12, 12, 2)
            lines = (f"⋮ {said}",) if type_setting.width(f"⋮ {said}", 12) <= LEFT - 12 else lines
            start = middle + 4 - 7 * (len(lines) - 1)
            texts += [
                Text(x=LEFT - 12, y=start + 14 * i, content=line, size=12, anchor="end", fill="ink2")
                for i, line in enumerate(lines)
            ]
            continue
        second = layers(style, row) if kind == "pp" else ""
        name, size = type_setting.fit(place(style, kind, row), LEFT - 10, 13, bold=True)
        texts.append(
            Text(x=LEFT - 12, y=middle - (2 if second else -5), content=name, size=size, bold=True, anchor="end")
        )
        if second:
            texts.append(Text(x=LEFT - 12, y=middle + 14, content=second, size=12, anchor="end", fill="ink2"))
    return free_text(texts)


def _across(
    style: Style,
    spans: Sequence[tuple[int | None, tuple[float, float]]],
    tops: Sequence[tuple[int | None, float, float]],
) -> tuple[Item, ...]:
    """Return the arrows from column to column, one for each row that is drawn."""
    kind = style.board.columns
    items: list[Item] = []
    if not kind:
        return ()
    heights = [y + high / 2 for row, y, high in tops if row is not None]
    for (a, (x, room)), (b, (right, folded)) in zip(spans, spans[1:], strict=False):
        for y in heights:
            if a is not None and b is not None:
                items.extend(group_arrows.across(kind, (x + room, right), y, style.board.size))
            elif b is None:  # into what is folded, and out of it
                items.extend(group_arrows.across(kind, (right, right + STUB), y, style.board.size))
                items.extend(group_arrows.across(kind, (right + folded - STUB, right + folded), y, style.board.size))
    return tuple(items)


def _folded_column(style: Style, span: tuple[float, float], tall: float) -> tuple[Item, ...]:
    x, room = span
    board = style.board
    count = board.across - sum(one is not None for one in board.shown_columns)
    said = fill(group_words.MORE[board.columns], {"count": f"{count:,}"}, style.scope.lang)
    middle = HEAD + (tall - HEAD) / 2
    texts = [Text(x=x + room / 2, y=middle - 8, content="…", size=20, bold=True, anchor="middle", fill="ink2")]
    texts += [
        Text(x=x + room / 2, y=middle + 10 + 15 * i, content=line, size=12, anchor="middle", fill="ink2")
        for i, line in enumerate(type_setting.wrap(said, room - 2 * STUB - 8, 12, 3))
    ]
    return free_text(texts)


def _legend(style: Style, width: float, tops: Sequence[tuple[int | None, float, float]]) -> tuple[Text, ...]:
    """Return what a hull and what an arrow between rows is, at the right of the first rows."""
    board, scope = style.board, style.scope
    x = _columns(style, width)[-1][1]
    left = x[0] + x[1] + 12
    room = width - left
    if room < 60:
        return ()
    said = [(board.cell, [_in_hull(style), _numbers(style, x[1])])]
    if board.rows:
        said.append((board.rows, [message(BETWEEN_ROWS[board.rows], scope.lang), _times(scope, board.size)]))
    texts: list[Text] = []
    y = tops[0][1] + 14
    for kind, lines in said:
        inside = [one for one in board.extras if kind == board.cell]
        head = group_words.product([(one, board.plan.grid.along(one)) for one in (kind, *inside)])
        heads = type_setting.wrap(head, room, 13, 3, bold=True)
        token = group_words.hue(kind)
        texts += [Text(x=left, y=y + 17 * i, content=one, bold=True, fill=token) for i, one in enumerate(heads)]
        y += 17 * (len(heads) - 1)
        wrapped = [part for line in lines if line for part in type_setting.wrap(line, room, 12, 3)]
        texts += [Text(x=left, y=y + 17 + 15 * i, content=one, size=12, fill="ink2") for i, one in enumerate(wrapped)]
        y += 17 + 15 * len(wrapped) + 22
    return tuple(texts)


def _numbers(style: Style, room: float) -> str:
    """Return what the numbers on GPUs are, where they are not the ranks; ``room`` is the width of a column."""
    return group_hull.numbers(style, room - 2 * PAD - (LANE if style.board.rows else 0))


def _times(scope: Scope, count: int) -> str:
    return fill("×{count} each", {"count": str(count)}, scope.lang)


def _in_hull(style: Style) -> str:
    """Return what hardware a hull is: ``2 trays``, ``1 server``."""
    found = group_places.holders(style.board, style.board.hull(0, 0).ranks)
    template = {"tray": "{count} trays", "node": "{count} servers", "rack": "{count} racks"}.get(found[0].kind)
    if template is None or found[0].assembly.counts.get("gpu", 0) > style.board.size:
        return ""
    return fill(template, {"count": str(len(found))}, style.scope.lang)
