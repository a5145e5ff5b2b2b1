"""Ring: every rank sends to the next, the last to the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topoviz.collectives.cost import ROUNDS
from topoviz.collectives.hops import Way, way
from topoviz.collectives.network import Arc, Network, gpus, network
from topoviz.collectives.order import order
from topoviz.collectives.plan import Plan
from topoviz.errors import PlanError
from topoviz.model.findings import Load
from topoviz.model.topology import Route, Topology

COLLECTIVES = tuple(ROUNDS)
EQUAL = 1 + 1e-9  # two quotients this near are one bottleneck


def plan(topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line") -> Plan:
    """Return the plan of one ring over the ranks (ids of GPUs), in the order that suits the machine.

    Raises PlanError if the ranks cannot be joined by a ring.
    """
    _check(ranks, collective)
    net = network(topology, rates)
    _known(net, ranks)
    return _planned(net, ranks, order(net, ranks), collective, rates)


def along(topology: Topology, nodes: Sequence[str], collective: str = "all-reduce", *, rates: str = "line") -> Plan:
    """Return the plan of a ring in a given order, for a ring that a person wrote down. Raises PlanError."""
    _check(nodes, collective)
    net = network(topology, rates)
    _known(net, nodes)
    ranks = [
        gpu for gpu in gpus(topology) if gpu in set(nodes)
    ]  # a rank keeps its number, whatever the order of the ring
    return _planned(net, ranks, nodes, collective, rates)


def _check(ranks: Sequence[str], collective: str) -> None:
    if collective not in COLLECTIVES:
        raise PlanError(f"a ring cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    if len(ranks) < 2:
        raise PlanError(f"a ring needs at least two GPUs, and here is {len(ranks) or 'none'}")
    if len(set(ranks)) < len(ranks):
        raise PlanError("a ring visits every GPU once, and a rank is given twice")


def _known(net: Network, ranks: Sequence[str]) -> None:
    for name in ranks:
        if name not in net.things:
            raise PlanError(f"'{name}' is not here, or is down")


def _planned(net: Network, ranks: Sequence[str], nodes: Sequence[str], collective: str, rates: str) -> Plan:
    ways = [_way(net, a, b, rates) for a, b in zip(nodes, (*nodes[1:], nodes[0]), strict=True)]
    busy = _busy(ways)
    bandwidth = min((arc.capacity / share for arc, share in busy.items() if arc.capacity), default=None)
    loads = {arc: _load(arc, share, bandwidth) for arc, share in busy.items()}
    worst = {
        arc: load
        for arc, load in loads.items()
        if bandwidth and arc.capacity and arc.capacity / busy[arc] <= bandwidth * EQUAL
    }
    hops = tuple(one.hop for one in ways)
    return Plan(
        collective=collective,
        algorithm="ring",
        ranks=tuple(ranks),
        routes=(Route(name="ring", shape="ring", nodes=tuple(nodes), hops=hops),),
        loads=tuple(loads.values()),
        bottleneck=tuple(worst.values()),
        bandwidth=bandwidth,
        rates=rates,
        link=next((arc.link for arc in worst), ""),
        unlimited=tuple(dict.fromkeys(arc.link or arc.kind for arc in busy if arc.capacity is None)),
    )


def _way(net: Network, source: str, target: str, rates: str) -> Way:
    found = way(net, source, target, rates)
    if found is None:
        raise PlanError(f"no way from {source} to {target}: no link, switch, host or network joins them")
    return found


def _busy(ways: Iterable[Way]) -> dict[Arc, float]:
    """Return how many times the bandwidth of the ring runs over every arc."""
    busy: dict[Arc, float] = {}
    for one in ways:
        for arc, share in one.shares:
            busy[arc] = busy.get(arc, 0.0) + share
    return busy


def _load(arc: Arc, share: float, bandwidth: float | None) -> Load:
    load = share * bandwidth / arc.capacity if bandwidth and arc.capacity else 0.0
    return Load(source=arc.source, target=arc.target, kind=arc.kind, load=min(1.0, load))
