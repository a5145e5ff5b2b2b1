"""The way from one rank to the next: through all switch chips, over a direct link, through the host, or the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from topoviz.collectives.network import HOST_CARRIERS, SCALE_UP, Arc, Network, path, turned
from topoviz.model.topology import Hop

Shares: TypeAlias = tuple[tuple[Arc, float], ...]
INTEL = "xeon"
INTEL_TOLL = 6 / 5  # NCCL: GPU to GPU over PCIe through an Intel root complex costs 6/5 of the bandwidth


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A hop and the share of its data on every arc: 1 on a single path, less on each stripe."""

    hop: Hop
    shares: Shares


def way(
    net: Network, source: str, target: str, rates: str = "line", cards: Mapping[str, tuple[Arc, ...]] | None = None
) -> Way | None:
    """Return the way from one rank to another, None if there is none; ``cards`` are the ways to their network cards.

    Tried in this order: striped over all switch chips that both reach, directly,
    through the host (PCIe switches and CPUs), through network cards and switches.
    """
    stripes = list(_stripes(net, source, target)) or list(_long_stripes(net, source, target))
    if stripes:
        return _striped(source, target, stripes)
    direct = net.between(source, target, SCALE_UP)
    if direct:
        return Way(hop=Hop(source=source, target=target, kind=direct[0].kind), shares=((direct[0], 1.0),))
    arcs = path(net, source, target, HOST_CARRIERS) or _by_cards(net, source, target, cards or {})
    arcs = arcs or path(net, source, target)
    return single(net, source, target, arcs, rates) if arcs else None


def as_taken(net: Network, hop: Hop) -> Way:
    """Return the way of a hop through what it names; between two cards, where no network is shown, as fast as they are."""
    steps = zip((hop.source, *hop.via), (*hop.via, hop.target), strict=True)
    pieces = [net.between(one, other) or _unseen(net, one, other, hop.kind) for one, other in steps]
    return Way(hop=hop, shares=tuple((arcs[0], 1.0) for arcs in pieces))


def _unseen(net: Network, one: str, other: str, kind: str) -> tuple[Arc, ...]:
    """Return the arc over a network that is not in sight, at the rate of the slower card."""
    ports = [port for name in (one, other) for port in net.things[name].assembly.ports or () if port.kind == kind]
    stated = [port.rate.line for port in ports if port.rate.line is not None]
    return (Arc(one, other, kind, min(stated, default=None)),)


def _by_cards(net: Network, source: str, target: str, cards: Mapping[str, tuple[Arc, ...]]) -> tuple[Arc, ...]:
    """Return the arcs over the network card of either end; empty if one has none, or nothing joins them."""
    if source not in cards or target not in cards:
        return ()
    up, down = cards[source], tuple(turned(arc) for arc in reversed(cards[target]))
    between = path(net, up[-1].target, down[0].source, ("switch",))
    return (*up, *between, *down) if between else ()


def _stripes(net: Network, source: str, target: str) -> Iterator[tuple[Arc, ...]]:
    """Yield the two arcs over each switch chip that both ends have a link to."""
    for first in net.arcs.get(source, ()):
        if first.kind in SCALE_UP and net.kind(first.target) == "nvswitch":
            for second in net.between(first.target, target, (first.kind,)):
                yield first, second


def _long_stripes(net: Network, source: str, target: str) -> Iterator[tuple[Arc, ...]]:
    """Yield the three arcs over each pair of joined switch chips, one of either end."""
    for first in net.arcs.get(source, ()):
        if first.kind in SCALE_UP and net.kind(first.target) == "nvswitch":
            for second in net.arcs[first.target]:
                if net.kind(second.target) == "nvswitch":
                    for third in net.between(second.target, target, (first.kind,)):
                        yield first, second, third


def _striped(source: str, target: str, stripes: list[tuple[Arc, ...]]) -> Way:
    """Return the hop over all chips; each stripe carries as much as its narrowest arc allows."""
    widths = [min((arc.capacity for arc in arcs if arc.capacity is not None), default=1.0) for arcs in stripes]
    total = sum(widths)
    shares: dict[Arc, float] = {}
    for arcs, width in zip(stripes, widths, strict=True):
        for arc in arcs:
            shares[arc] = shares.get(arc, 0.0) + width / total
    via = tuple(dict.fromkeys(arc.target for arcs in stripes for arc in arcs[:-1]))
    hop = Hop(source=source, target=target, via=via, kind=stripes[0][0].kind)
    return Way(hop=hop, shares=tuple(shares.items()))


