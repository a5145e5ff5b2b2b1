"""What all parts of a group have alike is written once, on the group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from topoviz.renderers.markup.element import Attribute, Element

if TYPE_CHECKING:
    from collections.abc import Iterator

# attributes that children inherit, and whom they concern: an attribute may move up past others
_TEXT = ("font-size", "font-weight", "text-anchor")
_STROKE = ("stroke-width", "stroke-dasharray", "stroke-linecap")
_ALL = ("class", "fill", "stroke")


def hoisted(group: Element) -> Element:
    """Return the group with the paint that its parts share moved up to it.

    >>> rect = Element("rect", {"x": 1, "fill": "#000000"})
    >>> hoisted(Element("g", {}, (rect, rect))).attributes
    {'fill': '#000000'}
    """
    leaves = tuple(_leaves(group))
    shared = {key: value for key in (*_ALL, *_TEXT, *_STROKE) if (value := _shared(key, leaves)) is not None}
    if len(leaves) < 2 or not shared:
        return group
    children = tuple(_without(child, frozenset(shared)) for child in group.children)
    classes = " ".join(str(c) for c in (group.attributes.get("class"), shared.pop("class", None)) if c)
    named = {"class": classes} if classes else {}
    return replace(group, attributes={**group.attributes, **named, **shared}, children=children)


def _leaves(element: Element) -> Iterator[Element]:
    """Yield what is painted: shapes and texts, each with what its groups inside have taken from it."""
    for child in element.children:
        if child.tag == "g":
            inherited = {key: child.attributes.get(key) for key in (*_ALL[1:], *_TEXT, *_STROKE)}
            for leaf in _leaves(child):
                own = {key: value for key, value in leaf.attributes.items() if value is not None}
                yield replace(leaf, attributes={**inherited, **own, "class": None})
        elif child.tag != "title":
            yield child


def _shared(key: str, leaves: tuple[Element, ...]) -> Attribute:
    concerned = [leaf for leaf in leaves if _concerns(key, leaf)]
    values = {leaf.attributes.get(key) or None for leaf in concerned}
    return values.pop() if len(values) == 1 and len(concerned) > 1 else None


def _concerns(key: str, leaf: Element) -> bool:
    if key in _TEXT:
        return leaf.tag == "text"
    if key in _STROKE:
        return bool(leaf.attributes.get("stroke"))
    return True


def _without(element: Element, keys: frozenset[str]) -> Element:
    if element.tag == "title":
        return element
    inner = keys - {"class"}
    children = tuple(_without(child, inner) for child in element.children) if element.tag == "g" else element.children
    dropped = inner if element.tag == "g" else keys
    kept = {key: value for key, value in element.attributes.items() if key not in dropped}
    return replace(element, attributes=kept, children=children)
