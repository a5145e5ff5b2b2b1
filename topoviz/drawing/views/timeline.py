"""Computing and exchange of one step along time: what is hidden, and what stays to be waited for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from topoviz.drawing import time_line
from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Drawing
from topoviz.drawing.scope import Scope

KEYS: Mapping[str, str] = MappingProxyType(
    {"pieces": "Into how many pieces the exchange is cut, each sent as soon as it is computed; 8 if not given."}
)


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return a row for each panel, or one for the picture: the pieces computed, and below them the pieces sent.

    Lengths are seconds in one scale for all rows. Nothing is drawn without ``size`` and ``compute``.
    """
    return time_line.draw(scope, width, int(block.options.get("pieces") or time_line.PIECES))
