"""Boxes in boxes: any hierarchy becomes a picture in which nothing overlaps and nothing is forgotten."""

from dataclasses import replace

import pytest
from small_systems import CPU, DGX, GPU, LEAF, MESH, NIC, NVL72, OWN_RACK, TRAY, group, kind, link, scope

from topoviz.drawing.audit import audit
from topoviz.drawing.layout import Block, Tier
from topoviz.drawing.nest import BUDGET, fitting
from topoviz.drawing.nest_groups import Rule, stack_name
from topoviz.drawing.scene import Line, Scene, Text
from topoviz.drawing.views import nested

NESTED = Block(view="nested")
ODD = kind(
    "crate",
    *group("board", 3, kind("board", *group("tpu", 4, kind("tpu")), *group("bmc", 1, kind("controller")))),
    *group("head", 1, CPU),
    links=tuple(link("head0", f"board{i}/tpu0", "pcie") for i in range(3)),
)
CLUSTER = kind(
    "cluster",
    *group("spine", 4, LEAF),
    *group("leaf", 8, LEAF),
    *group("node", 32, DGX),
    links=(
        *(link(f"leaf{i}", f"spine{j}", "infiniband", 8, 400.0) for i in range(8) for j in range(4)),
        *(link(f"node{n}/nic{k}", f"leaf{k}", "infiniband", 1, 50.0) for n in range(32) for k in range(8)),
    ),
)
DEEP = kind("a", *group("b", 2, kind("b", *group("c", 2, kind("c", *group("d", 2, kind("d", *group("gpu", 3, GPU))))))))
LONELY = kind("box", *group("gpu", 1, GPU))
MANY = kind("box", *group("gpu", 500, GPU))
SYSTEMS = {
    "dgx": DGX,
    "mesh": MESH,
    "nvl72": NVL72,
    "own-rack": OWN_RACK,
    "odd": ODD,
    "cluster": CLUSTER,
    "deep": DEEP,
    "tray": TRAY,
    "lonely": LONELY,
    "many": MANY,
    "empty": kind("box"),
}


def drawn(assembly, width=912.0, block=NESTED, **wishes):
    return nested.draw(block, scope(assembly, **wishes), width)


def ids(drawing, word="id"):
    return [value for item in drawing.items if item.role == "node" for key, value in item.data if key == word]


def links(drawing, of_kind):
    return [item for item in drawing.items if item.role == "link" and item.kind == of_kind]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("width", [420, 912])
