"""Units under the bars that join them: which switch belongs where, every square a cable, nothing counted twice."""

import pytest

import topoviz as tv
from topoviz.drawing import growth
from topoviz.drawing.audit import audit
from topoviz.drawing.crossbar.wiring import wiring
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scene import Text
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture

CASES = [
    ("superpod-b200", {"su": 16}, 8, 8, 8, 0),
    ("superpod-b200", {"su": 64}, 8, 8, 8, 0),
    ("superpod-h100", {"su": 4}, 16, 8, 0, 0),
    ("superpod-h100", {"su": 2}, 8, 8, 0, 0),
    ("superpod-a100", {}, 16, 8, 0, 28),
]


def found(name, choices):
    topology = tv.load(name, **choices)
    return wiring(topology.root, [thing for thing in topology.root.children if thing.group == "su"])


def links(name, choices):
    scene = tv.render(tv.load(name, **choices), layout="three-tier").scene()
    return [dict(item.data) for item in scene.items if item.role == "link"]


@pytest.mark.parametrize(("name", "choices", "bars", "leaves", "spines", "above"), CASES)
def test_tiers_are_found_from_the_cables(name, choices, bars, leaves, spines, above):
    made = found(name, choices)
    first = made.units[0]
    assert (len(made.bars), len(first.leaves), len(first.spines), len(made.above)) == (bars, leaves, spines, above)


@pytest.mark.parametrize(("name", "choices"), [(case[0], case[1]) for case in CASES])
def test_what_leaves_a_unit_is_what_enters_it(name, choices):
    made = found(name, choices)
    servers = [child for child in made.units[1].thing.children if child.kind == "node"]
    up = sum(link.links for some in made.units[1].up.values() for link in some)
    assert up == 8 * len(servers)


@pytest.mark.parametrize(("su", "above"), [(2, "spine"), (4, "spine"), (16, "core")])
def test_every_cable_of_the_top_tier_is_drawn_once(su, above):
    drawn = links("superpod-b200", {"su": su})
    up = [one for one in drawn if one["target"].startswith(above)]
    assert sum(int(one["links"]) for one in up) == 256 * su
    assert len({(one["source"], one["target"]) for one in up}) == len(up)


@pytest.mark.parametrize(("name", "choices"), [(case[0], case[1]) for case in CASES])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_crossbars_pass_the_audit(name, choices, lang):
    assert audit(tv.render(tv.load(name, **choices), layout="three-tier", lang=lang).scene()) == ()


def test_units_that_find_no_room_are_told():
    scene = tv.render(tv.load("superpod-b200", su=64), layout="three-tier").scene()
    assert "left-out: 42 more units" in scene.notes


def test_core_switches_over_shared_spines_are_told():
    assert "left-out: 28 core switches" in tv.render(tv.load("superpod-a100"), layout="three-tier").scene().notes


@pytest.mark.parametrize(
    ("document", "sizes"),
    [
        ({"part": "superpod-b200", "with": {"su": 16}}, [("1/2", 8), ("1", 4), ("2", 2), ("4", 1)]),
        ({"part": "superpod-b200", "with": {"su": 8}}, [("1/2", 2), ("1", 1)]),  # here two tiers end
        ({"part": "superpod-h100", "with": {"su": 8}, "variant": "published"}, []),  # the first unit is smaller
    ],
)
def test_a_network_grows_as_far_as_each_switch_has_a_cable_for_each_above(document, sizes):
    topology = tv.load(document)
    scope = Scope(
        topology=topology,
        roots=(topology.root,),
        request=Picture(),
        layout=Layout(name="x", block=Block()),
        findings=Findings(),
    )
    found = growth.sizes(scope, ("su", "gpu", "leaf", "spine", "core"))
    assert [(str(one.factor), one.cables) for one in found] == sizes


def test_the_picture_has_a_row_for_each_size_and_its_own_in_bold():
    scene = tv.render(tv.load({"part": "superpod-b200", "with": {"su": 16}})).scene()
    texts = [shape for item in scene.items for shape in item.shapes if isinstance(shape, Text)]
    row = {text.y for text in texts if text.content == "16,384"}
    assert [text.content for text in texts if {text.y} == row] == ["16,384", "64", "512", "512", "256", "1"]
    assert [text.bold for text in texts if text.content in {"2,048", "4,096", "8,192"}] == [False, True, False]
