"""NVLS: the NVSwitch chips add what comes from all GPUs, and copy the sum to all of them.

For an all-reduce every rank sends its buffer up and one reduced share more, (1 + 1/N) S; a
reduce-scatter is the first half of that, an all-gather the second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.collectives import flow
from topoviz.collectives.cost import Phase
from topoviz.collectives.flow import known
from topoviz.collectives.hops import Way
from topoviz.collectives.network import SCALE_UP, Arc, Network, network, together
from topoviz.collectives.order import has_chip
from topoviz.collectives.plan import Plan
from topoviz.errors import PlanError
from topoviz.model.findings import Bound
from topoviz.model.topology import Hop, Route, Topology

COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter")
CANNOT = ("nvswitch-1", "nvswitch-2")  # chips that do not add: SHARP came with the third generation


def plan(topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line") -> Plan:
    """Return the plan in which the switch chips reduce; its route is a tree below them, ``via`` are all chips.

    Raises:
        PlanError: the ranks do not share switch chips that can add.
    """
    if collective not in COLLECTIVES:
        raise PlanError(f"NVLS cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    if len(ranks) < 2:
        raise PlanError(f"NVLS needs at least two GPUs, and here is {len(ranks) or 'none'}")
    net = network(topology, rates, ranks)
    known(net, ranks)
    _able(net, ranks)
    up, down = _shares(collective, len(ranks))
    parts = [(way, part) for name in ranks for way, part in ((_way(net, name), up), (_back(net, name), down))]
    found = flow.flow(parts)
    share = max(up, down)
    bandwidth = None if found.rate is None else share * found.rate
    chips = tuple(dict.fromkeys(chip for name in ranks for chip in _way(net, name).hop.via))
    hops = tuple(Hop(source=chips[0], target=name, via=chips, kind="nvlink") for name in ranks)
    return Plan(
        collective=collective,
        algorithm="nvls",
        ranks=tuple(ranks),
        routes=(Route(name="nvls", shape="tree", nodes=(chips[0], *ranks), hops=hops),),
        loads=found.loads,
        bottleneck=found.bottleneck,
        bandwidth=bandwidth,
        rates=rates,
        link=found.link,
        unlimited=found.unlimited,
        bound=None if bandwidth is None else Bound(bandwidth=bandwidth, met=True, proof="links of a GPU"),
        order="the switch reduces",
        nccl=True,
        phases=(Phase(name=collective, share=share, bandwidth=bandwidth, steps=(("nvlink", 1),), link=found.link),),
    )


def _shares(collective: str, count: int) -> tuple[float, float]:
    """Return the bytes that a rank sends to the chips and gets from them, for a byte of the buffer."""
    both: Mapping[str, tuple[float, float]] = MappingProxyType(
        {
            "all-reduce": (1 + 1 / count, 1 + 1 / count),
            "reduce-scatter": (1.0, 1 / count),  # everything up, the sum of one's share down
            "all-gather": (1 / count, 1.0),  # one's share up, everything down
        }
    )
    return both[collective]


def _able(net: Network, ranks: Sequence[str]) -> None:
    without = next((name for name in ranks if not has_chip(net, name)), None)
    if without is not None:
        raise PlanError(f"NVLS needs NVSwitch chips, and {without} has a link to none")
    if len(together(net, ranks, ("nvswitch",), SCALE_UP)) > 1:
        raise PlanError(
            "NVLS works inside one NVSwitch domain, and these GPUs are in several; hierarchical goes between"
        )
    old = next((arc.target for arc in _arcs(net, ranks[0]) if net.things[arc.target].part in CANNOT), None)
    if old is not None:
        raise PlanError(f"NVLS needs chips that add, and {old} is {net.things[old].part}; the third generation can")


def _arcs(net: Network, name: str) -> list[Arc]:
    return [arc for arc in net.arcs[name] if net.kind(arc.target) == "nvswitch"]


def _way(net: Network, name: str) -> Way:
    """Return the way from a GPU to all its chips, each with the share of its width."""
    return _striped(name, _arcs(net, name), "")


def _back(net: Network, name: str) -> Way:
    arcs = [back for arc in _arcs(net, name) for back in net.between(arc.target, name, (arc.kind,))]
    return _striped("", arcs, name)


def _striped(source: str, arcs: Sequence[Arc], target: str) -> Way:
    widths = [arc.capacity or 1.0 for arc in arcs]
    via = tuple(arc.target if source else arc.source for arc in arcs)
    hop = Hop(source=source or target, target=target or source, via=via, kind=arcs[0].kind)
    return Way(hop=hop, shares=tuple((arc, width / sum(widths)) for arc, width in zip(arcs, widths, strict=True)))
