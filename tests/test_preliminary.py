"""Announced hardware: the word in titles, dashed outlines, hatched bars; a comb for 36 links; the factor."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Line, Text

TWO = ["gb200-nvl72", "vera-rubin-nvl72"]


def scene(given="vera-rubin-nvl72", **keys):
    return tv.render(tv.load(given), **keys).scene()


def compared(**keys):
    return scene({"pictures": ["a.svg"]}, panels=TWO, layout="compared", **keys)


def shapes(drawn, kind):
    return [shape for item in drawn.items for shape in item.shapes if isinstance(shape, kind)]


def texts(drawn):
    return [text.content for text in shapes(drawn, Text)]


@pytest.mark.parametrize(
    ("part", "lang", "marked"),
    [("vera-rubin-nvl72", "en", "(preliminary)"), ("vera-rubin-nvl72", "zh", "（初步数据）"), ("rubin", "en", "(preliminary)")],
)  # fmt: skip
def test_the_word_stands_in_the_title(part, lang, marked):
    assert scene(part, lang=lang).title.endswith(marked)


@pytest.mark.parametrize("part", ["gb200-nvl72", "dgx-h100", "b200"])
def test_what_is_sold_is_not_preliminary(part):
    drawn = scene(part)
    assert "preliminary" not in drawn.title
    assert not any("preliminary" in text for text in texts(drawn))


def test_a_title_that_says_it_says_it_once():
    assert scene(title="Rubin, preliminary figures").title == "Rubin, preliminary figures"


def test_the_caption_names_both_published_figures():
    assert "Vera Rubin: preliminary, January 2026. Later product pages are quoted with 3.0 TB/s" in " ".join(
        texts(scene())
    )


def test_rack_and_tray_are_dashed():
    drawn = scene()
    dashed = [s for item in drawn.items if item.layer == "enclosure" for s in item.shapes if getattr(s, "dash", ())]
    assert {type(one) for one in dashed} == {Box, Line}


def test_36_links_are_a_comb_that_counts_all_of_them():
    drops = [item for item in scene().items if item.role == "link" and dict(item.data)["kind"] == "nvlink"]
    drawn = [dict(item.data) for item in drops if item.shapes and isinstance(item.shapes[0], Line)]
    assert [one["links"] for one in drawn] == ["4"] * 9
    assert {one["target"] for one in drawn} == {f"swtray{i}" for i in range(9)}


def test_18_links_stay_curves():
    curves = [line for line in shapes(scene("gb200-nvl72"), Line) if line.curve]
    assert len(curves) == 18


@pytest.mark.parametrize(
    ("head", "factor"),
    [("NVLinks per GPU", "2 ×"), ("NVLink per GPU", "2 ×"), ("Network, whole rack", "4 ×"), ("Memory per GPU", "1.55 ×"),
     ("Memory bandwidth per GPU", "2.75 ×")],
)  # fmt: skip
def test_each_row_has_its_factor(head, factor):
    drawn = shapes(compared(), Text)
    row = next(text for text in drawn if text.content == head)
    assert [text.content for text in drawn if text.y == row.y and text.anchor == "end"] == [factor]


def test_bars_of_a_row_have_one_scale_and_those_announced_are_hatched():
    bars = [box for box in shapes(compared(), Box) if box.height in {12, 13} and box.width > 30]
    solid, hatched = [one for one in bars if not one.hatch], [one for one in bars if one.hatch]
    assert len(solid) == len(hatched) == 8
    assert (hatched[1].width + 1) / solid[1].width == pytest.approx(2)


def test_two_panels_with_one_quantity_stay_bars():
    drawn = scene({"pictures": ["a.svg"]}, panels=TWO, layout="bars", table=["gpu.nvlink.rate.both"])
    assert "factor" not in texts(drawn)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("draw", [scene, compared])
def test_nothing_meets_or_leaves_its_box(draw, lang):
    assert audit(draw(lang=lang)) == ()
