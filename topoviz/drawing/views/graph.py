"""Things where Graphviz puts them, in our own look: for what is truly irregular."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from topoviz.drawing import glyphs
from topoviz.drawing.by_kind import Place, glyph_of
from topoviz.drawing.compose import NOTHING
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import message
from topoviz.drawing.pairs import name
from topoviz.drawing.placed_size import EDGES, HIGH, wide
from topoviz.drawing.scene import Drawing, Item, Line
from topoviz.drawing.scope import Scope
from topoviz.drawing.tiers.stage import line_width
from topoviz.drawing.words import link_name
from topoviz.model.findings import Placement

KEYS: Mapping[str, str] = MappingProxyType(
    {"engine": "the program of Graphviz that places: dot, neato, fdp, sfdp, circo, twopi"}
)

SMALLEST_LABEL = 0.98  # of the size; things drawn smaller carry no name
EDGE = 1.0


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return every thing at its place, as large as the width allows, with a curve for each bundle of links."""
    found = scope.findings.placement
    if found is None or not found.nodes:
        return NOTHING
    scale = min(1.0, (width - 2 * EDGE) / found.width)
    left = (width - found.width * scale) / 2
    items = (*_lines(found, scope, scale, left), *_things(found, scope, scale, left))
    return Drawing(width=width, height=found.height * scale + 2 * EDGE, items=items)


def _things(found: Placement, scope: Scope, scale: float, left: float) -> Iterator[Item]:
    for node, (x, y) in found.nodes.items():
        thing = scope.topology.thing(node)
        size = (wide(thing) * scale, HIGH * scale)
        place = Place(x=left + x * scale - size[0] / 2, y=EDGE + y * scale - size[1] / 2, width=size[0], height=size[1])
        label = glyphs.short(name(thing, scope.lang), size[0] - EDGES + 4, bold=True) if scale >= SMALLEST_LABEL else ""
        yield glyph_of(thing, place, label, lang=scope.lang, side="")


def _lines(found: Placement, scope: Scope, scale: float, left: float) -> Iterator[Item]:
    graph = scope.topology.graph
    for source, target, kind, points in found.lines:
        edge = graph.edges[source, target, kind]
        fabric = glyphs.fabric_of(kind)
        down = edge.get("state") == "down"
        stroke = "alert" if down else "frame" if fabric == "frame" else f"{fabric}.line"
        rate = edge.get("bandwidth")
        curve = tuple((left + x * scale, EDGE + y * scale) for x, y in points)
        line = Line(points=curve, curve=True, stroke=stroke, width=line_width(rate), dash=(4.0, 3.0) if down else ())
        called = message(link_name(kind, (edge["link"],) if edge["link"] else ()), scope.lang)
        title = f"{source} – {target}: {edge['links']} × {called}"
        data = (("source", source), ("target", target), ("kind", kind), ("links", str(edge["links"])))
        said = () if rate is None else (("bandwidth", f"{rate:.10g}"),)
        yield Item(
            role="link", layer="link", kind=kind, shapes=(line,), data=(*data, *said), title=title, of=(source, target)
        )
