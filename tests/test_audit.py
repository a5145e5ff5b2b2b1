import pytest
import scenes

from topoviz.drawing.audit import audit
from topoviz.drawing.bounds import Bounds, of_text, segments
from topoviz.drawing.scene import Box, Item, Line, Run, Text
from topoviz.drawing.text import typical, width

LEFT, MIDDLE, RIGHT = (scenes.gpu(f"gpu{i}", 10 + 100 * i) for i in range(3))
SWITCH = scenes.node("nvs0", Box(x=10, y=80, width=276, height=24, shape="hexagon", fill="nvlink.tint"), layer="switch")
TRAY = scenes.node("tray", Box(x=2, y=2, width=296, height=70, fill="surf"), kind="tray", layer="enclosure")


def found(*items, **wishes):
    return audit(scenes.scene(*items, **{"width": 300, "height": 200, **wishes}))


def label(*texts):
    return Item(role="label", layer="label", shapes=texts)


@pytest.mark.parametrize(
    "items",
    [
        (LEFT, MIDDLE, RIGHT, SWITCH),
        (TRAY, LEFT, MIDDLE),
        (LEFT, SWITCH, scenes.link("gpu0", "nvs0", (48, 62), (48, 80))),
        (LEFT, MIDDLE, RIGHT, scenes.link("gpu0", "gpu2", (86, 41), (210, 41), of=("gpu1",))),
        (TRAY, LEFT, SWITCH, scenes.link("gpu0", "nvs0", (48, 62), (48, 80))),
        (label(Text(x=10, y=20, content="a"), Text(x=10, y=34, content="b")),),
        (label(Text(x=10, y=20, content=" "), Text(x=10, y=20, content="b")),),
    ],
)
def test_good_pictures_have_no_findings(items):
    assert found(*items) == ()


@pytest.mark.parametrize(
    ("items", "finding"),
    [
        ((label(Text(x=10, y=20, content="one"), Text(x=25, y=22, content="two")),), "text 'one' meets text 'two'"),
        ((label(Text(x=290, y=20, content="far")),), "text 'far' leaves the page"),
        ((label(Text(x=5, y=20, content="near", anchor="end")),), "text 'near' leaves the page"),
        ((label(Text(x=5, y=5, content="high")),), "text 'high' leaves the page"),
        ((label(Text(x=5, y=20, content="tiny", size=11)),), "text 'tiny' is set in 11 u, below 12"),
        ((label(Text(x=5, y=20, runs=(Run(content="a"), Run(content="b", size=10)))),), "text 'a b' is set in 10 u, below 12"),
        ((scenes.gpu("gpu0", 250),), "'gpu0' leaves the page"),
        ((LEFT, scenes.gpu("gpu9", 50, 40)), "'gpu0' overlaps 'gpu9'"),
        ((LEFT, MIDDLE, RIGHT, scenes.link("gpu0", "gpu2", (86, 41), (210, 41))), "a line of 'gpu0' to 'gpu2' crosses 'gpu1'"),
        ((LEFT, MIDDLE, scenes.decor(Line(points=((0, 41), (99, 41)), stroke="hair"))), "a line of decor crosses 'gpu0'"),
        ((scenes.node("x", Box(x=float("nan"), y=0, width=1, height=1)),), "'x' has a number that is not finite"),
        ((label(Text(x=float("inf"), y=0, content="x")),), "label has a number that is not finite"),
        (
            (label(Text(x=10, y=20, content="struck")), scenes.decor(Line(points=((0, 16), (99, 16)), stroke="hair"))),
            "text 'struck' is struck through by a line of decor",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(items, finding):
    assert finding in found(*items)


def test_a_name_too_wide_for_its_box_is_told():
    (finding,) = found(scenes.gpu("gpu0", 110, text="GPU with a long name"))
    assert finding.startswith("text 'GPU with a long name' of 'gpu0' is")
    assert finding.endswith("u too wide for its box")


def test_a_text_too_high_for_its_box_is_told():
    item = scenes.node("gpu0", Box(x=10, y=20, width=90, height=20, fill="gpu"), Text(x=15, y=40, content="low"))
    assert any("too high for its box" in finding for finding in found(item))


def test_a_text_beside_its_component_may_be_wider():
    item = scenes.node(
        "nic0", Box(x=10, y=20, width=20, height=20, fill="gpu"), Text(x=10, y=60, content="a NIC with a name")
    )
    assert found(item) == ()


@pytest.mark.parametrize(("plate", "findings"), [(True, 0), (False, 1)])
def test_a_plate_under_a_number_interrupts_the_line(plate, findings):
    line = Line(points=((48, 0), (48, 90)), stroke="nvlink.line")
    ground = (Box(x=36, y=36, width=24, height=16, fill="surf"),) if plate else ()
    shapes = (line, *ground, Text(x=48, y=48, content="18", size=12, anchor="middle"))
    assert len(found(Item(role="link", layer="link", shapes=shapes))) == findings


def test_a_curve_is_followed():
    bend = Line(points=((0, 0), (0, 100), (100, 100), (100, 0)), stroke="gpu", curve=True)
    lowest = max(y for _, (_, y) in segments(bend))
    assert lowest == pytest.approx(75)


def test_a_finding_is_told_once():
    twice = (label(Text(x=290, y=20, content="far")), label(Text(x=290, y=60, content="far")))
    assert found(*twice) == ("text 'far' leaves the page",)


@pytest.mark.parametrize(("safe", "measure"), [(True, width), (False, typical)])
def test_a_text_of_pieces_is_as_long_as_its_pieces(safe, measure):
    text = Text(x=100, y=20, size=12, anchor="end", runs=(Run(content="CPU 0", bold=True), Run(content="Xeon", dx=6)))
    area = of_text(text, safe=safe)
    assert area.right == 100
    assert area.right - area.left == pytest.approx(measure("CPU 0", 12, bold=True) + 6 + measure("Xeon", 12))


@pytest.mark.parametrize(
    ("start", "end", "answer"),
    [
        ((-5, 5), (15, 5), True),
        ((2, 2), (3, 3), True),
        ((-5, -1), (15, -1), False),
        ((-5, 5), (-1, 5), False),
        ((-3, 2), (2, -3), False),
        ((5, 20), (5, 10), True),
        ((-1, -1), (-1, -1), False),
    ],
)
def test_segments_and_rectangles(start, end, answer):
    assert Bounds(0, 0, 10, 10).crossed(start, end) is answer
