"""Counting without expanding: equal things are looked at once.

A ``Sort`` is the first of equal things (same group, same assembly, in the same
place of equal parents) and how many of them there are. All answers here come from
sorts, so a cluster of 16,384 GPUs costs as much as its parts list is long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topoviz.model.topology import Assembly, Link, Thing

NETWORK = ("infiniband", "ethernet")
CARDS = ("nic", "dpu")
ROLES = {"leaf": 1, "spine": 2, "core": 3}
FAR = 9  # more tiers of switches than anybody builds


@dataclass(frozen=True, slots=True)
class Sort:
    """The first of equal things, and how many there are."""

    first: Thing
    count: int


def sorts(roots: Sequence[Thing]) -> tuple[Sort, ...]:
    """Return the roots and everything inside, equal things once, parents before children."""
    return tuple(sort for root in roots for sort in (Sort(root, 1), *_inside(root, 1)))


def select(roots: Sequence[Thing], word: str) -> tuple[Sort, ...]:
    """Return what a word of a layout finds: the root itself, a container's group, a kind, a group, a role, a part.

    A kind is taken at every depth. ``switch`` leaves out switches without a network
    link. Of containers of a kind that is also a group, those count that hold GPUs as
    the group does: a compute ``tray``, not the ``swtray`` beside it.
    """
    everything = sorts(roots)
    itself = tuple(sort for sort in everything if sort.first in roots and word in {sort.first.kind, sort.first.name})
    if itself:
        return itself
    group = _shallowest([sort for sort in everything if sort.first.group == word])
    kind = tuple(sort for sort in everything if sort.first.kind == word)
    if group and kind and group[0].first.kind == word and group[0].first.assembly.children:
        return tuple(sort for sort in kind if _holds_gpus(sort.first) == _holds_gpus(group[0].first))
    if (group and (not kind or group[0].first.assembly.children)) or not kind:
        return group or _by_role(everything, word) or tuple(s for s in everything if s.first.part == word)
    return tuple(s for s in kind if _is_in_network(s.first)) if word == "switch" else kind


def _holds_gpus(thing: Thing) -> bool:
    return bool(thing.assembly.counts.get("gpu"))


def number_of(found: Sequence[Sort]) -> int:
    """Return how many things there are in all."""
    return sum(sort.count for sort in found)


def ancestors(thing: Thing) -> Iterator[tuple[Thing, str]]:
    """Yield the containers from the nearest to the root, each with the path from it to the thing."""
    path, above = thing.name, thing.parent
    while above is not None:
        yield above, path
        path, above = f"{above.name}/{path}", above.parent


def links_of(thing: Thing) -> Iterator[tuple[Link, Thing, str]]:
    """Yield the links that end at the thing: the link, the container that makes it, the path of the other end."""
    for container, path in ancestors(thing):
        for link in container.assembly.ends.get(path, ()):
            yield link, container, link.target if link.source == path else link.source


def level(switch: Thing) -> int:
    """Return how many steps a switch is from the nearest network card: 1 leaf, 2 spine, 3 core; FAR if none."""
    seen, queue = {switch.id}, deque([(switch, 0)])
    while queue:
        here, steps = queue.popleft()
        for link, container, path in links_of(here):
            if link.kind not in NETWORK:
                continue
            other = container.at(path)
            if other.kind in CARDS:
                return steps + 1
            if other.kind == "switch" and other.id not in seen and steps < len(ROLES):
                seen.add(other.id)
                queue.append((other, steps + 1))
    return FAR


def population(container: Assembly, chain: Sequence[tuple[str, Assembly]]) -> int:
    """Return how many things of a chain of (group, assembly) stand in a container."""
    total, here = 1, container
    for group, assembly in chain:
        total *= sum(child.group == group and child.assembly is assembly for child in here.children)
        here = assembly
    return total


def _inside(thing: Thing, times: int) -> Iterator[Sort]:
    like: dict[tuple[str, int], list[Thing]] = {}
    for child in thing.children:
        like.setdefault((child.group, id(child.assembly)), []).append(child)
    for same in like.values():
        yield Sort(same[0], times * len(same))
        yield from _inside(same[0], times * len(same))


def _shallowest(found: Sequence[Sort]) -> tuple[Sort, ...]:
    depth = min((sort.first.id.count("/") for sort in found), default=0)
    return tuple(sort for sort in found if sort.first.id.count("/") == depth)


def _is_in_network(thing: Thing) -> bool:
    return any(link.kind in NETWORK for link, _, _ in links_of(thing))


def _by_role(everything: Sequence[Sort], word: str) -> tuple[Sort, ...]:
    if word not in ROLES:
        return ()
    return tuple(s for s in everything if s.first.kind == "switch" and level(s.first) == ROLES[word])
