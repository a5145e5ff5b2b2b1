"""Computing and exchange along time: the arithmetic, the picture, the command."""

import json
from itertools import pairwise

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Text
from topoviz.errors import SpecError
from topoviz.model import units
from topoviz.model.overlap import in_pieces, overlap
from topoviz.model.units import UnreadableError

FOUR = [{"part": "l40s-server", "variant": "direct-attach"}, "dgx-a100", "dgx-h100", "dgx-b200"]


def scene(compute="0.5 s", panels=FOUR, **keys):
    asked = {"highlight": "ring", "size": "14 GB", "compute": compute, "panels": panels, **keys}
    return tv.render(tv.load({}), **asked).scene()


def texts(drawn):
    return [shape.content for item in drawn.items for shape in item.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("pieces", [1, 2, 8, 64])
@pytest.mark.parametrize(("exchange", "compute"), [(0.2, 0.5), (0.5, 0.5), (0.7, 0.1)])
def test_a_step_takes_the_longer_and_a_piece_of_the_shorter(exchange, compute, pieces):
    turns = in_pieces(exchange, compute, pieces)
    assert len(turns) == pieces
    assert turns[-1][1] == pytest.approx(max(exchange, compute) + min(exchange, compute) / pieces)
    assert all(end <= start + 1e-12 for (_, end), (start, _) in pairwise(turns))  # one at a time
    assert all(start >= compute * (i + 1) / pieces - 1e-12 for i, (start, _) in enumerate(turns))  # none too early
    assert sum(end - start for start, end in turns) == pytest.approx(exchange)


def test_many_pieces_come_near_what_the_plan_says():
    assert in_pieces(0.3, 0.5, 10_000)[-1][1] == pytest.approx(overlap(0.3, 0.5).step, rel=1e-3)


@pytest.mark.parametrize(("text", "seconds"), [("0.5 s", 0.5), ("40ms", 0.04), ("3 min", 180), ("7 µs", 7e-6)])
def test_times_are_read(text, seconds):
    assert units.duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("text", "said"),
    [(0.5, "compute 0.5 has no unit"), ("5 GB", "compute '5 GB' is not a time"), ("0 s", "compute 0 s is not above 0")],
)
def test_what_is_no_time_is_said(text, said):
    with pytest.raises(UnreadableError, match=said):
        units.duration(text)


def test_the_layout_suits_and_says_what_is_hidden():
    said = texts(scene())
    # 0.765625 s in eight pieces beside 0.5 s: 0.5/8 + 0.765625 s in all
    assert "0.83 s" in said
    assert "instead of 1.3 s" in said
    assert "0.44 s of 0.77 s hidden, 0.33 s not" in said
    assert said.index("DGX H100") < said.index("48 ms of 54 ms hidden, 6.8 ms not")


def test_lengths_are_in_one_scale():
    boxes = [s for item in scene().items for s in item.shapes if isinstance(s, Box)]
    computed = [one for one in boxes if one.fill == "gpu" and one.height == 18]
    assert len(computed) == 4 * 8
    assert len({round(one.width, 3) for one in computed}) == 1  # the same half second in every row
    sent = [one for one in boxes if one.fill == "pcie.line"]
    assert sent[0].width / computed[0].width == pytest.approx(0.765625 / 0.5, rel=0.02)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("compute", ["0.5 s", "1 ms", "10 s"])
def test_the_picture_is_clean(lang, compute):
    assert not audit(scene(compute, lang=lang))


def test_without_a_size_nothing_tells_what_computing_hides():
    with pytest.raises(SpecError, match="the time of the exchange, which nothing tells"):
        scene(size=None, layout="overlap")


def test_the_plan_takes_the_time_of_the_picture(tmp_path):
    document = tmp_path / "a.yaml"
    document.write_text(
        "part: dgx-h100\npictures:\n  - {file: a.svg, highlight: ring, size: 14 GB, compute: 40 ms}\n", encoding="utf-8"
    )
    found = json.loads(CliRunner().invoke(cli, ["plan", str(document), "--format", "json"]).output)
    assert found["overlap"] == pytest.approx(
        {"compute": 0.04, "hidden": 0.04, "exposed": 0.0144444, "step": 0.0544444}, rel=1e-4
    )


@pytest.mark.parametrize("given", ["0.04", "0.04s", "40 ms"])
def test_the_command_reads_seconds_and_units(given):
    done = CliRunner().invoke(cli, ["plan", "dgx-h100", "--size", "14GB", "--compute", given, "--format", "json"])
    assert json.loads(done.output)["overlap"]["compute"] == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [("--compute", "long", "compute 'long' is not a time"), ("--size", "14", "size '14' has no unit")],
)
def test_the_command_says_what_it_cannot_read(option, given, said):
    done = CliRunner().invoke(cli, ["plan", "dgx-h100", option, given])
    assert done.exit_code == 2
    assert said in done.output
    assert "hint:" in done.output
