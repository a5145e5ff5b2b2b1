"""What each GPU sends: the buffer in chunks, then one square for each chunk on its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from topoviz.drawing import fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import NOTHING, free_text
from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Box, Drawing, Item, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Estimate

KEYS: Mapping[str, str] = MappingProxyType({})

PASSED_ON: Mapping[str, str] = MappingProxyType(
    {"broadcast": "{sent} sent by each GPU but the last", "reduce": "{sent} sent by each GPU but the root"}
)
SQUARE = 19.0
PITCH = 22.0
MOST = 16  # squares in a row; more become one square and their number
BETWEEN = 16.0  # from the squares of one phase to those of the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A part of a collective: its name, its steps, and how the squares of it are drawn."""

    name: str
    steps: int
    filled: bool = True


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the bookkeeping of the estimate; nothing without a size.

        Buffer: 14 GB = 8 chunks of 1.75 GB
        ■ ■ ■ ■ ■ ■ ■ ■
        reduce-scatter, 7 steps   all-gather, 7 steps
        ■ ■ ■ ■ ■ ■ ■             □ □ □ □ □ □ □
        14 × 1.75 GB = 24.5 GB sent by each GPU

    An algorithm without chunks gets its last line only, and so does a buffer that is passed on in pieces of any size.
    """
    estimate = scope.findings.estimate
    if estimate is None or estimate.size is None:
        return NOTHING
    if not estimate.chunks or not estimate.steps or estimate.collective in PASSED_ON:
        return _in_words(scope, width)
    above = _buffer(scope, estimate.chunks, width)
    phases = phases_of(estimate)
    lefts, rows = _places(scope, phases, width)
    shapes: list[Shape] = list(above)
    for phase, x, row in zip(phases, lefts, rows, strict=True):
        shapes.extend(_phase(scope, phase, x, 62.0 + 60 * row))
    last = 62.0 + 60 * rows[-1] + 66
    total = _said(scope, "{steps} × {chunk} = {sent} sent by each GPU", {"steps": str(estimate.steps)})
    lines = type_setting.wrap(total, width, 13, 2, bold=True)
    shapes.extend(Text(x=0, y=last + 17 * i, content=line, bold=True) for i, line in enumerate(lines))
    squares, texts = _sorted(shapes)
    return Drawing(width=width, height=last + 17 * (len(lines) - 1) + 6, items=(*squares, *texts))


def phases_of(estimate: Estimate) -> tuple[Phase, ...]:
    """Return the phases: an all-reduce by ring is a reduce-scatter and an all-gather of N − 1 steps each.

    >>> ring = Estimate(collective="all-reduce", algorithm="ring", ranks=("a", "b", "c"), steps=4)
    >>> [(phase.name, phase.steps) for phase in phases_of(ring)]
    [('reduce-scatter', 2), ('all-gather', 2)]
    """
    steps, each = estimate.steps or 0, len(estimate.ranks) - 1
    if estimate.collective == "all-reduce" and steps == 2 * each:
        return (Phase(name="reduce-scatter", steps=each), Phase(name="all-gather", steps=each, filled=False))
    return (Phase(name=estimate.collective, steps=steps),)


def _in_words(scope: Scope, width: float) -> Drawing:
    estimate = scope.findings.estimate
    said = PASSED_ON.get(estimate.collective if estimate is not None else "", "{sent} sent by each GPU")
    lines = type_setting.wrap(_said(scope, said, {}), width, 13, 2, bold=True)
    shapes = [Text(x=0, y=14 + 17 * i, content=line, bold=True) for i, line in enumerate(lines)]
    return Drawing(width=width, height=20 + 17 * (len(lines) - 1), items=free_text(shapes))


def _buffer(scope: Scope, chunks: int, width: float) -> tuple[Shape, ...]:
    said = _said(scope, "Buffer: {size} = {ranks} chunks of {chunk}", {"ranks": str(chunks)})
    content, size = type_setting.fit(said, width, 12)
    return (Text(x=0, y=14, content=content, size=size, fill="ink2"), *_squares(chunks, 0, 23, "gpu", filled=True))


def _phase(scope: Scope, phase: Phase, x: float, y: float) -> tuple[Shape, ...]:
    """Return name and squares of a phase; ``y`` is 12 u above the baseline of its name."""
    name = Text(x=x, y=y + 12, content=_phase_name(scope, phase), size=12, fill="ink2")
    return (name, *_squares(phase.steps, x, y + 21, "ring.a", filled=phase.filled))


def _phase_name(scope: Scope, phase: Phase) -> str:
    return _said(scope, phase.name + ", {steps} steps", {"steps": str(phase.steps)})


def _places(scope: Scope, phases: Sequence[Phase], width: float) -> tuple[list[float], list[int]]:
    """Return left edges and rows: side by side if all fit, else one below the other."""
    widths = [max(_run(phase.steps), type_setting.width(_phase_name(scope, phase), 12)) for phase in phases]
    lefts = [sum(widths[:i]) + BETWEEN * i for i in range(len(phases))]
    if lefts[-1] + widths[-1] <= width:
        return lefts, [0] * len(phases)
    return [0.0] * len(phases), list(range(len(phases)))


def _run(count: int) -> float:
    return PITCH * count - (PITCH - SQUARE) if count <= MOST else PITCH + 50


def _squares(count: int, x: float, y: float, token: str, *, filled: bool) -> tuple[Shape, ...]:
    drawn = tuple(_square(x + PITCH * i, y, token, filled=filled) for i in range(count if count <= MOST else 1))
    if count <= MOST:
        return drawn
    return (*drawn, Text(x=x + PITCH + 3, y=y + SQUARE / 2 + 4.7, content=f"×{count}", bold=True, fill="ink2"))


def _square(x: float, y: float, token: str, *, filled: bool) -> Box:
    if filled:
        return Box(x=x, y=y, width=SQUARE, height=SQUARE, radius=2, fill=token)
    inner = SQUARE - 1.5
    return Box(x=x + 0.75, y=y + 0.75, width=inner, height=inner, radius=2, stroke=token, stroke_width=1.5)


def _sorted(shapes: Sequence[Shape]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    boxes = tuple(shape for shape in shapes if isinstance(shape, Box))
    return (Item(role="decor", layer="device", shapes=boxes),), free_text(s for s in shapes if isinstance(s, Text))


def _said(scope: Scope, template: str, numbers: Mapping[str, str]) -> str:
    return fields.say(scope, template, numbers=numbers)
