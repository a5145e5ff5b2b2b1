"""The lint of hardware: what each rule finds, what silences it, and that it costs as much as the description."""

from __future__ import annotations

import json
import time

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz import registry, resources
from topoviz.cli import cli
from topoviz.marks import Source
from topoviz.model.lint import lint
from topoviz.model.sites import sites

EIGHT = "contains: {node: 8 x dgx-h100, leaf: 8 x qm9700}\n"
GPUS = "contains: {gpu: {kind: gpu, count: 4}, nvs: {kind: nvswitch, count: 2}}\n"
UNITS = "contains: {su: {kind: su, count: 2, contains: {node: 8 x dgx-h100}}, leaf: 16 x qm9700}\n"
RACK = "contains: {rack: {kind: rack, height: 42, contains: {server: {kind: node, height: %s, count: 2, slot: [%s]}}}}"
CARD = "parts: {card: {kind: nic, ports: {ethernet: %s}}, hub: {kind: switch, ports: {ethernet: 64 x 400GbE}}}\n"
PAIR = CARD + "contains: {nic: 2 x card, hub: 1 x hub}\n"

FOUND = {
    "a card without a link": (
        EIGHT + 'wires: [{from: "node/nic[0-6]", to: "leaf[0-6]", kind: infiniband, rule: rail}]',
        "nic-without-link",
        "node0/nic7 has no network link; the other 7 nic have one (so in all 8 of this sort)",
    ),
    "a GPU beside others": (
        GPUS + 'wires: [{from: "gpu[0-2]", to: nvs, kind: nvlink}]',
        "gpu-outside-nvlink",
        "gpu3 has no nvlink link; gpu0, gpu1, gpu2 have one",
    ),
    "GPUs of a node without NVLink": (
        "parts: {server: {kind: node, contains: {gpu: 2 x h100-nvl}}}\ncontains: {node: 2 x server}\n"
        "wires: [{from: node0/gpu, kind: nvlink, rule: mesh, links: 12}]",
        "gpu-outside-nvlink",
        "node1/gpu0, node1/gpu1 have no nvlink link; node0/gpu0 has one",
    ),
    "a switch that nothing reaches": (
        GPUS + "wires: [{from: gpu, to: nvs0, kind: nvlink}]",
        "unlinked",
        "nvs1 has no link at all; the other 1 nvs has some",
    ),
    "a node that nothing reaches": (
        EIGHT + 'wires: [{from: "node[0-6]/nic", to: leaf, kind: infiniband, rule: rail}]',
        "unlinked",
        "node7 has no link at all; the other 7 node have some",
    ),
    "a GPU with fewer links": (
        GPUS + "wires: [{from: gpu, to: nvs0, kind: nvlink, links: 2}, "
        '{from: "gpu[0-2]", to: nvs1, kind: nvlink, links: 2}]',
        "uneven-links",
        "gpu3 has 2 scale-up links, most of the 4 gpu have 4",
    ),
    "a leaf with fewer up-links": (
        "contains: {node: {kind: node, count: 4, contains: {nic: 4 x connectx-7}}, leaf: 4 x qm9700, spine: 2 x qm9700}\n"
        "wires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail}, "
        '{from: leaf, to: spine0, kind: infiniband}, {from: "leaf[0-2]", to: spine1, kind: infiniband}]',
        "uneven-links",
        "leaf3 has 1 up-link, most of the 4 leaf have 2",
    ),
    "two speeds": (
        PAIR % "200GbE" + "wires: [{from: nic, to: hub, kind: ethernet}]",
        "speed-mismatch",
        "ethernet links of the machine have two speeds: a hub has 400GbE, 400 Gb/s = 50 GB/s, "
        "a card has 200GbE, 200 Gb/s = 25 GB/s, which is what they carry",
    ),
    "a card at the leaf of another rail": (
        EIGHT + 'wires: [{from: "node[0-6]/nic", to: leaf, kind: infiniband, rule: rail}, '
        '{from: "node7/nic[1,0,2-7]", to: leaf, kind: infiniband, rule: pairwise}]',
        "wrong-leaf",
        "node7/nic1 is at leaf0, where all others are of another rail",
    ),
    "a node at the leaves of another unit": (
        UNITS + 'wires: [{from: "su0/node/nic", to: "leaf[0-7]", kind: infiniband, rule: rail}, '
        '{from: "su1/node[0-6]/nic", to: "leaf[8-15]", kind: infiniband, rule: rail}, '
        '{from: "su1/node7/nic", to: "leaf[0-7]", kind: infiniband, rule: rail}]',
        "wrong-leaf",
        "su1/node7 is at leaf0 … leaf7 (8), where all others are of another unit",
    ),
    "two things in one unit": (
        RACK % (2, "1, 2"),
        "slots",
        "rack/server1 takes units 2-3, where rack/server0 is (units 1-2)",
    ),
    "the same slot twice": (RACK % (1, "7, 7"), "slots", "rack/server1 takes unit 7, where rack/server0 is (unit 7)"),
    "a thing above its rack": (
        RACK % (2, "1, 42"),
        "slots",
        "rack/server1 takes units 42-43, but rack has 42 units",
    ),
    "a switch larger than any": (
        "contains: {node: {kind: node, count: 600, contains: {nic: {kind: nic}}}, hub: {kind: switch}}\n"
        "wires: [{from: node/nic, to: hub, kind: ethernet}]",
        "switch-radix",
        "hub has 600 network links and says nothing about its ports",
    ),
}
QUIET = {
    "equal things": EIGHT + "wires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail}]",
    "nothing is linked": "contains: {gpu: {kind: gpu, count: 4}, power: {kind: power-shelf, count: 2}}",
    "a card that is excepted": EIGHT
    + "wires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail, except: node7/nic7}]",
    "a link that a change takes away": "part: dgx-h100\nchanges: [{link: [gpu5, nvs0], links: 4}]",
    "a GPU that is down": GPUS
    + 'wires: [{from: "gpu[0-2]", to: nvs, kind: nvlink}]\nchanges: [{at: gpu3, state: down}]',
    "GPUs that have no such port": "contains: {a: 2 x h100-nvl, b: 2 x l40s}\n"
    "wires: [{from: a, kind: nvlink, rule: mesh, links: 12}]",
    "a wire that states its speed": PAIR % "200GbE"
    + "wires: [{from: nic, to: hub, kind: ethernet, bandwidth: 200GbE}]",
    "a link that a change makes slower": PAIR % "200GbE" + "wires: [{from: nic, to: hub, kind: ethernet}]\n"
    "changes: [{link: [nic, hub], bandwidth: 100GbE}]",
    "a leaf that mixes rails": "contains: {node: 8 x dgx-h100, leaf: 2 x qm9700}\n"
    "wires: [{from: node/nic, to: leaf, kind: infiniband, rule: block}]",
    "another number of cards in some nodes": "parts: {one: {kind: node, contains: {nic: 1 x connectx-7}}, "
    "two: {kind: node, contains: {nic: 2 x connectx-7}}}\ncontains: {a: 9 x one, b: 1 x two, leaf: 1 x qm9700}\n"
    "wires: [{from: [a/nic, b/nic], to: leaf, kind: infiniband}]",
    "spines that a generator fills unevenly": "contains: {node: 512 x hgx-h100}\n"
    "fabric: [{join: node/nic, switch: qm9700, kind: infiniband, oversubscription: 3}]",
    "things above each other": RACK % (2, "1, 3"),
    "slots without a height of the rack": "contains: {rack: {kind: rack, contains: {a: {kind: box, slot: 60}}}}",
    "the ends of a row of GPUs": "contains: {gpu: {kind: gpu, count: 2}}\nwires: [{from: gpu, kind: nvlink, rule: mesh}]",
}
SILENT = ("error", "warning")


