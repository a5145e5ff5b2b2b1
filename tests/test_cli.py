import json
import os
import subprocess
import sys

import click
import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from topoviz.asked.routes import PLANNED
from topoviz.cli import cli
from topoviz.errors import MissingExtra, PlanError


def run(*words, text=None):
    return CliRunner().invoke(cli, [*words], input=text)


def process(*words, **more):
    return subprocess.run(
        [sys.executable, "-m", "topoviz", *words], capture_output=True, text=True, check=False, **more
    )


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


@pytest.mark.parametrize(
    "name", ["dgx-h100", "gb200-nvl72", "l40s-server", "superpod-h100", "nvl72-cluster", "hgx-h100"]
)
def test_strict_pictures_are_clean(folder, name):
    assert run("render", name, "--strict", "-o", "a.svg").output.strip() == "a.svg"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["render", "dgx_h100"], 1, "did you mean 'dgx-h100'?"),
        (["render", "no-such.yaml"], 1, "there is no such file"),
        (["render", "dgx-h100", "-o", "a.gif"], 2, "does not write '.gif'"),
        (["render", "dgx-h100", "--set", "su"], 2, "NAME=VALUE"),
        (["render", "dgx-h100", "--layout", "nvswitch"], 1, "unknown layout 'nvswitch'"),
        (["render", "dgx-h100", "--highlight", "hierarchical"], 1, "needs several boxes"),
        (["render", "dgx-h100", "--overlay", "heat"], 2, "did you mean 'load'?"),
        (["render", "dgx-h100", "--detail", "L3"], 2, "stacks, marks, ids or full"),
        (["render", "superpod-h100", "--set", "su=100"], 1, "su 100 is above 64"),
        (["export", "dgx-h100", "--to", "visio"], 1, "unknown exporter 'visio'"),
        (["show", "h10"], 1, "nothing is called 'h10'"),
        (["render"], 2, "Missing argument"),
        ([], 2, "Usage: topoviz"),
        (["render", "dgx-h100", "-o", "noname"], 2, "does not write ''"),
        (["render", "dgx-h100", "--size", "14"], 2, "size 14 has no unit"),
        (["render", "dgx-h100", "--set", "su=two"], 2, "is no whole number"),
        (["render", "superpod-h100", "--set", "su=2", "--set", "su=3"], 2, "'su' is set twice"),
        (["render", "dgx-h100", "l40s-server", "--each", "-o", "a.svg"], 2, "use -d FOLDER"),
        (["render", "dgx-h100", "--lang", "en,zh", "-o", "-"], 2, "takes one language and one theme"),
        (["render", "dgx-h100", "--picture", "x"], 2, "there is no such picture; there are none"),
        (["render", "dgx-h100", "--lang", "de"], 1, "unknown language 'de'; there are en, zh"),
        (["render", "dgx-h100", "--theme", "drak"], 1, "unknown theme 'drak'; did you mean 'dark'?"),
        (["render", "dgx-h100", "--show", "gpux"], 1, "'gpux' matches nothing that could be shown"),
        (["render", "."], 1, "'.' is a folder"),
        (["export", "dgx-h100", "--to", "jsn"], 1, "did you mean 'json'?"),
        (["show", "theme", "drak"], 1, "did you mean 'dark'?"),
        (["show", "part", "a", "b"], 2, "show takes a name"),
        (["list", "things"], 2, "Invalid value"),
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
    assert {k: row[k] for k in ("file", "line", "column", "severity")} == {
        "file": "a.yaml",
        "line": 1,
        "column": 1,
        "severity": "error",
    }


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


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("parts", "dgx-h100"),
        ("layouts", "rail-cluster"),
        ("themes", "dark"),
        ("languages", "zh"),
        ("exporters", "json"),
        ("collectives", "ring"),
    ],
)
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
    (folder / "layouts" / "mine.yaml").write_text(
        "summary: Mine.\nsuits: [{part: dgx-h100}]\ntitle: My own\nrows: [{view: nested}]\n"
    )
    (folder / "a.yaml").write_text("part: dgx-h100\n")
    assert "My own" in run("render", "a.yaml", "-o", "-").output


def test_a_bug_is_called_a_bug(folder, monkeypatch):
    monkeypatch.setattr("topoviz.loading.load", lambda *_, **__: 1 / 0)
    monkeypatch.delenv("TOPOVIZ_DEBUG", raising=False)
    done = run("render", "dgx-h100")
    assert done.exit_code == 1
    assert "this is a bug in topoviz" in done.output


def test_set_leaves_the_places_of_mistakes_alone(folder):
    (folder / "a.yaml").write_text("part: superpod-h100\ntitle: Mine\nwith: {su: 1}\ncontain: 3\n")
    assert process("render", "a.yaml", "--set", "su=2").stderr.startswith("a.yaml:4:1: error: unknown key 'contain'")


def test_set_reaches_the_root_of_joined_documents_once(folder):
    (folder / "a.yaml").write_text("part: superpod-h100\n")
    (folder / "b.yaml").write_text("title: Two units\n")
    assert "504 GPUs" in run("render", "a.yaml", "b.yaml", "--set", "su=2", "-o", "-").output


