"""Every component has its sign: the shape says the role, the hue says the fabric."""

import pytest
from small_systems import GPU, NVL72, OWN_RACK, kind, topology

from topoviz.drawing import glyphs
from topoviz.drawing.by_kind import Place, glyph_of, network
from topoviz.drawing.look import words
from topoviz.drawing.rack import contents, rack_mark, shelves, the_rack, units
from topoviz.drawing.scene import Box, Cells, Text
from topoviz.model.topology import Child, Thing

SIGNS = {
    "gpu": (glyphs.gpu, "rect", "gpu", ""),
    "cpu": (glyphs.cpu, "rect", "pcie.tint", "pcie.line"),
    "pcie": (glyphs.pcie_switch, "hexagon", "pcie.tint", "pcie.line"),
    "nic": (glyphs.nic, "rect", "infiniband.tint", "infiniband.line"),
    "nvswitch": (glyphs.nvswitch, "hexagon", "nvlink.tint", "nvlink.line"),
    "switch": (glyphs.switch, "hexagon", "infiniband.tint", "infiniband.line"),
    "card": (glyphs.card, "rect", "bg", "frame"),
}


def said(item):
    return [shape.content for shape in item.shapes if isinstance(shape, Text)]


def thing(assembly, **more):
    return Thing("x0", Child(name="x0", group="x", assembly=assembly, **more))


@pytest.mark.parametrize("name", SIGNS)
def test_shape_and_hue_say_what_it_is(name):
    sign, shape, fill, stroke = SIGNS[name]
    outline = sign("id7", 10, 20, 88, 32, "x 7").shapes[0]
    assert (outline.shape, outline.fill, outline.stroke) == (shape, fill, stroke)
    assert (outline.x, outline.y, outline.width, outline.height) == (10, 20, 88, 32)


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_carries_id_kind_and_tooltip(name):
    item = SIGNS[name][0]("rack0/x7", 0, 0, 88, 32, "x 7", tooltip="what it is")
    assert (item.role, item.kind, item.title) == ("node", name, "what it is")
    assert item.data == (("id", "rack0/x7"), ("kind", name))


@pytest.mark.parametrize("name", SIGNS)
def test_muted_is_a_ghost(name):
    item = SIGNS[name][0]("x", 0, 0, 88, 32, "x 7", muted=True)
    assert {item.shapes[0].stroke, item.shapes[0].fill} == {"ghost", "surf"}
    assert item.shapes[-1].fill == "ink3"


@pytest.mark.parametrize("name", SIGNS)
def test_what_is_down_is_dashed_and_not_filled(name):
    outline = SIGNS[name][0]("x", 0, 0, 88, 32, "x 7", state="down").shapes[0]
    assert (outline.stroke, outline.fill, outline.dash) == ("alert", "", (4, 3))


def test_what_is_degraded_has_one_more_outline():
    assert glyphs.gpu("x", 0, 0, 76, 42, state="degraded").shapes[1].stroke == "alert"


def test_a_cpu_has_two_outlines_three_units_apart():
    outer, inner = glyphs.cpu("cpu0", 0, 0, 112, 40).shapes
    assert (inner.x - outer.x, inner.y - outer.y, outer.width - inner.width) == (3, 3, 6)


@pytest.mark.parametrize(("side", "x", "y"), [("top", 15, -3), ("bottom", 15, 25), ("left", -3, 9), ("right", 37, 9)])
def test_the_port_tab_faces_the_network(side, x, y):
    tab = glyphs.nic("nic0", 0, 0, 40, 28, side=side).shapes[1]
    assert (tab.x, tab.y, tab.fill) == (x, y, "infiniband.line")


@pytest.mark.parametrize(("width", "expected"), [(76, ["GPU 0"]), (36, ["0"]), (17, ["0"]), (8, [])])
def test_a_name_that_does_not_fit_becomes_a_number_and_then_nothing(width, expected):
    assert said(glyphs.gpu("gpu0", 0, 0, width, 30, "GPU 0")) == expected


def test_a_network_card_without_room_keeps_its_word():
    assert said(glyphs.nic("nic0", 0, 0, 36, 28, "NIC 0")) == ["NIC"]


def test_a_second_line_needs_height():
    tall, flat = (glyphs.gpu("gpu0", 0, 0, 76, height, "GPU 0", second="H100") for height in (42, 30))
    assert (said(tall), said(flat)) == (["GPU 0", "H100"], ["GPU 0"])


def test_the_port_count_of_a_bar_stands_at_its_right_end():
    name, count = [
        s for s in glyphs.nvswitch("n", 0, 0, 760, 24, "NVSwitch 0", right="32 NVLinks").shapes if isinstance(s, Text)
    ]
    assert (name.anchor, count.anchor, count.content) == ("start", "end", "32 NVLinks")


