"""What algorithms walk on: things joined by links of one direction, each with a capacity."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from topoviz.model.topology import Link, Thing, Topology

SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink")
HOST = ("pcie", "c2c", "upi", "qpi", "xgmi")
CARRIERS = ("pcie", "cpu", "nic", "dpu", "switch")  # what a path may run through; never another GPU
HOST_CARRIERS = ("pcie", "cpu")


@dataclass(frozen=True, slots=True)
class Arc:
    """One direction of all links of one kind between two things. ``capacity`` in GB/s, None if not stated."""

    source: str
    target: str
    kind: str
    capacity: float | None
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Things that are up, in document order, and the arcs that leave each."""

    things: Mapping[str, Thing]
    arcs: Mapping[str, tuple[Arc, ...]]

    def kind(self, name: str) -> str:
        return self.things[name].kind

    def between(self, source: str, target: str, kinds: Sequence[str] = ()) -> tuple[Arc, ...]:
        """Return the arcs from one thing to another, of these kinds if any are given."""
        return tuple(
            arc for arc in self.arcs.get(source, ()) if arc.target == target and (not kinds or arc.kind in kinds)
        )


def network(topology: Topology, rates: str = "line") -> Network:
    """Return the network of a topology at ``line`` or ``nccl`` rates, without what is down."""
    things = {thing.id: thing for thing in topology.root.walk() if thing.state != "down"}
    arcs: dict[str, list[Arc]] = {}
    for container in (topology.root, *topology.root.walk()):
        prefix = f"{container.id}/" if container.id else ""
        for link in container.assembly.links:
            ends = (prefix + link.source, prefix + link.target)
            if link.state != "down" and all(end in things for end in ends):
                for source, target in (ends, ends[::-1]):
                    arcs.setdefault(source, []).append(Arc(source, target, link.kind, _rate(link, rates), link.link))
    return Network(things=things, arcs={name: tuple(some) for name, some in arcs.items()})


def _rate(link: Link, rates: str) -> float | None:
    return link.nccl if rates == "nccl" else link.bandwidth


def gpus(topology: Topology) -> tuple[str, ...]:
    """Return the ids of all GPUs in document order: the ranks, if nobody says otherwise."""
    return tuple(thing.id for thing in topology.root.walk() if thing.kind == "gpu" and thing.state != "down")


def path(net: Network, source: str, target: str, through: Sequence[str] = CARRIERS) -> tuple[Arc, ...]:
    """Return the arcs of a shortest path whose inner things are of these kinds; empty if there is none.

    Of equally short ones the first in document order.
    """
    return _search(net, source, lambda name: name == target, through)


def way_up(net: Network, source: str) -> tuple[Arc, ...]:
    """Return the arcs from a thing through PCIe switches to the nearest CPU; empty if there is none."""
    return _search(net, source, lambda name: net.kind(name) == "cpu", ("pcie",))


def _search(net: Network, source: str, is_target: Callable[[str], bool], through: Sequence[str]) -> tuple[Arc, ...]:
    came: dict[str, Arc | None] = {source: None}
    queue = deque([source])
    while queue:
        for arc in net.arcs.get(queue.popleft(), ()):
            if arc.target in came or not (is_target(arc.target) or net.kind(arc.target) in through):
                continue
            came[arc.target] = arc
            if is_target(arc.target):
                return tuple(_back(came, arc.target))[::-1]
            queue.append(arc.target)
    return ()


def _back(came: Mapping[str, Arc | None], target: str) -> Iterator[Arc]:
    arc = came[target]
    while arc is not None:
        yield arc
        arc = came[arc.source]


def together(net: Network, members: Iterable[str], through: Sequence[str], kinds: Sequence[str]) -> list[list[str]]:
    """Return the members in groups that links of these kinds join, directly, through one another or through such things."""
    wanted = dict.fromkeys(members)
    seen: set[str] = set()
    groups = []
    for member in wanted:
        if member not in seen:
            reached = _flood(net, member, through, kinds, wanted)
            seen |= reached
            groups.append([name for name in wanted if name in reached])
    return groups


def _flood(
    net: Network, start: str, through: Sequence[str], kinds: Sequence[str], wanted: Mapping[str, None]
) -> set[str]:
    reached, queue = {start}, deque([start])
    while queue:
        for arc in net.arcs.get(queue.popleft(), ()):
            passable = arc.target in wanted or net.kind(arc.target) in through
            if arc.kind in kinds and passable and arc.target not in reached:
                reached.add(arc.target)
                queue.append(arc.target)
    return reached
