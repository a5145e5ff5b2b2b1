import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from topoviz.cli import cli


def run(*words, text=None):
    return CliRunner().invoke(cli, [*words], input=text)


def process(*words, **more):
    return subprocess.run([sys.executable, "-m", "topoviz", *words], capture_output=True, text=True, check=False, **more)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_help_opens_no_heavy_room():
    code = (
        "import sys; from click.testing import CliRunner; from topoviz.cli import cli; "
        "CliRunner().invoke(cli, ['--help']); print(sorted({'networkx', 'svgwrite', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_render_a_catalog_name(folder):
    assert run("render", "dgx-h100", "-o", "a.svg").exit_code == 0
    assert (folder / "a.svg").read_text(encoding="utf-8").startswith("<svg")


def test_render_without_output_uses_the_name(folder):
    assert run("render", "dgx-h100").output.strip() == "dgx-h100.svg"
    assert (folder / "dgx-h100.svg").is_file()


def test_render_draws_the_pictures_of_a_document_beside_it(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "a.yaml").write_text("part: dgx-h100\npictures: [one.svg, {file: two.svg, lang: [en, zh]}]\n")
    assert run("render", "sub/a.yaml").exit_code == 0
    assert sorted(p.name for p in (folder / "sub").glob("*.svg")) == ["one.svg", "two-zh.svg", "two.svg"]


def test_render_a_ring_says_bytes_and_time(folder):
    assert run("render", "dgx-h100", "--highlight", "ring", "--size", "14GB", "-o", "-").output.count("24.5 GB") >= 1
    assert "54 ms" in run("render", "dgx-h100", "--highlight", "ring", "--size", "14GB", "-o", "-").output


def test_render_with_a_parameter(folder):
    assert "504 GPUs" in run("render", "superpod-h100", "--set", "su=2", "-o", "-").output


def test_render_from_standard_input(folder):
    assert run("render", "-", "-o", "-", text="part: dgx-h100\n").output.startswith("<svg")


def test_render_each_draws_every_input(folder):
    assert run("render", "--each", "dgx-h100", "l40s-server").output.split() == ["dgx-h100.svg", "l40s-server.svg"]


def test_if_changed_leaves_the_file_alone(folder):
    run("render", "dgx-h100", "-o", "a.svg")
    assert run("render", "dgx-h100", "-o", "a.svg", "--if-changed").output.strip() == "unchanged a.svg"


@pytest.mark.parametrize("name", ["dgx-h100", "gb200-nvl72", "l40s-server", "superpod-h100", "nvl72-cluster", "hgx-h100"])
def test_strict_pictures_are_clean(folder, name):
    assert run("render", name, "--strict", "-o", "a.svg").output.strip() == "a.svg"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["render", "dgx_h100"], 1, "did you mean 'dgx-h100'?"),
        (["render", "no-such.yaml"], 1, "there is no such file"),
        (["render", "dgx-h100", "-o", "a.gif"], 1, "does not write '.gif'"),
        (["render", "dgx-h100", "--set", "su"], 2, "NAME=VALUE"),
        (["render", "dgx-h100", "--layout", "nvswitch"], 1, "unknown layout 'nvswitch'"),
        (["render", "dgx-h100", "--highlight", "tree"], 1, "not there yet"),
        (["render", "dgx-h100", "--overlay", "load"], 1, "not drawn yet"),
        (["render", "dgx-h100", "--detail", "L3"], 1, "stacks, marks, ids or full"),
        (["render", "superpod-h100", "--set", "su=100"], 1, "su 100 is above 64"),
        (["export", "dgx-h100", "--to", "visio"], 1, "unknown exporter 'visio'"),
        (["show", "h10"], 1, "nothing is called 'h10'"),
        (["render"], 2, "Missing argument"),
    ],
)
def test_wrong_input_and_wrong_command(tmp_path, words, code, said):
    done = process(*words, cwd=tmp_path)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert list(tmp_path.iterdir()) == []