def single(net: Network, source: str, target: str, arcs: tuple[Arc, ...], rates: str) -> Way:
    """Return the hop along a path; where it crosses a spine it is spread over all spines that would do."""
    spread = list(_spread(net, arcs))
    via = tuple(dict.fromkeys(arc.target for arc, _ in spread if arc.target != target))
    is_taxed = rates == "nccl" and any(net.things[name].part.startswith(INTEL) for name in via)
    is_local = not any(net.kind(name) in {"nic", "dpu", "switch"} for name in via)
    toll = INTEL_TOLL if is_taxed and is_local else 1.0
    kind = next((arc.kind for arc in arcs if net.kind(arc.source) in {"nic", "dpu"}), arcs[0].kind)
    shares = tuple((arc, share * toll if arc.kind == "pcie" else share) for arc, share in spread)
    return Way(hop=Hop(source=source, target=target, via=via, kind=kind), shares=shares)


def _spread(net: Network, arcs: tuple[Arc, ...]) -> Iterator[tuple[Arc, float]]:
    """Yield the arcs of a path with their shares; arcs between switches become those of all equally short ways."""
    rest = list(arcs)
    while rest:
        arc = rest.pop(0)
        run = [arc]
        while rest and all(net.kind(name) == "switch" for name in (arc.source, arc.target, rest[0].target)):
            run.append(rest.pop(0))
        if len(run) == 2:
            yield from _over_all(net, *run)
        elif len(run) > 2:
            yield from over_tiers(net, run[0].source, run[-1].target)
        else:
            yield arc, 1.0


def between_switches(net: Network, source: str, target: str) -> Shares:
    """Return the arcs of all shortest ways between two switches, each with its share; none if there is no way."""
    straight = net.between(source, target)
    if straight:
        return ((straight[0], 1.0),)
    beside = {arc.target: arc for arc in net.arcs.get(target, ())}
    up = next((arc for arc in net.arcs.get(source, ()) if _is_switch(net, arc.target) and arc.target in beside), None)
    if up is not None:
        return tuple(_over_all(net, up, turned(beside[up.target])))
    return over_tiers(net, source, target)


def over_tiers(net: Network, source: str, target: str) -> Shares:
    """Return the arcs of all shortest ways between two switches, each with its share; none if there is no way.

    Ways over more links carry more. Both ends search towards each other, so little of a large network is seen.
    """
    steps = _meeting(net, source, target)
    if not steps:
        return ()
    ways, row = {source: 1}, [source]
    into: dict[str, list[Arc]] = {}
    for following in steps:
        for here in row:
            for arc in net.arcs[here]:
                if arc.target in following:
                    into.setdefault(arc.target, []).append(arc)
                    ways[arc.target] = ways.get(arc.target, 0) + ways[here] * arc.links
        row = [name for name in into if name in following]
    return tuple(_shared(target, into, ways))


def _meeting(net: Network, source: str, target: str) -> list[set[str]]:
    """Return what stands on shortest ways after one step from the source, after two … up to the target; empty if none."""
    rows: tuple[list[set[str]], list[set[str]]] = ([{source}], [{target}])
    seen: tuple[set[str], set[str]] = ({source}, {target})
    while not rows[0][-1] & rows[1][-1]:
        turn = 0 if len(rows[0][-1]) <= len(rows[1][-1]) else 1
        reached = {arc.target for here in rows[turn][-1] for arc in net.arcs.get(here, ())} - seen[turn]
        following = {name for name in reached if _is_switch(net, name)}
        if not following:
            return []
        rows[turn].append(following)
        seen[turn].update(following)
    middle = rows[0][-1] & rows[1][-1]
    ahead, back = (_narrowed(net, some, middle) for some in rows)
    return [*ahead[1:], *back[-2::-1]]


def _narrowed(net: Network, rows: Sequence[set[str]], middle: set[str]) -> list[set[str]]:
    """Return of each row what leads on to the middle, which becomes the last one."""
    kept = [middle]
    for row in rows[-2::-1]:
        after = kept[0]
        kept.insert(0, {name for name in row if any(arc.target in after for arc in net.arcs.get(name, ()))})
    return kept


def _is_switch(net: Network, name: str) -> bool:
    return net.kind(name) == "switch"


def _shared(target: str, into: Mapping[str, list[Arc]], ways: Mapping[str, int]) -> Iterator[tuple[Arc, float]]:
    parts, order = {target: 1.0}, [target]
    for here in order:
        for arc in into.get(here, ()):
            part = parts[here] * ways[arc.source] * arc.links / ways[here]
            yield arc, part
            if arc.source not in parts:
                parts[arc.source] = 0.0
                order.append(arc.source)
            parts[arc.source] += part


def _over_all(net: Network, up: Arc, down: Arc) -> Iterator[tuple[Arc, float]]:
    """Yield the arcs over every switch that joins the same two, each with a share by its width."""
    pairs = [
        (first, second)
        for first in net.arcs[up.source]
        if first.kind == up.kind and net.kind(first.target) == "switch"
        for second in net.between(first.target, down.target, (down.kind,))
    ]
    widths = [min(first.capacity or 1.0, second.capacity or 1.0) for first, second in pairs]
    for pair, width in zip(pairs, widths, strict=True):
        for arc in pair:
            yield arc, width / sum(widths)
