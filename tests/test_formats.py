import re
import struct
import sys

import pytest
import scenes

from topoviz.errors import MissingExtra, TopovizError
from topoviz.renderers import html, pdf, png, svg
from topoviz.renderers.theme import load_theme

LIGHT, AUTO = load_theme("light"), load_theme("auto")
FORMATS = [svg, png, pdf, html]


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_says_what_it_is(form):
    assert form.__name__ == f"topoviz.renderers{form.SUFFIX}"
    assert form.__doc__.splitlines()[0].endswith(".")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("theme", [LIGHT, AUTO])
def test_equal_scenes_give_equal_bytes(form, theme):
    assert form.render(scenes.everything(), theme) == form.render(scenes.everything(), theme)


@pytest.mark.parametrize("scale", [1, 2, 2.5])
def test_pixels_follow_the_scale(scale):
    data = png.render(scenes.everything(), LIGHT, scale=scale)
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (200 * scale, 180 * scale)


def test_pixels_of_auto_are_those_of_light():
    assert png.render(scenes.everything(), AUTO) == png.render(scenes.everything(), LIGHT)


def test_pixels_show_the_picture():
    assert len(png.render(scenes.everything(), LIGHT)) > 2 * len(png.render(scenes.scene(height=180), LIGHT))


@pytest.mark.parametrize(
    ("width", "height", "scale"),
    [
        (100_000, 100, 1),
        (100, 100_000, 1),
        (10_000, 10_000, 1),
        (960, 660, 100),
        (1e300, 1, 1),
        (1, 1, 0),
        (1, 1, -2),
        (1, 1, float("nan")),
    ],
)
def test_pictures_too_big_for_pixels_are_refused_before_anything_is_drawn(width, height, scale):
    with pytest.raises(TopovizError, match="pixels"):
        png.render(scenes.scene(width=width, height=height), LIGHT, scale=scale)


def test_a_page_of_pdf_is_as_big_as_the_picture():
    data = pdf.render(scenes.everything(), LIGHT)
    assert data.startswith(b"%PDF-")
    assert re.search(rb"/MediaBox ?\[ ?0 0 150(\.0)? 135(\.0)? ?\]", data)


def test_a_pdf_has_title_language_and_description_but_no_date():
    data = pdf.render(scenes.everything(lang="zh-Hans"), LIGHT)
    assert b"A server" in data
    assert b"/Alt" in data
    assert b"/Lang(zh)" in data
    assert b"CreationDate" not in data


@pytest.mark.parametrize("title", ['"; #panic() //', '#read("/etc/passwd")', "a\x00b"])
def test_foreign_texts_are_data_for_the_typesetter(title):
    assert pdf.render(scenes.scene(title=title, description=title), LIGHT).startswith(b"%PDF-")


def test_a_page_holds_the_picture_and_needs_nothing_else():
    page = html.render(scenes.everything(lang="zh-Hans", title="A <b> & c"), AUTO)
    assert page.startswith('<!doctype html>\n<html lang="zh-Hans" data-theme=auto>\n')
    assert "<title>A &lt;b&gt; &amp; c</title>" in page
    assert svg.render(scenes.everything(lang="zh-Hans", title="A <b> & c"), AUTO) in page
    assert not re.search(r"<script|<link|src=|href=", page)


def test_a_page_in_one_theme_does_not_follow_the_system():
    page = html.render(scenes.everything(), load_theme("dark"))
    assert "background:#0D1117" in page
    assert "prefers-color-scheme" not in page


def test_the_picture_in_a_page_is_well_formed():
    page = html.render(scenes.everything(), AUTO)
    assert scenes.tree(page[page.index("<svg") : page.index("</html>")]).get("class") == "topoviz"


@pytest.mark.parametrize(
    ("form", "module", "line"),
    [(png, "resvg_py", 'pip install "topoviz[png]"'), (pdf, "typst", 'pip install "topoviz[pdf]"')],
)
def test_a_missing_package_is_named_with_the_line_to_install_it(form, module, line, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as caught:
        form.render(scenes.everything(), LIGHT)
    assert line in str(caught.value)
