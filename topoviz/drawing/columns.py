"""Where columns stand: those of blocks by their share, those of panels and of the table below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[float, float]  # left edge, width

GUTTER = 24.0  # between columns of blocks
PANEL_GUTTER = 12.0  # between panels, and between the columns of their table
HEADS = 100.0  # room for the row heads of a table left of the panels
PANELS_IN_A_ROW = 4


def shared(width: float, shares: Sequence[float]) -> tuple[Span, ...]:
    """Return the columns of blocks: the shares divide what the gutters leave.

    >>> shared(912, [4, 8])
    ((0.0, 296.0), (320.0, 592.0))
    """
    unit = (width - GUTTER * (len(shares) - 1)) / sum(shares)
    spans: list[Span] = []
    x = 0.0
    for share in shares:
        spans.append((x, unit * share))
        x += unit * share + GUTTER
    return tuple(spans)


def equal(width: float, count: int, *, heads: float = 0) -> tuple[Span, ...]:
    """Return ``count`` equal columns, right of ``heads`` units for row heads.

    >>> equal(912, 4, heads=100)[1]
    (306.0, 194.0)
    """
    each = (width - heads - PANEL_GUTTER * (count - 1)) / count
    return tuple((heads + i * (each + PANEL_GUTTER), each) for i in range(count))
