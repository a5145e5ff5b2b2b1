"""Where Graphviz would put things: the one place that starts one of its programs, for layouts with the view ``graph``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.drawing.blocks import flat
from topoviz.drawing.layout import Layout
from topoviz.drawing.placed_size import HIGH, wide
from topoviz.errors import MissingExtra, TopovizError
from topoviz.model.findings import Placement
from topoviz.model.topology import Thing, Topology

MOST = 300  # things; more make a tangle that nobody reads
INCH = 72.0  # u


def placement(topology: Topology, roots: Sequence[Thing], layout: Layout) -> Placement | None:
    """Return the places of everything inside the roots by the engine of a layout; None if it has no view ``graph``.

    Raises:
        MissingExtra: Graphviz is not installed.
        TopovizError: there are more things than a graph can show.
    """
    block = next(iter(flat(layout.block, "graph")), None)
    if block is None:
        return None
    things = [thing for root in roots for thing in _leaves(root)]
    if len(things) > MOST:
        said = f"a graph shows {MOST} things at most, and here are {len(things):,}"
        raise TopovizError(f"{said}\n  hint: show: chooses some, or leave the layout out")
    engine = str(block.options.get("engine", "dot"))
    return _read(_placed(_text(topology, things), engine), things)


def _leaves(thing: Thing) -> Iterator[Thing]:
    for child in thing.children:
        if child.children:
            yield from _leaves(child)
        else:
            yield child


def _text(topology: Topology, things: Sequence[Thing]) -> str:
    """Return the graph in DOT, with things as numbers and as large as they are drawn."""
    number = {thing.id: at for at, thing in enumerate(things)}
    lines = ["graph { graph [overlap=false splines=true nodesep=0.3 ranksep=0.55] node [shape=box fixedsize=true]"]
    lines += [f"{at} [width={wide(thing) / INCH:.4f} height={HIGH / INCH:.4f}]" for at, thing in enumerate(things)]
    edges = {
        (number[a], number[b], kind): None
        for a, b, kind in topology.graph.edges(keys=True)
        if a in number and b in number
    }
    lines += [f"{a} -- {b} [label={kind!r}]".replace("'", '"') for a, b, kind in edges]
    return "\n".join([*lines, "}"])


def _placed(text: str, engine: str) -> str:
    """Return what an engine of Graphviz says in its format ``plain``. Raises MissingExtra."""
    import graphviz

    try:
        return str(graphviz.Source(text, engine=engine).pipe(format="plain", encoding="utf-8"))
    except graphviz.ExecutableNotFound:
        said = f"the layout lets Graphviz place things, and its program '{engine}' is not installed"
        hint = "install Graphviz (Debian: apt install graphviz), or leave the layout out: topoviz places things itself"
        raise MissingExtra(f"{said}\n  hint: {hint}") from None


def _read(text: str, things: Sequence[Thing]) -> Placement:
    """Return the places of the format ``plain``, whose y points up, in u with y down."""
    rows = [line.split() for line in text.replace("\\\n", "").splitlines()]
    height = next(float(row[3]) for row in rows if row[0] == "graph") * INCH
    width = next(float(row[2]) for row in rows if row[0] == "graph") * INCH

    def point(x: str, y: str) -> tuple[float, float]:
        return float(x) * INCH, height - float(y) * INCH

    nodes = {things[int(row[1])].id: point(row[2], row[3]) for row in rows if row[0] == "node"}
    lines = []
    for row in rows:
        if row[0] == "edge":
            count = int(row[3])
            flat_points = row[4 : 4 + 2 * count]
            points = tuple(point(flat_points[i], flat_points[i + 1]) for i in range(0, 2 * count, 2))
            kind = row[4 + 2 * count].strip('"')
            lines.append((things[int(row[1])].id, things[int(row[2])].id, kind, points))
    return Placement(width=width, height=height, nodes=nodes, lines=tuple(lines))