def found(text: str):
    return lint(tv.load(Source("a.yaml", text)))


@pytest.mark.parametrize(("text", "code", "message"), FOUND.values(), ids=FOUND)
def test_rule_finds(text, code, message):
    said = {one.message: one for one in found(text)}
    assert message in said
    assert (said[message].code, said[message].severity) == (code, "warning")


@pytest.mark.parametrize(("text", "code", "_message"), FOUND.values(), ids=FOUND)
def test_finding_has_a_place_and_a_hint(text, code, _message):
    one = next(one for one in found(text) if one.code == code)
    assert one.hint
    assert one.mark is not None
    assert one.mark.source.path == "a.yaml"


@pytest.mark.parametrize("text", QUIET.values(), ids=QUIET)
def test_rules_are_quiet_about(text):
    assert found(text) == ()


def test_every_rule_has_a_case():
    files = {name.replace("_", "-") for name in registry.names("topoviz.model.lint")}
    assert files == {code for _, code, _ in FOUND.values()}


@pytest.mark.parametrize("name", registry.names("topoviz.model.lint"))
def test_every_rule_says_why_and_how_to_mend(name):
    said = registry.get("topoviz.model.lint", name).__doc__
    assert "Why:" in said
    assert "To mend:" in said


def test_pcie_that_negotiates_down_is_a_note():
    (one,) = lint(tv.load("l40s-server"))
    assert (one.code, one.severity) == ("speed-mismatch", "note")
    assert "a connectx-7 has PCIe 5.0 x16, 512 Gb/s = 64 GB/s, a pcie-gen4-switch has PCIe 4.0 x16" in one.message


