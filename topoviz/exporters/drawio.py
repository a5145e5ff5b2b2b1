"""draw.io (diagrams.net): boxes in boxes that can be moved on by hand, links as edges with their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from topoviz.model.topology import Thing, Topology

SUFFIX = ".drawio"
LEAF = (90.0, 40.0)  # a thing without contents
GAP, HEAD = 16.0, 30.0
STYLES = {
    "gpu": "rounded=1;fillColor=#0B4F3C;fontColor=#FFFFFF;strokeColor=none;",
    "nvswitch": "shape=hexagon;fixedSize=1;size=10;fillColor=#DCEFE8;strokeColor=#006B4F;",
    "switch": "shape=hexagon;fixedSize=1;size=10;fillColor=#FCE9DA;strokeColor=#C85A00;",
    "nic": "fillColor=#FCE9DA;strokeColor=#C85A00;",
    "dpu": "fillColor=#F3E6F5;strokeColor=#8A4A94;",
    "cpu": "fillColor=#E0EDF7;strokeColor=#0072B2;",
    "pcie": "shape=hexagon;fixedSize=1;size=10;fillColor=#E0EDF7;strokeColor=#0072B2;",
}
HOLDER = "swimlane;startSize=24;fillColor=#F4F6F8;strokeColor=#7D8A96;horizontal=1;"
LINES = {"pcie": "#0072B2", "infiniband": "#C85A00", "ethernet": "#8A4A94"}
SCALE_UP = "#006B4F"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A thing with its place inside what holds it, and what it holds."""

    thing: Thing
    x: float
    y: float
    width: float
    height: float
    inside: tuple[Box, ...] = ()


def write(topology: Topology) -> str:
    """Return the graph as an uncompressed draw.io file; places are a plain grid.

    >>> from topoviz.loading import load
    >>> write(load("dgx-h100")).count('edge="1"') == load("dgx-h100").graph.number_of_edges()
    True
    """
    file = Element("mxfile")
    page = SubElement(file, "diagram", {"name": topology.name or "topology"})
    root = SubElement(SubElement(page, "mxGraphModel", {"grid": "1", "page": "0"}), "root")
    _cell(root, id="0")
    _cell(root, id="1", parent="0")
    for box in _grid(topology.root.children, 0.0, 0.0)[0]:
        _boxes(root, box, "1")
    for number, (source, target, data) in enumerate(topology.graph.edges(data=True)):
        label = f"{data['links']} × {data['link'] or data['kind']}"
        style = f"endArrow=none;strokeColor={LINES.get(data['kind'], SCALE_UP)};fontSize=10;"
        ends = {"source": source, "target": target, "edge": "1", "parent": "1"}
        cell = _cell(root, id=f"e{number}", value=label, style=style, **ends)
        SubElement(cell, "mxGeometry", {"relative": "1", "as": "geometry"})
    indent(file, " ")
    return tostring(file, encoding="unicode") + "\n"


def _cell(under: Element, **attributes: str) -> Element:
    return SubElement(under, "mxCell", attributes)


def _boxes(root: Element, box: Box, parent: str) -> None:
    style = HOLDER if box.inside else f"whiteSpace=wrap;html=1;{STYLES.get(box.thing.kind, '')}"
    cell = _cell(root, id=box.thing.id, value=box.thing.name, style=style, vertex="1", parent=parent)
    place = {"x": f"{box.x:g}", "y": f"{box.y:g}", "width": f"{box.width:g}", "height": f"{box.height:g}"}
    SubElement(cell, "mxGeometry", {**place, "as": "geometry"})
    for inner in box.inside:
        _boxes(root, inner, box.thing.id)


def _grid(things: Sequence[Thing], left: float, top: float) -> tuple[tuple[Box, ...], float, float]:
    """Return the things in a grid, one row of each group where there are many, with the width and height used."""
    out: list[Box] = []
    y, wide = top, 0.0
    for row in _rows(things):
        x, high = left, 0.0
        for thing in row:
            box = _box(thing, x, y)
            out.append(box)
            x, high = x + box.width + GAP, max(high, box.height)
        wide, y = max(wide, x - left - GAP), y + high + GAP
    return tuple(out), wide, y - top - GAP


def _rows(things: Sequence[Thing]) -> Iterator[Sequence[Thing]]:
    groups: dict[str, list[Thing]] = {}
    for thing in things:
        groups.setdefault(thing.group, []).append(thing)
    for group in groups.values():
        per = len(group) if len(group) <= 8 else ceil(sqrt(2 * len(group)))
        yield from (group[i : i + per] for i in range(0, len(group), per))


def _box(thing: Thing, x: float, y: float) -> Box:
    if not thing.children:
        return Box(thing=thing, x=x, y=y, width=LEAF[0], height=LEAF[1])
    inside, wide, high = _grid(thing.children, GAP, HEAD)
    return Box(thing=thing, x=x, y=y, width=wide + 2 * GAP, height=high + HEAD + GAP, inside=inside)
