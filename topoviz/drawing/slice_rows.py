"""Other cuts, a row for each: compute slices over memory slices, in the columns of the GPU above."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.cuts import Cut
from topoviz.drawing.look import SMALL
from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Drawing, Item, Shape, Text
from topoviz.drawing.slice_columns import Columns, columns, empty, line_in, lost, marks_between, slab
from topoviz.model.mig import Instance

HIGH = 24.0  # of a row of slices
APART = 3.0
MARK = 3.0  # length of the marks between slices, clear of the words
ROW = 2 * HIGH + APART


def draw(cut: Cut, left: float, width: float, lang: str, *, named: bool = False) -> Drawing:
    """Return one cut as two low rows; its labels stand at the left, or above if there is no room.

    ``named``: the GPU is another one than that above, so it is named.
    """
    top = 0.0 if left else 40.0
    inset = 8.0 if left else 0.0
    cols = columns(cut.slices, left + inset, width - left - 2 * inset, 8 if width - left > 400 else 3)
    items = [_instance(cols, one, top, lang) for one in cut.instances]
    shapes = tuple(_left_over(cut, cols, top))
    if shapes:
        items.append(Item(role="decor", layer="device", shapes=shapes))
    items += free_text(_labels(cut, left, width, lang, named=named))
    lines = 3 if named and left else 2
    return Drawing(width=width, height=top + max(ROW, 17.0 * lines), items=tuple(items))


def _instance(cols: Columns, one: Instance, top: float, lang: str) -> Item:
    x, width = cols.span(one.start, one.length)
    cx, cwidth = cols.compute(one.compute_start, one.compute)
    compute = slab(cx, top, (min(cwidth, width), HIGH), dark=True)
    memory = slab(x, top + HIGH + APART, (width, HIGH), dark=False)
    sms = fill("{count} SMs", {"count": str(one.sms)}, lang) if one.sms is not None else ""
    shapes: tuple[Shape, ...] = (
        compute,
        *marks_between(compute, one.compute, "gpu.text", MARK),
        *line_in(compute, f"{one.compute}g", sms, ("gpu.text", "gpu.text2")),
        memory,
        *marks_between(memory, one.length, "nvlink.line", MARK),
        *line_in(memory, f"{one.memory:g} GB", "", ("ink", "ink2")),
    )
    tip = ", ".join(part for part in (one.profile, sms, f"{one.memory:g} GB") if part)
    return Item(role="decor", layer="device", kind="mig", shapes=shapes, data=(("profile", one.profile),), title=tip)


def _left_over(cut: Cut, cols: Columns, top: float) -> Iterator[Shape]:
    for k in cut.idle_compute:
        x, width = cols.compute(k, 1)
        yield (empty if k in cut.computable else lost)(x, top, (width, HIGH))
    for k in cut.idle_memory:
        x, width = cols.span(k, 1)
        yield (empty if k in cut.usable else lost)(x, top + HIGH + APART, (width, HIGH))


def _labels(cut: Cut, left: float, width: float, lang: str, *, named: bool) -> Iterator[Text]:
    """Yield how many instances there are, and how many SMs they have of those of the GPU."""
    said = [fill("{count} instances", {"count": str(len(cut.instances))}, lang)]
    if cut.sms is not None and cut.used is not None:
        said.append(fill("{count} of {all} SMs", {"count": str(cut.used), "all": str(cut.sms)}, lang))
    else:
        said.append(cut.words)
    if named:
        said.insert(0, cut.name(lang))
    lines = said if left else [said[0], " · ".join(said[1:])]
    start = (ROW - 17.0 * (len(lines) - 1)) / 2 + 4 if left else 14.0
    room = left - 20 if left else width
    for i, line in enumerate(lines):
        content, size = type_setting.fit(line, room, 13 if not i else SMALL, bold=not i)
        x, anchor = (left - 12, "end") if left else (0.0, "start")
        ink = "ink" if not i else "ink2"
        yield Text(x=x, y=start + 17 * i, content=content, size=size, bold=not i, anchor=anchor, fill=ink)
