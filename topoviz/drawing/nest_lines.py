"""Links between boxes of one box, where they can be drawn without crossing another box; the rest is counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.glyphs import SMALL, fabric_of, plate, port
from topoviz.drawing.scene import Item, Line, Shape
from topoviz.drawing.tiers.stage import line_width
from topoviz.drawing.words import LINKS
from topoviz.model.sums import together

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topoviz.drawing.nest import Nest, Row
    from topoviz.model.topology import Link

DASHES = {"infiniband": (9.0, 3.0), "ethernet": (2.5, 2.5)}
DOWN = (4.0, 3.0)
BROKEN = ("down", "degraded")
FAULTY = "faulty"
STRAIGHT = 8  # so many slanting lines between two rows are still easy to follow
SPARE = 10.0  # a line that meets its box so far from the corner goes straight down
COUNTED = 5  # from so many parallel links on the number is written


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """All links of one kind between two boxes."""

    upper: Nest
    lower: Nest
    kind: str
    links: int
    bandwidth: float | None
    state: str = "up"


def lines(nest: Nest, x: float, y: float) -> tuple[tuple[Item, ...], Counter[str]]:
    """Return the lines inside of one box that stands at (x, y), and the links by kind that are not drawn.

    How many of these join two things by a link that is down or slower is counted as ``FAULTY``.
    """
    spots = _spots(nest)
    bundles, missing = _bundles(nest, spots)
    drawn: list[Item] = []
    for pair in dict.fromkeys((spots[b.upper.thing.name][0], spots[b.lower.thing.name][0], b.kind) for b in bundles):
        mine = [b for b in bundles if (spots[b.upper.thing.name][0], spots[b.lower.thing.name][0], b.kind) == pair]
        items = tuple(_between(nest, pair[:2], mine, (x, y)))
        drawn += items
        if not items:
            missing.update({b.kind: b.links for b in mine} if len(mine) == 1 else _sum(mine))
            missing[FAULTY] += sum(b.state in BROKEN for b in mine)
    return tuple(drawn), missing


def _sum(bundles: list[Bundle]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in bundles:
        total[one.kind] += one.links
    return total


def _spots(nest: Nest) -> dict[str, tuple[int, Nest]]:
    """Return row and box by the name of every child that the box stands for."""
    return {
        thing.name: (at, inside) for at, row in enumerate(nest.rows) for inside in row.nests for thing in inside.things
    }


def _bundles(nest: Nest, spots: dict[str, tuple[int, Nest]]) -> tuple[list[Bundle], Counter[str]]:
    found: dict[tuple[str, str, str], Bundle] = {}
    missing: Counter[str] = Counter()
    for link in nest.thing.assembly.links:
        ends = [spots.get(end.split("/")[0]) for end in (link.source, link.target)]
        if ends[0] is None or ends[1] is None or ends[0][1] is ends[1][1]:
            missing[link.kind] += link.links
            missing[FAULTY] += link.state in BROKEN
            continue
        upper, lower = sorted((ends[0], ends[1]), key=lambda end: (end[0], end[1].x))
        key = (upper[1].thing.name, lower[1].thing.name, link.kind)
        found[key] = _with(found.get(key), link, upper[1], lower[1])
    return list(found.values()), missing


def _with(bundle: Bundle | None, link: Link, upper: Nest, lower: Nest) -> Bundle:
    if bundle is None:
        return Bundle(
            upper=upper, lower=lower, kind=link.kind, links=link.links, bandwidth=link.bandwidth, state=link.state
        )
    known = bundle.bandwidth is not None and link.bandwidth is not None
    rate = (bundle.bandwidth or 0) + (link.bandwidth or 0) if known else None
    return replace(
        bundle,
        links=bundle.links + link.links,
        bandwidth=rate,
        state=together((bundle.state, link.state)),
    )


def _between(nest: Nest, rows: tuple[int, int], bundles: list[Bundle], origin: tuple[float, float]) -> Iterator[Item]:
    """Yield the lines of one kind between two rows; none if they would cross boxes or tangle."""
    upper, lower = nest.rows[rows[0]], nest.rows[rows[1]]
    if rows[0] == rows[1]:
        if not upper.bars and all(_neighbours(upper, bundle) for bundle in bundles):
            yield from (_item(bundle, _level(bundle, origin)) for bundle in bundles)
        return
    if rows[1] != rows[0] + 1 or (upper.bars and lower.bars):
        return
    if upper.bars or lower.bars:
        yield from _to_bars(lower if upper.bars else upper, upper if upper.bars else lower, bundles, origin)
        return
    if not _tangled(bundles) or (len(bundles) <= STRAIGHT and all(one.links < COUNTED for one in bundles)):
        straight = _tangled(bundles)
        if not straight:  # elbows on one track: a longer one lies under the numbers of the shorter ones
            bundles = sorted(bundles, key=lambda one: -abs(_centre(one.upper) - _centre(one.lower)))
        for bundle, count in zip(bundles, _counts(bundles, straight=straight), strict=True):
            yield _item(bundle, _down(bundle, (upper, lower), origin, straight=straight, count=count))


def _counts(bundles: list[Bundle], *, straight: bool) -> Iterator[int]:
    """Yield the number to write on each line; of elbows that end at one box the last, which is on top, has that of all."""
    for one in bundles:
        same = [other for other in bundles if other.lower is one.lower]
        yield one.links if straight else sum(other.links for other in same) if one is same[-1] else 0


def _neighbours(row: Row, bundle: Bundle) -> bool:
    places = [row.nests.index(bundle.upper), row.nests.index(bundle.lower)]
    return abs(places[0] - places[1]) == 1


def _tangled(bundles: list[Bundle]) -> bool:
    """Return whether elbows on one track would lie on each other: neither side is a set of separate fans."""
    return _fans(bundles, up=False) and _fans(bundles, up=True)


def _fans(bundles: list[Bundle], *, up: bool) -> bool:
    """Return whether the fans from one side overlap, or an end belongs to two of them."""
    hubs: dict[str, list[float]] = {}
    ends: Counter[str] = Counter()
    for one in bundles:
        hub, end = (one.lower, one.upper) if up else (one.upper, one.lower)
        hubs.setdefault(hub.thing.id, [_centre(hub)]).append(_centre(end))
        ends[end.thing.id] += 1
    spans = sorted((min(xs), max(xs)) for xs in hubs.values())
    overlap = any(right > left + 0.1 for (_, right), (left, _) in zip(spans, spans[1:], strict=False))
    return overlap or any(count > 1 for count in ends.values())


def _centre(nest: Nest) -> float:
    return nest.x + nest.width / 2


def _level(bundle: Bundle, origin: tuple[float, float]) -> tuple[Shape, ...]:
    """Return three lines for CPU to CPU, one line for others, between neighbours in one row."""
    middle = origin[1] + bundle.upper.y + min(bundle.upper.height, bundle.lower.height) / 2
    left, right = origin[0] + bundle.upper.x + bundle.upper.width, origin[0] + bundle.lower.x
    steps = (-5.0, 0.0, 5.0) if bundle.kind in {"upi", "qpi", "smp"} else (0.0,)
    width = 1.5 if len(steps) > 1 else line_width(bundle.bandwidth)
    return tuple(
        Line(points=((left, middle + step), (right, middle + step)), stroke=_stroke(bundle), width=width)
        for step in steps
    )


def _down(
    bundle: Bundle, rows: tuple[Row, Row], origin: tuple[float, float], *, straight: bool, count: int
) -> tuple[Shape, ...]:
    """Return an elbow, or a straight line, from the foot of the upper box to the top of the lower one."""
    x0, x1 = origin[0] + _centre(bundle.upper), origin[0] + _centre(bundle.lower)
    if (
        bundle.lower.x + SPARE <= x0 - origin[0] <= bundle.lower.x + bundle.lower.width - SPARE
        and bundle.lower.form == "leaf"
    ):
        x1 = x0
    y0, y1 = origin[1] + bundle.upper.y + bundle.upper.height, origin[1] + bundle.lower.y
    foot = origin[1] + rows[0].nests[0].y + rows[0].height
    track = (foot + origin[1] + rows[1].nests[0].y) / 2
    slanting = abs(x0 - x1) > 0.1
    points: tuple[tuple[float, float], ...]
    if slanting and straight:
        points = ((x0, y0), (x0, foot + 2), (x1, y1)) if foot > y0 else ((x0, y0), (x1, y1))
    else:
        points = ((x0, y0), (x0, track), (x1, track), (x1, y1)) if slanting else ((x0, y0), (x1, y1))
    line = Line(
        points=points,
        stroke=_stroke(bundle),
        width=line_width(bundle.bandwidth),
        radius=8,
        dash=DASHES.get(bundle.kind, ()) if bundle.links == 1 else (),
    )
    return (line, *_count(bundle, count, x1, track + 4 if not slanting else y1 - 9, y1 - foot))


def _count(bundle: Bundle, count: int, x: float, y: float, room: float) -> tuple[Shape, ...]:
    if count < COUNTED or room < 20:
        return ()
    return plate(x, y - 4, f"{count:,}", _ink(bundle), ground="surf")


def _to_bars(row: Row, bars: Row, bundles: list[Bundle], origin: tuple[float, float]) -> Iterator[Item]:
    """Yield a line for each box, behind all bars, with a port square at each bar that it is linked to.

    The line is one item for each bar: the piece that leads to it from the bar before.
    """
    below = bars.nests[0].y > row.nests[0].y
    passed = tuple(bar.thing.id for bar in bars.nests)
    for nest in row.nests:
        mine = [bundle for bundle in bundles if bundle.upper is nest or bundle.lower is nest]
        x = origin[0] + _centre(nest)
        at = origin[1] + (nest.y + nest.height if below else nest.y)
        for number, (edge, bundle) in enumerate(
            sorted(_edges(mine, nest, below=below), key=lambda end: end[0] if below else -end[0])
        ):
            end = origin[1] + edge
            line = Line(points=((x, at), (x, end)), stroke=_stroke(bundle), width=_width(mine))
            shapes = (line, *(_total(mine, (x, (at + end) / 2), row) if not number else ()))
            yield _item(bundle, shapes, of=(nest.thing.id, *passed))
            yield Item(role="decor", layer="device", shapes=(port(x, end, _stroke(bundle)),))
            at = end


def _edges(bundles: list[Bundle], nest: Nest, *, below: bool) -> list[tuple[float, Bundle]]:
    """Return for each bundle the edge of its bar that faces the box."""
    bars = [(bundle.lower if bundle.upper is nest else bundle.upper, bundle) for bundle in bundles]
    return [(bar.y if below else bar.y + bar.height, bundle) for bar, bundle in bars]


def _width(bundles: list[Bundle]) -> float:
    """Return the width of a line that stands for all of these, at most 5 u."""
    known = [one.bandwidth for one in bundles if one.bandwidth is not None]
    return min(5.0, line_width(sum(known) if len(known) == len(bundles) else None))


def _total(bundles: list[Bundle], at: tuple[float, float], row: Row) -> tuple[Shape, ...]:
    """Return how many links a box has to all bars, on a plate, if there is room beside its neighbours."""
    links = sum(one.links for one in bundles)
    if (
        links < COUNTED
        or (type_setting.width(f"{links:,}", SMALL) + 8) * len(row.nests) > row.nests[-1].x + row.nests[-1].width
    ):
        return ()
    return plate(*at, f"{links:,}", _ink(bundles[0]), ground="surf")


def _stroke(bundle: Bundle) -> str:
    if bundle.state in BROKEN:
        return "alert"
    if bundle.kind in {"upi", "qpi", "smp"}:
        return "cpulink.line"
    fabric = fabric_of(bundle.kind)
    return "frame" if fabric == "frame" else f"{fabric}.line"


def _ink(bundle: Bundle) -> str:
    fabric = fabric_of(bundle.kind)
    return "ink2" if fabric == "frame" else f"{fabric}.text"


def _item(bundle: Bundle, shapes: tuple[Shape, ...], of: tuple[str, ...] = ()) -> Item:
    upper, lower = bundle.upper.thing.id, bundle.lower.thing.id
    rate = "" if bundle.bandwidth is None else f"{bundle.bandwidth:.10g}"
    data = (
        ("source", upper),
        ("target", lower),
        ("kind", bundle.kind),
        ("links", str(bundle.links)),
        ("bandwidth", rate),
    )
    title = f"{upper} – {lower}: {bundle.links:,} {LINKS.get(bundle.kind, bundle.kind)}"
    around = of or (upper, lower)
    if bundle.state == "down":
        shapes = tuple(replace(s, dash=DOWN, width=1.5) if isinstance(s, Line) else s for s in shapes)
    return Item(role="link", layer="link", kind=bundle.kind, shapes=shapes, data=data, title=title, of=around)
