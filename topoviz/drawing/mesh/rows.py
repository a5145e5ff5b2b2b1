"""Two rows of GPUs: neighbours joined straight, the rows through the gap between them, the rest by arches outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING

from topoviz.drawing.mesh.spots import Path, Point, Size, Spots, box, framed, middle, spread

if TYPE_CHECKING:
    from topoviz.drawing.bounds import Bounds
    from topoviz.drawing.mesh.direct import Pair
    from topoviz.drawing.mesh.outline import Outline

EDGE = 7.0  # from a corner of a box to the first stroke
APART = 12.0  # between bundles on one side of a box


def placed(outline: Outline, counts: Mapping[Pair, int], size: Size) -> Spots:
    """Return boxes and paths in two rows. ``counts`` says how many strokes a pair has."""
    form = outline.form
    spots = [form.spot(slot) for slot in range(form.count)]
    down = size.box[1] + size.between
    at = [box(column * size.pitch, row * down, size.box) for column, row in spots]
    areas = tuple(at[outline.order.index(place)] for place in range(form.count))
    arched = [pair for pair in counts if form.arch(outline.slots(pair))]
    level = [pair for pair in counts if pair not in arched and _row(outline, pair[0]) == _row(outline, pair[1])]
    through = [pair for pair in counts if pair not in arched and pair not in level]
    paths = {
        **{pair: _straight(areas, pair, counts[pair], size, _row(outline, pair[0])) for pair in level},
        **_through(areas, through, counts, size),
    }
    for row in (0, 1):
        inside = [pair for pair in arched if _row(outline, pair[0]) == row]
        paths.update(_arches(areas, inside, counts, size, row))
    return framed(areas, {pair: paths[pair] for pair in counts}, margin=10)


def _row(outline: Outline, place: int) -> int:
    return outline.form.spot(outline.order.index(place))[1]


def _straight(areas: Sequence[Bounds], pair: Pair, count: int, size: Size, row: int) -> tuple[Path, ...]:
    """Neighbours in a row; the first stroke is the outer one."""
    one, other = areas[pair[0]], areas[pair[1]]
    y = middle(one)[1]
    rightward = one.left < other.left
    start, end = (one.right, other.left) if rightward else (one.left, other.right)
    outward = -1 if row else 1
    offsets = spread(count, size.step, size.box[1] - 2 * EDGE)
    return tuple(Path(points=((start, y + outward * o), (end, y + outward * o))) for o in offsets)


def _through(
    areas: Sequence[Bounds], pairs: Sequence[Pair], counts: Mapping[Pair, int], size: Size
) -> dict[Pair, tuple[Path, ...]]:
    """Links between the rows: from the lower edge of a box to the upper edge of another."""
    ports = {
        (place, pair): xs
        for place in range(len(areas))
        for pair, xs in _ports(areas, place, [p for p in pairs if place in p], counts, size).items()
    }
    centre = sum(middle(area)[0] for area in areas) / len(areas)
    found = {}
    for pair in pairs:
        ends = [_ends(areas, place, other, ports[place, pair]) for place, other in (pair, pair[::-1])]
        turned = (
            ends[0][0][0] + ends[1][0][0]
        ) / 2 > centre + 1  # right of the middle the outer stroke is at the right
        lines = list(zip(*(end[::-1] if turned else end for end in ends), strict=True))
        found[pair] = tuple(Path(points=line) for line in lines)
    return found


def _ends(areas: Sequence[Bounds], place: int, other: int, xs: Sequence[float]) -> list[Point]:
    area = areas[place]
    y = area.bottom if area.top < areas[other].top else area.top
    return [(x, y) for x in xs]


def _ports(
    areas: Sequence[Bounds], place: int, pairs: Sequence[Pair], counts: Mapping[Pair, int], size: Size
) -> dict[Pair, list[float]]:
    """Where the links of one box leave it: a vertical in the middle, the others towards their corner."""
    x = middle(areas[place])[0]
    half = size.box[0] / 2 - EDGE
    far = {pair: middle(areas[pair[0] if pair[1] == place else pair[1]])[0] - x for pair in pairs}
    upright = [pair for pair in pairs if abs(far[pair]) < 1]
    found = {}
    taken = 0.0
    for pair in upright:
        found[pair] = [x + o for o in spread(counts[pair], size.step, size.box[0] - 2 * EDGE)]
        taken = found[pair][-1] - x + 5
    lone = not upright and len({far[pair] > 0 for pair in pairs}) == 1  # nothing leads to the other side
    room = 2 * half if lone else half - taken
    for side in (-1, 1):
        group = sorted((pair for pair in pairs if far[pair] * side >= 1), key=lambda pair: -abs(far[pair]))
        steps = {pair: _slanted(size, far[pair]) for pair in group}
        wide = sum((counts[pair] - 1) * steps[pair] for pair in group) + APART * max(0, len(group) - 1)
        scale = min(1.0, room / wide) if wide else 1.0
        at = half
        for pair in group:
            step = steps[pair] * scale
            found[pair] = sorted(x + side * (at - i * step) for i in range(counts[pair]))
            at -= step * (counts[pair] - 1) + APART * scale
    return found


def _slanted(size: Size, far: float) -> float:
    """Return how far apart slanted strokes must leave a box to be as far apart as upright ones."""
    return min(24.0, size.step * hypot(far, size.between) / size.between)


def _arches(
    areas: Sequence[Bounds], pairs: Sequence[Pair], counts: Mapping[Pair, int], size: Size, row: int
) -> dict[Pair, tuple[Path, ...]]:
    """Links over the outside, long ones round short ones, none on another."""
    spans = {pair: tuple(sorted(middle(areas[place])[0] for place in pair)) for pair in pairs}
    ordered = sorted(pairs, key=lambda pair: (round(spans[pair][1] - spans[pair][0], 1), spans[pair][0]))
    tops: dict[Pair, float] = {}
    for pair in ordered:
        below = [tops[o] for o in tops if spans[o][0] < spans[pair][1] - 1 and spans[pair][0] < spans[o][1] - 1]
        tops[pair] = max(below, default=size.arch - size.track) + size.track + size.step * (counts[pair] - 1)
    feet = _feet(areas, ordered, counts, size)
    edge = min(area.top for area in (areas[p[0]] for p in pairs)) if pairs and not row else 0.0
    edge = max(area.bottom for area in (areas[p[0]] for p in pairs)) if pairs and row else edge
    sign = 1 if row else -1
    found = {}
    for pair in pairs:
        lines = []
        for i in range(counts[pair]):
            y = edge + sign * (tops[pair] - size.step * i)
            a, b = feet[pair[0], pair][i], feet[pair[1], pair][i]
            lines.append(Path(points=((a, edge), (a, y), (b, y), (b, edge)), radius=size.round))
        found[pair] = tuple(lines)
    return found


def _feet(
    areas: Sequence[Bounds], ordered: Sequence[Pair], counts: Mapping[Pair, int], size: Size
) -> dict[tuple[int, Pair], list[float]]:
    """Where arches stand on their boxes: those to the left at the left, the longest next to the middle."""
    found: dict[tuple[int, Pair], list[float]] = {}
    for place in dict.fromkeys(place for pair in ordered for place in pair):
        x = middle(areas[place])[0]
        here = [pair for pair in ordered if place in pair]
        other = {pair: middle(areas[pair[0] if pair[1] == place else pair[1]])[0] for pair in here}
        left = [pair for pair in here if other[pair] < x]
        right = [pair for pair in here[::-1] if other[pair] > x]
        # outermost stroke first: for those to the right that is the left one
        strokes = [(pair, i) for pair in left for i in reversed(range(counts[pair]))]
        strokes += [(pair, i) for pair in right for i in range(counts[pair])]
        xs = spread(len(strokes), max(size.step, APART), size.box[0] - 2 * EDGE)
        for (pair, i), offset in zip(strokes, xs, strict=True):
            found.setdefault((place, pair), [0.0] * counts[pair])[i] = x + offset
    return found
