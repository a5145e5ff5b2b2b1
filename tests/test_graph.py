import json

import networkx as nx
import pytest
from documents import built, document, example

from topoviz.exporters import json as as_json
from topoviz.exporters import spec as as_spec

NODE = ["kind", "part", "group", "name", "index", "parent", "slot", "title", "state"]
EDGE = ["kind", "links", "bandwidth", "link", "state", "note"]
SMALL = [
    "01-dgx-h100",
    "07-nvl72",
    "21-dual-plane",
    "22-faults",
    "23-other-nic",
    "24-real-names",
    "25-odd-machine",
    "29-dgx-1v-rings",
    "34-own-part",
    "31-chinese",
]


def test_nodes_have_exactly_the_attributes_of_the_contract():
    graph = example("22-faults").graph
    assert {tuple(attributes) for _, attributes in graph.nodes(data=True)} == {tuple(NODE)}


def test_edges_have_exactly_the_attributes_of_the_contract():
    graph = example("22-faults").graph
    assert {tuple(attributes) for _, _, attributes in graph.edges(data=True)} == {tuple(EDGE)}


def test_the_key_of_an_edge_is_its_kind():
    graph = built("part: dgx-h100").graph
    assert all(key == attributes["kind"] for _, _, key, attributes in graph.edges(keys=True, data=True))


def test_one_edge():
    edge = example("12-time-table").graph.edges["node3/nic", "leaf", "infiniband"]
    assert edge == {"kind": "infiniband", "links": 1, "bandwidth": 50, "link": "NDR", "state": "up", "note": ""}


def test_an_edge_of_the_documentation():
    topology = built(
        "contains: {node: 2 x dgx-h100, leaf: 8 x qm9700}\nwires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail}]"
    )
    assert topology.graph.edges["node0/gpu3", "node0/nvs1", "nvlink"]["bandwidth"] == 100


def test_one_node():
    node = built("part: gb200-nvl72").graph.nodes["tray3/gpu1"]
    assert (node["kind"], node["group"], node["name"], node["index"], node["parent"]) == (
        "gpu",
        "gpu",
        "gpu1",
        1,
        "tray3",
    )


def test_top_things_have_no_parent_and_a_slot_if_one_is_given():
    node = built("part: gb200-nvl72").graph.nodes["tray3"]
    assert (node["parent"], node["slot"], node["title"]) == (None, 19, "compute tray")


def test_the_graph_is_frozen():
    with pytest.raises(nx.NetworkXError):
        built("part: dgx-h100").graph.add_node("x")


def test_containers_have_no_edges():
    graph = example("09-rail-cluster").graph
    assert graph.degree("node3") == 0


def test_nothing_is_written_out_before_it_is_asked_for():
    topology = built("part: superpod-b200\nwith: {su: 64}")
    assert topology.count("gpu") == 16_384
    assert "graph" not in vars(topology)


@pytest.mark.parametrize("name", SMALL)
def test_json_is_read_by_networkx(name):
    topology = example(name)
    read = nx.node_link_graph(json.loads(as_json.write(topology)), edges="edges")
    assert nx.utils.graphs_equal(read, nx.MultiGraph(topology.graph))


@pytest.mark.parametrize("name", SMALL)
def test_the_yaml_that_is_given_back_builds_the_same(name):
    topology = example(name)
    again = built(as_spec.write(topology), f"{name}.yaml")
    assert as_json.write(again) == as_json.write(topology)


@pytest.mark.parametrize("name", SMALL)
def test_the_yaml_that_is_given_back_is_stable(name):
    once = as_spec.write(example(name))
    assert as_spec.data(document(once, f"{name}.yaml")) == as_spec.data(example(name).spec)


@pytest.mark.parametrize("part", ["dgx-h100", "gb200-nvl72", "l40s-server"])
def test_counts_agree_with_the_graph(part):
    topology = built(f"part: {part}")
    kinds = [attributes["kind"] for _, attributes in topology.graph.nodes(data=True)]
    assert dict(topology.root.assembly.counts) == {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


@pytest.mark.parametrize("kind", ["nvlink", "pcie", "infiniband"])
def test_totals_agree_with_the_graph(kind):
    topology = example("09-rail-cluster")
    edges = [edge for _, _, edge in topology.graph.edges(data=True) if edge["kind"] == kind]
    total = topology.total(kind)
    assert (total.links, total.bandwidth) == (
        sum(edge["links"] for edge in edges),
        sum(edge["bandwidth"] for edge in edges),
    )
