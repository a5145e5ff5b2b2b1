"""Which layout is drawn: the one named, else the first that suits, sorted by its strongest key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.mesh import grid
from topoviz.drawing.mesh.direct import Direct, direct
from topoviz.drawing.view_by_name import names
from topoviz.errors import MissingEntry
from topoviz.model.findings import Findings
from topoviz.model.selectors import pick
from topoviz.model.spec import Picture
from topoviz.model.spelling import nearest
from topoviz.model.topology import Thing, Topology

FALLBACK = "unknown"
DRAWN_BY_FALLBACK = ("gpu", "cpu", "nic", "pcie", "switch", "nvswitch")
ASKED = ("highlight", "panels", "job", "model", "mig", "size", "compute", "faults", "found")
STRENGTH = {**dict.fromkeys(ASKED, 5), "part": 4, "wired": 3, "min": 2, "max": 2, "has": 2, "lacks": 2, "kind": 1}
NETWORK = ("infiniband", "ethernet")
ENOUGH = 0.9  # of the cards of a rail meet at one leaf
SERVERS = 64  # so many are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A layout and why it was taken, in a sentence without a full stop."""

    layout: Layout
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a layout must suit: a thing, what is asked of its picture, and whether it has the page for itself."""

    topology: Topology
    root: Thing
    request: Picture
    findings: Findings
    alone: bool


def choose(
    topology: Topology,
    root: Thing,
    request: Picture,
    findings: Findings,
    layouts: Mapping[str, Layout],
    *,
    panel: bool = False,
) -> Choice:
    """Return the layout for a thing and what is asked of its picture.

    Of layouts that suit equally well the one that comes first in ``layouts`` is taken.
    One with a view that cannot be drawn yet is taken only if the picture names it.
    ``panel`` says that it is one of several in a picture.

    Raises:
        MissingEntry: the picture names a layout that there is not.
    """
    if request.layout and request.layout != "suited":
        if request.layout not in layouts:
            near = nearest(request.layout, layouts)
            hint = f"did you mean '{near}'?" if near else f"there are {', '.join(layouts)}"
            raise MissingEntry(f"unknown layout '{request.layout}'; {hint}")
        return Choice(layout=layouts[request.layout], reason=f"{request.layout}: the picture names it")
    case = Case(topology=topology, root=alone(root), request=request, findings=findings, alone=not panel)
    found = sorted(suiting(case, layouts))
    if found:
        _, _, _, name, conditions = found[0]
        return Choice(layout=layouts[name], reason=f"{name}: it suits, for {conditions}")
    if case.root.kind in DRAWN_BY_FALLBACK or any(_count(case, kind) for kind in DRAWN_BY_FALLBACK):
        return Choice(layout=layouts[FALLBACK], reason=f"{FALLBACK}: no layout suits, so the general rules draw it")
    return Choice(layout=layouts["nested"], reason="nested: there is nothing but boxes")


def choose_for(
    topology: Topology, roots: Sequence[Thing], request: Picture, findings: Findings, layouts: Mapping[str, Layout]
) -> Choice:
    """Return the layout for what a picture shows; several things are not one, so the general rules draw them.

    A layout says of *one* thing what holds for it ("every GPU reaches every other"),
    which is wrong of two servers side by side.

    Raises:
        MissingEntry: the picture names a layout that there is not.
    """
    if len(roots) == 1 or request.panels or (request.layout and request.layout != "suited"):
        return choose(topology, roots[0], request, findings, layouts)
    here = [alone(root) for root in roots]
    inside = any(thing.kind in DRAWN_BY_FALLBACK or thing.assembly.counts.get("gpu") for thing in here)
    name = FALLBACK if inside and not any(thing.kind == "rack" for thing in here) else "nested"
    return Choice(layout=layouts[name], reason=f"{name}: {len(roots)} things are shown, so the general rules draw them")


def alone(root: Thing) -> Thing:
    """Return the thing itself, or what a document holds if that is one single container.

    A chain of single children is skipped: a document with one rack is a rack.
    """
    here = root
    while not here.kind and len(here.children) == 1 and here.children[0].assembly.children:
        here = here.children[0]
    return here


def suiting(case: Case, layouts: Mapping[str, Layout]) -> Iterable[tuple[int, int, int, str, str]]:
    """Yield the best condition of each layout that holds, as a key that sorts the strongest first."""
    there = frozenset(names())
    for place, (name, layout) in enumerate(layouts.items()):
        if not _drawable(layout.block, there) or without_columns(case, layout.block):
            continue  # nobody asked for it by name, so the next best is taken
        held = [one for one in layout.suits if one and all(_holds(case, key, value) for key, value in one.items())]
        ranks = [(-max(STRENGTH.get(key, 0) for key in one), -len(one), place, name, _conditions(one)) for one in held]
        if ranks:
            yield min(ranks)


def _drawable(block: Block, there: frozenset[str]) -> bool:
    """Whether every view of a layout can be drawn; a file may be ahead of the program."""
    inner = (*block.rows, *block.columns)
    return (not block.view or block.view in there) and all(_drawable(one, there) for one in inner)


def without_columns(case: Case, block: Block) -> str:
    """Return the word for what makes the columns of rows of servers, if the picture hides all of it; else nothing."""
    if not case.request.hide:
        return ""
    hidden = {thing.id for thing in pick(case.topology, (case.root,), case.request.hide)}
    for one in (block, *block.rows, *block.columns):
        makes = {thing.id for thing in pick(case.topology, (case.root,), one.column_of)} if one.column_of else set()
        if makes and makes <= hidden and any(tier.drawn_as == "row" for tier in one.tiers):
            return " ".join(one.column_of)
    return ""


def _conditions(condition: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {_said(value)}" for key, value in condition.items())


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_said(inner)}" for key, inner in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _holds(case: Case, key: str, value: Any) -> bool:
    if key in ASKED:
        return _asked(case, key, value)
    tests: Mapping[str, Callable[[], bool]] = {
        "kind": lambda: case.root.kind in _several(value),
        "part": lambda: case.root.part in _several(value),
        "has": lambda: any(_count(case, word) for word in _several(value)),
        "lacks": lambda: not any(_count(case, word) for word in _several(value)),
        "min": lambda: all(_count(case, word) >= least for word, least in value.items()),
        "max": lambda: all(_count(case, word) <= most for word, most in value.items()),
        "wired": lambda: _wired(case, str(value)),
        "alone": lambda: case.alone == value,
    }
    return key in tests and tests[key]()


def _asked(case: Case, key: str, value: Any) -> bool:
    request = case.request
    if key == "highlight":
        words = (*_highlights(request), *(route.shape for route in case.findings.routes))
        if isinstance(value, bool):
            return bool(words) == value
        return any(word in words for word in _several(value))
    here = {
        "panels": bool(request.panels),
        "size": request.size is not None,
        "compute": request.compute is not None,
        "job": "groups" in request.overlay,
        "model": "memory" in request.overlay,
        "faults": "faults" in request.overlay,
        "mig": bool(case.root.assembly.mig) or any(one.body is not None and one.body.mig for one in request.panels),
        "found": bool(request.found),
    }
    return here.get(key, False) == (value is not False)


def _highlights(request: Picture) -> tuple[str, ...]:
    words = []
    for one in request.highlight:
        words.append(str(one.get("algorithm", next(iter(one), ""))) if isinstance(one, Mapping) else str(one))
    return tuple(words)


def _count(case: Case, word: str) -> int:
    """How many there are of a kind, a role, a group, or links of a kind."""
    inside = case.root
    number = case.topology.count(word, within=inside) - (inside.kind == word)
    if number:
        return number
    if word in {"leaf", "spine", "core", "switch"}:
        return len(pick(case.topology, [inside], word))
    total = case.topology.total(word, within=inside).links
    return total or len([t for t in inside.children if t.group == word])


def _wired(case: Case, how: str) -> bool:
    tests = {
        "rail": _rail,
        "tiers": _tiers,
        "tree": _tree,
        "mesh": _mesh,
        "partial-mesh": _partial_mesh,
        "torus": _torus,
    }
    return how in tests and tests[how](case)


def _tiers(case: Case) -> bool:
    return bool(_count(case, "spine"))


def _tree(case: Case) -> bool:
    """There is one way only from each switch to another: no pair is joined over two others."""
    switches = {thing.id for thing in case.topology.of_kind("switch", case.root)}
    above = {name: name for name in switches}

    def top(name: str) -> str:
        while above[name] != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    pairs = {
        frozenset((link.source, link.target))
        for name in switches
        for link in case.topology.links_at(name)
        if link.source in switches and link.target in switches
    }
    for pair in pairs:
        one, other = (top(name) for name in pair)
        if one == other:
            return False
        above[one] = other
    return True


def _rail(case: Case) -> bool:
    """Network card i of all servers of a unit meets at one leaf, for nearly every i (VISUAL-LANGUAGE-2 §30)."""
    leaves = {t.id for t in pick(case.topology, [case.root], "leaf")}
    if len(leaves) < 2:
        return False
    ends: dict[tuple[str, int], str] = {}
    for link in _leaf_links(case, leaves):
        leaf, end = (link[0], link[1]) if link[0] in leaves else (link[1], link[0])
        owner, _, name = end.rpartition("/")
        ends.setdefault((owner, int("".join(c for c in name if c.isdigit()) or 0)), leaf)
    owners = {owner for owner, _ in ends}
    if len(owners) < 2 or any(not owner for owner in owners):
        return False
    return _shared(ends) >= ENOUGH


def _leaf_links(case: Case, leaves: set[str]) -> Iterable[tuple[str, str]]:
    for leaf in sorted(leaves):
        for link in case.topology.links_at(leaf):
            other = link.target if link.source == leaf else link.source
            if link.kind in NETWORK and other not in leaves and case.topology.thing(other).kind in {"nic", "dpu"}:
                yield link.source, link.target


def _shared(ends: Mapping[tuple[str, int], str]) -> float:
    """The share of cards that meet the card before them, of the same number, at the same leaf; units may differ."""
    by_rail: dict[int, list[str]] = {}
    for (_, k), leaf in sorted(ends.items()):
        by_rail.setdefault(k, []).append(leaf)
    alike = total = 0
    for leaves in by_rail.values():
        most = max((leaves.count(leaf) for leaf in set(leaves)), default=0)
        units = len(set(leaves))
        total += len(leaves)
        alike += len(leaves) if most * units >= len(leaves) and units <= max(1, len(leaves) // 2) else most
    rails = len(by_rail)
    return alike / total if total and rails > 1 and _spread(ends) else 0.0


def _spread(ends: Mapping[tuple[str, int], str]) -> bool:
    """Whether the cards of each server go to several leaves, and to nearly every server's leaves as many to each."""
    cards: dict[str, list[str]] = {}
    for (owner, _), leaf in sorted(ends.items()):
        if owner in cards or len(cards) < SERVERS:
            cards.setdefault(owner, []).append(leaf)
    leaves = {owner: len(set(found)) for owner, found in cards.items()}
    even = sum(max(map(found.count, found)) <= -(-len(found) // leaves[owner]) for owner, found in cards.items())
    return min(leaves.values(), default=0) > 1 and even >= ENOUGH * len(cards)


def _direct(case: Case) -> Direct | None:
    """Return the GPUs and the links between them; None if there are too many to be drawn so, or no way joins them all."""
    if not 2 < _count(case, "gpu") <= grid.MOST or _count(case, "nvswitch"):
        return None
    found = direct(case.topology, list(case.topology.of_kind("gpu", case.root)))
    return found if found.connected else None


def _mesh(case: Case) -> bool:
    found = _direct(case)
    return found is not None and found.complete


def _torus(case: Case) -> bool:
    found = _direct(case)
    return found is not None and grid.grid(len(found.things), frozenset(found.joints)) is not None


def _partial_mesh(case: Case) -> bool:
    found = _direct(case)
    return found is not None and not found.complete and not _torus(case)
