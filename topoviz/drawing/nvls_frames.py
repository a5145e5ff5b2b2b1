"""NVLS in two frames: the switch adds what comes from everybody, then it copies the sum to everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topoviz.drawing import fields, glyphs
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import below, free_text
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope

BAR = 50.0  # height of the switch
WORK = 14.0  # radius of the part of it that adds or copies
SIGN = 24.0
LANES = 36.0  # room between the switch and the ranks
ASIDE = 6.0  # from the middle of the owner's column to each of its two lines
HEAD = 30.0
PARTIAL, FULL = "ring.a", "ring.c"  # partial sums and the finished sum, in every figure of an algorithm


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The ranks of a frame: how far they stand apart, who owns the chunk, and whether the sum goes down."""

    members: tuple[str, ...]
    labels: tuple[str, ...]
    pitch: float
    down: bool
    everybody: int  # who takes part, drawn or not

    @property
    def owner(self) -> int:
        return (len(self.members) - 1) // 2

    def x(self, column: int) -> float:
        return self.pitch * (column + 0.5)

    @property
    def middle(self) -> float:
        """Return where the working part stands: between the columns, beside the owner's."""
        return self.x(self.owner) + self.pitch / 2


def nvls(
    scope: Scope, members: Sequence[str], labels: Sequence[str], chips: int, width: float, *, everybody: int = 0
) -> Drawing:
    """Return both frames below each other: everybody's chunk up and the sum down to its owner; then the way back."""
    pitch = min(48.0, width / len(members))
    owner = labels[(len(members) - 1) // 2]
    said = ("reduce: switches add chunk {label}", "multicast: they copy it to all")
    frames = []
    for number, text in enumerate(said):
        frame = Frame(
            members=tuple(members),
            labels=tuple(labels),
            pitch=pitch,
            down=bool(number),
            everybody=max(everybody, len(members)),
        )
        head = _head(scope, text, owner, number + 1, pitch * len(members))
        frames.append(below([head, _frame(scope, frame, chips)], [0.0]))
    return below(frames, [26.0])


def _head(scope: Scope, text: str, owner: str, number: int, width: float) -> Drawing:
    content, size = type_setting.fit(fields.say(scope, text, numbers={"label": owner}), width - 26, 12)
    badge = glyphs.badge(9, 10, str(number), "badge")
    words = Text(x=26, y=14.5, content=content, size=size, fill="ink2")
    return Drawing(width=width, height=HEAD, items=free_text((*badge, words)))


def _frame(scope: Scope, frame: Frame, chips: int) -> Drawing:
    width = frame.pitch * len(frame.members)
    row = BAR + LANES
    bar = Box(x=0, y=0, width=width, height=BAR, shape="hexagon", point=10, fill="bg", stroke="frame")
    switch = Item(role="decor", layer="enclosure", shapes=(bar,), title=_switches(scope, chips))
    lines = tuple(_lines(frame))
    way = Item(role="route", layer="route", kind="route", shapes=lines, data=(("route", "nvls"),), of=frame.members)
    signs = tuple(
        glyphs.gpu(one, frame.x(i) - _wide(frame) / 2, row, _wide(frame), SIGN, label, tooltip=one)
        for i, (one, label) in enumerate(zip(frame.members, frame.labels, strict=True))
    )
    work = _work(frame, str(frame.everybody))
    return Drawing(width=width, height=row + SIGN, items=(switch, *signs, way, work))


def _switches(scope: Scope, chips: int) -> str:
    return fields.say(scope, "{count} NVSwitch chips together", numbers={"count": str(chips)})


def _wide(frame: Frame) -> float:
    return min(34.0, frame.pitch - 4)


def _work(frame: Frame, count: str) -> Item:
    x, y = frame.middle, BAR / 2
    disc = Box(x=x - WORK, y=y - WORK, width=2 * WORK, height=2 * WORK, shape="disc", fill="bg", stroke="ink")
    sign = f"×{count}" if frame.down else "Σ"
    word = Text(x=x, y=y + 4.7, content=sign, size=12 if frame.down else 15, bold=True, anchor="middle")
    return Item(role="label", layer="label", shapes=(disc, word))


def _lines(frame: Frame) -> Iterator[Shape]:
    """Yield one line for each rank, and the one of the owner in the other direction beside its own."""
    many = FULL if frame.down else PARTIAL
    for column in range(len(frame.members)):
        own = column == frame.owner
        yield _line(frame, frame.x(column) - (ASIDE if own else 0), many, down=frame.down)
    x = frame.x(frame.owner) + ASIDE
    points = ((frame.middle, BAR / 2 + WORK), (frame.middle, BAR - 4), (x, BAR + 4), (x, BAR + LANES - 2))
    yield _pointed(points if not frame.down else points[::-1], FULL)


def _line(frame: Frame, x: float, token: str, *, down: bool) -> Line:
    """Return the line of a rank: straight up its column, then inside the switch to the part that works."""
    side = -WORK if x < frame.middle else WORK
    bottom = BAR + LANES - (2 if down else 0)
    points = ((x, bottom), (x, BAR / 2), (frame.middle + side, BAR / 2))
    return _pointed(points[::-1] if down else points, token)


def _pointed(points: tuple[tuple[float, float], ...], token: str) -> Line:
    return Line(points=points, stroke=token, width=2.5, radius=5, end="arrow", tip=8)
