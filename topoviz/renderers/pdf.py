"""Portable document format: vectors and searchable text, for LaTeX and print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.errors import MissingExtra
from topoviz.renderers import svg
from topoviz.renderers.markup.element import clean, number

if TYPE_CHECKING:
    from topoviz.drawing.scene import Scene
    from topoviz.renderers.theme import Theme

SUFFIX = ".pdf"


def render(scene: Scene, theme: Theme) -> bytes:
    """Return the picture as a PDF of one page, 1 u = 0.75 pt, tagged with title and description.

    Equal input gives equal bytes. Raises MissingExtra without the package typst.
    """
    try:
        import typst
    except ImportError:
        raise MissingExtra('PDF needs one more package: pip install "topoviz[pdf]"') from None
    inputs = {
        "title": clean(scene.title),
        "alt": clean(scene.description or scene.title),
        "lang": scene.lang,
        "svg": svg.render(scene, theme),
    }
    return bytes(typst.compile(_document(scene).encode(), format="pdf", sys_inputs=inputs, timestamp=0))


def _document(scene: Scene) -> str:
    """Return the Typst source: sizes are ours, all foreign text comes in as data."""
    width, height = (f"{number(0.75 * side, 3)}pt" for side in (scene.width, scene.height))
    return (
        "#set document(title: sys.inputs.title, date: none)\n"
        f"#set page(width: {width}, height: {height}, margin: 0pt)\n"
        '#set text(lang: sys.inputs.lang.split("-").first())\n'
        f'#image(bytes(sys.inputs.svg), format: "svg", alt: sys.inputs.alt, width: {width}, height: {height})\n'
    )
