"""The labels in the left margin: what a row is, and what the lines beside it carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoviz.drawing import text
from topoviz.drawing.scene import Item, Text

RIGHT = 126.0  # right edge of the labels, in the view's own coordinates
APART = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Two lines that belong to a height; ``token`` paints the first."""

    y: float
    lines: tuple[str, ...]
    token: str = "ink"
    quiet: bool = False


def draw(labels: Sequence[Label], top: float, bottom: float) -> tuple[Item, ...]:
    """Return the labels, pushed apart so that none touches another."""
    placed = spread([label.y for label in labels], top, bottom)
    return tuple(_item(label, y) for label, y in zip(labels, placed, strict=True) if any(label.lines))


def spread(wished: Sequence[float], top: float, bottom: float) -> tuple[float, ...]:
    """Return heights as near to the wished ones as ``APART`` allows, in the same order.

    >>> spread([10, 12, 200], 0, 300)
    (10, 46, 200)
    """
    out: list[float] = []
    for y in wished:
        out.append(max(y, out[-1] + APART) if out else max(y, top))
    limit = bottom
    for i in range(len(out) - 1, -1, -1):
        out[i] = min(out[i], limit)
        limit = out[i] - APART
    return tuple(out)


def _item(label: Label, y: float) -> Item:
    first, *rest = [line for line in label.lines if line]
    shapes = []
    base = y - 3 if rest else y + 4.5
    name, size = text.fit(first, RIGHT + 22, 13, bold=not label.quiet)
    shapes.append(
        Text(
            x=RIGHT,
            y=base,
            content=name,
            size=size,
            bold=not label.quiet,
            anchor="end",
            fill="ink3" if label.quiet else label.token,
        )
    )
    for i, line in enumerate(rest[:1]):
        brief = line if text.width(line, 12) <= RIGHT + 22 else line.replace("per direction", "per dir.")
        shown, size = text.fit(brief, RIGHT + 22, 12)
        shapes.append(
            Text(
                x=RIGHT,
                y=base + 16 * (i + 1),
                content=shown,
                size=size,
                anchor="end",
                fill="ink3" if label.quiet else "ink2",
            )
        )
    return Item(role="label", layer="label", shapes=tuple(shapes))
