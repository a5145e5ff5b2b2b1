"""How much of a tiers view is drawn: what a picture asks for, before anything has a place.

``stacks``: switches of a tier as one bar, servers and racks as one stack. ``marks``:
GPUs without names. ``ids``: GPUs with their number. ``full``: as the layout says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topoviz.drawing.layout import Block, LineRule, Tier
from topoviz.drawing.scope import Scope
from topoviz.model.selectors import pick
from topoviz.model.topology import Thing

CONTAINERS = ("row", "micro")
SWITCHES = frozenset({"switch", "nvswitch"})


def applied(block: Block, scope: Scope, roots: Sequence[Thing]) -> Block:
    """Return the block at the level of detail that the picture asks for, with its `fold` carried out."""
    detail = scope.request.detail
    folded = {t.id for t in pick(scope.topology, roots, scope.request.fold)} if scope.request.fold else set()
    tiers = tuple(_tier(tier, detail, folded, scope, roots) for tier in block.tiers)
    stack = next(
        (new for new, old in zip(tiers, block.tiers, strict=True) if new.drawn_as == "stack" != old.drawn_as), None
    )
    if stack is None:
        return replace(block, tiers=tiers)
    tiers = tuple(_joined(tier, scope, roots) for tier in tiers)
    return replace(
        block, tiers=tiers, column_of=stack.show, through=(), lines=tuple(_line(line) for line in block.lines)
    )


def _tier(tier: Tier, detail: str, folded: set[str], scope: Scope, roots: Sequence[Thing]) -> Tier:
    things = pick(scope.topology, roots, tier.show)
    kinds = {thing.kind for thing in things}
    all_folded = bool(things) and folded >= {thing.id for thing in things}
    if tier.drawn_as in CONTAINERS and (detail == "stacks" or all_folded):
        gutter = tier.gutter if tier.drawn_as == "micro" else ("{count} × {title}", "{gpu.count} GPUs in all")
        return replace(tier, drawn_as="stack", tiers=(), full=None, rest=(), gutter=gutter)
    if kinds and kinds <= SWITCHES and (detail == "stacks" or all_folded):
        return _strip(tier)
    if kinds == {"gpu"} and detail in {"marks", "stacks"}:
        return replace(tier, label="{none}")
    return replace(tier, label="{index}") if kinds == {"gpu"} and detail == "ids" else tier


def _joined(tier: Tier, scope: Scope, roots: Sequence[Thing]) -> Tier:
    """Return switches as one bar: over servers drawn as one there are no columns for each of them."""
    kinds = {thing.kind for thing in pick(scope.topology, roots, tier.show)}
    return _strip(tier) if kinds and kinds <= SWITCHES and tier.drawn_as not in {"strip", "stack"} else tier


def _strip(tier: Tier) -> Tier:
    words = tier.gutter[0] if isinstance(tier.gutter, tuple) else "{count} switches"
    return replace(tier, drawn_as="strip", label=words, right="")


def _line(line: LineRule) -> LineRule:
    """Lines between what stands for many: trunks, each with the number of its cables."""
    gutter = ("{links} cables", "each {link.rate}") if line.gutter else line.gutter
    return replace(line, drawn_as="trunks", plate="×{links}", gutter=gutter)
