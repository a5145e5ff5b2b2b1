"""Everything placed: what the painters of a tiers view read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from topoviz.drawing import glyphs
from topoviz.drawing.fields import say
from topoviz.drawing.layout import Block, LineRule
from topoviz.drawing.scope import Scope
from topoviz.drawing.tiers.cast import BETWEEN_CPUS, Cast, Join, Unit
from topoviz.drawing.tiers.columns import Grid
from topoviz.drawing.tiers.forest import Forest
from topoviz.drawing.tiers.stack import Band, Spot
from topoviz.model.topology import Link


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A tiers view with every unit at its place; ``muted`` if something is highlighted."""

    block: Block
    scope: Scope
    cast: Cast
    forest: Forest
    grid: Grid
    columns: frozenset[str]
    stack: tuple[tuple[Band, float], ...]
    spots: Mapping[str, Spot]
    edges: tuple[float, float]
    muted: bool = False
    ground: str = "surf"  # what a plate is painted with

    def rule(self, join: Join) -> LineRule | None:
        return self.cast.rule(join)

    def unit(self, unit_id: str) -> Unit:
        return self.cast.unit(unit_id)

    def tone(self, kind: str, part: str = "line") -> str:
        """Return the token of a link kind, or grey where the structure is muted."""
        if self.muted:
            return "ghost" if part == "line" else "ink3"
        return token(kind, part)

    def text(
        self,
        template: object,
        *,
        unit: Unit | None = None,
        links: Sequence[Link] = (),
        numbers: Mapping[str, str] | None = None,
    ) -> str:
        """Return a text of the layout filled for a unit and links; empty stays empty."""
        if not template:
            return ""
        things = unit.things if unit is not None else ()
        return say(self.scope, template, things=things, links=links, numbers=numbers or {})  # type: ignore[arg-type]


def token(kind: str, part: str = "line") -> str:
    """Return the token of a link kind, such as ``nvlink.line``.

    >>> token("infiniband"), token("upi", "text"), token("xgmi", "tint")
    ('infiniband.line', 'ink2', 'nvlink.tint')
    """
    if kind in BETWEEN_CPUS[:3]:
        return "cpulink.line" if part == "line" else "ink2"
    fabric = glyphs.fabric_of(kind)
    return "ink2" if fabric == "frame" else f"{fabric}.{part}"


def line_width(bandwidth: float | None) -> float:
    """Return the width of a line that stands for ``bandwidth`` GB/s in one direction (VISUAL-LANGUAGE §5).

    >>> [round(line_width(b), 1) for b in (25, 50, 450, None)]
    [1.5, 2.2, 4.4, 1.2]
    """
    if not bandwidth:
        return 1.25
    return min(10.0, max(1.25, 1.5 + 0.7 * log2(bandwidth / 25)))
