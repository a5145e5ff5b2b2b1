"""Very large machines: every kind of box is looked at once and placed where it stands; nothing is expanded.

A *box* is what is joined without a network: a server, a rack. Its inside is a small network of its own
kind, however many there are of it; between boxes only network cards and switches are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topoviz.collectives.hops import Shares, between_switches
from topoviz.collectives.network import (
    HOST,
    HOST_CARRIERS,
    MESH,
    NETWORK,
    Arc,
    Network,
    gpus,
    nearest_cards,
    network,
    together,
    turned,
)
from topoviz.model.topology import Assembly, Child, Link, Thing, Topology

SMALL = 512  # GPUs; up to so many a machine is looked at in full


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """One kind of box, with ids that begin at the box: its network, its GPUs, the card nearest to each."""

    net: Network
    gpus: tuple[str, ...]
    cards: dict[str, str]
    out: dict[str, tuple[Arc, ...]]  # from each GPU to its card
    back: dict[str, tuple[Arc, ...]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Machine:
    """The boxes of a machine in order, and the network between them."""

    prefixes: tuple[str, ...]
    kinds: tuple[Kind, ...]  # of each box
    switches: Network
    rates: str
    _known: dict[tuple[str, str], Shares] = field(default_factory=dict, repr=False)
    _names: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict, repr=False)

    def members(self, box: int) -> tuple[str, ...]:
        """Return the full ids of the GPUs of a box."""
        return tuple(self.prefixes[box] + name for name in self.kinds[box].gpus)

    def half(self, box: int, gpu: str, *, out: bool) -> tuple[Arc, ...]:
        """Return the arcs between a GPU and its card inside a box, with ids that begin at the box."""
        kind = self.kinds[box]
        return (kind.out if out else kind.back)[gpu]

    def between(self, one: str, other: str) -> Between | None:
        """Return the way from one network card to another, through switches; None if there is none."""
        plugs = [(up, down) for up in self.switches.arcs.get(one, ()) for down in self.switches.arcs.get(other, ())]
        for up, down in plugs:
            if up.target == down.target:
                return Between(up=up, down=down, via=(up.target,))
        for up, down in plugs:
            middle = self.middle(up.target, down.target)
            if middle:
                return Between(up=up, down=down, via=self._via(up.target, down.target))
        return None

    def middle(self, one: str, other: str) -> Shares:
        """Return the arcs between two switches with their shares; the same two are looked at once, for both directions."""
        if one == other:
            return ()
        if (one, other) not in self._known:
            back = self._known.get((other, one))
            turn = () if back is None else tuple((turned(arc), share) for arc, share in reversed(back))
            self._known[one, other] = turn or between_switches(self.switches, one, other)
        return self._known[one, other]

    def _via(self, one: str, other: str) -> tuple[str, ...]:
        if (one, other) not in self._names:
            targets = (arc.target for arc, _ in self.middle(one, other))
            self._names[one, other] = tuple(dict.fromkeys((one, *targets)))
        return self._names[one, other]


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A way between two network cards: from each card the arc to its switch, and all switches on the way."""

    up: Arc
    down: Arc
    via: tuple[str, ...]


def machine(topology: Topology, rates: str) -> Machine | None:
    """Return a machine of several boxes; None if its boxes cannot be told apart by what contains what."""
    boxes = list(_boxes(topology.root))
    if len(boxes) < 2:
        return None
    switches, cards = _outside(topology.root, {box.id for box in boxes}, rates)
    known: dict[tuple[Assembly, tuple[str, ...]], Kind | None] = {}
    kinds: list[Kind] = []
    for box in boxes:
        key = (box.assembly, tuple(cards.get(box.id, ())))
        if key not in known:
            known[key] = _kind(topology, *key, rates)
        kind = known[key]
        if kind is None:
            return None
        kinds.append(kind)
    if sum(len(kind.gpus) for kind in kinds) != len(gpus(topology)):
        return None
    prefixes = tuple(f"{box.id}/" for box in boxes)
    return Machine(prefixes=prefixes, kinds=tuple(kinds), switches=switches, rates=rates)


def _boxes(thing: Thing) -> Iterator[Thing]:
    """Yield the containers that hold GPUs and whose own links are not those of a network, the outermost of each."""
    if any(_is_inner(thing.assembly, link) for link in thing.assembly.links):
        if thing.id:
            yield thing
        return
    for child in thing.children:
        if child.state != "down" and child.assembly.counts.get("gpu"):
            yield from _boxes(child)


def _is_inner(assembly: Assembly, link: Link) -> bool:
    """Return whether a link joins things of one box: not a cable of a network, or directly between GPUs."""
    if link.kind not in NETWORK:
        return True
    ends = (assembly.at(link.source), assembly.at(link.target))
    return all(end is not None and end.kind == "gpu" for end in ends)


def _kind(topology: Topology, assembly: Assembly, wired: Sequence[str], rates: str) -> Kind | None:
    """Return what one kind of box is; None if its GPUs are not all joined inside, or have no card that is plugged in."""
    alone = Topology(spec=topology.spec, root=Thing("", Child(name="", group="", assembly=assembly)))
    net, members = network(alone, rates), gpus(alone)
    if len(together(net, members, (*HOST_CARRIERS, "nvswitch"), (*MESH, *HOST))) != 1:
        return None
    ways = nearest_cards(net, members, wired)
    if len(ways) < len(members):
        return None
    return Kind(
        net=net,
        gpus=members,
        cards={name: way[-1].target for name, way in ways.items()},
        out=ways,
        back={name: tuple(turned(arc) for arc in reversed(way)) for name, way in ways.items()},
    )


def _outside(root: Thing, boxes: set[str], rates: str) -> tuple[Network, dict[str, list[str]]]:
    """Return the network outside of all boxes, and the cards of each box that are plugged into it."""
    things: dict[str, Thing] = {}
    containers = [root]
    for thing in containers:
        for child in thing.children:
            if child.state != "down" and child.id not in boxes:
                things[child.id] = child
                if child.assembly.children:
                    containers.append(child)
    arcs: dict[str, list[Arc]] = {}
    cards: dict[str, list[str]] = {}
    plugged: dict[str, Thing] = {}
    for container in containers:
        prefix = f"{container.id}/" if container.id else ""
        for link in container.assembly.links:
            ends = (prefix + link.source, prefix + link.target)
            held = [_held(end, boxes, things) for end in ends]
            if link.state == "down" or link.kind not in NETWORK or None in held:
                continue
            for end, box in zip(ends, held, strict=True):
                if box and end not in plugged:
                    cards.setdefault(box, []).append(end[len(box) + 1 :])
                    plugged[end] = root.at(end)
            rate = link.nccl if rates == "nccl" else link.bandwidth
            for source, target in (ends, ends[::-1]):
                arcs.setdefault(source, []).append(Arc(source, target, link.kind, rate, link.link, link.links))
    return Network(things={**things, **plugged}, arcs={name: tuple(some) for name, some in arcs.items()}), cards


def _held(name: str, boxes: set[str], things: Mapping[str, Thing]) -> str | None:
    """Return the box in which a thing stands, empty if it stands outside of all; None if it is not there."""
    if name in things:
        return ""
    while name:
        name = name.rpartition("/")[0]
        if name in boxes:
            return name
    return None
