"""Where bars, the opened unit and the closed ones stand."""

from __future__ import annotations

from dataclasses import dataclass

from topoviz.drawing.crossbar.wiring import Unit, Wiring

BAR, BAR_PITCH = 19.0, 24.0
SPINE, SPINE_PITCH = 18.0, 22.0
CABLES = 52.0  # between the bars and the units
EDGE = 14.0  # from the frame of the opened unit to what is in it
NUMBERS = 26.0  # room for the cables of each leaf
LEAF = 26.0
SERVERS = 148.0
NAME = 22.0
TRACK = 11.0  # between two ways of spines to their bars
OPENED = 0.62  # share of the width that the opened unit takes
CARD_PITCH, CARD = 19.0, 15.0
NARROWEST = 13.0  # pitch of closed units that can still be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page of a crossbar: edges of the bars, the opened unit, the closed ones that are drawn."""

    left: float
    right: float
    wiring: Wiring
    split: float  # right edge of the opened unit
    shown: int  # closed units that are drawn

    @property
    def unit(self) -> Unit:
        return self.wiring.units[0]

    def bar(self, number: int) -> float:
        """Return the top edge of a bar of the top tier."""
        return 0.5 + number * BAR_PITCH

    @property
    def bars_end(self) -> float:
        return self.bar(len(self.wiring.bars) - 1) + BAR

    @property
    def top(self) -> float:
        """Return the top edge of the units."""
        return self.bars_end + CABLES

    def spine(self, number: int) -> float:
        return self.top + EDGE + number * SPINE_PITCH

    @property
    def spines_end(self) -> float:
        count = len(self.unit.spines)
        return self.spine(count - 1) + SPINE if count else self.top + EDGE - NUMBERS / 2

    @property
    def leaves(self) -> float:
        return self.spines_end + NUMBERS

    @property
    def servers(self) -> float:
        return self.leaves + LEAF + 12

    @property
    def bottom(self) -> float:
        """Return the lower edge of the units."""
        return self.servers + SERVERS + EDGE

    @property
    def inner(self) -> tuple[float, float]:
        """Return the edges of spines and leaves in the opened unit; the ways of the spines stand right of them."""
        ways = len(self.unit.spines) * TRACK + 18 if self.unit.spines else 0
        return self.left + EDGE, self.split - EDGE - ways

    def leaf(self, number: int) -> tuple[float, float]:
        """Return middle and room of a leaf."""
        first, last = self.inner
        room = (last - first) / max(1, len(self.unit.leaves))
        return first + room * (number + 0.5), room

    def track(self, number: int) -> float:
        """Return where the way of a spine goes up: that of the top one is the leftmost, so that none crosses."""
        return self.inner[1] + 14 + number * TRACK

    def card(self, number: int) -> float:
        """Return the middle of a closed unit, counted from 0."""
        pitch = self.pitch
        return self.split + 20 + pitch * (number + 0.5)

    @property
    def pitch(self) -> float:
        return min(46.0, (self.right - self.split - 20) / max(1, self.shown))


def page(wiring: Wiring, left: float, right: float) -> Page:
    """Return the page; closed units that would be too thin are left away from the end."""
    closed = len(wiring.units) - 1
    split = left + OPENED * (right - left) if closed else right
    room = right - split - 20
    return Page(left=left, right=right, wiring=wiring, split=split, shown=min(closed, int(room / NARROWEST)))
