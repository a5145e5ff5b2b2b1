"""Cut GPUs in pictures: the view ``slices``, the layout ``mig``, the strip on a GPU of a server, fields, languages."""

import json

import pytest
from documents import DATA

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Text

SEVEN = {"part": "h100-sxm", "mig": "7 x 1g.10gb"}
SERVER = {
    "part": "dgx-h100",
    "changes": [{"at": "gpu[0-1]", "mig": "7 x 1g.10gb"}, {"at": "gpu2", "mig": ["3g.40gb", "3g.40gb"]}],
}
CUTS = {
    "h100": SEVEN,
    "h100-halves": {"part": "h100-sxm", "mig": ["3g.40gb", "3g.40gb"]},
    "h100-part": {"part": "h100-sxm", "mig": ["3g.40gb@4"]},
    "a100": {"part": "a100-sxm-40gb", "mig": ["4g.20gb", "2g.10gb", "1g.5gb+me"]},
    "a30": {"part": "a30", "mig": ["2g.12gb", "1g.6gb"]},
    "rtx": {"part": "rtx-pro-6000", "mig": ["2g.48gb", "1g.24gb+me.all", "1g.24gb-me"]},
    "gb300": {"part": "gb300-gpu", "mig": "4 x 1g.70gb"},
    "server": SERVER,
}


def scene(document, lang="en", **keys):
    return tv.render(tv.load(document), lang=lang, **keys).scene(lang)


def words(drawn):
    return [
        "".join(run.content for run in shape.runs) or shape.content
        for item in drawn.items
        for shape in item.shapes
        if isinstance(shape, Text)
    ]


def example(panels):
    return {**SEVEN, "pictures": [{"file": "a.svg", "panels": [{"mig": one} for one in panels]}]}


def first_picture(document, lang="en"):
    from topoviz.picture import pictures

    return pictures(tv.load(document))[0][1].scene(lang)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", CUTS)
def test_nothing_meets_or_leaves_its_box(name, lang):
    assert audit(scene(CUTS[name], lang)) == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_panels_are_audited_too(lang):
    assert audit(first_picture(example(["7g.80gb", ["3g.40gb", "3g.40gb"], ["3 x 2g.20gb", "1g.10gb"]]), lang)) == ()


def test_a_cut_gpu_is_drawn_by_the_layout_mig():
    said = words(scene(SEVEN))
    assert said[0] == "MIG on one H100 80 GB: 7 compute slices, 8 memory slices"
    assert said.count("1g.10gb") == said.count("10 GB") == 7
    assert {"112 of 132 in use", "20 unused", "7 of 8 in use", "PCIe 5.0 x16, shared by all instances"} <= set(said)


def test_the_caption_says_that_a_slice_is_no_seventh():
    assert "SMs are not slices times a constant: a 1g.10gb has 16 of 132 SMs, not 1/7." in words(scene(SEVEN))


def test_the_caption_does_not_say_so_of_an_a30():
    assert not [one for one in words(scene(CUTS["a30"])) if one.startswith("SMs are not")]


def test_the_bar_of_sms_is_to_scale():
    (bar,) = [item for item in scene(CUTS["a100"]).items if item.kind == "sms"]
    boxes = [shape for shape in bar.shapes if isinstance(shape, Box) and (shape.fill == "gpu" or shape.hatch)]
    each = [round((one.width + (not one.hatch) * 2) / boxes[0].height, 3) for one in boxes]
    whole = sum(each)
    assert [round(108 * one / whole) for one in each] == [56, 28, 14, 10]


@pytest.mark.parametrize(
    ("name", "hatched", "outlined"), [("h100", 1, 1), ("h100-halves", 1, 1), ("h100-part", 0, 9), ("gb300", 3, 1)]
)
def test_what_cannot_be_used_is_hatched_and_what_is_free_is_not(name, hatched, outlined):
    boxes = [s for item in scene(CUTS[name]).items if item.kind != "sms" for s in item.shapes if isinstance(s, Box)]
    assert sum(one.hatch for one in boxes) == hatched
    assert sum(bool(one.dash) for one in boxes) == outlined