def test_preliminary_numbers_give_a_note():
    rack = tv.load({"part": "vera-rubin-nvl72", "changes": [{"at": "gpu", "variant": "product-pages"}]})
    assert [(one.code, one.severity) for one in lint(rack)] == [("speed-mismatch", "note")]


@pytest.mark.parametrize("name", resources.Catalog().names())
def test_no_shipped_part_is_odd(name):
    assert [one.message for one in lint(tv.load(name)) if one.severity in SILENT] == []


def test_a_finding_of_a_group_that_is_taken_points_at_where_it_is_taken():
    (one,) = found(EIGHT + 'wires: [{from: "node/nic[0-6]", to: "leaf[0-6]", kind: infiniband, rule: rail}]')[:1]
    assert (one.mark.line, one.mark.column) == (1, 22)


def test_a_finding_of_a_link_points_at_its_wire():
    text = FOUND["a card at the leaf of another rail"][0].replace(', {from: "node7', ',\n  {from: "node7')
    assert next(one for one in found(text) if one.code == "wrong-leaf").mark.line == 3


# ------------------------------------------------------------------------------------ how much it costs


def test_alike_things_are_looked_at_once():
    pod = tv.load("superpod-h100", su=64, variant="full")
    assert (pod.count("gpu"), len(sites(pod))) == (16_384, 3)
    assert [site.times for site in sites(pod)] == [1, 64, 2048]


def test_things_joined_otherwise_are_looked_at_by_themselves():
    wires = 'wires: [{from: "node/nic[0-6]", to: "leaf[0-6]", kind: infiniband, rule: rail}, '
    one = tv.load(Source("a.yaml", EIGHT + wires + "{from: node3/nic7, to: leaf7, kind: infiniband}]"))
    assert [(site.thing.id, site.times) for site in sites(one)] == [("", 1), ("node0", 7), ("node3", 1)]


def test_sixteen_thousand_gpus_take_about_a_second():
    pod = tv.load("superpod-h100", su=64, variant="full")
    before = time.process_time()
    lint(pod)
    assert time.process_time() - before < 4  # 0.4 s on one core; room for slow machines


# ------------------------------------------------------------------------------------ where it is told


@pytest.fixture
def odd(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(FOUND["a GPU beside others"][0], encoding="utf-8")
    return "a.yaml"


def run(*words):
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def test_check_tells_and_passes_unless_strict(odd):
    done = run("check", odd)
    assert "a.yaml:1:17: warning: gpu3 has no nvlink link" in done.output
    assert done.output.endswith("1 warning\n")
    assert [done.exit_code, run("check", odd, "--strict").exit_code] == [0, 1]


def test_check_in_python_tells(odd):
    assert [one.code for one in tv.check(odd)] == ["gpu-outside-nvlink"]


def test_check_as_json_has_the_code(odd):
    rows = json.loads(run("check", odd, "--format", "json").output)
    assert [(row["severity"], row["code"]) for row in rows] == [("warning", "gpu-outside-nvlink"), ("note", "layout")]


def test_check_as_sarif_has_the_shape_of_the_standard(odd):
    log = json.loads(run("check", odd, "--format", "sarif").output)
    (ran,) = log["runs"]
    result = ran["results"][0]
    assert (log["version"], log["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    assert ran["tool"]["driver"]["name"] == "topoviz"
    assert ran["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "gpu-outside-nvlink"
    assert result["level"] == "warning"
    assert result["message"]["text"].startswith("gpu3 has no nvlink link")
    where = result["locations"][0]["physicalLocation"]
    assert where["artifactLocation"] == {"uri": "a.yaml"}
    assert where["region"] == {"startLine": 1, "startColumn": 17, "endColumn": 38}


def test_sarif_of_nothing_wrong_is_a_log_with_notes_only():
    (ran,) = json.loads(run("check", "dgx-h100", "--format", "sarif").output)["runs"]
    assert [result["level"] for result in ran["results"]] == ["note"]
    assert "locations" not in ran["results"][0]


def test_sarif_of_a_mistake_is_an_error_and_leaves_with_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "é b.yaml").write_text("part: dgx-h1000\n", encoding="utf-8")
    done = run("check", "é b.yaml", "--format", "sarif")
    (result,) = json.loads(done.output)["runs"][0]["results"]
    assert (done.exit_code, result["level"]) == (1, "error")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%C3%A9%20b.yaml"
