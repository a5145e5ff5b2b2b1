"""A rack from the front: what stands where, how many GPUs can be counted, what the brackets say."""

from dataclasses import replace

import pytest
from small_systems import MANAGEMENT, NVL72, OWN_RACK, POWER, group, kind, scope

from topoviz.drawing import brackets
from topoviz.drawing.audit import audit
from topoviz.drawing.layout import Block
from topoviz.drawing.rack import shelves
from topoviz.drawing.scene import Cells, Line, Scene, Text
from topoviz.drawing.views import elevation

BLOCK = Block(view="elevation", options={"axis": "U", "ticks": 8, "free": "free U"})
RACKS = {"nvl72": NVL72, "own": OWN_RACK}


def drawn(rack, width=300.0, height=None, block=BLOCK, **wishes):
    return elevation.draw(block, scope(rack, **wishes), width, height)


def texts(drawing):
    return [shape.content for item in drawing.items for shape in item.shapes if isinstance(shape, Text)]


def squares(drawing, fill="gpu"):
    cells = [
        shape for item in drawing.items for shape in item.shapes if isinstance(shape, Cells) and shape.fill == fill
    ]
    return sum(len(one.xs) * len(one.ys) if one.filled is None else len(one.filled) for one in cells)


def item(drawing, thing_id):
    return next(one for one in drawing.items if ("id", thing_id) in one.data)


@pytest.mark.parametrize(("rack", "gpus"), [(NVL72, 72), (OWN_RACK, 32)])
@pytest.mark.parametrize("compact", [False, True])
def test_every_gpu_can_be_counted(rack, gpus, compact):
    assert squares(drawn(rack, compact=compact)) == gpus


def test_cpus_are_blue():
    assert squares(drawn(NVL72), "pcie.line") == 36


def test_a_tray_is_g_c_g_twice():
    gpus, cpus = item(drawn(NVL72), "tray0").shapes[1:]
    order = sorted([*((x, "G") for x in gpus.xs), *((x, "c") for x in cpus.xs)])
    assert "".join(sign for _, sign in order) == "GcGGcG"


def test_units_count_from_the_bottom():
    drawing = drawn(NVL72)
    low, high = (item(drawing, f"tray{number}").shapes[0] for number in (0, 1))
    assert low.y - high.y == pytest.approx(11.6)


def test_eight_units_are_eight_times_as_tall():
    drawing = drawn(OWN_RACK)
    node, power = (item(drawing, name).shapes[0].height for name in ("node0", "power0"))
    assert node + 0.19 * 11.6 == pytest.approx(8 * (power + 0.19 * 11.6))


@pytest.mark.parametrize(
    ("thing", "shape", "fill"),
    [("power0", "rect", "surf2"), ("mgmt0", "hexagon", "ethernet.tint"), ("tray3", "rect", "bg")],
)
def test_what_stands_in_a_rack_looks_like_what_it_is(thing, shape, fill):
    body = item(drawn(NVL72), thing).shapes[0]
    assert (body.shape, body.fill, body.hatch) == (shape, fill, thing == "power0")


def test_a_fault_is_seen():
    rack = replace(NVL72, children=tuple(replace(c, state="down") if c.name == "tray3" else c for c in NVL72.children))
    assert item(drawn(rack), "tray3").shapes[0].stroke == "alert"


@pytest.mark.parametrize(
    "expected",
    [
        "10 compute trays",
        "8 compute trays",
        "9 NVLink switch trays",
        "4 power shelves",
        "2 Ethernet switches",
        "free U",
    ],
)
def test_brackets_name_runs(expected):
    assert expected in texts(drawn(NVL72, 400))


def test_what_each_one_holds_stands_below_its_name():
    assert "4 GPUs + 2 Grace each" in texts(drawn(NVL72, 400))


@pytest.mark.parametrize(("ticks", "numbers"), [(8, ["1", "8", "16", "24", "32", "40", "48"]), (24, ["1", "24", "48"])])
def test_every_so_many_units_have_a_number(ticks, numbers):
    block = replace(BLOCK, options={**BLOCK.options, "ticks": ticks})
    assert [text for text in texts(drawn(NVL72, block=block)) if text.isdigit()] == numbers


@pytest.mark.parametrize("ticks", [1, 2])
def test_numbers_never_touch(ticks):
    block = replace(BLOCK, options={"ticks": ticks})
    label = next(one for one in drawn(NVL72, block=block).items if one.role == "label")
    ys = sorted(shape.y for shape in label.shapes if isinstance(shape, Text) and shape.content.isdigit())
    assert min(b - a for a, b in zip(ys, ys[1:], strict=False)) >= 12


@pytest.mark.parametrize(("wish", "expected"), [(None, 582.8), (500, 500), (10_000, 746), (10, 362)])
def test_the_height_gives_way_within_reason(wish, expected):
    assert drawn(NVL72, height=wish).height == pytest.approx(expected)


def test_small_form_leaves_out_and_says_so():
    drawing = drawn(NVL72, 194, 248, compact=True)
    assert (drawing.height, drawing.notes) == (248, ("left-out: power shelves", "left-out: network switches"))


def test_small_form_joins_all_trays_by_a_spine():
    link = next(one for one in drawn(NVL72, 194, 248, compact=True).items if one.role == "link")
    assert len(link.shapes[0].ys) == 27
    assert ("links", "1296") in link.data


def test_no_spine_without_scale_up_links_between_trays():
    assert [one.role for one in drawn(OWN_RACK, 194, 248, compact=True).items if one.role == "link"] == []


@pytest.mark.parametrize("name", RACKS)
@pytest.mark.parametrize("width", [230, 300, 380, 912])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_overlaps(name, width, lang):
    drawing = drawn(RACKS[name], width, lang=lang)
    scene = Scene(width=width, height=drawing.height + 4, items=drawing.items, title="t", description="d")
    assert audit(scene) == ()


@pytest.mark.parametrize("name", RACKS)
def test_nothing_overlaps_in_small(name):
    drawing = drawn(RACKS[name], 194, 248, compact=True)
    assert audit(Scene(width=194, height=250, items=drawing.items, title="t", description="d")) == ()


@pytest.mark.parametrize(
    ("slots", "expected"),
    [((1, 2, 3), [(1, 3, 3)]), ((1, 3), [(1, 3, 2)]), ((1, 4), [(1, 1, 1), (2, 3, 0), (4, 4, 1)])],
)
def test_runs_skip_one_free_unit_and_bracket_two(slots, expected):
    rack = scope(kind("rack", *group("power", len(slots), POWER, slots))).roots[0]
    found = brackets.runs(shelves(rack), slots[-1])
    assert [(run.bottom, run.top, len(run.shelves)) for run in found] == expected


def test_different_things_are_different_runs():
    rack = kind("rack", *group("power", 2, POWER, (1, 2)), *group("mgmt", 2, MANAGEMENT, (3, 4)))
    assert [run.top for run in brackets.runs(shelves(scope(rack).roots[0]), 4)] == [2, 4]


def test_an_empty_rack_is_drawn():
    assert texts(drawn(kind("rack", height=4), 300)) == ["U", "1", "free U"]


def test_posts_are_three_units_wide():
    frame = drawn(NVL72).items[0]
    assert [shape.width for shape in frame.shapes if isinstance(shape, Line)] == [3, 3]
