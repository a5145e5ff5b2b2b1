"""Whom a field is about: the things that were handed in, or those that a word finds in the scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoviz.drawing import census
from topoviz.drawing.census import Sort
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import Tally, exactly, kinds, tally
from topoviz.drawing.words import SCALE_UP
from topoviz.model.topology import Link, Thing

SWITCHES = ("switch",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Things, equal ones once. ``exact``: just the firsts are meant, not what is like them."""

    scope: Scope
    found: tuple[Sort, ...]
    exact: bool = False

    @property
    def count(self) -> int:
        return census.number_of(self.found)

    @property
    def first(self) -> Thing:
        return self.found[0].first

    @property
    def things(self) -> tuple[Thing, ...]:
        return tuple(sort.first for sort in self.found)

    def tally(self, kind: str, within: Thing | None = None) -> Tally | None:
        """Return what the things have of a kind of link."""
        return exactly(self.things, kind, within) if self.exact else tally(self.found, kind, within)

    def main(self) -> Tally | None:
        """Return the links that matter for these things: between GPUs, of the network, or the fastest."""
        if self.first.kind == "gpu":
            return between_gpus(self)
        every = kinds(self.found)
        network = tuple(kind for kind in every if kind in census.NETWORK)
        wanted = network if self.first.kind in {*census.CARDS, *SWITCHES} and network else every
        return _fastest(self, wanted)


def of_things(scope: Scope, things: Sequence[Thing]) -> Subject:
    """Return the things handed in; the roots of the scope if there are none."""
    return Subject(scope=scope, found=tuple(Sort(thing, 1) for thing in (things or scope.roots)), exact=True)


def of_word(scope: Scope, word: str) -> Subject | None:
    """Return what a word finds in the scope, or None."""
    found = census.select(scope.roots, word)
    return Subject(scope=scope, found=found) if found else None


def between_gpus(gpus: Subject) -> Tally | None:
    """Return the links by which two GPUs of different top-level children talk.

    NVLink in a server, the network card in a cluster of servers or of racks. A lone
    GPU gives its fastest port.
    """
    everyone = census.select((gpus.scope.topology.root,), "gpu")
    if census.number_of(everyone) <= 1:
        return _joining(gpus, kinds(gpus.found))
    top = _top(gpus.scope.topology.root)
    shared = _joining(gpus, kinds(gpus.found, top), top)
    return shared or _of_cards(gpus, census.number_of(everyone)) or _joining(gpus, kinds(gpus.found))


def links_of_kind(scope: Scope, kind: str) -> tuple[tuple[Link, int], ...]:
    """Return the links of a kind inside the scope that are up, each with the number of times that it occurs."""
    return tuple(
        (link, sort.count)
        for sort in census.sorts(scope.roots)
        for link in sort.first.assembly.links
        if link.kind == kind and link.state != "down"
    )


def _top(root: Thing) -> Thing:
    """Return the container whose children are the top-level ones: a chain of single children is skipped."""
    while len(root.assembly.children) == 1 and root.children[0].assembly.children:
        root = root.children[0]
    return root


def _of_cards(gpus: Subject, number: int) -> Tally | None:
    """Return what the network cards carry, shared among the GPUs."""
    cards = census.select((gpus.scope.topology.root,), "nic")
    of_card = _fastest(Subject(scope=gpus.scope, found=cards), census.NETWORK) if cards else None
    return of_card.shared(number, gpus.count) if of_card else None


def _joining(gpus: Subject, wanted: Sequence[str], within: Thing | None = None) -> Tally | None:
    """Return links made between GPUs where they have such, however slow; else the fastest, as to their host."""
    own = [kind for kind in wanted if kind in SCALE_UP]
    found = _fastest(gpus, own, within)
    return found or _fastest(gpus, wanted, within)


def _fastest(subject: Subject, wanted: Sequence[str], within: Thing | None = None) -> Tally | None:
    """Return the tally with the highest rate; of equals the first."""
    tallies = [one for kind in wanted if (one := subject.tally(kind, within))]
    return max(tallies, key=lambda one: one.rate.low or 0, default=None)
