"""Links seen from the things that are shown: folding without looking inside what is folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from topoviz.model.sums import added
from topoviz.model.topology import Link, Thing


def links_at(thing: Thing) -> tuple[Link, ...]:
    """Return all links that end at the thing, with full ids, the innermost level first."""
    found: list[Link] = []
    for owner in reversed(thing.chain[:-1]):
        prefix = f"{owner.id}/" if owner.id else ""
        here = owner.assembly.ends.get(thing.id[len(prefix) :], ())
        found += [replace(link, source=prefix + link.source, target=prefix + link.target) for link in here]
    return tuple(found)


def neighbours(thing: Thing, kinds: frozenset[str]) -> Iterator[str]:
    """Yield the ids at the other ends of its links of these kinds, the innermost level first."""
    for owner in reversed(thing.chain[:-1]):
        prefix = f"{owner.id}/" if owner.id else ""
        here = thing.id[len(prefix) :]
        for link in owner.assembly.ends.get(here, ()):
            if link.kind in kinds:
                yield prefix + (link.target if link.source == here else link.source)


def fold(root: Thing, shown: Iterable[str]) -> tuple[Link, ...]:
    """Return the links between shown things; see ``Topology.fold``."""
    wanted = frozenset(shown)
    bundles: dict[tuple[str, str, str], list[Link]] = {}
    for owner in _expanded(root, wanted):
        for source, target, link in _hung(owner, wanted):
            pair = (source, target, link.kind)
            bundles.setdefault(pair if pair in bundles else _turned(pair, bundles), []).append(link)
    return tuple(replace(added(links), source=a, target=b) for (a, b, _), links in bundles.items())


def _turned(pair: tuple[str, str, str], known: dict[tuple[str, str, str], list[Link]]) -> tuple[str, str, str]:
    back = (pair[1], pair[0], pair[2])
    return back if back in known else pair


def _expanded(root: Thing, shown: frozenset[str]) -> tuple[Thing, ...]:
    """Return the things with something shown inside, outer ones first, in order."""
    paths = {"": None} | {
        "/".join(steps[:depth]): None
        for name in sorted(shown)
        if name
        for steps in [name.split("/")]
        for depth in range(1, len(steps))
    }
    things = [root.at(path) for path in paths if _is_there(root, path)]
    return tuple(sorted(things, key=lambda thing: thing.position))


def _is_there(root: Thing, path: str) -> bool:
    return root.assembly.at(path) is not None


def _hung(owner: Thing, shown: frozenset[str]) -> Iterator[tuple[str, str, Link]]:
    """Yield the links of one assembly with the nearest shown things at their ends."""
    prefix = f"{owner.id}/" if owner.id else ""
    above = _nearest(owner.id, shown)
    known: dict[str, str | None] = {}

    def hung(end: str) -> str | None:
        if end not in known:
            known[end] = _nearest(prefix + end, shown, prefix, above)
        return known[end]

    for link in owner.assembly.links:
        source, target = hung(link.source), hung(link.target)
        if source is not None and target is not None and source != target:
            yield source, target, link


def _nearest(name: str, shown: frozenset[str], prefix: str = "", above: str | None = None) -> str | None:
    """Return the id itself or its nearest shown ancestor below ``prefix``, else ``above``."""
    while len(name) > len(prefix):
        if name in shown:
            return name
        name = name.rpartition("/")[0]
    if prefix:
        return above
    return "" if "" in shown else None
