"""One thing of a rack seen from the front: a card with a mark for every chip in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from topoviz.drawing.by_kind import Place, network
from topoviz.drawing.glyphs import RISE, SMALL, fitted, tooltip
from topoviz.drawing.pairs import name as name_of
from topoviz.drawing.rack import contents
from topoviz.drawing.scene import Box, Cells, Item, Shape, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topoviz.model.topology import Thing

MARKS = ("gpu", "cpu", "nvswitch")  # what is drawn inside a row if the layout does not say
TALL = 34.0  # from this height on the chips stand in rows of their own, as in a picture of a server
ACROSS = 8  # GPUs in one row of a tall card
WIDTHS = {"gpu": 16.0, "cpu": 10.0}  # in a row 164 wide
NEAR, FAR = 7.0, 10.0  # gaps between marks: round one CPU, and between two of them


def shelf_item(thing: Thing, place: Place, marks: tuple[str, ...] = MARKS, lang: str = "en") -> Item:
    """Return one thing of a rack: power shelves hatched, switches in their hue, the rest a card with marks.

    The item carries ``count``, the number of GPUs, if there is any.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> shelf = Thing("p0", Child(name="p0", group="p", assembly=Assembly(kind="power-shelf")))
    >>> shelf_item(shelf, Place(x=0, y=0, width=164, height=10)).shapes[0].hatch
    True
    """
    inside = {kind: count for kind, count in contents(thing).items() if kind in marks}
    gpus = inside.get("gpu", 0)
    data = (("id", thing.id), ("kind", thing.kind), *((("count", str(gpus)),) if gpus else ()))
    told = "; ".join(
        [tooltip(thing, lang), *([f"{count} {kind}" for kind, count in inside.items()] if thing.children else [])]
    )
    shapes = (*_body(thing, place), *_within(thing, place, inside, lang))
    return Item(role="node", layer="device", kind=thing.kind, shapes=shapes, data=data, title=told)


def _body(thing: Thing, place: Place) -> tuple[Shape, ...]:
    box = Box(x=place.x, y=place.y, width=place.width, height=place.height, radius=1, stroke="frame", stroke_width=1)
    if thing.state == "down":
        return (replace(box, stroke="alert", stroke_width=1.5, dash=(4, 3)),)
    outline = "alert" if thing.state == "degraded" else ""
    if thing.kind.startswith("power"):
        return (replace(box, fill="surf2", stroke=outline or "hair", hatch=True),)
    if thing.kind == "switch":
        fabric = network(thing)
        point = min(0.42 * place.height, 10)
        tint, edge = ("bg", "frame") if fabric == "frame" else (f"{fabric}.tint", f"{fabric}.line")
        return (replace(box, shape="hexagon", radius=0, point=point, fill=tint, stroke=outline or edge),)
    return (replace(box, radius=1 if place.height < TALL else 3, fill="bg", stroke=outline or "frame"),)


def _within(thing: Thing, place: Place, inside: Mapping[str, int], lang: str) -> tuple[Shape, ...]:
    if place.height >= TALL:
        return _tall(thing, place, inside, lang)
    if not thing.children and thing.kind not in {"gpu", "cpu"}:
        return ()
    if inside.get("gpu") or inside.get("cpu"):
        return _row_of_squares(place, inside.get("gpu", 0), inside.get("cpu", 0))
    return hexagons(place, inside["nvswitch"]) if inside.get("nvswitch") else ()


def _row_of_squares(place: Place, gpus: int, cpus: int) -> tuple[Shape, ...]:
    """Return G c G · G c G: the GPUs of a CPU stand on both sides of it."""
    sequence = _order(gpus, cpus)
    wanted = sum(WIDTHS[kind] + gap for kind, gap in sequence)
    factor = min(place.width / 164, (place.width - 12) / wanted)
    at = place.x + (place.width - factor * wanted) / 2
    xs: dict[str, list[float]] = {"gpu": [], "cpu": []}
    for kind, gap in sequence:
        at += factor * gap
        xs[kind].append(at)
        at += factor * WIDTHS[kind]
    tall = {"gpu": min(0.64 * place.height, 14), "cpu": min(0.53 * place.height, 11)}
    fills = {"gpu": "gpu", "cpu": "pcie.line"}
    return tuple(
        Cells(
            xs=tuple(xs[kind]),
            ys=(place.y + (place.height - tall[kind]) / 2,),
            width=factor * WIDTHS[kind],
            height=tall[kind],
            fill=fills[kind],
        )
        for kind in ("gpu", "cpu")
        if xs[kind]
    )


def _order(gpus: int, cpus: int) -> tuple[tuple[str, float], ...]:
    """Return kind and gap before it, from left to right."""
    marks: list[tuple[str, float]] = []
    for group in range(max(1, cpus)):
        mine = gpus * (group + 1) // max(1, cpus) - gpus * group // max(1, cpus)
        left = (mine + 1) // 2 if cpus else mine
        kinds = ["gpu"] * left + (["cpu"] if cpus else []) + ["gpu"] * (mine - left)
        marks += [(kind, FAR if group and not at else NEAR) for at, kind in enumerate(kinds)]
    return tuple((kind, gap if at else 0) for at, (kind, gap) in enumerate(marks))


def hexagons(place: Place, count: int) -> tuple[Shape, ...]:
    """Return a row of switch chips in the middle of the place.

    >>> [round(chip.x) for chip in hexagons(Place(x=0, y=0, width=164, height=10), 2)]
    [36, 94]
    """
    pitch = min(58 * place.width / 164, (place.width - 12) / count)
    wide, high = 0.6 * pitch, min(0.64 * place.height, 12)
    left = place.x + (place.width - pitch * count) / 2 + 0.2 * pitch
    return tuple(
        Box(
            x=left + pitch * at,
            y=place.y + (place.height - high) / 2,
            width=wide,
            height=high,
            shape="hexagon",
            point=min(0.6 * high, wide / 3),
            fill="nvlink.tint",
            stroke="nvlink.line",
        )
        for at in range(count)
    )


def _tall(thing: Thing, place: Place, inside: Mapping[str, int], lang: str) -> tuple[Shape, ...]:
    """Return the name and below it rows as in a picture of a server: CPUs, GPUs, NVSwitches."""
    head = 18.0 if place.height >= 2 * TALL or not inside else 0.0
    name, size = fitted(name_of(thing, lang), place.width - 12, SMALL)
    text = Text(x=place.x + 8, y=place.y + 10 + RISE * size, content=name, size=size, fill="ink2")
    rows = _tall_rows(inside)
    pitch = (place.height - head - 8) / max(1, len(rows))
    shapes: list[Shape] = [text] if head and name else []
    for at, (kind, count) in enumerate(rows):
        top = place.y + head + 4 + at * pitch
        shapes += _tall_row(kind, count, Place(x=place.x, y=top, width=place.width, height=pitch), inside.get("gpu", 0))
    return tuple(shapes)


def _tall_rows(inside: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    gpus = inside.get("gpu", 0)
    full, rest = divmod(gpus, ACROSS)
    lines = [("gpu", ACROSS)] * full + ([("gpu", rest)] if rest else [])
    cpus, chips = inside.get("cpu", 0), inside.get("nvswitch", 0)
    return (*((("cpu", cpus),) if cpus else ()), *lines, *((("nvswitch", chips),) if chips else ()))


def _tall_row(kind: str, count: int, place: Place, gpus: int) -> tuple[Shape, ...]:
    if kind == "nvswitch":
        return hexagons(Place(x=place.x, y=place.y, width=place.width, height=min(place.height, 18)), count)
    room = place.width - 16
    across = room / (count if kind == "cpu" else min(ACROSS, max(gpus, 4)))
    share, most = (0.72, 14.0) if kind == "gpu" else (0.86, 9.0)
    high = min(0.66 * place.height, most)
    left = place.x + (place.width - across * count) / 2
    xs = tuple(left + across * (at + (1 - share) / 2) for at in range(count))
    return (
        Cells(
            xs=xs,
            ys=(place.y + (place.height - high) / 2,),
            width=share * across,
            height=high,
            fill="gpu" if kind == "gpu" else "pcie.line",
        ),
    )
