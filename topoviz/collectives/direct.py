"""Direct: every rank sends to every other its share, all at once.

Over direct links that do not join every pair, what is for a farther rank is passed on along all
shortest ways, evenly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.collectives import cost, flow
from topoviz.collectives.cost import Phase
from topoviz.collectives.flow import known, medium, wanted
from topoviz.collectives.forwarded import Forwarding
from topoviz.collectives.hops import Way
from topoviz.collectives.network import Network, network
from topoviz.collectives.plan import Plan
from topoviz.errors import PlanError
from topoviz.model.topology import Route, Topology

COLLECTIVES = ("all-to-all", "all-gather", "reduce-scatter", "all-reduce")
MOST = 128  # ranks of which all pairs are walked


def plan(topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line") -> Plan:
    """Return the plan in which every rank sends to every other; a route for each sender.

    Raises:
        PlanError: two ranks are not joined, or there are too many to walk all pairs.
    """
    if collective not in COLLECTIVES:
        raise PlanError(f"sending to all directly cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    if len(ranks) < 2:
        raise PlanError(f"{collective} needs at least two GPUs, and here is {len(ranks) or 'none'}")
    if len(ranks) > MOST:
        raise PlanError(f"all pairs of {len(ranks):,} GPUs are too many; up to {MOST} are walked one by one")
    net = network(topology, rates, ranks)
    known(net, ranks)
    return planned(net, ranks, collective, rates)


def planned(net: Network, ranks: Sequence[str], collective: str, rates: str) -> Plan:
    """Return the plan on a network that is known already."""
    rounds = cost.ROUNDS.get(collective, 1)
    ways = {name: list(_ways(net, ranks, name, rates)) for name in ranks}
    part = rounds / len(ranks)
    found = flow.flow((one, part) for some in ways.values() for one in some)
    share = cost.factor(collective, len(ranks))
    bandwidth = None if found.rate is None else share * found.rate
    kinds = {medium(one.hop) for some in ways.values() for one in some}
    kind = next(name for name in ("network", "pcie", "nvlink") if name in kinds)
    return Plan(
        collective=collective,
        algorithm="direct",
        ranks=tuple(ranks),
        routes=tuple(_route(name, some) for name, some in ways.items()),
        loads=found.loads,
        bottleneck=found.bottleneck,
        bandwidth=bandwidth,
        rates=rates,
        link=found.link,
        unlimited=found.unlimited,
        order="every rank to every other",
        phases=(Phase(name=collective, share=share, bandwidth=bandwidth, steps=((kind, rounds),), link=found.link),),
        notes=flow.why(net, found),
    )


def _ways(net: Network, ranks: Sequence[str], source: str, rates: str) -> Iterator[Way]:
    forwarding = Forwarding.over(net, ranks, source)
    for target in ranks:
        if target != source:
            yield forwarding.way(target) or wanted(net, source, target, rates)


def _route(source: str, ways: Sequence[Way]) -> Route:
    nodes = (source, *(one.hop.target for one in ways))
    return Route(name=f"from {source}", shape="tree", nodes=nodes, hops=tuple(one.hop for one in ways))