def test_nothing_is_written_if_one_picture_fails(folder):
    (folder / "a.yaml").write_text("part: dgx-h100\npictures: [one.svg, {file: two.svg, highlight: nope}]\n")
    done = process("render", "a.yaml")
    assert done.stderr.startswith("a.yaml:2:48: error: unknown highlight 'nope'")
    assert (done.returncode, list(folder.glob("*.svg"))) == (1, [])


def test_two_pictures_never_share_a_file(folder):
    (folder / "x").mkdir()
    for name in ("a.yaml", "x/a.yaml"):
        (folder / name).write_text("part: l40s\n")
    done = process("render", "--each", "a.yaml", "x/a.yaml")
    assert (done.returncode, list(folder.glob("*.svg"))) == (2, [])
    assert "two pictures would be written to a.svg" in done.stderr


NO_PLACE = ("render", "gb200-nvl72", "--highlight", "ring", "--layout", "nvlink-rack")


def test_what_was_highlighted_and_has_no_place_is_a_warning(folder):
    done = process(*NO_PLACE, "-o", "a.svg")
    assert (done.returncode, done.stdout) == (0, "a.svg\n")
    assert "warning: highlighted and not drawn: the layout 'nvlink-rack' has no place for routes yet" in done.stderr


def test_strict_refuses_warnings(folder):
    done = process(*NO_PLACE, "--strict", "-o", "a.svg")
    assert (done.returncode, list(folder.iterdir())) == (1, [])


def test_strict_audits_by_geometry(folder, monkeypatch):
    monkeypatch.setattr("topoviz.drawing.audit.audit", lambda _: ["text 'a' meets text 'b'"])
    done = run("render", "dgx-h100", "--strict", "-o", "a.svg")
    assert (done.exit_code, list(folder.iterdir())) == (1, [])
    assert "text 'a' meets text 'b'" in done.output


def test_a_path_is_drawn_in_place(folder):
    assert 'data-route="path"' in run("render", "dgx-h100", "--highlight", "path:gpu0,gpu5", "-o", "-").output


def test_commas_inside_brackets_do_not_split(folder):
    drawn = run("render", "dgx-h100", "--show", "gpu[0,2]", "-o", "-").output
    assert [f'data-id="gpu{i}"' in drawn for i in range(4)] == [True, False, True, False]


def test_panels_by_name(folder):
    assert "2 panels" in run("render", "dgx-h100", "--panels", "l40s-server,dgx-h100", "-o", "-").output


def test_a_part_beside_is_found_by_its_name(folder):
    (folder / "catalog").mkdir()
    (folder / "catalog" / "mine.yaml").write_text("kind: node\ntitle: My box\ncontains: {gpu: 2 x l40s}\n")
    assert "My box" in run("render", "mine", "-o", "-").output
    assert "node: My box (2 gpu) (catalog/mine.yaml)" in run("list", "parts").output


def test_a_language_beside_the_document(folder):
    (folder / "lang").mkdir()
    (folder / "lang" / "fr.yaml").write_text('"UPI": "lien UPI"\n"{count} CPUs": "{count} processeurs"\n')
    (folder / "a.yaml").write_text("part: dgx-h100\nlang: fr\n")
    assert "2 processeurs" in run("render", "a.yaml", "-o", "-").output


def test_check_goes_on_after_an_input_that_is_not_there(folder):
    (folder / "a.yaml").write_text("contain: 3\n")
    done = run("check", "no-such.yaml", "a.yaml", "--format", "json")
    rows = json.loads(done.output)
    assert [(row["file"], row["severity"]) for row in rows] == [("", "error"), ("a.yaml", "error")]
    assert done.exit_code == 1


def test_check_looks_at_pictures(folder):
    (folder / "a.yaml").write_text("part: dgx-h100\npictures: [{file: a.svg, show: gpux}, {file: b.svg}]\n")
    rows = json.loads(run("check", "a.yaml", "--format", "json").output)
    assert [row["severity"] for row in rows] == ["error", "note"]


def test_what_waits_for_a_machine_is_fine_and_not_drawn(folder):
    (folder / "a.yaml").write_text(
        'routes: [{name: mine, ring: "gpu[0-7]"}]\npictures: [{file: a.svg, highlight: mine}]\n'
    )
    assert run("check", "a.yaml").output.startswith("note: a.yaml: it holds no machine")
    assert [run("render", "a.yaml").exit_code, run("explain", "a.yaml").exit_code] == [1, 1]
    assert "there is no machine to draw" in run("render", "a.yaml").output
    (folder / "m.yaml").write_text("part: dgx-h100\n")
    assert run("render", "m.yaml", "a.yaml").output == "a.svg\n"


def test_check_is_strict_when_asked(folder):
    (folder / "a.yaml").write_text(
        "contains: {gpu: 4 x v100-sxm, nvs: nvswitch-1}\nwires: [{from: 'gpu[0-2]', to: nvs, kind: nvlink}]\n"
    )
    assert [run("check", "a.yaml").exit_code, run("check", "a.yaml", "--strict").exit_code] == [0, 1]


