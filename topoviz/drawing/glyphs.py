"""One sign for each kind of component, at the place where it is wanted.

``x`` and ``y`` are the top left corner, in user units. A glyph is one ``Item`` with
role ``node``, so that id and kind reach the SVG and the tooltip is on the whole sign.

``muted`` is the grey structure under a highlight: ghost outline, quiet text. The
caller decides what is muted; a GPU that takes part in the highlight is not.
"""

from __future__ import annotations

from topoviz.drawing import text as type_setting
from topoviz.drawing.frames import badge, card, enclosure, plate, port, stack
from topoviz.drawing.look import (
    NAME,
    RISE,
    SCALE_UP,
    SMALL,
    Look,
    extra,
    fabric_of,
    fitted,
    inside,
    look,
    node,
    opaque,
    short,
    tab,
    tooltip,
    words,
)
from topoviz.drawing.scene import Box, Item, Shape, Text

__all__ = [
    "NAME",
    "RISE",
    "SCALE_UP",
    "SMALL",
    "Look",
    "badge",
    "card",
    "cpu",
    "enclosure",
    "fabric_of",
    "fitted",
    "gpu",
    "look",
    "nic",
    "nvswitch",
    "opaque",
    "pcie_switch",
    "plate",
    "port",
    "short",
    "stack",
    "switch",
    "tooltip",
    "words",
]


def gpu(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "",
    *,
    second: str = "",
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
) -> Item:
    """Return a GPU: the only filled dark glyph. Muted: not a part of what is highlighted.

    >>> gpu("gpu0", 0, 0, 76, 42, "GPU 0").shapes[0].fill
    'gpu'
    """
    style = look("gpu", muted=muted, state=state)
    dark = state != "down" and not muted
    box = Box(
        x=x,
        y=y,
        width=width,
        height=height,
        radius=4 if width >= 30 else min(3, 0.15 * width),
        fill="gpu" if dark else style.fill,
        stroke="" if dark else style.stroke,
        dash=style.dash,
    )
    ink, ink2 = ("gpu.text", "gpu.text2") if dark else (style.ink, style.ink)
    return node(
        thing_id, "gpu", (box, *extra(box, state), *inside(box, label, second, (ink, ink2), bold=True)), tooltip
    )


def cpu(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "",
    *,
    second: str = "",
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
    bold: bool = True,
) -> Item:
    """Return a CPU: blue, with a second outline 3 u inside. ``second`` stands behind the name.

    >>> [shape.stroke_width for shape in cpu("cpu0", 0, 0, 112, 40).shapes]
    [1.5, 0.75]
    """
    style = look("pcie", muted=muted, state=state)
    box = Box(x=x, y=y, width=width, height=height, radius=2, fill=style.fill, stroke=style.stroke, dash=style.dash)
    inner = Box(x=x + 3, y=y + 3, width=width - 6, height=height - 6, radius=1, stroke=style.stroke, stroke_width=0.75)
    ink = style.ink if muted or state == "down" else "ink"
    body = (box, *((inner,) if min(width, height) > 12 else ()), *extra(box, state))
    return node(thing_id, "cpu", (*body, *inside(box, label, second, (ink, style.ink), bold=bold, room=6)), tooltip)


def pcie_switch(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "SW",
    *,
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
) -> Item:
    """Return a PCIe switch: a small blue hexagon.

    >>> pcie_switch("sw0", 0, 0, 36, 28).shapes[0].shape
    'hexagon'
    """
    return _hexagon("pcie", "pcie", thing_id, (x, y, width, height), label, tooltip, muted=muted, state=state)


def nvswitch(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "",
    *,
    right: str = "",
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
) -> Item:
    """Return an NVSwitch: a green bar with pointed ends; with ``right`` the name stands at the left.

    >>> nvswitch("nvs0", 0, 0, 760, 24, "NVSwitch 0", right="32 NVLinks").shapes[1].anchor
    'start'
    """
    return _hexagon(
        "nvswitch",
        "nvlink",
        thing_id,
        (x, y, width, height),
        label,
        tooltip,
        right=right,
        muted=muted,
        state=state,
        bold=True,
    )


