"""Plans beside what NCCL's own search returns on the same machines (2.27.7), row by row; the exceptions with reasons."""

from __future__ import annotations

from functools import cache

import pytest
import yaml
from facts import fact, nccl_graphs

import topoviz as tv
from topoviz import planning
from topoviz.errors import PlanError
from topoviz.model.topology import Topology

RAILS = """
contains: {{node: {nodes} x {server}, leaf: {cards} x {switch}}}
wires: [{{from: node/nic, to: leaf, kind: infiniband, rule: rail}}]
"""
PCIE = """
contains:
  cpu: 2 x {cpu}
  sw: 2 x pcie-gen{gen}-switch
  gpu: {{part: gpu, count: 8, ports: {{pcie: "PCIe {gen}.0 x16"}}}}
wires:
  - {{from: gpu, to: sw, kind: pcie, rule: block}}
  - {{from: sw, to: cpu, kind: pcie, rule: pairwise}}
  - {{from: cpu, kind: {join}, rule: mesh}}
"""
ALONE = {
    "dgx1v": "dgx-1v", "dgx1p": "dgx-1", "dgx2_16": "dgx-2", "dgxa100": "dgx-a100", "dgxh100": "dgx-h100",
    "dgxb200": "dgx-b200", "nvl72": "gb200-nvl72",
}  # fmt: skip
SEVERAL = {
    "dgx1v": ("dgx-1v", 4, "switch"),
    "dgxa100": ("dgx-a100", 8, "qm8790"),
    "dgxh100": ("dgx-h100", 8, "qm9700"),
    "dgxb200": ("dgx-b200", 8, "qm9700"),
}
SERVERS = {
    "pcie8_gen4_2x4": PCIE.format(cpu="xeon-spr", gen=4, join="upi"),
    "pcie8_gen4_amd_2x4": PCIE.format(cpu="epyc-rome", gen=4, join="xgmi"),
    "pcie8_gen5_2x4": PCIE.format(cpu="xeon-spr", gen=5, join="upi"),
}
RINGS = {(row["machine"], row["nodes_in_job"]): row for row in nccl_graphs() if row["graph"] == "ring"}
NVLS = {(row["machine"], row["nodes_in_job"]): row for row in nccl_graphs() if row["graph"] == "nvls"}
TREES = {(row["machine"], row["nodes_in_job"]): row for row in nccl_graphs() if row["graph"] == "tree"}

# what differs, and why: the walk through the first box, or the rate
OTHER_WALKS = {
    ("dgxb200", 4): "B200: NCCL walks downwards on odd channels too and leaves by PXN; ours go upwards on them",
    ("nvl72", 2): "NCCL was given four cards a tray and stops at 16 channels; ours has a channel for each of 72 cards",
    ("nvl72", 4): "as with two racks",
}
LOWER_RATES = {  # NCCL tries speeds from a list and takes the first that fits: at most so much is lost
    ("dgxh100", 1): 360 / 370.8,
    ("dgxb200", 1): 720 / 721.8,
    ("nvl72", 1): 720 / 721.8,
    ("pcie8_gen4_amd_2x4", 1): 15 / 16,
    ("pcie8_gen5_2x4", 1): 20 / 22,
}


@cache
def topology(machine: str, nodes: int) -> Topology:
    if nodes > 1:
        server, cards, switch = SEVERAL[machine]
        return tv.load(yaml.safe_load(RAILS.format(nodes=nodes, server=server, cards=cards, switch=switch)))
    return tv.load(ALONE[machine]) if machine in ALONE else tv.load(yaml.safe_load(SERVERS[machine]))


@cache
def planned(machine: str, nodes: int, algorithm: str = "ring"):
    return planning.plan(topology(machine, nodes), algorithm=algorithm, rates="nccl")


def rank(name: str) -> int:
    return int(name.rsplit("gpu", 1)[1])


def test_every_row_is_compared_or_has_a_reason() -> None:
    here = {(machine, 1) for machine in (*ALONE, *SERVERS)} | {
        (machine, nodes) for machine, nodes in RINGS if nodes > 1
    }
    assert here == set(RINGS)
    assert OTHER_WALKS.keys() | LOWER_RATES.keys() <= RINGS.keys()


@pytest.mark.parametrize("key", [key for key in RINGS if key[1] == 1], ids=str)
def test_rings_in_one_box_are_those_of_nccl(key: tuple[str, int]) -> None:
    row, plan = RINGS[key], planned(*key)
    place = {name: i for i, name in enumerate(plan.ranks)}
    ours = sorted(tuple(place[name] for name in route.nodes) for route in plan.routes for _ in range(route.count))
    assert ours == sorted(tuple(channel["gpus"]) for channel in row["channels"])
    assert plan.nccl


@pytest.mark.parametrize("key", [key for key in RINGS if key[1] > 1 and key not in OTHER_WALKS], ids=str)
def test_channels_walk_through_the_first_box_as_those_of_nccl(key: tuple[str, int]) -> None:
    ours = [[rank(name) for name in route.nodes[:8]] for route in planned(*key).routes]
    assert ours == [channel["gpus"] for channel in RINGS[key]["channels"]]


