"""Rings on machines of which the answer is known."""

from __future__ import annotations

import machines
import pytest

import topoviz as tv
from topoviz.collectives import ring
from topoviz.collectives.network import gpus, network
from topoviz.drawing.audit import audit
from topoviz.errors import PlanError
from topoviz.model.topology import Assembly, Topology


def planned(root: Assembly, rates: str = "line", collective: str = "all-reduce"):
    topology = machines.topology(root)
    return ring.plan(topology, gpus(topology), collective, rates=rates)


FULL = {(a, b): 1 for b in range(8) for a in range(b)}
CUBE = {(0, 1): 1, (0, 2): 1, (0, 3): 2, (0, 4): 2, (1, 2): 2, (1, 3): 1, (1, 5): 2, (2, 3): 2, (2, 6): 1, (3, 7): 1,
        (4, 5): 1, (4, 6): 1, (4, 7): 2, (5, 6): 2, (5, 7): 1, (6, 7): 2}  # fmt: skip
MACHINES = {
    "dgx": machines.dgx(), "l40s": machines.l40s_server(), "amd": machines.l40s_server(machines.AMD), "rack": machines.nvl72(),
    "two": machines.rails(2), "three": machines.rails(3), "mesh": machines.mesh(FULL, 8), "cube": machines.mesh(CUBE, 8),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rates", "bandwidth", "seconds", "link"),
    [
        ("dgx", "line", 450, 0.0544444, "NVLink 4"),
        ("dgx", "nccl", 370.8, 0.0660734, "NVLink 4"),
        ("l40s", "line", 32, 0.765625, "PCIe 4.0 x16"),
        ("l40s", "nccl", 20, 1.225, "PCIe 4.0 x16"),
        ("amd", "nccl", 22, 1.1136364, "UPI"),
        ("rack", "line", 900, 0.0306790, "NVLink 5"),
        ("two", "line", 400, 0.065625, "NDR"),
        ("three", "line", 400, 0.0670833, "NDR"),
        ("mesh", "line", 448, 0.0546875, "xGMI"),
        ("cube", "line", 384, 0.0638021, "xGMI"),
    ],
)  # fmt: skip
def test_bandwidth_and_time(name: str, rates: str, bandwidth: float, seconds: float, link: str) -> None:
    plan = planned(MACHINES[name], rates)
    assert plan.bandwidth == pytest.approx(bandwidth)
    assert plan.seconds(14e9) == pytest.approx(seconds, rel=1e-6)
    assert plan.link == link


@pytest.mark.parametrize("name", MACHINES)
def test_a_ring_visits_every_gpu_once_and_overloads_nothing(name: str) -> None:
    plan = planned(MACHINES[name])
    route = plan.routes[0]
    assert sorted(route.nodes) == sorted(plan.ranks)
    assert [hop.source for hop in route.hops] == list(route.nodes)
    assert [hop.target for hop in route.hops] == [*route.nodes[1:], route.nodes[0]]
    assert max(load.load for load in plan.loads) == pytest.approx(1)
    assert [load.load for load in plan.bottleneck] == pytest.approx([1] * len(plan.bottleneck))


@pytest.mark.parametrize("name", MACHINES)
def test_a_hop_runs_along_links(name: str) -> None:
    plan = planned(MACHINES[name])
    net = network(machines.topology(MACHINES[name]))
    joined = [net.between(load.source, load.target, (load.kind,)) for load in plan.loads]
    assert all(joined)


def test_on_switch_chips_the_order_is_that_of_the_index_and_every_chip_is_used() -> None:
    route = planned(MACHINES["dgx"]).routes[0]
    assert route.nodes == tuple(f"gpu{i}" for i in range(8))
    assert {hop.via for hop in route.hops} == {("nvs0", "nvs1", "nvs2", "nvs3")}


def test_on_the_host_each_cpu_is_entered_once() -> None:
    hops = planned(MACHINES["l40s"]).routes[0].hops
    assert [hop.via for hop in hops if len(hop.via) > 1] == [("cpu0", "cpu1"), ("cpu1", "cpu0")]


def test_a_rate_that_is_not_stated_is_listed() -> None:
    assert planned(MACHINES["l40s"]).unlimited == ("UPI",)
    assert planned(MACHINES["dgx"]).unlimited == ()


def leaves(hop):
    return [name for name in hop.via if name.startswith("leaf")]


