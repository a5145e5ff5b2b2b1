"""One frame per step of a ring: rows are GPUs, columns are chunks, a cell shows whose data are in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.drawing import amounts, fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.chunk_states import Frame, frames
from topoviz.drawing.columns import shared
from topoviz.drawing.compose import NOTHING, below, beside, free_text
from topoviz.drawing.layout import Block
from topoviz.drawing.scene import Drawing, Text, in_step
from topoviz.drawing.scope import Scope
from topoviz.drawing.step_frame import Grid, drawn, key
from topoviz.errors import TopovizError
from topoviz.model.topology import Route

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "frames": "all, or how many: the start, the first and last of each phase, then the others in order",
        "per_row": "how many frames stand in a row",
    }
)

MOST = 16  # members whose chunks can still be told apart
READABLE = 9  # frames that are drawn if the layout does not say how many
GAP = 22.0

# what happens in a step of a phase, and what holds after it
DOES = {"reduce-scatter": "send one chunk, add", "all-gather": "send one chunk, copy"}
AFTER = {
    "reduce-scatter": "after {steps} steps every GPU owns one full sum",
    "all-gather": "after {steps} steps every GPU has every chunk",
}


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return the frames of the highlighted ring, phase by phase; nothing if there is no ring.

    Raises:
        TopovizError: more GPUs than chunks that can be told apart.
    """
    route = next((one for one in scope.findings.routes if one.shape == "ring"), None)
    estimate = scope.findings.estimate
    if route is None:
        return NOTHING
    if len(route.nodes) > MOST:
        fewer = f"highlight: {{algorithm: ring, ranks: [{route.nodes[0]}, …]}}"
        raise TopovizError(
            f"the steps of a ring are drawn for {MOST} GPUs at most, and here are {len(route.nodes)}; choose some with {fewer}"
        )
    made = frames(len(route.nodes), estimate.collective if estimate is not None else "all-reduce")
    if not made:
        return NOTHING
    kept = chosen(made, block.options.get("frames"))
    per_row = int(block.options.get("per_row") or (4 if len(route.nodes) <= 6 else 3))
    spans = shared(width, [1.0] * per_row)
    grid = Grid(width=spans[0][1], members=len(route.nodes), labels=_labels(scope, route))
    drawing = _phases(scope, kept, grid, [left for left, _ in spans], width)
    gone = sorted({frame.step for frame in made} - {frame.step for frame in kept})
    if gone:
        said = _said(scope, "Steps {list} are left out.", list=_ranges(gone))
        text = Text(x=0, y=14, content=said, size=12, fill="ink2")
        drawing = below([drawing, Drawing(width=width, height=18, items=free_text((text,)))], [GAP])
    return Drawing(width=width, height=drawing.height, items=drawing.items, notes=drawing.notes)


def chosen(made: Sequence[Frame], wish: object) -> tuple[Frame, ...]:
    """Return the frames that are drawn: all, or the start, first and last of each phase, then the others in order.

    >>> [frame.step for frame in chosen(frames(8, "all-reduce"), 6)]
    [0, 1, 2, 7, 8, 14]
    """
    most = int(wish) if isinstance(wish, (int, float)) else len(made) if wish == "all" else READABLE
    ends = [i for i, frame in enumerate(made) if i in {0, len(made) - 1} or frame.phase != made[i - 1].phase]
    ends += [i - 1 for i in ends if i > 1 and made[i].phase != made[i - 1].phase]
    order = list(dict.fromkeys((*ends, *range(len(made)))))
    kept = set(order[: max(1, most)])
    return tuple(frame for i, frame in enumerate(made) if i in kept)


def _labels(scope: Scope, route: Route) -> tuple[str, ...]:
    """Return the rank of every member of the ring, in its order."""
    ranks = scope.findings.estimate.ranks if scope.findings.estimate is not None else ()
    return tuple(str(ranks.index(node) if node in ranks else place) for place, node in enumerate(route.nodes))


def _phases(scope: Scope, kept: Sequence[Frame], grid: Grid, lefts: Sequence[float], width: float) -> Drawing:
    """Return the phases below each other; the key stands in the first free column, else below.

    A phase that is one frame shorter than a row stands right, under the frames of the same number.
    """
    pieces: list[Drawing] = []
    explained = False
    for phase in dict.fromkeys(frame.phase for frame in kept if frame.phase):
        some = [frame for frame in kept if frame.phase == phase or (not frame.phase and not pieces)]
        free = len(lefts) - len(some)
        indent = 1 if pieces and free > 0 else 0
        drawing = _rows(scope, some, grid, lefts[indent:], _head(scope, phase, grid.members, lefts[indent]))
        if not explained and free > 0:
            side = key(scope, grid)
            drawing = beside([drawing, side], [0, lefts[0] if indent else lefts[-1]])
            explained = True
        pieces.append(drawing)
    if not explained:
        pieces.append(key(scope, grid, width=width))
    return below(pieces, [26.0] * (len(pieces) - 1))


def _head(scope: Scope, phase: str, members: int, x: float) -> Drawing:
    name = _said(scope, phase).capitalize()
    after = _said(scope, AFTER[phase], steps=amounts.count(members - 1))
    beside_it = x + type_setting.width(name, 15, bold=True) + 14
    texts = (
        Text(x=x, y=14, content=name, size=15, bold=True),
        Text(x=beside_it, y=14, content=after, size=12, fill="ink2"),
    )
    return Drawing(width=0, height=24, items=free_text(texts))


def _rows(scope: Scope, some: Sequence[Frame], grid: Grid, lefts: Sequence[float], head: Drawing) -> Drawing:
    rows = [some[i : i + len(lefts)] for i in range(0, len(some), len(lefts))]
    lines = [beside([_frame(scope, frame, grid) for frame in row], list(lefts[: len(row)])) for row in rows]
    return below([head, *lines], [0.0, *[GAP] * (len(lines) - 1)])


def _frame(scope: Scope, frame: Frame, grid: Grid) -> Drawing:
    name = _said(scope, "Step {number}", number=str(frame.step)) if frame.step else _said(scope, "Start")
    does = _said(scope, DOES[frame.phase]) if frame.phase else _said(scope, _begin(frame))
    room = grid.width - type_setting.width(name, 13, bold=True) - 12
    content, size = type_setting.fit(does, room, 12)
    texts = (
        Text(x=0, y=16, content=name, bold=True),
        Text(x=grid.width, y=16, content=content, size=size, anchor="end", fill="ink2"),
    )
    whole = below([Drawing(width=grid.width, height=24, items=free_text(texts)), drawn(frame, grid)], [0.0])
    return in_step(whole, frame.step) if scope.request.animate else whole


def _begin(frame: Frame) -> str:
    alone = all(len(cell) == 1 for row in frame.state for cell in row)
    return "own data only" if alone else "one chunk each"


def _ranges(numbers: Sequence[int]) -> str:
    """Return whole numbers in short: 3–6, 10."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _said(scope: Scope, template: str, **numbers: str) -> str:
    return fields.say(scope, template, numbers=numbers)
