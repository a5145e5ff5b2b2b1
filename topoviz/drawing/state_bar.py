"""What a model keeps in memory as one bar in a linear scale, with the name of every part."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.drawing import model_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.scene import Drawing, Item, Text
from topoviz.drawing.tank import box_of, ink_of
from topoviz.model.findings import Filling

BAR = 32.0
GAP = 2.0
LINE = 16.0
SWATCH = 10.0


def draw(parts: Sequence[Filling], width: float, lang: str) -> Drawing:
    """Return the bar; names stand under their parts where all fit, else in a row of their own with swatches."""
    total = sum(part.bytes for part in parts)
    room = width - GAP * (len(parts) - 1)
    boxes, texts, x = [], [], 0.0
    places: list[tuple[float, float]] = []
    for part in parts:
        long = max(1.0, room * part.bytes / total)
        boxes.append(box_of(part, x, 0, long, BAR))
        texts.extend(_amount(part, x, long))
        places.append((x, long))
        x += long + GAP
    fit = all(_need(part, lang) <= long for part, (_, long) in zip(parts, places, strict=True))
    under = _under(parts, [at for at, _ in places], lang) if fit else _key(parts, width, lang)
    bar = Item(role="decor", layer="device", shapes=tuple(boxes))
    return Drawing(width=width, height=BAR + 40, items=(bar, *under[0], *free_text((*texts, *under[1]))))


def _amount(part: Filling, x: float, width: float) -> list[Text]:
    said = model_words.gigabytes(part.bytes)
    if type_setting.width(said, 13, bold=True) > width - 6:
        return []
    y = BAR / 2 + 0.36 * 13
    return [Text(x=x + width / 2, y=y, content=said, bold=True, anchor="middle", fill=ink_of(part))]


def _need(part: Filling, lang: str) -> float:
    name, detail = model_words.name(part, lang), _detail(part, lang)
    return max(type_setting.width(name, 13, bold=True), type_setting.width(detail, 12)) + 8


def _detail(part: Filling, lang: str) -> str:
    return model_words.gigabytes(part.bytes) if part.group in {"activations", "kv"} else model_words.detail(part, lang)


def _under(parts: Sequence[Filling], lefts: Sequence[float], lang: str) -> tuple[tuple[Item, ...], tuple[Text, ...]]:
    texts = []
    for part, x in zip(parts, lefts, strict=True):
        texts.append(Text(x=x, y=BAR + 18, content=model_words.name(part, lang), bold=True))
        texts.append(Text(x=x, y=BAR + 18 + LINE, content=_detail(part, lang), size=12, fill="ink2"))
    return (), tuple(texts)


def _key(parts: Sequence[Filling], width: float, lang: str) -> tuple[tuple[Item, ...], tuple[Text, ...]]:
    column = width / len(parts)
    boxes = tuple(box_of(part, column * i, BAR + 18 - SWATCH, SWATCH, SWATCH) for i, part in enumerate(parts))
    texts = _under(parts, [column * i + SWATCH + 6 for i in range(len(parts))], lang)[1]
    return (Item(role="decor", layer="device", shapes=boxes),), texts
