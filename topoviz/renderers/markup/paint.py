"""Tokens become colours: literals of the light theme first, at-rules for pages that want other ones.

Static converters (to PNG, to PDF, office programs) skip at-rules and draw the
literals; browsers apply them. In a picture that can be dark every painted element
also carries a class per token (``f-gpu``, ``s-nvlink-line``); one ``@supports`` block
gives these classes a variable that a site may set (``--tv-gpu``), and falls back to
``--_gpu``, which the picture sets: light, and dark where page or system are dark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.renderers.markup.element import Attribute, Element
from topoviz.renderers.theme import Theme, known

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TOGGLES = (
    "html[data-theme=dark]",
    "body[data-theme=dark]",
    "[data-md-color-scheme=slate]",
    "body[data-jp-theme-light=false]",
)
# a picture that is a file of its own, and pages that leave the choice to the system
SYSTEM = ("html[data-theme=auto]", "body[data-theme=auto]")
HATCH = 5.0  # pitch of the lines


@dataclass(frozen=True, slots=True)
class Palette:
    """A theme at work in one picture, whose ids start with ``prefix``."""

    theme: Theme
    prefix: str

    def fill(self, token: str) -> Attribute:
        return self.theme.colour(token) if token else None

    def signs(self, fill: str = "", stroke: str = "") -> dict[str, Attribute]:
        """Return the classes by which at-rules find the element; none if the theme has no dark side."""
        if not self.theme.dark:
            return {}
        return {sign: f"{sign}-{name(token)}" for sign, token in (("f", fill), ("s", stroke)) if token}

    def hatch(self, fill: str, stroke: str) -> str:
        """Return the reference to the pattern of lines in ``stroke`` on ``fill``."""
        return f"url(#{self._pattern_id(fill, stroke)})"

    def pattern(self, fill: str, stroke: str) -> Element:
        """Return the definition of that pattern."""
        side = {"width": HATCH, "height": HATCH}
        ground = Element("rect", {**side, **self._painted(fill=fill)})
        line = Element("path", {"d": "M0 0V5", **self._painted(stroke=stroke), "stroke-width": 1.2})
        turned = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
        return Element("pattern", {"id": self._pattern_id(fill, stroke), **side, **turned}, (ground, line))

    def _painted(self, fill: str = "", stroke: str = "") -> dict[str, Attribute]:
        return {**self.signs(fill, stroke), "fill": self.fill(fill), "stroke": self.fill(stroke)}

    def _pattern_id(self, fill: str, stroke: str) -> str:
        return f"{self.prefix}-{'-'.join(name(token) for token in ('hatch', fill, stroke) if token)}"


def name(token: str) -> str:
    """Return the token as a name in CSS.

    >>> name("upi.line")
    'cpulink-line'
    """
    return (token if token == "hatch" else known(token)).replace(".", "-")


def rules(palette: Palette, used: Iterable[tuple[str, str]]) -> str:
    """Return the at-rules for the used pairs of property and token, each of them once."""
    theme, root = palette.theme, f"#{palette.prefix}"
    if not theme.dark:
        return ""
    pairs = sorted({(how, known(token)) for how, token in used if token})
    tokens = sorted({token for _, token in pairs})
    if not tokens:
        return ""
    light = _variables(tokens, theme.colours)
    dark = _variables([t for t in tokens if theme.dark[t] != theme.colours[t]], theme.dark)
    painted = "".join(f"{root} .{how[0]}-{name(t)}{{{how}:var(--tv-{name(t)},var(--_{name(t)}))}}" for how, t in pairs)
    toggled = ",".join(f"{toggle} {root}" for toggle in TOGGLES)
    system = ",".join((f"{root}:root", *(f"{page} {root}" for page in SYSTEM)))
    return "\n".join(
        (
            f"@supports (color:var(--a)){{{root}{{{light}}}{painted}}}",
            f"@media screen and (prefers-color-scheme:dark){{{system}{{{dark}}}}}",
            f"@media not print{{{toggled}{{{dark}}}}}",
        )
    )


def hover(palette: Palette) -> str:
    """Return the at-rules that outline a component under the pointer and thicken its links."""
    root, ink = f"#{palette.prefix}", palette.theme.colour("ink")
    outline = f"{{stroke:{ink};stroke-width:2.5}}"
    return (
        f"@media (hover:hover){{{root} .node:hover>:nth-child(2){outline}{root} .link:hover>path{{stroke-width:5}}}}\n"
        f"@media all{{{root} .node:focus-visible>:nth-child(2){outline}}}"
    )


def _variables(tokens: Iterable[str], colours: Mapping[str, str]) -> str:
    return ";".join(f"--_{name(token)}:{colours[token]}" for token in tokens)
