"""The machine as it should be against the machine as found: what differs, in data, words and pictures."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.drawing.difference_words import not_compared, row
from topoviz.drawing.scene import Line, Text
from topoviz.picture import compared

TOPO = Path(__file__).parent.parent / "examples" / "found.txt"
WIRES = [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "pairwise"}]
GOOD = {"contains": {"node": {"part": "dgx-h100"}, "leaf": "8 x qm9700"}, "wires": WIRES}
SWAPPED = [
    {"from": "node/nic[0-2,4-7]", "to": "leaf[0-2,4-7]", "kind": "infiniband", "rule": "pairwise"},
    {"from": "node/nic3", "to": "leaf4", "kind": "infiniband"},
]
CASES = [
    ({"changes": [{"at": "node/nic6", "absent": True}]}, [("missing", "thing", "1", "0", ("node/nic6",))]),
    ({"changes": [{"at": "node/nic6", "state": "down"}]}, [("missing", "thing", "1", "0", ("node/nic6",))]),
    (
        {"changes": [{"link": ["node/gpu1", "node/nvs1"], "links": 3}]},
        [("less", "links", "4", "3", ("node/gpu1", "node/nvs1"))],
    ),
    (
        {"changes": [{"link": ["node/gpu1", "node/nvs1"], "absent": True}]},
        [("less", "links", "4", "0", ("node/gpu1", "node/nvs1"))],
    ),
    (
        {"changes": [{"link": ["node/nic5", "leaf5"], "bandwidth": "HDR"}]},
        [("less", "rate", "NDR", "HDR", ("node/nic5", "leaf5"))],
    ),
    ({"wires": SWAPPED}, [("moved", "end", "leaf3", "leaf4", ("node/nic3",))]),
    ({"changes": [{"at": "node/gpu7", "absent": True}]}, [("missing", "thing", "1", "0", ("node/gpu7",))]),
    ({"changes": [{"at": "leaf2", "absent": True}]}, [("missing", "thing", "1", "0", ("leaf2",))]),
]


SERVERS = [  # a change of a server, and the difference that it makes
    (
        "dgx-h100",
        {"link": ["gpu3", "sw3"], "bandwidth": "PCIe 5.0 x8"},
        ("less", "rate", "PCIe 5.0 x16", "PCIe 5.0 x8"),
    ),
    (
        "dgx-h100",
        {"link": ["gpu3", "sw3"], "bandwidth": "PCIe 4.0 x16"},
        ("less", "rate", "PCIe 5.0 x16", "PCIe 4.0 x16"),
    ),
    ("dgx-h100", {"link": ["gpu3", "sw3"], "bandwidth": "32 GB/s"}, ("less", "rate", "64 GB/s", "32 GB/s")),
    (
        "dgx-h100",
        {"link": ["sw3", "cpu0"], "bandwidth": "PCIe 5.0 x8"},
        ("less", "rate", "PCIe 5.0 x16", "PCIe 5.0 x8"),
    ),
    (
        "dgx-h100",
        {"link": ["sw3", "nic3"], "bandwidth": "PCIe 5.0 x8"},
        ("less", "rate", "PCIe 5.0 x16", "PCIe 5.0 x8"),
    ),
    ("dgx-h100", {"link": ["gpu3", "nvs0"], "bandwidth": "12.5 GB/s"}, ("less", "rate", "25 GB/s", "12.5 GB/s")),
    ("dgx-1v", {"link": ["gpu0", "gpu3"], "bandwidth": "12.5 GB/s"}, ("less", "rate", "25 GB/s", "12.5 GB/s")),
    ("dgx-h100", {"link": ["cpu0", "cpu1"], "links": 1}, ("less", "links", "3", "1")),
    ("l40s-server", {"at": "nic2", "part": "connectx-6"}, ("other", "part", "ConnectX-7", "ConnectX-6")),
]


@pytest.mark.parametrize(("machine", "change", "expected"), SERVERS)
def test_a_slower_link_is_a_difference(machine, change, expected, tmp_path):
    found = {"part": machine, "changes": [change]}
    assert [one[:4] for one in told(machine, found)] == [expected]
    (tmp_path / "found.yaml").write_text(json.dumps(found), encoding="utf-8")
    done = run("diff", machine, tmp_path / "found.yaml", "--format", "json")
    assert (done.exit_code, len(json.loads(done.output))) == (1, 1)


@pytest.mark.parametrize(("machine", "change", "expected"), [one for one in SERVERS if one[2][0] == "less"])
def test_a_slower_link_is_a_fault_of_a_picture(machine, change, expected):
    scene = tv.render(tv.load({"part": machine, "changes": [change]}), overlay=["faults"]).scene()
    assert "1 difference on" in scene.title
    said = [s.content for item in scene.items for s in item.shapes if isinstance(s, Text)]
    unit = " link" if expected[1] == "links" else ""
    assert any(text == f"{expected[3]}{unit}" for text in said)


def test_rates_that_two_tools_write_differently_are_no_difference():
    def pair(rate):
        wire = {"from": "gpu", "kind": "nvlink", "rule": "mesh", "bandwidth": rate}
        return {"contains": {"gpu": {"part": "gpu", "count": 2}}, "wires": [wire]}

    assert told(pair("25 GB/s"), pair("24 GB/s")) == []
    assert told(pair("25 GB/s"), pair("20 GB/s")) == [("less", "rate", "25 GB/s", "20 GB/s", ("gpu0", "gpu1"))]


def marks(expected, found, **keys):
    """Return the numbers in the picture of what differs, and the strokes of links by their ends."""
    drawn, _ = compared(tv.load(expected), tv.load(found), **keys)
    scene = drawn.scene()
    assert audit(scene) == ()
    numbers = [
        s.content for i in scene.items if i.layer == "label" for s in i.shapes if isinstance(s, Text) and s.fill == "bg"
    ]
    links = {
        frozenset((data["source"], data["target"])): [s for s in item.shapes if isinstance(s, Line)]
        for item in scene.items
        if item.role == "link" and (data := dict(item.data))
    }
    return numbers, links


@pytest.mark.parametrize(
    ("machine", "links", "dashed"), [("dgx-1v", 0, [True, True]), ("dgx-1v", 1, [False, True]), ("mi300x", 0, [True])]
)
def test_a_missing_link_of_a_mesh_is_drawn_on_the_mesh(machine, links, dashed):
    left = {"absent": True} if not links else {"links": links}
    found = {"part": machine, "changes": [{"link": ["gpu0", "gpu3"], **left}]}
    numbers, strokes = marks(machine, found)
    assert numbers == ["1", "1"]  # in the picture and in the list
    drawn = [line for line in strokes[frozenset(("gpu0", "gpu3"))] if line.width < 2.5]  # not the cross
    assert [bool(line.dash) for line in drawn] == dashed
    assert {line.stroke for line in strokes[frozenset(("gpu1", "gpu2"))]} == {"ghost"}


@pytest.mark.parametrize(
    "change",
    [
        {"at": "leaf2", "absent": True},
        {"link": ["node3/nic2", "leaf2"], "absent": True},
        {"link": ["node3/gpu1", "node3/nvs1"], "links": 2},
        {"at": "node7/gpu5", "state": "down"},
    ],
)
def test_a_fault_in_a_cluster_is_drawn_where_it_is(change):
    numbers, _ = marks("superpod-h100-su", {"part": "superpod-h100-su", "changes": [change]})
    assert numbers == ["1", "1"]


def test_every_fault_of_a_picture_has_its_number():
    at = ["gpu0", "gpu5", "nvs1", "nic3"]
    numbers, _ = marks("dgx-h100", {"part": "dgx-h100", "changes": [{"at": at, "absent": True}]})
    assert sorted(numbers) == ["1", "1", "2", "2", "3", "3", "4", "4"]


@pytest.mark.parametrize(
    ("machine", "gone", "left"),
    [
        ("dgx-h100", "gpu7", "7 of 8 GPUs"),
        ("dgx-h100", "nvs2", "each of 8 × GPU: 350 of 450 GB/s per direction"),
        ("superpod-h100-su", "leaf2", "each of 32 × NIC: 0 of 50 GB/s per direction"),
    ],
)
def test_what_is_left_without_a_thing(machine, gone, left):
    assert [one.cost for one in rows(machine, {"part": machine, "changes": [{"at": gone, "absent": True}]})] == [left]


@pytest.mark.parametrize("change", [{"link": ["gpu3", "nvs0"]}, {"at": "nic3"}])
def test_something_degraded_is_a_difference(change):
    found = {"part": "dgx-h100", "changes": [{**change, "state": "degraded"}]}
    assert [one[:4] for one in told("dgx-h100", found)] == [("less", "state", "up", "degraded")]


def rows(expected, found):
    ours, theirs = tv.load(expected), tv.load(found)
    return [row(one, ours, theirs, "en") for one in tv.diff(ours, theirs).items]


def test_another_generation_is_told_in_groups():
    found = rows("dgx-h100", "dgx-a100")
    assert ("8 × GPU", "H100 SXM", "A100 SXM 80 GB", "each: 300 of 450 GB/s per direction") in found
    assert ("8 × GPU, NVLink", "18 links", "12 links", "each: 300 of 450 GB/s per direction") in found
    assert ("8 × NIC", "ConnectX-7", "ConnectX-6", "each: 25 of 50 GB/s per direction") in found
    assert len(found) <= 8


def test_a_mesh_is_no_fabric_of_chips():
    found = rows("dgx-1v", "dgx-h100")
    assert ("8 × GPU", "NVLink, directly", "NVLink over 4 chips", "") in found
    assert not any("NVSwitch" in one.where for one in found)
    assert ("8 × GPU", "NVLink over 4 chips", "xGMI, directly", "") in rows("dgx-h100", "mi300x")


def test_clusters_of_two_generations_are_told_in_a_few_rows():
    found = rows("superpod-h100-su", "superpod-b200-su")
    assert ("256 × GPU", "H100 SXM", "B200", "") in found
    assert len(found) <= 5


@pytest.mark.parametrize(
    ("numbers", "said"), [("[0-7]", "8 × GPU"), ("[0-4]", "GPU 0-4"), ("[0,2,4,6]", "GPU 0,2,4,6")]
)
def test_a_group_says_which_things_it_is(numbers, said):
    found = {"part": "dgx-h100", "changes": [{"at": f"gpu{numbers}", "part": "h200-sxm"}]}
    assert said in [one.where for one in rows("dgx-h100", found)]


def test_a_file_without_a_machine_cannot_be_compared(tmp_path):
    (tmp_path / "routes.yaml").write_text('routes: [{name: r, ring: "rank[0-3]"}]', encoding="utf-8")
    done = run("diff", "dgx-h100", tmp_path / "routes.yaml")
    assert (done.exit_code, "describes no machine" in done.output) == (2, True)


def test_what_is_not_compared_is_called_by_its_plural():
    made = tv.diff(tv.load("gb200-nvl72"), tv.load("dgx-h100"))
    assert "boxs" not in not_compared(made, "en")
    assert not_compared(replace(made, not_compared=("box", "pcie-switch", "nvswitch")), "en") == (
        "boxes, PCIe switches, NVSwitches"
    )


def told(expected, found):
    made = tv.diff(tv.load(expected), tv.load(found))
    return [(one.what, one.unit, one.expected, one.found, one.nodes) for one in made.items]


@pytest.mark.parametrize("name", ["dgx-h100", "gb200-nvl72", "l40s-server", "dgx-1v", "superpod-h100"])
def test_a_machine_does_not_differ_from_itself(name):
    assert told(name, name) == []


@pytest.mark.parametrize(("change", "expected"), CASES)
def test_each_fault_is_one_difference(change, expected):
    assert told(GOOD, {**GOOD, **change}) == expected


def test_something_nobody_expected_is_told():
    more = {**GOOD, "contains": {**GOOD["contains"], "leaf": "9 x qm9700"}, "wires": [{**WIRES[0], "to": "leaf[0-7]"}]}
    assert told(GOOD, more) == [("extra", "thing", "0", "1", ("leaf8",))]


def test_other_names_are_matched_by_where_things_hang():
    renamed = {
        "contains": {
            "cpu": "2 x xeon-spr", "gpu": "4 x l40s", "sw": "2 x pcie-switch",
            "nic": {"part": "connectx-7", "names": ["mlx5_9", "mlx5_2"]},
        },
        "wires": [
            {"from": "gpu", "to": "sw", "kind": "pcie", "rule": "block"},
            {"from": "mlx5_2", "to": "sw0", "kind": "pcie"},
            {"from": "sw", "to": "cpu", "kind": "pcie", "rule": "pairwise"},
        ],
    }  # fmt: skip
    whole = {**renamed, "contains": {**renamed["contains"], "nic": "2 x connectx-7"}}
    whole["wires"] = [
        renamed["wires"][0],
        {"from": "nic", "to": "sw", "kind": "pcie", "rule": "pairwise"},
        renamed["wires"][2],
    ]
    gone = {**renamed, "changes": [{"at": "mlx5_9", "absent": True}]}
    assert told(whole, gone) == [("missing", "thing", "1", "0", ("nic1",))]


def test_a_matrix_is_compared_with_what_it_can_know():
    ours, theirs = tv.load("dgx-h100"), tv.load(TOPO)
    made = tv.diff(ours, theirs)
    assert [row(one, ours, theirs, "en") for one in made.items] == [
        ("NIC 6", "1 NIC", "none", "GPU 6: 0 of 50 GB/s per direction"),
        ("GPU 1, NVLink", "18 links", "17 links", "GPU 1: 425 of 450 GB/s per direction"),
    ]
    assert {"nvswitch", "rates"} <= set(made.not_compared)


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_the_command_leaves_with_one_if_they_differ(tmp_path):
    done = run("diff", "dgx-h100", TOPO, "-o", tmp_path / "d.svg", "--format", "json")
    said = json.loads(done.output[done.output.index("[") :])
    assert done.exit_code == 1
    assert [set(one) for one in said] == [{"where", "expected", "found", "cost"}] * 2
    assert "NIC 6" in (tmp_path / "d.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("diff", "dgx-h100", "dgx-h100"), 0, "no differences"),
        (("diff", "dgx-h100", "dgx-h200x"), 2, "did you mean"),
        (("diff", "nowhere.yaml", "dgx-h100"), 2, "there is no such file"),
    ],
)
def test_codes_of_the_command(words, code, said):
    done = run(*words)
    assert (done.exit_code, said in done.output) == (code, True)


def picture(change, **keys):
    return tv.render(tv.load({**GOOD, **change}), overlay=["faults"], **keys).scene()


@pytest.mark.parametrize(("change", "expected"), CASES[:5])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_faults_pass_the_audit_and_have_a_number(change, expected, lang):
    scene = picture(change, lang=lang)
    badges = [
        s
        for item in scene.items
        if item.layer == "label"
        for s in item.shapes
        if isinstance(s, Text) and s.content == "1" and s.fill == "bg"
    ]
    assert audit(scene) == ()
    assert len(badges) == 2  # in the picture and in the list


def test_what_is_as_expected_is_grey_and_what_is_not_is_alert():
    scene = picture(CASES[2][0])
    strokes = {
        frozenset((data["source"], data["target"])): {s.stroke for s in item.shapes if isinstance(s, Line)}
        for item in scene.items
        if item.role == "link" and (data := dict(item.data))
    }
    assert strokes[frozenset(("node/gpu1", "node/nvs1"))] == {"alert"}
    assert strokes[frozenset(("node/gpu2", "node/nvs1"))] == {"ghost"}


def test_a_found_file_that_is_not_there_is_told_with_its_place():
    topology = tv.load({"part": "dgx-h100", "pictures": [{"file": "a.svg", "found": "gone.txt"}]})
    with pytest.raises(tv.SpecError, match=r"gone\.txt"):
        tv.render(topology, found="gone.txt").svg()


def test_without_differences_the_picture_says_so():
    assert "No differences" in tv.render(tv.load("dgx-h100"), layout="fault-diff", overlay=["faults"]).svg()


def network(**other):
    hosts = {"node": {"kind": "node", "contains": {"nic": "nic"}, "count": 4}}
    wires = [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "block", "bandwidth": "NDR"}]
    wires.append({"from": "leaf", "to": "spine", "kind": "infiniband", "bandwidth": "NDR"})
    return {
        "kind": "cluster",
        "contains": {"leaf": "2 x switch", "spine": "1 x switch", **hosts},
        "wires": wires,
        **other,
    }


def test_a_cable_of_a_server_drawn_as_one_box_is_marked():
    cable = {"kind": "infiniband", "bandwidth": "NDR"}
    ends = (("node0/nic", "leaf0"), ("node[1-3]/nic", "leaf1"), ("leaf", "spine"))
    moved = [{"from": one, "to": other, **cable} for one, other in ends]
    numbers, strokes = marks(network(), network(wires=moved))
    assert numbers == ["1", "1"]
    assert {line.stroke for line in strokes[frozenset(("leaf0", "node1"))]} == {"alert"}
    assert {line.stroke for line in strokes[frozenset(("leaf1", "node1"))]} == {"alert"}  # where it leads now


def test_a_slower_cable_of_a_server_drawn_as_one_box_is_marked():
    slow = network(changes=[{"link": ["node2/nic", "leaf1"], "bandwidth": "HDR"}])
    numbers, strokes = marks(network(), slow)
    assert numbers == ["1", "1"]
    assert {line.stroke for line in strokes[frozenset(("leaf1", "node2"))]} == {"alert"}


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("dgx-h100", "dgx-a100"),
        ("dgx-1v", "dgx-h100"),
        ("dgx-h100", "mi300x"),
        ("superpod-h100-su", "superpod-b200-su"),
        ("gb200-nvl72", "gb300-nvl72"),
        ("dgx-a100", "dgx-1v"),
    ],
)
def test_pictures_of_other_machines_say_what_the_rows_say(expected, found):
    ours, theirs = tv.load(expected), tv.load(found)
    drawn, made = compared(ours, theirs)
    scene = drawn.scene()
    said = [s.content for i in scene.items for s in i.shapes if isinstance(s, Text)]
    assert audit(scene) == ()
    cells = {cell for one in made.items for cell in row(one, ours, theirs, "en")[:3]}
    assert cells <= set(said)  # none is cut