def test_unknown_sms_are_said_and_no_bar_is_drawn():
    drawn = scene(CUTS["gb300"])
    assert not [item for item in drawn.items if item.kind == "sms"]
    assert "How many SMs a 1g.70gb has was not found." in words(drawn)


def test_panels_are_other_cuts_in_rows():
    said = words(first_picture(example(["7g.80gb", ["3g.40gb", "3g.40gb"]])))
    assert {"Other ways to cut the same GPU", "1 instance", "2 instances", "120 of 132 SMs", "7g132 SMs"} <= set(said)


def test_panels_of_other_gpus_are_named():
    document = {**SEVEN, "pictures": [{"file": "a.svg", "panels": [{"part": "a30", "mig": "4 x 1g.6gb"}]}]}
    assert {"Other cuts", "A30 24 GB", "4 instances"} <= set(words(first_picture(document)))


def test_panels_alone_need_no_machine():
    panels = [{"part": "a30", "mig": "4 x 1g.6gb"}, {"part": "b200", "mig": "7 x 1g.23gb"}]
    said = words(first_picture({"pictures": [{"file": "a.svg", "panels": panels}]}))
    assert {"Cuts", "A30 24 GB", "B200 180 GB", "126 of 148 SMs"} <= set(said)


def test_a_server_shows_its_cuts_at_the_gpus_and_in_the_caption():
    drawn = scene(SERVER)
    strips = {
        dict(item.data)["id"]: sum(isinstance(s, Box) and s.height == 3 for s in item.shapes)
        for item in drawn.items
        if item.kind == "gpu"
    }
    assert strips == {"gpu0": 7, "gpu1": 7, "gpu2": 2, **{f"gpu{i}": 0 for i in range(3, 8)}}
    told = "Cut by MIG, a mark for each instance: 2 GPUs as 7 × 1g.10gb; 1 GPU as 2 × 3g.40gb."
    assert any(one.startswith(told) for one in words(drawn))


def test_the_tooltip_of_a_cut_gpu_says_its_cut():
    tips = [item.title for item in scene(SERVER).items if item.kind == "gpu"]
    assert "gpu0: gpu, H100 SXM, MIG 7 × 1g.10gb" in tips


def test_a_server_in_the_layout_mig_shows_each_cut_once():
    said = words(scene(SERVER, layout="mig"))
    assert said.count("1g.10gb") == 7
    assert "2 instances" in said


def test_a_picture_of_an_uncut_server_is_unchanged():
    assert not [one for one in words(scene("dgx-h100")) if "MIG" in one]


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("{mig}", "7 × 1g.10gb"),
        ("{gpu.mig.instances} of {mig.gpu}", "7 of H100 80 GB"),
        ("{mig.sms}, {mig.sms.total}, {mig.sms.left}", "112, 132, 20"),
        ("{mig.compute} and {mig.memory}", "7 and 8"),
        ("{mig.one.sms} is no {mig.one.share}", "16 is no 1/7"),
        ("{mig.left}", "20 of 132 SMs and 1 of 8 memory slices"),
    ],
)
def test_fields(field, said):
    assert words(scene(SEVEN, title=field))[0] == said


def test_the_reference_document_is_drawn():
    text = (DATA / "examples" / "16-mig.yaml").read_text("utf-8")
    from topoviz.marks import Source

    said = words(first_picture(Source("16-mig.yaml", text), "zh"))
    assert {"计算切片", "20 个未用", "同一颗 GPU 的其他切法"} <= set(said)


def test_same_input_same_bytes():
    assert tv.render(tv.load(json.loads(json.dumps(SERVER)))).svg() == tv.render(tv.load(SERVER)).svg()
