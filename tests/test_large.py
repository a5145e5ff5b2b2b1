"""Machines planned by one box of each kind against the same planned in full, and what thousands of GPUs give."""

from __future__ import annotations

from collections import Counter

import machines
import pytest

import topoviz as tv
from topoviz import planning
from topoviz.collectives import hierarchical, large, placed, ring, tree
from topoviz.collectives.network import gpus, network
from topoviz.collectives.plan import Plan
from topoviz.model.topology import Topology

FULL = {"ring": ring.plan, "tree": tree.plan, "hierarchical": hierarchical.plan}


def fabric(nodes: int, ports: int, server: str = "dgx-h100") -> Topology:
    """Return servers on rails of small switches, so that there are spines and cores."""
    return tv.load(
        {
            "parts": {"small": {"kind": "switch", "ports": {"infiniband": f"{ports} x NDR"}}},
            "contains": {"node": f"{nodes} x {server}"},
            "fabric": [{"join": "node/nic", "switch": "small", "kind": "infiniband", "rails": 8}],
        }
    )


def racks() -> Topology:
    """Return four racks of 72 GPUs with a card each, on four leaves that two spines join."""
    leaf = {"part": "switch", "count": 4, "ports": {"infiniband": "144 x NDR"}}
    spine = {"part": "switch", "count": 2, "ports": {"infiniband": "144 x NDR"}}
    return tv.load(
        {
            "contains": {"rack": "4 x gb200-nvl72", "leaf": leaf, "spine": spine},
            "wires": [
                {"from": "rack/tray/nic", "to": "leaf", "kind": "infiniband", "rule": "block"},
                {"from": "leaf", "to": "spine", "kind": "infiniband", "rule": "all", "links": 36},
            ],
        }
    )


MACHINES = {
    "two servers": lambda: machines.topology(machines.rails(2)),
    "three servers": lambda: machines.topology(machines.rails(3)),
    "four servers": lambda: machines.topology(machines.rails(4)),
    "leaves and spines": lambda: fabric(12, 16),
    "three tiers": lambda: fabric(20, 16),
    "another server": lambda: fabric(12, 16, "dgx-b200"),
    "racks": racks,
}


def sorts(topology: Topology, plan: Plan) -> Counter[tuple[object, ...]]:
    """Return how many links of each sort are how busy."""
    things = network(topology).things
    found: Counter[tuple[object, ...]] = Counter()
    for one in plan.loads:
        found[things[one.source].kind, things[one.target].kind, one.kind, round(one.load, 9)] += one.count
    return found


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("algorithm", FULL)
@pytest.mark.parametrize("rates", ["line", "nccl"])
def test_one_box_of_each_kind_gives_what_all_boxes_give(name: str, algorithm: str, rates: str) -> None:
    topology = MACHINES[name]()
    ranks = gpus(topology)
    quick = large.plan(topology, ranks, "all-reduce", algorithm, rates, least=0)
    whole = FULL[algorithm](topology, ranks, "all-reduce", rates=rates)
    assert quick is not None
    assert quick.bandwidth == pytest.approx(whole.bandwidth)
    assert (quick.steps, quick.link, quick.nccl) == (whole.steps, whole.link, whole.nccl)
    assert quick.sent(1.0) == pytest.approx(whole.sent(1.0))
    assert sorts(topology, quick) == sorts(topology, whole)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("algorithm", ["ring", "hierarchical"])
def test_the_routes_are_the_same(name: str, algorithm: str) -> None:
    topology = MACHINES[name]()
    ranks = gpus(topology)
    quick = large.plan(topology, ranks, "all-reduce", algorithm, least=0)
    whole = FULL[algorithm](topology, ranks, "all-reduce")
    assert [route.nodes for route in quick.routes] == [route.nodes for route in whole.routes]
    assert [[hop.source for hop in route.hops] for route in quick.routes] == [
        [hop.source for hop in route.hops] for route in whole.routes
    ]
    assert {frozenset(hop.via) for route in quick.routes for hop in route.hops} == {
        frozenset(hop.via) for route in whole.routes for hop in route.hops
    }


def test_a_small_machine_and_a_part_of_a_large_one_are_planned_in_full() -> None:
    topology = MACHINES["two servers"]()
    assert large.plan(topology, gpus(topology), "all-reduce", "ring") is None
    assert large.plan(topology, gpus(topology)[:8], "all-reduce", "ring", least=0) is None


def test_boxes_that_are_not_wired_inside_are_planned_in_full() -> None:
    assert placed.machine(tv.load("dgx-h100"), "line") is None


@pytest.mark.parametrize(("algorithm", "bandwidth"), [("ring", 400), ("tree", 400), ("hierarchical", 401.378)])
def test_two_thousand_gpus(algorithm: str, bandwidth: float) -> None:
    topology = tv.load({"part": "superpod-h100", "with": {"su": 8}})
    plan = planning.plan(topology, algorithm=algorithm)
    assert len(plan.ranks) > 2000
    assert plan.bandwidth == pytest.approx(bandwidth, rel=1e-3)
    assert "each kind was planned once" in plan.notes[0]
    assert sum(one.count for one in plan.loads) > 2000 > len(plan.loads)


def test_the_cards_of_a_box_prove_the_ring_over_thousands_best() -> None:
    plan = planning.plan(tv.load({"part": "superpod-h100", "with": {"su": 4}}), algorithm="ring")
    assert (plan.bound.bandwidth, plan.bound.met) == (400, True)
    assert plan.bound.proof.startswith("network cards beside")
