"""GPUs joined without a switch: who stands where, which strokes there are, and what crosses."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from topoviz import resources
from topoviz.drawing.audit import audit
from topoviz.drawing.mesh import free, lanes, paint
from topoviz.drawing.mesh.direct import direct, marks
from topoviz.drawing.mesh.grid import Grid, grid
from topoviz.drawing.mesh.outline import Form, arranged, cost
from topoviz.drawing.mesh.spots import Path
from topoviz.drawing.suits import choose
from topoviz.loading import load
from topoviz.model.findings import Findings
from topoviz.model.read import picture_from
from topoviz.picture import pictures

LAYOUTS = resources.Layouts()


def joined(part):
    """The GPUs of a part and the links between them."""
    topology = load(part)
    return direct(topology, list(topology.of_kind("gpu")))


def strokes(found):
    return tuple((*pair, min(3, found.links(pair))) for pair in found.joints)


def matrix(count, links):
    rows = [[0] * count for _ in range(count)]
    for a, b, number in links:
        rows[a][b] = rows[b][a] = number
    return rows


def machine(count, links, routes=(), **more):
    """A document with so many GPUs, joined as told, with rings by letter."""
    wire = {"from": "gpu", "kind": "nvlink", "bandwidth": "25 GB/s", "rule": "matrix", "matrix": matrix(count, links)}
    rings = [{"name": letter, "ring": [f"gpu{i}" for i in order]} for letter, order in routes]
    return {
        "contains": {"gpu": {"kind": "gpu", "count": count}},
        "wires": [wire],
        **({"routes": rings} if rings else {}),
        "pictures": [{"file": "a.svg", **({"highlight": [r["name"] for r in rings]} if rings else {})}],
        **more,
    }


def torus(*shape):
    count = 1
    for side in shape:
        count *= side
    wire = {"from": "gpu", "kind": "ici", "bandwidth": "100 GB/s", "rule": "torus", "shape": list(shape)}
    return {"contains": {"gpu": {"kind": "gpu", "count": count}}, "wires": [wire], "pictures": [{"file": "a.svg"}]}


def mesh(count):
    wire = {"from": "gpu", "kind": "nvlink", "bandwidth": "50 GB/s", "rule": "mesh"}
    return {"contains": {"gpu": {"kind": "gpu", "count": count}}, "wires": [wire], "pictures": [{"file": "a.svg"}]}


def scene(what, lang="en"):
    ((_, picture),) = tuple(pictures(load(what)))
    return picture.scene(lang)


def complete(count):
    return tuple((a, b, 1) for a, b in combinations(range(count), 2))


CYCLE = ((0, 7, 1), *((i, i + 1, 1) for i in range(7)))
CUBE = tuple((a, a ^ 1 << axis, 1) for a in range(8) for axis in range(3) if a < a ^ 1 << axis)
LADDER = tuple((i, i + 1, 1) for i in (0, 1, 2, 4, 5, 6)) + tuple((i, i + 4, 1) for i in range(4))
# rings of five cards on hives of four: what two Infinity Fabric hops apart share nothing
MI250 = ((0, 1, 4), (2, 3, 4), (4, 5, 4), (6, 7, 4), (0, 2, 1), (1, 3, 1), (4, 6, 1), (5, 7, 1), (0, 6, 2), (2, 4, 2),
         (1, 5, 1), (3, 7, 1))  # fmt: skip


@pytest.mark.parametrize("count", range(4, 17))
def test_a_full_mesh_crosses_as_points_in_convex_position_do(count):
    assert arranged(count, complete(count)).crossings == comb(count, 4)


@pytest.mark.parametrize(("part", "crossings"), [("dgx-1v", 2), ("dgx-1", 2)])
def test_a_hybrid_cube_mesh_crosses_once_in_each_quad(part, crossings):
    found = joined(part)
    assert arranged(8, strokes(found)).crossings == crossings


def test_the_double_links_of_a_dgx_1v_are_the_outline():
    outline = arranged(8, strokes(joined("dgx-1v")))
    assert outline.order == (3, 0, 4, 7, 2, 1, 5, 6)


@pytest.mark.parametrize(
    ("count", "links", "crossings"), [(8, CYCLE, 0), (8, LADDER, 0), (8, CUBE, 0), (3, complete(3), 0)]
)
def test_what_can_be_drawn_without_a_crossing_is(count, links, crossings):
    assert arranged(count, links).crossings == crossings


@pytest.mark.parametrize("order", [(7, 6, 5, 4, 3, 2, 1, 0), (2, 0, 1, 3, 6, 4, 5, 7)])
def test_other_numbers_for_the_same_machine_cross_as_little(order):
    found = joined("dgx-1v")
    renamed = tuple(
        sorted((*sorted((order[a], order[b])), n) for a, b, n in strokes(found))  # type: ignore[misc]
    )
    assert arranged(8, renamed).crossings == 2


def test_links_in_two_rows_cross_by_their_slots_alone():
    form = Form(6, 3)
    assert form.crosses((0, 4), (1, 3))
    assert not form.crosses((0, 3), (1, 4))
    assert not form.crosses((0, 1), (2, 3))
    assert form.arch((0, 2))
    assert cost(form, range(6), ((0, 4, 2), (1, 3, 1)))[0] == 2


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("dgx-1", "mesh"),
        ("dgx-1v", "mesh"),
        ("mi300x", "full-mesh"),
        ("mi355x", "full-mesh"),
        ("gaudi3", "full-mesh"),
        ("trn2", "torus"),
        ("tpu-v5p-cube", "torus"),
        (torus(3, 5), "torus"),
        (mesh(4), "mesh"),
        (mesh(16), "full-mesh"),
        (mesh(20), "mesh-matrix"),
        (machine(8, MI250), "mesh"),
    ],
)
def test_the_links_choose_the_layout(what, name):
    topology = load(what)
    assert choose(topology, topology.root, picture_from({}), Findings(), LAYOUTS).layout.name == name


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (4, 8), (2, 8), (3, 3, 3), (4, 4, 4), (2, 4, 8)])
def test_a_torus_is_found_in_the_order_of_the_document(shape):
    found = joined(torus(*shape))
    assert grid(len(found.things), frozenset(found.joints)) is not None
    assert grid(len(found.things), frozenset(found.joints)).shape == shape


def shuffled(found, step):
    """The same links between GPUs that are numbered in another order."""
    count = len(found.things)
    number = [(step * place + 3) % count for place in range(count)]
    return frozenset((min(number[a], number[b]), max(number[a], number[b])) for a, b in found.joints)


@pytest.mark.parametrize(("shape", "step"), [((4, 4), 5), ((3, 5), 7), ((4, 4, 4), 27)])
def test_a_torus_is_found_in_any_order(shape, step):
    found = joined(torus(*shape))
    pairs = shuffled(found, step)
    there = grid(len(found.things), pairs)
    assert there is not None
    assert all(beside(there, a, b) for a, b in pairs)


def beside(there: Grid, a, b):
    apart = [abs(x - y) for x, y in zip(there.spots[a], there.spots[b], strict=True)]
    return max(min(d, side - d) for d, side in zip(apart, there.shape, strict=True)) == 1 and sum(map(bool, apart)) == 1


@pytest.mark.parametrize(
    "pairs",
    [
        frozenset((i, i + 1) for i in range(15)),
        frozenset(combinations(range(9), 2)),
        frozenset((a, b) for a, b, _ in CUBE),
    ],
)
def test_other_meshes_are_no_torus(pairs):
    assert grid(1 + max(b for _, b in pairs), pairs) is None


def test_a_torus_stays_one_with_a_link_missing():
    found = joined(torus(4, 4))
    assert grid(16, frozenset(found.joints) - {(0, 1)}) is not None


def items(drawn, role):
    return [item for item in drawn.items if item.role == role]


def ends(item):
    data = dict(item.data)
    return data.get("source", ""), data.get("target", "")


RINGS = (("A", (0, 3, 2, 1, 5, 6, 7, 4)), ("B", (0, 3, 2, 1, 5, 6, 7, 4)), ("C", (0, 1, 3, 7, 5, 4, 6, 2)))


def ringed(part, rings):
    """A part of the catalog with rings by letter."""
    routes = [{"name": letter, "ring": [f"gpu{i}" for i in order]} for letter, order in rings]
    highlight = [letter for letter, _ in rings]
    return {"part": part, "routes": routes, "pictures": [{"file": "a.svg", "highlight": highlight}]}


@pytest.mark.parametrize(
    "what",
    ["dgx-1", "dgx-1v", "mi300x", "mi355x", "gaudi3", "trn2", "tpu-v5p-cube"]
    + [torus(3, 5), torus(4, 8), torus(2, 8), torus(3, 3, 3), torus(8, 8), torus(16, 16)]
    + [mesh(count) for count in (3, 4, 5, 6, 8, 12, 16)]
    + [machine(8, MI250), machine(7, [(0, i, i) for i in range(1, 7)]), machine(5, [(i, i + 1, 2) for i in range(4)])],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_mesh_and_torus_is_clean(what, lang):
    assert audit(scene(what if isinstance(what, dict) else {"part": what, "pictures": [{"file": "a.svg"}]}, lang)) == ()


@pytest.mark.parametrize("shape", [(2, 2, 4), (2, 4, 4), (2, 8), (5, 3, 2), (2, 4, 8)])
@pytest.mark.parametrize("highlight", ["", "ring"])
def test_a_torus_of_any_shape_is_clean_with_its_rings(shape, highlight):
    """Two rings on one pair of lanes have no room for two letters; layers of few columns have no room for long heads."""
    asked = {"file": "a.svg", **({"highlight": highlight} if highlight else {})}
    drawn = scene({**torus(*shape), "pictures": [asked]})
    assert audit(drawn) == ()
    assert bool(items(drawn, "route")) == bool(highlight)


@pytest.mark.parametrize("part", ["dgx-1", "dgx-1v", "mi300x", "trn2", "tpu-v5p-cube"])
def test_every_link_between_gpus_is_drawn_once(part):
    found = joined(part)
    drawn = [item for item in items(scene({"part": part, "pictures": [{"file": "a.svg"}]}), "link")
             if ends(item)[0].startswith("gpu") and ends(item)[1].startswith("gpu")]  # fmt: skip
    expected = {frozenset((f"gpu{a}", f"gpu{b}")): found.links((a, b)) for a, b in found.joints}
    assert {frozenset(ends(item)): int(dict(item.data)["links"]) for item in drawn} == expected
    assert len(drawn) == len(expected)


def test_three_rings_take_every_link_of_a_dgx_1v_and_stand_alone_beside_it():
    drawn = scene(ringed("dgx-1v", RINGS))
    assert [dict(item.data)["route"] for item in items(drawn, "route")] == ["A", "B", "C", "A", "B", "C"]
    assert audit(drawn) == ()


@pytest.mark.parametrize(("number", "hops"), [(0, 8), (1, 8), (2, 8)])
def test_a_ring_has_an_arrow_for_each_hop_and_a_hue_of_its_own(number, hops):
    ring = items(scene(ringed("dgx-1v", RINGS)), "route")[number]
    arrows = [shape for shape in ring.shapes if getattr(shape, "end", "") == "arrow"]
    assert len(arrows) == hops
    assert {shape.stroke for shape in arrows} == {lanes.style(number).token}
    assert {shape.dash for shape in arrows} == {lanes.style(number).dash}


def test_equal_rings_are_counted_on_a_capsule():
    style = lanes.style(1, 3)
    box, text = paint.tag(100, 100, style.said, style.token)
    assert text.content == "B ×3"
    assert box.shape == "capsule"


def places(drawn):
    boxes = [(item.shapes[0].x, item.shapes[0].y) for item in items(drawn, "node") if item.kind == "gpu"]
    return sorted(boxes)


def test_renaming_a_gpu_moves_nothing():
    plain = machine(6, [(0, 1, 2), (1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 3), (0, 5, 1), (1, 4, 1)])
    renamed = {**plain, "changes": [{"at": "gpu3", "title": "the left one"}]}
    assert places(scene(plain)) == places(scene(renamed))


def test_a_link_that_is_down_has_a_cross():
    what = {"part": "dgx-1v", "changes": [{"link": ["gpu0", "gpu1"], "state": "down"}], "pictures": [{"file": "a.svg"}]}
    drawn = scene(what)
    broken = [item for item in items(drawn, "link") if set(ends(item)) == {"gpu0", "gpu1"}]
    assert sum(shape.stroke == "alert" for shape in broken[0].shapes) >= 3
    assert audit(drawn) == ()


def test_a_gap_is_left_where_strokes_cross():
    paths = {(0, 1): [Path(points=((0, 0), (100, 100)))], (2, 3): [Path(points=((0, 100), (100, 0)))]}
    opened = free.gaps(paths)
    assert list(opened) == [((2, 3), 0)]
    assert len(free.pieces(paths[2, 3][0], opened[(2, 3), 0])) == 2


def test_a_route_keeps_its_links_and_the_rest_stay_pale():
    found = joined("dgx-1v")
    links = found.joints[0, 3]
    step = lanes.Step(route=0, number=0, forward=True)
    assert [lane.step for lane in lanes.lanes(links, [step])] == [step, None]
    assert len(lanes.lanes(links, [step, lanes.Step(route=1, number=0, forward=True)])) == 2


def test_a_single_ring_takes_as_many_links_as_its_rate_needs():
    found = joined("dgx-1v")
    topology = load(ringed("dgx-1v", RINGS[:1]))
    steps, elsewhere = lanes.hops(found, topology.routes, 50)
    assert {step.count for here in steps.values() for step in here} == {2}
    assert elsewhere == 0


def test_marks_are_numbers_where_they_tell_gpus_apart():
    topology = load({"contains": {"node": "2 x dgx-1v"}})
    gpus = list(topology.of_kind("gpu"))
    assert marks(gpus[:8]) == tuple("01234567")
    assert marks(gpus)[8] == "1.0"


@pytest.mark.parametrize("rings", [1, 2, 3, 5])
def test_the_pictures_of_routes_stand_beside_or_below(rings):
    many = [(chr(ord("A") + i), RINGS[i % 3][1]) for i in range(rings)]
    drawn = scene(ringed("dgx-1v", many))
    alone = rings if rings > 1 else 0
    together = rings if rings <= 4 else 0
    assert len(items(drawn, "route")) == alone + together
    assert audit(drawn) == ()
