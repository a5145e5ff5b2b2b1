"""How large things are where somebody else places them; whoever places and whoever draws must agree."""

from __future__ import annotations

from topoviz.drawing import text as type_setting
from topoviz.drawing.pairs import name
from topoviz.model.topology import Thing

HIGH = 32.0
EDGES = 28.0  # beside a name: the points of a switch, and room
NARROWEST, WIDEST = 56.0, 150.0


def wide(thing: Thing) -> float:
    """Return how wide a thing is drawn, in u: as its name needs, within limits.

    >>> from topoviz.loading import load
    >>> wide(load("dgx-h100").thing("gpu0"))
    73.24
    """
    need = type_setting.width(name(thing, "en"), 13, bold=True) + EDGES
    return round(min(WIDEST, max(NARROWEST, need)), 2)
