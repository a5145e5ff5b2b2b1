import pytest
from documents import built, example

from topoviz.errors import SpecError

CHIPS = ("nvs0", "nvs1", "nvs2", "nvs3")


def route(text):
    return built(text).routes[0]


def test_a_ring_runs_through_all_chips_of_a_fabric():
    ring = route('part: dgx-h100\nroutes: [{name: r, ring: "gpu[0,3,2,1]"}]')
    assert [(hop.source, hop.target, hop.via, hop.kind) for hop in ring.hops] == [
        ("gpu0", "gpu3", CHIPS, "nvlink"),
        ("gpu3", "gpu2", CHIPS, "nvlink"),
        ("gpu2", "gpu1", CHIPS, "nvlink"),
        ("gpu1", "gpu0", CHIPS, "nvlink"),
    ]


def test_ranks_are_gpus_in_order():
    ring = route('part: gb200-nvl72\nroutes: [{name: r, ring: "rank[3-5]", count: 4}]')
    assert (ring.nodes, ring.count) == (("tray0/gpu3", "tray1/gpu0", "tray1/gpu1"), 4)


@pytest.mark.parametrize(
    ("part", "ends", "via", "kind"),
    [
        ("dgx-1v", "gpu0, gpu4", (), "nvlink"),
        ("dgx-1v", "gpu0, gpu5", ("sw0", "cpu0", "cpu1", "sw2"), "pcie"),
        ("l40s-server", "gpu0, gpu1", ("sw0",), "pcie"),
        ("l40s-server", "gpu0, gpu2", ("sw0", "cpu0", "sw1"), "pcie"),
        ("mi300x", "gpu0, gpu5", (), "xgmi"),
        ("gh200", "gpu, cpu", (), "c2c"),
    ],
)
def test_paths(part, ends, via, kind):
    hop = route(f"part: {part}\nroutes: [{{name: p, path: [{ends}]}}]").hops[0]
    assert (hop.via, hop.kind) == (via, kind)


def test_dgx_2_goes_through_the_chips_of_both_boards():
    topology = built("part: dgx-2")
    first, last = [gpu.id for gpu in topology.of_kind("gpu")][::15]
    hop = route(f"part: dgx-2\nroutes: [{{name: p, path: [{first}, {last}]}}]").hops[0]
    assert len(hop.via) == 12


def test_another_server_is_reached_on_its_rail():
    text = "contains: {node: 2 x dgx-h100, leaf: 8 x qm9700}\nwires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail}]\n"
    hop = route(text + "routes: [{name: p, path: [node0/gpu3, node1/gpu3]}]").hops[0]
    assert hop.via == ("node0/sw3", "node0/nic3", "leaf3", "node1/nic3", "node1/sw3")
    assert hop.kind == "infiniband"


def test_via_restricts_the_kind():
    hop = route("part: dgx-h100\nroutes: [{name: p, via: pcie, path: [gpu0, gpu1]}]").hops[0]
    assert hop.via == ("sw0", "cpu0", "sw1")


def test_a_broken_link_is_no_way():
    text = "part: dgx-1v\nchanges: [{link: [gpu0, gpu4], kind: nvlink, state: down}]\nroutes: [{name: p, path: [gpu0, gpu4]}]"
    assert route(text).hops[0].kind == "pcie"


def test_a_tree():
    tree = route("part: dgx-h100\nroutes: [{name: t, tree: {gpu0: [gpu1, gpu2], gpu1: gpu3}}]")
    assert [(hop.source, hop.target) for hop in tree.hops] == [("gpu0", "gpu1"), ("gpu0", "gpu2"), ("gpu1", "gpu3")]
    assert tree.nodes == ("gpu0", "gpu1", "gpu2", "gpu3")


def test_a_ring_of_two():
    ring = route("part: dgx-1v\nroutes: [{name: r, ring: [gpu0, gpu1]}]")
    assert [(hop.source, hop.target) for hop in ring.hops] == [("gpu0", "gpu1"), ("gpu1", "gpu0")]


def test_routes_wait_for_a_machine():
    assert example("27-rings-of-a-log").routes == ()
    assert len(example("28-joined").routes) == 2


@pytest.mark.parametrize(
    ("routes", "told"),
    [
        ('{name: r, ring: "gpu[0-9]"}', "names gpu8, which does not exist"),
        ("{name: r, ring: [gpu0, gpus]}", "'gpus' matches nothing"),
        ("{name: r, path: [gpu0, gpu1, gpu0]}", "gpu0 is twice in path 'r'"),
        ("{name: r, via: infiniband, path: [gpu0, gpu1]}", "no infiniband between gpu0 and gpu1 (path 'r')"),
    ],
)
def test_wrong_routes(routes, told):
    with pytest.raises(SpecError) as caught:
        built(f"part: dgx-h100\nroutes: [{routes}]")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("part", "keys", "via", "kind", "past"),
    [
        ("dgx-h100", "via: host", ("sw0", "cpu0", "sw1"), "pcie", "nvlink"),
        ("dgx-h100", "through_host: [1]", ("sw0", "cpu0", "sw1"), "pcie", "nvlink"),
        ("dgx-h100", "through_network: [1]", ("sw0", "nic0", "nic1", "sw1"), "infiniband", "nvlink"),
        ("dgx-h100", "via: pcie", ("sw0", "cpu0", "sw1"), "pcie", "nvlink"),
        ("dgx-1v", "via: host", ("sw0",), "pcie", "nvlink"),
        ("mi300x", "via: host", (), "pcie", "xgmi"),
        ("l40s-server", "via: host", ("sw0",), "pcie", ""),
    ],
)
def test_hops_past_the_fast_links(part, keys, via, kind, past):
    hop = route(f"part: {part}\nroutes: [{{name: p, path: [gpu0, gpu1], {keys}}}]").hops[0]
    assert (hop.via, hop.kind, hop.past) == (via, kind, past)


def test_only_the_hops_that_are_named_go_past_the_fast_links():
    ring = route('part: dgx-h100\nroutes: [{name: r, ring: "gpu[0-7]", through_host: [4], through_network: [8]}]')
    assert [hop.kind for hop in ring.hops] == ["nvlink"] * 3 + ["pcie"] + ["nvlink"] * 3 + ["infiniband"]
    assert "cpu1" in ring.hops[3].via


def test_a_hop_through_the_host_crosses_sockets_over_any_link():
    hop = route("part: dgx-h100\nroutes: [{name: p, via: host, path: [gpu3, gpu4]}]").hops[0]
    assert hop.via == ("sw3", "cpu0", "cpu1", "sw4")


def test_both_directions_of_a_pair_may_differ():
    ring = route("part: dgx-h100\nroutes: [{name: r, ring: [gpu0, gpu1], through_host: [2]}]")
    assert [hop.kind for hop in ring.hops] == ["nvlink", "pcie"]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ('ring: "gpu[0-7]", through_host: [9]', "hop 9 of ring 'r', which has 8 hops"),
        ("path: [gpu0, gpu1], through_network: [2]", "hop 2 of path 'r', which has 1 hop"),
    ],
)
def test_hops_that_there_are_not(keys, told):
    with pytest.raises(SpecError, match=told):
        built(f"part: dgx-h100\nroutes: [{{name: r, {keys}}}]")
