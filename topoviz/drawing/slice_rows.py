"""Other cuts, a row for each: compute slices over memory slices, in the columns of the GPU above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def draw(cut: Cut, left: float, width: float, lang: str, *, named: bool = False, title: str = "") -> Drawing:
    """Return one cut as two low rows; its labels stand at the left, or above if there is no room.

    ``named``: the GPU is another one than that above, so it is named. ``title`` is what a person calls the cut.
    """
    said = _said(cut, lang, named=named)
    names = type_setting.wrap(title, left - 20 if left else width, 13, 2, bold=True) if title else said[:1]
    more = said if title else said[1:]
    lines = [*names, *more] if left else [*names, " · ".join(more)]
    top = 0.0 if left else 23.0 + 17.0 * len(names)
    inset = 8.0 if left else 0.0
    cols = columns(cut.slices, left + inset, width - left - 2 * inset, 8 if width - left > 400 else 3)
    items = [_instance(cols, one, top, lang) for one in cut.instances]
    shapes = tuple(_left_over(cut, cols, top))
    if shapes:
        items.append(Item(role="decor", layer="device", shapes=shapes))
    items += free_text(_labels(lines, len(names), left, width))
    return Drawing(width=width, height=top + max(ROW, 17.0 * max(2, len(lines)) if left else 0), items=tuple(items))


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


def _said(cut: Cut, lang: str, *, named: bool) -> list[str]:
    """Return how many instances there are, and how many SMs they have of those of the GPU."""
    said = [fill("{count} instances", {"count": str(len(cut.instances))}, lang)]
    if cut.sms is not None and cut.used is not None:
        said.append(fill("{count} of {all} SMs", {"count": str(cut.used), "all": str(cut.sms)}, lang))
    else:
        said.append(cut.words)
    return [cut.name(lang), *said] if named else said


def _labels(lines: Sequence[str], names: int, left: float, width: float) -> Iterator[Text]:
    """Yield the lines beside or above a cut; the first ones are its name."""
    start = max(13.0, (ROW - 17.0 * (len(lines) - 1)) / 2 + 4) if left else 14.0
    room = left - 20 if left else width
    for i, line in enumerate(lines):
        bold = i < names
        content, size = type_setting.fit(line, room, 13 if bold else SMALL, bold=bold)
        x, anchor = (left - 12, "end") if left else (0.0, "start")
        yield Text(
            x=x, y=start + 17 * i, content=content, size=size, bold=bold, anchor=anchor, fill="ink" if bold else "ink2"
        )
