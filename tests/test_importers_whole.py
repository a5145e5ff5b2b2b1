"""From the command line's side: every input loads or is refused, and what is damaged never breaks anything."""

import random
import re
import time
from pathlib import Path

import pytest
from inputs import EVERY, FILES, INPUTS, NO_IMPORTER, outcome, sidecar

import topoviz as tv
from topoviz import importers, loading, registry
from topoviz.errors import SpecError, TopovizError
from topoviz.marks import Source

RIGHT = [path for path in FILES if sidecar(path)["verdict"] != "error"]
NOT_READ = [path for path in EVERY if sidecar(path)["kind"] in NO_IMPORTER and sidecar(path)["kind"] != "yaml"]
YAML = [path for path in EVERY if sidecar(path)["kind"] == "yaml"]
VARIANTS = 10  # of each input
PUT_IN = ("0", "-1", "99", "65536", "4294967296", "9" * 30, "x", "", "1.5", "1e9", "²")
SIGNS = ("\x00", "<", ">", '"', "&", "{", "[", "\t", ":", "\u202e", "-", "#", "\n")


def name(path):
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", RIGHT, ids=name)
def test_what_is_right_loads(path):
    """A machine by itself; rings of a log or a graph file wait for one."""
    if "contains" in outcome(path).document or "variants" in outcome(path).document:
        assert tv.load(path).graph.number_of_nodes()
    else:
        assert set(outcome(path).document) <= {"routes", "note"}


@pytest.mark.parametrize("path", NOT_READ, ids=name)
def test_what_is_not_read_says_so_once(path):
    with pytest.raises(SpecError) as caught:
        tv.load(path)
    assert [one.code for one in caught.value.diagnostics] == ["not-supported"]
    assert caught.value.diagnostics[0].hint


@pytest.mark.parametrize("path", YAML, ids=name)
def test_wrong_yaml_is_refused_at_once(path):
    begun = time.perf_counter()
    with pytest.raises(SpecError) as caught:
        tv.load(path)
    assert time.perf_counter() - begun < 2
    expected, found = sidecar(path)["error"], caught.value.diagnostics[0]
    assert all(word in found.message for word in expected["must_mention"])
    assert expected["line"] in {None, found.mark.line}


# ---- damage


def damaged(text, dice):
    """Yield a text cut, with lines lost, doubled or swapped, with other numbers, words and signs."""
    lines = text.split("\n")
    for number in range(VARIANTS):
        at, line = dice.randrange(len(text) + 1), dice.randrange(len(lines))
        yield (
            text[:at],
            "\n".join(lines[:line] + lines[line + 1 :]),
            "\n".join(lines[:line] + lines[line + dice.randrange(1, 6) :]),
            changed(text, r"\d+", dice.choice(PUT_IN), dice),
            text[:at] + dice.choice(SIGNS) + text[at:],
            "\n".join(lines[: line + 1] + lines[line:]),
            changed(text, "[A-Za-z_]+", dice.choice(("", "X", "NV4", "null", "GPU0")), dice),
            text[:at] + text[at + dice.randrange(1, 40) :],
            "\n".join([lines[-1], *lines[1:-1], lines[0]]),
            changed(text, r"\d+", dice.choice(PUT_IN), dice),
        )[number]


def changed(text, what, other, dice):
    places = list(re.finditer(what, text))
    if not places:
        return text
    place = dice.choice(places)
    return text[: place.start()] + other + text[place.end() :]


def answer(source):
    """What is said to a file: nothing if it is read and its machine builds, else the mistake."""
    try:
        form = importers.recognised(source.text)
        if form:
            found = importers.read(source, form)
            if any(key in found.document for key in loading.MACHINE):
                tv.load(dict(found.document))
    except TopovizError as refused:
        return refused
    return None


@pytest.mark.parametrize("path", [path for path in EVERY if 0 < path.stat().st_size < 60_000], ids=name)
def test_damage_is_read_or_refused_at_its_place(path):
    try:
        text = loading._file(path)[0].text
    except SpecError:
        text = path.read_text(encoding="utf-8", errors="replace")
    for variant in damaged(text, random.Random(path.name)):
        refused = answer(Source(path.name, variant))
        for one in getattr(refused, "diagnostics", ()):
            assert one.code != importers.UNREADABLE, one.message
            assert one.mark is None or 1 <= one.mark.line <= variant.count("\n") + 1


def test_what_nobody_foresaw_is_an_error_too(monkeypatch):
    monkeypatch.setattr(importers.registry, "get", lambda *_: Broken)
    with pytest.raises(SpecError, match="cannot read this file") as caught:
        importers.read(Source("a.txt", "x"), "nccl-log")
    assert caught.value.diagnostics[0].code == importers.UNREADABLE


class Broken:
    @staticmethod
    def read(_source):
        return {}["gpu0"]


def test_a_model_cut_between_two_blocks_is_told():
    text = (INPUTS / "topograph" / "nvl72-mini.yaml").read_text(encoding="utf-8")
    found = importers.read(Source("a.yaml", text[: text.index("- switch: leaf-1-2")]), "topograph")
    assert [one.code for one in found.told if one.severity == "warning"] == ["topograph-empty-switch"]


def test_cards_of_one_name_stay_two():
    text = "\tGPU0\tNIC0\tNIC1\nGPU0\tX\tPIX\tSYS\nNIC0\tPIX\tX\tSYS\nNIC1\tSYS\tSYS\tX\n\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_0\n"
    found = importers.read(Source("a.txt", text), "nvidia-smi-topo")
    assert tv.load(dict(found.document)).count("nic") == 2
    assert "smi-nic-twice" in [one.code for one in found.told]


# ---- documentation

GUIDE = Path(__file__).parents[1] / "docs" / "import.md"
SAMPLES = re.findall(
    r"^`([\w-]+)`[^\n]*:\n\n```\w+\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)


@pytest.mark.parametrize(("form", "text"), SAMPLES, ids=[form for form, _ in SAMPLES])
def test_the_sample_of_the_guide_is_what_it_says(form, text):
    found = importers.read(Source("a.txt", text), importers.recognised(text))
    assert registry.called(importers.recognised(text)) == form
    assert "routes" in found.document or tv.load(dict(found.document)).graph.number_of_nodes()


@pytest.mark.parametrize("kind", ["importers", "exporters"])
def test_the_guide_has_every_format(kind):
    rows = set(re.findall(r"^\| `([\w-]+)` \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    assert {registry.called(name) for name in registry.names(f"topoviz.{kind}")} <= rows


def test_the_guide_has_a_sample_of_every_format_but_a_capture():
    there = {registry.called(name) for name in registry.names(importers.PACKAGE)}
    assert there - {form for form, _ in SAMPLES} == {"capture"}
