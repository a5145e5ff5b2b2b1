"""One hop of each kind: what a ring or a path of a large machine runs over, and which link sets the bandwidth."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.hop_kinds import kinds_of
from topoviz.drawing.scene import Text
from topoviz.picture import choice, scope
from topoviz.resources import Layouts, language

TWO_UNITS = {"part": "superpod-h100", "with": {"su": 2}}
PATH = {"path": ["su0/node0/gpu0", "su1/node3/gpu5"]}


def picture(document, **keys):
    return tv.render(tv.load(document), **{"highlight": "ring", **keys})


def found(document, **keys):
    return kinds_of(scope(picture(document, **keys), language("en", ()), Layouts(())))


def texts(drawn):
    return [shape.content for item in drawn.items for shape in item.shapes if isinstance(shape, Text)]


def stages(one):
    return [(stage[0].kind, len(stage)) for stage in one.stages]


def test_every_hop_of_a_rack_is_spread_over_all_chips():
    (one,) = found("gb200-nvl72")
    assert (one.least, one.most, one.rate) == (72, 72, 900)
    assert stages(one) == [("gpu", 1), ("nvswitch", 18), ("gpu", 1)]
    assert [(segment.rate, segment.names) for segment in one.segments] == [(900, ("NVLink 5",))] * 2


def test_hops_of_a_cluster_stand_in_order_and_the_card_sets_the_bandwidth():
    inside, near, far = found(TWO_UNITS)
    assert [one.most for one in (inside, near, far)] == [441, 61, 2]
    assert [one.narrowest for one in (inside, near, far)] == [False, True, True]
    kinds = [kind for kind, _ in stages(far)]
    assert kinds == ["gpu", "pcie", "nic", "switch", "switch", "switch", "nic", "pcie", "gpu"]
    assert stages(far)[4] == ("switch", 8)
    assert [segment.rate for segment in near.segments] == [64, 64, 50, 50, 64, 64]
    assert [segment.narrowest for segment in near.segments] == [False, False, True, True, False, False]


def test_hops_of_all_rings_add_up():
    for document in ("gb200-nvl72", TWO_UNITS, {"part": "nvl72-cluster", "with": {"racks": 3}}):
        members = len(tv.plan(tv.load(document), algorithm="ring").ranks)
        assert sum(one.most for one in found(document)) == members


def test_a_slower_link_is_the_one_that_is_drawn_and_marked():
    slow = {"link": ["node7/nic3", "leaf3"], "bandwidth": "46 GB/s"}  # a slower one would be left out
    document = {"part": "superpod-h100-su", "changes": [slow]}
    marked = [one for one in found(document) if one.narrowest]
    ends = {(a[0].id, b[0].id) for one in marked for a, b in zip(one.stages, one.stages[1:], strict=False)}
    assert {("node7/nic3", "leaf3"), ("leaf3", "node7/nic3")} & ends
    assert 46 in {segment.rate for one in marked for segment in one.segments if segment.narrowest}


@pytest.mark.parametrize(
    ("document", "highlight", "layout"),
    [
        ("gb200-nvl72", "ring", "ring-rack"),
        (TWO_UNITS, "ring", "ring-hops"),
        (TWO_UNITS, PATH, "path-hops"),
        (TWO_UNITS, "hierarchical", "hierarchical"),
        ("tpu-v5p-cube", "ring", "torus"),
        ("dgx-2", "ring", "ring"),
    ],
)
def test_what_is_highlighted_on_a_large_machine_has_a_place(document, highlight, layout):
    drawn = picture(document, highlight=highlight)
    assert choice(drawn, Layouts(())).layout.name == layout
    assert drawn.warnings == ()
    assert any(item.role == "route" for item in drawn.scene().items)


def test_a_path_is_named_with_its_ends_and_its_rate():
    said = texts(picture(TWO_UNITS, highlight=PATH).scene())
    assert "From su 0, node 0, GPU 0 to su 1, node 3, GPU 5: 50 GB/s per direction" in said
    assert not any("hops" in one for one in said)


def test_of_many_members_the_boxes_stand_on_the_circle_and_can_be_counted():
    drawn = picture(TWO_UNITS).scene()
    marks = [dict(item.data) for item in drawn.items if item.role == "node" and dict(item.data).get("count")]
    assert len(marks) == 63
    assert sum(int(mark["count"]) for mark in marks) == 504
    assert {"504 GPUs", "63 servers", "a mark is 8 GPUs"} <= set(texts(drawn))


def test_where_all_links_are_equal_none_is_marked():
    drawn = picture("gb200-nvl72").scene()
    assert "sets the bandwidth" not in texts(drawn)
    assert "sets the bandwidth" in texts(picture(TWO_UNITS).scene())


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("size", [None, "14 GB"])
@pytest.mark.parametrize(
    "document",
    [
        "gb200-nvl72",
        "gb200-nvl36x2",
        "superpod-h100-su",
        TWO_UNITS,
        {"part": "superpod-gb200", "with": {"su": 2}},
        {"part": "nvl72-cluster", "with": {"racks": 16}},
        {"contains": {"node": "5 x dgx-a100"}, "fabric": [{"join": "node/nic", "switch": "qm8790", "kind": "infiniband"}]},
    ],
)  # fmt: skip
def test_nothing_meets_or_leaves_its_box(document, size, lang):
    assert audit(picture(document, lang=lang, **({"size": size} if size else {})).scene()) == ()


def test_paths_of_a_large_machine_fit_the_page():
    for ends in (("rank0", "rank1"), ("rank0", "rank9"), ("rank3", "rank500")):
        assert audit(picture(TWO_UNITS, highlight={"path": list(ends)}).scene()) == ()
