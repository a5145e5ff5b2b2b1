"""A path stop by stop, and the warning where a layout has no place for what is highlighted."""

from __future__ import annotations

import pytest

from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Text
from topoviz.drawing.way import stops
from topoviz.loading import load
from topoviz.picture import Picture, render

RAILS = {
    "contains": {"node": {"part": "dgx-h100", "count": 4}},
    "fabric": [{"join": "node/nic", "kind": "infiniband", "switch": "qm9700", "rails": 8}],
}


def words(picture: Picture) -> list[str]:
    return [s.content for item in picture.scene().items for s in item.shapes if isinstance(s, Text)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_path_over_the_network_is_told_stop_by_stop(lang):
    wish = {"path": ["node0/gpu1", "node3/gpu5"]}
    picture = render(load(RAILS), highlight=wish, layout="rail-cluster", lang=lang)
    said = words(picture)
    for name in ("GPU 1", "NIC 1", "NIC 5", "GPU 5"):
        assert any(word.startswith(f"{name}, ") for word in said)
    assert {"en": "Path", "zh": "路径"}[lang] in said
    assert "Logical ring" not in said
    assert audit(picture.scene()) == ()


def test_the_chips_of_a_fabric_are_one_stop_and_two_cpus_are_two():
    fabric = render(load("dgx-h100"), highlight={"path": ["gpu0", "gpu5"]})
    (route,) = routes(fabric)
    assert [len(stop.things) for stop in stops(fabric.topology, route)] == [1, 4, 1]
    hosts = render(load("l40s-server"), highlight={"path": ["gpu1", "gpu5"]})
    (route,) = routes(hosts)
    assert [stop.things[0].name for stop in stops(hosts.topology, route)] == [
        "gpu1", "sw0", "cpu0", "cpu1", "sw2", "gpu5"
    ]  # fmt: skip


def routes(picture: Picture):
    from topoviz.asked import finding

    return finding(picture.topology, picture.request).routes


@pytest.mark.parametrize("layout", ["nested", "fabric", "cluster", "network", "elevation", "rail-cluster", "unknown"])
@pytest.mark.parametrize("highlight", ["ring", {"path": ["node0/gpu0", "node3/gpu5"]}])
def test_what_is_highlighted_is_drawn_or_the_reader_is_told(layout, highlight):
    picture = render(load(RAILS), highlight=highlight, layout=layout)
    drawn = any(item.role == "route" for item in picture.scene().items)
    assert drawn != any(one.code == "not-drawn" for one in picture.warnings)
