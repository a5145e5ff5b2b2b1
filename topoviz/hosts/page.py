"""A picture, or the reason why there is none, as a piece of a page; for hosts that take HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from topoviz.errors import Diagnostic, SpecError, TopovizError
from topoviz.hosts import figure as figures
from topoviz.hosts.figure import Figure

FAILED = "The picture could not be drawn."
BODY = re.compile(rf"^[^:\n]*\b{re.escape(figures.BODY)}:(\d+):\d+", re.MULTILINE)
BOX = "border:2px solid #c4320a;border-radius:6px;padding:.6em 1em;overflow-x:auto"


def drawn(figure: Figure, number: object) -> str:
    """Return the picture as one line of inline SVG that follows the page into the dark.

    ``number`` makes its ids its own within the page.

    Raises:
        TopovizError: what the author wrote cannot be drawn.
    """
    read = figures.read(figure)
    asked = read.request.theme or ((read.topology.spec.theme,) if read.topology.spec.theme else ())
    theme = asked[0] if len(asked) == 1 else figures.AUTO
    made = figures.on_page(figures.scene(read, read.langs[0]), theme)
    text = figures.inline(made, theme, read.folders)
    style = "display:block;max-width:100%;height:auto;margin:0 auto"
    picture = figures.numbered(text, number).replace("<svg ", f'<svg style="{style}" ', 1)
    foot = f"<figcaption>{escape(figure.caption)}</figcaption>" if figure.caption else ""
    name = figure.options.get("name", "")
    mark = f' id="{escape(name, quote=True)}"' if name else ""
    return f'<figure{mark} class="topoviz-figure" style="margin:1em 0">{_joined(picture)}{foot}</figure>'


def box(problem: TopovizError) -> str:
    """Return what is wrong as a box that every reader sees."""
    text = told(problem)
    return (
        f'<div class="topoviz-error" role="alert" style="{BOX}"><p><strong>{FAILED}</strong></p>'
        f"<pre>{escape(text)}</pre></div>"
    )


def told(problem: TopovizError) -> str:
    """Return what is wrong as text; lines of a body count from its first one."""
    return BODY.sub(r"line \1", "\n".join(one.render() for one in found(problem)))


def found(problem: TopovizError) -> Sequence[Diagnostic]:
    """Return a problem as findings; one without a place if it has none."""
    return problem.diagnostics if isinstance(problem, SpecError) else (Diagnostic(message=str(problem)),)


def _joined(svg: str) -> str:
    """Return SVG without line breaks: an empty line would end a block of HTML in Markdown."""
    return " ".join(line for line in svg.split("\n") if line)
