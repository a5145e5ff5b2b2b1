"""MIG: every profile of the facts in its places, cuts that fit and cuts that do not, instances in graph and command line."""

import json

import pytest
import yaml
from click.testing import CliRunner
from documents import DATA, built

from topoviz.cli import cli
from topoviz.errors import SpecError
from topoviz.model.mig import Profile, Slices, counted, fitting, instances, placed, slices_of
from topoviz.model.topology import Assembly

FACTS = yaml.safe_load((DATA / "hardware.yaml").read_text("utf-8"))
CUT = {  # part or part and variant: GPU of the facts, and which table of it
    "a100-sxm-40gb": ("A100_SXM4_40GB", "profiles"),
    "a100-sxm-80gb": ("A100_SXM4_80GB", "profiles"),
    "a30": ("A30", "profiles"),
    "h100-sxm": ("H100_SXM5", "profiles"),
    "h100-nvl": ("H100_NVL", "profiles"),
    "h200-sxm": ("H200_SXM", "profiles"),
    "gh200-gpu": ("GH200", "profiles_96gb"),
    "gh200-gpu 144gb": ("GH200", "profiles_144gb"),
    "rtx-pro-6000": ("RTX_PRO_6000_Blackwell", "profiles"),
    "b200": ("B200_SXM", "profiles"),
    "b300": ("B300_SXM", "profiles"),
    "gb200-gpu": ("GB200_GPU", "profiles"),
    "gb300-gpu": ("GB300_GPU", "profiles"),
}
ROWS = [
    (name, *row[:1], *row[2:], FACTS["mig_placements"][FACTS["gpus"][gpu]["mig"]["placements"]])
    for name, (gpu, table) in CUT.items()
    for row in FACTS["gpus"][gpu]["mig"][table]
]
IDS = [f"{row[0]}-{row[1]}" for row in ROWS]


def cut(name: str, *profiles: str) -> Assembly:
    part, _, variant = name.partition(" ")
    more = f"variant: {variant}\n" if variant else ""
    return built(f"part: {part}\n{more}mig: [{', '.join(profiles)}]\n").root.assembly


def error(text: str) -> tuple[str, str, str]:
    """The message, the hint, and the text that the one mistake points at."""
    with pytest.raises(SpecError) as caught:
        built(text)
    (one,) = caught.value.diagnostics
    line = text.splitlines()[one.mark.line - 1]
    return one.message, one.hint, line[one.mark.column - 1 : one.mark.column - 1 + one.mark.width]


def starts(name: str, *profiles: str) -> list[tuple[str, int]]:
    return [(one.profile, one.start) for one in instances(cut(name, *profiles))]


# ---- profiles against the facts


@pytest.mark.parametrize(("name", "profile", "compute", "_most", "sms", "place", "table"), ROWS, ids=IDS)
def test_an_instance_has_the_slices_and_sms_of_the_facts(name, profile, compute, _most, sms, place, table):
    (one,) = instances(cut(name, profile))
    assert (one.compute, one.length, one.sms) == (compute, table[place]["size"], sms)
    assert f"{one.compute}g.{one.memory:g}gb" == profile.replace("-me", "").partition("+")[0]


@pytest.mark.parametrize(("name", "profile", "_compute", "_most", "_sms", "place", "table"), ROWS, ids=IDS)
def test_it_may_start_at_the_memory_slices_of_the_facts(name, profile, _compute, _most, _sms, place, table):
    slices = slices_of(cut(name, profile))
    fits = [at for at in range(slices.memory + 1) if placed(slices, [f"{profile}@{at}"])]
    assert (slices.memory, slices.compute) == (table["memory_slices"], table["compute_slices"])
    assert fits == table[place]["starts"]


@pytest.mark.parametrize(("name", "profile", "_compute", "most", "_sms", "_place", "_table"), ROWS, ids=IDS)
def test_as_many_fit_as_the_facts_say(name, profile, _compute, most, _sms, _place, _table):
    slices = slices_of(cut(name, profile))
    assert [number for number in range(1, 10) if placed(slices, [profile] * number)] == list(range(1, most + 1))


