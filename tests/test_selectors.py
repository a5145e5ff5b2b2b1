import pytest
from documents import built, example

from topoviz.loading import load
from topoviz.model.selectors import find, pick, select

TWO = "contains: {node: 2 x dgx-h100, leaf: 8 x qm9700, gpu-fan: {kind: box, count: 2}}"


def ids(things):
    return [thing.id for thing in things]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("node", ["node0", "node1"]),
        ("node1/gpu2", ["node1/gpu2"]),
        ("gpu[0,2]", ["node0/gpu0", "node1/gpu0", "node0/gpu2", "node1/gpu2"]),
        ("node/gpu[2,0]", ["node0/gpu2", "node1/gpu2", "node0/gpu0", "node1/gpu0"]),
        ("node0/gpu[3,1]", ["node0/gpu3", "node0/gpu1"]),
        ("node*/nic7", ["node0/nic7", "node1/nic7"]),
        ("no?e0", ["node0"]),
        ("node0/nvswitch", ["node0/nvs0", "node0/nvs1", "node0/nvs2", "node0/nvs3"]),
        ("node0/xeon-spr", ["node0/cpu0", "node0/cpu1"]),
        ("leaf[6-7]", ["leaf6", "leaf7"]),
        ("gpus", []),
        ("node0/hca", []),
    ],
)
def test_documents(selector, found):
    assert ids(select(built(TWO).root, (selector,))) == found


def test_children_come_before_what_is_deeper():
    text = "contains: {gpu: 2 x l40s, node: {kind: node, contains: {gpu: 4 x l40s}}}"
    assert ids(select(built(text).root, ("gpu",))) == ["gpu0", "gpu1"]


def test_a_name_wins_over_a_group_and_a_group_over_a_kind():
    text = "contains: {gpu: {kind: card, count: 2}, h: {kind: gpu}}"
    assert ids(select(built(text).root, ("gpu",))) == ["gpu0", "gpu1"]


def test_a_list_keeps_its_order_and_takes_each_once():
    assert ids(select(built(TWO).root, ("leaf1", "leaf[0-1]"))) == ["leaf1", "leaf0"]


def test_the_root_is_meant_by_its_kind_if_nothing_inside_fits():
    root = built("part: dgx-h100").root
    assert (ids(select(root, ("node",))), ids(select(root, ("node/gpu0",)))) == ([""], ["gpu0"])


def test_zeros_are_kept():
    topology = example("24-real-names")
    assert ids(select(topology.root, ("dgx-[009-010]/gpu3",))) == ["dgx-009/gpu3", "dgx-010/gpu3"]


def test_a_miss_says_where():
    _, miss = find(built(TWO).root, "node/hca")
    assert miss is not None
    assert (miss.step, miss.word, ids(miss.inside)) == (1, "hca", ["node0", "node1"])


@pytest.mark.parametrize(
    ("name", "selector", "number"),
    [
        ("09-rail-cluster", "gpu", 256),
        ("09-rail-cluster", "leaf", 8),
        ("09-rail-cluster", "spine", 4),
        ("09-rail-cluster", "switch", 12),
        ("09-rail-cluster", "core", 0),
        ("09-rail-cluster", "node0/gpu", 8),
        ("09-rail-cluster", "gpu1", 32),
        ("09-rail-cluster", "rank9", 1),
        ("07-nvl72", "rack", 1),
        ("07-nvl72", "tray0", 1),
        ("07-nvl72", "nvswitch", 18),
        ("07-nvl72", "swtray", 9),
        ("07-nvl72", "switch", 0),  # two management switches without a cable
        ("25-odd-machine", "gpu", 6),
        ("24-real-names", "leaf", 8),
        ("21-dual-plane", "leaf", 16),
    ],
)
def test_layouts(name, selector, number):
    topology = example(name)
    assert len(pick(topology, (topology.root,), selector)) == number


def test_a_kind_is_taken_at_every_depth():
    topology = built("contains: {gpu: 2 x l40s, node: {kind: node, contains: {gpu: 4 x l40s}}}")
    assert len(pick(topology, (topology.root,), "gpu")) == 6


def test_roles_are_found_from_the_links():
    text = """
    contains: {node: 4 x hgx-h100, tor: 8 x qm9700, top: 2 x qm9700, apex: qm9700}
    wires:
      - {from: node/nic, to: tor, kind: infiniband, rule: rail}
      - {from: tor, to: top, kind: infiniband}
      - {from: top, to: apex, kind: infiniband}
    """
    topology = built(text)
    found = [ids(pick(topology, (topology.root,), role)) for role in ("spine", "core")]
    assert found == [["top0", "top1"], ["apex"]]
    assert len(pick(topology, (topology.root,), "leaf")) == 8


def test_several_are_given_in_the_order_of_the_document():
    topology = built("part: dgx-h100")
    assert ids(pick(topology, (topology.root,), ("gpu[1,0]", "cpu"))) == ["cpu0", "cpu1", "gpu0", "gpu1"]


def test_what_stands_in_the_root_that_is_asked():
    topology = built(TWO)
    node = topology.thing("node1")
    assert ids(pick(topology, (node,), "cpu")) == ["node1/cpu0", "node1/cpu1"]
    assert ids(pick(topology, (node,), "node")) == ["node1"]


def test_nothing_found_is_no_mistake():
    topology = built("part: l40s")
    assert pick(topology, (topology.root,), "nvswitch") == ()


def test_a_kind_with_a_number_finds_things_that_have_other_names():
    topology = load({"contains": {"blade": {"kind": "tray", "count": 3, "contains": {"gpu": "l40s"}}}})
    assert [thing.id for thing in pick(topology, (topology.root,), "tray1")] == ["blade1"]
    assert pick(topology, (topology.root,), "tray7") == ()
