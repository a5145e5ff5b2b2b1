"""One cell per pair: which row is linked with which column, and with how many links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing import fields, grid
from topoviz.drawing import text as type_setting
from topoviz.drawing.by_kind import Place
from topoviz.drawing.glyphs import SMALL, fabric_of
from topoviz.drawing.messages import fill, message
from topoviz.drawing.pairs import Pair, name, pairs, past, routed, sign, unit_of
from topoviz.drawing.scene import Box, Cells, Drawing, Item, Line, Shape, Text
from topoviz.drawing.words import LINKS
from topoviz.model.selectors import pick

if TYPE_CHECKING:
    from topoviz.drawing.layout import Block
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = {
    "row_of": "what makes a row: nvswitch",
    "column_of": "what makes a column: gpu",
    "kind": "kind of link that fills a cell; any if absent",
    "ticks": "a gap and a name after each of these: [tray, swtray]",
    "mark": "rows and columns with an outline: [gpu1, chip8]",
    "cell": "what a cell says: count, rate, route or state",
    "axis": "words for rows and columns: [switch, compute]",
}
WORDS = 12.0  # between a row label and its cells
EASY = 16.0  # row pitch where there are few rows: each can be named
GLYPH = 30.0  # width of a sign at the side
BELOW = 18.0  # from the last row to the bottom of the names under it


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """What is shown, and where its cells stand."""

    rows: grid.Side
    columns: grid.Side
    cells: Mapping[tuple[int, int], Pair]
    letters: Mapping[tuple[int, int], str]
    past: frozenset[tuple[int, int]]  # of hops that are not on these links
    says: str = "count"
    first: str = ""  # letter of the route whose cells are filled

    @property
    def roomy(self) -> bool:
        """Return whether a cell holds a word."""
        return min(self.rows.pitch, self.columns.pitch) >= grid.ROOMY


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001 - cells keep their shape
    """Return the matrix, ``width`` wide with the names at its left; empty if there is no row or no column."""
    rows, columns = _things(block, scope, "row_of"), _things(block, scope, "column_of")
    if not rows or not columns:
        return Drawing(width=0, height=0)
    shown = grid.fitting(columns, width - 100)
    axis = _axis(block, scope)
    matrix = _matrix(block, scope, (rows, shown), axis, width)
    marked = _marked(block, scope, matrix)
    under, bottom = _names(matrix, marked, axis, scope, width)
    items = (*_cells(matrix, scope.lang), *under, *_outlines(matrix, marked))
    hidden = len(columns) - len(shown)
    notes = (f"left-out: {hidden:,} of {len(columns):,} columns",) if hidden else ()
    return Drawing(width=width, height=bottom, items=items, notes=notes)


def _things(block: Block, scope: Scope, key: str) -> tuple[Thing, ...]:
    given = (block.column_of if key == "column_of" else ()) or block.options.get(key, "gpu")
    selector = (given,) if isinstance(given, str) else tuple(given)
    roots = tuple(pick(scope.topology, scope.roots, block.of)) if block.of else scope.roots
    hidden = {thing.id for thing in pick(scope.topology, scope.roots, block.hide)} if block.hide else set()
    return tuple(thing for thing in pick(scope.topology, roots, selector) if thing.id not in hidden)


def _axis(block: Block, scope: Scope) -> tuple[str, str]:
    given = block.options.get("axis") or ("", "")
    words = (given, "") if isinstance(given, str) else (*given, "", "")[:2]
    return fields.say(scope, words[0]), fields.say(scope, words[1])


def _matrix(
    block: Block, scope: Scope, things: tuple[tuple[Thing, ...], tuple[Thing, ...]], axis: tuple[str, str], width: float
) -> Matrix:
    rows, columns = things
    ticks = _ticks(block, rows + columns)
    says = str(block.options.get("cell", "count"))
    roomy = (width - GLYPH - WORDS) / len(columns) >= grid.ROOMY
    left = GLYPH + WORDS if roomy else _left(rows, ticks, axis, scope)
    top = (18.0 if any(axis) else 0.0) if roomy else 4.0
    across = grid.side(columns, ticks, left, width - left - 3, grid.SQUARE if roomy else 24)
    tall = across.pitch if roomy else (EASY if len(rows) <= 10 else max(grid.TIGHT, min(across.pitch, 12)))
    down = grid.side(rows, ticks, top, tall * len(rows) + grid.GAP * len(rows), tall)
    routes = scope.findings.routes if says == "route" else ()
    letters = routed(rows, columns, routes)
    first = sign(routes[0], 0) if routes else ""
    found = pairs(rows, columns, str(block.options.get("kind", "")))
    return Matrix(
        rows=down,
        columns=across,
        cells=found,
        letters=letters,
        past=past(rows, columns, routes),
        says=says,
        first=first,
    )


def _ticks(block: Block, things: tuple[Thing, ...]) -> tuple[str, ...]:
    """Return the groups that get a gap and a name: as written, else those that the things stand in."""
    given = block.options.get("ticks")
    if given is not None:
        return (given,) if isinstance(given, str) else tuple(given)
    around = dict.fromkeys(thing.parent for thing in things if thing.parent is not None and thing.parent.id)
    return tuple(dict.fromkeys(one.group for one in around)) if len(around) > 1 else ()


def _left(rows: tuple[Thing, ...], ticks: tuple[str, ...], axis: tuple[str, str], scope: Scope) -> float:
    """Return how wide the names of the rows are, with the word of the axis before the first."""
    named = [unit_of(thing, ticks) or thing for thing in rows]
    widths = [type_setting.width(name(thing, scope.lang), SMALL) for thing in named]
    first = type_setting.width(f"{axis[0]} {name(named[0], scope.lang)}".strip(), SMALL)
    return max(first, *widths, type_setting.width(axis[1], SMALL)) + WORDS


def _marked(block: Block, scope: Scope, matrix: Matrix) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the places of the marked rows and columns."""
    given = block.options.get("mark", ())
    selector = (given,) if isinstance(given, str) else tuple(given)
    ids = {thing.id for thing in pick(scope.topology, scope.roots, selector)} if selector else set()
    rows, columns = (
        tuple(at for at, thing in enumerate(side.things) if thing.id in ids) for side in (matrix.rows, matrix.columns)
    )
    return rows, columns


