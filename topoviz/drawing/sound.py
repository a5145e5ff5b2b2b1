"""Whether a piece of a picture may be published as it is: the audit, for one drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Scene, moved

if TYPE_CHECKING:
    from topoviz.drawing.scene import Drawing

ROOM = 24.0  # round a drawing on its page: labels may begin there


def flaws(drawing: Drawing) -> int:
    """Return how many findings the audit has about a drawing on a page of its own, with the usual margins.

    >>> from topoviz.drawing.scene import Drawing
    >>> flaws(Drawing(width=10, height=10))
    0
    """
    items = tuple(moved(item, ROOM, ROOM) for item in drawing.items)
    width, height = drawing.width + 2 * ROOM, drawing.height + 2 * ROOM
    return len(audit(Scene(width=width, height=height, items=items, title="", description="")))
