"""The memory of a GPU as a tank: an outline in scale, ticks, what fills it, and what does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from topoviz.drawing import model_words
from topoviz.drawing import text as type_setting
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Box, Item, Line, Shape, Text
from topoviz.model.findings import Filling, Tank

INSIDE = 2.5  # from the outline to the fill
TICK = 4.0
HIGHEST_SURPLUS = 1.3  # times the tank: more than that is drawn with a break
# token, opacity and ink of each part; opacities at which one ink can be read in light and in dark
PAINT = {
    "weights": ("gpu", 1.0, "gpu.text"),
    "gradients": ("ring.a", 1.0, "ring.text"),
    "optimizer": ("ring.b", 1.0, "ring.text"),
    "master": ("ring.b", 1.0, "ring.text"),
    "momentum": ("ring.b", 0.55, "ink"),
    "variance": ("ring.b", 0.3, "ink"),
}
HATCHED = ("surf", 1.0, "ink")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How high a byte is (u), and how many bytes lie between two ticks."""

    per_byte: float
    tick: float
    lang: str = "en"

    def high(self, size: float) -> float:
        """Return how high so many bytes are."""
        return size * self.per_byte


def box_of(part: Filling, x: float, y: float, width: float, height: float) -> Box:
    """Return the box of a part of the memory: colour by what it is, hatched if it is no state of the model."""
    token, opacity, _ = PAINT.get(part.name, HATCHED)
    if part.name in PAINT:
        return Box(x=x, y=y, width=width, height=height, fill=token, opacity=opacity)
    return Box(x=x, y=y, width=width, height=height, fill=token, stroke="frame", stroke_width=1, hatch=True)


def ink_of(part: Filling) -> str:
    """Return the ink that can be read on a part."""
    return PAINT.get(part.name, HATCHED)[2]


def surplus(tank: Tank, scale: Scale) -> float:
    """Return how high the box of what does not fit is (u); at most 1.3 tanks, then it has a break."""
    over = tank.filled - tank.size
    return 0.0 if over < 1 else min(max(scale.high(over), 38.0), HIGHEST_SURPLUS * scale.high(tank.size))


def draw(tank: Tank, x: float, base: float, width: float, scale: Scale) -> tuple[Item, ...]:
    """Return one tank that stands on ``base``: what fits in its place, what does not on top, dashed."""
    height = scale.high(tank.size)
    top = base - height
    outline = Box(x=x, y=top, width=width, height=height, radius=2.5, fill="bg", stroke="ink2")
    shapes: list[Shape] = [outline, *_ticks(tank, x, base, scale)]
    texts: list[Shape] = []
    y, room = base - INSIDE, tank.size
    for part in tank.fillings:
        held = min(part.bytes, room)
        room -= held
        part_height = held / tank.size * (height - 2 * INSIDE)
        y -= part_height
        if part_height > 0.2:
            shapes.append(box_of(part, x + INSIDE, y, width - 2 * INSIDE, part_height))
            texts.extend(_label(part, held, tank, (x, y, width, part_height)))
    shapes.extend(_seams(tank, x, base, width, height))
    texts.extend(_free(room, (x, top, width, y - top), scale.lang))
    over = _over(tank, x, top, width, scale)
    name = tank.ids[0] if tank.ids else ""
    tip = fill("{id}: {value}", {"id": name, "value": model_words.gigabytes(tank.filled)}) if name else ""
    body = Item(role="decor", layer="device", shapes=(*shapes, *over[0]), title=tip)
    return (body, Item(role="label", layer="label", shapes=(*texts, *over[1]))) if texts or over[1] else (body,)


def room(x: float, base: float, width: float, height: float, lang: str) -> tuple[Item, ...]:
    """Return the outline of a GPU that is needed and not filled."""
    box = Box(x=x, y=base - height, width=width, height=height, radius=2.5, stroke="prel", dash=(6, 4))
    said = _fitting((message("room", lang),), width - 6)
    text = Text(x=x + width / 2, y=base - height / 2 + 4, content=said, size=12, anchor="middle", fill="ink2")
    items = (Item(role="decor", layer="device", shapes=(box,)),)
    return (*items, Item(role="label", layer="label", shapes=(text,))) if said else items


