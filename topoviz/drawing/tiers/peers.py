"""Links between CPUs: in the gap between neighbours, past other CPUs over the top on tracks of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from topoviz.drawing import text
from topoviz.drawing.scene import Line, Shape, Text
from topoviz.drawing.tiers import route
from topoviz.drawing.tiers.cast import BETWEEN_CPUS, Cast, Join

if TYPE_CHECKING:
    from topoviz.drawing.tiers.stack import Spot
    from topoviz.drawing.tiers.stage import Stage

FEW = 3  # tracks; so many are wide enough for three lines each
BELOW = 12.0  # from a CPU to the first track
DOWN: tuple[float, ...] = (4.0, 3.0)
USED = 0.7  # of the width of a CPU, by the ends of links


def pitch(tracks: int) -> float:
    """Return the room from track to track.

    >>> pitch(2), pitch(9)
    (16.0, 8.0)
    """
    return 16.0 if tracks <= FEW else 8.0


def far(joins: Sequence[Join], order: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return the track of each pair of CPUs that are no neighbours, 0 lowest; longer ones above shorter ones.

    ``order`` are the CPUs from left to right.
    """
    place = {cpu: at for at, cpu in enumerate(order)}
    pairs = {(j.upper, j.lower) for j in joins if j.kind in BETWEEN_CPUS and j.upper in place and j.lower in place}
    spans = sorted((abs(place[a] - place[b]), min(place[a], place[b]), a, b) for a, b in pairs)
    tracks: list[list[tuple[int, int]]] = []
    found: dict[tuple[str, str], int] = {}
    for length, left, a, b in spans:
        if length < 2:
            continue
        span = (left, left + length)
        track = next((t for t, taken in enumerate(tracks) if all(_apart(span, one) for one in taken)), len(tracks))
        if track == len(tracks):
            tracks.append([])
        tracks[track].append(span)
        found[a, b] = track
    return found


def _apart(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[1] <= other[0] or other[1] <= one[0]


def room(cast: Cast, x: Mapping[str, float]) -> float:
    """Return the room above the CPUs that links past other CPUs need."""
    cpus = sorted((u.id for row in cast.units for u in row if u.kind == "cpu" and u.id in x), key=lambda cpu: x[cpu])
    found = far(cast.joins, cpus)
    tracks = max(found.values(), default=-1) + 1
    return BELOW + pitch(tracks) * tracks if tracks else 0.0


def draw(stage: Stage) -> Iterator[tuple[Join, list[Shape]]]:
    """Yield the shapes of each link between CPUs: three thin lines, or one where there are many tracks."""
    spots = {unit: spot for unit, spot in stage.spots.items() if stage.unit(unit).kind == "cpu"}
    order = sorted(spots, key=lambda cpu: spots[cpu].x)
    joins = [j for j in stage.cast.joins if j.upper in spots and j.lower in spots and j.kind in BETWEEN_CPUS]
    tracks = far(joins, order)
    ends = _ends(tracks, spots)
    for join in joins:
        pair = (join.upper, join.lower)
        a, b = sorted((spots[join.upper], spots[join.lower]), key=lambda spot: spot.x)
        shapes = _over(stage, pair, tracks, ends, a.y) if pair in tracks else _between(stage, join, a, b)
        yield join, [_marked(shape, join) for shape in shapes]


def _marked(shape: Shape, join: Join) -> Shape:
    """Return a line of a link that is down or slower as others are drawn that are."""
    if join.state not in {"down", "degraded"} or not isinstance(shape, Line):
        return shape
    return replace(shape, stroke="alert", dash=DOWN if join.state == "down" else ())


def _between(stage: Stage, join: Join, a: Spot, b: Spot) -> list[Shape]:
    """Three lines in the gap, with the name of the link above them."""
    x0, x1 = a.x + a.width / 2, b.x - b.width / 2
    y, colour = a.y + a.height / 2, stage.tone("upi")
    lines: list[Shape] = [Line(points=((x0, y + d), (x1, y + d)), stroke=colour, width=1.5) for d in (-3, 2, 7)]
    turned = stage.muted and route.crossed(stage.scope.findings.routes, join.upper)
    above = a.bottom + 14 if turned else y - 9  # below, where a route fills the gap
    return [*lines, *_name(stage, join, (x0 + x1) / 2, above, x1 - x0)]


def _name(stage: Stage, join: Join, x: float, y: float, space: float) -> list[Shape]:
    rule = stage.rule(join)
    name = stage.text((rule.label if rule else "") or "{link}", links=join.parts)
    if not name or text.width(name, 12) > space - 2:
        return []
    return [Text(x=x, y=y, content=name, size=12, anchor="middle", fill="ink3" if stage.muted else "ink2")]


def _ends(tracks: Mapping[tuple[str, str], int], spots: Mapping[str, Spot]) -> dict[tuple[str, str], float]:
    """Return where each link leaves each of its CPUs, by (CPU, other CPU): shorter ones outside, so that none cross there."""
    found: dict[tuple[str, str], float] = {}
    for cpu, spot in spots.items():
        others = [b if a == cpu else a for a, b in tracks if cpu in {a, b}]
        to_left = sorted((o for o in others if spots[o].x < spot.x), key=lambda o: -spots[o].x)
        to_right = sorted((o for o in others if spots[o].x > spot.x), key=lambda o: -spots[o].x)
        ordered = [*to_left, *to_right]
        step = spot.width * USED / max(1, len(ordered))
        for at, other in enumerate(ordered):
            found[cpu, other] = spot.x + (at - (len(ordered) - 1) / 2) * step
    return found


def _over(
    stage: Stage,
    pair: tuple[str, str],
    tracks: Mapping[tuple[str, str], int],
    ends: Mapping[tuple[str, str], float],
    top: float,
) -> list[Shape]:
    """Up from one CPU, along its track, and down to the other."""
    count = max(tracks.values()) + 1
    x0, x1 = sorted((ends[pair], ends[pair[::-1]]))
    y = top - BELOW - pitch(count) * tracks[pair]
    steps = (-3.0, 0.0, 3.0) if count <= FEW else (0.0,)
    return [
        Line(
            points=((x0 + d, top), (x0 + d, y + d), (x1 - d, y + d), (x1 - d, top)),
            stroke=stage.tone("upi"),
            width=1.25,
            radius=6,
        )
        for d in steps
    ]
