"""Things placed by Graphviz, here by a program that stands for it, so that the tests need none."""

import sys

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.errors import MissingExtra, TopovizError

ODD = {
    "title": "Odd",
    "contains": {"cpu": "xeon-spr", "gpu": "3 x l40s", "nic": "connectx-7"},
    "wires": [{"from": "cpu", "to": ["gpu", "nic"], "kind": "pcie"}],
}
DOT = """#!{python}
import re, sys
text = sys.stdin.read()
open({log!r}, "w").write(repr(sys.argv[1:]) + text)
nodes = re.findall(r"^(\\d+) \\[", text, re.M)
edges = re.findall(r"^(\\d+) -- (\\d+) \\[label=\\"(\\w+)\\"", text, re.M)
spot = {{n: (1 + 1.5 * (i % 4), 3 - 1.5 * (i // 4)) for i, n in enumerate(nodes)}}
print("graph 1 8 4")
for n in nodes:
    print("node", n, *spot[n], 1, 0.4, n, "solid box black lightgrey")
for a, b, kind in edges:
    (x, y), (u, v) = spot[a], spot[b]
    bend = [(x, y - 0.3), (x, y - 0.9), (u, v - 0.9), (u, v - 0.3)]
    print("edge", a, b, 4, *(c for p in bend for c in p), kind, 0, 0, "solid black")
print("stop")
"""


@pytest.fixture
def dot(tmp_path, monkeypatch):
    """Programs of Graphviz that place things on a grid and note what they were asked."""
    log = tmp_path / "asked.txt"
    for name in ("dot", "neato"):
        (tmp_path / name).write_text(DOT.format(python=sys.executable, log=str(log)))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return log


def drawn(document=None, **keys):
    return tv.render(tv.load(document or ODD), layout="graph", **keys).scene()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_everything_stands_where_it_was_placed(dot, lang):
    scene = drawn(lang=lang)
    nodes = [dict(item.data)["id"] for item in scene.items if item.role == "node"]
    links = {(dict(i.data)["source"], dict(i.data)["target"]) for i in scene.items if i.role == "link"}
    assert sorted(nodes) == ["cpu", "gpu0", "gpu1", "gpu2", "nic"]
    assert {frozenset(pair) for pair in links} == {frozenset(("cpu", end)) for end in ("gpu0", "gpu1", "gpu2", "nic")}
    assert audit(scene) == ()


def test_things_are_asked_to_be_placed_as_large_as_they_are_drawn(dot):
    drawn()
    text = dot.read_text()
    assert "-Tplain" in text
    assert "width=1.0172 height=0.4444" in text  # GPU 0: 73.24 by 32 u, in inches


def test_another_engine_is_asked_by_a_layout_of_ones_own(dot, tmp_path, monkeypatch):
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "mine.yaml").write_text("summary: Mine.\nrows: [{view: graph, engine: neato}]\n")
    (tmp_path / "a.yaml").write_text("contains: {gpu: 2 x l40s}\n")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["render", "a.yaml", "--layout", "mine", "-o", "a.svg"]).output == "a.svg\n"
    assert "-Kneato" in dot.read_text()


def test_without_graphviz_the_way_out_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match="its program 'dot' is not installed\n  hint: install Graphviz"):
        drawn()
    done = CliRunner().invoke(cli, ["render", "dgx-h100", "--layout", "graph", "-o", str(tmp_path / "a.svg")])
    assert done.exit_code == 3


def test_a_tangle_is_refused_before_anything_is_placed():
    with pytest.raises(TopovizError, match="a graph shows 300 things at most, and here are 1,000"):
        drawn({"contains": {"gpu": "1000 x l40s"}})


def test_no_other_layout_asks_for_a_program(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tv.render(tv.load(ODD)).svg().startswith("<svg")