def _ticks(tank: Tank, x: float, base: float, scale: Scale) -> list[Line]:
    marks = int((tank.size - 1) // scale.tick)
    heights = (base - scale.high((i + 1) * scale.tick) for i in range(marks))
    return [Line(points=((x - TICK, y), (x, y)), stroke="ink2", width=1) for y in heights]


def _seams(tank: Tank, x: float, base: float, width: float, height: float) -> list[Line]:
    """Return the thin gaps between the parts, so that two tints of one hue are told apart."""
    found, level = [], 0.0
    for part in tank.fillings[:-1]:
        level += part.bytes
        if level < tank.size:
            y = base - INSIDE - level / tank.size * (height - 2 * INSIDE)
            found.append(Line(points=((x + INSIDE, y), (x + width - INSIDE, y)), stroke="bg", width=1.5))
    return found


def _label(part: Filling, held: float, tank: Tank, place: tuple[float, float, float, float]) -> list[Text]:
    x, y, width, height = place
    if height < 18 or len(tank.fillings) > 2:
        return []
    said = _fitting((model_words.gigabytes(held), model_words.number(held)), width - 2 * INSIDE - 4, bold=True)
    if not said:
        return []
    at = y + height / 2 + 0.36 * 12
    return [Text(x=x + width / 2, y=at, content=said, size=12, bold=True, anchor="middle", fill=ink_of(part))]


def _free(room: float, place: tuple[float, float, float, float], lang: str) -> list[Text]:
    x, y, width, height = place
    if height < 20 or room < 1:
        return []
    values = {"value": model_words.gigabytes(room), "number": model_words.number(room)}
    said = _fitting((fill("{value} free", values, lang), fill("{number} free", values, lang)), width - 6)
    return (
        [Text(x=x + width / 2, y=y + height / 2 + 4.3, content=said, size=12, anchor="middle", fill="ink2")]
        if said
        else []
    )


def _over(tank: Tank, x: float, top: float, width: float, scale: Scale) -> tuple[tuple[Shape, ...], tuple[Text, ...]]:
    height = surplus(tank, scale)
    if not height:
        return (), ()
    box = Box(x=x, y=top - height, width=width, height=height, radius=2.5, stroke="alert", dash=(5, 4))
    over = tank.filled - tank.size
    value = model_words.gigabytes(over)
    many = (value, message("too much", scale.lang))
    lines = (
        many
        if _all_fit(many, width - 6)
        else (_fitting((f"+{value}", f"+{model_words.number(over)}"), width - 6, bold=True),)
    )
    first = top - height / 2 + 4.3 - 8 * (len(lines) - 1)
    texts = tuple(
        Text(x=x + width / 2, y=first + 16 * i, content=line, size=12, bold=True, anchor="middle", fill="alert")
        for i, line in enumerate(lines)
        if line
    )
    cut = scale.high(over) > height + 1
    return (box, *(_break(x, top - height + 12, width) if cut else ())), texts


def _break(x: float, y: float, width: float) -> tuple[Line, ...]:
    """Return the sign that a part of the height is left out."""
    return tuple(
        Line(points=((x - 4, y + 4 + dy), (x + width + 4, y - 4 + dy)), stroke="alert", width=1.5) for dy in (0, 5)
    )


def _all_fit(lines: tuple[str, ...], width: float) -> bool:
    return all(type_setting.width(line, 12, bold=True) <= width for line in lines)


def _fitting(candidates: tuple[str, ...], width: float, *, bold: bool = False) -> str:
    """Return the first text that fits at 12, or nothing."""
    return next((one for one in candidates if type_setting.width(one, 12, bold=bold) <= width), "")
