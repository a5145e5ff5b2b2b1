"""Machines with something taken away or down: nothing meets, nothing changes its place, nothing is said that is false."""

from __future__ import annotations

import pytest

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Line, Scene, Text
from topoviz.loading import load
from topoviz.picture import render


def scene(part: str, *changes: dict, **keys: object) -> Scene:
    """The picture of a part after changes."""
    return render(load({"part": part, "changes": list(changes)}), **keys).scene()


def rails(part: str, *changes: dict, **keys: object) -> Scene:
    """The picture of four servers on eight rails after changes."""
    fabric = {"join": "node/nic", "kind": "infiniband", "switch": "qm9700", "rails": 8}
    document = {"contains": {"node": {"part": part, "count": 4}}, "fabric": [fabric], "changes": list(changes)}
    return render(load(document), **keys).scene()


def boxes(drawn: Scene) -> dict[str, Box]:
    """The first box of each thing, by id."""
    return {dict(i.data)["id"]: i.shapes[0] for i in drawn.items if i.role == "node" and isinstance(i.shapes[0], Box)}


def middle(box: Box) -> float:
    return box.x + box.width / 2


GONE = [f"{kind}{k}" for kind in ("gpu", "nic", "sw") for k in (0, 3, 7)] + ["nvs0", "cpu0", "cpu1"]


@pytest.mark.parametrize("gone", GONE)
@pytest.mark.parametrize("part", ["dgx-h100", "dgx-a100", "hgx-h100"])
@pytest.mark.parametrize("fault", [{"absent": True}, {"state": "down"}])
def test_a_server_without_one_of_its_things_is_clean(part, gone, fault):
    if any(t.id == gone for t in load(part).root.children):
        assert audit(scene(part, {"at": gone, **fault})) == ()


@pytest.mark.parametrize("part", ["dgx-h100", "dgx-a100"])
@pytest.mark.parametrize("gone", ["gpu0", "gpu3"])
def test_a_gpu_that_is_not_there_leaves_its_column_empty(part, gone):
    whole, less = boxes(scene(part)), boxes(scene(part, {"at": gone, "absent": True}))
    assert set(whole) - set(less) == {gone}
    moved = {name for name in less if name[:3] in {"gpu", "nic"} and abs(middle(whole[name]) - middle(less[name])) > 2}
    assert moved == set()


@pytest.mark.parametrize("gone", ["gpu0", "gpu3"])
@pytest.mark.parametrize("part", ["dgx-h100", "hgx-h100"])
def test_on_rails_a_card_without_its_gpu_stands_alone(part, gone):
    drawn = rails(part, {"at": f"node1/{gone}", "absent": True})
    assert audit(drawn) == ()
    found = boxes(drawn)
    for k in range(8):
        card, gpu = found[f"node1/nic{k}"], found.get(f"node1/gpu{k}")
        assert (gpu is None) == (gone == f"gpu{k}")
        assert gpu is None or 0 < middle(gpu) - middle(card) < 60


def test_a_card_that_is_not_there_leaves_the_leaf_switches_in_their_order():
    found = boxes(rails("dgx-h100", {"at": "node2/nic5", "absent": True}))
    order = sorted((box.x, name) for name, box in found.items() if name.startswith("leaf"))
    assert [name for _, name in order] == [f"leaf{k}" for k in range(8)]


def test_each_line_of_a_card_ends_at_its_switch():
    """Every line between a network card and the switch below it must end on the switch, not beside it."""
    drawn = scene("dgx-a100")
    found = boxes(drawn)
    ends = [(item, dict(item.data)) for item in drawn.items if item.role == "link"]
    lines = [
        (i.shapes[0], d) for i, d in ends if "nic" in d["source"] + d["target"] and "sw" in d["source"] + d["target"]
    ]
    assert len(lines) == 8
    for line, data in lines:
        assert isinstance(line, Line)
        switch = found[data["source"] if data["source"].startswith("sw") else data["target"]]
        assert all(switch.x <= x <= switch.x + switch.width for x, _ in line.points)


@pytest.mark.parametrize("layout", [None, "nested"])
def test_lanes_pass_behind_a_switch_that_is_down(layout):
    assert audit(scene("dgx-2", {"at": "board0/nvs1", "state": "down"}, layout=layout)) == ()


