"""GPUs joined directly, where few links cross: in two rows or on a circle, routes on their links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, shifted
from topoviz.drawing.look import SPARE
from topoviz.drawing.mesh import chords, direct, lanes, paint, rows
from topoviz.drawing.mesh.outline import MOST, Outline, arranged
from topoviz.drawing.mesh.said import labels, not_drawn
from topoviz.drawing.mesh.spots import Size, Spots
from topoviz.drawing.scene import Drawing

if TYPE_CHECKING:
    from topoviz.drawing.layout import Block
    from topoviz.drawing.mesh.direct import Direct, Pair
    from topoviz.drawing.mesh.lanes import Hops, Lane
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Route

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "of": "what is joined: gpu",
        "kind": "kind of link; all but PCIe if absent",
        "label": "what is written on each, for example GPU {index}",
    }
)
DENSE = 36  # pairs; above it each is one thin line
ROOMY = 120.0  # from row to row
TALLEST = 230.0
LEAST = 36.0  # a narrower box does not hold the beginning of a name
CROWDED = 112.0  # widest box, where many strokes leave it towards the other row
LARGEST, LARGEST_SMALL = 520.0, 200.0  # diameter of a circle, boxes included


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What is drawn: who, the routes in it, and the strokes of each pair."""

    direct: Direct
    routes: tuple[Route, ...]
    lanes: Mapping[Pair, tuple[Lane, ...]]
    outline: Outline


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:
    """Return the mesh, as wide as its boxes need, in the middle of ``width``; empty without direct links.

    More than sixteen GPUs are not drawn on an outline; a matrix shows them better.
    """
    found = direct.of_block(block, scope)
    if not found.joints or len(found.things) > MOST:
        return NOTHING
    shown, elsewhere = _shown(found, scope)
    spots = _spots(shown, scope, width, height)
    items = paint.items(_canvas(block, scope, shown, spots))
    left = max(0.0, (width - spots.width) / 2)
    top = max(0.0, ((height or 0) - spots.height) / 2)
    piece = Drawing(width=spots.width, height=spots.height, items=items)
    notes = () if scope.compact else not_drawn(scope, found, elsewhere)
    return Drawing(
        width=max(width, spots.width), height=spots.height + 2 * top, items=shifted(piece, left, top), notes=notes
    )


def _shown(found: Direct, scope: Scope) -> tuple[Shown, int]:
    outline = _outline(found)
    routes = _together(found, scope, outline)
    rate = scope.findings.estimate.bandwidth if scope.findings.estimate is not None else None
    steps, elsewhere = lanes.hops(found, routes, rate)
    strokes = {pair: _strokes(found, pair, steps, small=scope.compact) for pair in found.joints}
    return Shown(direct=found, routes=routes, lanes=strokes, outline=outline), elsewhere


def _outline(found: Direct) -> Outline:
    """Return where they stand: the same for every route and every size of the picture."""
    strokes = tuple((*pair, min(lanes.SINGLY, found.links(pair))) for pair in found.joints)
    return arranged(len(found.things), strokes)


def _together(found: Direct, scope: Scope, outline: Outline) -> tuple[Route, ...]:
    """Return the routes that one picture can show: one on a full mesh, else four at most."""
    if "load" in scope.request.overlay and scope.number is None:
        return ()  # the load of a link says more than whose it is
    routes = tuple(r for r in scope.findings.routes if any(node in found.place for node in r.nodes))
    most = 1 if found.complete and outline.form.count > 4 else lanes.AT_ONCE
    return routes if len(routes) <= most else ()


def _strokes(found: Direct, pair: Pair, steps: Hops, *, small: bool) -> tuple[Lane, ...]:
    links, here = found.joints[pair], steps.get(pair, ())
    if small:
        return lanes.lanes(links, here, singly=0, rest=False)
    return lanes.lanes(links, here, singly=0 if len(found.joints) > DENSE or _even(found) else lanes.SINGLY)


