"""One part by itself: its sign, its memory, and one row for each kind of port with what it carries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from topoviz.drawing import glyphs
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.by_kind import Place, glyph_of
from topoviz.drawing.fields import say
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Drawing, Item, Line, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.text import width as width_of
from topoviz.drawing.tiers.stage import line_width, token
from topoviz.drawing.words import link_name
from topoviz.model.spec import Port
from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = MappingProxyType({})

ROW = 44.0
SIGN = 150.0  # width of the sign
STUB = 110.0  # length of a port's line


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:
    """Return the part with its ports; as high as its ports need, at least 96 u."""
    del block, height
    thing = scope.roots[0]
    ports = thing.assembly.ports or ()
    high = max(96.0, ROW * len(ports))
    place = Place(x=0, y=0, width=SIGN, height=high)
    name = _name(scope, thing)
    items = [glyph_of(thing, place, name, lang=scope.lang, side="none")]
    for i, port in enumerate(ports):
        items += _row(port, high * (i + 0.5) / len(ports), scope.lang)
    if thing.assembly.memory is not None:
        words = say(scope, "{memory} of memory", things=[thing])
        items.append(
            Item(
                role="label",
                layer="label",
                shapes=(Text(x=SIGN / 2, y=high + 18, content=words, size=12, anchor="middle", fill="ink2"),),
            )
        )
    return Drawing(width=width, height=high + (24 if thing.assembly.memory is not None else 4), items=tuple(items))


def _name(scope: Scope, thing: Thing) -> str:
    """Return the title of a part; one that is a sentence has no room in it, and the name of the part stands there."""
    said = (say(scope, "{title}", things=[thing]), thing.part, thing.kind)
    return next((one for one in said if one and width_of(one, glyphs.NAME, bold=True) <= SIGN - 8), thing.kind)


def _row(port: Port, y: float, lang: str) -> list[Item]:
    count = int(port.count)
    each, together = port.rate.line, None if port.rate.line is None else port.rate.line * (1 if port.shared else count)
    line = Line(points=((SIGN, y), (SIGN + STUB, y)), stroke=token(port.kind), width=line_width(together))
    shapes: list[Shape] = [line]
    if count > 1:
        shapes += glyphs.plate(SIGN + STUB / 2, y, f"×{count}", token(port.kind, "text"))
    head = link_name(port.kind, (port.rate.link,) if port.rate.link else ())
    one = Bandwidth(low=each, high=each)
    if count > 1 and not port.shared:
        values = {"count": str(count), "each": one.text(lang), "all": Bandwidth(low=together, high=together).text(lang)}
        words = (
            fill("{count} ports, each {each}; {all} together", values, lang)
            if each is not None
            else message("rate not stated", lang)
        )
    else:
        words = one.text(lang)
    return [
        Item(role="decor", layer="link", shapes=tuple(shapes)),
        Item(
            role="label",
            layer="label",
            shapes=(
                Text(x=SIGN + STUB + 14, y=y - 3, content=head, bold=True, fill=token(port.kind, "text")),
                Text(x=SIGN + STUB + 14, y=y + 13, content=words, size=12, fill="ink2"),
            ),
        ),
    ]
