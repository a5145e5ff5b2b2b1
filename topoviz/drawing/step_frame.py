"""One frame of a ring's bookkeeping: the grid of cells, what is in them, and the chunk on its way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.chunk_states import Frame
from topoviz.drawing.compose import below, beside, free_text
from topoviz.drawing.scene import Box, Cells, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope

LEFT = 52.0  # room for the signs of the GPUs
EDGE = 12.0
LARGEST = 34.0  # a cell
APART = 5.0  # between two columns
BETWEEN = 15.0  # between two rows: room for the arrow
TOP = 44.0  # room for the numbers of the chunks and for what comes in from the last row
BOTTOM = 19.0
INSET = 3.0  # from the outline of a cell to what is in it
PARTIAL, FULL = "ring.a", "gpu"
SHARED = 8  # members who have a place of their own in a cell; of more only the number is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A frame as wide as ``width`` for so many members, with the label of each."""

    width: float
    members: int
    labels: tuple[str, ...]

    @property
    def cell(self) -> float:
        """Return the side of a cell."""
        return min(LARGEST, (self.width - LEFT - EDGE) / self.members - APART)

    @property
    def height(self) -> float:
        return TOP + self.members * (self.cell + BETWEEN) - BETWEEN + BOTTOM

    @property
    def xs(self) -> tuple[float, ...]:
        return tuple(LEFT + i * (self.cell + APART) for i in range(self.members))

    @property
    def ys(self) -> tuple[float, ...]:
        return tuple(TOP + i * (self.cell + BETWEEN) for i in range(self.members))

    @property
    def places(self) -> tuple[int, int]:
        """Return rows and columns of the places inside a cell, one for each member."""
        if self.members <= 3 or self.members > SHARED:
            return 1, self.members
        return 2, ceil(self.members / 2)


def drawn(frame: Frame, grid: Grid) -> Drawing:
    """Return the frame: a plate, the signs of the GPUs, the cells and the moves of the step."""
    plate = Box(width=grid.width, height=grid.height, x=0, y=0, radius=5, fill="surf", stroke="frame", stroke_width=1)
    items = (
        Item(role="decor", layer="enclosure", shapes=(plate,)),
        Item(
            role="decor",
            layer="switch",
            shapes=(*_grounds(grid.xs, grid.ys, grid.cell), *_contents(frame, grid)),
            title=f"step {frame.step}",
        ),
        Item(role="decor", layer="device", shapes=(*_signs(grid), *_received(frame, grid))),
        *free_text(_texts(grid)),
    )
    moves = tuple(_arrows(frame, grid))
    arrows = (Item(role="decor", layer="route", shapes=moves),) if moves else ()
    return Drawing(width=grid.width, height=grid.height, items=(*items, *arrows))


def _grounds(xs: tuple[float, ...], ys: tuple[float, ...], side: float) -> tuple[Cells, ...]:
    """Return empty cells: two paths, so that a hundred of them stay a small file."""
    inner = side - 2
    return (
        Cells(xs=xs, ys=ys, width=side, height=side, fill="frame"),
        Cells(xs=tuple(x + 1 for x in xs), ys=tuple(y + 1 for y in ys), width=inner, height=inner, fill="bg"),
    )


