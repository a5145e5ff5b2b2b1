"""Links between several CPUs: each pair has lines of its own, inside the frame, none on another."""

from __future__ import annotations

from itertools import combinations

import pytest

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Line
from topoviz.loading import load
from topoviz.picture import render


def hosts(cpus, rule, chips=0, **more):
    """A machine with so many CPUs joined as the rule says, two GPUs on each."""
    wires = [
        {"from": "cpu", "kind": "upi", "rule": rule},
        {"from": "gpu", "to": "cpu", "kind": "pcie", "rule": "block"},
        *([{"from": "gpu", "to": "nvs", "kind": "nvlink"}] if chips else []),
    ]
    parts = {"cpu": {"kind": "cpu", "count": cpus}, "gpu": {"part": "h100-sxm" if chips else "l40s", "count": 2 * cpus}}
    if chips:
        parts["nvs"] = {"part": "nvswitch-3", "count": chips}
    return {"contains": parts, "wires": wires, **more}


@pytest.mark.parametrize("chips", [0, 4])
@pytest.mark.parametrize(
    ("cpus", "rule"), [(3, "mesh"), (4, "mesh"), (4, "ring"), (6, "mesh"), (8, "mesh"), (8, "ring")]
)
def test_each_pair_of_cpus_has_lines_of_its_own(cpus, rule, chips):
    scene = render(load(hosts(cpus, rule, chips if cpus == 4 else 0))).scene()
    assert audit(scene) == ()
    links = [item for item in scene.items if item.role == "link" and item.kind == "upi"]
    drawn = {frozenset((dict(i.data)["source"], dict(i.data)["target"])) for i in links}
    pairs = combinations(range(cpus), 2) if rule == "mesh" else ((i, (i + 1) % cpus) for i in range(cpus))
    assert drawn == {frozenset((f"cpu{a}", f"cpu{b}")) for a, b in pairs}
    frame = max(
        (s for i in scene.items for s in i.shapes if isinstance(s, Box)), key=lambda box: box.width * box.height
    )
    lines = [s for item in links for s in item.shapes if isinstance(s, Line)]
    assert all(frame.y < y < frame.y + frame.height for line in lines for _, y in line.points)
    uprights = [round(x, 1) for line in lines if len(line.points) == 4 for x in (line.points[0][0], line.points[-1][0])]
    assert len(set(uprights)) == len(uprights)


def test_a_link_between_cpus_that_is_down_is_dashed():
    change = {"link": ["cpu0", "cpu2"], "state": "down"}
    scene = render(load(hosts(4, "mesh", changes=[change]))).scene()
    alert = {i.of for i in scene.items for s in i.shapes if isinstance(s, Line) and s.stroke == "alert" and s.dash}
    assert alert == {("cpu0", "cpu2")}
