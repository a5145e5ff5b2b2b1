"""A job on a machine: groups as Megatron-LM makes them, bytes worked by hand, the links that carry them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.errors import PlanError
from topoviz.jobs.best import best
from topoviz.jobs.given import job_of, with_job
from topoviz.jobs.groups import exposed, lay
from topoviz.jobs.order import experts, grid
from topoviz.jobs.traffic import sent
from topoviz.model.degrees import misfit, misordered
from topoviz.model.rank_grid import Grid

KNOWN = yaml.safe_load((Path(__file__).parent / "data" / "megatron_groups.yaml").read_text(encoding="utf-8"))
FOUR = {
    "contains": {"node": "4 x dgx-h100"},
    "fabric": [{"join": "node/nic", "switch": "qm9700", "kind": "infiniband", "rails": 8, "tiers": 1}],
}
BIG = {"params": 58e9, "layers": 72, "hidden": 8192, "sequence": 4096}


def four(**job):
    return tv.load({**FOUR, "job": job})


def row(plan, kind):
    found = plan.of(kind)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("job", "kind", "groups"),
    [(one["job"], kind, one[kind]) for one in KNOWN["groups"] for kind in ("tp", "dp", "pp")],
)
def test_groups_are_those_of_megatron(job, kind, groups):
    ranks = job["tp"] * job["dp"] * job["pp"]
    assert [list(group) for group in grid(job, ranks).groups(kind)] == groups


@pytest.mark.parametrize("order", ["tp-cp-ep-dp-pp", "pp-dp-tp-cp-ep", "tp-pp-dp"])
@pytest.mark.parametrize("kind", ["tp", "cp", "dp", "pp"])
def test_groups_of_a_kind_share_out_the_ranks(order, kind):
    made = grid({"tp": 2, "cp": 2, "dp": 3, "pp": 4, "order": order}, 48)
    assert sorted(rank for group in made.groups(kind) for rank in group) == list(range(48))
    assert made.count(kind) * made.along(kind) == 48


@pytest.mark.parametrize("rank", [0, 5, 47])
def test_a_place_leads_back_to_its_rank(rank):
    made = Grid(axes=(("tp", 2), ("cp", 2), ("dp", 3), ("pp", 4)))
    assert made.rank(**made.place(rank)) == rank


def test_experts_share_the_ranks_of_a_stage():
    made = experts({"tp": 2, "ep": 4, "pp": 2}, 16)
    assert made.size == 16
    assert next(made.groups("ep")) == (0, 1, 2, 3)
    assert all(max(group) < 8 or min(group) >= 8 for group in made.groups("ep"))


@pytest.mark.parametrize("case", KNOWN["sent"], ids=[one["name"] for one in KNOWN["sent"]])
def test_bytes_are_those_worked_by_hand(case):
    assert sent(case["kind"], case["model"], case["job"], case["sizes"]).bytes == case["bytes"]


@pytest.mark.parametrize(
    ("kind", "model", "job", "unknown"),
    [
        ("tp", {"layers": 2, "hidden": 8}, {}, ("sequence", "micro_batch", "micro_batches")),
        ("dp", {}, {}, ("model", "params")),
        ("cp", {"layers": 2, "sequence": 8}, {"micro_batch": 1, "micro_batches": 1}, ("kv_hidden",)),
    ],
)
def test_bytes_are_never_guessed(kind, model, job, unknown):
    found = sent(kind, model, job, {kind: 2})
    assert (found.bytes, found.unknown) == (None, unknown)


@pytest.mark.parametrize(
    ("job", "kind", "link", "rate", "leaving"),
    [
        ({"tp": 8, "pp": 2}, "tp", "NVLink 4", 450.0, 0),
        ({"tp": 8, "pp": 2}, "dp", "NDR", 50.0, 16),  # on one rail, each with its own card
        ({"tp": 8, "pp": 2}, "pp", "NDR", 50.0, 16),
        ({"tp": 4}, "dp", "NDR", 100.0, 4),  # two of a group in every server use the cards of both
        ({"tp": 1}, "dp", "NDR", 400.0, 1),  # all eight cards of a server
        ({"tp": 16}, "tp", "NDR", 400.0, 2),
    ],
)
def test_a_group_runs_over_the_slowest_link_on_its_way(job, kind, link, rate, leaving):
    found = row(lay(four(**job)), kind)
    assert (found.link, found.rate, found.leaving) == (link, rate, leaving)


@pytest.mark.parametrize(
    ("part", "job", "kind", "rate"),
    [
        ("dgx-2", {"tp": 16}, "tp", 150.0),
        ("l40s-server", {"tp": 8}, "tp", 32.0),
        ("mi300x", {"ep": 8}, "ep", 448.0),  # a link for every peer
    ],
)
def test_inside_a_machine_shared_links_count(part, job, kind, rate):
    assert row(lay(tv.load(part), job), kind).rate == pytest.approx(rate)


def test_several_rings_count_where_a_planner_finds_them():
    machine = tv.load("dgx-1v")
    plan = lay(machine, {"tp": 8}, planner=lambda inside, ranks: tv.plan(inside, ranks=ranks))
    assert row(plan, "tp").rate == pytest.approx(150.0)
    assert row(lay(machine, {"tp": 8}), "tp").rate < 150.0


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"tp": 16}, "all 2 groups leave their scale-up domain of 8 GPUs, so every layer waits for NDR; TP 8 stays inside"),
        ({"tp": 8}, ""),
    ],
)  # fmt: skip
def test_tensor_groups_that_leave_nvlink_are_warned_about(job, said):
    assert "; ".join(lay(four(**job)).warnings).endswith(said)
    assert bool(lay(four(**job)).warnings) == bool(said)


def test_a_step_of_the_hybrid_job_takes_what_the_hand_says():
    job = {"tp": 8, "pp": 9, "dp": 2, "order": "tp-pp-dp", "micro_batch": 1, "micro_batches": 36}
    plan = lay(tv.load({"part": "nvl72-cluster", "with": {"racks": 2}, "model": BIG, "job": job}))
    assert row(plan, "tp").bytes == 469762048 * 8 * 36  # eight layers of a stage
    assert row(plan, "pp").bytes == 2 * 67108864 * 36
    assert row(plan, "dp").bytes == pytest.approx(58e9 / 72 * 2)
    assert row(plan, "tp").seconds == pytest.approx(0.15032, rel=1e-4)
    assert plan.seconds == pytest.approx(0.18791, rel=1e-4)


@pytest.mark.parametrize(("compute", "left"), [(0.0, 0.054444), (0.05, 0.004444), (1.0, 0.0)])
def test_gradients_hide_behind_computing(compute, left):
    plan = lay(tv.load({"part": "dgx-h100", "model": {"params": 7e9}, "job": {"dp": 8}}))
    assert exposed(plan, compute) == pytest.approx(left, abs=1e-6)


def test_context_parallel_copies_sum_their_gradients_too():
    plan = lay(tv.load({"part": "dgx-h100", "model": {"params": 7e9}, "job": {"cp": 2, "dp": 4}}))
    assert (row(plan, "dp").size, row(plan, "dp").bytes) == (8, 24.5e9)


def test_a_thousand_gpus_are_laid_without_a_list_of_groups():
    plan = lay(tv.load("superpod-h100", su=4), {"tp": 8})
    assert plan.grid.count("tp") == len(plan.ranks) // 8
    assert plan.group("tp", plan.grid.count("tp") - 1).ranks[-1] == len(plan.ranks) - 1


@pytest.mark.parametrize(
    ("job", "ranks", "said"),
    [
        ({"tp": 8, "pp": 2, "dp": 3}, 32, "tp 8 × pp 2 × dp 3 = 48, but there are 32 GPUs"),
        ({"tp": 3}, 8, "tp 3 does not divide 8 GPUs"),
        ({"dp": 4}, 8, "dp 4 needs 4 GPUs, but there are 8"),
        ({"tp": 2, "ep": 3}, 8, "ep 3 does not divide the 8 GPUs of a pipeline stage"),
        ({"tp": 8}, 8, ""),
    ],
)
def test_degrees_that_do_not_fit_are_told(job, ranks, said):
    assert misfit(job, ranks)[0] == said


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("tp-dp", "the order 'tp-dp' leaves out pp, which is 2"),
        ("tp-xp", "unknown axis 'xp' in the order 'tp-xp'"),
        ("tp-tp", "'tp' is twice in the order 'tp-tp'"),
        ("tp-pp-dp", ""),
    ],
)
def test_an_order_names_every_axis_once(order, said):
    assert misordered({"tp": 4, "pp": 2, "order": order})[0] == said


@pytest.mark.parametrize("key", [{"ranks": "gpux"}, {"tp": 5}, {"tp": 2, "order": "dp"}])
def test_a_wrong_job_is_a_mistake_of_the_document(key):
    with pytest.raises(tv.SpecError) as caught:
        tv.load({"part": "dgx-h100", "job": key})
    assert caught.value.diagnostics[0].mark is not None


@pytest.mark.parametrize(
    ("part", "number", "names"),
    [
        ("dgx-1v", 2, ("gpu0", "gpu3")),  # the first pair with two links
        ("dgx-h100", 3, ("gpu0", "gpu1", "gpu2")),
        ("l40s-server", 2, ("gpu0", "gpu1")),  # under one PCIe switch
    ],
)
def test_the_best_gpus_are_those_that_talk_fastest(part, number, names):
    machine = tv.load(part)
    assert best(machine, number, lambda some: tv.plan(machine, ranks=some).bandwidth) == names


@pytest.mark.parametrize("number", [1, 9])
def test_the_best_of_too_few_are_refused(number):
    with pytest.raises(PlanError, match="of 8 GPUs cannot be chosen"):
        best(tv.load("dgx-h100"), number, lambda _: 1.0)


@pytest.mark.parametrize("text", ["tp", "tp=0", "tp=x", "xp=2", "tp=2,tp=2", ""])
def test_a_job_in_one_text_is_read_strictly(text):
    with pytest.raises(ValueError, match="'"):
        job_of(text)


def test_another_job_keeps_the_micro_batches_of_the_document():
    made = with_job(four(tp=8, micro_batch=1, micro_batches=4), {"tp": 4})
    assert dict(made.spec.job) == {"tp": 4, "micro_batch": 1, "micro_batches": 4}


def test_a_rank_that_is_down_is_a_warning_and_its_group_is_not_joined() -> None:
    text = {
        "contains": {"node": "dgx-h100"},
        "changes": [{"at": "node/gpu0", "state": "down"}],
        "job": {"tp": 4, "dp": 2},
    }
    found = lay(tv.load(text))
    assert any("1 of 8 ranks is down: " in warning for warning in found.warnings)
    assert all(row.rate is None for row in found.traffic)


L40S = {
    "contains": {"node": "2 x l40s-server"},
    "fabric": [{"join": "node/nic", "switch": "sn5600", "kind": "ethernet", "tiers": 1}],
}


@pytest.mark.parametrize(
    ("document", "job"),
    [
        (L40S, {"dp": 2, "ranks": "node*/gpu0"}),
        (L40S, {"dp": 4, "ranks": ["node0/gpu[0-1]", "node1/gpu[0-1]"]}),
        (FOUR, {"dp": 4, "ranks": "node*/gpu0"}),
        (FOUR, {"dp": 8, "ranks": "node*/gpu[0-1]"}),
    ],
)
def test_ranks_on_some_gpus_do_not_share_cards_with_idle_ones(document, job):
    machine = tv.load(document)
    plan = lay(machine, job)
    assert row(plan, "dp").rate == pytest.approx(tv.plan(machine, ranks=plan.ranks).bandwidth)


@pytest.mark.parametrize(("job", "rate"), [({"dp": 128}, 32.0), ({"tp": 8, "dp": 16}, 25.0)])
def test_members_in_a_host_without_scale_up_links_leave_it_together(job, rate):
    many = tv.load({"contains": {"node": "16 x l40s-server"}, "fabric": [{**L40S["fabric"][0], "tiers": 2}]})
    assert row(lay(many, job), "dp").rate == pytest.approx(rate)


@pytest.mark.parametrize(
    ("job", "remedy"),
    [
        ({"tp": 2, "order": "dp-tp"}, "it stays inside if tp is first in the order"),
        ({"tp": 16, "order": "dp-tp"}, "TP 8 stays inside if tp is first in the order"),
        ({"tp": 16}, "TP 8 stays inside"),
        ({"tp": 4, "ranks": "node*/gpu[0-3]"}, "it stays inside if the ranks of a domain follow each other"),
    ],
)
def test_what_would_keep_a_tensor_group_inside_is_true(job, remedy):
    (warning,) = lay(four(**job)).warnings
    assert warning.endswith(f"; {remedy}")


def test_warnings_are_told_in_the_language_of_the_picture():
    picture = tv.render(tv.load({**FOUR, "job": {"tp": 2, "order": "dp-tp"}}), layout="groups")
    told = [shape.content for item in picture.scene("zh").items for shape in item.shapes if hasattr(shape, "content")]
    assert any("若 tp 排在次序首位" in text for text in told)
    assert not any("stays inside" in text for text in told)


THREE = "contains: {node: 3 x dgx-h100}\nfabric:\n  - {join: node/nic, switch: qm9700, kind: infiniband, rails: 8, tiers: 1}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("part: dgx-h100\njob: {ranks: nic}\n", ":2:14: error: there is no GPU for the job to run on"),
        ("part: dgx-h100\njob: {tp: 3}\n", ":2:6: error: tp 3 does not divide 8 GPUs"),
        (
            "part: dgx-h100\nchanges:\n  - {at: gpu3, absent: true}\njob: {tp: 8}\n",
            ":4:6: error: tp 8 needs 8 GPUs, but there are 7",
        ),
        (THREE + "job: {tp: 6}\n", ":4:11: warning: TP 6: 2 of 4 groups leave their scale-up domain of 8 GPUs"),
        (THREE + "job: {tp: 8}\n", "no mistakes found"),
        ("part: l40s-server\njob: {tp: 8}\n", ":2:11: note: TP 8: no NVLink (or its like) joins the GPUs"),
    ],
)
def test_check_tells_what_is_wrong_with_a_job_and_where(text, said, tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    assert said in CliRunner().invoke(cli, ["check", str(file)]).output


def test_a_document_with_a_job_and_no_pictures_draws_its_groups_everywhere(tmp_path):
    document = {"part": "dgx-h100", "job": {"tp": 8}}
    machine = tv.load(document)
    assert "TP group 0" in tv.render(machine).svg()
    assert "TP group" not in tv.render(machine, layout="suited").svg()
    assert "TP group" not in tv.render(machine, highlight="ring").svg()
    assert "TP group" not in tv.render(tv.load({**document, "pictures": ["a.svg"]})).svg()
    (tmp_path / "a.yaml").write_text("part: dgx-h100\njob: {tp: 8}\n", encoding="utf-8")
    CliRunner().invoke(cli, ["render", str(tmp_path / "a.yaml"), "-o", str(tmp_path / "a.svg")])
    assert "TP group 0" in (tmp_path / "a.svg").read_text(encoding="utf-8")
