"""Generations: a link is a block, a row is a GPU; what grew, and what is preliminary."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.fields.of_series import change
from topoviz.drawing.scene import Box, Line, Text
from topoviz.drawing.tally import Tally

SIX = ["p100-sxm", "v100-sxm", "a100-sxm-80gb", "h100-sxm", "b200", "rubin"]
BOTH = [160, 300, 600, 900, 1800, 3600]  # GB/s per GPU, both directions


def scene(panels=SIX, **keys):
    asked = {"layout": "generations", "panels": panels, **keys}
    return tv.render(tv.load({"pictures": ["a.svg"]}), **asked).scene()


def shapes(drawn, kind):
    return [shape for item in drawn.items for shape in item.shapes if isinstance(shape, kind)]


def texts(drawn):
    return [text.content for text in shapes(drawn, Text)]


def rows(drawn):
    """Return the blocks of each row, from top to bottom."""
    blocks = [box for box in shapes(drawn, Box) if box.fill in {"nvlink.line", "nvlink.tint"}]
    tops = sorted({round(box.y) for box in blocks})
    return [[box for box in blocks if round(box.y) == top] for top in tops]


def tallied(links, rate):
    from topoviz.drawing.amounts import Bandwidth

    one = Bandwidth(low=links * rate, high=links * rate)
    return Tally(kind="nvlink", links=(links, links), rate=one, all_links=links, all_plugs=links, all_rate=one)


def test_a_block_is_a_link():
    assert [len(row) for row in rows(scene())] == [4, 6, 12, 18, 18, 36]


def test_rows_are_as_long_as_the_bandwidth_in_one_scale():
    found = rows(scene())
    pitch = [(row[1].x - row[0].x) * len(row) for row in found]
    assert [round(length / pitch[0] * BOTH[0]) for length in pitch] == BOTH


@pytest.mark.parametrize("said", ["160 GB/s", "300 GB/s", "600 GB/s", "900 GB/s", "1.8 TB/s", "3.6 TB/s",
                                  "6 links × 50 GB/s", "22.5-fold in 10 years", "9 × the links, 2.5 × the link"])  # fmt: skip
def test_the_row_says_the_sum_and_its_factors(said):
    assert said in texts(scene())


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((4, 20), (6, 25), "1.5 × the links, each 1.25 × as fast"),
        ((6, 25), (12, 25), "twice the links"),
        ((18, 25), (18, 50), "each link twice as fast"),
        ((18, 25), (18, 25), "no change"),
    ],
)
def test_change_to_the_row_before(before, after, said):
    assert change(tallied(*before), tallied(*after), "en") == said


def test_blocks_of_preliminary_parts_are_hatched_and_say_so():
    found = rows(scene())
    assert [row[0].hatch for row in found] == [False] * 5 + [True]
    assert texts(scene()).count("preliminary") == 1


@pytest.mark.parametrize(
    ("panels", "share", "said"),
    [
        (["b200", "rubin"], 3000 / 3600, "3 TB/s"),
        (["b200", {"part": "rubin", "variant": "product-pages"}], 1.0, "3.6 TB/s"),
    ],
)
def test_the_other_published_figure_is_a_dashed_line_with_its_number(panels, share, said):
    drawn = scene(panels)
    (line,) = [one for one in shapes(drawn, Line) if one.dash]
    left, longest = rows(drawn)[0][0].x, 960 - 24 - 4
    assert (line.points[0][0] - left) / (longest - left) == pytest.approx(share, abs=0.005)
    assert said in texts(drawn)


def test_a_gpu_without_such_links_says_none():
    assert "none" in texts(scene(["h100-sxm", "l40s"]))


def test_the_title_names_both_ends_of_the_series():
    assert scene(title=None).title.startswith("NVLink: from 4 links to 36, from 160 GB/s both directions to 3.6 TB/s")


@pytest.mark.parametrize("panels", [SIX, ["h100-sxm"], ["h100-sxm", "l40s"], ["b200", "b300"], SIX[::-1]])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_meets_or_leaves_its_box(panels, lang):
    assert audit(scene(panels, lang=lang)) == ()
