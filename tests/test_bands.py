"""Racks as columns, rails as bands: what belongs together, every cable drawn once, and how far the way is."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.bands.wiring import bands
from topoviz.drawing.fields import hops

SIZES = [1, 2, 8, 12, 16]


def racks(topology):
    return [thing for thing in topology.root.walk() if thing.kind == "rack"]


def links(scene):
    return [dict(item.data) for item in scene.items if item.role == "link"]


@pytest.mark.parametrize("count", SIZES)
def test_bands_are_the_rails(count):
    topology = tv.load("nvl72-cluster", racks=count)
    found = bands(topology.root, racks(topology))
    assert [band.rail for band in found] == [0, 1, 2, 3]
    assert [len(band.leaves) for band in found] == [count] * 4
    assert {len(leaf.down) for band in found for leaf in band.leaves} == {1}


def test_leaves_that_share_spines_are_one_band():
    cluster = tv.load(
        {
            "contains": {"rack": {"part": "gb200-nvl72", "count": 4}},
            "fabric": [{"join": "rack/tray/nic", "switch": "qm9700", "kind": "infiniband"}],
        }
    )
    found = bands(cluster.root, racks(cluster))
    assert len(found) == 1
    assert found[0].rail is None


@pytest.mark.parametrize("count", [2, 8, 16])
def test_every_cable_of_a_rack_is_drawn_once(count):
    topology = tv.load("nvl72-cluster", racks=count)
    drawn = links(tv.render(topology, layout="pod").scene())
    down = [one for one in drawn if "/" not in one["source"] and one["source"].startswith("rack")]
    assert sum(int(one["links"]) for one in down) == 72 * count
    assert len({(one["source"], one["target"]) for one in down}) == len(down) == 4 * count


def test_the_opened_rail_has_a_lane_for_every_leaf_and_spine():
    drawn = links(tv.render(tv.load("nvl72-cluster"), layout="pod").scene())
    lanes = [one for one in drawn if one["source"].startswith("leaf") and one["links"] == "3"]
    assert len({(one["source"], one["target"]) for one in lanes}) == 8 * 6


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pods_pass_the_audit(count, lang):
    assert audit(tv.render(tv.load("nvl72-cluster", racks=count), layout="pod", lang=lang).scene()) == ()


@pytest.mark.parametrize("name", ["nvl72-cluster", "superpod-gb200-su"])
def test_a_unit_of_racks_is_drawn_in_bands(name):
    scene = tv.render(tv.load(name)).scene()
    assert "joined rail by rail" in scene.title
    assert not any("switches" in note for note in scene.notes if note.startswith("left-out"))


@pytest.mark.parametrize(
    ("name", "choices", "same", "other"),
    [
        ("nvl72-cluster", {}, 3, None),
        ("nvl72-cluster", {"racks": 1}, 1, None),
        ("superpod-h100", {"su": 1}, 1, 3),
        ("superpod-h100", {"su": 4}, 3, 3),
        ("superpod-b200", {"su": 64}, 5, 5),
        ("superpod-gb200", {}, 5, 5),
        ("dgx-h100", {}, None, None),
    ],
)
def test_the_way_is_as_long_as_the_cables_make_it(name, choices, same, other):
    root = tv.load(name, **choices).root
    assert hops.same_rail((root,)) == same
    assert hops.other_rail((root,)) == other
