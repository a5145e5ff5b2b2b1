"""The course: every figure in both languages, clean, and the numbers of its words computed."""

import re
from functools import cache
from pathlib import Path

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.picture import pictures

ROOT = Path(__file__).resolve().parent.parent
FIGURES = sorted((ROOT / "examples" / "course").glob("*.yaml"))
PAGES = {"en": ROOT / "docs" / "course" / "index.md", "zh": ROOT / "docs" / "course" / "zh" / "index.md"}
HAN = re.compile("[\u4e00-\u9fff]")


@cache
def figure(path):
    ((request, picture),) = pictures(tv.load(path))
    return request, picture


@pytest.mark.parametrize("path", FIGURES, ids=[path.stem for path in FIGURES])
def test_a_figure_is_a_few_lines_in_both_languages(path):
    request, picture = figure(path)
    assert request.file == f"{path.stem}.svg"
    assert picture.langs == ("en", "zh")
    written = [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip() and line[0] != "#"]
    assert len(written) <= 18


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", FIGURES, ids=[path.stem for path in FIGURES])
def test_a_figure_is_clean_and_says_nothing_in_the_other_language(path, lang):
    picture = figure(path)[1]
    scene = picture.scene(lang)
    assert audit(scene) == ()
    assert picture.warnings == ()
    assert bool(HAN.search(scene.title)) == (lang == "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_figure_stands_in_the_lesson(lang):
    shown = re.findall(r"examples/course/([\w-]+)\.yaml", PAGES[lang].read_text(encoding="utf-8"))
    assert [name for name in shown if name != "*"] == [path.stem for path in FIGURES]


def gpu(name, kind="nvlink"):
    topology = tv.load(name)
    one = next(topology.of_kind("gpu"))
    data = topology.graph.edges(one.id, keys=True, data=True)
    return sum(edge["bandwidth"] for *_, key, edge in data if key == kind)


def time(system, **keys):
    return tv.plan(tv.load(system, **keys)).seconds(14e9)


def said(number, digits=3):
    return f"{number:.{digits}f}".rstrip("0")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_numbers_of_the_words_are_those_of_the_machines(lang):
    words = PAGES[lang].read_text(encoding="utf-8")
    table = tv.load(ROOT / "examples" / "course" / "13-time-table.yaml")
    expected = {
        f"{gpu('dgx-h100'):.0f} GB/s": 450,
        f"{2 * gpu('dgx-h100'):.0f}": 900,
        f"{time('l40s-server', variant='direct-attach'):.2f} s": 0.77,
        f"{tv.plan(table).seconds(14e9):.2f} s": 0.49,
        f"{time('dgx-h100'):.3f} s": 0.054,
        f"{time('dgx-b200'):.3f} s": 0.027,
        f"{tv.plan(tv.load('dgx-h100')).sent(14e9) / 1e9:.1f} GB": 24.5,
        f"{72 * 2 * gpu('gb200-nvl72') / 1e3:.0f} TB/s": 130,
    }
    assert [text for text in expected if text not in words] == []
    assert all(str(value) in text for text, value in expected.items())
