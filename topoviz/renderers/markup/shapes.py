"""Shapes of a scene as painted elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topoviz.drawing.scene import Box, Cells, Line, Run, Shape, Text
from topoviz.renderers.markup.element import Attribute, Element, number
from topoviz.renderers.markup.outline import cells, curve, hexagon, polyline, shortened, tips

if TYPE_CHECKING:
    from topoviz.renderers.markup.paint import Palette

SIZE = 13.0  # of text, set once at the root
_BLANKS = re.compile("[ \t\r\n]+")


def elements(shape: Shape, palette: Palette) -> tuple[Element, ...]:
    """Return the elements of a shape, back to front."""
    if isinstance(shape, Box):
        return (_box(shape, palette),)
    if isinstance(shape, Line):
        return _line(shape, palette)
    if isinstance(shape, Cells):
        return (_cells(shape, palette),)
    return (_text(shape, palette),)


def tokens(shape: Shape) -> tuple[tuple[str, str], ...]:
    """Return the (property, token) pairs that the shape paints with."""
    if isinstance(shape, Box):
        fill = ((("fill", shape.fill)),) if not shape.hatch else (("fill", shape.fill), ("stroke", lines(shape)))
        return (*fill, ("stroke", shape.stroke))
    if isinstance(shape, Line):
        return (("stroke", shape.stroke), *((("fill", shape.stroke),) if tips(shape) else ()))
    if isinstance(shape, Cells):
        return (("stroke", shape.fill),)
    return (("fill", shape.fill), *(("fill", run.fill) for run in shape.runs))


def lines(box: Box) -> str:
    """Return the token of the lines of a hatched box."""
    return box.stroke or "frame"


def hatched(box: Box, palette: Palette) -> bool:
    """Return whether the box is hatched, by its own wish or by the theme."""
    return box.hatch or box.fill in palette.theme.hatched


def _box(box: Box, palette: Palette) -> Element:
    hatch = hatched(box, palette)
    painted = {
        **palette.signs("" if hatch else box.fill, box.stroke),
        "fill": palette.hatch(box.fill, lines(box)) if hatch else palette.fill(box.fill),
        "stroke": palette.fill(box.stroke),
        "stroke-width": box.stroke_width if box.stroke else None,
        "stroke-dasharray": _dash(box.dash),
        "opacity": _opacity(box.opacity),
    }
    if box.shape == "hexagon":
        return Element("path", {"d": hexagon(box), **painted})
    if box.shape == "disc":
        return _disc(box, painted)
    radius = box.height / 2 if box.shape == "capsule" else box.radius
    corner = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "rx": radius or None}
    return Element("rect", {**corner, **painted})


def _disc(box: Box, painted: dict[str, Attribute]) -> Element:
    across, down = box.width / 2, box.height / 2
    centre = {"cx": box.x + across, "cy": box.y + down}
    if number(across) == number(down):
        return Element("circle", {**centre, "r": across, **painted})
    return Element("ellipse", {**centre, "rx": across, "ry": down, **painted})


def _line(line: Line, palette: Palette) -> tuple[Element, ...]:
    points = shortened(line)
    stroke = Element(
        "path",
        {
            "d": curve(points) if line.curve else polyline(points, line.radius),
            **palette.signs(stroke=line.stroke),
            "stroke": palette.fill(line.stroke),
            "stroke-width": line.width,
            "stroke-dasharray": _dash(line.dash),
            "stroke-linecap": line.cap if line.cap != "butt" else None,
            "opacity": _opacity(line.opacity),
        },
    )
    filled = {**palette.signs(line.stroke), "fill": palette.fill(line.stroke)}
    return (stroke, *(Element("path", {"d": d, **filled, "opacity": _opacity(line.opacity)}) for d in tips(line)))


def _cells(shape: Cells, palette: Palette) -> Element:
    count = len(shape.xs) * len(shape.ys) if shape.filled is None else len(shape.filled)
    data, dash = cells(shape)
    painted = {**palette.signs(stroke=shape.fill), "stroke": palette.fill(shape.fill)}
    strokes = {"stroke-width": shape.height, "stroke-dasharray": dash or None}
    return Element("path", {"d": data, "data-count": str(count), **painted, **strokes})


def _text(text: Text, palette: Palette) -> Element:
    runs = tuple(_run(run, palette) for run in text.runs)
    return Element(
        "text",
        {
            "x": text.x,
            "y": text.y,
            **palette.signs(text.fill),
            "font-size": text.size if text.size != SIZE else None,
            "font-weight": "700" if text.bold else None,
            "text-anchor": text.anchor if text.anchor != "start" else None,
            "fill": palette.fill(text.fill),
        },
        runs,
        "" if runs else one_line(text.content),
    )


def _run(run: Run, palette: Palette) -> Element:
    painted = {**palette.signs(run.fill), "fill": palette.fill(run.fill)}
    weight = "700" if run.bold else None
    size = {"dx": run.dx or None, "font-size": run.size or None, "font-weight": weight}
    return Element("tspan", {**size, **painted}, text=one_line(run.content))


def one_line(content: str) -> str:
    """Return the text without white space that a reader would swallow."""
    return _BLANKS.sub(" ", content).strip(" ")


def _dash(dash: tuple[float, ...]) -> str | None:
    return " ".join(number(length) for length in dash) or None


def _opacity(opacity: float) -> str | None:
    return number(opacity, 2) if opacity != 1 else None
