# ruff: noqa: S107 - a token is a tint of a theme
"""What holds or marks other things: cards, enclosures and stacks; discs, plates and port squares on lines."""

from __future__ import annotations

from topoviz.drawing import text as type_setting
from topoviz.drawing.look import RISE, SMALL, extra, fitted, inside, look, node
from topoviz.drawing.scene import Box, Item, Shape, Text


def card(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "",
    *,
    kind: str = "card",
    second: str = "",
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
    bold: bool = False,
) -> Item:
    """Return a card: what contains others, or a thing of a kind that has no sign of its own.

    >>> card("dpu0", 0, 0, 80, 30, "DPU", kind="dpu").shapes[0].radius
    3
    """
    style = look("frame", muted=muted, state=state)
    box = Box(
        x=x,
        y=y,
        width=width,
        height=height,
        radius=3,
        fill=style.fill,
        stroke=style.stroke,
        stroke_width=1,
        dash=style.dash,
    )
    ink = style.ink if muted or state == "down" else ("ink" if bold else "ink2")
    return node(
        thing_id, kind, (box, *extra(box, state), *inside(box, label, second, (ink, "ink3"), bold=bold)), tooltip
    )


def enclosure(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    title: str = "",
    *,
    kind: str = "node",
    tooltip: str = "",
    muted: bool = False,
    state: str = "up",
    heavy: bool = False,
) -> Item:
    """Return the box round the inside of a server, a tray or a rack; ``heavy`` marks an opened one.

    The title stands at the top left, its baseline 18 u below the upper edge.

    >>> enclosure("node0", 0, 0, 300, 200, "Node 0").layer
    'enclosure'
    """
    stroke = "alert" if state == "down" else ("ink" if heavy else ("ghost" if muted else "frame"))
    box = Box(
        x=x,
        y=y,
        width=width,
        height=height,
        radius=8,
        fill="surf",
        stroke=stroke,
        stroke_width=2.5 if heavy else 1,
        dash=(4, 3) if state == "down" else (),
    )
    name, size = fitted(title, width - 20, bold=True)
    head = (
        (Text(x=x + 10, y=y + 18, content=name, size=size, bold=True, fill="ink3" if muted else "ink"),) if name else ()
    )
    return node(thing_id, kind, (box, *head), tooltip, layer="enclosure")


def stack(
    thing_id: str,
    x: float,
    y: float,
    width: float,
    height: float,
    label: str = "",
    *,
    kind: str = "node",
    count: int = 0,
    second: str = "",
    tooltip: str = "",
    muted: bool = False,
) -> Item:
    """Return one card for ``count`` equal things, with two copies behind it, each 6 right and 5 up.

    ``width`` and ``height`` are those of the whole stack, copies included.

    >>> stack("node", 0, 0, 122, 44, "128 nodes", count=128).data[-1]
    ('count', '128')
    """
    style = look("frame", muted=muted)
    boxes = tuple(
        Box(
            x=x + 6 * step,
            y=y + 10 - 5 * step,
            width=width - 12,
            height=height - 10,
            radius=4,
            fill=style.fill,
            stroke=style.stroke,
            stroke_width=1,
        )
        for step in (2, 1, 0)
    )
    ink = style.ink if muted else "ink"
    data = (("count", str(count)),) if count else ()
    return node(
        thing_id, kind, (*boxes, *inside(boxes[-1], label, second, (ink, "ink2"), bold=True)), tooltip, data=data
    )


def badge(x: float, y: float, content: str, token: str = "ink2", *, radius: float = 9.5) -> tuple[Shape, Shape]:
    """Return a filled disc with a number or a letter; ``x`` and ``y`` are its middle.

    >>> badge(10, 10, "3")[1].content
    '3'
    """
    disc = Box(x=x - radius, y=y - radius, width=2 * radius, height=2 * radius, shape="disc", fill=token)
    return disc, Text(x=x, y=y + RISE * SMALL, content=content, size=SMALL, bold=True, anchor="middle", fill="bg")


def plate(
    x: float, y: float, content: str, token: str = "ink2", *, ground: str = "bg", bold: bool = False
) -> tuple[Shape, Shape]:
    """Return a text on a piece of ground that interrupts a line; ``x`` and ``y`` are its middle.

    >>> plate(10, 10, "×18", "nvlink.text")[0].height
    16
    """
    width = type_setting.width(content, SMALL, bold=bold) + 6
    box = Box(x=x - width / 2, y=y - 8, width=width, height=16, fill=ground)
    return box, Text(x=x, y=y + RISE * SMALL, content=content, size=SMALL, bold=bold, anchor="middle", fill=token)


def port(x: float, y: float, token: str) -> Box:
    """Return the small square that says: connected here; ``x`` and ``y`` are its middle.

    >>> port(10, 10, "nvlink.line").x
    6.5
    """
    return Box(x=x - 3.5, y=y - 2.5, width=7, height=5, fill=token)
