"""What all glyphs share: tokens by fabric and state, texts that fit, the tooltip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topoviz.drawing import text as type_setting
from topoviz.drawing.messages import say_text
from topoviz.drawing.scene import Box, Item, Shape, Text
from topoviz.drawing.words import THINGS

if TYPE_CHECKING:
    from topoviz.model.spec import Text as Words
    from topoviz.model.topology import Thing

NAME = 13.0  # size of a name
SMALL = 12.0  # size of a second line, and the smallest there is
RISE = 0.36  # from the middle of a line of text down to its baseline, in em
TWO_LINES = 36.0  # a box as tall as that has room for a name on two lines
SPARE = 2.0  # least room between a text and the outline, on each side
SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink", "c2c")  # kinds of link drawn in the green of NVLink


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Tokens of one glyph: what fills it, what outlines it, what its text is painted with."""

    fill: str
    stroke: str
    ink: str
    dash: tuple[float, ...] = ()


def fabric_of(kind: str) -> str:
    """Return the hue of a kind of link or component as the first half of a token.

    >>> fabric_of("nvswitch"), fabric_of("cpu"), fabric_of("xgmi"), fabric_of("carrier-pigeon")
    ('nvlink', 'pcie', 'nvlink', 'frame')
    """
    if kind in (*SCALE_UP, "nvswitch"):
        return "nvlink"
    if kind in {"pcie", "cpu"}:
        return "pcie"
    if kind in {"infiniband", "nic", "switch"}:
        return "infiniband"
    return "ethernet" if kind in {"ethernet", "dpu"} else "frame"


def look(fabric: str, *, muted: bool = False, state: str = "up") -> Look:
    """Return the tokens for a component of that fabric in that state.

    >>> look("pcie").stroke, look("pcie", muted=True).stroke, look("pcie", state="down").dash
    ('pcie.line', 'ghost', (4, 3))
    """
    if state == "down":
        return Look(fill="", stroke="alert", ink="ink2", dash=(4, 3))
    if muted:
        return Look(fill="surf", stroke="ghost", ink="ink3")
    if fabric == "frame":
        return Look(fill="bg", stroke="frame", ink="ink")
    return Look(fill=f"{fabric}.tint", stroke=f"{fabric}.line", ink=f"{fabric}.text")


def words(text: Words, lang: str = "en") -> str:
    """Return the text in one language; one that is written once only is looked up in the messages.

    >>> words({"en": "Tray", "zh": "托盘"}, "zh"), words("Tray", "zh")
    ('托盘', 'Tray')
    """
    return say_text(text, lang)


def tooltip(thing: Thing, lang: str = "en") -> str:
    """Return what is said when the pointer rests on a thing: id, kind, title, state.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> gpu = Assembly(kind="gpu", title="H100")
    >>> tooltip(Thing("gpu0", Child(name="gpu0", group="gpu", assembly=gpu, state="down")))
    'gpu0: gpu, H100, down'
    """
    title = words(thing.title, lang)
    title = "" if "{" in title else title  # a title with fields is that of the picture
    kind = thing.kind if lang.startswith("en") else say_text(THINGS.get(thing.kind, thing.kind), lang)
    parts = [
        *([kind] if thing.kind else []),
        *([title] if title and title not in {thing.id, kind} else []),
        *([say_text(thing.state, lang)] if thing.state != "up" else []),
    ]
    comma, colon = ("，", "：") if lang.startswith("zh") else (", ", ": ")
    return f"{thing.id}{colon}{comma.join(parts)}" if thing.id else comma.join(parts)


def fitted(label: str, room: float, size: float = NAME, *, bold: bool = False, word: bool = False) -> tuple[str, float]:
    """Return the label and its size: whole if it fits, else the end that tells it apart, else most of it, else nothing.

    With ``word`` its first word comes before its number, for signs of which there are many.

    >>> fitted("GPU 0", 100), fitted("GPU 0", 14), fitted("NIC 0", 30, word=True), fitted("GPU 0", 2)
    (('GPU 0', 13.0), ('0', 13.0), ('NIC', 13.0), ('', 12.0))
    >>> fitted("bnxt_re0", 36), fitted("高速网卡", 36)
    (('re0', 13.0), ('', 12.0))
    """
    head, _, last = label.rpartition(" ")
    numbered = bool(head) and last.isdigit()
    small = ((head, last) if word else (last,)) if numbered else type_setting.tails(label)
    for candidate, at in ((label, size), (label, SMALL), *((one, at) for one in small for at in (size, SMALL))):
        if type_setting.width(candidate, at, bold=bold) <= room:
            return candidate, at
    kept, at = type_setting.fit(label, room, size, bold=bold)
    return (kept, at) if not numbered and 2 * len(kept) > len(label) else ("", SMALL)


