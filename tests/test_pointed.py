"""Things that a picture points out: a line round each, wherever it is drawn, and never folded away."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box


def outlined(scene):
    """Ids of things with a line round them."""
    return {
        dict(item.data)["id"]
        for item in scene.items
        if item.role == "node"
        for shape in item.shapes
        if isinstance(shape, Box) and shape.stroke == "ink" and not shape.fill and shape.stroke_width == 2
    }


@pytest.mark.parametrize("layout", [None, "nested"])
@pytest.mark.parametrize("given", [{"nodes": ["gpu3", "nic3"]}, "nodes:gpu3,nic3", "nodes:nic3, gpu3"])
def test_each_thing_has_a_line_round_it(layout, given):
    scene = tv.render(tv.load("dgx-h100"), highlight=given, layout=layout).scene()
    assert outlined(scene) == {"gpu3", "nic3"}
    assert "Highlighted: gpu3, nic3." in scene.description or "Highlighted: nic3, gpu3." in scene.description


def test_a_selector_names_several():
    assert outlined(tv.render(tv.load("mi300x"), highlight="nodes:gpu[2,5]").scene()) == {"gpu2", "gpu5"}


def test_what_is_pointed_out_is_drawn_in_full():
    plain = tv.render(tv.load("superpod-h100", su=1))
    there = {dict(item.data).get("id") for item in plain.scene().items if item.role == "node"}
    assert "su0/node9/gpu2" not in there
    scene = tv.render(tv.load("superpod-h100", su=1), highlight="nodes:su0/node9/gpu2").scene()
    assert outlined(scene) == {"su0/node9/gpu2"}
    assert not audit(scene)


def test_what_cannot_be_pointed_out_is_a_warning():
    picture = tv.render(tv.load("gb200-nvl72"), highlight="nodes:tray3/gpu1")
    assert any("highlighted and not drawn one by one: tray3/gpu1" in one.message for one in picture.warnings)


def test_what_is_not_there_is_an_error():
    with pytest.raises(tv.SpecError, match="gpu9"):
        tv.render(tv.load("dgx-h100"), highlight={"nodes": ["gpu9"]}).scene()


def test_a_ring_and_a_thing_together():
    scene = tv.render(tv.load("dgx-h100"), highlight=["ring", {"nodes": ["gpu3"]}]).scene()
    assert "gpu3" in outlined(scene)
    assert any(item.role == "route" for item in scene.items)
