import pytest

import topoviz as tv
from topoviz import resources
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.suits import choose
from topoviz.errors import MissingEntry
from topoviz.loading import load
from topoviz.model.findings import Findings
from topoviz.model.read import picture_from
from topoviz.picture import choice

LAYOUTS = resources.Layouts()
RAILS = {
    "contains": {"node": "4 x dgx-h100", "leaf": "8 x qm9700"},
    "wires": [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"}],
}
ALL_TO_ONE = {
    "contains": {"node": "4 x dgx-h100", "leaf": "2 x qm9700"},
    "wires": [
        {"from": ["node0/nic", "node1/nic"], "to": "leaf0", "kind": "infiniband"},
        {"from": ["node2/nic", "node3/nic"], "to": "leaf1", "kind": "infiniband"},
    ],
}


@pytest.mark.parametrize(
    ("what", "keys", "layout"),
    [
        ("dgx-h100", {}, "nvswitch-server"),
        ("dgx-h100", {"highlight": "ring"}, "ring"),
        ("dgx-h100", {"layout": "nested"}, "nested"),
        ("l40s-server", {}, "unknown"),
        ("gb200-nvl72", {}, "nvlink-rack"),
        ("nvl72-cluster", {}, "pod"),
        (RAILS, {}, "rail-cluster"),
        (ALL_TO_ONE, {}, "unknown"),
        ({"contains": {"rack": {"kind": "rack", "contains": {"node": "2 x dgx-h100"}}}}, {}, "elevation"),
        ({"contains": {"thing": {"kind": "pump"}}}, {}, "nested"),
        ({"contains": {"gpu": {"kind": "gpu", "count": 3}}}, {}, "unknown"),
    ],
)
def test_choice(what, keys, layout):
    topology = load(what)
    found = choose(topology, topology.root, picture_from(keys), Findings(), LAYOUTS)
    assert found.layout.name == layout
    assert found.reason.startswith(layout)


GPU_SERVER = load("dgx-h100")
CLUSTER = load(RAILS)


def layouts(**suits):
    """Layouts with one condition each, in the order given."""
    return {name: Layout(name=name, suits=(condition,), block=Block()) for name, condition in suits.items()} | {
        name: Layout(name=name, block=Block()) for name in ("unknown", "nested")
    }


def chosen(topology, keys=None, **suits):
    return choose(topology, topology.root, picture_from(keys or {}), Findings(), layouts(**suits)).layout.name


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"kind": "node"}, True),
        ({"kind": ["rack", "node"]}, True),
        ({"kind": "rack"}, False),
        ({"part": "dgx-h100"}, True),
        ({"part": ["dgx-a100"]}, False),
        ({"has": "nvlink"}, True),
        ({"has": ["xgmi", "nvswitch"]}, True),
        ({"has": "xgmi"}, False),
        ({"lacks": "xgmi"}, True),
        ({"lacks": ["xgmi", "nvswitch"]}, False),
        ({"min": {"gpu": 8, "cpu": 2}}, True),
        ({"min": {"gpu": 9}}, False),
        ({"max": {"gpu": 8}}, True),
        ({"max": {"gpu": 7}}, False),
        ({"wired": "rail"}, False),
        ({"wired": "mesh"}, False),
        ({"highlight": False}, True),
        ({"size": True}, False),
        ({"kind": "node", "min": {"gpu": 9}}, False),
        ({}, False),
    ],
)
def test_condition(condition, holds):
    assert (chosen(GPU_SERVER, mine=condition) == "mine") == holds


@pytest.mark.parametrize(
    ("keys", "condition", "holds"),
    [
        ({"highlight": "ring"}, {"highlight": "ring"}, True),
        ({"highlight": "ring"}, {"highlight": ["tree", "ring"]}, True),
        ({"highlight": "ring"}, {"highlight": "tree"}, False),
        ({"highlight": "ring"}, {"highlight": False}, False),
        ({"highlight": {"algorithm": "ring"}}, {"highlight": "ring"}, True),
        ({"highlight": {"path": ["gpu0", "gpu1"]}}, {"highlight": "path"}, True),
        ({"size": "1 GB"}, {"size": True}, True),
        ({"panels": ["dgx-h100"]}, {"panels": True}, True),
        ({"overlay": "groups"}, {"job": True}, True),
        ({"overlay": "memory"}, {"model": True}, True),
        ({"overlay": "faults"}, {"faults": True}, True),
        ({"overlay": "faults"}, {"job": True}, False),
    ],
)
def test_what_the_picture_asks_for(keys, condition, holds):
    assert (chosen(GPU_SERVER, keys, mine=condition) == "mine") == holds


