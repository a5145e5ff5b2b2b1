"""Every picture that an example asks for is in the gallery, byte for byte, and clean."""

import re
import xml.etree.ElementTree as ET
from functools import cache

import pytest

from gallery import EXAMPLES, GALLERY, ROOT, SHOWN, drawn, index, layouts_index, shown
from topoviz import resources
from topoviz.drawing.audit import audit

NAMES = [(example.stem, file) for example in EXAMPLES for file, *_ in drawn(example)]


@cache
def pictures(stem):
    return {file: rest for file, *rest in drawn(ROOT / "examples" / f"{stem}.yaml")}


@pytest.mark.parametrize(("stem", "file"), NAMES)
def test_gallery_is_what_is_drawn(stem, file, request):
    lang, theme, picture = pictures(stem)[file]
    text = str(picture.text(".svg", lang=lang, theme=theme))
    if request.config.getoption("--accept"):
        (GALLERY / file).write_bytes(text.encode())
    assert (GALLERY / file).read_bytes().decode() == text


@pytest.mark.parametrize(("stem", "file"), NAMES)
def test_picture_is_clean(stem, file):
    lang, _, picture = pictures(stem)[file]
    assert audit(picture.scene(lang)) == ()


@pytest.mark.parametrize(("stem", "file"), NAMES)
def test_svg_is_well_formed_with_unique_ids(stem, file):
    text = (GALLERY / file).read_text(encoding="utf-8")
    root = ET.fromstring(text)
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert root.get("role") == "img"
    assert len(ids) == len(set(ids))
    assert len(text) < 200_000
    assert not re.search(r"<script|foreignObject|\son\w+=|NaN|https?://(?!www\.w3\.org)", text)


def test_gallery_holds_nothing_else():
    assert {f.name for f in GALLERY.iterdir()} == {"README.md", *(file for _, file in NAMES)}


def test_indexes_are_fresh():
    assert (GALLERY / "README.md").read_text(encoding="utf-8") == index()
    assert (ROOT / "layouts" / "README.md").read_text(encoding="utf-8") == layouts_index()


def test_every_layout_has_a_picture_that_it_drew():
    pictured = shown()
    assert set(resources.Layouts(())) - set(pictured) == {"graph"}  # it needs Graphviz, which nobody must have
    assert {name: file for name, file in SHOWN.items() if pictured[name] != file} == {}


def test_a_panel_is_never_empty():
    """A layout that has no room in a panel leaves it to one that has."""
    *_, picture = drawn(ROOT / "examples" / "four-scales.yaml")[0]
    ids = {value for item in picture.scene().items if item.role == "node" for key, value in item.data if key == "id"}
    assert {"rack0", "rack7"} <= ids
