"""A rack: which thing stands in which units, and the whole of it as a small sign."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing.glyphs import tooltip
from topoviz.drawing.scene import Box, Cells, Item, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topoviz.model.topology import Thing, Topology

ABREAST = 4  # GPUs beside each other in a small sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """One thing in a rack: its lowest unit, counted from 1 at the bottom, and how many it takes."""

    thing: Thing
    unit: int
    height: int

    @property
    def top(self) -> int:
        """Return the highest unit that it takes."""
        return self.unit + self.height - 1


def contents(thing: Thing) -> Mapping[str, int]:
    """Return how many things of each kind stand inside, in the order in which they come; itself if nothing does.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> gpu = Child(name="gpu0", group="gpu", assembly=Assembly(kind="gpu"))
    >>> tray = Child(name="tray0", group="tray", assembly=Assembly(kind="tray", children=(gpu,)))
    >>> dict(contents(Thing("tray0", tray)))
    {'gpu': 1}
    """
    return Counter(inside.kind for inside in thing.walk()) if thing.children else {thing.kind: 1}


def shelves(rack: Thing) -> tuple[Shelf, ...]:
    """Return what stands in the rack, from the bottom to the top.

    What names no unit fills the free ones from the bottom, in the order of writing.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> node = Child(name="node0", group="node", assembly=Assembly(kind="node", height=8))
    >>> rack = Thing("r", Child(name="r", group="r", assembly=Assembly(kind="rack", children=(node,))))
    >>> [(shelf.unit, shelf.top) for shelf in shelves(rack)]
    [(1, 8)]
    """
    placed = [Shelf(thing=thing, unit=thing.slot, height=_height(thing)) for thing in rack.children if thing.slot]
    taken = {unit for shelf in placed for unit in range(shelf.unit, shelf.top + 1)}
    for thing in rack.children:
        if not thing.slot:
            unit = _free(taken, _height(thing))
            placed.append(Shelf(thing=thing, unit=unit, height=_height(thing)))
            taken.update(range(unit, unit + _height(thing)))
    return tuple(sorted(placed, key=lambda shelf: (shelf.unit, shelf.thing.id)))


def units(rack: Thing) -> int:
    """Return how many units the rack has: as written, or as many as its things take.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> units(Thing("r", Child(name="r", group="r", assembly=Assembly(kind="rack", height=48))))
    48
    """
    return max([rack.assembly.height or 1, *(shelf.top for shelf in shelves(rack))])


def rack_mark(
    thing: Thing,
    topology: Topology,
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    muted: bool = False,
    heavy: bool = False,
) -> tuple[Item, ...]:
    """Return a whole rack as a small sign: a dark square for every GPU, a green field where NVLink switches are.

    ``topology`` is the one that the rack stands in; ``heavy`` marks a rack that is
    opened elsewhere in the picture; ``muted`` one turns grey except for its GPUs. The
    item carries ``count``, the number of GPUs.
    """
    rows = _rows(thing)
    frame = Box(
        x=x,
        y=y,
        width=width,
        height=height,
        radius=2 if width >= 40 else 1,
        fill="bg",
        stroke="ink" if heavy else ("ghost" if muted else "frame"),
        stroke_width=2.5 if heavy else 1.5,
    )
    margin = 0.1 * width
    inner = Box(x=x + margin, y=y + margin, width=width - 2 * margin, height=height - 2 * margin)
    count = sum(rows)
    data = (("id", thing.id or topology.name), ("kind", thing.kind), ("count", str(count)))
    tip = tooltip(thing) if thing.id else topology.name
    shapes = (frame, *_bands(rows, inner, muted=muted), *_squares(rows, inner))
    return (
        Item(
            role="node",
            layer="device",
            kind=thing.kind,
            data=data,
            title=f"{tip}, {count} gpu" if count else tip,
            shapes=shapes,
        ),
    )


def _height(thing: Thing) -> int:
    return thing.assembly.height or 1


def _free(taken: set[int], height: int) -> int:
    unit = 1
    while any(above in taken for above in range(unit, unit + height)):
        unit += 1
    return unit


def _rows(rack: Thing) -> tuple[int, ...]:
    """Return one number for each row of the sign, top to bottom: GPUs in it, 0 for a row of switches."""
    rows: list[int] = []
    loose = 0  # GPUs that stand in the rack itself
    for shelf in reversed(shelves(rack)):
        inside = contents(shelf.thing)
        loose += inside.get("gpu", 0) if not shelf.thing.children else 0
        if inside.get("gpu") and shelf.thing.children:
            rows += _filled(inside["gpu"])
        elif inside.get("nvswitch"):
            rows.append(0)
    return (*rows, *_filled(loose))


def _filled(gpus: int) -> list[int]:
    full, rest = divmod(gpus, ABREAST)
    return [ABREAST] * full + ([rest] if rest else [])


def _bands(rows: tuple[int, ...], inner: Box, *, muted: bool) -> tuple[Shape, ...]:
    """Return a field for each run of switch rows, in strips where there is room to see them."""
    pitch = inner.height / max(1, len(rows))
    fill = "surf2" if muted else "nvlink.tint"
    if inner.width >= 40:
        ys = tuple(inner.y + at * pitch + 0.1 * pitch for at, row in enumerate(rows) if not row)
        return (Cells(xs=(inner.x,), ys=ys, width=inner.width, height=0.8 * pitch, fill=fill),) if ys else ()
    starts = [at for at, row in enumerate(rows) if not row and (at == 0 or rows[at - 1])]
    ends = [at + 1 for at, row in enumerate(rows) if not row and (at + 1 == len(rows) or rows[at + 1])]
    return tuple(
        Box(x=inner.x, y=inner.y + start * pitch, width=inner.width, height=(end - start) * pitch, fill=fill)
        for start, end in zip(starts, ends, strict=True)
    )


def _squares(rows: tuple[int, ...], inner: Box) -> tuple[Shape, ...]:
    lines = tuple((at, row) for at, row in enumerate(rows) if row)
    if not lines:
        return ()
    pitch, across = inner.height / len(rows), inner.width / ABREAST
    wide, high = 0.68 * across, min(0.65 * pitch, 8)
    return (
        Cells(
            xs=tuple(inner.x + column * across + (across - wide) / 2 for column in range(ABREAST)),
            ys=tuple(inner.y + at * pitch + (pitch - high) / 2 for at, _ in lines),
            width=wide,
            height=high,
            fill="gpu",
            filled=None
            if all(row == ABREAST for row in rows if row)
            else frozenset((line, column) for line, (_, row) in enumerate(lines) for column in range(row)),
        ),
    )


def the_rack(roots: tuple[Thing, ...]) -> Thing:
    """Return the rack to show: the first root, or the first rack inside of it.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> rack = Child(name="rack0", group="rack", assembly=Assembly(kind="rack"))
    >>> hall = Thing("", Child(name="", group="", assembly=Assembly(kind="cluster", children=(rack,))))
    >>> the_rack((hall,)).id
    'rack0'
    """
    first = roots[0]
    if first.kind == "rack":
        return first
    return next((thing for thing in first.walk() if thing.kind == "rack"), first)
