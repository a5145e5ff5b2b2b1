"""The way from one rank to the next: through all switch chips, over a direct link, through the host, or the network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topoviz.collectives.network import HOST_CARRIERS, SCALE_UP, Arc, Network, path
from topoviz.model.topology import Hop

INTEL = "xeon"
INTEL_TOLL = 6 / 5  # NCCL: GPU to GPU over PCIe through an Intel root complex costs 6/5 of the bandwidth


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A hop and the share of its data on every arc: 1 on a single path, less on each stripe."""

    hop: Hop
    shares: tuple[tuple[Arc, float], ...]


def way(net: Network, source: str, target: str, rates: str = "line") -> Way | None:
    """Return the way from one rank to another, None if there is none.

    Tried in this order: striped over all switch chips that both reach, directly,
    through the host (PCIe switches and CPUs), through network cards and switches.
    """
    stripes = list(_stripes(net, source, target)) or list(_long_stripes(net, source, target))
    if stripes:
        return _striped(source, target, stripes)
    direct = net.between(source, target, SCALE_UP)
    if direct:
        return Way(hop=Hop(source=source, target=target, kind=direct[0].kind), shares=((direct[0], 1.0),))
    arcs = path(net, source, target, HOST_CARRIERS) or path(net, source, target)
    return _single(net, source, target, arcs, rates) if arcs else None


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


def _single(net: Network, source: str, target: str, arcs: tuple[Arc, ...], rates: str) -> Way:
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
    """Yield the arcs of a path with their shares; two arcs over a switch between switches become all such pairs."""
    rest = list(arcs)
    while rest:
        arc = rest.pop(0)
        if rest and all(net.kind(name) == "switch" for name in (arc.source, arc.target, rest[0].target)):
            yield from _over_all(net, arc, rest.pop(0))
        else:
            yield arc, 1.0


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
