"""The view tiers: order of columns, rows of bars, lanes, tracks of a ring, machines that nobody drew."""

import random

import pytest

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Line, Text
from topoviz.drawing.tiers import bars, order, versions
from topoviz.drawing.tiers.forest import Tree, natural
from topoviz.loading import load
from topoviz.picture import render


def leaf(name, key="x"):
    return Tree(id=name, name=natural(name), key=key, column=True)


def wishes(**more):
    empty = {"bars": (), "counted": frozenset(), "peers": (), "direct": (), "cards": frozenset()}
    return order.Wishes(**{**empty, **more})


def test_columns_of_one_bar_come_together():
    trees = [leaf("a", "1"), leaf("b", "2"), leaf("c", "1")]
    found = order.order(trees, wishes(bars=(frozenset({"a", "c"}),), counted=frozenset("abc")))
    assert [t.id for t in found] == ["a", "c", "b"]


def test_equal_columns_keep_natural_order_and_cost_nothing():
    trees = [leaf(f"gpu{i}") for i in range(40)]
    assert order.choices(Tree(id="", name=(), key="", children=tuple(trees))) == 1
    assert [t.id for t in order.order(trees, wishes())] == [f"gpu{i}" for i in range(40)]


def test_many_unequal_columns_are_swept_not_tried():
    trees = [leaf(f"g{i}", str(i)) for i in range(12)]
    found = order.order(trees, wishes(bars=(frozenset({"g0", "g11"}),), counted=frozenset(t.id for t in trees)))
    at = [t.id for t in found]
    assert abs(at.index("g0") - at.index("g11")) == 1


def test_cards_stand_last_among_their_siblings():
    host = Tree(id="cpu", name=("cpu",), key="c", children=(leaf("a-nic", "n"), leaf("gpu", "g")))
    (found,) = order.order([host], wishes(cards=frozenset({"a-nic"})))
    assert [t.id for t in found.children] == ["gpu", "a-nic"]


def span(name, left, right, *at):
    return bars.Span(id=name, left=left, right=right, at=at, name=natural(name))


def test_bars_that_do_not_meet_share_a_row():
    assert bars.rows([span("a", 0, 100, 50), span("b", 120, 200, 150)]) == (("a", "b"),)


def test_equal_bars_stand_in_natural_order_from_the_top():
    spans = [span(f"s{i}", 0, 100, 50) for i in (1, 0, 2)]
    assert [bars.rows(spans), bars.rows(spans, up=True)] == [(("s0",), ("s1",), ("s2",)), (("s2",), ("s1",), ("s0",))]


def hops(**keys):
    scene = render(
        load({"part": "dgx-h100", "routes": [{"name": "mine", "ring": keys["ring"]}]}), highlight="mine"
    ).scene()
    route = next(item for item in scene.items if item.role == "route")  # in place; the second is the circle
    assert audit(scene) == ()
    return [shape for shape in route.shapes if isinstance(shape, Line)]


@pytest.mark.parametrize("ring", ["gpu[0-7]", "gpu[0,3,2,1,4,6,5,7]", "gpu[7,0,6,1,5,2,4,3]", "gpu[0,4,1,5,2,6,3,7]"])
def test_no_hop_of_a_ring_lies_on_another(ring):
    runs = [(line.points[1][1], *sorted((line.points[1][0], line.points[2][0]))) for line in hops(ring=ring)]
    assert len(runs) == 8
    assert not [
        (a, b) for i, a in enumerate(runs) for b in runs[i + 1 :] if a[0] == b[0] and a[1] < b[2] and b[1] < a[2]
    ]


def test_the_chips_of_a_ring_are_one_bar():
    scene = render(load("dgx-h100"), highlight="ring").scene()
    assert sum(1 for item in scene.items if item.kind == "nvswitch") == 1


@pytest.mark.parametrize("kind", ["gpu", "cpu", "nic", "nvswitch", "pcie"])
def test_everything_of_a_server_is_drawn(kind):
    topology = load("dgx-h100")
    drawn = [dict(i.data)["id"] for i in render(topology).scene().items if i.role == "node" and i.kind == kind]
    assert sorted(drawn) == sorted(t.id for t in topology.of_kind(kind))


