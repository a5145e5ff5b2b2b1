"""What a picture hides, folds, unfolds and orders: it is followed, or the reader is told at its place."""

from __future__ import annotations

import pytest

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Scene, Text
from topoviz.errors import SpecError
from topoviz.loading import load
from topoviz.picture import Picture, render

RAILS = {
    "contains": {"node": {"part": "dgx-h100", "count": 4}},
    "fabric": [{"join": "node/nic", "kind": "infiniband", "switch": "qm9700", "rails": 8}],
}


def picture(what=RAILS, **keys) -> Picture:
    return render(load(what), **keys)


def ids(scene: Scene) -> list[str]:
    return [dict(item.data)["id"] for item in scene.items if item.role == "node"]


def test_hidden_leaf_switches_take_no_gpu_with_them():
    drawn = picture(hide="leaf").scene()
    assert not any(name.startswith("leaf") for name in ids(drawn))
    assert "node0/gpu0" in ids(drawn)


def test_a_layout_that_stands_on_what_is_hidden_is_refused_at_its_place():
    with pytest.raises(SpecError) as refused:
        picture(layout="rail-cluster", hide="leaf").scene()
    (one,) = refused.value.diagnostics
    assert "columns below each leaf" in one.message
    assert one.hint


@pytest.mark.parametrize("layout", ["rail-cluster", "nested"])
def test_servers_stand_in_the_order_that_was_asked_for(layout):
    drawn = picture(layout=layout, order="node[3,2,1,0]")
    nodes = [name for name in ids(drawn.scene()) if name.startswith("node") and "/" not in name]
    assert nodes[0] == "node3"
    assert audit(drawn.scene()) == ()
    assert drawn.warnings == ()


def test_a_server_that_is_folded_is_not_drawn_in_full():
    drawn = picture(fold="node1")
    assert "node1/gpu0" not in ids(drawn.scene())
    assert "node0/gpu0" in ids(drawn.scene())
    assert audit(drawn.scene()) == ()
    assert drawn.warnings == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_over_servers_drawn_as_one_stand_switches_drawn_as_one(lang):
    drawn = picture(fold="node", lang=lang).scene(lang)
    assert audit(drawn) == ()
    assert [name for name in ids(drawn) if name.startswith(("leaf", "spine"))] == ["spine0", "leaf0"]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"fold": "gpu1"}, "fold: 'gpu1' is drawn in full"),
        ({"hide": "gpu9"}, "hide: 'gpu9' matches nothing"),
        ({"fold": "rack"}, "fold: 'rack' matches nothing"),
        ({"unfold": "node7"}, "unfold: 'node7' matches nothing"),
        ({"order": "gpu[9,8]"}, "order: 'gpu[9,8]' matches nothing"),
        ({"order": "gpu[1,0]", "layout": "elevation"}, "order has no effect"),
    ],
)
def test_a_wish_that_changes_nothing_is_told(keys, said):
    (told,) = picture({"part": "dgx-h100"}, **keys).warnings
    assert told.message.startswith(said)
    assert told.mark is not None


@pytest.mark.parametrize("keys", [{"fold": "nvs"}, {"hide": "nic"}, {"order": "gpu[7,6]"}, {"unfold": "gpu1"}])
def test_a_wish_that_is_followed_is_not_told(keys):
    assert picture({"part": "dgx-h100"}, **keys).warnings == ()


@pytest.mark.parametrize("layout", [None, "time-table"])
def test_a_table_stands_below_a_layout_that_has_none(layout):
    panels = {"panels": ["dgx-h100", "dgx-a100"], "highlight": "ring", "size": "1 GB"} if layout else {}
    said = [
        shape.content
        for item in picture({"part": "dgx-h100"}, layout=layout, table=["gpu.memory"], **panels).scene().items
        for shape in item.shapes
        if isinstance(shape, Text)
    ]
    assert "80 GB HBM3" in said