def test_between_two_servers_every_ring_stays_on_two_rails() -> None:
    between = [[hop for hop in route.hops if hop.kind == "infiniband"] for route in planned(MACHINES["two"]).routes]
    rails = [[leaves(hop) for hop in hops] for hops in between]
    assert rails == [[[f"leaf{c ^ 1}"], [f"leaf{c}"]] for c in range(8)]
    assert not any("spine" in name for hops in between for hop in hops for name in hop.via)


def test_of_an_odd_number_of_servers_the_last_hop_of_a_ring_crosses_to_its_other_rail() -> None:
    hops = [hop for route in planned(MACHINES["three"]).routes for hop in route.hops if hop.kind == "infiniband"]
    assert [len(leaves(hop)) for hop in hops] == [1, 1, 2] * 8
    spines = [sum("spine" in name for name in hop.via) for hop in hops]
    assert spines == [0, 0, 4] * 8


def test_a_dead_link_narrows_the_ring() -> None:
    whole = machines.dgx()
    links = tuple(link for link in whole.links if (link.source, link.target) != ("gpu3", "nvs0"))
    broken = Assembly(kind="node", children=whole.children, links=links)
    assert planned(broken).bandwidth == pytest.approx(325)  # 13 of 18 links of 25 GB/s are left


def test_a_ring_over_some_of_the_gpus() -> None:
    topology = machines.topology(machines.dgx())
    plan = ring.plan(topology, ("gpu0", "gpu5"), "all-gather")
    assert (plan.routes[0].nodes, plan.bandwidth, plan.sent(8e9)) == (("gpu0", "gpu5"), 450, 4e9)


def test_a_given_order_is_kept() -> None:
    topology = machines.topology(machines.l40s_server())
    plan = ring.along(topology, tuple(f"gpu{i}" for i in range(8)), rates="nccl")
    assert plan.bandwidth == pytest.approx(22 / 4)  # every other GPU is on the other CPU: four crossings each way


