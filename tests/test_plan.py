"""``topoviz plan``: text for a person, plain data for programs, and the same numbers from Python."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from facts import fact

import topoviz as tv
from topoviz.cli import cli
from topoviz.collectives.published import MEASURED
from topoviz.errors import PlanError

EXAMPLES = Path(__file__).parents[1] / "examples"
HYBRID = str(EXAMPLES / "hybrid.yaml")
GROUPS = str(EXAMPLES / "tensor-pipeline-data.yaml")


def run(*words):
    return CliRunner().invoke(cli, ["plan", *words])


def data(*words):
    done = run(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "line",
    [
        "all-reduce by ring over 8 GPUs of DGX H100, at line rate",
        "bandwidth  450 GB/s per direction, of one GPU",
        "set by     NVLink 4: gpu0 → nvs0",
        "order      index order on NVSwitch, as NCCL takes it",
        "bound      450 GB/s, met",
        "NCCL       370.8 GB/s at the rates that NCCL counts, 82.4 %",
        "published  370 GB/s busbw measured, 82.2 % of the busbw planned at line rate",
        "8 × H100, ring (NVIDIA/nccl-tests#212)",
        "0.0662162 s at the busbw that was published",
        "sent       24.5 GB by each GPU, in 14 steps",
        "time       0.0544444 s at least",
        "algbw      257.143 GB/s",
        "busbw      450 GB/s",
    ],
)
def test_one_plan_is_told_line_by_line(line):
    assert line in run("dgx-h100", "--size", "14GB", "--algorithm", "ring").stdout


def test_computing_hides_what_is_shorter() -> None:
    words = ("dgx-h100", "--algorithm", "ring", "--size", "14GB", "--compute", "0.04")
    out = run(*words).stdout
    assert "overlap    0.04 s hidden beside 0.04 s of computing, 0.0144444 s not" in out
    assert "step       0.0544444 s if both start together" in out
    found = data(*words)["overlap"]
    assert found == {"compute": 0.04, "hidden": 0.04, "exposed": pytest.approx(0.01444444, rel=1e-6), "step": pytest.approx(0.05444444, rel=1e-6)}  # fmt: skip
    assert data(*words[:5])["overlap"] is None


def test_published_and_counted_rates_are_data() -> None:
    found = data("dgx-h100", "--algorithm", "nvls")
    assert found["nccl_bandwidth"] == pytest.approx(370.8)
    assert found["published"]["busbw"] == 480
    assert found["published"]["share"] == pytest.approx(480 / 700, rel=1e-3)
    assert data("dgx-h100", "--algorithm", "nvls", "--rates", "nccl")["nccl_bandwidth"] is None
    assert data("mi300x")["published"] is None


@pytest.mark.parametrize(
    ("words", "busbw"),
    [
        (("dgx-a100", "--algorithm", "ring"), 230),
        (("dgx-h200", "--algorithm", "nvls"), 475),
        (("dgx-b300", "--algorithm", "ring"), 695),
        (("gb200-nvl72",), 834.6),
        (("gb200-nvl72", "--ranks", "tray[0-1]/gpu"), 811),
        ((str(EXAMPLES / "two-nodes.yaml"),), 440.6),
    ],
)
def test_each_machine_has_what_was_published_for_it(words, busbw):
    assert data(*words)["published"]["busbw"] == busbw


def test_every_published_row_is_of_the_facts_and_what_is_left_out_has_no_part():
    values = {one.busbw for one in MEASURED}
    known = {
        row.get("value") or row["ring"]: row["system"]
        for row in fact("measured_busbw")
        if "value" in row or "ring" in row
    }
    ours = known.keys() & values
    assert {known[value] for value in known.keys() - ours} == {"8x RTX 5090 PCIe5 two sockets"}
    assert values - {845} <= known.keys()


@pytest.mark.parametrize(
    ("position", "rate", "seconds"),
    [(0, 32.0, 0.765625), (1, 50.0, 0.49), (2, 450.0, 0.0544444), (3, 900.0, 0.0272222)],
)
def test_the_table_of_the_course_14_gb_over_eight_gpus(position, rate, seconds):
    found = data(str(EXAMPLES / "time-table.yaml"), "--algorithm", "ring")[position]
    assert (found["bandwidth"], found["seconds"]) == (rate, pytest.approx(seconds, rel=1e-5))
    assert found["bytes_sent_per_rank"] == 24.5e9


def test_panels_are_compared_with_the_link_that_sets_each_time():
    lines = run(str(EXAMPLES / "time-table.yaml"), "--algorithm", "ring").stdout.splitlines()
    assert lines[0] == "14 GB all-reduce at line rate"
    assert [line.split("  ")[1] for line in lines[2:]] == ["eight L40S without switches", "a NIC for each GPU", "DGX H100", "DGX B200"]  # fmt: skip
    assert "PCIe 4.0 x16: gpu0 → cpu0" in lines[2]


@pytest.mark.parametrize(
    "key",
    ["collective", "algorithm", "ranks", "routes", "loads", "bottleneck", "bytes_sent_per_rank", "seconds", "algbw", "busbw",
     "bandwidth", "bound", "rates", "warnings", "memory", "groups"],
)  # fmt: skip
def test_data_have_the_promised_names(key):
    assert key in data("dgx-h100")


@pytest.mark.parametrize("key", ["bytes_sent_per_rank", "seconds", "algbw", "busbw"])
def test_without_a_size_times_are_null(key):
    assert data("dgx-h100")[key] is None


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("tp", {"size": 8, "count": 18, "link": "NVLink 5", "bytes": 135291469824.0, "leaving": 0}),
        ("pp", {"size": 9, "count": 16, "link": "NVLink 5", "bytes": 4831838208.0, "leaving": 0}),
        ("dp", {"size": 2, "count": 72, "link": "NDR", "bytes": pytest.approx(1.6111e9, rel=1e-4), "leaving": 72}),
    ],
)
def test_groups_are_rows_of_data(kind, row):
    found = next(one for one in data(HYBRID, "--algorithm", "ring")["groups"] if one["kind"] == kind)
    assert {key: found[key] for key in row} == row
    assert found["seconds"] == pytest.approx(found["bytes"] / found["rate"] / 1e9)
    assert len(found["example"]) == found["size"]


def test_memory_is_that_of_the_use_that_needs_most():
    memory = data(HYBRID, "--algorithm", "ring")["memory"]
    assert (memory["gpus_at_least"], memory["fits"], memory["per_gpu"]) == (6, True, 186e9)
    assert memory["needed"] > 16 * 58e9


def test_the_job_is_a_table_with_the_time_of_a_step():
    out = run(HYBRID, "--algorithm", "ring", "--compute", "0.5").stdout
    assert "job: TP 8 × PP 9 × DP 2 on 144 GPUs, order tp-pp-dp" in out
    assert "a step communicates 0.187915 s at least" in out
    assert "beside 0.5 s of computing 0.155693 s of it stay visible" in out


def test_two_jobs_are_compared():
    out = run(HYBRID, "--algorithm", "ring", "--job", "tp=8,pp=9,dp=2,order=tp-pp-dp", "--job", "tp=8,pp=18").stdout
    assert "against the best" in out
    assert out.count("job: TP 8") == 2
    assert out.splitlines()[-1].endswith("times") or out.splitlines()[-1].endswith("best")


def test_only_jobs_that_fit_can_be_best_and_more_copies_are_not_more_cost():
    asked = [f"{degrees},micro_batch=1,micro_batches=4" for degrees in ("tp=8,pp=9", "tp=4,pp=2", "tp=1")]
    out = run(HYBRID, "--algorithm", "ring", *(word for one in asked for word in ("--job", one))).stdout
    head, *rows = [re.split(r"\s{2,}", line.strip()) for line in out.splitlines()[-4:]]
    assert head[:4] == ["a step communicates", "sequences", "per sequence", "on each GPU"]
    assert [row[2] for row in rows] == ["8", "72", "576"]
    assert [row[-1] for row in rows][1:] == ["best", "does not fit"]
    seconds, sequences, per = (float(rows[0][i].split()[0]) for i in (1, 2, 3))
    assert per == pytest.approx(seconds / sequences, rel=1e-5)


def test_a_tensor_group_over_two_servers_is_warned_about():
    found = data(GROUPS, "--algorithm", "ring", "--job", "tp=16")
    assert found["warnings"][-1].startswith("TP 16: all 2 groups leave their scale-up domain of 8 GPUs")


@pytest.mark.parametrize(
    ("wanted", "ranks"),
    [("gpu[0-3]", ["gpu0", "gpu1", "gpu2", "gpu3"]), ("gpu5, gpu2", ["gpu5", "gpu2"]), ("best:2", ["gpu0", "gpu3"])],
)
def test_ranks_are_a_selector_or_the_best(wanted, ranks):
    assert data("dgx-1v", "--ranks", wanted, "--algorithm", "ring")["ranks"] == ranks


def test_inputs_are_compared_with_each():
    found = data("dgx-h100", "dgx-a100", "--each", "--algorithm", "ring")
    assert [(one["name"], one["bandwidth"]) for one in found] == [("DGX H100", 450.0), ("DGX A100", 300.0)]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("dgx-h100", "--job", "tp=x"), 2, "tp is a whole number from 1 on"),
        (("dgx-h100", "--job", "tp=3"), 1, "tp 3 does not divide 8 GPUs"),
        (("dgx-h100", "--size", "14"), 2, "size '14'"),
        (("dgx-h100", "--ranks", "best:x"), 2, "write best:4"),
        (("dgx-h100", "--ranks", "best:9"), 1, "2 to 8 can"),
        (("dgx-h100", "--ranks", "gpux"), 1, "'gpux' matches no GPU"),
        (("dgx-h100", "--collective", "gossip"), 1, "gossip"),
    ],
)
def test_what_cannot_be_planned_is_told(words, code, said):
    done = run(*words)
    assert done.exit_code == code
    assert said in done.output


def test_a_lone_gpu_has_nobody_to_send_to():
    done = run("h100-sxm")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "H100 SXM: one GPU, nobody to send to")


def test_python_gives_the_same_values():
    plan = tv.plan(tv.load("dgx-h100"), algorithm="ring")
    found = data("dgx-h100", "--size", "14GB", "--algorithm", "ring")
    assert (found["seconds"], found["busbw"]) == (plan.seconds(14e9), plan.busbw(14e9))


def test_a_panel_is_planned_as_it_highlights_and_at_its_own_rates():
    found = data(str(EXAMPLES / "why-slower.yaml"))
    assert [one["bandwidth"] for one in found] == [32, 20, 16, 5.5]
    assert [one["rates"] for one in found] == ["line", "nccl", "nccl", "nccl"]
    assert found[3]["order"] == "as written"
    assert found[3]["notes"] == ["UPI from cpu0 to cpu1 (22 GB/s) is shared by 4 hops"]
    out = run(str(EXAMPLES / "why-slower.yaml")).stdout
    assert out.startswith("14 GB all-reduce at line rate, or as NCCL counts where that is said")
    assert "two AMD CPUs (as NCCL counts)" in out
    assert {one["bandwidth"] for one in data(str(EXAMPLES / "why-slower.yaml"), "--rates", "line")} == {32}


PAGES = [Path(__file__).parents[1] / "docs" / name for name in ("plan.md", "numbers.md")]
SHOWN = [
    (page.name, found[1], found[2])
    for page in PAGES
    for found in re.finditer(
        r"^```\n\$ topoviz plan (.*?)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
]


@pytest.mark.parametrize(("page", "words", "shown"), SHOWN, ids=[f"{page} {words}" for page, words, _ in SHOWN])
def test_what_the_pages_show_is_printed(page, words, shown):
    printed = run(*words.replace("examples/", f"{EXAMPLES}/").split()).stdout.splitlines()
    missing = [line for line in shown.splitlines() if line not in {"…", ""} and line not in printed]
    assert missing == [], page


CUT = {"part": "dgx-h100", "changes": [{"at": "gpu0", "mig": "7 x 1g.10gb"}]}


def test_a_gpu_that_mig_cuts_is_nobodys_peer():
    found = tv.plan(tv.load(CUT))
    assert found.ranks == tuple(f"gpu{i}" for i in range(1, 8))
    with pytest.raises(PlanError, match=r"gpu0 is cut by MIG.*leave it out of the ranks"):
        tv.plan(tv.load(CUT), ranks=["gpu0", "gpu1"])
    with pytest.raises(PlanError, match="no GPU is whole: gpu0 is cut by MIG"):
        tv.plan(tv.load({"contains": {"gpu": {"part": "h100-sxm", "count": 2, "mig": "7 x 1g.10gb"}}}))


def test_a_lone_gpu_that_mig_cuts_says_that_its_instances_are_strangers(tmp_path):
    (tmp_path / "cut.yaml").write_text("part: h100-sxm\nmig: 7 x 1g.10gb\n", encoding="utf-8")
    assert "one GPU, nobody to send to; its 7 instances have no peer access" in run(str(tmp_path / "cut.yaml")).stdout


def test_what_was_published_is_not_held_against_a_machine_with_faults(tmp_path):
    text = "part: dgx-h100\nchanges:\n  - {link: [gpu0, nvs0], links: 1}\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    found = data(str(tmp_path / "a.yaml"))["published"]
    assert (found["busbw"], found["share"], found["whole"]) == (370, None, False)
    said = run(str(tmp_path / "a.yaml"), "--size", "1GB").stdout
    assert "370 GB/s busbw measured without the faults that this machine has" in said
    assert "of the busbw planned" not in said
    assert "at the busbw that was published" not in said
    assert data("dgx-h100")["published"]["whole"] is True


@pytest.mark.parametrize(("cards", "is_told"), [(8, True), (2, False)])
def test_what_was_published_is_of_the_same_network(cards, is_told, tmp_path):
    gone = "".join(f"  - {{at: node{n}/nic{i}, part: connectx-6}}\n" for n in (0, 1) for i in range(cards, 8))
    text = (EXAMPLES / "two-nodes.yaml").read_text(encoding="utf-8")
    (tmp_path / "a.yaml").write_text(text + (f"changes:\n{gone}" if gone else ""), encoding="utf-8")
    assert (data(str(tmp_path / "a.yaml"))["published"] is not None) == is_told
