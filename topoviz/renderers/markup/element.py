"""A thin SVG element, and the one place where elements become text.

Everything that is written passes here: characters that XML forbids and signs that
turn the direction of text are removed, markup signs are escaped, numbers have one
decimal and are finite.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from xml.etree import ElementTree as ET

Attribute: TypeAlias = str | float | None

# outside the XML 1.0 character set (lone surrogates too), and the bidirectional controls
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:._-]*\Z")
_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_VALUE = {**_TEXT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
CLASSES = ("class", "f", "s")
INLINE = frozenset({"text", "title", "desc", "style"})  # white space inside these would show


@dataclass(frozen=True, slots=True)
class Element:
    """One element; attributes that are empty or None are not written.

    ``f`` and ``s`` are classes that say how it is filled and stroked; they become part
    of ``class``.
    """

    tag: str
    attributes: Mapping[str, Attribute]
    children: tuple[Element, ...] = ()
    text: str = ""

    def get_xml(self) -> ET.Element:
        """Return the element as the standard library has it, which is what svgwrite asks of its parts."""
        values = {name: plain(value) for name, value in self.attributes.items() if value is not None}
        classes = " ".join(filter(None, (values.pop(name, "") for name in CLASSES)))
        named = {"class": classes, **values} if self.tag == "g" else {**values, "class": classes}
        element = ET.Element(self.tag, {name: value for name, value in named.items() if value})
        element.text = clean(self.text) or None
        element.extend([child.get_xml() for child in self.children])
        return element


def number(value: float, places: int = 1) -> str:
    """Return the number as short as it can be written with that many decimals.

    Raises ValueError for a value that is not finite.

    >>> [number(x) for x in (12.0, 3.14159, -0.04, 0.5)]
    ['12', '3.1', '0', '0.5']
    """
    if not math.isfinite(value):
        raise ValueError(f"not a finite number: {value}")
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def plain(value: str | float) -> str:
    """Return an attribute's value as text."""
    return clean(value) if isinstance(value, str) else number(value)


def clean(text: str) -> str:
    r"""Return the text without what XML forbids and without signs that turn its direction.

    >>> clean("GPU\x00 0\u202e")
    'GPU 0'
    """
    return _FORBIDDEN.sub("", text)


def written(element: ET.Element) -> str:
    """Return the element as text, one element on a line; raises ValueError for a name XML forbids."""
    return "\n".join(_lines(element)) + "\n"


def _lines(element: ET.Element) -> Iterator[str]:
    if element.tag in INLINE or not len(element):
        yield _flat(element)
        return
    yield f"<{_opening(element)}>"
    for child in element:
        yield from _lines(child)
    yield f"</{element.tag}>"


def _flat(element: ET.Element) -> str:
    inside = _escaped(element.text or "", _TEXT) + "".join(_flat(child) for child in element)
    return f"<{_opening(element)}>{inside}</{element.tag}>" if inside else f"<{_opening(element)}/>"


def _opening(element: ET.Element) -> str:
    for name in (element.tag, *element.attrib):
        if not _NAME.match(name):
            raise ValueError(f"not a name of XML: {name!r}")
    return " ".join([element.tag, *(f'{name}="{_escaped(value, _VALUE)}"' for name, value in element.attrib.items())])


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(c, c) for c in text) if any(c in text for c in table) else text
