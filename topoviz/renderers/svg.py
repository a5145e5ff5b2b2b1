"""Scalable vector graphics: one self-contained file, no scripts, no references.

Colours are presentation attributes; a style element, if there is one, holds only
at-rules, so that converters without CSS draw the light picture.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from topoviz.drawing.scene import Box, Cells, Scene
from topoviz.renderers.markup import paint
from topoviz.renderers.markup.element import Element, number, written
from topoviz.renderers.markup.groups import layers
from topoviz.renderers.markup.shapes import hatched, lines, tokens
from topoviz.renderers.markup.turns import steps_of, turns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element as Tree

    from topoviz.drawing.scene import Shape
    from topoviz.renderers.theme import Theme

SUFFIX = ".svg"
FONTS = (
    '"Helvetica Neue",Arial,"Liberation Sans","Noto Sans","Noto Sans CJK SC","Noto Sans SC",'
    '"PingFang SC","Microsoft YaHei",sans-serif'
).replace('"', "'")


def render(scene: Scene, theme: Theme, *, prefix: str = "") -> str:
    """Return the picture as SVG text.

    ``prefix`` starts all ids and selectors; without one it is derived from the content,
    so that different pictures can stand in one page. Raises ValueError for a number
    that is not finite and LookupError for a token that no theme has.
    """
    palette = paint.Palette(theme, prefix or _fingerprint(scene, theme))
    return written(_tree(scene, palette))


def _tree(scene: Scene, palette: paint.Palette) -> Tree:
    """Return the document: svgwrite's shell around our own elements."""
    from svgwrite import Drawing

    size = (number(scene.width), number(scene.height))
    drawing = Drawing(debug=False, size=size, viewBox=f"0 0 {size[0]} {size[1]}", profile="full")
    for part in (*_names(scene, palette), *_style(scene, palette), *_definitions(scene, palette)):
        drawing.add(part)
    for part in (*_ground(scene, palette), *layers(scene, palette)):
        drawing.add(part)
    tree: Tree = drawing.get_xml()
    tree.attrib = _root(scene, palette, tree.attrib)
    for empty in [child for child in tree if child.tag == "defs" and not len(child)]:
        tree.remove(empty)
    return tree


def _root(scene: Scene, palette: paint.Palette, shell: dict[str, str]) -> dict[str, str]:
    """Return the attributes of the root in a readable order, without what svgwrite adds for old readers."""
    described = [f"{palette.prefix}-{part}" for part, text in _texts(scene) if text]
    root = {key: shell[key] for key in ("xmlns", "width", "height", "viewBox")}
    root |= {"id": palette.prefix, "class": "topoviz"}
    root |= {"role": "graphics-document" if scene.interactive else "img", "lang": scene.lang}
    root |= {"aria-labelledby": " ".join(described)} if described else {}
    return {**root, "fill": "none", "font-family": FONTS, "font-size": "13"}


def _texts(scene: Scene) -> tuple[tuple[str, str], ...]:
    return (("title", scene.title), ("desc", scene.description))


def _names(scene: Scene, palette: paint.Palette) -> Iterator[Element]:
    return (Element(tag, {"id": f"{palette.prefix}-{tag}"}, text=text) for tag, text in _texts(scene) if text)


def _style(scene: Scene, palette: paint.Palette) -> Iterator[Element]:
    ground = (("fill", "bg"),) if _has_ground(scene, palette) else ()
    used = (*ground, *(pair for shape in _shapes(scene) for pair in tokens(shape)))
    moving = turns(palette.prefix, steps_of(scene)) if scene.animate else ""
    text = "\n".join(
        filter(None, (paint.rules(palette, used), paint.hover(palette) if scene.interactive else "", moving))
    )
    if text:
        yield Element("style", {}, text=text)


def _definitions(scene: Scene, palette: paint.Palette) -> Iterator[Element]:
    boxes = (shape for shape in _shapes(scene) if isinstance(shape, Box) and hatched(shape, palette))
    patterns = dict.fromkeys((box.fill, lines(box)) for box in boxes)
    if patterns:
        yield Element("defs", {}, tuple(palette.pattern(*pair) for pair in patterns))


def _ground(scene: Scene, palette: paint.Palette) -> Iterator[Element]:
    if _has_ground(scene, palette):
        size = {"width": scene.width, "height": scene.height}
        yield Element("rect", {**size, **palette.signs("bg"), "fill": palette.fill("bg")})


def _has_ground(scene: Scene, palette: paint.Palette) -> bool:
    return scene.background and palette.theme.ground


def _shapes(scene: Scene) -> Iterator[Shape]:
    return (shape for item in scene.items for shape in item.shapes)


def _fingerprint(scene: Scene, theme: Theme) -> str:
    """Return a short name of the content; equal scenes have equal names in every process."""
    parts = [repr((scene.width, scene.height, scene.title, scene.lang, theme.name, *theme.colours.values()))]
    for item in scene.items:
        parts.append(repr((item.role, item.layer, item.kind, item.data, item.title)))
        parts += [_canonical(shape) for shape in item.shapes]
    return "tv" + sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _canonical(shape: Shape) -> str:
    if isinstance(shape, Cells) and shape.filled is not None:
        return repr((shape.xs, shape.ys, shape.width, shape.height, shape.fill, sorted(shape.filled)))
    return repr(shape)
