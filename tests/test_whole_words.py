"""What pictures say is said whole: a label that has no room goes on in a second line, or says less in whole words."""

import re
from pathlib import Path

import pytest

from topoviz.drawing.glyphs import nic
from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Text
from topoviz.loading import load
from topoviz.picture import render

CUT = re.compile(r"\w…|…\w")


def said(topology, lang="en", **wishes):
    """All texts of a picture."""
    shapes = [shape for item in render(topology, lang=lang, **wishes).scene(lang).items for shape in item.shapes]
    return [shape.content or "".join(run.content for run in shape.runs) for shape in shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("source", ["examples/faults.yaml", "examples/not-enough.yaml"])
def test_no_label_is_cut(source, lang):
    assert [text for text in said(load(source), lang) if CUT.search(text)] == []


def test_switches_are_called_by_what_tells_them_apart():
    texts = said(load("examples/real-names.yaml"), layout="rail-cluster")
    assert [text for text in texts if text.startswith("leaf-")] == [
        f"leaf-{name}" for name in ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2")
    ]


def test_a_network_card_keeps_the_number_that_tells_it_apart():
    (name,) = [s.content for s in nic("bnxt_re3", 0, 0, 40, 28, "bnxt_re3").shapes if isinstance(s, Text)]
    (kind,) = [s.content for s in nic("高速网卡", 0, 0, 40, 28, "高速网卡").shapes if isinstance(s, Text)]
    assert (name, kind) == ("re3", "NIC")


JOBS = {"tp": 8, "pp": 31}, {"tp": 2, "cp": 4, "pp": 31}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("job", JOBS)
def test_every_gpu_of_a_job_has_its_number(job, lang):
    contains = {"node": "31 x dgx-h100", "leaf": "8 x qm9700"}
    wires = [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"}]
    topology = load({"contains": contains, "wires": wires, "job": job})
    items = render(topology, lang=lang).scene(lang).items
    names = [[s.content for s in item.shapes if isinstance(s, Text)] for item in items if item.kind == "gpu"]
    assert names
    assert all(len(name) == 1 for name in names)
    assert [text for text in said(topology, lang) if CUT.search(text)] == []


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("Expected against found: {count} differences", "Expected against found: 1 difference"),
        ("{count} leaves", "1 leaf"),
        ("{count} panels.", "1 panel."),
        ("{count} GPUs on {count} boards", "1 GPU on 1 board"),
        ("{count} bytes per parameter", "1 byte per parameter"),
        ("{count} boxes", "1 box"),
    ],
)
def test_one_of_a_thing_is_singular(text, one):
    assert fill(text, {"count": "1"}) == one


L40S = {
    "contains": {"node": "16 x l40s-server", "leaf": "4 x sn5600", "spine": "2 x sn5600"},
    "wires": [
        {"from": "node/nic", "to": "leaf", "kind": "ethernet", "rule": "block"},
        {"from": "leaf", "to": "spine", "kind": "ethernet"},
    ],
}


@pytest.mark.parametrize(("lang", "ways"), [("en", "2 GPUs share a network card."), ("zh", "2 块 GPU 共用一块网卡。")])
def test_a_cluster_says_how_its_gpus_reach_the_network(lang, ways):
    texts = said(load(L40S), lang, layout="fabric")
    assert texts[1].endswith(ways)
    assert not {"4 leaf", "16 × 8 × L40S server"} & set(texts)


def test_a_rack_without_cpus_does_not_speak_of_them():
    texts = said(
        load({"kind": "rack", "contains": {"tray": {"count": 9, "contains": {"gpu": "4 x b200"}}}}),
        layout="nvlink-rack",
    )
    assert not [text for text in texts if "0 CPUs" in text]


def test_no_rank_on_a_gpu_is_cut():
    document = load(Path(__file__).parents[1] / "examples" / "hybrid.yaml")
    drawn = render(document, layout="hybrid").scene()
    gpus = [item for item in drawn.items if item.kind == "gpu"]
    said = [shape.content for item in gpus for shape in item.shapes if isinstance(shape, Text)]
    assert len(said) == len(gpus) == 144
    assert not [one for one in said if "…" in one]


def test_a_cut_is_called_what_a_person_calls_it():
    panels = [
        {"part": "h100-sxm", "mig": "7 x 1g.10gb", "title": "Seven small"},
        {"part": "h100-sxm", "mig": "2 x 3g.40gb"},
    ]
    texts = said(load("h100-sxm"), layout="mig", panels=panels)
    assert "Seven small" in texts
    assert {"7 instances", "2 instances"} <= set(texts)
    assert "H100 SXM" not in texts


def test_panels_say_each_what_they_leave_out():
    texts = " ".join(said(load("dgx-h100"), layout="side-by-side", panels=["dgx-h100", "dgx-1v"]))
    assert "DGX H100: 8 NICs, 8 PCIe switches" in texts
    assert "DGX-1 (V100): 2 CPUs, 4 PCIe switches, 4 NICs" in texts


def test_what_all_panels_leave_out_is_said_once():
    ways = [{"part": "l40s-server", "variant": name, "title": name} for name in ("two-switches", "direct-attach")]
    (line,) = [
        text
        for text in said(load("l40s-server"), "zh", layout="side-by-side", panels=ways)
        if text.startswith("未画出")
    ]
    assert line == "未画出：2 块网卡、存储与管理网卡、NVMe、BMC。"


def test_pictures_of_single_rings_leave_out_what_the_picture_does():
    texts = said(load("dgx-1v"), highlight="ring")
    (line,) = [text for text in texts if text.startswith("Not drawn: ")]
    assert line == "Not drawn: 2 CPUs, 4 PCIe switches, 4 NICs, management NIC, SSDs, BMC."


CHINESE = [
    (
        "l40s-server",
        {"layout": "groups"},
        {"job": {"tp": 2, "pp": 4}},
        "NVLink（或同类链路）",
        "waits for",
    ),
    ("mi300x", {"highlight": "ring"}, {}, "环 1: gpu0", "ring 1:"),
    ("dgx-h100", {"highlight": "tree", "layout": "tree"}, {}, "树 0: ", "tree 0:"),
    ("dgx-h100", {"highlight": "ring", "overlay": "load"}, {}, "占用 100%", "busy"),
    ("dgx-h100", {}, {}, "nic0：网卡，ConnectX-7", ": nic,"),
]


@pytest.mark.parametrize(("part", "wishes", "more", "chinese", "english"), CHINESE)
def test_no_english_is_left_in_a_chinese_picture(part, wishes, more, chinese, english):
    svg = render(load({"part": part, **more}), lang="zh", **wishes).svg()
    assert chinese in "".join(svg.split("\n"))
    assert english not in svg


def test_a_link_that_only_its_kind_names_is_named_in_the_language():
    svg = render(load("examples/simulated.yaml"), lang="zh").svg()
    assert "× 网络" in svg
    assert "× network" not in svg