def test_the_h100_pcie_has_the_profiles_of_the_h100_without_its_sms():
    names = [one.name for one in slices_of(cut("h100-pcie", "7g.80gb")).profiles]
    assert names == [one.name for one in slices_of(cut("h100-sxm", "7g.80gb")).profiles]
    assert instances(cut("h100-pcie", "7g.80gb"))[0].sms is None


# ---- placing


@pytest.mark.parametrize(
    ("profiles", "found"),
    [
        (["3g.40gb", "3g.40gb"], [("3g.40gb", 0), ("3g.40gb", 4)]),
        (["3g.40gb@4", "4g.40gb"], [("4g.40gb", 0), ("3g.40gb", 4)]),
        (
            ["3g.40gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"],
            [*[("1g.10gb", i) for i in range(4)], ("3g.40gb", 4)],
        ),
        (
            ["2g.20gb", "2g.20gb", "2g.20gb", "1g.10gb"],
            [("2g.20gb", 0), ("2g.20gb", 2), ("2g.20gb", 4), ("1g.10gb", 6)],
        ),
        (["1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"], [("1g.20gb", i) for i in (0, 2, 4, 6)]),
        (["1g.10gb+me", "2g.20gb"], [("1g.10gb+me", 0), ("2g.20gb", 2)]),
    ],
    ids=lambda value: "+".join(value) if isinstance(value[0], str) else "",
)
def test_instances_stand_where_all_of_them_fit(profiles, found):
    assert starts("h100-sxm", *profiles) == found


def test_compute_slices_stand_over_three_memory_slices_each_on_an_rtx_pro():
    found = instances(cut("rtx-pro-6000", "1g.24gb", "2g.48gb"))
    assert [(one.start, one.compute_start, one.compute) for one in found] == [(0, 0, 1), (6, 2, 2)]


def test_seven_slices_of_an_h100_leave_twenty_sms():
    found = cut("h100-sxm", *["1g.10gb"] * 7)
    assert found.facts["sms"] - sum(one.sms for one in instances(found)) == 20


@pytest.mark.parametrize(
    ("taken", "beside"),
    [
        (["4g.40gb"], ["3g.40gb", "2g.20gb + 1g.10gb", "3 x 1g.10gb"]),
        (["3g.40gb", "3g.40gb"], []),
        (["1g.10gb"] * 6, ["1g.10gb"]),
    ],
    ids=["4g", "3g+3g", "6x1g"],
)
def test_what_fits_beside_a_cut(taken, beside):
    assert [counted(one) for one in fitting(slices_of(cut("h100-sxm", "7g.80gb")), taken)] == beside


def test_more_compute_slices_than_there_are_do_not_fit_however_much_memory_there_is():
    wide = Profile(name="2g.1gb", compute=2, memory=1, starts=(0, 1, 2, 3))
    assert placed(Slices(compute=4, memory=4, profiles=(wide,)), ["2g.1gb"] * 3) is None


# ---- mistakes

