"""Small scenes that the tests of renderers and of the audit draw."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from topoviz.drawing.scene import Box, Cells, Item, Line, Run, Scene, Shape, Text


def tree(svg: str) -> ET.Element:
    """Return the root of a picture that our own code wrote."""
    return ET.fromstring(svg)


def scene(*items: Item, width: float = 200, height: float = 100, **wishes) -> Scene:
    texts = {"title": "A server", "description": "One server with two GPUs.", **wishes}
    return Scene(width=width, height=height, items=items, **texts)


def decor(*shapes: Shape, layer: str = "label") -> Item:
    return Item(role="decor", layer=layer, shapes=shapes)


def node(name: str, *shapes: Shape, kind: str = "gpu", layer: str = "device", title: str = "") -> Item:
    return Item(role="node", layer=layer, kind=kind, data=(("id", name), ("kind", kind)), title=title, shapes=shapes)


def gpu(name: str, x: float, y: float = 20, text: str = "") -> Item:
    box = Box(x=x, y=y, width=76, height=42, radius=4, fill="gpu")
    label = Text(x=x + 38, y=y + 25.7, content=text or name, bold=True, anchor="middle", fill="gpu.text")
    return node(name, box, label, title=f"{name}: 18 links")


def link(source: str, target: str, *points: tuple[float, float], of: tuple[str, ...] = ()) -> Item:
    data = (("source", source), ("target", target), ("kind", "nvlink"), ("links", "18"), ("bandwidth", "450"))
    line = Line(points=points, stroke="nvlink.line", width=4.4)
    return Item(role="link", layer="link", kind="nvlink", data=data, shapes=(line,), of=of)


def everything(**wishes) -> Scene:
    """Return a scene with every shape, every role and every layer."""
    shelf = Box(x=10, y=130, width=60, height=12, fill="surf2", stroke="frame", hatch=True, dash=(4, 3))
    switch = Box(x=10, y=90, width=180, height=24, shape="hexagon", fill="nvlink.tint", stroke="nvlink.line")
    name = Text(x=24, y=106.3, runs=(Run(content="NVSwitch 0", bold=True), Run(content="36 links", size=12, dx=6)))
    ring = Line(points=((48, 62), (48, 80), (140, 80), (140, 63)), stroke="ring.a", width=4, radius=12, end="arrow")
    bend = Line(points=((90, 150), (110, 120), (130, 170), (150, 150)), stroke="ring.b", curve=True, start="arrow")
    badge = Box(x=85, y=70.5, width=19, height=19, shape="disc", fill="ring.a")
    pill = Box(x=100, y=130, width=60, height=12, shape="capsule", stroke="alert")
    cells = Cells(xs=(10, 18.3, 26.6), ys=(150, 158), width=6, height=6, fill="gpu", filled=frozenset({(0, 0), (1, 2)}))
    return scene(
        Item(
            role="decor", layer="enclosure", shapes=(Box(x=2, y=2, width=196, height=176, fill="surf", opacity=0.45),)
        ),
        link("gpu0", "nvs0", (30, 62), (30, 90)),
        link("gpu1", "nvs0", (150, 62), (150, 90)),
        node("nvs0", switch, name, kind="nvswitch", layer="switch"),
        gpu("gpu0", 10),
        gpu("gpu1", 112),
        node("shelf", shelf, kind="power shelf"),
        Item(role="route", layer="route", data=(("route", "A"),), shapes=(ring, bend, badge)),
        decor(pill, cells),
        Item(
            role="label", layer="label", shapes=(Text(x=24, y=15, content="A <server> & more", size=12, fill="ink2"),)
        ),
        height=180,
        **wishes,
    )
