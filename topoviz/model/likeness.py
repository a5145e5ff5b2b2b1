"""Which siblings are equal: the same type, state and neighbours of the same classes, refined until nothing splits."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from topoviz.model.topology import Thing


def classes(parent: Thing) -> Mapping[str, tuple[int, int]]:
    """Return for each child of a thing its class, by name: (type, class within it), counted from 0.

    Names and places do not count; a change and a state do. Neighbours outside the
    parent count by their type.
    """
    children = parent.assembly.children
    types: dict[Hashable, int] = {}
    start: dict[str, Hashable] = {}
    for child in children:
        alone = child.name if child.changed or child.state != "up" else ""
        start[child.name] = (types.setdefault(child.assembly, len(types)), child.state, alone)
    joints = _joints(parent)
    colours = _numbered(start)
    while True:
        finer = _numbered({name: (colour, _around(joints[name], colours)) for name, colour in colours.items()})
        if len(set(finer.values())) == len(set(colours.values())):
            break
        colours = finer
    return {child.name: (types[child.assembly], colours[child.name]) for child in children}


def _numbered(keys: Mapping[str, Hashable]) -> dict[str, int]:
    order: dict[Hashable, int] = {}
    return {name: order.setdefault(key, len(order)) for name, key in keys.items()}


def _around(joints: list[tuple[Hashable, ...]], colours: Mapping[str, int]) -> Hashable:
    return tuple(
        sorted(
            (str(colours[str(joint[0])]) if joint[0] in colours else f"~{joint[1]}", str(joint[2:])) for joint in joints
        )
    )


def _joints(parent: Thing) -> dict[str, list[tuple[Hashable, ...]]]:
    """Return for each child what its links lead to: (child or nothing, what is outside, kind, links, rate, state)."""
    found: dict[str, list[tuple[Hashable, ...]]] = {child.name: [] for child in parent.assembly.children}
    for owner in parent.chain:
        depth = len(parent.id[len(owner.id) :].strip("/").split("/")) if parent.id != owner.id else 0
        inside = parent.id[len(owner.id) :].strip("/")
        links = owner.assembly.branches.get(inside.partition("/")[0], ()) if inside else owner.assembly.links
        for link in links:
            ends = [_child_of(link.source, inside, depth), _child_of(link.target, inside, depth)]
            for here, there, other in ((ends[0], ends[1], link.target), (ends[1], ends[0], link.source)):
                if here in found and here != there:
                    at = owner.assembly.at(other) if there not in found else None
                    outside = (at.kind, at.part) if at else ""
                    found[here].append((there, outside, link.kind, link.links, link.bandwidth, link.state))
    return found


def _child_of(path: str, inside: str, depth: int) -> str:
    """Return the name of the child of the parent that a path leads into; empty if it leads elsewhere."""
    if inside and not path.startswith(f"{inside}/"):
        return ""
    return path.split("/")[depth]
