"""A job as a board: which kind of group makes a row, which a column, which a hull, and what is folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product

from topoviz.drawing.layout import Block
from topoviz.drawing.scope import Scope
from topoviz.model.findings import JobPlan
from topoviz.model.topology import Thing, Topology

CELLS = ("fsdp", "cp")  # what makes a hull where the kind that is asked for has one rank
PER_LINE = 8
MOST_LINES = 4
FEW = 4  # GPUs in a hull that leave room for one column more


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """GPUs that stand in one row of a hull: ranks of one domain."""

    ranks: tuple[int, ...]
    domain: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hull:
    """One hull: its place on the board (None: it stands for what is folded), its ranks in lines."""

    row: int
    column: int
    ranks: tuple[int, ...]
    lines: tuple[Line, ...]
    numbers: tuple[int, ...]  # of the groups of its kind that are in it
    more: int = 0  # ranks that are not drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Kinds of rows, columns and hulls (empty: there is one only), and which rows and columns are drawn.

    A None among ``shown_rows`` or ``shown_columns`` stands for all that are left out there.
    """

    plan: JobPlan
    topology: Topology
    rows: str
    columns: str
    cell: str
    extras: tuple[str, ...]
    shown_rows: tuple[int | None, ...]
    shown_columns: tuple[int | None, ...]

    @property
    def across(self) -> int:
        """Return how many columns there are."""
        return self.plan.grid.along(self.columns) if self.columns else 1

    @property
    def down(self) -> int:
        """Return how many rows there are."""
        return self.plan.grid.along(self.rows) if self.rows else 1

    @property
    def size(self) -> int:
        """Return how many ranks are in a hull."""
        return self.plan.grid.size // (self.across * self.down)

    def hull(self, row: int, column: int) -> Hull:
        """Return the hull at a place."""
        grid = self.plan.grid
        at = {kind: place for kind, place in ((self.rows, row), (self.columns, column)) if kind}
        lines: list[Line] = []
        numbers: list[int] = []
        everyone: list[int] = []
        for places in product(*(range(grid.along(kind)) for kind in reversed(self.extras))):
            first = grid.rank(**at, **dict(zip(reversed(self.extras), places, strict=True)))
            ranks = [first + i * grid.stride(self.cell) for i in range(grid.along(self.cell))]
            everyone.extend(ranks)
            numbers.append(self._number(first))
            lines.extend(self._lines(ranks))
        lines = _packed(lines) if len(lines) > 2 else lines
        kept = lines if len(lines) <= MOST_LINES else lines[: MOST_LINES - 1]
        drawn = sum(len(line.ranks) for line in kept)
        return Hull(
            row=row,
            column=column,
            ranks=tuple(sorted(everyone)),
            lines=tuple(kept),
            numbers=tuple(numbers),
            more=len(everyone) - drawn,
        )

    def _lines(self, ranks: Sequence[int]) -> Iterator[Line]:
        domains = [self.plan.domains[rank] for rank in ranks]
        alone = len(set(domains)) == len(ranks)  # no scale-up links: all stand in one row
        for domain, some in groupby(ranks, key=lambda rank: 0 if alone else self.plan.domains[rank]):
            here = tuple(some)
            per_line = PER_LINE if len(here) <= 2 * PER_LINE else 2 * PER_LINE
            for start in range(0, len(here), per_line):
                yield Line(ranks=here[start : start + per_line], domain=domain)

    def _number(self, rank: int) -> int:
        """Return the number of the group of the hull's kind that begins with a rank."""
        grid, number, times = self.plan.grid, 0, 1
        place = grid.place(rank)
        for kind, size in grid.axes:
            if kind != self.cell:
                number += times * place[kind]
                times *= size
        return number

    def thing(self, rank: int) -> Thing:
        """Return the GPU of a rank."""
        return self.topology.thing(self.plan.ranks[rank])

    def stays(self, kind: str) -> bool:
        """Return whether the first group of a kind is in one scale-up domain."""
        return len({self.plan.domains[rank] for rank in self.plan.grid.group(kind, 0)}) == 1


def _packed(lines: Sequence[Line]) -> list[Line]:
    """Return short lines of one domain beside each other."""
    made: list[Line] = []
    for line in lines:
        if made and made[-1].domain == line.domain and len(made[-1].ranks) + len(line.ranks) <= PER_LINE:
            made[-1] = Line(ranks=(*made[-1].ranks, *line.ranks), domain=line.domain)
        else:
            made.append(line)
    return made


def board(block: Block, scope: Scope, plan: JobPlan, most: tuple[int, int]) -> Board:
    """Return the board that a block asks for; ``most`` rows and columns are drawn, the others folded.

    A kind with one rank makes no row, column or hull; another one takes its place. Where the
    columns would be inside a domain and the rows across, both change places: columns are machines.
    """
    sizes = {kind: size for kind, size in plan.grid.axes if size > 1}
    cell = str(block.options.get("cell", "tp"))
    if cell not in sizes:
        cell = next((kind for kind in CELLS if kind in sizes), next(iter(sizes), cell))
    left = [kind for kind in sizes if kind != cell]
    rows = str(block.options.get("rows", ""))
    columns = "".join(block.column_of[:1])
    rows, columns = (kind if kind in left else "" for kind in (rows, columns))
    spare = [kind for kind in left if kind not in (rows, columns)]
    if not columns and spare:
        columns = spare.pop() if not rows else ""
    if not rows and spare:
        rows = spare.pop()
    made = Board(
        plan=plan,
        topology=scope.topology,
        rows=rows,
        columns=columns,
        cell=cell,
        extras=tuple(spare),
        shown_rows=(),
        shown_columns=(),
    )
    if rows and columns and made.stays(columns) and not made.stays(rows):
        rows, columns = columns, rows
    elif rows and not columns and not made.stays(rows) and not block.tiers:
        rows, columns = "", rows
    hull = plan.grid.size // (sizes.get(rows, 1) * sizes.get(columns, 1))
    return Board(
        plan=plan,
        topology=scope.topology,
        rows=rows,
        columns=columns,
        cell=cell,
        extras=tuple(spare),
        shown_rows=_shown(sizes.get(rows, 1), most[0]),
        shown_columns=_shown(sizes.get(columns, 1), most[1] + (block.tiers != () and hull <= FEW)),
    )


def _shown(count: int, most: int) -> tuple[int | None, ...]:
    """Return which of so many are drawn: all, or the first ones and the last with a None between.

    >>> _shown(3, 3), _shown(9, 3)
    ((0, 1, 2), (0, 1, None, 8))
    """
    if count <= most:
        return tuple(range(count))
    return (*range(most - 1), None, count - 1)
