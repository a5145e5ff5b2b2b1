"""What one cell of a table holds: the words, the amount for a bar, and the hue of the fabric."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from topoviz.drawing import fields
from topoviz.drawing.census import NETWORK
from topoviz.drawing.fields.subject import of_word
from topoviz.drawing.look import fabric_of
from topoviz.drawing.panels import numbers
from topoviz.drawing.rows_of_fields import Field
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import Tally
from topoviz.drawing.words import LINKS, SCALE_UP
from topoviz.model.topology import Thing

OTHERS = {"rack": "GPU to GPU in other racks", "su": "GPU to GPU in other racks", "node": "GPU to GPU in other servers"}


PREFIXES = {None: 1.0, "M": 1e-3, "G": 1.0, "T": 1e3, "P": 1e6}
NOTHING_KNOWN = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A value in words, a second line or remark, and what a bar of it needs."""

    text: str
    remark: str = ""
    amount: float | None = None
    kind: str = ""  # of the link, for the hue


def cell(scope: Scope, field: Field, things: Sequence[Thing] = ()) -> Cell:
    """Return what the field says of a panel (or of some things), without the direction that stands in its head."""
    found = None if things else links_behind(scope, field)
    rate = fields.quantity(scope, field.name, things=things)
    if rate is not None:
        return Cell(text=rate.number(scope.lang), amount=rate.low, kind=_kind(found), remark=_in_bits(field, found))
    text = fields.say(scope, f"{{{field.name}}}", things=things, numbers=numbers(scope))
    remark = fields.say(scope, between_whom(scope, found)) if found and field.name == "gpu.link" else ""
    return Cell(text=text or NOTHING_KNOWN, amount=first_number(text), kind=_kind(found), remark=remark)


def links_behind(scope: Scope, field: Field) -> Tally | None:
    """Return the links that a field about things tells of: those of the kind it names, else the main ones."""
    word, *rest = field.name.split(".")
    subject = of_word(scope, word)
    if subject is None:
        return None
    named = [part for part in rest if part in LINKS]
    return subject.tally(named[0]) if named else subject.main()


def between_whom(scope: Scope, found: Tally) -> str:
    """Return in words, as a key of the messages, between whom these links of a GPU run."""
    root = scope.roots[0]
    if found.kind in NETWORK:
        inside = tuple(dict.fromkeys(child.kind for child in root.children if child.kind in OTHERS))
        return OTHERS[inside[0]] if inside else "GPU to network"
    if found.kind in SCALE_UP:
        return {"node": "GPU to GPU in the server", "rack": "GPU to GPU in the rack"}.get(root.kind, "GPU to GPU")
    gpus = of_word(scope, "gpu")
    return "GPU to host CPU" if gpus is None or gpus.count == 1 else "GPU to GPU through the host"


def first_number(text: str) -> float | None:
    """Return the first number of a text, for the length of a bar; in G where a unit of bytes or bits has a prefix.

    >>> first_number("400 Gb/s"), first_number("1,296"), first_number("none"), first_number("22 TB/s")
    (400.0, 1296.0, None, 22000.0)
    """
    match = re.search(r"(?P<number>\d[\d,]*(?:\.\d+)?)(?: (?P<prefix>[MGTP])[Bb])?", text)
    return float(match["number"].replace(",", "")) * PREFIXES[match["prefix"]] if match else None


def _kind(found: Tally | None) -> str:
    return found.kind if found else ""


def _in_bits(field: Field, found: Tally | None) -> str:
    """Return where the number of a network comes from: the bits that are written on the box."""
    bits = found.rate.bits() if found and found.kind in NETWORK else ""
    return f"= {bits} ÷ 8" if bits and field.bars and field.name.endswith(".rate") else ""


def hue(cell: Cell, part: str) -> str:
    """Return the token of the fabric of a cell: ``line`` for a bar, ``text`` for words.

    >>> hue(Cell(text="", kind="nvlink"), "line")
    'nvlink.line'
    """
    fabric = fabric_of(cell.kind) if cell.kind else "frame"
    if fabric == "frame":
        return "ink" if part == "text" else "frame"
    return f"{fabric}.{part}"
