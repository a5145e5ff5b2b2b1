"""The table of times: a row for each panel, bars in one scale, a small picture of the way."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Text

CLUSTER = {
    "contains": {
        "node": {"count": 8, "contains": {"gpu": "h100-pcie", "nic": "connectx-7"},
                 "wires": [{"from": "gpu", "to": "nic", "kind": "pcie"}]},
        "leaf": "qm9700",
    },
    "wires": [{"from": "node/nic", "to": "leaf", "kind": "infiniband"}],
}  # fmt: skip
FOUR = [
    {"part": "l40s-server", "variant": "direct-attach"},
    {"title": "a NIC each"},
    {"part": "dgx-h100", "measured": "82 %"},
    {"part": "dgx-b200"},
]


def scene(panels=FOUR, lang="en", **keys):
    asked = {"layout": "time-table", "highlight": "ring", "size": "14 GB", "panels": panels, "lang": lang, **keys}
    return tv.render(tv.load(CLUSTER), **asked).scene()


def texts(drawn):
    return [shape.content for item in drawn.items for shape in item.shapes if isinstance(shape, Text)]


def bars(drawn):
    boxes = [shape for item in drawn.items for shape in item.shapes if isinstance(shape, Box)]
    return [box for box in boxes if box.x == 596 + 24 and not box.dash]


@pytest.mark.parametrize(
    ("rate", "time"), [("32 GB/s", "0.77 s"), ("50 GB/s", "0.49 s"), ("450 GB/s", "54 ms"), ("900 GB/s", "27 ms")]
)
def test_each_row_has_its_rate_and_its_time(rate, time):
    said = texts(scene())
    assert said.index(time) == said.index(rate) + 1


def test_bars_are_in_one_scale():
    lengths = [box.width for box in bars(scene())]
    assert [round(lengths[0] / one, 2) for one in lengths] == [1.0, 1.56, 14.06, 28.12]


def test_a_measured_share_adds_an_open_bar_and_its_words():
    drawn = scene()
    dashed = [s for item in drawn.items for s in item.shapes if isinstance(s, Box) and s.dash]
    assert len(dashed) == 1
    assert "measured 82 %: 66 ms" in texts(drawn)


@pytest.mark.parametrize("panels", [["dgx-h100", "dgx-b200"], ["dgx-1v", "l40s-server", "gb200-nvl72"], FOUR])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_table_passes_the_audit(panels, lang):
    assert audit(scene(panels, lang)) == ()


def test_another_number_of_gpus_is_not_said_to_send_the_same():
    assert "Sent ÷ rate" in texts(scene(["dgx-h100", "gb200-nvl72"]))


def test_without_a_size_there_is_no_table():
    with pytest.raises(tv.SpecError, match="'time-table' finds nothing to draw here"):
        tv.render(tv.load(CLUSTER), layout="time-table", highlight="ring", panels=["dgx-h100"]).scene()


@pytest.mark.parametrize(
    ("part", "squares", "said"), [("dgx-h100", 8, []), ("gb200-nvl72", 72, []), ("nvl72-cluster", 4, ["… 576"])]
)
def test_the_small_picture_has_the_gpus_of_the_machine(part, squares, said):
    scene = tv.render(tv.load(part), layout="time-table", highlight="ring", size="1GB").scene()
    shapes = [shape for item in scene.items for shape in item.shapes]
    assert sum(isinstance(one, Box) and one.fill == "gpu" for one in shapes) == squares
    assert [one.content for one in shapes if isinstance(one, Text) and one.content.startswith("…")] == said
    assert audit(scene) == ()