def _even(found: Direct) -> bool:
    """Whether all pairs of a full mesh have the same number of links: then it is said once."""
    return found.complete and len({found.links(pair) for pair in found.joints}) == 1


def _spots(shown: Shown, scope: Scope, width: float, height: float | None) -> Spots:
    counts = {pair: len(strokes) for pair, strokes in shown.lanes.items()}
    small = scope.compact
    if not shown.outline.form.top:
        step = 5.0 if small else 9.0
        radius = 62.0 if small else 84.0 + 9 * len(shown.direct.things)
        room = min(width, max(LARGEST_SMALL, 26.0 * len(shown.direct.things))) if small else min(width, LARGEST)
        return chords.placed(shown.outline, counts, step, radius, room, 28.0 if small else 76.0)
    return rows.placed(shown.outline, counts, _size(shown, scope, width, height))


def _size(shown: Shown, scope: Scope, width: float, height: float | None) -> Size:
    columns = shown.outline.form.top
    if scope.compact:
        pitch = min(92.0, (width - 26) / max(1, columns - 1))
        box = (min(26.0, pitch - 10), 20.0)
        return Size(box=box, pitch=pitch, between=42, step=5, arch=12, track=9, round=6)
    fit = (width - 76) / max(1, columns - 1)
    wide = max(40.0, min(76.0, fit - 40))
    pitch = min(176.0, (width - wide) / max(1, columns - 1))
    step = 12.0 if shown.routes else 8.0
    wide = max(wide, min(CROWDED, pitch - 48, 14 + step * _inner(shown)))
    pitch = min(pitch, (width - wide) / max(1, columns - 1))
    size = Size(box=(wide, 50), pitch=pitch, between=_between(shown, pitch), step=step, arch=30, track=14)
    spare = 0.0 if height is None else height - _low(shown, size)
    return replace(size, between=max(size.between, min(TALLEST, size.between + spare)))


def _inner(shown: Shown) -> int:
    """Return the most strokes that leave one GPU towards the other row."""
    form, outline = shown.outline.form, shown.outline
    counts = dict.fromkeys(range(form.count), 0)
    for pair, strokes in shown.lanes.items():
        a, b = outline.slots(pair)
        if form.spot(a)[1] != form.spot(b)[1]:
            for place in pair:
                counts[place] += len(strokes)
    return max(counts.values())


def _between(shown: Shown, pitch: float) -> float:
    """Return the room between the rows: more where several strokes run aslant over some columns."""
    form = shown.outline.form
    slanted = [
        abs(form.spot(a)[0] - form.spot(b)[0])
        for pair, strokes in shown.lanes.items()
        for a, b in [shown.outline.slots(pair)]
        if len(strokes) > 2 and form.spot(a)[1] != form.spot(b)[1]
    ]
    return max(ROOMY, min(TALLEST, 0.5 * pitch * max(slanted, default=0.0) + 40))


def _low(shown: Shown, size: Size) -> float:
    return rows.placed(shown.outline, {pair: len(strokes) for pair, strokes in shown.lanes.items()}, size).height


def _canvas(block: Block, scope: Scope, shown: Shown, spots: Spots) -> paint.Canvas:
    alone = scope.number is not None and len(shown.routes) == 1
    first = (scope.number or 1) - 1 if alone else 0
    styles = lanes.styles(shown.routes, first)
    room = spots.boxes[0].right - spots.boxes[0].left - 2 * SPARE
    names = direct.names(shown.direct.things, scope.lang)
    wide = any(type_setting.width(name, 12, bold=True) > room for name in names)
    narrow = scope.compact or (wide and (room < LEAST or direct.numbered(shown.direct.things)))
    return paint.Canvas(
        scope=scope,
        direct=shown.direct,
        spots=spots,
        lanes=shown.lanes,
        routes=shown.routes,
        styles=styles,
        labels=labels(block, scope, shown.direct, shown.routes, short=narrow),
        small=scope.compact,
        thin=0.6 if scope.compact or len(shown.lanes) > DENSE else 1,
        counted=not _even(shown.direct),
    )
