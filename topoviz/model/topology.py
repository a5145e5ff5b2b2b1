"""The topology: things in things, and links between them, built once for each type of thing.

An ``Assembly`` is one *type*: a DGX H100 is built once, however many of them a
cluster holds. A ``Child`` is a named place in an assembly; a ``Thing`` is a
child with its full path, made when somebody looks. So counting needs no
expansion, and the full ``networkx`` graph is written out only when it is asked
for.

Contract of the graph (``Topology.graph``, a frozen ``networkx.MultiGraph``):

========  =====================================================================
node id   path of containment, ``rack0/tray3/gpu1``; the root is no node
node      kind, part, group, name, index, parent, slot, title, state; of a GPU cut
          by MIG also mig (``7 x 1g.10gb``) and instances (a list); of a lone GPU
          these two are attributes of the graph
edge key  = kind: one edge per pair and kind
edge      kind, links, bandwidth (GB/s, one direction, all links together, None
          if the hardware does not say), link (its name), state, note
========  =====================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from topoviz.errors import Diagnostic
from topoviz.model.spec import EMPTY, Body, Memory, Port, Rate, Spec, Text

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """All links of one kind between two things: ids, how many, and their bandwidth together."""

    source: str
    target: str
    kind: str
    links: int = 1
    bandwidth: float | None = None  # GB/s, one direction, all links together
    nccl: float | None = None  # the same at the rate that NCCL counts
    link: str = ""  # name of the link, "NVLink 4"; empty if given in numbers
    state: str = "up"
    note: str = ""
    twin: bool = False  # two links in one cable
    at_least: bool = False  # a part of the sum is not stated: `bandwidth` is what is known


@dataclass(frozen=True, kw_only=True, eq=False)
class Assembly:
    """One type of thing, built: what it is, what it holds and how that is joined.

    ``links`` are those that the body itself makes (its wires and fabrics); their
    ends are paths relative to this assembly. Links inside a child are the child's.
    """

    kind: str
    part: str = ""
    title: Text = ""
    ports: tuple[Port, ...] | None = None
    memory: Memory | None = None
    facts: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    slices: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    mig: tuple[str, ...] = ()
    height: int | None = None
    source: str = ""
    note: Text = ""
    preliminary: Text = ""
    others: tuple[tuple[Port, ...], ...] = ()  # of a preliminary part: ports of the variants that were not taken
    children: tuple[Child, ...] = ()
    links: tuple[Link, ...] = ()
    body: Body | None = None

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Return how many things of each kind stand inside, at every depth; not the thing itself."""
        found: Counter[str] = Counter()
        for assembly, times in self.variety:
            found[assembly.kind] += times
            for kind, number in assembly.counts.items():
                found[kind] += number * times
        return found

    @cached_property
    def variety(self) -> tuple[tuple[Assembly, int], ...]:
        """Return the types that stand directly inside and how often, in order of first appearance."""
        found: dict[Assembly, int] = {}
        for child in self.children:
            found[child.assembly] = found.get(child.assembly, 0) + 1
        return tuple(found.items())

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Return the position of each child by its name."""
        return {child.name: position for position, child in enumerate(self.children)}

    @cached_property
    def words(self) -> frozenset[str]:
        """Return every name, group, kind and part inside, at every depth: what a selector may say."""
        own = {word for c in self.children for word in (c.name, c.group, c.assembly.kind, c.assembly.part)}
        return frozenset(own.union(*(assembly.words for assembly, _ in self.variety)))

    @cached_property
    def ends(self) -> Mapping[str, tuple[Link, ...]]:
        """Return the links that this assembly makes, by the path of each end."""
        found: dict[str, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.source, []).append(link)
            found.setdefault(link.target, []).append(link)
        return {end: tuple(links) for end, links in found.items()}

    @cached_property
    def branches(self) -> Mapping[str, tuple[Link, ...]]:
        """Return the links that this assembly makes, by the child in which each end lies."""
        found: dict[str, dict[Link, None]] = {}
        for link in self.links:
            for end in (link.source, link.target):
                found.setdefault(end.partition("/")[0], {})[link] = None
        return {name: tuple(links) for name, links in found.items()}

    @cached_property
    def marked(self) -> bool:
        """Return whether something in it, or a link in it, is faulty or was changed."""
        if any(link.state != "up" for link in self.links):
            return True
        return any(child.changed or child.state != "up" or child.assembly.marked for child in self.children)

    def at(self, path: str) -> Assembly | None:
        """Return what stands at a path inside; None if there is nothing. The empty path is itself."""
        here = self
        for name in path.split("/") if path else ():
            position = here.places.get(name)
            if position is None:
                return None
            here = here.children[position].assembly
        return here


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Child:
    """A named place in an assembly and what stands there."""

    name: str
    group: str
    index: int | None = None
    slot: int | None = None
    title: Text = ""  # its own; empty: that of the assembly
    state: str = "up"
    note: str = ""
    changed: bool = False  # exchanged, renamed or faulty: never folded into a stack
    assembly: Assembly


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing at its place: a child with its path. Equal if the path is equal.

    The root has the empty id and no parent.
    """

    id: str
    child: Child = field(compare=False, repr=False)
    parent: Thing | None = field(compare=False, repr=False, default=None)
    _made: list[tuple[Thing, ...]] = field(compare=False, repr=False, init=False, default_factory=list)

    @property
    def kind(self) -> str:
        return self.child.assembly.kind

    @property
    def part(self) -> str:
        return self.child.assembly.part

    @property
    def group(self) -> str:
        return self.child.group

    @property
    def name(self) -> str:
        return self.child.name

    @property
    def index(self) -> int | None:
        return self.child.index

    @property
    def slot(self) -> int | None:
        return self.child.slot

    @property
    def state(self) -> str:
        return self.child.state

    @property
    def title(self) -> Text:
        return self.child.title or self.child.assembly.title

    @property
    def assembly(self) -> Assembly:
        return self.child.assembly

    @property
    def children(self) -> tuple[Thing, ...]:
        """Return what stands directly inside, in order."""
        if not self._made:  # of a thing that is asked often, such as the root, they are made once
            prefix = f"{self.id}/" if self.id else ""
            self._made.append(tuple(Thing(prefix + child.name, child, self) for child in self.child.assembly.children))
        return self._made[0]

    @property
    def chain(self) -> tuple[Thing, ...]:
        """Return what it stands in, the root first, and itself at last."""
        return (*self.parent.chain, self) if self.parent else (self,)

    @property
    def position(self) -> tuple[int, ...]:
        """Return a key that sorts things in the order of the document."""
        pairs = zip(self.chain, self.chain[1:], strict=False)
        return tuple(outer.assembly.places.get(inner.name, -1) for outer, inner in pairs)

    def at(self, path: str) -> Thing:
        """Return the thing at a path inside; the empty path is itself.

        Raises:
            KeyError: there is no such thing.
        """
        here = self
        for name in path.split("/") if path else ():
            child = here.assembly.children[here.assembly.places[name]]
            here = Thing(f"{here.id}/{name}" if here.id else name, child, here)
        return here

    def walk(self) -> Iterator[Thing]:
        """Yield everything inside, depth first, in order; not the thing itself."""
        for thing in self.children:
            yield thing
            yield from thing.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One step of a route: from one member to the next.

    ``via`` are the ids between, all chips of a striped fabric and never one chosen
    chip; ``kind`` is the kind of link that carries it. ``past`` is the kind of fast link
    that joins both ends although the data went another way, as a log says; empty as a rule.
    """

    source: str
    target: str
    via: tuple[str, ...] = ()
    kind: str = ""
    past: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A ring, a path or a tree through members of a topology; ``count`` equal channels."""

    name: str
    shape: str
    nodes: tuple[str, ...]
    hops: tuple[Hop, ...]
    count: int = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Topology:
    """A built document. ``graph`` is written out on first use; everything else counts without it."""

    spec: Spec
    root: Thing
    routes: tuple[Route, ...] = ()
    rates: Mapping[str, Rate] = field(default_factory=lambda: EMPTY)  # link names that occur
    diagnostics: tuple[Diagnostic, ...] = ()  # warnings

    @property
    def name(self) -> str:
        return self.spec.name

    @cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """Return the full graph, frozen; see the contract on top of this module."""
        from topoviz.model.graph import expand

        return expand(self)

    @cached_property
    def working(self) -> nx.MultiGraph[str]:
        """Return what of the graph is up, frozen: for what runs on the machine as it is."""
        from topoviz.model.graph import working

        return working(self)

    def thing(self, name: str) -> Thing:
        """Return the thing with this id; the empty id is the root.

        Raises:
            KeyError: there is no such thing.
        """
        return self.root.at(name)

    def count(self, kind: str, within: Thing | None = None) -> int:
        """Return how many things of a kind there are, ``within`` (or the root) itself included."""
        top = within or self.root
        return top.assembly.counts.get(kind, 0) + (top.kind == kind)

    def of_kind(self, kind: str, within: Thing | None = None) -> Iterator[Thing]:
        """Yield the things of a kind in the order of the document, ``within`` (or the root) itself included."""
        top = within or self.root
        if top.kind == kind:
            yield top
        for thing in top.children:
            if thing.kind == kind or kind in thing.assembly.counts:
                yield from self.of_kind(kind, thing)

    def links_at(self, name: str) -> tuple[Link, ...]:
        """Return all links with that thing as an end, with full ids, the innermost level first."""
        from topoviz.model.folding import links_at

        return links_at(self.thing(name))

    def fold(self, shown: Iterable[str]) -> tuple[Link, ...]:
        """Return every link hung on the nearest shown ancestor of each end, summed per pair and kind.

        Links inside one shown thing and links with an end outside all of them
        vanish. Costs as much as what stands above the shown things, whatever is inside.
        """
        from topoviz.model.folding import fold

        return fold(self.root, shown)

    def total(self, kind: str, within: Thing | None = None) -> Link:
        """Return the sum of all links of a kind inside, as one link from the thing to itself."""
        from topoviz.model.sums import total

        return total(within or self.root, kind)

    @cached_property
    def parts_used(self) -> tuple[str, ...]:
        """Return the names of all parts that occur, in the order of the document, each once."""
        from topoviz.model.sums import parts_used

        return parts_used(self.root.assembly)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """Return leaf, spine or core for every switch of the network that has such a role, by id."""
        from topoviz.model.roles import roles

        return roles(self)

    def signature(self, thing: Thing) -> tuple[int, int]:
        """Return a key that equal siblings share: type, state and how they are joined."""
        return self._classes_in(thing.parent)[thing.name] if thing.parent else (0, 0)

    def equal(self, one: Thing, other: Thing) -> bool:
        """Return whether two things are alike but for name and place, so that one may stand for both."""
        if one.parent is None or other.parent is None or one.parent != other.parent:
            return one == other
        return self.signature(one) == self.signature(other)

    def _classes_in(self, parent: Thing) -> Mapping[str, tuple[int, int]]:
        from topoviz.model.likeness import classes

        if parent.id not in self._classes:
            self._classes[parent.id] = classes(parent)
        return self._classes[parent.id]

    @cached_property
    def _classes(self) -> dict[str, Mapping[str, tuple[int, int]]]:
        return {}
