"""What a picture may ask of a tiers view: level of detail, folding, order of columns, scale."""

import pytest

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Text
from topoviz.loading import load
from topoviz.picture import render

FABRIC = {
    "contains": {"node": "64 x dgx-h100"},
    "fabric": [{"join": "node/nic", "switch": "qm9700", "kind": "infiniband", "rails": 8, "oversubscription": 2}],
}


def places(scene, prefix):
    """Texts that begin so, from left to right."""
    found = [
        (s.x, s.content)
        for item in scene.items
        for s in item.shapes
        if isinstance(s, Text) and s.content.startswith(prefix)
    ]
    return [content for _, content in sorted(found)]


def test_order_of_columns_is_the_asked_one():
    scene = render(load("dgx-h100"), order="gpu[7,6,5,4,3,2,1,0]").scene()
    assert places(scene, "GPU ") == [f"GPU {i}" for i in (7, 6, 5, 4, 3, 2, 1, 0)]


def test_order_keeps_what_hangs_on_one_host_together():
    scene = render(load("dgx-h100"), order="gpu[5,0]").scene()
    assert places(scene, "GPU ") == [f"GPU {i}" for i in (5, 4, 6, 7, 0, 1, 2, 3)]


@pytest.mark.parametrize(("detail", "names"), [("marks", []), ("ids", []), ("full", [f"GPU {i}" for i in range(8)])])
def test_names_of_gpus(detail, names):
    assert places(render(load("dgx-h100"), detail=detail).scene(), "GPU ") == names


def test_stacks_draw_a_tier_of_switches_as_one():
    scene = render(load(FABRIC), detail="stacks").scene()
    counts = {dict(item.data).get("count") for item in scene.items if item.role == "node"}
    assert {"7", "16", "64"} <= counts
    assert audit(scene) == ()


def test_folded_switches_are_one_bar():
    scene = render(load("dgx-h100"), fold="nvswitch").scene()
    assert sum(1 for item in scene.items if item.kind == "nvswitch") == 1


def test_scale_enlarges_type_on_the_same_page():
    one, larger = render(load("dgx-h100")).scene(), render(load("dgx-h100"), scale=1.25).scene()
    assert (one.width, larger.width) == (960, 960)
    assert min(s.size for i in larger.items for s in i.shapes if isinstance(s, Text)) == 15
