"""Groups of a job: hulls of ranks that work on one layer, with what runs between stages, copies and shards."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from topoviz.drawing import group_bare, group_full
from topoviz.drawing.compose import NOTHING
from topoviz.drawing.group_board import board
from topoviz.drawing.group_hull import Style
from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Drawing
from topoviz.drawing.scope import Scope

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "rows": "the kind of group that makes a row: dp",
        "columns": "the kind of group that makes a column: pp",
        "cell": "the kind of group that makes a hull: tp",
        "label": "what is written on each GPU: {rank}, or {position} in its hull",
        "tiers": "what stands in a hull; without them hulls are bare rows in the frame of their machine",
    }
)
FULL = (4, 3)  # rows and columns that are drawn; the others are folded
BARE = (10, 2)


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the hulls of the job; nothing without one.

    With tiers a hull has a head, its switches and arrows with words; without, each is one row in
    the frame of the machine that its column is.
    """
    plan = scope.findings.job
    if plan is None:
        return NOTHING
    full = bool(block.tiers)
    made = board(block, scope, plan, FULL if full else BARE)
    style = Style(scope=scope, block=block, board=made, full=full)
    return group_full.draw(style, width) if full else group_bare.draw(style, width)
