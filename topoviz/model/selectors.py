"""Finding things by a path of words: as documents mean it, and as layouts mean it.

A step of a path is a name, else a group, else a kind, else a part. Documents look
among the children first and deeper only where none fits. Layouts take a kind at
every depth and know the roles leaf, spine and core.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from topoviz.model.names import written_out
from topoviz.model.roles import NETWORK, ROLES
from topoviz.model.topology import Assembly, Child, Thing, Topology

RANK = re.compile(r"rank(\d+)")
NUMBERED = re.compile(r"([a-z]+)(\d+)")  # a kind and a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """Where a path ended without finding anything: the step, its words and the things it looked in."""

    step: int
    word: str
    inside: tuple[Thing, ...]
    absent: str = ""  # one of the names of a range, if others were found


def select(start: Thing, selector: Sequence[str], *, ranks: Sequence[Thing] = ()) -> tuple[Thing, ...]:
    """Return what a selector of a document finds, seen from the thing that holds it, each once.

    A path that finds nothing adds nothing; ``find`` says why. ``ranks`` are what
    ``rank0``, ``rank1`` … mean.

    >>> from topoviz.model.topology import Assembly
    >>> gpus = [Child(name=f"gpu{i}", group="gpu", assembly=Assembly(kind="gpu")) for i in range(4)]
    >>> server = Thing("", Child(name="", group="", assembly=Assembly(kind="node", children=tuple(gpus))))
    >>> [thing.id for thing in select(server, ("gpu[3,0]",))]
    ['gpu3', 'gpu0']
    """
    found: dict[str, Thing] = {}
    for text in selector:
        for thing in find(start, text, ranks=ranks)[0]:
            found.setdefault(thing.id, thing)
    return tuple(found.values())


def find(start: Thing, text: str, *, ranks: Sequence[Thing] = ()) -> tuple[tuple[Thing, ...], Miss | None]:
    """Return what one path finds, and what it missed: None, or the step at which nothing was there."""
    here: tuple[Thing, ...] = (start,)
    for number, step in enumerate(_steps(text)):
        words = written_out(step)
        found, lost = _step(here, words, ranks if number == 0 else ())
        if not found and number == 0 and is_itself(start, step):
            continue
        if not found or lost:
            return (), Miss(step=number, word=step, inside=here, absent=lost if len(words) > 1 and found else "")
        here = found
    return here, None


def _steps(text: str) -> list[str]:
    return text.strip("/").split("/")


def _step(here: Sequence[Thing], words: Sequence[str], ranks: Sequence[Thing]) -> tuple[tuple[Thing, ...], str]:
    """Return the things of one step, each once, and the first word that found none anywhere."""
    found: dict[str, Thing] = {}
    fruitful: dict[str, None] = {}
    for word in words:  # a range means the names written out, one after another
        for thing in here:
            for hit in _rank(word, ranks) or inside(thing, word):
                found.setdefault(hit.id, hit)
                fruitful[word] = None
    return tuple(found.values()), next((word for word in words if word not in fruitful), "")


def _rank(word: str, ranks: Sequence[Thing]) -> tuple[Thing, ...]:
    match = RANK.fullmatch(word) if ranks else None
    return tuple(ranks[int(match[1]) : int(match[1]) + 1]) if match else ()


def is_itself(thing: Thing, word: str) -> bool:
    """Return whether a word means the thing itself: its kind, part, group or name."""
    return bool(word) and word in (thing.kind, thing.part, thing.group, thing.name)


def fits(thing: Thing, step: str) -> bool:
    """Return whether a thing is one of those that a step may mean."""
    words = (thing.name, thing.group, thing.kind, thing.part)
    return any(fnmatchcase(thing.name, one) if _is_pattern(one) else one in words for one in written_out(step))


def inside(thing: Thing, word: str) -> tuple[Thing, ...]:
    """Return the children that fit a word; only if none fits, what fits deeper, in every branch."""
    pattern = _is_pattern(word)
    if not pattern and word not in thing.assembly.words:
        return ()
    hits = _fitting(thing.assembly, word)
    if hits:
        return tuple(_child(thing, child) for child in hits)
    branches = (_child(thing, c) for c in thing.assembly.children if c.assembly.children)
    return tuple(hit for branch in branches for hit in inside(branch, word))


def _child(thing: Thing, child: Child) -> Thing:
    return Thing(f"{thing.id}/{child.name}" if thing.id else child.name, child, thing)


def _is_pattern(word: str) -> bool:
    return "*" in word or "?" in word


def _fitting(assembly: Assembly, word: str) -> tuple[Child, ...]:
    children = assembly.children
    if word in assembly.places:
        return (children[assembly.places[word]],)
    if _is_pattern(word):
        return tuple(child for child in children if fnmatchcase(child.name, word))
    return (
        tuple(child for child in children if child.group == word)
        or tuple(child for child in children if child.assembly.kind == word)
        or tuple(child for child in children if child.assembly.part == word)
    )


def pick(topology: Topology, roots: Sequence[Thing], selector: str | Iterable[str]) -> tuple[Thing, ...]:
    """Return what a selector of a layout finds in the roots, themselves included, in the order of the document."""
    texts = (selector,) if isinstance(selector, str) else tuple(selector)
    found: dict[str, Thing] = {}
    for text in texts:
        for thing in _path(topology, roots, text):
            found.setdefault(thing.id, thing)
    if len(texts) == 1 and "[" not in texts[0]:
        return tuple(found.values())
    return tuple(sorted(found.values(), key=lambda thing: thing.position))


def _path(topology: Topology, roots: Sequence[Thing], text: str) -> tuple[Thing, ...]:
    here = tuple(roots)
    for number, step in enumerate(_steps(text)):
        found: dict[str, Thing] = {}
        for word in written_out(step):
            for thing in _word(topology, here, word, itself=number == 0):
                found.setdefault(thing.id, thing)
        here = tuple(found.values())
    return here


def _word(topology: Topology, roots: Sequence[Thing], word: str, *, itself: bool) -> tuple[Thing, ...]:
    """Return what a word of a layout means: a kind at every depth, else a group or name, else a role, else a part."""
    if RANK.fullmatch(word) and itself:
        return _rank(word, tuple(topology.of_kind("gpu")))
    kind = tuple(_of_kind(topology, roots, word, itself=itself))
    if word == "switch" and kind:
        return tuple(thing for thing in kind if in_network(thing))
    if kind:
        return kind
    named = tuple(hit for root in roots for hit in _named(root, word, itself=itself))
    if named:
        return named
    if word in ROLES:
        return tuple(t for t in _of_kind(topology, roots, "switch", itself=itself) if topology.roles.get(t.id) == word)
    found = tuple(hit for root in roots for hit in inside(root, word))
    return found or _numbered(topology, roots, word, itself=itself)


def _numbered(topology: Topology, roots: Sequence[Thing], word: str, *, itself: bool) -> tuple[Thing, ...]:
    """Return what ``tray2`` means where trays have other names: the third thing of the kind."""
    parts = NUMBERED.fullmatch(word)
    if parts is None:
        return ()
    kind = tuple(_of_kind(topology, roots, parts[1], itself=itself))
    return kind[int(parts[2]) :][:1]


def _of_kind(topology: Topology, roots: Sequence[Thing], kind: str, *, itself: bool) -> Iterator[Thing]:
    for root in roots:
        for thing in topology.of_kind(kind, root):
            if itself or thing.id != root.id:
                yield thing


def _named(root: Thing, word: str, *, itself: bool) -> tuple[Thing, ...]:
    """Return the things with a name or of a group: children first, only then deeper; else the root itself."""
    if not _is_pattern(word) and word not in root.assembly.words:
        return (root,) if itself and word in (root.name, root.group, root.part, root.id) and word else ()
    children = root.assembly.children
    hits = tuple(c for c in children if (fnmatchcase(c.name, word) if _is_pattern(word) else c.name == word))
    hits = hits or tuple(child for child in children if child.group == word)
    if hits:
        return tuple(_child(root, child) for child in hits)
    return tuple(hit for c in children if c.assembly.children for hit in _named(_child(root, c), word, itself=False))


def in_network(thing: Thing) -> bool:
    """Return whether a link of the network ends at the thing: a management switch without a cable is not in it."""
    for owner in thing.chain[:-1]:
        here = thing.id[len(owner.id) + 1 :] if owner.id else thing.id
        if any(link.kind in NETWORK for link in owner.assembly.ends.get(here, ())):
            return True
    return False
