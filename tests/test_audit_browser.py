from dataclasses import replace

import pytest
import scenes
from audit_browser import audit
from shoot import chromium, shoot, size

from topoviz.drawing.scene import Box, Item, Text
from topoviz.drawing.text import width
from topoviz.renderers.svg import render
from topoviz.renderers.theme import load_theme

pytestmark = pytest.mark.skipif(chromium() is None, reason="Chromium is not installed")

LABELS = [
    *(
        "GPU 0",
        "NVLink 4, 18 links",
        "450 GB/s per direction",
        "4 × NVSwitch",
        "Ωμέγα ≈ 3",
        "Привет",
        "née Åre",
        "iiiiil",
    ),
    *("节点 0：8 块 GPU", "単方向", "한국어 라벨", "a-name_with.parts/of:it", "0123456789", "≥ 24.5 GB ÷ 450 GB/s"),
]


def label(*texts):
    return Item(role="label", layer="label", shapes=texts)


def findings(folder, *items, **wishes):
    file = folder / "picture.svg"
    file.write_text(render(scenes.scene(*items, **wishes), load_theme("auto")), encoding="utf-8")
    return [text for _, text in audit([file])[str(file)]]


def test_a_good_picture_has_no_findings(tmp_path):
    assert findings(tmp_path, scenes.gpu("gpu0", 10), scenes.gpu("gpu1", 100)) == []


@pytest.mark.parametrize(
    ("item", "finding"),
    [
        (label(Text(x=10, y=20, content="one"), Text(x=20, y=22, content="two")), "'one' meets 'two'"),
        (label(Text(x=190, y=20, content="far")), "'far' leaves the page"),
        (label(Text(x=10, y=20, content="tiny", size=11)), "'tiny' is set in 11 u"),
        (scenes.gpu("gpu0", 60, text="a name too long"), "u wider than its shape"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, item, finding):
    assert any(finding in text for text in findings(tmp_path, item))


def test_a_picture_that_no_browser_can_read_is_told(tmp_path):
    file = tmp_path / "broken.svg"
    file.write_text("<svg xmlns='http://www.w3.org/2000/svg'><g></svg>")
    assert "not well-formed" in audit([file])[str(file)][0][1]


@pytest.mark.parametrize("bold", [False, True])
def test_no_text_is_wider_than_we_measure(tmp_path, bold):
    rows = [
        scenes.node(f"n{row}", Box(x=10, y=20 * row, width=width(text, 13, bold=bold), height=18), Text(x=10, y=20 * row + 13, content=text, bold=bold))
        for row, text in enumerate(LABELS)
    ]  # fmt: skip
    assert findings(tmp_path, *rows, width=400, height=20 * len(rows)) == []


@pytest.mark.parametrize(("dark", "corner"), [(False, b"\xff\xff\xff"), (True, b"\x0d\x11\x17")])
def test_a_photograph_shows_the_theme_of_the_system(tmp_path, dark, corner):
    import zlib

    file, out = tmp_path / "picture.svg", tmp_path / "picture.png"
    file.write_text(render(scenes.scene(width=500, height=400), load_theme("auto")), encoding="utf-8")
    shoot(file, out, scale=1, dark=dark)
    data = out.read_bytes()
    body = data[data.index(b"IDAT") + 4 :]
    assert zlib.decompressobj().decompress(body, 4)[1:] == corner


@pytest.mark.parametrize(
    ("root", "answer"),
    [('<svg width="960" height="661.2"', (960, 662)), ('<?xml?><svg height="1" width="2.5"', (3, 1))],
)
def test_the_size_of_a_picture(root, answer):
    assert size(root) == answer


def test_a_picture_without_size_cannot_be_photographed():
    with pytest.raises(ValueError, match="no width and height"):
        size("<svg>")


def test_text_that_cannot_be_read_on_its_ground_is_told(tmp_path):
    pale = scenes.node(
        "n", Box(x=10, y=10, width=80, height=30, fill="bg"), Text(x=20, y=30, content="pale", fill="ghost")
    )
    assert any("'pale' has a contrast of" in text for text in findings(tmp_path, pale))


def test_a_link_over_a_thing_that_it_does_not_join_is_told(tmp_path):
    box = Box(x=60, y=10, width=40, height=30, fill="gpu")
    thing, line = scenes.node("c", box), scenes.link("a", "b", (10, 25), (190, 25))
    over = findings(tmp_path, thing, replace(line, layer="route"))
    assert any("the link a – b is painted over c" in text for text in over)
    assert findings(tmp_path, thing, line) == []  # it runs behind an opaque thing