def test_a_bar_too_short_for_both_keeps_the_name():
    assert said(glyphs.nvswitch("n", 0, 0, 120, 24, "NVSwitch 0", right="32 NVLinks")) == ["NVSwitch 0"]


def test_a_stack_is_three_cards_and_counts():
    item = glyphs.stack("node1", 0, 0, 122, 44, "127 nodes", count=127)
    cards = [shape for shape in item.shapes if isinstance(shape, Box)]
    assert [(card.x, card.y) for card in cards] == [(12, 0), (6, 5), (0, 10)]
    assert ("count", "127") in item.data


def test_a_plate_covers_its_text():
    ground, text = glyphs.plate(50, 20, "×18 each", "nvlink.text")
    assert ground.x + ground.width / 2 == text.x == 50
    assert ground.fill == "bg"


@pytest.mark.parametrize(
    ("state", "expected"), [("up", "x0: gpu, B200"), ("down", "x0: gpu, B200, down"), ("spare", "x0: gpu, B200, spare")]
)
def test_a_tooltip_says_id_kind_title_and_state(state, expected):
    assert glyphs.tooltip(thing(GPU, state=state)) == expected


def test_words_fall_back_to_english():
    assert words({"en": "tray", "de": "Einschub"}, "fr") == "tray"


@pytest.mark.parametrize(
    ("assembly", "shape"), [(kind("gpu"), "rect"), (kind("nvswitch"), "hexagon"), (kind("valve"), "rect")]
)
def test_any_thing_has_a_sign(assembly, shape):
    item = glyph_of(thing(assembly), Place(x=0, y=0, width=80, height=30), "x 0")
    assert (item.kind, item.shapes[0].shape) == (assembly.kind, shape)


@pytest.mark.parametrize(
    ("assembly", "expected"),
    [
        (kind("switch", ports=("infiniband",)), "infiniband"),
        (kind("switch", ports=("ethernet",)), "ethernet"),
        (kind("switch"), "ethernet"),
        (kind("nic"), "infiniband"),
        (kind("nic", ports=("pcie", "ethernet")), "ethernet"),
    ],
)
def test_the_hue_of_a_network_part_is_that_of_its_ports(assembly, expected):
    assert network(thing(assembly)) == expected


def test_a_rack_mark_has_a_square_for_every_gpu():
    (mark,) = rack_mark(topology(NVL72).root, topology(NVL72), 0, 0, 72, 130)
    squares = next(shape for shape in mark.shapes if isinstance(shape, Cells) and shape.fill == "gpu")
    assert len(squares.xs) * len(squares.ys) == 72
    assert ("count", "72") in mark.data


@pytest.mark.parametrize(("width", "fields"), [(72, Cells), (30, Box)])
def test_a_rack_mark_shows_where_the_nvlink_switches_are(width, fields):
    (mark,) = rack_mark(topology(NVL72).root, topology(NVL72), 0, 0, width, 130)
    tints = [shape for shape in mark.shapes if shape.fill == "nvlink.tint"]
    assert [type(shape) for shape in tints] == [fields]


def test_a_rack_mark_stays_inside():
    (mark,) = rack_mark(topology(OWN_RACK).root, topology(OWN_RACK), 100, 50, 30, 135)
    squares = next(shape for shape in mark.shapes if isinstance(shape, Cells))
    assert min(squares.xs) > 100
    assert max(squares.xs) + squares.width < 130
    assert max(squares.ys) + squares.height < 185


def test_what_names_no_unit_is_stacked_from_the_bottom():
    rack = kind(
        "rack",
        Child(name="a", group="a", assembly=GPU),
        Child(name="b", group="b", slot=2, assembly=GPU),
        Child(name="c", group="c", assembly=kind("node", height=2)),
    )
    assert [(s.thing.name, s.unit, s.top) for s in shelves(topology(rack).root)] == [
        ("a", 1, 1),
        ("b", 2, 2),
        ("c", 3, 4),
    ]


@pytest.mark.parametrize(("rack", "expected"), [(NVL72, 48), (OWN_RACK, 48), (kind("rack"), 1)])
def test_units_of_a_rack(rack, expected):
    assert units(topology(rack).root) == expected


def test_contents_count_what_is_inside():
    assert dict(contents(topology(NVL72).root))["gpu"] == 72


def test_the_rack_is_found_inside():
    hall = kind(
        "hall", Child(name="row", group="row", assembly=kind("row", Child(name="r", group="r", assembly=NVL72)))
    )
    assert the_rack((topology(hall).root,)).id == "row/r"