def _contents(frame: Frame, grid: Grid) -> tuple[Cells, ...]:
    """Return the marks of the data in all cells: partial sums in one token, complete chunks in another."""
    rows, columns = grid.places
    room, gap = grid.cell - 2 * INSET, 1.0 if grid.members <= SHARED else 0.0
    wide, high = (room - gap * (columns - 1)) / columns, (room - gap * (rows - 1)) / rows
    xs = tuple(x + INSET + i * (wide + gap) for x in grid.xs for i in range(columns))
    ys = tuple(y + INSET + i * (high + gap) for y in grid.ys for i in range(rows))
    found: dict[str, set[tuple[int, int]]] = {PARTIAL: set(), FULL: set()}
    for row, cells in enumerate(frame.state):
        for column, cell in enumerate(cells):
            token = FULL if len(cell) == grid.members else PARTIAL
            for place in sorted(cell) if grid.members <= SHARED else range(len(cell)):
                found[token].add((row * rows + place // columns, column * columns + place % columns))
    return tuple(
        Cells(xs=xs, ys=ys, width=wide + (0.3 if not gap else 0), height=high, fill=token, filled=frozenset(filled))
        for token, filled in found.items()
        if filled
    )


def _signs(grid: Grid) -> tuple[Shape, ...]:
    """Return the dark sign of every GPU beside its row."""
    return tuple(_sign(EDGE, y + grid.cell / 2, label) for y, label in zip(grid.ys, grid.labels, strict=True))


def _sign(x: float, middle: float, label: str) -> Box:
    width = max(28.0, type_setting.width(label, 13, bold=True) + 8)
    return Box(x=x, y=middle - 11, width=width, height=22, radius=4, fill="gpu")


def _texts(grid: Grid) -> tuple[Text, ...]:
    rows = tuple(
        Text(
            x=EDGE + _sign(0, 0, label).width / 2,
            y=y + grid.cell / 2 + 4.7,
            content=label,
            bold=True,
            anchor="middle",
            fill="gpu.text",
        )
        for y, label in zip(grid.ys, grid.labels, strict=True)
    )
    apart = 1 if type_setting.width(str(grid.members - 1), 12) + 3 <= grid.cell + APART else 2
    numbers = tuple(
        Text(x=x + grid.cell / 2, y=19, content=str(i), size=12, anchor="middle", fill="ink3")
        for i, x in enumerate(grid.xs)
        if i % apart == 0
    )
    return (*numbers, *rows)


def _received(frame: Frame, grid: Grid) -> tuple[Box, ...]:
    return tuple(_outline(grid.xs[move.chunk], grid.ys[move.target], grid.cell) for move in frame.moves)


def _outline(x: float, y: float, side: float) -> Box:
    return Box(x=x - 1, y=y - 1, width=side + 2, height=side + 2, radius=2, stroke="ink", stroke_width=2.5)


def _arrows(frame: Frame, grid: Grid) -> Iterator[Line]:
    """Yield the way of every chunk inside its column; from the last row it leaves below and comes in above."""
    for move in frame.moves:
        x = grid.xs[move.chunk] + grid.cell / 2
        under, over = grid.ys[move.source] + grid.cell, grid.ys[move.target] - 2
        if move.target > move.source:
            yield _arrow(x, under, over)
        else:
            yield _arrow(x, under, under + 13)
            yield _arrow(x, over - 13, over)


def _arrow(x: float, start: float, end: float) -> Line:
    return Line(points=((x, start), (x, end)), stroke="ink", width=2, end="arrow", tip=8)


def key(scope: Scope, grid: Grid, *, width: float = 0) -> Drawing:
    """Return what the marks mean: under each other, or in one strip if a width is given."""
    room = width / 4 if width else grid.width
    shared = grid.members <= SHARED
    pieces = [_places_of(scope, grid, room)] if shared else []
    pieces += [_entry(scope, grid, shapes, words, room) for shapes, words in _entries(grid)]
    if width:
        return beside(pieces, [i * room for i in range(len(pieces))])
    return below([Drawing(width=0, height=24), *pieces], [0.0, *[26.0] * (len(pieces) - 1)])


def _places_of(scope: Scope, grid: Grid, room: float) -> Drawing:
    """Return a cell large enough to carry the label of each GPU at its place."""
    rows, columns = grid.places
    wide, high, gap = 27.0 if columns < 4 else 24.0, 27.0, 2.0
    boxes, texts = [], []
    for place, label in enumerate(grid.labels):
        x, y = 6 + place % columns * (wide + gap), 6 + place // columns * (high + gap)
        boxes.append(Box(x=x, y=y, width=wide, height=high, fill=PARTIAL))
        texts.append(Text(x=x + wide / 2, y=y + 18.5, content=label, bold=True, anchor="middle", fill="ring.text"))
    outer = (12 + columns * (wide + gap) - gap, 12 + rows * (high + gap) - gap)
    plate = Box(x=0.5, y=0.5, width=outer[0] - 1, height=outer[1] - 1, radius=2, fill="bg", stroke="frame")
    said = _words(scope, grid, ("one cell", "whose data are", "in one chunk"), outer[0] + 12, room)
    items = (Item(role="decor", layer="device", shapes=(plate, *boxes)), *free_text((*texts, *said)))
    return Drawing(width=room, height=max(outer[1], 58.0), items=items)


def _entry(scope: Scope, grid: Grid, shapes: tuple[Shape, ...], words: tuple[str, ...], room: float) -> Drawing:
    texts = _words(scope, grid, words, LARGEST + 14, room)
    items = (Item(role="decor", layer="device", shapes=shapes), *free_text(texts))
    return Drawing(width=room, height=LARGEST + 2, items=items)


def _words(scope: Scope, grid: Grid, words: tuple[str, ...], x: float, room: float) -> tuple[Text, ...]:
    out = []
    for line, content in enumerate(words):
        said = fields.say(scope, content, numbers={"count": str(grid.members)})
        fitted, size = type_setting.fit(said, room - x, 12 if line else 13, bold=not line)
        ink = "ink2" if line else "ink"
        out.append(Text(x=x, y=14 + 17 * line, content=fitted, size=size, bold=not line, fill=ink))
    return tuple(out)


def _entries(grid: Grid) -> tuple[tuple[tuple[Shape, ...], tuple[str, str]], ...]:
    """Return the signs of the key with two lines each, drawn in a cell of the largest size at (0, 0)."""
    few = frozenset(range(2 if grid.members > 2 else 1))
    full = frozenset(range(grid.members))
    return (
        (_cell(grid, few), ("partial sum", "of 2 GPUs" if grid.members > 2 else "of 1 GPU")),
        (_cell(grid, full), ("complete", "of all {count} GPUs")),
        ((*_cell(grid, frozenset()), _outline(0, 0, LARGEST)), ("just received", "in this step")),
    )


def _cell(grid: Grid, content: frozenset[int]) -> tuple[Shape, ...]:
    """Return one cell at (0, 0), as a column of one in a frame."""
    rows, columns = grid.places
    room, gap = LARGEST - 2 * INSET, 1.0 if grid.members <= SHARED else 0.0
    wide, high = (room - gap * (columns - 1)) / columns, (room - gap * (rows - 1)) / rows
    token = FULL if len(content) == grid.members else PARTIAL
    marks = Cells(
        xs=tuple(INSET + i * (wide + gap) for i in range(columns)),
        ys=tuple(INSET + i * (high + gap) for i in range(rows)),
        width=wide,
        height=high,
        fill=token,
        filled=frozenset((place // columns, place % columns) for place in sorted(content)),
    )
    return (*_grounds((0.0,), (0.0,), LARGEST), *((marks,) if content else ()))