@pytest.mark.parametrize("key", [("dgxh100", 2), ("dgxh100", 4)], ids=str)
def test_channels_enter_and_leave_by_the_cards_of_nccl(key: tuple[str, int]) -> None:
    plan = planned(*key)
    cards = []
    for route in plan.routes:
        last = route.hops[7].via
        first = route.hops[-1].via
        cards.append((card(first, "node0"), card(last, "node0")))
    assert cards == [(channel["net_in"], channel["net_out"]) for channel in RINGS[key]["channels"]]
    assert plan.nccl


def card(via: tuple[str, ...], box: str) -> int:
    """Return the number of the card by the GPU beside it: cards of a DGX H100 are counted otherwise than GPUs."""
    found = next(name for name in via if name.startswith(f"{box}/nic"))
    return int(found.rsplit("nic", 1)[1])


@pytest.mark.parametrize("machine", ["dgxa100", "dgxb200"])
def test_what_nccl_makes_otherwise_is_not_called_its_order(machine: str) -> None:
    nodes = next(nodes for name, nodes in RINGS if name == machine and nodes > 1)
    assert not planned(machine, nodes).nccl


@pytest.mark.parametrize("key", [key for key in RINGS if not (key[0] == "nvl72" and key[1] > 1)], ids=str)
def test_rates_are_those_of_nccl_or_what_its_list_of_speeds_leaves(key: tuple[str, int]) -> None:
    row = RINGS[key]
    reached = row["nChannels"] * row["bwInter"]
    assert reached / planned(*key).bandwidth == pytest.approx(LOWER_RATES.get(key, 1.0), rel=1e-6)


@pytest.mark.parametrize("key", [key for key in NVLS if key[1] == 1], ids=str)
def test_nvls_is_where_nccl_has_it(key: tuple[str, int]) -> None:
    row = NVLS[key]
    if not row["nChannels"]:
        with pytest.raises(PlanError):
            planned(*key, "nvls")
        return
    heads = {channel["gpus"][0] for channel in row["channels"]}
    members = {plan_rank for plan_rank, _ in enumerate(planned(*key, "nvls").ranks)}
    assert heads <= members
    assert len(heads) == min(len(members), 32)


@pytest.mark.parametrize("key", [key for key in TREES if key[1] > 1 and key[0] in {"dgxh100", "dgxb200"}], ids=str)
def test_trees_over_boxes_start_at_the_gpus_beside_the_cards(key: tuple[str, int]) -> None:
    plan = planned(*key, "tree")
    roots = {rank(route.nodes[0]) for route in plan.routes}
    assert roots == {channel["gpus"][0] for channel in TREES[key]["channels"]}
    assert len(plan.routes) == 2 * TREES[key]["nChannels"]


@pytest.mark.parametrize(("name", "machine"), [("dgx1v", "dgx1v"), ("dgx1p", "dgx1p")])
def test_the_rings_of_a_cube_mesh_are_those_of_the_list(name: str, machine: str) -> None:
    known = fact("nccl_rings")[name]["rings"]
    counts = known if isinstance(known, dict) else dict.fromkeys(known, 1)
    ours = {" ".join(str(rank(one)) for one in route.nodes): route.count for route in planned(machine, 1).routes}
    assert ours == counts


@pytest.mark.parametrize(
    ("name", "machine"),
    [("dgx2_16xV100", "dgx2_16"), ("dgxa100", "dgxa100"), ("dgxh100", "dgxh100"), ("dgxb200", "dgxb200"), ("gb200_nvl72", "nvl72")],
)  # fmt: skip
def test_through_switches_one_ring_in_index_order_so_many_times(name: str, machine: str) -> None:
    known, plan = fact("nccl_rings")[name], planned(machine, 1)
    (route,) = plan.routes
    assert route.nodes == plan.ranks
    assert route.count == known["search_channels"]
    assert known["search_channels"] * known["speed"] <= plan.bandwidth


@pytest.mark.parametrize("machine", ["dgxa100", "dgxh100"])
def test_chains_over_several_servers_are_those_of_the_list(machine: str) -> None:
    ours = [" ".join(str(rank(one)) for one in route.nodes[:8]) for route in planned(machine, 2).routes]
    assert ours == [text.split(":")[1].rsplit(":", 1)[0] for text in fact("multi_node_one_nic_per_gpu")[machine]]


def test_four_v100_with_two_links_a_pair_have_all_six_circles() -> None:
    wires = [{"from": "gpu", "kind": "nvlink", "rule": "mesh", "links": 2}]
    plan = planning.plan(tv.load({"contains": {"gpu": "4 x v100-sxm"}, "wires": wires}), algorithm="ring")
    assert (
        sum(route.count for route in plan.routes) == fact("nccl_rings")["v100x4_all_pairs_2_links"]["search_channels"]
    )
    assert plan.bound.met


def test_the_chains_of_rccl_use_every_link_of_an_mi300x_once() -> None:
    chains = [text.split() for text in fact("rccl_mi300x")["chains"]]
    hops = [pair for chain in chains for pair in zip(chain[1:-1], chain[2:-1], strict=False)]
    net = planning.plan(tv.load("mi300x"), algorithm="ring")
    joined = {(str(rank(one.source)), str(rank(one.target))) for one in net.loads}
    assert len(hops) == len(set(hops)) == 56
    assert set(hops) == joined