def _names(
    matrix: Matrix, marked: tuple[tuple[int, ...], tuple[int, ...]], axis: tuple[str, str], scope: Scope, width: float
) -> tuple[tuple[Item, ...], float]:
    rows, columns = matrix.rows, matrix.columns
    left = columns.edges[0]
    if not matrix.roomy:
        texts: tuple[Shape, ...] = (
            *grid.beside(rows, marked[0], axis[0], left - WORDS + 4, scope.lang),
            *grid.under(columns, marked[1], axis[1], (left - WORDS + 4, rows.end + 17, width), scope.lang),
        )
        return (Item(role="label", layer="label", shapes=texts),), rows.end + BELOW + 3
    told = _told(axis, scope)
    head = (
        (Item(role="label", layer="label", shapes=(Text(x=0, y=10, content=told, size=SMALL, fill="ink2"),)),)
        if told
        else ()
    )
    cell = min(28.0, rows.cell - 6)
    at_left = tuple(
        grid.glyph(one, Place(x=0, y=rows.centre(at) - cell / 2, width=GLYPH, height=cell), scope.lang)
        for at, one in enumerate(rows.things)
    )
    wide = min(GLYPH, columns.cell - 1)
    if matrix.rows.things == matrix.columns.things:
        at_left = tuple(_plain(one, "row") for one in at_left)
    at_foot = tuple(
        grid.glyph(one, Place(x=columns.centre(at) - wide / 2, y=rows.end + 10, width=wide, height=cell), scope.lang)
        for at, one in enumerate(columns.things)
    )
    return (*head, *at_left, *at_foot), rows.end + 10 + cell + 2


def _told(axis: tuple[str, str], scope: Scope) -> str:
    if not all(axis):
        return ""
    return fields.say(
        scope, "row {row.axis}, column {column.axis}", numbers={"row.axis": axis[0], "column.axis": axis[1]}
    )


def _plain(item: Item, word: str) -> Item:
    """Return the sign of a thing that stands at two sides as decoration, so that each id is drawn once."""
    return Item(role="decor", layer=item.layer, shapes=item.shapes, kind=word, title=item.title)


def _cells(matrix: Matrix, lang: str) -> tuple[Item, ...]:
    """Return all cells as one item: one path for each kind of link, crosses for links that are down."""
    up = {place: pair for place, pair in matrix.cells.items() if pair.state != "down"}
    down = [place for place, pair in matrix.cells.items() if pair.state == "down"]
    kinds = tuple(dict.fromkeys(pair.kind for pair in matrix.cells.values()))
    shapes: list[Shape] = _diagonal(matrix)
    for kind in kinds:
        filled = frozenset(place for place, pair in up.items() if pair.kind == kind)
        shapes += [_path(matrix, filled, _fill(kind, roomy=matrix.roomy))] if filled else []
    shapes += _first_route(matrix)
    shapes += [shape for place in down for shape in _cross(matrix, place)]
    shapes += [_cross(matrix, place)[0] for place, pair in up.items() if pair.state == "degraded"]
    shapes += _said(matrix, up) if matrix.roomy else []
    both = matrix.rows.things == matrix.columns.things  # each link has two cells
    links = sum(pair.links for pair in matrix.cells.values()) // (2 if both else 1)
    kind = kinds[0] if kinds else ""
    data = (("kind", kind), ("links", str(links)), ("count", str(len(matrix.cells))))
    said = {"count": f"{links:,}", "link": message(LINKS.get(kind, kind), lang)}
    title = fill("{count} {link} links", said, lang) if kind else ""
    return (Item(role="link", layer="link", kind=kind, shapes=tuple(shapes), data=data, title=title),)


