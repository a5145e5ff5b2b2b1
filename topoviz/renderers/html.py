"""Hypertext: a page of its own with the picture in it, light or dark as the reader's system is."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from topoviz.renderers import svg
from topoviz.renderers.markup.element import clean

if TYPE_CHECKING:
    from topoviz.drawing.scene import Scene
    from topoviz.renderers.theme import Theme

SUFFIX = ".html"


def render(scene: Scene, theme: Theme) -> str:
    """Return a page without scripts and references; the picture shrinks with the window."""
    ground, dark = theme.colour("bg"), theme.dark.get("bg", "")
    follow = f"@media screen and (prefers-color-scheme:dark){{body{{background:{dark}}}}}\n" if dark else ""
    return (
        "<!doctype html>\n"
        f'<html lang="{escape(clean(scene.lang))}"{" data-theme=auto" if dark else ""}>\n'
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{escape(clean(scene.title))}</title>\n"
        f"<style>\nbody{{margin:0;background:{ground}}}\n"
        "svg{display:block;max-width:100%;height:auto;margin:0 auto}\n"
        f"{follow}</style>\n"
        f"{svg.render(scene, theme)}"
        "</html>\n"
    )
