"""Texts with ``{fields}``: taken apart and put together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_PIECE = re.compile(r"\{\{|\}\}|\{(?P<field>[^{}\s]+)\}|[{}]|[^{}]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a template: the name of a field, or text that stands as it is."""

    text: str
    is_field: bool = False


def pieces(template: str) -> tuple[Piece, ...]:
    """Return the template in pieces; ``{{`` and ``}}`` are braces, and so is one that names no field.

    >>> pieces("{gpu.count} GPUs {{here}}")
    (Piece(text='gpu.count', is_field=True), Piece(text=' GPUs ', is_field=False), Piece(text='{', is_field=False), \
Piece(text='here', is_field=False), Piece(text='}', is_field=False))
    """
    found = []
    for match in _PIECE.finditer(template):
        name = match["field"]
        text = match[0][:1] if match[0] in {"{{", "}}"} else match[0]
        found.append(Piece(name, is_field=True) if name else Piece(text))
    return tuple(found)


def names(template: str) -> tuple[str, ...]:
    """Return the names of the fields in order.

    >>> names("{count} × {title}")
    ('count', 'title')
    """
    return tuple(piece.text for piece in pieces(template) if piece.is_field)


def joined(parts: Sequence[str]) -> str:
    """Return the parts as one text, with a blank where Chinese and Latin would touch.

    Only the seams between parts are looked at, so a text that a person wrote stays as written.

    >>> joined(["单向 ", "450 GB/s"]), joined(["4", " 颗 CPU"]), joined(["共", "8", "块"])
    ('单向 450 GB/s', '4 颗 CPU', '共 8 块')
    """
    out = ""
    for part in parts:
        out += f" {part}" if out and part and _touch(out[-1], part[0]) else part
    return out


def _touch(left: str, right: str) -> bool:
    return (_is_han(left) and _is_latin(right)) or (_is_latin(left) and _is_han(right))


def _is_han(sign: str) -> bool:
    return "\u4e00" <= sign <= "\u9fff"


def _is_latin(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign == "%")
