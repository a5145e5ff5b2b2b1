"""Slices of a GPU as boxes over columns: a column for each memory slice, compute slices over the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topoviz.drawing import text as type_setting
from topoviz.drawing.look import RISE, SMALL
from topoviz.drawing.scene import Box, Line, Run, Shape, Text
from topoviz.model.mig import Slices

CUT_MARK = 5.0  # length of the marks between the slices of one instance


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Where the memory slices of a GPU stand: ``pitch`` apart, with a ``gap`` between two."""

    left: float
    pitch: float
    gap: float
    slices: Slices

    def span(self, start: int, length: int) -> tuple[float, float]:
        """Return left edge and width of memory slices."""
        return self.left + start * self.pitch + self.gap / 2, length * self.pitch - self.gap

    def compute(self, start: int, length: int) -> tuple[float, float]:
        """Return left edge and width of compute slices, which are as wide as the memory below them."""
        each = self.slices.per_compute
        return self.span(start * each, length * each)


def columns(slices: Slices, left: float, width: float, gap: float) -> Columns:
    """Return the columns of a GPU over a width.

    >>> columns(Slices(compute=7, memory=8, profiles=()), 0, 800, 10).span(4, 4)
    (405.0, 390.0)
    """
    return Columns(left=left, pitch=width / slices.memory, gap=gap, slices=slices)


def slab(x: float, y: float, size: tuple[float, float], *, dark: bool) -> Box:
    """Return the box of compute slices (dark, as a GPU is) or of memory slices."""
    width, height = size
    if dark:
        return Box(x=x, y=y, width=width, height=height, radius=4, fill="gpu")
    return Box(x=x, y=y, width=width, height=height, radius=3, fill="nvlink.tint", stroke="nvlink.line", stroke_width=1)


def marks_between(box: Box, number: int, token: str, long: float = CUT_MARK) -> Iterator[Line]:
    """Yield short marks at the upper and lower edge between the slices of one box, so that they can be counted."""
    for i in range(1, number):
        x = box.x + box.width * i / number
        for top in (box.y, box.y + box.height - long):
            yield Line(points=((x, top), (x, top + long)), stroke=token, width=1)


def lost(x: float, y: float, size: tuple[float, float]) -> Box:
    """Return the box of a slice that nobody can use in this cut."""
    width, height = size
    return Box(x=x, y=y, width=width, height=height, radius=3, fill="surf", stroke="frame", stroke_width=1, hatch=True)


def empty(x: float, y: float, size: tuple[float, float]) -> Box:
    """Return the outline of a slice that is free, or that there is not."""
    width, height = size
    return Box(x=x, y=y, width=width, height=height, radius=3, stroke="frame", stroke_width=1, dash=(4, 3))


def words_in(box: Box, lines: tuple[str, ...], inks: tuple[str, str], *, head: float = 13) -> tuple[Shape, ...]:
    """Return one or two lines in the middle of a box, the first in bold; what does not fit is not written."""
    room = box.width - 6
    fit = [line for i, line in enumerate(lines) if type_setting.width(line, SMALL, bold=not i) <= room]
    if not fit or fit[0] != lines[0]:
        return ()
    middle, centre = box.y + box.height / 2, box.x + box.width / 2
    tall = [head if type_setting.width(fit[0], head, bold=True) <= room else SMALL, *(SMALL for _ in fit[1:])]
    ys = [middle] if len(fit) == 1 else [middle - 9, middle + 10]
    return tuple(
        Text(x=centre, y=y + RISE * size, content=line, size=size, bold=not i, anchor="middle", fill=inks[min(i, 1)])
        for i, (line, size, y) in enumerate(zip(fit, tall, ys, strict=True))
    )


def line_in(box: Box, head: str, rest: str, inks: tuple[str, str]) -> tuple[Text, ...]:
    """Return one line in the middle of a low box: a bold word, then what follows if there is room for both."""
    wide = type_setting.width(head, SMALL, bold=True)
    room = box.width - 4
    if wide > room:
        return ()
    runs = [Run(content=head, bold=True)]
    if rest and wide + 6 + type_setting.width(rest, SMALL) <= room:
        runs.append(Run(content=rest, fill=inks[1], dx=6))
    y = box.y + box.height / 2 + RISE * SMALL
    centre = box.x + box.width / 2
    return (Text(x=centre, y=y, content=head, size=SMALL, anchor="middle", fill=inks[0], runs=tuple(runs)),)
