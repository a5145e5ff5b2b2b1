"""Items of a scene as groups, in the order of painting."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from topoviz.drawing.scene import LAYERS, Item
from topoviz.renderers.markup.element import Attribute, Element
from topoviz.renderers.markup.hoist import hoisted, in_runs
from topoviz.renderers.markup.paint import Palette
from topoviz.renderers.markup.shapes import elements

if TYPE_CHECKING:
    from topoviz.drawing.scene import Scene


def layers(scene: Scene, palette: Palette) -> tuple[Element, ...]:
    """Return one group per layer that has items, back to front; raises ValueError for an unknown layer."""
    unknown = sorted({item.layer for item in scene.items} - set(LAYERS))
    if unknown:
        raise ValueError(f"no such layer: {unknown[0]!r}")
    return tuple(
        hoisted(Element("g", {"class": f"layer-{layer}"}, _groups(items, palette, interactive=scene.interactive)))
        for layer in LAYERS
        if (items := [item for item in scene.items if item.layer == layer and item.shapes])
    )


def _groups(items: list[Item], palette: Palette, *, interactive: bool) -> tuple[Element, ...]:
    """Return a group per item; neighbours that carry neither data nor title share one."""
    merged = ([item for _, item in same] for _, same in groupby(enumerate(items), key=_merging))
    return in_runs((_merged(members, palette, interactive=interactive),) for members in merged)


def _merged(members: list[Item], palette: Palette, *, interactive: bool) -> Element:
    units = [_painted(item, palette) for item in members]
    return hoisted(_group(members[0], in_runs(units), interactive=interactive))


def _merging(numbered: tuple[int, Item]) -> tuple[str, str, int]:
    place, item = numbered
    anonymous = item.role in {"label", "decor"} and not item.data and not item.title
    return (item.role, item.kind, -1 if anonymous else place)


def _painted(item: Item, palette: Palette) -> tuple[Element, ...]:
    return tuple(element for shape in item.shapes for element in elements(shape, palette))


def _group(item: Item, children: tuple[Element, ...], *, interactive: bool) -> Element:
    data = dict(item.data)
    if item.role == "node" and item.kind:
        data.setdefault("kind", item.kind)
    if item.role == "link":
        data.pop("kind", None)  # its class says it
    attributes: dict[str, Attribute] = {"class": " ".join(filter(None, (item.role, slug(item.kind))))}
    attributes |= {f"data-{key}": value for key, value in data.items()}
    if interactive and item.role == "node":
        label = item.title or data.get("id", "")
        attributes |= {"role": "graphics-symbol", "tabindex": "0", "aria-label": label}
    title = (Element("title", {}, text=item.title),) if item.title else ()
    return Element("g", attributes, (*title, *children))


def slug(kind: str) -> str:
    """Return the kind as a class name.

    >>> slug("power shelf")
    'power-shelf'
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", kind).strip("-")
