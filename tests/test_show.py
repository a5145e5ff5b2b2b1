"""``topoviz show`` and ``topoviz list``: the numbers that are computed, the sources, one line for each part."""

from __future__ import annotations

import json
from functools import cache

import pytest
import yaml
from click.testing import CliRunner

import topoviz as tv
from topoviz import resources
from topoviz.cli import cli
from topoviz.model.figures import figures
from topoviz.model.in_brief import kind, marks

PARTS = resources.Catalog().names()
PRELIMINARY = {name for name in PARTS if resources.Catalog().get(name).preliminary}


def run(*words):
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@cache
def comments(name):
    """Return the comments above the file of a part, each in one line."""
    lines = [line for line in run("show", name).splitlines() if line.startswith("# ")]
    return "\n".join(lines).replace("\n#   ", " ").splitlines()


SAID = [
    ("dgx-1", "nvlink of each GPU: 4 links, 80 GB/s per direction (160 GB/s both directions)"),
    ("dgx-1v", "nvlink in all: 24 links of NVLink 2, 600 GB/s per direction (1.2 TB/s both directions)"),
    ("dgx-1v", "pairs of GPUs without a direct link: 12 of 28"),
    (
        "dgx-2",
        "bisection: 1.2 TB/s per direction (2.4 TB/s both directions), from the first 8 GPUs to the other 8 over nvlink",
    ),
    ("gb200-nvl72", "nvlink in all: 1,296 links of NVLink 5, 64.8 TB/s per direction (129.6 TB/s both directions)"),
    ("dgx-h100", "holds: 2 CPUs, 8 PCIe switches, 8 NICs, 8 GPUs, 4 NVSwitches"),
    ("dgx-h100", "title (zh): DGX H100"),
    ("dgx-h100", "source: public nvidia-smi topo -m captures"),
    ("h100-sxm", "nvlink of the GPU: 18 links of NVLink 4, 450 GB/s per direction (900 GB/s both directions)"),
    ("h100-sxm", "memory of the GPU: 80 GB"),
    ("superpod-h100", "parameters: su = 1 (1 to 64)"),
    ("superpod-b300", "variants: xdr (taken if none is named), spectrum-x"),
    ("superpod-h100-su", "title (zh): SuperPOD H100 单元"),
    ("superpod-a100", "unverified: no document was read for these numbers"),
    ("rubin", "variants: launch (taken if none is named), product-pages"),
    ("mi300x", "xgmi of each GPU: 7 links, 448 GB/s per direction (896 GB/s both directions)"),
    ("gaudi3", "ethernet of each GPU: 21 links, 525 GB/s per direction (1.05 TB/s both directions)"),
    ("dgx-h200", "dgx-h200: node (shipped)"),
]


@pytest.mark.parametrize(("name", "line"), SAID, ids=[f"{name}-{line.partition(':')[0]}" for name, line in SAID])
def test_show_says(name, line):
    assert f"# {line}" in comments(name)


@pytest.mark.parametrize("name", PARTS)
def test_what_show_prints_is_the_part(name):
    path = resources.find("catalog", name)
    assert yaml.safe_load(run("show", name)) == yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PARTS)
def test_show_names_every_source(name):
    sources = resources.Catalog().get(name).source.split("; ")
    assert [one for one in sources if f"# source: {one}" not in comments(name)] == []


@pytest.mark.parametrize("name", sorted(PRELIMINARY))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_show_says_what_is_preliminary(name, lang):
    assert any(line.startswith(f"# preliminary ({lang}): ") for line in comments(name))


def test_show_of_a_layout_is_its_file_alone():
    path = resources.find("layouts", "ring")
    assert run("show", "layout", "ring") == path.read_text(encoding="utf-8")


def test_show_as_json_has_file_and_figures():
    said = json.loads(run("show", "dgx-2", "--format", "json"))
    assert said["contains"]["cpu"] == "2 x xeon-skylake"
    assert said["computed"]["bisection"] == {
        "bandwidth": 1200,
        "kinds": ["nvlink"],
        "ends": "gpu",
        "halves": [8, 8],
    }
    assert said["computed"]["counts"]["nvswitch"] == 12


