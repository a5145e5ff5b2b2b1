"""All SMs of a GPU as one bar to scale: a piece for each instance, and what no instance has."""

from __future__ import annotations

from topoviz.drawing import text as type_setting
from topoviz.drawing.cuts import Cut
from topoviz.drawing.look import RISE, SMALL
from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Box, Item, Shape, Text
from topoviz.drawing.slice_columns import empty, lost

HIGH = 24.0
GAP = 2.0


def draw(cut: Cut, corner: tuple[float, float], width: float, lang: str) -> Item:
    """Return the bar: its width is the SMs of the whole GPU; the rest is said, and hatched if nobody can use it."""
    x, y = corner
    every = cut.sms or 1
    shapes: list[Shape] = []
    at = 0
    for one in cut.instances:
        sms = one.sms or 0
        box = Box(x=x + width * at / every, y=y, width=width * sms / every - GAP, height=HIGH, radius=3, fill="gpu")
        shapes += [box, *_said(box, fill("{count} SMs", {"count": str(sms)}, lang), str(sms))]
        at += sms
    if at < every:
        free = bool(cut.computable)  # one more instance could take some of them
        box = (empty if free else lost)(x + width * at / every, y, (width * (every - at) / every, HIGH))
        said = fill("{count} left" if free else "{count} unused", {"count": str(every - at)}, lang)
        shapes += [box, *_plate(box, said, str(every - at))]
    return Item(role="decor", layer="device", kind="sms", shapes=tuple(shapes))


def _said(box: Box, said: str, short: str) -> list[Shape]:
    word = next((one for one in (said, short) if type_setting.width(one, SMALL) <= box.width - 4), "")
    return [_text(box, word, "gpu.text")] if word else []


def _plate(box: Box, said: str, short: str) -> list[Shape]:
    """Return the words of the rest on a plate that keeps the hatching off them."""
    word = next((one for one in (said, short) if type_setting.width(one, SMALL) <= box.width - 8), "")
    if not word:
        return []
    wide = type_setting.width(word, SMALL) + 4
    plate = Box(x=box.x + (box.width - wide) / 2, y=box.y + 2, width=wide, height=box.height - 4, fill="surf")
    return [plate, _text(box, word, "ink2")]


def _text(box: Box, word: str, ink: str) -> Text:
    y = box.y + box.height / 2 + RISE * SMALL
    return Text(x=box.x + box.width / 2, y=y, content=word, size=SMALL, anchor="middle", fill=ink)