def test_every_nvlink_bundle_is_drawn_once():
    topology = load("dgx-h100")
    found = [dict(i.data) for i in render(topology).scene().items if i.role == "link" and i.kind == "nvlink"]
    assert sum(int(d["links"]) for d in found) == 144
    assert len({(d["source"], d["target"]) for d in found}) == len(found) == 32


def machine(seed):
    """A machine nobody built, from a seed."""
    dice = random.Random(seed)
    gpus, cpus, switches = dice.randint(2, 10), dice.randint(1, 3), dice.randint(0, 4)
    nics, chips = dice.randint(0, 4), dice.randint(0, 5)
    contains = {"gpu": {"kind": "gpu", "count": gpus}, "cpu": {"kind": "cpu", "count": cpus}}
    wires = []
    hosts = [f"cpu{i}" for i in range(cpus)]
    if switches:
        contains["sw"] = {"kind": "pcie", "count": switches}
        wires += [
            {"from": f"sw{i}", "to": dice.choice(hosts), "kind": "pcie", "bandwidth": "PCIe 5.0 x16"}
            for i in range(switches)
        ]
        hosts = [*hosts, *(f"sw{i}" for i in range(switches))]
    wires += [
        {"from": f"gpu{i}", "to": dice.choice(hosts), "kind": "pcie", "bandwidth": "PCIe 5.0 x16"} for i in range(gpus)
    ]
    if nics:
        contains["nic"] = {"part": "connectx-7", "count": nics}
        wires += [{"from": f"nic{i}", "to": dice.choice(hosts), "kind": "pcie"} for i in range(nics)]
    if chips:
        contains["chip"] = {"kind": "nvswitch", "count": chips}
        for i in range(chips):
            reach = dice.sample(range(gpus), dice.randint(1, gpus))
            wires += [
                {
                    "from": f"gpu{g}",
                    "to": f"chip{i}",
                    "kind": "nvlink",
                    "links": dice.randint(1, 6),
                    "bandwidth": "25 GB/s",
                }
                for g in sorted(reach)
            ]
    return {"title": f"machine {seed}", "contains": contains, "wires": wires}


@pytest.mark.parametrize("seed", range(80))
def test_a_machine_that_nobody_drew_is_clean(seed):
    scene = render(load(machine(seed))).scene()
    assert audit(scene) == ()
    assert any(isinstance(shape, Text) for item in scene.items for shape in item.shapes)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_of_a_machine_is_forgotten(seed):
    """Every thing is drawn, or stands for others with their number, or the caption says what is not drawn."""
    topology = load(machine(seed))
    scene = render(topology).scene()
    drawn = {}
    for item in scene.items:
        if item.role == "node" and dict(item.data).get("id"):
            drawn[item.kind] = drawn.get(item.kind, 0) + int(dict(item.data).get("count", 1))
    said = " ".join(shape.content for item in scene.items for shape in item.shapes if isinstance(shape, Text))
    for kind in ("gpu", "cpu", "nic", "nvswitch", "pcie"):
        assert drawn.get(kind, 0) == topology.count(kind) or "Not drawn" in said, kind


@pytest.mark.parametrize("count", [65, 400, 40_000])
def test_of_too_many_to_draw_some_are_drawn_and_the_rest_is_a_stack_with_its_number(count):
    scene = render(load({"title": "many", "contains": {"gpu": f"{count} x l40s"}})).scene()
    *alone, stack = [dict(item.data) for item in scene.items if item.role == "node" and item.kind == "gpu"]
    assert all("count" not in one for one in alone)
    assert len(alone) + int(stack["count"]) == count
    assert audit(scene) == ()