def test_a_part_of_ones_own_that_cannot_be_built_is_shown_all_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "mine.yaml").write_text("kind: node\ncontains: {gpu: 8 x nothing}\n", encoding="utf-8")
    assert run("show", "mine") == "kind: node\ncontains: {gpu: 8 x nothing}\n"


# ------------------------------------------------------------------------------------ list

LINES = [
    ("h100-sxm", "gpu: H100 SXM (nvlink 18 × NVLink 4, pcie PCIe 5.0 x16, 80 GB HBM3)"),
    ("dgx-h100", "node: DGX H100 (2 cpu, 8 sw, 8 nic, 8 gpu, 4 nvs)"),
    ("dgx-h200", "node: DGX H200 (takes dgx-h100)"),
    ("superpod-h100", "cluster: DGX SuperPOD H100 (1 su (1 to 64); published; full)"),
    ("superpod-a100", "cluster: DGX SuperPOD A100 (7 su, 8 rail, 28 core) [unverified]"),
    ("vera-rubin-nvl72", "rack: Vera Rubin NVL72 (18 tray, 9 swtray) [preliminary]"),
]


@pytest.mark.parametrize(("name", "line"), LINES, ids=[name for name, _ in LINES])
def test_list_says_what_a_part_is(name, line):
    rows = {row["name"]: row["summary"] for row in json.loads(run("list", "parts", "--format", "json"))}
    assert rows[name] == line


def test_list_has_a_line_for_each_part():
    assert [line.split()[0] for line in run("list", "parts").splitlines()] == list(PARTS)


@pytest.mark.parametrize("name", PARTS)
def test_the_kind_in_the_list_is_that_of_the_machine(name):
    catalog = resources.Catalog()
    assert kind(catalog.get(name), catalog.get) == tv.load(name).root.kind


def test_marks_of_a_part_without_doubts():
    assert marks(resources.Catalog().get("dgx-h100")) == ()


# ------------------------------------------------------------------------------------ figures

HALVES = [
    ("dgx-1", 80, "gpu", (4, 4)),  # four links of 20 GB/s from board to board
    ("dgx-1v", 150, "gpu", (4, 4)),  # 2 + 2 + 1 + 1 links of 25 GB/s
    ("dgx-h100", 4 * 450, "gpu", (4, 4)),
    ("mi300x", 16 * 64, "gpu", (4, 4)),
    ("gb200-nvl72", 36 * 900, "gpu", (36, 36)),
    ("gb200-nvl36x2", 36 * 900, "gpu", (36, 36)),
    ("tpu-v5p-cube", 32 * 100, "gpu", (32, 32)),  # 16 rings of four along the first axis, cut twice
    ("superpod-h100", 15 * 8 * 50, "node", (15, 16)),
]


@pytest.mark.parametrize(("name", "rate", "ends", "halves"), HALVES, ids=[name for name, *_ in HALVES])
def test_bisection(name, rate, ends, halves):
    found = figures(tv.load(name)).bisection
    assert (found.bandwidth, found.ends, found.halves) == (rate, ends, halves)


def test_bisection_of_an_oversubscribed_fabric_is_that_of_its_uplinks():
    said = {
        "contains": {"node": "4 x dgx-h100"},
        "fabric": [{"join": "node/nic", "switch": "qm9700", "kind": "infiniband", "down": 16, "up": 4, "spines": 2}],
    }
    assert figures(tv.load(said)).bisection.bandwidth == 4 * 50


@pytest.mark.parametrize("name", ["l40s-server", "gh200", "h100-sxm", "qm9700"])
def test_no_bisection_where_no_scale_up_link_joins_all_gpus(name):
    assert figures(tv.load(name)).bisection is None


def test_gpus_that_differ_have_no_common_figure():
    said = {"contains": {"gpu": "3 x h100-nvl"}, "wires": [{"from": "gpu0", "to": "gpu1", "kind": "nvlink"}]}
    assert figures(tv.load(said)).gpu == ()
