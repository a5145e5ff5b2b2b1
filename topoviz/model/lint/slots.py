"""Two things in one rack unit, or a thing above the top of its rack.

Why: a rack unit holds one thing; a thing of height *h* takes its slot and the *h* - 1 above it
(a power shelf takes 1, a DGX H100 takes 8). Slots count from the bottom, from 1.
To mend: correct ``slot``, or give the rack its ``height``.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import Ground, copies, path, warning
from topoviz.model.sites import Site
from topoviz.model.topology import Child
from topoviz.model.where import mark_of_child


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield things that overlap in their rack and things that stand out of it."""
    for site in ground.owners:
        taken: dict[int, Child] = {}
        for child in site.thing.assembly.children:
            yield from _beyond(site, child)
            units = _units(child)
            other = next((taken[unit] for unit in units if unit in taken), None)
            if other is not None:
                yield _twice(site, child, other)
            for unit in units:
                taken.setdefault(unit, child)


def _units(child: Child) -> range:
    return range(child.slot, child.slot + (child.assembly.height or 1)) if child.slot is not None else range(0)


def _beyond(site: Site, child: Child) -> Iterator[Diagnostic]:
    height, units = site.thing.assembly.height, _units(child)
    if height is not None and units and units[-1] > height:
        message = f"{path(site, child)} takes {_said(units)}, but {site.thing.id or 'the rack'} has {height} units"
        hint = "slots count from the bottom, from 1; correct slot, or the height of the rack"
        yield warning("slots", mark_of_child(site.thing, child.group), message + copies(site), hint)


def _twice(site: Site, child: Child, other: Child) -> Diagnostic:
    message = f"{path(site, child)} takes {_said(_units(child))}, where {path(site, other)} is ({_said(_units(other))})"
    hint = "a thing takes its slot and, if its height is more than 1, the units above it"
    return warning("slots", mark_of_child(site.thing, child.group), message + copies(site), hint)


def _said(units: range) -> str:
    return f"unit {units[0]}" if len(units) == 1 else f"units {units[0]}-{units[-1]}"
