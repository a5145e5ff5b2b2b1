"""How wide texts are, and how to make them fit, without a browser.

Widths come from ``advances.json`` (made by ``benchmarks/advances.py``): the widest
advance of each character over eight common fonts, so a text never turns out wider
than it was measured, whichever of them the reader has. Sizes and widths in u.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MARGIN = 1.02  # measured against a browser: one label of 368 was a thousandth of an em too wide
FLOOR = 12.0  # smallest type
WIDE, EMOJI, UNKNOWN = 1000, 1300, 700  # thousandths of an em
ELLIPSIS = "…"
SEPARATORS = ":-._/"
NEVER_FIRST = frozenset("，。、；：？！）》」』】〉〕％”’…—～·,.;:?!)]}%")
NEVER_LAST = frozenset("（《「『【〈〔“‘([{")


def width(content: str, size: float = 13, *, bold: bool = False) -> float:
    """Return an upper bound of the width of the text in the fonts people have.

    >>> round(width("GPU 0", 13, bold=True), 1)
    45.2
    """
    return _sum(content, f"widest {_weight(bold)}") * size / 1000 * MARGIN


def typical(content: str, size: float = 13, *, bold: bool = False) -> float:
    """Return the width in Arial, for decorations that stand beside a text.

    >>> round(typical("GPU 0", 13, bold=True), 1)
    39.0
    """
    return _sum(content, f"typical {_weight(bold)}") * size / 1000


def fit(content: str, room: float, size: float = 13, *, bold: bool = False, floor: float = FLOOR) -> tuple[str, float]:
    """Return the text and the size in which it fits: as it is, else smaller, else the end of a name, else cut.

    Names are told apart by their ends, so an end that fits is worth more than a text cut
    in its middle. The text is empty if not even an ellipsis has room.

    >>> fit("GPU 0", 60, 13, bold=True)
    ('GPU 0', 13)
    >>> fit("node-with-a-long-name-17", 100), fit("a sentence that is too long", 100)
    (('long-name-17', 12.0), ('a sente…o long', 12.0))
    """
    small = min(size, floor)
    for candidate, at in ((content, size), (content, small), *((tail, small) for tail in tails(content))):
        if width(candidate, at, bold=bold) <= room:
            return candidate, at
    kept = _longest(content, room, small, bold)
    return kept, small


def tails(name: str) -> tuple[str, ...]:
    """Return the ends that may stand for a name, the longest first: its number is never lost.

    >>> tails("bnxt_re0"), tails("Context part 3"), tails("ib-leaf-a1"), tails("spine-north")
    (('re0', '0'), ('part 3', '3'), ('leaf-a1', 'a1'), ('north',))
    >>> tails("two words"), tails("卡12")
    ((), ('12',))
    """
    if " " in name and not re.fullmatch(r"\D+ \d+", name):
        return ()
    starts = [match.end() for match in re.finditer(rf"[{re.escape(SEPARATORS)} ]+", name)]
    number = re.search(r"(?<=[^\W\d_]{2})\d+$|(?<=[^\x00-\x7f])\d+$", name)
    starts += [number.start()] if number else []
    return tuple(dict.fromkeys(name[start:] for start in sorted(starts) if 0 < start < len(name)))


def wrap(content: str, room: float, size: float = 13, most: int = 3, *, bold: bool = False) -> tuple[str, ...]:
    """Return the text in at most ``most`` lines; what does not fit ends in an ellipsis.

    Lines break at blanks, between Chinese characters (never before a closing sign or
    after an opening one) and, in names too long for a line, after ``: - . _ /``.

    >>> wrap("In a DGX H100 the PCIe switch sits inside the NIC", 180, 12)
    ('In a DGX H100 the PCIe', 'switch sits inside the NIC')
    """
    lines: list[str] = []
    for piece in _pieces(content, room, size, bold):
        joined = lines[-1] + piece if lines else piece
        if lines and width(joined.rstrip(), size, bold=bold) <= room:
            lines[-1] = joined
        else:
            lines.append(piece)
    kept = tuple(line.strip() for line in lines if line.strip())
    if len(kept) <= most:
        return kept
    return (*kept[: most - 1], _ended(" ".join(kept[most - 1 :]), room, size, bold))


def split_name(name: str) -> tuple[str, str]:
    """Return a name in two lines, cut where both are about equally wide; one that has no place to cut stays whole.

    >>> split_name("dgx-h100-cluster.rack07")
    ('dgx-h100-', 'cluster.rack07')
    >>> split_name("plain")
    ('plain', '')
    """
    places = [i + 1 for i, c in enumerate(name[:-1]) if (c in SEPARATORS or c == " ") and i]
    if not places:
        return name, ""
    at = min(places, key=lambda i: (max(width(name[:i]), width(name[i:])), i))
    return name[:at].rstrip(), name[at:].lstrip()


def _weight(bold: bool) -> str:  # noqa: FBT001 - a helper of two functions above
    return "bold" if bold else "regular"


def _sum(content: str, table: str) -> int:
    widths = _advances()[table]
    return sum(widths[c] if c in widths else _other(c) for c in content)


def _other(character: str) -> int:
    """Return the advance of a character that the fonts of the table do not have."""
    if unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc", "Cs"}:
        return 0
    if ord(character) >= 0x1F000:
        return EMOJI if ord(character) < 0x20000 else WIDE
    if unicodedata.east_asian_width(character) in "WF":
        return EMOJI if 0x2300 <= ord(character) < 0x2C00 else WIDE
    return UNKNOWN


@cache
def _advances() -> Mapping[str, Mapping[str, int]]:
    """Return table name -> character -> thousandths of an em."""
    stored = json.loads(files("topoviz.drawing").joinpath("advances.json").read_text(encoding="utf-8"))
    return MappingProxyType({name: MappingProxyType(_unfolded(runs)) for name, runs in stored.items()})


def _unfolded(runs: Mapping[str, list[int]]) -> dict[str, int]:
    return {chr(int(start, 16) + i): one for start, run in runs.items() for i, one in enumerate(run)}


def _longest(content: str, room: float, size: float, bold: bool) -> str:  # noqa: FBT001
    """Return the text with as little as needed cut from its middle, or nothing."""
    low, high, best = 0, len(content) - 1, ""
    while low <= high:
        middle = (low + high) // 2
        candidate = _cut(content, middle)
        if width(candidate, size, bold=bold) <= room:
            best, low = candidate, middle + 1
        else:
            high = middle - 1
    return best


def _cut(content: str, kept: int) -> str:
    head = (kept + 1) // 2
    tail = kept - head
    return content[:head].rstrip() + ELLIPSIS + (content[-tail:].lstrip() if tail else "")


def _ended(content: str, room: float, size: float, bold: bool) -> str:  # noqa: FBT001
    """Return the beginning of the text that fits with an ellipsis after it."""
    end = len(content)
    while end and width(content[:end].rstrip() + ELLIPSIS, size, bold=bold) > room:
        end -= 1
    return content[:end].rstrip(" ,;:，；：、") + ELLIPSIS


def _pieces(content: str, room: float, size: float, bold: bool) -> list[str]:  # noqa: FBT001
    """Return what may not be broken, in order; together they are the text."""
    result: list[str] = []
    for word in re.findall(r"\s*\S+\s*?", content):
        for part in _between_wide(" " + word.strip() if word[0].isspace() else word):
            result += [part] if width(part.strip(), size, bold=bold) <= room else _broken(part, room, size, bold)
    return result


def _between_wide(word: str) -> list[str]:
    """Return the word cut at the places where Chinese or Japanese text may break."""
    parts = [word[:1]]
    for before, after in pairwise(word):
        wide = "W" in (unicodedata.east_asian_width(before), unicodedata.east_asian_width(after))
        wide = wide or (before in NEVER_FIRST and unicodedata.east_asian_width(before) == "F")
        if wide and before != " " and after not in NEVER_FIRST and before not in NEVER_LAST:
            parts.append(after)
        else:
            parts[-1] += after
    return parts


def _broken(word: str, room: float, size: float, bold: bool) -> list[str]:  # noqa: FBT001
    """Return a word too long for a line in parts: after a separator if it has one, else anywhere."""
    parts = [part for part in re.split(rf"(?<=[{re.escape(SEPARATORS)}])", word) if part]
    if len(parts) > 1:
        return [
            p
            for part in parts
            for p in (_broken(part, room, size, bold) if width(part, size, bold=bold) > room else [part])
        ]
    pieces = [""]
    for character in word:
        if pieces[-1].strip() and width((pieces[-1] + character).strip(), size, bold=bold) > room:
            pieces.append("")
        pieces[-1] += character
    return pieces