def test_servers_that_cannot_stand_side_by_side_are_not_tried_in_vain(monkeypatch):
    """The players of 480 GPUs in rows are never cast: the rows would be narrower than can be told."""
    tried = []
    monkeypatch.setattr(versions, "cast", lambda *args, **keys: tried.append((args, keys)))
    scene = render(load({"title": "many", "contains": {"node": "60 x dgx-h100"}})).scene()
    assert audit(scene) == ()
    assert tried == []
    assert sum(1 for item in scene.items if item.role == "node" and item.kind == "gpu") >= 8


@pytest.mark.parametrize("part", ["hgx-h100", "dgx-a100", "dgx-h100"])
def test_every_network_card_in_the_card_of_a_switch_stands_above_the_switch(part):
    items = render(load(part)).scene().items
    boxes = {dict(item.data).get("id"): item.shapes[0] for item in items if item.role == "node"}
    links = [dict(item.data) for item in items if item.role == "link" and item.kind == "pcie"]
    pairs = [sorted((one["source"], one["target"])) for one in links if "nic" in one["source"] + one["target"]]
    assert len(pairs) == 8
    for card, switch in (map(boxes.get, pair) for pair in pairs):
        above = card.y + card.height <= switch.y  # else they stand side by side
        middle = card.x + card.width / 2
        assert not above or switch.x < middle < switch.x + switch.width


def test_the_words_beside_the_switches_of_a_server_are_true():
    texts = {s.content for item in render(load("hgx-h100")).scene().items for s in item.shapes if isinstance(s, Text)}
    assert "4 × PCIe switch" in texts
    assert "PCIe switch + NIC" not in texts  # that is how a DGX H100 is made, not every server


def test_a_gutter_states_what_the_lines_beside_it_carry():
    wires = [
        {"from": "gpu", "to": "sw", "kind": "pcie", "rule": "block"},
        {"from": "sw", "to": "cpu", "kind": "pcie", "rule": "pairwise"},
    ]
    contains = {"cpu": "2 x xeon-spr", "sw": "2 x pcie-gen5-switch", "gpu": "8 x l40s"}
    items = render(load({"kind": "node", "contains": contains, "wires": wires})).scene().items
    texts = {s.content for item in items if item.role == "label" for s in item.shapes if isinstance(s, Text)}
    assert "32–64 GB/s per dir." in texts  # GPUs have PCIe 4.0, their switches PCIe 5.0


def rails(**groups):
    wires = [
        {"from": f"{server}/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"}
        for server in groups
        if server != "leaf"
    ]
    return load({"contains": {**groups, "leaf": "8 x qm9700"}, "wires": wires})


def labels(topology, lang="en", **wishes):
    items = render(topology, lang=lang, **wishes).scene(lang).items
    return [s.content for item in items for s in item.shapes if isinstance(s, Text)]


def test_servers_of_several_parts_are_not_called_wired_the_same():
    texts = labels(rails(node="4 x dgx-h100", old="4 x dgx-a100"))
    assert "6 more servers" in texts
    assert not [text for text in texts if "wired the same" in text or text.startswith("Nodes ")]
    assert "8 servers, 64 GPUs" in " ".join(texts)
    assert "wired the same" in labels(rails(node="4 x dgx-h100"))


def test_switches_of_two_fabrics_with_the_same_number_are_told_apart():
    server = {
        "gpu": "8 x h100-pcie",
        "nic": "8 x connectx-7",
        "store": {"part": "connectx-7", "variant": "ethernet", "count": 2},
    }
    wires = [
        {"from": "node/nic", "to": "ib", "kind": "infiniband", "rule": "rail"},
        {"from": "node/store", "to": "eth", "kind": "ethernet", "rule": "rail"},
    ]
    contains = {"node": {"count": 4, "contains": server}, "ib": "8 x qm9700", "eth": "2 x sn5600"}
    texts = labels(load({"contains": contains, "wires": wires}), layout="rail-cluster")
    assert {"ib0", "ib7", "eth0", "eth1"} <= set(texts)
    assert "leaf 0" not in texts
    assert any("Orange cables are InfiniBand NDR. Purple cables are 400GbE." in text for text in texts)
