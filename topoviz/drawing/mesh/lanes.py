"""What is drawn between two GPUs: a stroke for each link or each route, one for many links, pale ones for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from topoviz.drawing.pairs import letter, sign

if TYPE_CHECKING:
    from topoviz.drawing.mesh.direct import Direct, Pair
    from topoviz.model.topology import Link, Route

RINGS = ("ring.a", "ring.b", "ring.c", "ring.d")
DASHES: tuple[tuple[float, ...], ...] = ((), (10, 4), (4, 3), (12, 3, 3, 3))
SINGLY = 3  # so many parallel links are drawn one by one; more are one stroke with their number
AT_ONCE = 4  # so many routes in one picture; more are shown one by one only

Hops: TypeAlias = Mapping["Pair", tuple["Step", ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a route is drawn: letter, hue and dash. ``count`` equal channels."""

    letter: str
    token: str
    dash: tuple[float, ...]
    count: int = 1

    @property
    def said(self) -> str:
        """Return the letter, with the number of equal channels if there are several."""
        return self.letter if self.count == 1 else f"{self.letter} ×{self.count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A hop of a route over a pair. ``forward``: from the first of the pair to the second.

    ``past``: between the two, but not over their links.
    """

    route: int
    number: int
    forward: bool
    count: int = 1
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One stroke. ``links``: how many it stands for; ``steps``: what runs on it."""

    link: Link
    links: int = 1
    step: Step | None = None
    pale: bool = False


def styles(routes: Sequence[Route], first: int = 0) -> tuple[Style, ...]:
    """Return how routes are drawn, the first of them as that number; a route that is called by a letter keeps it."""
    return tuple(
        replace(style(first + i, route.count), letter=sign(route, first + i)) for i, route in enumerate(routes)
    )


def style(number: int, count: int = 1) -> Style:
    """Return how the route of that number is drawn; from the fifth on hues come again, and letters do not.

    >>> style(1).dash, style(6).letter
    ((10, 4), 'G')
    """
    at = number % len(RINGS)
    return Style(letter=letter(number), token=RINGS[at], dash=DASHES[at], count=count)


def hops(direct: Direct, routes: Sequence[Route], rate: float | None = None) -> tuple[Hops, int]:
    """Return the hops over each pair, and how many hops lead over no link that is shown.

    ``rate`` is what the only route sends (GB/s, one direction): it may take several links of a pair.
    """
    found: dict[Pair, list[Step]] = {}
    elsewhere = 0
    for r, route in enumerate(routes):
        for n, hop in enumerate(route.hops):
            a, b = direct.place.get(hop.source, -1), direct.place.get(hop.target, -1)
            pair = (a, b) if a < b else (b, a)
            if pair in direct.joints and (hop.past or not hop.via):
                needed = _needed(direct.joints[pair], rate) if len(routes) == 1 and not hop.past else 1
                count = max(route.count, needed)
                step = Step(route=r, number=n, forward=a < b, count=count, past=bool(hop.past))
                found.setdefault(pair, []).append(step)
            else:
                elsewhere += 1
    return {pair: tuple(steps) for pair, steps in found.items()}, elsewhere


def _needed(links: Sequence[Link], rate: float | None) -> int:
    """Return over how many links of a pair a route of that rate is spread."""
    count = sum(link.links for link in links)
    stated = [link.bandwidth for link in links if link.bandwidth is not None]
    if rate is None or len(stated) < len(links) or not sum(stated):
        return 1
    return min(count, ceil(rate / (sum(stated) / count) - 1e-6))


def lanes(links: Sequence[Link], steps: Sequence[Step], *, singly: int = SINGLY, rest: bool = True) -> tuple[Lane, ...]:
    """Return the strokes of a pair, those of routes first, in the order of the routes.

    ``rest``: whether links that no route needs keep a pale stroke beside those of routes.
    """
    out = [Lane(link=links[0], step=step, links=step.count) for step in steps]
    on = [step for step in steps if not step.past]
    over = {forward: sum(step.count for step in on if step.forward == forward) for forward in (True, False)}
    used = max(over.values())
    for link in links:
        left = max(0, link.links - used)
        used = max(0, used - link.links)
        if not left or (on and not rest):
            continue
        if left <= singly:
            out += [Lane(link=link) for _ in range(left)]
        else:
            out.append(Lane(link=link, links=left))
    return tuple(out)
