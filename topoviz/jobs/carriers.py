"""Which link carries what the groups of a kind send, and how fast, when all of them send at once.

Inside a scale-up domain, and inside a host, the way of every flow is followed and shared links count
(rate = least capacity ÷ load). Between hosts a GPU has its share of the network cards: the cards of
a host divided by its GPUs (where a job takes only some of them, each has the card nearest to it), times
the members that a group has there, at most what its scale-up links, or its links to the host, carry.
The switches above the cards are taken as not oversubscribed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from topoviz.collectives.hops import way
from topoviz.collectives.network import SCALE_UP, Arc, Network
from topoviz.collectives.order import order
from topoviz.errors import PlanError
from topoviz.jobs.machine import CARDS, Machine
from topoviz.model.topology import Thing

Flow: TypeAlias = tuple[str, str, float]  # from, to, the share of what the source sends
RING, TO_NEXT, TO_ALL = "ring", "to-next", "to-all"
HOST_SIZE = 64  # GPUs; no host is larger
DISTINCT = 64  # so many different sets of groups in equal boxes are followed; more are like these


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """The slowest link on the way, its kind, what one GPU gets of it (GB/s), and how many groups leave their domain."""

    link: str = ""
    kind: str = ""
    rate: float | None = None
    leaving: int = 0
    joined: bool = True  # False: two members have no way to each other


def carrier(machine: Machine, groups: Iterable[Sequence[int]], pattern: str) -> Carrier:
    """Return what carries the groups of one kind; ``pattern`` is ring, to-next or to-all."""
    boxes: dict[str, tuple[Thing, list[Sequence[int]]]] = {}
    found: list[Carrier] = []
    leaving = 0
    shapes: dict[object, None] = {}
    for group in groups:
        if len({machine.domains[rank] for rank in group}) == 1:
            container = machine.boxes[group[0]].container
            boxes.setdefault(container.id, (container, []))[1].append(group)
            continue
        leaving += 1
        shape = _shape(machine, group)
        if shape in shapes:
            continue
        shapes[shape] = None
        host = machine.above(group)
        if _is_host(machine, host, group):
            boxes.setdefault(host.id, (host, []))[1].append(group)
            shapes.pop(shape)  # every group of a host counts, for they share its links
        else:
            found.append(_over_network(machine, group, pattern))
    found.extend(_in_boxes(machine, boxes.values(), pattern))
    return _slowest(found, leaving)


def _slowest(found: Sequence[Carrier], leaving: int) -> Carrier:
    """Return the slowest of several; one whose members are not joined, or whose rate nobody states, comes first."""
    if not found:
        return Carrier(leaving=leaving)
    first = min(found, key=lambda one: (one.joined, one.rate is not None, one.rate or 0))
    return Carrier(link=first.link, kind=first.kind, rate=first.rate, leaving=leaving, joined=first.joined)


def _shape(machine: Machine, group: Sequence[int]) -> tuple[object, ...]:
    """Return what makes groups alike: how many members stand in boxes of which type, one after the other."""
    counts: dict[int, int] = {}
    for rank in group:
        counts[machine.domains[rank]] = counts.get(machine.domains[rank], 0) + 1
    first = {machine.domains[rank]: rank for rank in reversed(group)}
    kinds = {(machine.boxes[rank].container.assembly, counts[domain]) for domain, rank in first.items()}
    alone = machine.above(group).id if machine.boxes[group[0]].container.kind == "gpu" else ""
    return (frozenset(kinds), alone)


def _is_host(machine: Machine, container: Thing, group: Sequence[int]) -> bool:
    """Return whether the members reach each other inside the container without a network card."""
    if machine.topology.count("gpu", container) > HOST_SIZE:
        return False
    first = machine.domains[group[0]]
    other = next(rank for rank in group if machine.domains[rank] != first)
    net = machine.net(container)
    source, target = (_inside(machine, rank, container) for rank in (group[0], other))
    found = way(net, source, target, machine.rates)
    return found is not None and not any(net.kind(name) in {*CARDS, "switch"} for name in found.hop.via)


def _inside(machine: Machine, rank: int, container: Thing) -> str:
    """Return the id of a GPU, seen from a container."""
    name = machine.things[rank].id
    return name[len(container.id) + 1 :] if container.id else name


def _in_boxes(machine: Machine, boxes: Iterable[tuple[Thing, list[Sequence[int]]]], pattern: str) -> Iterator[Carrier]:
    """Yield what carries the groups of each sort of box: all its groups send at once."""
    seen: dict[object, None] = {}
    for container, groups in boxes:
        inside = tuple(tuple(_inside(machine, rank, container) for rank in group) for group in groups)
        key = (container.assembly, inside)
        if key not in seen and len(seen) < DISTINCT:
            seen[key] = None
            net = machine.net(container)
            yield _planned(machine, container, net, inside, pattern) or _together(net, inside, pattern, machine.rates)


def _planned(
    machine: Machine, container: Thing, net: Network, groups: Sequence[Sequence[str]], pattern: str
) -> Carrier | None:
    """Return the rate of the rings that a planner finds where GPUs are joined directly; None where one ring is all."""
    planner, first = machine.planner, groups[0]
    if planner is None or pattern != RING or not any(net.between(first[0], other, SCALE_UP) for other in first[1:]):
        return None
    inside = machine.alone(container)
    busy: dict[tuple[str, str, str], float] = {}
    link = ""
    for group in groups:
        try:
            plan = planner(inside, group)
        except PlanError:
            return None
        if not plan.bandwidth:
            return None
        link = link or plan.link
        for one in plan.loads:
            key = (one.source, one.target, one.kind)
            busy[key] = busy.get(key, 0.0) + one.load / plan.bandwidth
    most, kind = max((load, key[2]) for key, load in busy.items())
    return Carrier(link=link, kind=kind, rate=1 / most)


def _together(net: Network, groups: Sequence[Sequence[str]], pattern: str, rates: str) -> Carrier:
    """Return the slowest link while all groups send, each GPU as much as the others."""
    busy: dict[Arc, float] = {}
    for group in groups:
        for source, target, part in flows(net, group, pattern):
            found = way(net, source, target, rates) if source in net.things and target in net.things else None
            if found is None:
                return Carrier(joined=False)
            for arc, share in found.shares:
                busy[arc] = busy.get(arc, 0.0) + part * share
    stated = [(arc.capacity / load, arc) for arc, load in busy.items() if arc.capacity is not None]
    if not stated:
        first = next(iter(busy))
        return Carrier(link=first.link, kind=first.kind)
    rate, arc = min(stated, key=lambda one: one[0])
    return Carrier(link=arc.link, kind=arc.kind, rate=rate)


def flows(net: Network, group: Sequence[str], pattern: str) -> Iterator[Flow]:
    """Yield who sends to whom, and which part of what it sends."""
    if pattern == TO_ALL:
        yield from ((a, b, 1 / (len(group) - 1)) for a in group for b in group if a != b)
    elif pattern == TO_NEXT:
        yield from ((a, b, 1.0) for a, b in zip(group, group[1:], strict=False))
    else:
        ring = _ring(net, group)
        yield from ((a, b, 1.0) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))


def _ring(net: Network, group: Sequence[str]) -> Sequence[str]:
    if not all(name in net.things for name in group):
        return group  # one of them is down: no ring goes round, and who asks finds no way to it
    try:
        return order(net, group)
    except PlanError:
        return group


def _over_network(machine: Machine, group: Sequence[int], pattern: str) -> Carrier:
    """Return the rate between hosts: the least share of network cards that the group has in one of its domains.

    In a ring GPUs without scale-up links are neighbours in their host, and leave it together.
    """
    there: dict[object, list[int]] = {}
    for rank in group:
        alone = pattern == RING and machine.boxes[rank].container.kind == "gpu"
        there.setdefault(machine.host_of(rank) if alone else machine.domains[rank], []).append(rank)
    found: list[Carrier] = []
    for ranks in there.values():
        share = machine.share(ranks[0])
        if share is None:
            return Carrier(joined=False)
        many = len(ranks) if pattern == RING else 1
        outside = (len(group) - len(ranks)) / (len(group) - 1) if pattern == TO_ALL else 1.0
        rate = None if share.rate is None else share.rate * many / outside
        found.append(Carrier(link=share.link, kind=share.kind, rate=rate))
        if len(ranks) > 1:
            found.append(_scale_up(machine, ranks[0], outside if pattern == TO_ALL else 0.0))
    return _slowest(found, 1)


def _scale_up(machine: Machine, rank: int, outside: float) -> Carrier:
    """Return what the scale-up links of a GPU carry, of which only the part that does not go outside uses them.

    Of a GPU without such links it is what joins it to its host.
    """
    every = [link for link in machine.topology.links_at(machine.things[rank].id) if link.state != "down"]
    links = [link for link in every if link.kind in SCALE_UP] or every
    stated = [machine.rate_of(link) for link in links]
    total = sum(rate for rate in stated if rate is not None)
    return Carrier(link=links[0].link, kind=links[0].kind, rate=(total / (1 - outside)) if total else None)
