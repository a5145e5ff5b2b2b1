"""What the parts of a group have alike is written once, on the group.

Only presentation that SVG children inherit moves up, and only past parts that say for
themselves what they want, so the picture stays the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from topoviz.renderers.markup.element import Attribute, Element

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# whom an attribute concerns: others do not hinder it from moving up
_ALL = ("fill", "f", "stroke", "s")
_TEXT = ("font-size", "font-weight", "text-anchor")
_STROKE = ("stroke-width", "stroke-dasharray", "stroke-linecap")
_KEYS = (*_ALL, *_TEXT, *_STROKE)
LEAST = 3  # neighbours painted alike that are worth a group of their own


def hoisted(group: Element) -> Element:
    """Return the group with the paint that its parts share moved up to it.

    >>> rect = Element("rect", {"x": 1, "fill": "#000000"})
    >>> hoisted(Element("g", {}, (rect, rect))).attributes
    {'fill': '#000000'}
    """
    leaves = tuple(_leaves(group))
    shared = {key: value for key in _KEYS if (value := _shared(key, leaves)) is not None}
    if not shared:
        return group
    children = tuple(_without(child, shared) for child in group.children)
    return replace(group, attributes={**group.attributes, **shared}, children=children)


def in_runs(units: Iterable[tuple[Element, ...]]) -> tuple[Element, ...]:
    """Return the elements of the units in their order; three neighbours painted alike get a group.

    >>> rects = [(Element("rect", {"x": x, "fill": "#000000"}),) for x in range(3)]
    >>> [element.tag for element in in_runs([*rects, (Element("text", {"fill": "#FFFFFF"}),)])]
    ['g', 'text']
    """
    runs = [list(run) for _, run in groupby(units, key=_signature)]
    return tuple(element for run in runs for element in _run(run, alone=len(runs) == 1))


def _run(units: list[tuple[Element, ...]], *, alone: bool) -> tuple[Element, ...]:
    """Return the elements of a run, in a group if that saves something that the group around does not."""
    elements = tuple(element for unit in units for element in unit)
    if alone or len(units) < LEAST:
        return elements
    group = hoisted(Element("g", {}, elements))
    return (group,) if group.attributes else elements


def _signature(unit: tuple[Element, ...]) -> tuple[object, ...]:
    """Return how the parts of a unit are painted, in order."""
    painted = (element for element in unit if element.tag != "title")
    return tuple((e.tag, *(e.attributes.get(key) for key in _KEYS), _signature(_inside(e))) for e in painted)


def _inside(element: Element) -> tuple[Element, ...]:
    return element.children if element.tag == "g" else ()


def _leaves(element: Element) -> Iterator[Element]:
    """Yield what is painted, shapes and texts, each with what the groups in between have taken from it."""
    for child in element.children:
        if child.tag == "g":
            taken = {key: child.attributes.get(key) for key in _KEYS}
            for leaf in _leaves(child):
                own = {key: value for key, value in leaf.attributes.items() if value is not None}
                yield replace(leaf, attributes={**taken, **own})
        elif child.tag != "title":
            yield child


def _shared(key: str, leaves: tuple[Element, ...]) -> Attribute:
    """Return the value to move up: the commonest, if all that it concerns name theirs."""
    values = [leaf.attributes.get(key) or None for leaf in leaves if _concerns(key, leaf)]
    if len(values) < 2 or None in values:
        return None
    value, count = Counter(values).most_common(1)[0]
    return value if count > 1 else None


def _concerns(key: str, leaf: Element) -> bool:
    if key in _TEXT:
        return leaf.tag == "text"
    return bool(leaf.attributes.get("stroke")) if key in _STROKE else True


def _without(element: Element, shared: Mapping[str, Attribute]) -> Element:
    """Return the element without what a group around it says alike."""
    said = {key: value for key in shared if (value := element.attributes.get(key)) is not None}
    attributes = {key: value for key, value in element.attributes.items() if key not in said or value != shared[key]}
    if element.tag != "g":
        return replace(element, attributes=attributes)
    below = {key: value for key, value in shared.items() if said.get(key, value) == value}
    return replace(element, attributes=attributes, children=tuple(_without(child, below) for child in element.children))
