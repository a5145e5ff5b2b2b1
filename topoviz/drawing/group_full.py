"""Hulls in full: one row for each copy, one column for each stage, with words on what runs between them."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.drawing import group_arrows, group_hull, group_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.group_hull import Placed, Style
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Drawing, Item, Text

GUTTER = 96.0
BESIDE, CLOSE = 96.0, 64.0  # between two columns; between three and more
FOLDED_ROW, FOLDED_COLUMN = 44.0, 76.0
HEAD = 30.0
PAIRS = "×{count}: arrows of {count} pairs of ranks"
UNDER = 20.0  # for the line that says what the numbers are
SECOND = {"dp": "own batch", "fsdp": "own shard", "cp": "own tokens"}


def draw(style: Style, width: float) -> Drawing:
    """Return the board, as wide as it may be; a single hull no wider than it needs."""
    board = style.board
    columns = _columns(style, width)
    head = HEAD if board.columns else 0.0
    items: list[Item] = list(_heads(style, columns)) if board.columns else []
    y = head
    placed: list[list[Placed]] = []
    for position, row in enumerate(board.shown_rows):
        if row is None:
            items.extend(_folded_row(style, y, width))
            y += FOLDED_ROW
            continue
        hulls = [(x, w, None if c is None else board.hull(row, c)) for c, (x, w) in columns]
        tall = max(group_hull.height(style, hull) for _, _, hull in hulls if hull is not None)
        line = [group_hull.draw(style, hull, x, y, w, tall) for x, w, hull in hulls if hull is not None]
        items.extend(item for one in line for item in one.items)
        items.extend(_row_head(style, row, y + tall / 2))
        items.extend(_beside(style, line, columns))
        placed.append(line)
        y += tall
        following = board.shown_rows[position + 1 : position + 2]
        if following and following[0] is not None:
            y += group_arrows.height_between(board.rows, line[0].box.width, style.scope.lang)
    items.extend(_between(style, placed))
    said = group_hull.numbers(style, placed[0][0].box.width)
    if said:
        y += UNDER
        items.extend(free_text([Text(x=placed[0][0].box.x, y=y - 3, content=said, size=12, fill="ink2")]))
    return Drawing(width=width, height=y, items=tuple(items), notes=_notes(style))


def _columns(style: Style, width: float) -> list[tuple[int | None, tuple[float, float]]]:
    """Return each column with its left edge and width; None for those that are folded."""
    board = style.board
    shown = board.shown_columns
    left = GUTTER if board.rows else 0.0
    gap = BESIDE if len(shown) <= 2 else CLOSE
    hulls = sum(one is not None for one in shown)
    fold = FOLDED_COLUMN if None in shown else 0.0
    gaps = sum(a is not None and b is not None for a, b in zip(shown, shown[1:], strict=False))
    wide = (width - left - gap * gaps - fold) / hulls
    if hulls == 1 and not board.rows:
        wide = min(wide, 640.0)
        left = (width - wide) / 2
    out: list[tuple[int | None, tuple[float, float]]] = []
    x = left
    for position, column in enumerate(shown):
        room = wide if column is not None else FOLDED_COLUMN
        out.append((column, (x, room)))
        following = shown[position + 1] if position + 1 < len(shown) else None
        x += room + (gap if column is not None and following is not None else 0)
    return out


def place(style: Style, kind: str, number: int) -> str:
    """Return what a row or a column is called: ``Stage 0``, ``Replica 1``."""
    return fill(group_words.PLACE[kind], {"number": str(number)}, style.scope.lang)


def layers(style: Style, stage: int) -> str:
    """Return the layers of a stage, if the model says how many there are and they divide evenly."""
    count, stages = style.scope.topology.spec.model.get("layers"), style.board.plan.grid.along("pp")
    if not count or count % stages:
        return ""
    each = count // stages
    said = group_words.ranks(tuple(range(stage * each, (stage + 1) * each)))
    return fill("layers {ranks}", {"ranks": said}, style.scope.lang)


def _heads(style: Style, columns: Sequence[tuple[int | None, tuple[float, float]]]) -> tuple[Item, ...]:
    kind, texts = style.board.columns, []
    for column, (x, room) in columns:
        if column is None:
            count = style.board.across - sum(one is not None for one, _ in columns)
            lines = type_setting.wrap(_more(style, kind, count), room - 8, 12, 3)
            texts += [
                Text(x=x + room / 2, y=HEAD + 36 + 15 * i, content=line, size=12, anchor="middle", fill="ink2")
                for i, line in enumerate(lines)
            ]
            texts.append(
                Text(x=x + room / 2, y=HEAD + 20, content="…", size=20, bold=True, anchor="middle", fill="ink2")
            )
            continue
        name = place(style, kind, column)
        if kind == "pp" and room > 200:
            name = fill("Pipeline stage {number}", {"number": str(column)}, style.scope.lang)
        said = f"{name}: {layers(style, column)}" if kind == "pp" and layers(style, column) else name
        content, size = type_setting.fit(said, room, 15, bold=True)
        texts.append(Text(x=x + room / 2, y=16, content=content, size=size, bold=True, anchor="middle"))
    return free_text(texts)


def _more(style: Style, kind: str, count: int) -> str:
    return fill(group_words.MORE[kind], {"count": f"{count:,}"}, style.scope.lang)


def _row_head(style: Style, row: int, middle: float) -> tuple[Item, ...]:
    kind = style.board.rows
    if not kind:
        return ()
    said = layers(style, row) if kind == "pp" else message(SECOND.get(kind, ""), style.scope.lang)
    names = type_setting.wrap(place(style, kind, row), GUTTER - 14, 14, 2, bold=True)
    more = type_setting.wrap(said, GUTTER - 14, 12, 2) if said else ()
    top = middle + 5 - (7 if said else 0) - 8 * (len(names) - 1)
    under = top + 17 * len(names)
    texts = [
        *(
            Text(x=GUTTER - 14, y=top + 17 * i, content=line, size=14, bold=True, anchor="end")
            for i, line in enumerate(names)
        ),
        *(
            Text(x=GUTTER - 14, y=under + 15 * i, content=line, size=12, anchor="end", fill="ink2")
            for i, line in enumerate(more)
        ),
    ]
    return free_text(texts)


def _folded_row(style: Style, y: float, width: float) -> tuple[Item, ...]:
    count = style.board.down - sum(row is not None for row in style.board.shown_rows)
    said = f"⋮  {_more(style, style.board.rows, count)}"
    text = Text(x=(GUTTER + width) / 2, y=y + FOLDED_ROW / 2 + 5, content=said, anchor="middle", fill="ink2")
    return free_text([text])


def _beside(
    style: Style, line: Sequence[Placed], columns: Sequence[tuple[int | None, tuple[float, float]]]
) -> tuple[Item, ...]:
    """Return the arrows between neighbouring columns of one row."""
    kind = style.board.columns
    items: list[Item] = []
    for a, b in zip(line, line[1:], strict=False):
        if kind and b.hull.column == a.hull.column + 1 and len(columns) > 1:
            span = (a.box.x + a.box.width, b.box.x)
            middle = a.box.y + a.box.height / 2
            items.extend(group_arrows.beside(kind, span, middle, len(a.hull.ranks), style.scope.lang))
    return tuple(items)


def _between(style: Style, placed: Sequence[Sequence[Placed]]) -> tuple[Item, ...]:
    """Return the arrows between neighbouring rows."""
    kind = style.board.rows
    items: list[Item] = []
    for above, below in zip(placed, placed[1:], strict=False):
        for a, b in zip(above, below, strict=True):
            if kind and b.hull.row == a.hull.row + 1:
                span = (a.box.y + a.box.height, b.box.y)
                room = (a.box.x, a.box.x + a.box.width)
                counted = _counted(style, kind, a.hull.ranks)
                items.extend(group_arrows.between_rows(kind, counted, b.top, span, room, style.scope.lang))
    return tuple(items)


def _counted(style: Style, kind: str, ranks: Sequence[int]) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Return how many groups of a kind have ranks in a hull, and the degrees of one: gradients are summed over cp too."""
    grid, row = style.board.plan.grid, style.board.plan.of(kind)
    axes = row.axes if row is not None else ((kind, grid.along(kind)),)
    along = {axis for axis, _ in axes}
    apart = {tuple(place for axis, place in grid.place(rank).items() if axis not in along) for rank in ranks}
    return len(apart), axes


def _notes(style: Style) -> tuple[str, ...]:
    """Return the notes of a board in full."""
    board = style.board
    switches = any("nvswitch" in tier.show for tier in style.block.tiers)
    return notes(style, switches=switches, arrows=board.size if board.columns and len(board.shown_columns) > 1 else 0)


def notes(style: Style, *, switches: bool, arrows: int) -> tuple[str, ...]:
    """Return what is not drawn of the machine, and what an arrow for so many pairs stands for, for the caption."""
    inside = style.scope.topology.root.assembly.counts
    kinds = [kind for kind in ("cpu", "pcie", "nic", "dpu", "nvswitch", "switch") if inside.get(kind)]
    left = (f"left-out: {inside[kind]} {kind}" for kind in kinds if kind != "nvswitch" or not switches)
    said = fill(PAIRS, {"count": f"{arrows:,}"}, style.scope.lang)
    return (*left, *((f"folded: {said}",) if arrows > 1 else ()))