WRONG = [
    ("part: h100-sxm\nmig: 5 x 1g.20gb", "5 x 1g.20gb do not fit on an H100 SXM", "it has 8 memory slices and a 1g.20gb takes 2: 4 x 1g.20gb", "5 x 1g.20gb"),
    ("part: a30\nmig: 5 x 1g.6gb", "5 x 1g.6gb do not fit on an A30", "it has 4 compute slices: 4 x 1g.6gb", "5 x 1g.6gb"),
    ("part: h100-sxm\nmig: 3g.40gb@2", "a 3g.40gb of an H100 SXM cannot start at memory slice 2", "it may start at 0 or 4", "3g.40gb@2"),
    ("part: h100-sxm\nmig: 1g.10gb@8", "a 1g.10gb of an H100 SXM cannot start at memory slice 8", "its memory slices are 0 to 7; it may start at 0, 1, 2, 3, 4, 5 or 6", "1g.10gb@8"),
    ("part: h100-sxm\nmig: [3g.40gb, 3g.40gb, 1g.10gb]", "2 x 3g.40gb + 1g.10gb do not fit on an H100 SXM", "2 x 3g.40gb leave no place for 1g.10gb", "[3g.40gb, 3g.40gb, 1g.10gb]"),
    ("part: h100-sxm\nmig: [4g.40gb, 2g.20gb, 2g.20gb]", "4g.40gb + 2 x 2g.20gb do not fit on an H100 SXM", "beside 4g.40gb + 2g.20gb there is no place for 2g.20gb; beside it fits 1g.10gb", "[4g.40gb, 2g.20gb, 2g.20gb]"),
    ("part: h100-sxm\nmig: [7g.40gb]", "an H100 SXM has no profile 7g.40gb", "7g.40gb is of the A100 40 GB; here it is 7g.80gb", "7g.40gb"),
    ("part: rubin\nmig: 7g.80gb", "a Rubin cannot be cut: no MIG profiles of it are published", "", "7g.80gb"),
    ("part: dgx-h100\nmig: 7g.80gb", "a DGX H100 cannot be cut: MIG cuts GPUs", "mig stands at the GPUs: changes: [{at: gpu0, mig: …}]", "7g.80gb"),
    ("title: Mine\npart: h100-sxm\nmig: 8 x 1g.10gb", "8 x 1g.10gb do not fit on an H100 SXM", "it has 7 compute slices: 7 x 1g.10gb", "8 x 1g.10gb"),
    ("part: dgx-h100\nchanges: [{at: gpu1, mig: 8 x 1g.10gb}]", "8 x 1g.10gb do not fit on an H100 SXM", "it has 7 compute slices: 7 x 1g.10gb", "8 x 1g.10gb"),
    ("part: h100-sxm\npictures: [{file: a.svg, mig: 8 x 1g.10gb}]", "8 x 1g.10gb do not fit on an H100 SXM", "it has 7 compute slices: 7 x 1g.10gb", "8 x 1g.10gb"),
    ("part: l40s\npictures: [{file: a.svg, panels: [{part: a30, mig: 5 x 1g.6gb}]}]", "5 x 1g.6gb do not fit on an A30", "it has 4 compute slices: 4 x 1g.6gb", "5 x 1g.6gb"),
    ("parts: {mine: {kind: gpu}}\ncontains: {g: {part: mine, mig: 1g.1gb}}", "a mine cannot be cut: it has no MIG profiles", "'slices' of a part say how it can be cut", "1g.1gb"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "hint", "place"), WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_a_cut_that_cannot_be_says_what_would_fit(text, message, hint, place):
    assert error(text) == (message, hint, place)


def test_only_one_instance_has_the_media_engines():
    message, hint, _ = error("part: h100-sxm\nmig: 2 x 1g.10gb+me")
    assert message == "only one 1g.10gb+me fits on an H100 SXM"
    assert hint.startswith("beside it fit 4g.40gb + 2g.20gb")


# ---- where instances are told

SERVER = {"part": "dgx-h100", "changes": [{"at": "gpu1", "mig": ["3g.40gb@4", "1g.10gb"]}]}


def test_the_graph_has_the_instances_at_the_gpu():
    graph = built(json.dumps(SERVER)).graph
    assert graph.nodes["gpu1"]["mig"] == "1g.10gb + 3g.40gb"
    assert graph.nodes["gpu1"]["instances"][1] == {
        "profile": "3g.40gb", "memory_slice": 4, "memory_slices": 4, "compute_slices": 3, "sms": 60, "memory": 40.0,
    }  # fmt: skip
    assert "mig" not in graph.nodes["gpu0"]


@pytest.mark.parametrize(("form", "told"), [("json", '"mig": "7 x 1g.10gb"'), ("graphml", "7 x 1g.10gb")])
def test_a_lone_gpu_is_exported_with_its_cut(tmp_path, form, told):
    path = tmp_path / "a.yaml"
    path.write_text("part: h100-sxm\nmig: 7 x 1g.10gb\n")
    done = CliRunner().invoke(cli, ["export", str(path), "--to", form])
    assert (done.exit_code, told in done.output) == (0, True)


def test_show_lists_profiles_and_full_cuts():
    said = CliRunner().invoke(cli, ["show", "h100-sxm"]).output
    assert "# MIG profile 3g.40gb: at most 2, 60 SMs, 4 of 8 memory slices, from 0, 4\n" in said
    assert "# MIG cuts that leave no room: 7g.80gb; 4g.40gb + 3g.40gb;" in said


def test_show_gives_programs_the_profiles():
    said = json.loads(CliRunner().invoke(cli, ["show", "a30", "--format", "json"]).output)
    assert said["computed"]["mig"]["profiles"][2]["name"] == "2g.12gb"