@pytest.mark.parametrize(
    ("suits", "name"),
    [
        ({"a": {"kind": "node"}, "b": {"has": "gpu"}}, "b"),
        ({"a": {"min": {"gpu": 1}}, "b": {"part": "dgx-h100"}}, "b"),
        ({"a": {"part": "dgx-h100"}, "b": {"highlight": "ring"}}, "b"),
        ({"a": {"kind": "node"}, "b": {"kind": "node", "max": {"rack": 0}}}, "b"),
        ({"a": {"has": "gpu"}, "b": {"has": "gpu", "kind": "node"}}, "b"),
        ({"b": {"has": "gpu"}, "a": {"has": "gpu"}}, "b"),
    ],
)
def test_the_strongest_key_wins_then_more_keys_then_the_order_of_the_layouts(suits, name):
    assert chosen(GPU_SERVER, {"highlight": "ring"}, **suits) == name


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"wired": "rail"}, True),
        ({"wired": "tiers"}, False),
        ({"has": "leaf", "lacks": "spine"}, True),
        ({"min": {"leaf": 8}, "max": {"leaf": 8}}, True),
        ({"min": {"leaf": 9}}, False),
    ],
)
def test_roles_and_rails_of_a_cluster(condition, holds):
    assert (chosen(CLUSTER, mine=condition) == "mine") == holds


def test_wired_is_stronger_than_has_and_weaker_than_a_part():
    assert chosen(CLUSTER, a={"has": "leaf"}, b={"wired": "rail"}) == "b"


@pytest.mark.parametrize(
    ("part", "how", "holds"),
    [
        ("mi300x", "mesh", True),
        ("mi300x", "torus", False),
        ("dgx-1v", "mesh", False),
        ("tpu-v5p-cube", "torus", True),
        ("tpu-v5p-cube", "mesh", False),
    ],
)
def test_direct_links(part, how, holds):
    assert (chosen(load(part), mine={"wired": how}) == "mine") == holds


def test_a_layout_with_a_view_that_nobody_draws_yet_is_no_candidate():
    ahead = Layout(name="ahead", suits=({"part": "dgx-h100"},), block=Block(rows=(Block(view="hologram"),)))
    here = {**layouts(mine={"kind": "node"}), "ahead": ahead}
    found = choose(GPU_SERVER, GPU_SERVER.root, picture_from({}), Findings(), here)
    named = choose(GPU_SERVER, GPU_SERVER.root, picture_from({"layout": "ahead"}), Findings(), here)
    assert (found.layout.name, named.layout.name) == ("mine", "ahead")


def test_an_unknown_layout_is_told_with_the_nearest():
    with pytest.raises(MissingEntry, match="unknown layout 'rings'; did you mean 'ring'"):
        choose(GPU_SERVER, GPU_SERVER.root, picture_from({"layout": "rings"}), Findings(), LAYOUTS)


def test_big_topologies_are_not_expanded():
    big = load("superpod-h100", su=64)
    found = choose(big, big.root, picture_from({}), Findings(), LAYOUTS)
    assert (found.layout.name, "graph" in vars(big)) == ("three-tier", False)


@pytest.mark.parametrize(("spines", "layout"), [(1, "network"), (2, "tiers")])
def test_switches_that_share_what_is_below_them_are_one_bar(spines, layout):
    """As bars beside each other each would seem to reach only what is below it."""
    contains = {"spine": {"kind": "switch", "count": spines}, "leaf": {"kind": "switch", "count": 2}}
    contains["node"] = {"kind": "node", "count": 4}
    wires = [
        {"from": "node", "to": "leaf", "kind": "network", "rule": "block", "bandwidth": "50 GB/s"},
        {"from": "leaf", "to": "spine", "kind": "network", "bandwidth": "50 GB/s"},
    ]
    topology = tv.load({"kind": "cluster", "contains": contains, "wires": wires})
    picture = tv.render(topology)
    assert choice(picture, resources.Layouts(())).layout.name == layout
    drawn = [dict(item.data)["id"] for item in picture.scene().items if item.role == "node" and item.kind == "switch"]
    assert len([name for name in drawn if name.startswith("spine")]) == 1
