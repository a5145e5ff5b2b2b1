"""Where the bands stand: one opened, with a bar for each spine, the others closed; racks in columns below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from topoviz.drawing.bands.wiring import Band, Leaf

EDGE = 12.0  # from the frame of a band to what is in it
BAR, BAR_PITCH = 18.0, 22.0
LANES = 40.0  # room between the bars and the leaves of the opened band
LEAF, CLOSED_LEAF = 30.0, 22.0
BETWEEN = 12.0  # between two bands
CABLES = 62.0  # room between the bands and the racks
RACK = 130.0
NAME = 22.0  # room for the name under a rack
MOST_BARS = 10  # spines of the opened band that get a bar each
LANE_APART = 20.0  # of the lanes of one rack, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A band on the page: its frame, and the heights of bars and leaves inside."""

    band: Band
    opened: bool
    top: float
    height: float
    bars: tuple[float, ...]  # top edge of each bar; a closed band has one
    leaves: float  # top edge of the leaves

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def leaf_height(self) -> float:
        return LEAF if self.opened else CLOSED_LEAF


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All bands and columns: ``left`` and ``right`` are the edges of the frames."""

    left: float
    right: float
    columns: int
    spots: tuple[Spot, ...]

    @property
    def pitch(self) -> float:
        return (self.right - self.left - 2 * EDGE) / self.columns

    def x(self, column: float) -> float:
        """Return the middle of a column."""
        return self.left + EDGE + self.pitch * (column + 0.5)

    @property
    def racks(self) -> float:
        """Return the top edge of the racks."""
        return (self.spots[-1].bottom if self.spots else 0.0) + CABLES

    @property
    def bottom(self) -> float:
        return self.racks + RACK + NAME

    @property
    def rack_width(self) -> float:
        return min(76.0, self.pitch - 10)

    def lane(self, column: int, band: int) -> float:
        """Return where the cables of a column to a band run."""
        apart = min(LANE_APART, (self.rack_width + 8) / len(self.spots))
        return self.x(column) + (band - (len(self.spots) - 1) / 2) * apart

    def leaf(self, leaf: Leaf) -> tuple[float, float]:
        """Return left edge and width of a leaf: over the columns that it serves."""
        first, last = min(leaf.down), max(leaf.down)
        wide = self.pitch * (last - first + 1) - 12
        return self.x((first + last) / 2) - wide / 2, wide


def page(bands: Sequence[Band], columns: int, left: float, right: float, opened: Mapping[int, bool]) -> Page:
    """Return the page; bands follow each other from the top in their order."""
    spots: list[Spot] = []
    top = 0.5
    for i, band in enumerate(bands):
        spot = _spot(band, top, opened=opened.get(i, False) and 0 < len(band.spines) <= MOST_BARS)
        spots.append(spot)
        top = spot.bottom + BETWEEN
    return Page(left=left, right=right, columns=columns, spots=tuple(spots))


def _spot(band: Band, top: float, *, opened: bool) -> Spot:
    count = len(band.spines) if opened else min(1, len(band.spines))
    bars = tuple(top + EDGE + i * BAR_PITCH for i in range(count))
    under = bars[-1] + BAR if bars else top
    leaves = under + (LANES if opened else 11.0)
    height = leaves + (LEAF if opened else CLOSED_LEAF) + (10 if opened else 9.0) - top
    return Spot(band=band, opened=opened, top=top, height=height, bars=bars, leaves=leaves)
