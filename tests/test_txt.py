"""The picture in words: what could replace it, and every drawn link in a table."""

import pytest

import topoviz as tv


def text(name, **keys):
    return tv.render(tv.load(name), **keys).text(".txt")


@pytest.mark.parametrize("name", ["dgx-h100", "gb200-nvl72", "l40s-server", "superpod-h100"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_drawn_link_is_a_row(name, lang):
    picture = tv.render(tv.load(name), lang=lang)
    drawn = [data for i in picture.scene().items if i.role == "link" and "source" in (data := dict(i.data))]
    lines = picture.text(".txt").splitlines()
    rows = [line.split()[:2] for line in lines]
    assert all([one["source"], one["target"]] in rows for one in drawn)
    assert picture.scene().description in lines


def test_rates_stand_beside_their_links():
    row = next(line.split() for line in text("dgx-h100").splitlines() if line.startswith("gpu0 ") and " nvs0 " in line)
    assert row == ["gpu0", "nvs0", "nvlink", "5", "125"]


def test_a_highlighted_way_is_told():
    assert "gpu0 → gpu1" in text("dgx-h100", highlight="ring")


def test_it_is_saved_by_its_suffix(tmp_path):
    (file,) = tv.render(tv.load("dgx-h100")).save(tmp_path / "a.txt")
    assert file.read_text(encoding="utf-8").startswith("DGX H100")
