"""The labels in the left margin: what a row is, and what the lines beside it carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from topoviz.drawing import text
from topoviz.drawing.scene import Item, Text

RIGHT = 126.0  # right edge of the labels, in the view's own coordinates
ROOM = RIGHT + 22  # a label is at most as wide as that
PITCH = 16.0
APART = 36  # from one label of two lines to the next
MOST = 2  # lines in which a name, or what is said of it, is set


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Two lines that belong to a height; ``token`` paints the first."""

    y: float
    lines: tuple[str, ...]
    token: str = "ink"
    quiet: bool = False


def draw(labels: Sequence[Label], top: float, bottom: float) -> tuple[Item, ...]:
    """Return the labels, pushed apart so that none touches another."""
    found = [(label, _set(label)) for label in labels if any(label.lines)]
    placed = spread([label.y for label, _ in found], top, bottom, [PITCH * max(2, len(lines)) for _, lines in found])
    return tuple(_item(label, lines, y) for (label, lines), y in zip(found, placed, strict=True))


def spread(wished: Sequence[float], top: float, bottom: float, heights: Sequence[float] = ()) -> tuple[float, ...]:
    """Return heights as near to the wished ones as the labels allow, in the same order.

    >>> spread([10, 12, 200], 0, 300), spread([10, 12], 0, 300, [32, 48])
    ((10, 46.0, 200), (10, 54.0))
    """
    tall = heights or [PITCH * 2] * len(wished)
    apart = [APART + (a + b) / 2 - PITCH * 2 for a, b in pairwise(tall)]
    out: list[float] = []
    for i, y in enumerate(wished):
        out.append(max(y, out[-1] + apart[i - 1]) if out else max(y, top))
    limit = bottom
    for i in range(len(out) - 1, -1, -1):
        out[i] = min(out[i], limit)
        limit = out[i] - (apart[i - 1] if i else 0)
    return tuple(out)


def _set(label: Label) -> list[tuple[str, float, bool]]:
    """Return the lines as they are set: text, size, whether it is a name; a line too long goes on in the next."""
    first, *rest = [line for line in label.lines if line]
    size = next((s for s in (13.0, 12.0) if text.width(first, s, bold=not label.quiet) <= ROOM), 12.0)
    names = text.wrap(first, ROOM, size, MOST, bold=not label.quiet)
    brief = [line if text.width(line, 12) <= ROOM else line.replace("per direction", "per dir.") for line in rest[:1]]
    more = [part for line in brief for part in text.wrap(line, ROOM, 12, MOST)]
    return [*((name, size, True) for name in names), *((line, 12.0, False) for line in more)]


def _item(label: Label, lines: Sequence[tuple[str, float, bool]], y: float) -> Item:
    base = y + 4.5 - (len(lines) - 1) * (PITCH / 2 - 0.5)
    shapes = tuple(
        Text(
            x=RIGHT,
            y=base + PITCH * i,
            content=content,
            size=size,
            bold=name and not label.quiet,
            anchor="end",
            fill="ink3" if label.quiet else label.token if name else "ink2",
        )
        for i, (content, size, name) in enumerate(lines)
    )
    return Item(role="label", layer="label", shapes=shapes)