def test_nothing_overlaps_and_no_line_crosses_a_box(name, width):
    drawing = drawn(SYSTEMS[name], width)
    assert (
        audit(Scene(width=width + 1, height=drawing.height + 1, items=drawing.items, title="t", description="d")) == ()
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_link_is_drawn_or_counted_as_left_out(name):
    drawing = drawn(SYSTEMS[name])
    shown = sum(int(dict(item.data)["links"]) for item in drawing.items if item.role == "link")
    told = sum(int(note.split()[1].replace(",", "")) for note in drawing.notes if note.startswith("left-out"))
    opened = [t for t in scope(SYSTEMS[name]).roots[0].walk() if t.id in ids(drawing) and not _is_stack(drawing, t.id)]
    made = [scope(SYSTEMS[name]).roots[0], *opened]
    assert shown + told == sum(link.links for thing in made for link in thing.assembly.links)


def _is_stack(drawing, thing_id):
    return any(("id", thing_id) in item.data and "count" in dict(item.data) for item in drawing.items)


def test_a_server_is_drawn_with_all_its_links():
    drawing = drawn(DGX)
    assert drawing.notes == ()
    assert (len(links(drawing, "pcie")), len(links(drawing, "nvlink")), len(links(drawing, "upi"))) == (24, 32, 1)


def test_switches_wired_to_all_are_bars():
    drawing = drawn(DGX)
    bars = [item.shapes[0] for item in drawing.items if item.kind == "nvswitch"]
    assert len({(bar.x, bar.width) for bar in bars}) == 1
    assert bars[0].width > 600


def test_a_lane_counts_the_links_of_its_gpu():
    plates = [shape.content for item in links(drawn(DGX), "nvlink") for shape in item.shapes if isinstance(shape, Text)]
    assert plates == ["18"] * 8


def test_equal_things_beyond_the_budget_are_a_stack():
    drawing = drawn(CLUSTER)
    assert ids(drawing, "count") == ["31"]
    assert "31 × DGX H100" in drawing.notes


def test_what_differs_is_never_in_a_stack():
    faulty = tuple(replace(c, state="down") if c.name == "node20" else c for c in CLUSTER.children)
    drawing = drawn(replace(CLUSTER, children=faulty))
    assert "node20" in ids(drawing)
    assert ids(drawing, "count") == ["30"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_budget_holds(name):
    assert len(ids(drawn(SYSTEMS[name]))) <= BUDGET


def test_containers_are_enclosures_with_their_name():
    item = next(item for item in drawn(ODD).items if ("id", "board1") in item.data)
    assert (item.layer, item.shapes[0].fill, item.shapes[1].content) == ("enclosure", "surf", "board 1")


def test_an_unknown_kind_is_a_plain_box():
    item = next(item for item in drawn(ODD).items if item.kind == "tpu")
    assert (item.shapes[0].shape, item.shapes[0].fill) == ("rect", "bg")


def test_the_host_stands_above_what_hangs_on_it():
    places = {item.data[0][1]: item.shapes[0].y for item in drawn(DGX).items if item.role == "node"}
    assert places["cpu0"] < places["sw0"] == places["nic0"] < places["gpu0"] < places["nvs0"]


def test_the_layout_may_give_the_order():
    block = replace(NESTED, tiers=(Tier(show=("gpu",)), Tier(show=("cpu",))))
    places = {item.data[0][1]: item.shapes[0].y for item in drawn(TRAY, block=block).items if item.role == "node"}
    assert places["gpu0"] < places["cpu0"] < places["nic0"]


def test_what_is_hidden_is_not_drawn():
    assert {item.kind for item in drawn(DGX, hide=("nic", "pcie")).items if item.role == "node"} == {
        "cpu",
        "gpu",
        "nvswitch",
    }


def test_what_is_folded_is_closed():
    drawing = drawn(ODD, fold=("board1",))
    assert "board1" in ids(drawing)
    assert "board1/tpu0" not in ids(drawing)


def test_elbows_of_one_switch_make_a_fan():
    lines = [shape for item in links(drawn(ODD), "pcie") for shape in item.shapes if isinstance(shape, Line)]
    assert len({line.points[0] for line in lines}) == 1
    assert all(
        a[0] == b[0] or a[1] == b[1] for line in lines for a, b in zip(line.points, line.points[1:], strict=False)
    )


def test_the_numbers_of_a_fan_lie_on_the_elbows_that_pass_them():
    board = kind("board", *group("nic", 4, NIC))
    many = tuple(link(f"spine{i // 4}", f"board{i}", "infiniband", 8, 400.0) for i in range(5))
    drawing = drawn(kind("box", *group("spine", 2, LEAF), *group("board", 5, board), links=many))
    assert len([item for item in links(drawing, "infiniband") if len(item.shapes) == 3]) == 5
    page = Scene(width=drawing.width, height=drawing.height, items=drawing.items, title="t", description="d")
    assert audit(page) == ()


def test_tangled_links_are_left_out():
    made = kind(
        "node",
        *group("cpu", 6, CPU),
        *group("nic", 6, NIC),
        links=tuple(link(f"cpu{i}", f"nic{j}", "pcie") for i in range(6) for j in range(6) if i != j),
    )
    drawing = drawn(made)
    assert links(drawing, "pcie") == []
    assert drawing.notes == ("left-out: 30 PCIe links",)


def test_same_input_same_picture():
    assert drawn(CLUSTER) == drawn(CLUSTER)


def test_several_roots_stand_below_each_other():
    drawing = drawn(OWN_RACK, roots=("node0", "node1"))
    tops = [item.shapes[0].y for item in drawing.items if item.kind == "node"]
    assert len(tops) == 2
    assert tops[1] > tops[0] + 300


@pytest.mark.parametrize(("count", "expected"), [(1, "GPU 0"), (3, "3 × GPU 0–2")])
def test_a_stack_says_what_is_in_it(count, expected):
    made = scope(kind("node", *group("gpu", count, GPU))).roots[0]
    assert stack_name(made.children, "en") == expected


def test_fewer_are_opened_where_all_would_be_too_tall():
    root = scope(CLUSTER).roots[0]
    assert fitting(root, 912, Rule()).height <= 0.9 * 912