def switch(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "",
    *,
    right: str = "",
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
    fabric: str = "infiniband",
    bold: bool = True,
) -> Item:
    """Return a leaf, a spine or an Ethernet switch: hexagon or bar in the hue of ``fabric``.

    >>> switch("tor", 0, 0, 88, 32, "ToR", fabric="ethernet").shapes[0].stroke
    'ethernet.line'
    """
    return _hexagon(
        "switch",
        fabric,
        thing_id,
        (x, y, width, height),
        label,
        tooltip,
        right=right,
        muted=muted,
        state=state,
        bold=bold,
    )


def nic(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "NIC",
    *,
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
    fabric: str = "infiniband",
    side: str = "top",
    kind: str = "nic",
) -> Item:
    """Return a network card with its port tab on the ``side`` that faces the network, or no tab.

    >>> nic("nic0", 0, 0, 40, 28).shapes[1].y
    -3
    """
    style = look(fabric, muted=muted, state=state)
    box = Box(x=x, y=y, width=width, height=height, radius=2, fill=style.fill, stroke=style.stroke, dash=style.dash)
    shapes = (box, *tab(box, side, style.stroke), *extra(box, state))
    said = inside(box, label, "", (style.ink, style.ink), bold=False, word=True)
    if label and not said:  # a name of which nothing has room: what it is
        said = inside(box, kind.upper(), "", (style.ink, style.ink), bold=False, word=True)
    return node(thing_id, kind, (*shapes, *said), tooltip)


def _hexagon(
    kind: str,
    fabric: str,
    thing_id: str,
    place: tuple[float, float, float, float],
    label: str,
    tip: str,
    *,
    right: str = "",
    muted: bool = False,
    state: str = "up",
    bold: bool = False,
) -> Item:
    style = look(fabric, muted=muted, state=state)
    x, y, width, height = place
    point = min(0.42 * height, 10, width / 3)
    box = Box(
        x=x,
        y=y,
        width=width,
        height=height,
        shape="hexagon",
        point=point,
        fill=style.fill,
        stroke=style.stroke,
        dash=style.dash,
    )
    ink = style.ink if muted or state == "down" or not bold else "ink"
    texts = (
        _two_ends(box, label, right, (ink, style.ink))
        if right
        else inside(box, label, "", (ink, ink), bold=bold, room=point / 4, word=True)
    )
    plates = tuple(_plate(one) for one in texts if isinstance(one, Text)) if state == "down" else ()
    return node(thing_id, kind, (box, *extra(box, state), *plates, *texts), tip)


def _plate(said: Text) -> Box:
    """Return ground for a text in a bar that is not filled, so that no line behind it strikes it through."""
    wide = type_setting.width(said.content, said.size, bold=said.bold) + 4
    left = said.x - {"start": 2, "middle": wide / 2, "end": wide - 2}[said.anchor]
    return Box(x=left, y=said.y - 0.8 * said.size, width=wide, height=said.size, fill="surf")


def _two_ends(box: Box, label: str, right: str, inks: tuple[str, str]) -> tuple[Shape, ...]:
    room = box.width - 2 * (box.point + 8)
    base = box.y + box.height / 2
    name = Text(x=box.x + box.point + 8, y=base + RISE * NAME, content=label, size=NAME, bold=True, fill=inks[0])
    used = type_setting.width(label, NAME, bold=True)
    if used + 16 + type_setting.width(right, SMALL) > room:
        return inside(box, label, "", inks, bold=True, room=box.point / 4)
    return name, Text(
        x=box.x + box.width - box.point - 8,
        y=base + RISE * SMALL,
        content=right,
        size=SMALL,
        anchor="end",
        fill=inks[1],
    )
