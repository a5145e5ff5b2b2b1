"""Point to point: the way that a copy from one GPU to another takes (cudaMemcpyPeer).

NVLink (through all switch chips, or directly), else PCIe, else through the CPUs; between boxes
through the network cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.collectives import flow
from topoviz.collectives.cost import Phase
from topoviz.collectives.flow import known, medium, wanted
from topoviz.collectives.network import network
from topoviz.collectives.plan import Plan
from topoviz.errors import PlanError
from topoviz.model.findings import Bound
from topoviz.model.topology import Route, Topology

COLLECTIVES = ("send",)


def plan(topology: Topology, ranks: Sequence[str], collective: str = "send", *, rates: str = "line") -> Plan:
    """Return the plan of a copy from the first rank to the second.

    Raises:
        PlanError: there are not two, or nothing joins them.
    """
    if collective not in COLLECTIVES:
        raise PlanError(f"one GPU sending to another cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    if len(ranks) != 2:
        raise PlanError(f"send needs two ranks, who sends and who gets, and here are {len(ranks)}")
    net = network(topology, rates, ranks)
    known(net, ranks)
    way = wanted(net, ranks[0], ranks[1], rates)
    found = flow.flow([(way, 1.0)])
    hop = way.hop
    steps = ((medium(hop), 1),)
    return Plan(
        collective=collective,
        algorithm="send",
        ranks=tuple(ranks),
        routes=(Route(name="send", shape="path", nodes=tuple(ranks), hops=(hop,)),),
        loads=found.loads,
        bottleneck=found.bottleneck,
        bandwidth=found.rate,
        rates=rates,
        link=found.link,
        unlimited=found.unlimited,
        bound=None if found.rate is None else Bound(bandwidth=found.rate, met=True, proof="the only way taken"),
        order="the way of a copy between two GPUs",
        phases=(Phase(name=collective, share=1.0, bandwidth=found.rate, steps=steps, link=found.link),),
        notes=flow.why(net, found),
    )