def short(label: str, room: float, *, size: float = NAME, bold: bool = False) -> str:
    """Return the label as far as it fits at that size or at 12: whole, its number, cut, or nothing.

    >>> short("GPU 0", 100), short("GPU 0", 14), short("GPU 0", 2)
    ('GPU 0', '0', '')
    """
    return fitted(label, room, size, bold=bold)[0]


def inside(
    box: Box,
    label: str,
    second: str,
    inks: tuple[str, str],
    *,
    bold: bool,
    room: float = 0,
    word: bool = False,
) -> tuple[Shape, ...]:
    """Return name and second line in the middle of a box, as far as they fit.

    >>> [text.content for text in inside(Box(x=0, y=0, width=76, height=42), "GPU 0", "H100", ("ink", "ink2"), bold=True)]
    ['GPU 0', 'H100']
    """
    space = box.width - 2 * (SPARE + room)
    name, size = (
        fitted(label, space, NAME if bold else SMALL, bold=bold, word=word) if box.height >= SMALL else ("", SMALL)
    )
    if name != label and not second and box.height >= TWO_LINES and " " not in label:
        halves = type_setting.split_name(label)
        if all(_has_room(half, space, bold=bold) for half in halves):
            return _two_lines(box, halves, inks[0], bold=bold)
    below, _ = fitted(second, space, SMALL) if name and box.height >= 36 else ("", SMALL)
    middle = box.y + box.height / 2 - (8 if below else 0)
    centre = box.x + box.width / 2
    lines = ((name, size, bold, middle, inks[0]), (below, SMALL, False, middle + 16, inks[1]))
    return tuple(
        Text(x=centre, y=at + RISE * height, content=content, size=height, bold=heavy, anchor="middle", fill=ink)
        for content, height, heavy, at, ink in lines
        if content
    )


def _has_room(half: str, room: float, *, bold: bool) -> bool:
    """Return whether half of a name that was cut in two fits."""
    return bool(half) and type_setting.width(half, SMALL, bold=bold) <= room


def _two_lines(box: Box, halves: tuple[str, str], ink: str, *, bold: bool) -> tuple[Shape, ...]:
    """Return a name on two lines in the middle of a box."""
    x, y = box.x + box.width / 2, box.y + box.height / 2 - 3
    return tuple(
        Text(x=x, y=y + 15 * i, content=half, size=SMALL, bold=bold, anchor="middle", fill=ink)
        for i, half in enumerate(halves)
    )


def tab(box: Box, side: str, token: str) -> tuple[Box, ...]:
    """Return the port tab of a network card on one side of it; nothing for a side that there is not.

    >>> len(tab(Box(x=0, y=0, width=40, height=28), "left", "ink")), tab(Box(x=0, y=0, width=40, height=28), "", "ink")
    (1, ())
    """
    across, down = box.x + box.width / 2 - 5, box.y + box.height / 2 - 5
    places = {
        "top": (across, box.y - 3, 10, 6),
        "bottom": (across, box.y + box.height - 3, 10, 6),
        "left": (box.x - 3, down, 6, 10),
        "right": (box.x + box.width - 3, down, 6, 10),
    }
    if side not in places:
        return ()
    x, y, width, height = places[side]
    return (Box(x=x, y=y, width=width, height=height, fill=token),)


def extra(box: Box, state: str) -> tuple[Box, ...]:
    """Return the second outline of a degraded thing, 2.5 u outside of its own.

    >>> extra(Box(x=0, y=0, width=40, height=28), "degraded")[0].x
    -2.5
    """
    if state != "degraded":
        return ()
    return (
        Box(
            x=box.x - 2.5,
            y=box.y - 2.5,
            width=box.width + 5,
            height=box.height + 5,
            shape=box.shape,
            radius=box.radius + 2 if box.shape == "rect" else 0,
            point=box.point,
            stroke="alert",
            stroke_width=2,
        ),
    )


def opaque(item: Item, ground: str) -> Item:
    """Return a sign without a fill, as of what is down, painted with the ground: lines to others pass behind it.

    >>> opaque(node("nvs0", "nvswitch", (Box(x=0, y=0, width=40, height=28),), ""), "surf").shapes[0].fill
    'surf'
    """
    first, *rest = item.shapes or (None,)
    if item.role != "node" or not isinstance(first, Box) or first.fill:
        return item
    return replace(item, shapes=(replace(first, fill=ground), *rest))


def node(
    thing_id: str,
    kind: str,
    shapes: tuple[Shape, ...],
    tip: str,
    *,
    layer: str = "",
    data: tuple[tuple[str, str], ...] = (),
) -> Item:
    """Return the item of one thing; switches lie below devices unless ``layer`` says otherwise.

    >>> node("nvs0", "nvswitch", (), "").layer
    'switch'
    """
    place = layer or ("switch" if kind in {"nvswitch", "switch", "pcie"} else "device")
    return Item(
        role="node", layer=place, shapes=shapes, kind=kind, data=(("id", thing_id), ("kind", kind), *data), title=tip
    )
