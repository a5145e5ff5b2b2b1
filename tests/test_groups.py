"""Groups of a job drawn: hulls, arrows, the table of who talks over what, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.picture import choice, pictures
from topoviz.resources import Layouts

EXAMPLES = Path(__file__).parents[1] / "examples"
RACKS = {"part": "nvl72-cluster", "with": {"racks": 8}, "job": {"tp": 8, "pp": 8, "dp": 9}}
FOUR = {
    "contains": {"node": "4 x dgx-h100"},
    "fabric": [{"join": "node/nic", "switch": "qm9700", "kind": "infiniband", "rails": 8, "tiers": 1}],
}


def scene(document, lang="en", **keys):
    return tv.render(tv.load(document), **keys).scene(lang)


def words(made):
    return [shape.content for item in made.items for shape in item.shapes if hasattr(shape, "content")]


def gpus(made):
    return [dict(item.data)["id"] for item in made.items if item.role == "node" and item.kind == "gpu"]


def arrows(made, kind):
    return [shape for item in made.items if item.kind == f"group-{kind}" for shape in item.shapes]


@pytest.mark.parametrize("name", ["data-parallel", "tensor-pipeline-data", "fsdp", "hybrid"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_examples_are_clean(name, lang):
    for _, picture in pictures(tv.load(EXAMPLES / f"{name}.yaml")):
        assert audit(picture.scene(lang)) == ()
        assert picture.warnings == ()


@pytest.mark.parametrize(
    "job",
    [
        {"tp": 4, "pp": 2, "dp": 4},
        {"tp": 16, "dp": 2},
        {"tp": 2, "cp": 2, "pp": 4},
        {"dp": 32},
        {"pp": 32},
        {"fsdp": 8, "tp": 2},
        {"tp": 8, "ep": 4},
        {"tp": 1},
        {"order": "pp-dp-tp", "tp": 4, "pp": 2},
    ],
    ids=str,
)
@pytest.mark.parametrize("layout", ["groups", "hybrid"])
def test_any_job_makes_a_clean_picture(job, layout):
    made = scene({**FOUR, "job": job}, layout=layout)
    assert audit(made) == ()
    assert gpus(made)


@pytest.mark.parametrize(("part", "job"), [("l40s-server", {"tp": 4}), ("mi300x", {"tp": 2, "pp": 2}), ("dgx-2", {"tp": 16})])  # fmt: skip
def test_machines_of_all_sorts_are_drawn(part, job):
    made = scene({"part": part, "job": job}, overlay="groups")
    assert audit(made) == ()
    assert len(gpus(made)) == tv.load(part).count("gpu")


@pytest.mark.parametrize(
    "text",
    ["TP group 0", "server 0, ranks 0–7", "TP group 3", "server 3, ranks 24–31", "PP ×8", "DP: 8 groups of 2", "Replica 1",
     "Pipeline stage 1", "Tensor (TP = 8)", "0 ↔ 8", "0 → 16", "NVLink 4", "InfiniBand NDR", "450 GB/s", "50 GB/s", "16 groups"],
)  # fmt: skip
def test_the_picture_says(text):
    (_, picture), *_ = pictures(tv.load(EXAMPLES / "tensor-pipeline-data.yaml"))
    assert text in words(picture.scene("en"))


@pytest.mark.parametrize(
    "text",
    ["Rack 0", "Replica 1, ranks 72–143", "layers 64–71", "TP 8", "2 trays", "135 GB", "470 MB × 288", "4.83 GB", "67.1 MB × 72",
     "1.61 GB", "0.15 s", "5.4 ms", "32 ms"],
)  # fmt: skip
def test_the_hybrid_picture_says(text):
    (_, picture), *_ = pictures(tv.load(EXAMPLES / "hybrid.yaml"))
    assert text in words(picture.scene("en"))


def test_a_pair_of_arrows_for_each_neighbouring_stage_and_one_for_each_copy():
    made = scene({**FOUR, "job": {"tp": 8, "pp": 2}}, layout="groups")
    assert len(arrows(made, "pp")) == 2 * 2
    ends = [line for line in arrows(made, "dp") if line.start and line.end]
    assert {line.points[0][0] for line in arrows(made, "dp")} >= {line.points[0][0] for line in ends}
    assert len({round(line.points[0][0], 1) for line in arrows(made, "dp")}) == 16


def test_columns_are_machines_whichever_kind_that_is():
    made = scene(RACKS, overlay="groups")  # the pipeline crosses the racks here, the copies stay inside
    assert {"Rack 0", "Rack 7", "Stage 0, ranks 0–71"} <= set(words(made))
    assert "6 more stages" in " ".join(words(made))


def test_what_is_not_known_is_said():
    made = " ".join(words(scene(RACKS, overlay="groups")))
    assert "Bytes unknown: needs model, layers, hidden" in made


def test_a_tensor_group_over_two_servers_is_warned_about():
    made = " ".join(words(scene({**FOUR, "job": {"tp": 16}}, layout="groups")))
    assert "TP 8 stays inside" in made


def test_memory_is_a_gauge_on_every_gpu():
    made = scene(
        {**FOUR, "job": {"fsdp": 8}, "model": {"params": "7 B", "use": "training"}}, layout="groups", overlay="memory"
    )
    assert any("14 GB of 80 GB each" in text for text in words(made))


@pytest.mark.parametrize(
    ("document", "layout"), [(RACKS, "hybrid"), ({**FOUR, "job": {"tp": 8}}, "groups")], ids=["racks", "servers"]
)
def test_the_overlay_chooses_the_layout(document, layout):
    picture = tv.render(tv.load(document), overlay="groups")
    assert choice(picture, Layouts(())).layout.name == layout


@pytest.mark.parametrize("keys", [{"layout": "groups"}, {"overlay": "groups"}])
def test_without_a_job_there_is_nothing_to_group(keys):
    with pytest.raises(tv.SpecError, match="needs a job"):
        tv.render(tv.load("dgx-h100"), **keys).svg()


def test_a_job_on_the_command_line_draws_its_groups(tmp_path):
    file = tmp_path / "a.svg"
    done = CliRunner().invoke(cli, ["render", "dgx-h100", "--job", "tp=4,pp=2", "-o", str(file)])
    assert done.exit_code == 0, done.output
    assert "TP 4 × PP 2" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"tp": 2, "ranks": "node0/gpu[0-1]"}, "2 ranks on DGX H100: tensor parallel 2. 30 of 32 GPUs take no part"),
        ({"tp": 8, "dp": 2, "ranks": ["node0/gpu", "node2/gpu"]}, "16 ranks on 2 DGX H100: "),
        ({"tp": 31, "ranks": [*(f"node{i}/gpu" for i in range(3)), "node3/gpu[0-6]"]}, "1 of 32 GPUs takes no part"),
    ],
)
def test_counts_are_those_of_the_ranks_that_take_part(job, said):
    drawn = " ".join(words(scene({**FOUR, "job": job}, layout="groups")))
    assert said in drawn
    assert "32 ranks" not in drawn


@pytest.mark.parametrize("layout", ["groups", "hybrid"])
def test_who_takes_no_part_is_said_only_where_somebody_does(layout):
    some = " ".join(words(scene({**FOUR, "job": {"tp": 8, "ranks": "node1/gpu"}}, layout=layout)))
    everyone = " ".join(words(scene({**FOUR, "job": {"tp": 8}}, layout=layout)))
    assert "24 of 32 GPUs take no part in the job" in some
    assert "no part" not in everyone


TWO = {**FOUR, "contains": {"node": "2 x dgx-h100"}}
CP = {"tp": 2, "pp": 2, "cp": 2, "dp": 2, "order": "pp-tp-dp-cp"}


def test_degrees_are_those_of_the_job_where_gradients_are_summed_over_cp_too():
    drawn = words(scene({**TWO, "job": CP}, layout="groups"))
    assert "Data (DP 2 × CP 2)" in drawn
    assert "DP × CP: 2 groups of 4" in drawn
    assert not any("DP = 4" in one or "DP: " in one for one in drawn)
    alone = words(scene({**FOUR, "job": {"tp": 8, "cp": 2, "pp": 2}}, layout="groups"))
    assert "Data (DP 1 × CP 2)" in alone


def test_a_hull_with_several_groups_says_all_its_degrees():
    drawn = words(scene({**FOUR, "job": {"tp": 8, "cp": 2, "pp": 2}}, layout="hybrid"))
    assert "TP 8" not in drawn
    assert {"TP 8 × CP 2", "TP 8 ×"} & set(drawn)


def test_columns_on_the_same_machines_are_called_by_their_part_of_the_job():
    drawn = words(scene({**TWO, "job": CP}, layout="hybrid"))
    assert "Replica 0" in drawn
    assert "Servers 0, 1" not in drawn


def test_the_number_on_an_arrow_is_explained():
    said = "×8: arrows of 8 pairs of ranks drawn as one"
    assert said in " ".join(words(scene({**FOUR, "job": {"tp": 8, "pp": 2}}, layout="groups")))
    assert "drawn as one" not in " ".join(words(scene({**FOUR, "job": {"tp": 8}}, layout="groups")))


@pytest.mark.parametrize(
    ("job", "layout"),
    [
        ({"tp": 8, "cp": 2, "pp": 2}, "groups"),
        ({"tp": 2, "pp": 4, "cp": 2, "order": "dp-tp-cp-pp"}, "groups"),
        ({"tp": 8, "fsdp": 2, "pp": 2, "order": "pp-tp-dp-cp"}, "groups"),
        ({"tp": 2, "cp": 2, "fsdp": 16, "order": "pp-tp-dp-cp"}, "hybrid"),
    ],
)
def test_no_label_is_cut_in_its_middle(job, layout):
    servers = 8 if "fsdp" in job and layout == "hybrid" else 4
    drawn = words(scene({**FOUR, "contains": {"node": f"{servers} x dgx-h100"}, "job": job}, layout=layout))
    assert [one for one in drawn if "…" in one.replace(", …,", "").replace(" …", "")] == []


def test_switches_that_are_drawn_as_a_bar_are_not_said_to_be_left_out():
    drawn = words(scene({**FOUR, "job": {"tp": 2, "pp": 4, "dp": 4}}, layout="hybrid"))
    assert "4 NVSwitch chips" in drawn
    assert not any("Not drawn" in one and "NVSwitch" in one for one in drawn)


def test_computing_is_held_against_the_communication_of_a_job():
    model = {"params": "58 B", "use": "training", "layers": 72, "hidden": 8192, "sequence": 4096}
    job = {"tp": 8, "pp": 2, "micro_batch": 1, "micro_batches": 36}
    known = " ".join(words(scene({**FOUR, "model": model, "job": job}, layout="groups", compute="2 s")))
    assert "A step communicates 1.5 s at least; 1.4 s of it stay visible beside 2 s of computing" in known
    unknown = " ".join(words(scene({**FOUR, "job": job}, layout="groups", compute="2 s")))
    assert "What 2 s of computing hides is not known" in unknown
    assert "computing" not in " ".join(words(scene({**FOUR, "job": job}, layout="groups")))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "compute is held against an exchange, and the picture has none"),
        ({"size": "1 GB"}, "the picture has none"),
        ({"highlight": "ring"}, "the time of the exchange, which nothing tells"),
    ],
)
def test_computing_that_nothing_could_hide_is_a_mistake(keys, said):
    with pytest.raises(tv.SpecError, match=said):
        scene({"part": "dgx-h100"}, compute="2 s", **keys)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "TP 8: TP talks over NVLink 4"),
        (
            {"model": {"params": "7 B", "layers": 32, "hidden": 4096, "sequence": 4096}, "job": {"tp": 8, "micro_batch": 1, "micro_batches": 1}},
            "TP 8: the heaviest traffic runs on NVLink 4",
        ),
    ],
)  # fmt: skip
def test_only_bytes_that_are_known_are_called_the_heaviest(more, said):
    drawn = tv.render(tv.load({"part": "dgx-h100", "job": {"tp": 8}, **more}), layout="groups").scene()
    assert drawn.title == said
