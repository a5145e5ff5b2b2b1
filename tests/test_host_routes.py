"""Rings and paths over PCIe and CPUs, drawn in place."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.scene import Line, Text
from topoviz.drawing.tiers import route
from topoviz.model.topology import Hop, Route

VARIANTS = ("four-switches", "two-switches", "direct-attach")


def scene(document, **keys):
    return tv.render(tv.load(document), **keys).scene("en")


def route_lines(drawn):
    """Return the lines in the picture of the machine; those of the circle below are curves."""
    shapes = [shape for item in drawn.items if item.role == "route" for shape in item.shapes]
    return [shape for shape in shapes if isinstance(shape, Line) and not shape.curve and len(shape.points) > 2]


def texts(drawn):
    return {shape.content for item in drawn.items for shape in item.shapes if isinstance(shape, Text)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_hop_of_a_ring_has_a_line_of_its_own_and_every_host_its_name(variant):
    drawn = scene({"part": "l40s-server", "variant": variant}, highlight="ring")
    lines = route_lines(drawn)
    assert len(lines) == 8
    assert len({line.points for line in lines}) == 8
    assert all(line.end == "arrow" for line in lines)
    assert {"CPU 0", "CPU 1", "UPI"} <= texts(drawn)
    assert {"SW 0", "SW 1"} <= texts(drawn) or variant == "direct-attach"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("highlight", ["ring", "path:gpu0,gpu5", "path:gpu0,gpu1"])
def test_no_line_strikes_a_name(variant, highlight, tmp_path):
    words = ("--set", f"variant={variant}", "--highlight", highlight, "--strict", "-o", str(tmp_path / "a.svg"))
    done = CliRunner().invoke(cli, ["render", "l40s-server", *words])
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("machine", ["dgx-1", "dgx-1v"])
def test_a_path_past_the_mesh_of_nvlink_strikes_no_name(machine, tmp_path):
    words = ("--highlight", "path:gpu0,gpu5", "--strict", "-o", str(tmp_path / "a.svg"))
    done = CliRunner().invoke(cli, ["render", machine, *words])
    assert (done.exit_code, done.stderr) == (0, "")


def test_lines_turn_in_the_hosts_that_the_hop_crosses():
    drawn = scene({"part": "l40s-server", "variant": "four-switches"}, highlight="path:gpu0,gpu2")
    (line,) = route_lines(drawn)
    assert len(line.points) == 8  # up, into the line of the switch, up, across, down, out of the other, down
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in zip(line.points, line.points[1:], strict=False))


def test_loads_are_not_painted_over():
    drawn = scene("l40s-server", highlight="ring", overlay=["load"])
    assert route_lines(drawn) == []


def test_a_host_in_which_nothing_turns_keeps_its_height():
    inside = Route(
        name="r", shape="path", nodes=("a", "b"), hops=(Hop(source="a", target="b", via=("sw",), kind="pcie"),)
    )
    across = Route(
        name="r", shape="path", nodes=("a", "b"), hops=(Hop(source="a", target="b", via=("sw", "cpu"), kind="pcie"),)
    )
    assert route.host_height([inside], ["sw"], 30) == 30
    assert route.host_height([across], ["sw"], 30) == route.TALL
    assert not route.crossed([], "sw")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "No NVLink ring visits all of these GPUs"), ("zh", "没有经过全部这些 GPU 的 NVLink 环")]
)
def test_a_ring_that_has_to_leave_nvlink_says_so(lang, said):
    dead = [{"link": ["gpu0", other], "state": "down"} for other in ("gpu1", "gpu3", "gpu4")]
    broken = tv.load({"part": "dgx-1v", "changes": dead})
    assert said in "".join(texts(tv.render(broken, highlight="ring").scene(lang)))
    assert said not in "".join(texts(tv.render(tv.load("dgx-1v"), highlight="ring").scene(lang)))
