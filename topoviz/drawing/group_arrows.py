"""What runs between hulls: thick arrows forward and back for a pipeline, dashed double arrows between copies."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from topoviz.drawing import group_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Item, Line, Shape, Text

WHAT = {
    "pp": ("activations", "gradients"),
    "dp": ("gradient all-reduce, once per step",),
    "fsdp": ("weights gathered, gradients scattered",),
    "cp": ("keys and values around the ring",),
    "tp": ("all-reduce in every layer",),
}
DASH = (5.0, 3.0)
TIP = 9.0
MOST = 4  # lines of words beside an arrow
BETWEEN, LINE = 84.0, 15.0  # from row to row with one line of words; for each line more
ROOM = 4.0  # between an arrow and what it points at


def beside(kind: str, span: tuple[float, float], middle: float, times: int, lang: str) -> tuple[Item, ...]:
    """Return what runs between two columns, with the number of pairs above it and the words below."""
    left, right = span[0] + ROOM, span[1] - ROOM
    token, x = group_words.hue(kind), (span[0] + span[1]) / 2
    head = f"{group_words.SHORT[kind]} ×{times}"
    lines = [message(one, lang) for one in WHAT[kind]]
    wrapped = [part for line in lines for part in type_setting.wrap(line, right - left + 4, 12, MOST)]
    below = middle + (36 if kind == "pp" else 22)  # a pipeline has two arrows
    drawn: tuple[Shape, ...]
    if kind == "pp":
        drawn = (
            Line(points=((left, middle - 11), (right, middle - 11)), stroke=token, width=5, end="arrow", tip=15),
            Line(points=((right, middle + 11), (left, middle + 11)), stroke=token, width=5, end="arrow", tip=15),
        )
    else:
        points = ((left, middle), (right, middle))
        drawn = (Line(points=points, stroke=token, width=2, dash=DASH, start="arrow", end="arrow", tip=TIP),)
    texts = [Text(x=x, y=middle - 26, content=head, bold=True, anchor="middle", fill=token)]
    if right - left > 60:
        texts += [
            Text(x=x, y=below + LINE * i, content=line, size=12, anchor="middle", fill="ink2")
            for i, line in enumerate(wrapped[:MOST])
        ]
    return _items(kind, drawn, texts)


def between_rows(
    kind: str,
    counted: tuple[int, Sequence[tuple[str, int]]],
    xs: Sequence[float],
    span: tuple[float, float],
    room: tuple[float, float],
    lang: str,
) -> tuple[Item, ...]:
    """Return one double arrow for each GPU between two rows, with the words in their middle.

    ``counted`` are how many groups and their degrees, ``xs`` the middles of the GPUs, ``room`` the left and right edge of the hull.
    """
    top, bottom = span[0] + ROOM, span[1] - ROOM
    token, middle = group_words.hue(kind), (span[0] + span[1]) / 2
    said = " × ".join(group_words.SHORT[axis] for axis, _ in counted[1])
    values = {"kind": said, "count": str(counted[0]), "size": str(prod(size for _, size in counted[1]))}
    head = fill("{kind}: {count} groups of {size}", values, lang)
    lines = _words_between(kind, room[1] - room[0], lang)
    half = max(type_setting.width(head, 13, bold=True), *(type_setting.width(one, 12) for one in lines)) / 2 + 8
    x, more = (room[0] + room[1]) / 2, LINE * (len(lines) - 1) / 2
    shapes: list[Shape] = []
    solid = kind == "pp"
    for one in xs:
        if abs(one - x) > half:
            shapes.append(_double(one, top, bottom, token, solid=solid))
        else:
            shapes.append(_single(one, middle - 24 - more, top, token, solid=solid))
            shapes.append(_single(one, middle + 24 + more, bottom, token, solid=solid))
    texts = [Text(x=x, y=middle - 3 - more, content=head, bold=True, anchor="middle", fill=token)]
    texts += [
        Text(x=x, y=middle + 15 - more + LINE * i, content=one, size=12, anchor="middle", fill="ink2")
        for i, one in enumerate(lines)
    ]
    return _items(kind, shapes, texts)


def height_between(kind: str, width: float, lang: str) -> float:
    """Return how far apart two rows of hulls of that width stand, so that the words find room between them."""
    return BETWEEN + LINE * (len(_words_between(kind, width, lang)) - 1)


def _words_between(kind: str, width: float, lang: str) -> tuple[str, ...]:
    return type_setting.wrap(" / ".join(message(one, lang) for one in WHAT[kind]), width - 40, 12, 3)


def in_lane(kind: str, x: float, span: tuple[float, float]) -> tuple[Item, ...]:
    """Return what runs between two hulls of one column, in the lane beside them."""
    token = group_words.hue(kind)
    top, bottom = span
    if kind == "pp":
        shapes: tuple[Shape, ...] = (
            Line(points=((x - 8, top), (x - 8, bottom)), stroke=token, width=3.5, end="arrow", tip=10),
            Line(points=((x + 8, bottom), (x + 8, top)), stroke=token, width=3.5, end="arrow", tip=10),
        )
    else:
        shapes = (_double(x, top, bottom, token, solid=False),)
    return _items(kind, shapes, [])


def across(kind: str, span: tuple[float, float], y: float, times: int) -> tuple[Item, ...]:
    """Return what runs between two hulls of different columns, its number of pairs on it."""
    token = group_words.hue(kind)
    left, right = span[0] + ROOM, span[1] - ROOM
    said = f"{group_words.SHORT[kind]} ×{times}"
    half, middle = type_setting.width(said, 12) / 2 + 5, (left + right) / 2
    solid = kind == "pp"
    if right - left < 2 * half + 2 * (TIP + 8):
        return _items(kind, (_flat(left, right, y, token, solid=solid),), [])
    style = {"stroke": token, "width": 3 if solid else 1.8, "dash": () if solid else DASH, "end": "arrow", "tip": TIP}
    shapes = (
        Line(points=((middle - half, y), (left, y)), **style),  # type: ignore[arg-type]
        Line(points=((middle + half, y), (right, y)), **style),  # type: ignore[arg-type]
    )
    text = Text(x=middle, y=y + 4.3, content=said, size=12, anchor="middle", fill=token)
    return _items(kind, shapes, [text])


def _flat(left: float, right: float, y: float, token: str, *, solid: bool) -> Line:
    return Line(
        points=((left, y), (right, y)),
        stroke=token,
        width=3 if solid else 1.8,
        dash=() if solid else DASH,
        start="arrow",
        end="arrow",
        tip=TIP,
    )


def _double(x: float, top: float, bottom: float, token: str, *, solid: bool) -> Line:
    return Line(
        points=((x, top), (x, bottom)),
        stroke=token,
        width=3 if solid else 1.8,
        dash=() if solid else DASH,
        start="arrow",
        end="arrow",
        tip=TIP,
    )


def _single(x: float, start: float, end: float, token: str, *, solid: bool) -> Line:
    return Line(
        points=((x, start), (x, end)),
        stroke=token,
        width=3 if solid else 1.8,
        dash=() if solid else DASH,
        end="arrow",
        tip=TIP,
    )


def _items(kind: str, shapes: Sequence[Shape], texts: Sequence[Text]) -> tuple[Item, ...]:
    drawn = Item(role="decor", layer="route", shapes=tuple(shapes), kind=f"group-{kind}")
    said = (Item(role="label", layer="label", shapes=tuple(texts)),) if texts else ()
    return (drawn, *said)
