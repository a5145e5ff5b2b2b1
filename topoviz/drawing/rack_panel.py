"""A rack in a panel beside other scales: rows of GPUs, NVLink switches as bars, the NVLink spine at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.drawing import brackets, preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.glyphs import SCALE_UP, SMALL, tooltip
from topoviz.drawing.rack import ABREAST, Shelf, contents, shelves
from topoviz.drawing.scene import Box, Cells, Drawing, Item, Line, Shape, Text

if TYPE_CHECKING:
    from topoviz.drawing.scope import Scope
    from topoviz.model.topology import Thing

NATURAL = 250.0  # height if nothing else is asked
LEFT, INNER = 8.0, 80.0  # where the cards begin and how wide they are
SPINE = 18.0  # from the end of the cards to the middle of the spine
WORDS, CLOSE = 26.0, 14.0  # from the end of the cards to the words, with and without a spine


def panel(rack: Thing, scope: Scope, templates: tuple[str, ...], width: float, height: float | None) -> Drawing:
    """Return the rack without its units: only what holds GPUs or NVLink switches, top to bottom."""
    total = NATURAL if height is None else max(height, 120.0)
    kept = tuple(shelf for shelf in reversed(shelves(rack)) if _shown(shelf))
    rows = [_weight(shelf) for shelf in kept]
    pitch = (total - 9) / max(1, sum(rows))
    spots = tuple(
        (shelf, 4 + sum(rows[:at]) * pitch, row * pitch) for at, (shelf, row) in enumerate(zip(kept, rows, strict=True))
    )
    spine = _spine(rack, spots)
    items = (
        _frame(rack, scope, total),
        *(_row(shelf, y, high, scope.lang) for shelf, y, high in spots),
        *spine,
        _words(spots, scope, templates, (LEFT + INNER + (WORDS if spine else CLOSE), width)),
    )
    return Drawing(width=width, height=total, items=items, notes=_left_out(rack))


def _shown(shelf: Shelf) -> bool:
    inside = contents(shelf.thing)
    return "gpu" in inside or "nvswitch" in inside


def _weight(shelf: Shelf) -> int:
    """Return how many rows of squares a thing needs."""
    return max(1, -(-contents(shelf.thing).get("gpu", 0) // ABREAST))


def _left_out(rack: Thing) -> tuple[str, ...]:
    names = dict.fromkeys(shelf.thing.kind.replace("-", " ") for shelf in shelves(rack) if not _shown(shelf))
    plural = {"switch": "network switches", "power shelf": "power shelves"}
    return tuple(f"left-out: {plural.get(name, name)}" for name in names)


def _frame(rack: Thing, scope: Scope, total: float) -> Item:
    left, right, foot = LEFT - 5, LEFT + INNER + 5, total - 1
    ink, dash = preliminary.outline(rack)
    posts = Line(points=((left, foot), (left, 1), (right, 1), (right, foot)), stroke=ink, width=2, dash=dash)
    base = Line(points=((left - 3, foot), (right + 3, foot)), stroke="frame", width=2)
    if not rack.id:
        return Item(role="decor", layer="enclosure", shapes=(posts, base))
    data = (("id", rack.id), ("kind", rack.kind))
    return Item(
        role="node", layer="enclosure", kind=rack.kind, shapes=(posts, base), data=data, title=tooltip(rack, scope.lang)
    )


def _row(shelf: Shelf, y: float, high: float, lang: str) -> Item:
    thing, inside = shelf.thing, contents(shelf.thing)
    gpus = inside.get("gpu", 0)
    card = high - 1.6
    shapes: tuple[Shape, ...]
    if gpus:
        shapes = (
            Box(x=LEFT, y=y, width=INNER, height=card, radius=1, fill="bg", stroke="frame", stroke_width=0.8),
            _squares(gpus, y, high, _weight(shelf)),
        )
    else:
        shapes = (
            Box(
                x=LEFT,
                y=y,
                width=INNER,
                height=card,
                shape="hexagon",
                point=min(0.42 * card, 10),
                fill="nvlink.tint",
                stroke="nvlink.line",
            ),
        )
    data = (("id", thing.id), ("kind", thing.kind), *((("count", str(gpus)),) if gpus else ()))
    return Item(role="node", layer="device", kind=thing.kind, shapes=shapes, data=data, title=tooltip(thing, lang))


def _squares(gpus: int, y: float, high: float, lines: int) -> Cells:
    across, pitch = INNER / ABREAST, (high - 1.6) / lines
    square = min(0.72 * pitch, 10)
    places = frozenset((at // ABREAST, at % ABREAST) for at in range(gpus))
    return Cells(
        xs=tuple(LEFT + across * (column + 0.3) for column in range(ABREAST)),
        ys=tuple(y + pitch * line + (pitch - square) / 2 for line in range(lines)),
        width=0.4 * across,
        height=square,
        fill="gpu",
        filled=None if gpus == lines * ABREAST else places,
    )


def _spine(rack: Thing, spots: tuple[tuple[Shelf, float, float], ...]) -> tuple[Item, ...]:
    """Return the strip that joins all trays, if the rack is wired as one domain."""
    links = [link for link in rack.assembly.links if link.kind in SCALE_UP]
    joined = {end.split("/")[0] for link in links for end in (link.source, link.target)}
    middles = [y + (high - 1.6) / 2 for shelf, y, high in spots if shelf.thing.name in joined]
    if not middles:
        return ()
    edge = LEFT + INNER
    stubs = Cells(xs=(edge,), ys=tuple(y - 0.7 for y in middles), width=SPINE, height=1.4, fill="nvlink.line")
    strip = Box(
        x=edge + SPINE - 3, y=middles[0] - 0.7, width=6, height=middles[-1] - middles[0] + 1.4, fill="nvlink.line"
    )
    count = sum(link.links for link in links)
    data = (("source", rack.id), ("target", rack.id), ("kind", links[0].kind), ("links", str(count)))
    return (
        Item(
            role="link",
            layer="link",
            kind=links[0].kind,
            shapes=(stubs, strip),
            data=data,
            title=f"{count:,} {links[0].kind} links",
        ),
    )


def _words(
    spots: tuple[tuple[Shelf, float, float], ...], scope: Scope, templates: tuple[str, ...], room: tuple[float, float]
) -> Item:
    """Return "10 compute trays" beside each run of equal things, in two lines or three."""
    groups: list[list[tuple[Shelf, float, float]]] = []
    for spot in spots:
        if groups and brackets.alike(groups[-1][-1][0], spot[0]):
            groups[-1].append(spot)
        else:
            groups.append([spot])
    shapes: list[Shape] = []
    edge, width = room
    for group in groups:
        run = brackets.Run(bottom=0, top=0, shelves=tuple(shelf for shelf, _, _ in group))
        lines = type_setting.wrap(" ".join(brackets.said(run, templates, scope)), width - edge, SMALL, 3)
        middle = (group[0][1] + group[-1][1] + group[-1][2]) / 2
        fill = "nvlink.text" if brackets.is_fabric(run) else "ink2"
        shapes += [
            Text(x=edge, y=middle - 15 * len(lines) / 2 + 15 * at + 11.5, content=line, size=SMALL, fill=fill)
            for at, line in enumerate(lines)
        ]
    return Item(role="label", layer="label", shapes=tuple(shapes))
