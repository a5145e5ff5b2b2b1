"""What tools have measured, read and held against what the topology promises."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.errors import SpecError, TopovizError
from topoviz.marks import Source
from topoviz.measurements import shortfalls

DATA = Path(__file__).parent / "data" / "measured"
COPY = "memcpy CE {row}(row) {arrow} {column}(column) bandwidth (GB/s)\n           0         1\n{rows}\n"


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def table(row, arrow, column, *rows):
    lines = "\n".join(f" {i}  {'  '.join(map(str, numbers))}" for i, numbers in enumerate(rows))
    return Source("out.txt", COPY.format(row=row, arrow=arrow, column=column, rows=lines))


def test_a_gpu_that_is_slow_to_all_is_one_finding():
    found = tv.measured(tv.load("dgx-h100"), DATA / "nvbandwidth-one-gpu.txt")
    assert len(found.rows) == 56
    assert {one.promised for one in found.rows} == {450}
    assert len(found.low) == 14
    assert all("gpu5" in {one.source, one.target} for one in found.low)
    assert [one.nodes for one in found.differences.items] == [("gpu5",)]


def test_a_slow_pair_and_a_slow_way_to_the_host_are_told_apart():
    found = tv.measured(tv.load("dgx-h100"), DATA / "nvbandwidth-pair.txt")
    assert {(one.source, one.target, one.promised) for one in found.low} == {
        ("gpu2", "gpu6", 450),
        ("gpu6", "gpu2", 450),
        ("cpu", "gpu3", 64),
    }
    assert [one.nodes for one in found.differences.items] == [("gpu2", "gpu6"), ("gpu3",)]


@pytest.mark.parametrize(("arrow", "ends"), [("<-", ("gpu0", "gpu1")), ("->", ("gpu1", "gpu0"))])
def test_the_arrow_says_who_sends(arrow, ends):
    (row,) = tv.measured(tv.load("dgx-h100"), table("GPU", arrow, "GPU", ["N/A", "N/A"], ["390.1", "N/A"])).rows
    assert (row.source, row.target) == ends


def test_both_ways_at_once_may_reach_twice_as_much():
    text = table("GPU", "<->", "GPU", ["N/A", "780.0"], ["780.0", "N/A"]).text.replace("bandwidth", "Total bandwidth")
    assert {one.promised for one in tv.measured(tv.load("dgx-h100"), Source("a", text)).rows} == {900}


def test_pairs_are_held_against_their_own_links():
    """Of the eight GPUs of a DGX-1V some pairs have two NVLinks, some one, some none."""
    machine = tv.load("dgx-1v")
    promises = {}
    for other in range(1, 8):
        cells = [["N/A"] * 8 for _ in range(8)]
        cells[0][other] = "1.0"
        rows = "\n".join(f" {i}  {'  '.join(row)}" for i, row in enumerate(cells))
        text = f"memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n  0 1 2 3 4 5 6 7\n{rows}\n"
        (row,) = tv.measured(machine, Source("a", text)).rows
        promises[other] = (row.promised, row.kind)
    assert promises[3] == (50, "nvlink")
    assert promises[1] == (25, "nvlink")
    assert promises[5][1] == "pcie"


@pytest.mark.parametrize(("name", "share", "low"), [("all-reduce", 0.829, False), ("all-reduce-slow", 0.238, True)])
def test_a_collective_is_held_against_its_plan(name, share, low):
    found = tv.measured(tv.load("dgx-h100"), DATA / f"{name}.txt")
    (row,) = found.rows
    assert row.what == "all-reduce, busbw at 8,589,934,592 bytes, 8 GPUs"
    assert (row.promised, round(row.share, 3), row.low) == (450, share, low)
    assert "NVLink 4" in found.notes[0]


def test_some_ranks_of_a_server_are_taken_by_their_devices():
    text = (DATA / "all-reduce.txt").read_text()
    lines = [line for line in text.split("\n") if "Rank" not in line or " device  0" in line or " device  5" in line]
    text = "\n".join(lines).replace("#  Rank  5", "#  Rank  1").replace("# Using", "# all_reduce_perf\n# Using")
    (row,) = tv.measured(tv.load("dgx-h100"), Source("a", text)).rows
    assert (row.source, row.target) == ("gpu0", "gpu5")


def test_more_than_a_ring_can_is_explained_and_wrong_values_are_told():
    text = (DATA / "all-reduce.txt").read_text().replace("373.11      0", "480.20      3")
    assert tv.measured(tv.load("dgx-h100"), Source("a", text)).doubts == ()
    notes = tv.measured(tv.load("dgx-h100"), Source("a", text)).notes
    assert any("NVLS" in note for note in notes)
    assert "3 values came out wrong at 8,589,934,592 bytes" in notes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello\n", "this is no output of nccl-tests and nvbandwidth"),
        (COPY.format(row="GPU", arrow="<-", column="GPU", rows=" 0  N/A"), "this row has 1 numbers, and there are 2"),
        ("memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n", "the numbers of the columns are missing"),
        ("nvbandwidth Version: v0.7\nRunning x.\nWaived:\n", "the file has no table of copies"),
        ("# size count type time algbw busbw\n", "has no line with a size"),
        ("#  size count type algbw busbw\n 8 2 float sum -1 29.3 0.0\n", "out of place and in place"),
    ],
)
def test_what_is_cut_or_foreign_is_refused(text, said):
    with pytest.raises(TopovizError, match=said):
        tv.measured(tv.load("dgx-h100"), Source("out.txt", text))


def test_a_run_on_another_machine_is_refused():
    with pytest.raises(SpecError, match="device 4 was measured, but the machine has 4 GPUs"):
        tv.measured(tv.load({"contains": {"gpu": "4 x h100-sxm"}}), DATA / "nvbandwidth-one-gpu.txt")
    with pytest.raises(SpecError, match="the run has 8 ranks, but the machine has 4 GPUs"):
        tv.measured(tv.load({"contains": {"gpu": "4 x h100-sxm"}}), DATA / "all-reduce.txt")


def test_the_command_says_it_draws_it_and_leaves_with_one(tmp_path):
    done = run("measured", "dgx-h100", DATA / "nvbandwidth-one-gpu.txt", "-o", tmp_path / "a.svg")
    assert done.exit_code == 1
    assert "promised 450 GB/s (NVLink 4)" in done.output
    assert "almost everything to and from gpu5 is low: look at its own links" in done.output
    assert "GPU 5, NVLink" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert run("measured", "dgx-h100", DATA / "all-reduce.txt").exit_code == 0
    assert run("measured", "dgx-h100", tmp_path / "nothing.txt").exit_code == 2


def test_programs_get_every_number():
    rows = json.loads(run("measured", "dgx-h100", DATA / "nvbandwidth-pair.txt", "--format", "json").output)
    assert len(rows) == 64
    assert set(rows[0]) == {"what", "source", "target", "measured", "promised", "share", "link", "low"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_picture_is_clean(lang):
    topology = tv.load("dgx-h100")
    picture = shortfalls(topology, tv.measured(topology, DATA / "nvbandwidth-pair.txt"), lang=lang)
    assert audit(picture.scene()) == ()
    assert picture.scene().title.startswith("DGX H100")


# what nccl-tests writes with -J: keys of its util.cu, file version 2


def record(size, busbw):
    way = {"time": size / busbw / 1e3, "alg_bw": busbw / 1.75, "bus_bw": busbw, "nwrong": 0.0}
    first = {"size": size, "count": size // 4, "type": "float", "redop": "sum", "root": "    -1"}
    return {**first, "out_of_place": way, "in_place": {**way, "bus_bw": busbw + 0.5}, "actual_iterations": 20}


def report(*results, gpu="NVIDIA H100 80GB HBM3", processes=1, **keys):
    each = 8 // processes
    devices = [
        {
            "rank": i * each, "group": 0, "pid": 42 + i, "hostname": "node-a", "device": i * each,
            "device_hex": "0000:19:00", "device_info": gpu,
        }
        for i in range(processes)
    ]  # fmt: skip
    return {
        "version": 2, "start_time": "2026-01-01 10:00:00", "args": ["./build/all_reduce_perf", "-J", "out.json"],
        "env": [], "nccl_version": 22907, "config": {"nthreads": 1, "ngpus": each, "devices": devices},
        "results": list(results or [record(1 << 20, 90.0), record(8 << 30, 372.6)]), "errors": [], **keys,
    }  # fmt: skip


def of_report(machine="dgx-h100", **keys):
    return tv.measured(tv.load(machine), Source("out.json", json.dumps(report(**keys))))


@pytest.mark.parametrize("processes", [1, 2, 8])
def test_the_file_of_nccl_tests_says_what_its_text_says(processes):
    (row,) = of_report(processes=processes).rows
    assert row.what == "all-reduce, busbw at 8,589,934,592 bytes, 8 GPUs"
    assert (row.measured, row.promised, row.source, row.target) == (373.1, 450, "gpu0", "gpu7")


def test_a_file_without_out_of_place_and_with_wrong_values_is_read():
    one = {**record(8 << 30, 300.0), "out_of_place": None}
    one["in_place"] = {**one["in_place"], "nwrong": 4.0}
    text = json.dumps(report(one))
    found = tv.measured(tv.load("dgx-h100"), Source("out.json", text))
    assert found.rows[0].measured == 300.5
    assert "4 values came out wrong at 8,589,934,592 bytes" in found.notes


WHOLE = json.dumps(report())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *[(WHOLE[:at], r"the JSON is damaged at character \d") for at in (300, len(WHOLE) // 2, len(WHOLE) - 1)],
        (json.dumps({**report(), "results": []}), "the file has no results"),
        (json.dumps(report({"size": 8, "out_of_place": None})), r"results\[0\] has neither out_of_place nor in_place"),
        (json.dumps(report({**record(8, 1.0), "size": "nan"})), r'results\[0\]: size is "nan" and should be a number'),
        (json.dumps(report({**record(8, 1.0), "in_place": {"time": 1.0}})), r"results\[0\]: alg_bw is null"),
        (json.dumps(report(args=["./a.out"], config={})), "nothing says which collective this is"),
    ],
)
def test_a_damaged_file_of_nccl_tests_is_refused_with_its_place(text, said):
    with pytest.raises(SpecError, match=said):
        tv.measured(tv.load("dgx-h100"), Source("out.json", text))


def test_json_of_somebody_else_is_no_output():
    with pytest.raises(TopovizError, match="this is no output of nccl-tests and nvbandwidth"):
        tv.measured(tv.load("dgx-h100"), Source("a.json", json.dumps({"title": "hello"})))


def test_columns_about_single_iterations_and_times_of_day_are_no_rates():
    head = "#       size  count  type  redop  root  time  algbw  busbw  #wrong{i}  time  algbw  busbw  #wrong{i}\n"
    iterations = "  1.0 9999.0 9999.0 9.9"
    row = " 8589934592 2147483648 float sum -1 40300.0 213.15 373.01 0{i} 40290.2 213.20 373.11 0{i} 2026-01-01 10:00:00\n"
    for names, numbers in (("", ""), (" i_min i_max i_p99 i_cv%", iterations)):
        text = "# all_reduce_perf\n" + head.format(i=names) + row.format(i=numbers)
        (found,) = tv.measured(tv.load("dgx-h100"), Source("a", text)).rows
        assert found.measured == 373.11


# of another machine


def test_another_gpu_that_the_file_names_is_told():
    assert of_report().doubts == ()
    (said,) = of_report(gpu="NVIDIA L40S").doubts
    assert said == (
        "the GPUs that were measured are NVIDIA L40S, and those of the machine are H100 SXM: "
        "the file is of another machine"
    )
    same = of_report(gpu="NVIDIA H200")
    assert (same.doubts, "both have 18 × NVLink 4" in same.notes[0]) == ((), True)


@pytest.mark.parametrize(("machine", "link", "rate"), [("dgx-1v", "NVLink 2", 150), ("dgx-a100", "NVLink 3", 300)])
def test_more_than_links_carry_is_no_reduction_in_switches_that_cannot(machine, link, rate):
    text = (DATA / "all-reduce.txt").read_text().replace("NVIDIA H100 80GB HBM3", "")
    found = tv.measured(tv.load(machine), Source("a", text))
    assert not any("NVLS" in note for note in found.notes)
    assert f"373.1 GB/s is more than {link} can carry ({rate} GB/s): it is of another machine" in found.doubts[0]


def test_copies_faster_than_their_link_are_told_and_not_low():
    found = tv.measured(tv.load("l40s-server"), DATA / "nvbandwidth-one-gpu.txt")
    assert "is more than PCIe 4.0 x16 can carry (32 GB/s)" in found.doubts[0]
    assert found.low == ()
    done = run("measured", "l40s-server", DATA / "nvbandwidth-one-gpu.txt")
    assert (done.exit_code, "of another machine" in done.output) == (1, True)


def test_gigabits_taken_for_gigabytes_are_guessed():
    text = "# all_reduce_perf\n" + (DATA / "all-reduce.txt").read_text()
    for rate in ("361.34", "361.59", "368.41", "368.52", "373.01", "373.11"):
        text = text.replace(rate, f"{float(rate) * 8:.2f}")
    assert "or in gigabits" in tv.measured(tv.load("dgx-h100"), Source("a", text)).doubts[0]


def shown(command):
    """Return what a page of the documentation shows below a command."""
    page = (Path(__file__).parent.parent / "docs" / "slow-machine.md").read_text(encoding="utf-8")
    return page.split(f"$ {command}\n")[1].split("```")[0].strip().split("\n")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("topoviz measured dgx-h100 bw.txt -o bw.svg", ("measured", "dgx-h100", DATA / "nvbandwidth-one-gpu.txt")),
        ("topoviz measured dgx-h100 all-reduce.txt", ("measured", "dgx-h100", DATA / "all-reduce-slow.txt")),
        (
            "topoviz diff dgx-h100 topo.txt -o diff.svg",
            ("diff", "dgx-h100", DATA.parents[2] / "examples" / "found.txt"),
        ),
        ("topoviz diff dgx-h100 dgx-a100", ("diff", "dgx-h100", "dgx-a100")),
    ],
)
def test_the_documentation_shows_what_the_commands_print(command, words):
    said = run(*words).output.strip().split("\n")
    assert [line for line in shown(command) if not line.endswith(".svg")] == said