def stacked(drawn: Scene) -> set[str]:
    """The first of the things that are drawn as one."""
    return {dict(i.data)["id"] for i in drawn.items if i.role == "node" and int(dict(i.data).get("count", 1)) > 1}


FAULTS = [
    {"link": ["node2/nic4", "leaf4"], "state": "down"},
    {"link": ["node2/nic4", "leaf4"], "bandwidth": "HDR"},
    {"link": ["node2/gpu0", "node2/nvs0"], "links": 1},
    {"link": ["node2/nic4", "leaf4"], "absent": True},
    {"at": "node2/nic4", "absent": True},
    {"at": "node2/gpu3", "state": "down"},
]


@pytest.mark.parametrize("layout", [None, "nested"])
@pytest.mark.parametrize("fault", FAULTS)
def test_what_differs_by_a_fault_or_a_link_is_never_folded_away(fault, layout):
    drawn = rails("dgx-h100", fault, layout=layout)
    assert audit(drawn) == ()
    assert "node2/gpu0" in boxes(drawn)
    assert "node3/gpu0" not in boxes(drawn)


def test_both_ends_of_a_path_are_drawn_one_by_one():
    found = boxes(rails("dgx-h100", highlight={"path": ["node2/gpu0", "node3/gpu1"]}))
    assert {"node2/gpu0", "node3/gpu1"} <= set(found)


@pytest.mark.parametrize(("state", "crosses"), [("down", 1), ("degraded", 0)])
def test_a_cable_of_a_rail_that_is_not_up_says_so(state, crosses):
    drawn = rails("dgx-h100", {"link": ["node2/nic4", "leaf4"], "state": state})
    (item,) = (i for i in drawn.items if i.role == "link" and "node2/nic4" in dict(i.data).values() and "leaf4" in i.of)
    alert = [s for s in item.shapes if isinstance(s, Line) and s.stroke == "alert"]
    assert len(alert) == 1 + 2 * crosses
    assert bool(alert[0].dash) == (state == "down")


def test_more_faulty_servers_than_are_drawn_in_full_have_a_mark_each():
    faults = [{"link": [f"node{k}/nic4", "leaf4"], "state": "down"} for k in range(2, 12)]
    fabric = {"join": "node/nic", "kind": "infiniband", "switch": "qm9700", "rails": 8}
    document = {"contains": {"node": {"part": "dgx-h100", "count": 12}}, "fabric": [fabric], "changes": faults}
    drawn = render(load(document)).scene()
    marked = {
        e for i in drawn.items for e in i.of if any(isinstance(s, Line) and s.stroke == "alert" for s in i.shapes)
    }
    assert {name.partition("/")[0] for name in marked if name.startswith("node")} == {f"node{k}" for k in range(2, 12)}


def test_a_gpu_without_its_network_card_is_still_there():
    found = boxes(rails("dgx-h100", {"at": "node1/nic5", "absent": True}))
    assert abs(found["node1/gpu5"].x - found["node0/gpu5"].x) < 1


def test_many_cables_of_which_one_is_down_are_not_all_shown_as_faulty():
    drawn = rails("dgx-h100", {"link": ["node2/nic4", "leaf4"], "state": "down"}, layout="fabric")
    lines = [
        s for i in drawn.items if i.role == "link" and i.kind == "infiniband" for s in i.shapes if isinstance(s, Line)
    ]
    assert sum(line.stroke == "alert" for line in lines) == 1


@pytest.mark.parametrize(("lang", "said"), [("en", "one of them faulty"), ("zh", "其中一条有故障")])
def test_boxes_tell_of_a_fault_on_a_link_that_they_do_not_draw(lang, said):
    fault = {"link": ["node2/nic4", "leaf4"], "state": "down"}
    texts = [s.content for s in shapes_of(rails("dgx-h100", fault, layout="nested", lang=lang))]
    assert any(said in text for text in texts)
    assert not any(said in s.content for s in shapes_of(rails("dgx-h100", layout="nested", lang=lang)))


def shapes_of(drawn: Scene) -> list[Text]:
    return [shape for item in drawn.items for shape in item.shapes if isinstance(shape, Text)]
