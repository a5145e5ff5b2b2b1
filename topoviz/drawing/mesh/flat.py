"""A torus flat on the page: a grid, links over the edge as two stubs; a third axis as layers beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.bounds import Bounds
from topoviz.drawing.mesh.spots import Point, box, middle, spread

if TYPE_CHECKING:
    from topoviz.drawing.mesh.direct import Pair
    from topoviz.drawing.mesh.grid import Grid, Spot

PAD = 12.0  # from a frame to the labels inside
BETWEEN = 16.0  # between the frames of layers
HEAD = 24.0  # the name of a layer, in its frame
NARROW = 30.0  # least pitch of columns in a layer whose GPUs have a number
WIDE = 0.6  # width of a box, of the pitch of columns
CORNER = 9.0  # a stub to another layer, in both directions


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Sizes in u: of a box, from box to box, of the stubs, the room for the names of far ends."""

    box: tuple[float, float]
    pitch: tuple[float, float]
    stub: float
    label: float
    step: float
    pad: float

    @property
    def before(self) -> float:
        """Return the room from the left edge to the first box."""
        return self.pad + self.label + self.stub

    @property
    def above(self) -> float:
        """Return the room from the top to the first box, without the name of a layer."""
        return self.pad + self.stub + (16.0 if self.label else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer: its frame, and its number."""

    number: int
    frame: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """Boxes by place, and the layers that hold them; one layer for two axes."""

    grid: Grid
    size: Size
    boxes: tuple[Bounds, ...]
    layers: tuple[Layer, ...]

    @property
    def width(self) -> float:
        return max(layer.frame.right for layer in self.layers)

    @property
    def height(self) -> float:
        return max(layer.frame.bottom for layer in self.layers)


def placed(grid: Grid, width: float, marks: Sequence[str], *, small: bool, head: float = 0.0) -> Flat:
    """Return where everything stands. ``small``: without names at the stubs; ``head``: how wide that of a layer is."""
    rows, columns = grid.shape[-2:]
    count = grid.shape[0] if len(grid.shape) > 2 else 1
    label = 0.0 if small else max(type_setting.width(mark, 12) for mark in marks) + 4
    across = _beside(count, columns, width, label, small=small, head=head)
    size = _size((width - BETWEEN * (across - 1)) / across, columns, label, small=small, layered=count > 1)
    wide = 2 * size.before + (columns - 1) * size.pitch[0] + size.box[0]
    above = HEAD if count > 1 and not small else (6.0 if count > 1 else 0.0)
    high = above + 2 * size.above + (rows - 1) * size.pitch[1] + size.box[1]
    layers = tuple(
        Layer(number=n, frame=Bounds(x, y, x + wide, y + high))
        for n in range(count)
        for x, y in [((n % across) * (wide + BETWEEN), (n // across) * (high + BETWEEN))]
    )
    boxes = tuple(_box(spot, layers, size, above) for spot in grid.spots)
    return Flat(grid=grid, size=size, boxes=boxes, layers=layers)


def _beside(count: int, columns: int, width: float, label: float, *, small: bool, head: float) -> int:
    """Return how many layers stand side by side: as many as keep room for the numbers, in rows as even as can be."""
    least = max(head, columns * (NARROW if not small else 14.0) + (2 * (PAD + label + 12) if not small else 12))
    fit = max(1, min(count, int((width + BETWEEN) // (least + BETWEEN))))
    rows = -(-count // fit)
    return -(-count // rows)


def _size(width: float, columns: int, label: float, *, small: bool, layered: bool) -> Size:
    stub = 14.0 if small else (12.0 if layered or columns > 8 else 22.0)
    pad = 0.0 if small else (8.0 if layered else PAD)
    room = width - 2 * (pad + label + stub)
    pitch = min(56.0 if small else 150.0, room / (columns - 1 + WIDE))
    wide = min(26.0 if small else 66.0, WIDE * pitch)
    down = max(min(pitch, 60.0), 26.0 if small else 40.0) if layered else min(pitch, 44.0 if small else 104.0)
    high = min(18.0 if small else 44.0, 0.62 * wide + 4, down - (12.0 if small else 20.0))
    step = 5.0 if small else min(9.0, high / 3)
    return Size(box=(wide, max(8.0, high)), pitch=(pitch, down), stub=stub, label=label, step=step, pad=pad)


def _box(spot: Spot, layers: Sequence[Layer], size: Size, head: float) -> Bounds:
    frame = layers[spot[0] if len(spot) > 2 else 0].frame
    row, column = spot[-2:]
    x = frame.left + size.before + size.box[0] / 2 + column * size.pitch[0]
    y = frame.top + head + size.above + size.box[1] / 2 + row * size.pitch[1]
    return box(x, y, size.box)


def strokes(flat: Flat, pair: Pair, count: int) -> tuple[tuple[tuple[Point, Point], ...], ...]:
    """Return for each stroke of a pair its pieces, from the first GPU to the second: one, or two stubs."""
    one, other = flat.boxes[pair[0]], flat.boxes[pair[1]]
    axis = flat.grid.axis(*pair) - len(flat.grid.shape) + 3  # 0: between layers, 1: down, 2: across
    over = flat.grid.over(*pair)
    room = min(flat.size.box) - 4
    found = []
    for offset in spread(count, flat.size.step, room):
        if axis == 0:
            found.append(_between_layers(flat, pair, offset))
        else:
            found.append(_in_layer(one, other, offset, flat.size.stub if over else 0, across=axis == 2))
    return tuple(found)


def _in_layer(
    one: Bounds, other: Bounds, offset: float, stub: float, *, across: bool
) -> tuple[tuple[Point, Point], ...]:
    """A straight link, or (``stub`` long) two stubs away from each other."""
    first = one.left < other.left if across else one.top < other.top
    facing = first if not stub else not first  # whether the first GPU is left by its right or lower side
    if across:
        y = middle(one)[1] + offset
        a, b = ((one.right, y), (other.left, y)) if facing else ((one.left, y), (other.right, y))
        sign = 1 if facing else -1
        return ((a, (a[0] + sign * stub, y)), ((b[0] - sign * stub, y), b)) if stub else ((a, b),)
    x = middle(one)[0] + offset
    a, b = ((x, one.bottom), (x, other.top)) if facing else ((x, one.top), (x, other.bottom))
    sign = 1 if facing else -1
    return ((a, (x, a[1] + sign * stub)), ((x, b[1] - sign * stub), b)) if stub else ((a, b),)


def _between_layers(flat: Flat, pair: Pair, offset: float) -> tuple[tuple[Point, Point], ...]:
    """Two stubs at corners: up to the right leads to the next layer, down to the left to the one before."""
    rising = ascending(flat, pair)
    corners = []
    for place, up in zip(pair, (rising, not rising), strict=True):
        area, shift = flat.boxes[place], offset / 2
        if up:
            corners.append(
                (
                    (area.right - 1 + shift, area.top + 1 + shift),
                    (area.right + CORNER + shift, area.top - CORNER + shift),
                )
            )
        else:
            corners.append(
                (
                    (area.left + 1 + shift, area.bottom - 1 + shift),
                    (area.left - CORNER + shift, area.bottom + CORNER + shift),
                )
            )
    return corners[0], (corners[1][1], corners[1][0])


def ascending(flat: Flat, pair: Pair) -> bool:
    """Return whether the second GPU of a pair stands in the layer after that of the first."""
    a, b = flat.grid.spots[pair[0]][0], flat.grid.spots[pair[1]][0]
    return (b - a) % flat.grid.shape[0] == 1


def far_ends(flat: Flat, pairs: Mapping[Pair, object], marks: Sequence[str]) -> Iterator[tuple[Point, str, str]]:
    """Yield the names at the stubs over the edge: where, at which anchor, and what they say."""
    size = flat.size
    for pair in pairs:
        if not flat.grid.over(*pair) or flat.grid.axis(*pair) == len(flat.grid.shape) - 3:
            continue
        across = flat.grid.axis(*pair) == len(flat.grid.shape) - 1
        for place, other in (pair, pair[::-1]):
            area, far = flat.boxes[place], flat.boxes[other]
            x, y = middle(area)
            if across:
                left = area.left < far.left
                at = area.left - size.stub - 4 if left else area.right + size.stub + 4
                yield (at, y + 4.3), "end" if left else "start", marks[other]
            else:
                top = area.top < far.top
                yield (x, area.top - size.stub - 5 if top else area.bottom + size.stub + 13), "middle", marks[other]
