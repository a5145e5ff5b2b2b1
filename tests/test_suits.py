import pytest

from topoviz import resources
from topoviz.drawing.suits import choose
from topoviz.model.findings import Findings
from topoviz.model.read import picture_from
from topoviz.picture import load

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
        ("nvl72-cluster", {}, "cluster"),
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
