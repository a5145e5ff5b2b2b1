"""The topology: things in things, and links between them, built once for each type of thing.

An ``Assembly`` is one *type*: a DGX H100 is built once, however many of them a
cluster holds. A ``Child`` is a named place in an assembly; a ``Thing`` is a
child with its full path, made when somebody looks. So counting needs no
expansion, and the full ``networkx`` graph is written out only when it is asked
for.

Contract of the graph (``Topology.graph``, a frozen ``networkx.MultiGraph``):

========  =====================================================================
node id   path of containment, ``rack0/tray3/gpu1``; the root is no node
node      kind, part, group, name, index, parent, slot, title, state
edge key  = kind: one edge per pair and kind
edge      kind, links, bandwidth (GB/s, one direction, all links together, None
          if the hardware does not say), link (its name), state, note
========  =====================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
    facts: Mapping[str, Any] = field(default=EMPTY)
    slices: Mapping[str, Any] = field(default=EMPTY)
    mig: tuple[str, ...] = ()
    height: int | None = None
    source: str = ""
    note: Text = ""
    preliminary: Text = ""
    children: tuple[Child, ...] = ()
    links: tuple[Link, ...] = ()
    body: Body | None = None


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
        prefix = f"{self.id}/" if self.id else ""
        return tuple(Thing(prefix + child.name, child, self) for child in self.child.assembly.children)

    def walk(self) -> Iterator[Thing]:
        """Yield everything inside, depth first, in order; not the thing itself."""
        for thing in self.children:
            yield thing
            yield from thing.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One step of a route: from one member to the next.

    ``via`` are the ids between, all chips of a striped fabric and never one chosen
    chip; ``kind`` is the kind of link that carries it.
    """

    source: str
    target: str
    via: tuple[str, ...] = ()
    kind: str = ""


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
    rates: Mapping[str, Rate] = field(default=EMPTY)  # link names that occur

    @property
    def name(self) -> str:
        return self.spec.name

    @cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """Return the full graph, frozen; see the contract on top of this module."""
        from topoviz.model.graph import expand

        return expand(self)
