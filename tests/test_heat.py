"""The load of links in a picture: steps, pale links, the narrowest pinched."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.heat import step
from topoviz.drawing.scene import Line

TWO = {
    "contains": {"node": "2 x dgx-h100", "leaf": "8 x qm9700"},
    "wires": [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"}],
}


def links(document, **keys):
    scene = tv.render(tv.load(document), **{"layout": "load", "highlight": "ring", **keys}).scene()
    return {
        (data["source"], data["target"]): (data.get("load"), item)
        for item in scene.items
        if item.role == "link" and (data := dict(item.data))
    }


def strokes(item):
    return {shape.stroke for shape in item.shapes if isinstance(shape, Line)}


@pytest.mark.parametrize(
    ("load", "token"),
    [(0, "load.0"), (0.2, "load.1"), (0.39, "load.1"), (0.6, "load.3"), (0.8, "load.4"), (1, "load.4")],
)
def test_a_step_is_twenty_percent(load, token):
    assert step(load) == token


@pytest.mark.parametrize(
    ("pair", "load", "tokens"),
    [
        (("cpu0", "cpu1"), "1", {"casing", "load.4"}),
        (("sw0", "gpu0"), "0.667", {"casing", "load.3"}),
        (("sw0", "nic0"), None, {"ghost"}),
    ],
)
def test_links_of_a_server_show_their_load(pair, load, tokens):
    said, item = links("l40s-server-amd", rates="nccl")[pair]
    assert said == load
    assert strokes(item) == tokens


@pytest.mark.parametrize(("rail", "load"), [(0, "1"), (3, None), (6, None)])
def test_a_rail_shows_what_runs_over_its_cables(rail, load):
    assert links(TWO, highlight={"collective": "all-reduce", "rings": 1})[f"leaf{rail}", "rail"][0] == load


@pytest.mark.parametrize(("document", "rings", "tips"), [(TWO, 1, 4), ("l40s-server-amd", 1, 0), ("dgx-h100", None, 0)])
def test_the_narrowest_are_pinched_unless_they_are_many(document, rings, tips):
    asked = {"collective": "all-reduce", "rings": rings} if rings else "ring"
    scene = tv.render(tv.load(document), layout="load", highlight=asked).scene()
    found = [
        shape
        for item in scene.items
        if item.layer == "route" and item.role == "decor"
        for shape in item.shapes
        if isinstance(shape, Line) and shape.stroke == "alert"
    ]
    assert len(found) == tips


@pytest.mark.parametrize("overlay", [["load"], ["bottleneck"], ["load", "bottleneck"]])
def test_an_overlay_works_in_any_layout(overlay):
    scene = tv.render(tv.load("l40s-server-amd"), highlight="ring", overlay=overlay).scene()
    said = any(name == "load" for item in scene.items for name, _ in item.data)
    assert said == ("load" in overlay)


@pytest.mark.parametrize("document", ["l40s-server-amd", TWO, "dgx-h100", "dgx-a100", "gh200"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_loads_pass_the_audit(document, lang):
    topology = tv.load(document)
    keys = {"highlight": "ring"} if topology.count("gpu") > 1 else {}
    assert audit(tv.render(topology, layout="load", lang=lang, size="14 GB", **keys).scene()) == ()


def test_without_a_plan_nothing_is_coloured():
    scene = tv.render(tv.load("l40s-server-amd"), layout="load").scene()
    assert not any(shape.stroke == "casing" for item in scene.items for shape in item.shapes if isinstance(shape, Line))


def test_a_machine_without_faults_says_so():
    assert tv.render(tv.load("dgx-h100"), overlay=["faults"]).scene().title.endswith("0 differences on DGX H100")