def test_github_gets_its_signs_escaped(folder):
    (folder / "a,b.yaml").write_text("part: dgx-h100\ncontain%: 3\n")
    said = run("check", "a,b.yaml", "--format", "github").output
    assert said.startswith("::error file=a%2Cb.yaml,line=2,col=1::unknown key 'contain%25'")
    assert said.count("\n") == 1


def test_explain_says_what_is_left_out(folder):
    (row,) = json.loads(run("explain", "gb200-nvl72", "--format", "json").output)
    assert row["left_out"] == ["36 DPUs"]
    assert row["drawn"]["gpu"] == 4
    assert "  left out: 36 DPUs\n" in run("explain", "gb200-nvl72").output


def test_explain_reads_the_pictures_of_a_document(folder):
    (folder / "a.yaml").write_text("part: dgx-h100\npictures: [a.svg, {file: b.svg, part: gb200-nvl72}]\n")
    rows = json.loads(run("explain", "a.yaml", "--format", "json").output)
    assert [(row["picture"], row["layout"]) for row in rows] == [("a.svg", "nvswitch-server"), ("b.svg", "nvlink-rack")]


def test_a_closed_pipe_ends_quietly(tmp_path):
    command = f"{sys.executable} -m topoviz render dgx-h100 -o - | head -c 5"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("<svg ", "")


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (MissingExtra("PNG needs resvg-py: pip install 'topoviz[png]'"), 3, "error: PNG needs resvg-py"),
        (PermissionError(13, "Permission denied", "a.svg"), 1, "error: a.svg: Permission denied"),
        (PlanError("no way from a to b"), 1, "error: no way from a to b"),
    ],
)
def test_codes(folder, monkeypatch, problem, code, said):
    def load(*_, **__):
        raise problem

    monkeypatch.setattr("topoviz.loading.load", load)
    done = run("render", "dgx-h100")
    assert (done.exit_code, done.output.startswith(said)) == (code, True)


def test_debug_shows_the_trace_of_a_bug(folder, monkeypatch):
    monkeypatch.setattr("topoviz.loading.load", lambda *_, **__: 1 / 0)
    monkeypatch.setenv("TOPOVIZ_DEBUG", "1")
    assert isinstance(run("render", "dgx-h100").exception, ZeroDivisionError)


def test_same_bytes_with_another_hash_seed_and_folder(tmp_path):
    here = os.environ | {"PYTHONHASHSEED": "1"}
    there = os.environ | {"PYTHONHASHSEED": "2"}
    for name in ("dgx-h100", "gb200-nvl72"):
        one = process("render", name, "-o", "-", env=here)
        other = process("render", name, "-o", "-", env=there, cwd=tmp_path)
        assert one.stdout == other.stdout != ""


def test_list_collectives_names_all_that_highlight_takes():
    rows = {row["name"]: row["summary"] for row in json.loads(run("list", "collectives", "--format", "json").output)}
    assert set(rows) == {*PLANNED, "routes", "path:A,B", "nodes:A,B"}
    assert all(rows.values())
    assert rows["tree"].endswith("For all-reduce, broadcast, reduce.")


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        (["diff"], "dgx-h1", {("plain", "dgx-h100"), ("file", "dgx-h1")}),
        (["diff", "dgx-h100"], "found.t", {("file", "found.t")}),
        (["render"], "mi300", {("plain", "mi300x"), ("plain", "mi300x-oam"), ("file", "mi300")}),
        (["measured", "dgx-h100"], "out", {("file", "out")}),
        (["import", "--from"], "nccl-l", {("plain", "nccl-log")}),
        (["export", "--to"], "nccl", {("plain", "nccl-xml")}),
        (["diff", "--theme"], "d", {("plain", "dark")}),
        (["measured", "--lang"], "z", {("plain", "zh")}),
        (["diff", "-o"], "a", {("file", "a")}),
    ],
)
def test_a_shell_is_offered_what_fits(words, begun, offered):
    found = BashComplete(cli, {}, "topoviz", "_TOPOVIZ_COMPLETE").get_completions(words, begun)
    assert {(one.type, one.value) for one in found} == offered


@pytest.mark.parametrize("name", ["import", "diff", "measured", "capture", "export"])
def test_every_option_is_explained(name):
    options = [one for one in cli.commands[name].params if isinstance(one, click.Option)]
    assert [one.name for one in options if not one.help] == []


def test_each_writes_what_can_be_drawn_and_tells_what_cannot(folder):
    (folder / "bad.yaml").write_text("part: nothing\n")
    done = run("render", "--each", "dgx-h100", "bad.yaml", "l40s")
    assert done.exit_code == 1
    assert done.stdout.split() == ["dgx-h100.svg", "l40s.svg"]
    assert "bad.yaml:1:7: error: unknown part 'nothing'" in done.stderr
    assert "1 of 3 not drawn: bad.yaml" in done.stderr


def test_a_key_of_a_picture_beside_the_machine_is_told_where_it_belongs(folder):
    (folder / "a.yaml").write_text("part: dgx-h100\nsubtitle: hello\n")
    assert "pictures: [{subtitle: …}]" in run("check", "a.yaml").output