def odd(
    ranks: tuple[str, ...], collective: str = "all-reduce", root: Assembly = MACHINES["mesh"]
) -> tuple[Topology, tuple[str, ...], str]:
    return machines.topology(root), ranks, collective


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (odd(("gpu0",)), "at least two GPUs"),
        (odd(()), "at least two GPUs, and here is none"),
        (odd(("gpu0", "gpu0")), "twice"),
        (odd(("gpu0", "gpu99")), "'gpu99' is not here"),
        (odd(("gpu0", "gpu1"), "all-to-all"), "cannot do 'all-to-all'"),
        (odd(("gpu0", "gpu1", "gpu2", "gpu3"), root=machines.mesh({(0, 1): 1, (0, 2): 1, (0, 3): 1}, 4)), "no ring over direct links"),
        (odd(("gpu0", "gpu1", "gpu2"), root=machines.mesh({(0, 1): 1}, 3)), "no way from gpu1 to gpu2"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_said_plainly(case: tuple[Topology, tuple[str, ...], str], said: str) -> None:
    with pytest.raises(PlanError, match=said):
        ring.plan(*case)


LOG = {"part": "dgx-h100", "routes": [{"name": "channel 0", "ring": "rank[0-7]", "count": 12}]}


@pytest.mark.parametrize(
    ("document", "keys", "title", "factor"),
    [
        ("dgx-h100", {"highlight": "ring"}, "Ring all-reduce on DGX H100", "2 × (N − 1) / N × buffer"),
        ("dgx-h100", {"highlight": "ring:all-gather"}, "Ring all-gather on DGX H100", "(N − 1) / N × buffer"),
        ("dgx-h100", {"highlight": "ring:reduce-scatter"}, "Ring reduce-scatter on DGX H100", "(N − 1) / N × buffer"),
        ("dgx-h100", {"highlight": "ring:broadcast"}, "Ring broadcast on DGX H100", "buffer, by the last one nothing"),
        (LOG, {"highlight": "channel 0"}, "A ring on DGX H100", ""),
        (LOG, {"highlight": "channel 0", "size": "1 GB"}, "Ring all-reduce on DGX H100", "2 × (N − 1) / N × buffer"),
    ],
)
def test_a_picture_of_a_ring_states_the_factor_of_what_is_drawn(document, keys, title, factor):
    drawn = tv.render(tv.load(document), **keys).svg()
    assert f">{title}: every hop runs at" in drawn
    assert (f"Sent per GPU = {factor}. " in drawn) if factor else ("Sent per GPU" not in drawn)


@pytest.mark.parametrize(("collective", "said"), [("broadcast", "but the last"), ("reduce", "but the root")])
def test_a_buffer_that_is_passed_on_is_not_multiplied_from_chunks(collective, said):
    drawn = tv.render(tv.load("dgx-h100"), highlight=f"ring:{collective}", size="1 GB").svg()
    assert f">1 GB sent by each GPU {said}<" in drawn
    assert "7 × " not in drawn


@pytest.mark.parametrize(
    ("highlight", "said"), [("tree", "Double binary tree all-reduce over 8"), ("ring", "Ring all-reduce over 8")]
)
def test_words_of_a_picture_name_the_algorithm(highlight, said):
    assert said in tv.render(tv.load("dgx-h100"), highlight=highlight).svg()


def rail_pair(*changes, nodes=2):
    fabric = {"join": "node/nic", "switch": "qm9700", "kind": "infiniband", "rails": 8, "tiers": 1}
    return tv.load({"contains": {"node": f"{nodes} x dgx-h100"}, "fabric": [fabric], "changes": list(changes)})


@pytest.mark.parametrize("nodes", [2, 4])
@pytest.mark.parametrize(
    ("changes", "bandwidth"),
    [
        ((), 400.0),
        (({"at": "node0/nic0", "state": "down"},), 350.0),
        (({"link": ["node1/nic3", "leaf3"], "state": "down"},), 350.0),
        (({"at": "node0/nic0", "state": "down"}, {"at": "node1/nic3", "state": "down"}), 300.0),
        (({"at": "leaf2", "state": "down"},), 350.0),
        (({"link": ["node0/nic0", "leaf0"], "bandwidth": "25 GB/s"},), 350.0),  # seven whole ones carry more than eight
        (({"link": ["node0/nic0", "leaf0"], "bandwidth": "48 GB/s"},), 384.0),
    ],
)
def test_rings_keep_to_the_rails_that_are_left(nodes, changes, bandwidth):
    plan = tv.plan(rail_pair(*changes, nodes=nodes))
    assert plan.bandwidth == pytest.approx(bandwidth)
    assert plan.nccl == (bandwidth in {400.0, 384.0})


def test_rings_of_a_very_large_machine_keep_to_the_rails_that_are_left():
    fault = {"at": "su0/node0/nic0", "state": "down"}
    plan = tv.plan(tv.load({"part": "superpod-h100", "with": {"su": 3}, "changes": [fault]}))
    assert len(plan.ranks) > 512
    assert plan.bandwidth == pytest.approx(350.0)
    first = [hop for hop in plan.routes[0].hops if hop.source.split("/")[:2] != hop.target.split("/")[:2]]
    leaves = {name.rsplit("leaf", 1)[1] for hop in first[:4] for name in hop.via if "leaf" in name}
    assert len(leaves) == 2  # out by one rail and in by the one it is a pair with


def orders(count):
    """Return so many rings over eight GPUs, each of another order."""
    rings = ([(start + step * i) % 8 for i in range(8)] for step in (1, 3, 5, 7) for start in range(4))
    return [{"name": f"channel {i}", "ring": [f"gpu{n}" for n in one]} for i, one in enumerate([*rings][:count])]


@pytest.mark.parametrize(("count", "drawn"), [(1, 1), (2, 2), (3, 3), (4, 1), (12, 1)])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_many_rings_the_first_stands_on_the_parts_and_each_is_a_circle(count, drawn, lang):
    picture = tv.render(tv.load({"part": "dgx-h100", "routes": orders(count)}), highlight="routes", lang=lang)
    made = picture.scene(lang)
    assert audit(made) == ()
    words = " ".join(shape.content for item in made.items for shape in item.shapes if hasattr(shape, "content"))
    assert all(f"channel {i}" in words for i in range(count)) or count == 1
    assert (f"the first of {count}" in words) == (drawn < count and lang == "en")


@pytest.mark.parametrize(
    ("collective", "first", "last", "said"),
    [
        ("broadcast", "gpu0", "gpu7", "The first one leaves the GPU that has the data."),
        ("reduce", "gpu1", "gpu0", "The last one reaches the GPU that gets the sum."),
    ],
)
def test_what_is_passed_on_is_a_chain_from_or_to_the_root(collective, first, last, said):
    machine = tv.load("dgx-h100")
    plan = tv.plan(machine, collective, "ring")
    (route,) = plan.routes
    assert (route.nodes[0], route.nodes[-1], len(route.hops), plan.steps) == (first, last, 7, 7)
    assert not any(load.source == last and load.target.startswith("nvs") for load in plan.loads)
    drawn = tv.render(machine, highlight=f"ring:{collective}").svg()
    assert said in drawn
    assert "closes the ring" not in drawn
