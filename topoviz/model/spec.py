"""What a document, a part file and an entry say, after reading: frozen values, short forms written out.

Every record keeps ``origin``, the piece of YAML it came from **in its long form**
(``8 x l40s`` has become ``{part: l40s, count: 8}`` with the marks of the pieces
of the short text), so that a later stage can point at any key:
``wire.origin.mark_of("links")``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from topoviz.marks import Source
from topoviz.model.source import Value

Text: TypeAlias = str | Mapping[str, str]  # one text, or one for each language
Number: TypeAlias = int | str  # a number, or the name of a parameter
Selector: TypeAlias = tuple[str, ...]  # one or several texts, each a path of steps
EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What one link carries in one direction, in GB/s.

    ``line`` is the line rate and ``nccl`` what NCCL's search counts; both None if
    the hardware does not say (a UPI link). ``link`` is the name (``NVLink 4``,
    ``PCIe 5.0 x16``, ``NDR``) if the rate was given by name.
    """

    line: float | None
    nccl: float | None = None
    link: str = ""
    written: str = ""  # as the author wrote it


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """So many ports of one kind on a part; each takes one link."""

    kind: str
    count: Number = 1
    rate: Rate
    shared: bool = False  # all links of this port together have that bandwidth
    twin: bool = False  # two links go into one plug
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A whole number that the user of a part may choose."""

    name: str
    default: int
    least: int | None = None
    most: int | None = None
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Memory of a part: bytes, type and bandwidth (GB/s)."""

    size: float  # bytes
    type: str = ""
    bandwidth: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """What is joined: ends of ``source`` with ends of ``target`` by a rule."""

    source: Selector
    target: Selector | None = None
    kind: str
    rule: str = "all"
    links: tuple[Number, ...] = (1,)
    rate: Rate | None = None  # of one link; None: what the slower port says
    shape: tuple[int, ...] = ()
    matrix: tuple[tuple[int, ...], ...] = ()
    exclude: Selector = ()  # the key is `except`
    title: Text = ""
    note: str = ""
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    """Switches that topoviz counts out itself."""

    join: Selector
    switch: str
    kind: str
    variant: str = ""
    rails: Number = 1
    planes: Number = 1
    oversubscription: float | None = None
    down: Number | None = None
    up: Number | None = None
    tiers: Number | None = None
    unit: str = ""
    spines: Number | None = None
    name: str = ""
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One exception or fault: of things (``at``) or of links (``link``)."""

    at: Selector = ()
    link: tuple[str, str] | None = None
    part: str = ""
    variant: str = ""
    arguments: Mapping[str, Number] = field(default_factory=lambda: EMPTY)  # the key is `with`
    mig: tuple[str, ...] = ()
    title: Text = ""
    absent: bool = False
    state: str = ""
    links: Number | None = None
    rate: Rate | None = None
    kind: str = ""
    note: str = ""
    origin: Value

    @property
    def is_fault(self) -> bool:
        """Return whether it says that something is missing, down or slower; another part or name is no fault."""
        return self.absent or bool(self.state) or self.links is not None or self.rate is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The body of a part: of a catalog file, of an entry, of the document itself.

    ``part`` is the part that this body *takes* and adds to; empty if it stands alone.
    ``name`` is the name by which it is known: file name, key under ``parts``, or empty.
    """

    name: str = ""
    part: str = ""
    variant: str = ""
    arguments: Mapping[str, Number] = field(default_factory=lambda: EMPTY)  # the key is `with`
    kind: str = ""
    title: Text = ""
    source: str = ""
    note: Text = ""
    preliminary: Text = ""
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: EMPTY)
    variants: Mapping[str, Body] = field(default_factory=lambda: EMPTY)  # the first is the default
    ports: tuple[Port, ...] | None = None  # None: nothing is checked
    memory: Memory | None = None
    slices: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    facts: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    height: int | None = None
    mig: tuple[str, ...] = ()
    parts: Mapping[str, Body] = field(default_factory=lambda: EMPTY)
    contains: tuple[Entry, ...] = ()
    wires: tuple[Wire, ...] = ()
    fabric: tuple[Fabric, ...] = ()
    changes: tuple[Change, ...] = ()
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of ``contains``: a group of equal things."""

    name: str
    body: Body
    count: Number | None = None  # None: one thing that keeps the name as it is
    names: tuple[str, ...] = ()  # names of one's own, ranges written out
    slot: tuple[int, ...] = ()
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteSpec:
    """A ring, a path or a tree that a person wrote down."""

    name: str
    shape: str  # ring, path, tree
    nodes: Selector = ()
    tree: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    via: str = ""
    through_host: tuple[int, ...] = ()  # hops, counted from 1
    through_network: tuple[int, ...] = ()
    count: int = 1
    origin: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What to draw; a picture, a panel and the options of ``render`` are this one record.

    A key that was not given is None (or empty), so that a panel can inherit.
    """

    file: str = ""
    name: str = ""
    layout: str = ""
    body: Body | None = None  # part, variant, with, mig: draw this instead of the document
    show: Selector = ()
    hide: Selector = ()
    fold: Selector = ()
    unfold: Selector = ()
    detail: str = ""
    order: Selector = ()
    rates: str = ""
    highlight: tuple[Any, ...] = ()  # texts and mappings, as written
    size: float | None = None  # bytes
    compute: float | None = None  # seconds
    measured: float | None = None  # a share, 0.82
    measured_rate: float | None = None  # GB/s, if `measured` was written as a bandwidth
    overlay: tuple[str, ...] = ()
    title: Text | bool | None = None
    subtitle: Text | bool | None = None
    caption: Text | bool | None = None
    alt: Text | bool | None = None
    summary: bool | None = None
    theme: tuple[str, ...] = ()
    lang: tuple[str, ...] = ()
    width: float | None = None
    scale: float | None = None
    background: bool | None = None
    interactive: bool | None = None
    animate: bool | None = None
    panels: tuple[Picture, ...] = ()
    table: tuple[str, ...] | Mapping[str, Any] = ()
    found: str = ""
    origin: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A read and checked document; its body is one more part."""

    name: str
    body: Body
    routes: tuple[RouteSpec, ...] = ()
    model: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    job: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    pictures: tuple[Picture, ...] = ()
    theme: str = ""
    lang: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()  # every file that was read for it
    origin: Value