def _fill(kind: str, *, roomy: bool) -> str:
    """Return the tint of a cell that holds a word, the full hue of one that does not."""
    fabric = fabric_of(kind)
    if fabric == "frame":
        return "surf2" if roomy else "frame"
    return f"{fabric}.tint" if roomy else f"{fabric}.line"


def _path(matrix: Matrix, filled: frozenset[tuple[int, int]], fill: str) -> Cells:
    rows, columns = matrix.rows, matrix.columns
    whole = len(filled) == len(rows.edges) * len(columns.edges)
    return Cells(
        xs=columns.edges,
        ys=rows.edges,
        width=columns.cell,
        height=rows.cell,
        fill=fill,
        filled=None if whole else filled,
    )


def _diagonal(matrix: Matrix) -> list[Shape]:
    """Return the cells of a thing with itself, grey."""
    column_of = {thing.id: at for at, thing in enumerate(matrix.columns.things)}
    same = frozenset((at, column_of[thing.id]) for at, thing in enumerate(matrix.rows.things) if thing.id in column_of)
    return [_path(matrix, same, "surf2")] if same else []


def _first_route(matrix: Matrix) -> list[Shape]:
    """Return the cells of the first route, filled, so that one ring can be followed."""
    first = frozenset(
        place
        for place, letters in matrix.letters.items()
        if matrix.first and matrix.first in letters and "'" not in letters
    )
    hues = ((first - matrix.past, "ring.a"), (matrix.past & frozenset(matrix.letters), "alert"))
    return [_path(matrix, cells, hue) for cells, hue in hues if cells]


def _cross(matrix: Matrix, place: tuple[int, int]) -> tuple[Shape, ...]:
    x, y = matrix.columns.edges[place[1]], matrix.rows.edges[place[0]]
    wide, high = matrix.columns.cell, matrix.rows.cell
    width = 1.5 if matrix.roomy else 0.8
    inset = 0.25 * min(wide, high)
    return (
        Box(
            x=x + width / 2,
            y=y + width / 2,
            width=wide - width,
            height=high - width,
            stroke="alert",
            stroke_width=width,
        ),
        Line(points=((x + inset, y + inset), (x + wide - inset, y + high - inset)), stroke="alert", width=width),
        Line(points=((x + inset, y + high - inset), (x + wide - inset, y + inset)), stroke="alert", width=width),
    )


def _said(matrix: Matrix, up: Mapping[tuple[int, int], Pair]) -> list[Shape]:
    """Return the words in the cells: letters of routes, or numbers of links, or GB/s."""
    texts: list[Shape] = []
    for place, pair in sorted(up.items()):
        letters = matrix.letters.get(place, "")
        content = letters if matrix.says == "route" and matrix.letters else _number(pair, matrix.says)
        if not content or type_setting.width(content, SMALL) > matrix.columns.cell - 2:
            continue
        first = bool(matrix.first) and matrix.first in letters and "'" not in letters
        filled = first or place in matrix.past
        x = matrix.columns.edges[place[1]] + matrix.columns.cell / 2
        y = matrix.rows.edges[place[0]] + matrix.rows.cell / 2 + 4.3
        texts.append(
            Text(x=x, y=y, content=content, size=SMALL, bold=filled, anchor="middle", fill="bg" if filled else "ink")
        )
    return texts


def _number(pair: Pair, says: str) -> str:
    if says == "state":
        return ""
    if says == "rate":
        return f"{pair.bandwidth:,.4g}" if pair.bandwidth is not None else "?"
    return str(pair.links)


def _outlines(matrix: Matrix, marked: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[Item, ...]:
    rows, columns = matrix.rows, matrix.columns
    x, y = columns.edges[0], rows.edges[0]
    boxes = (
        *(
            Box(x=x - 3, y=rows.edges[at] - 1.3, width=columns.end - x + 5, height=rows.cell + 2.6, stroke="ink")
            for at in marked[0]
        ),
        *(
            Box(x=columns.edges[at] - 1.2, y=y - 3, width=columns.cell + 2.4, height=rows.end - y + 6, stroke="ink")
            for at in marked[1]
        ),
    )
    return (Item(role="decor", layer="label", shapes=boxes),) if boxes else ()