def test_mistakes_go_to_stderr_with_place(folder):
    (folder / "a.yaml").write_text("contain:\n  gpu: 8 x l40s\n")
    done = process("render", "a.yaml")
    assert done.returncode == 1
    assert done.stderr == (
        "a.yaml:1:1: error: unknown key 'contain'\n  contain:\n  ^^^^^^^\n  hint: did you mean 'contains'?\n1 error, nothing written\n"
    )


def test_check_says_layout_and_reason(folder):
    assert "nvswitch-server: it suits" in run("check", "dgx-h100").output


def test_check_as_json(folder):
    (folder / "a.yaml").write_text("contain:\n  gpu: 8 x l40s\n")
    done = run("check", "a.yaml", "--format", "json")
    (row,) = json.loads(done.output)
    assert done.exit_code == 1
    assert {k: row[k] for k in ("file", "line", "column", "severity")} == {"file": "a.yaml", "line": 1, "column": 1, "severity": "error"}


def test_check_for_github(folder):
    (folder / "a.yaml").write_text("contain:\n  gpu: 8 x l40s\n")
    assert run("check", "a.yaml", "--format", "github").output.startswith("::error file=a.yaml,line=1,col=1::")


def test_check_reads_layout_files(folder):
    (folder / "mine.yaml").write_text("summary: Mine.\nsuits: []\nrows: [{view: tires}]\n")
    done = run("check", "mine.yaml")
    assert done.exit_code == 1
    assert "tires" in done.output


def test_explain_as_json(folder):
    (row,) = json.loads(run("explain", "gb200-nvl72", "--format", "json").output)
    assert row["layout"] == "nvlink-rack"


def test_export_is_a_networkx_graph(folder):
    graph = json.loads(run("export", "dgx-h100").output)
    assert sum(e["links"] for e in graph["edges"] if e["kind"] == "nvlink") == 144
    assert {"directed": graph["directed"], "multigraph": graph["multigraph"]} == {"directed": False, "multigraph": True}


def test_export_to_spec_builds_the_same(folder):
    run("export", "dgx-h100", "--to", "spec", "-o", "b.yaml")
    one, other = json.loads(run("export", "dgx-h100").output), json.loads(run("export", "b.yaml").output)
    assert one["edges"] == other["edges"]


@pytest.mark.parametrize(("kind", "name"), [("parts", "dgx-h100"), ("layouts", "rail-cluster"), ("themes", "dark"), ("languages", "zh"), ("exporters", "json"), ("collectives", "ring")])
def test_list(kind, name):
    assert name in [row["name"] for row in json.loads(run("list", kind, "--format", "json").output)]


def test_show_prints_a_part_with_its_source():
    assert "source:" in run("show", "h100-sxm").output
    assert run("show", "layout", "ring").output.startswith("summary:")


@pytest.mark.parametrize("which", ["document", "layout", "part"])
def test_schema_is_draft_07(which):
    assert json.loads(run("schema", "--for", which).output)["$schema"].startswith("http://json-schema.org/draft-07")


def test_a_layout_of_ones_own_is_found_first(folder):
    (folder / "layouts").mkdir()
    (folder / "layouts" / "mine.yaml").write_text("summary: Mine.\nsuits: [{part: dgx-h100}]\ntitle: My own\nrows: [{view: nested}]\n")
    (folder / "a.yaml").write_text("part: dgx-h100\n")
    assert "My own" in run("render", "a.yaml", "-o", "-").output


def test_a_bug_is_called_a_bug(folder, monkeypatch):
    monkeypatch.setattr("topoviz.picture.load", lambda *_, **__: 1 / 0)
    monkeypatch.delenv("TOPOVIZ_DEBUG", raising=False)
    done = run("render", "dgx-h100")
    assert done.exit_code == 1
    assert "this is a bug in topoviz" in done.output


def test_same_bytes_with_another_hash_seed_and_folder(tmp_path):
    here = os.environ | {"PYTHONHASHSEED": "1"}
    there = os.environ | {"PYTHONHASHSEED": "2"}
    for name in ("dgx-h100", "gb200-nvl72"):
        one = process("render", name, "-o", "-", env=here)
        other = process("render", name, "-o", "-", env=there, cwd=tmp_path)
        assert one.stdout == other.stdout != ""
