"""Colours as people write them, by a strict grammar: nothing else may enter a drawing."""

from __future__ import annotations

import re
from types import MappingProxyType

NAMES = MappingProxyType(  # the sixteen of HTML
    {
        "black": "#000000",
        "silver": "#C0C0C0",
        "gray": "#808080",
        "white": "#FFFFFF",
        "maroon": "#800000",
        "red": "#FF0000",
        "purple": "#800080",
        "fuchsia": "#FF00FF",
        "green": "#008000",
        "lime": "#00FF00",
        "olive": "#808000",
        "yellow": "#FFFF00",
        "navy": "#000080",
        "blue": "#0000FF",
        "teal": "#008080",
        "aqua": "#00FFFF",
    }
)
_SHORT = re.compile(r"#[0-9a-fA-F]{3}\Z")
_LONG = re.compile(r"#[0-9a-fA-F]{6}\Z")
_RGB = re.compile(r"rgb\( *([0-9]{1,3}) *, *([0-9]{1,3}) *, *([0-9]{1,3}) *\)\Z")


def hexadecimal(colour: str) -> str:
    """Return the colour as ``#RRGGBB``, or an empty text if it is none.

    >>> hexadecimal("#0bf"), hexadecimal("rgb(11, 79, 60)"), hexadecimal("url(x)")
    ('#00BBFF', '#0B4F3C', '')
    """
    if _LONG.match(colour):
        return colour.upper()
    if _SHORT.match(colour):
        return "#" + "".join(2 * c for c in colour[1:]).upper()
    if (found := _RGB.match(colour)) and max(parts := [int(part) for part in found.groups()]) <= 255:
        return "#" + "".join(f"{part:02X}" for part in parts)
    return NAMES.get(colour.lower(), "")


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two ``#RRGGBB`` colours, 1 to 21, by the formula of WCAG 2.

    >>> round(contrast("#000000", "#FFFFFF"), 2)
    21.0
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
