"""Trees over a row of ranks and NVLS: levels, lines, what stands in the picture."""

from dataclasses import replace
from itertools import combinations

import pytest

import topoviz as tv
from topoviz import picture, resources
from topoviz.drawing.arrange import arrange
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Line
from topoviz.drawing.tree_levels import height, places
from topoviz.model.findings import Estimate, Findings
from topoviz.model.topology import Hop, Route

LAYOUTS = resources.Layouts(())


def lowest_bit_tree(count):
    """The tree in which every rank stands one level above the ranks with a lower lowest bit, as NCCL's first one."""
    bit = {rank: rank & -rank for rank in range(1, count)}
    parent = {}
    for rank, low in bit.items():
        above = (rank ^ low) | (low << 1)
        parent[rank] = above if above < count else rank ^ low
    return Route(
        name="tree 0",
        shape="tree",
        nodes=tuple(f"gpu{rank}" for rank in range(count)),
        hops=tuple(Hop(source=f"gpu{up}", target=f"gpu{rank}", via=(), kind="nvlink") for rank, up in parent.items()),
    )


def scene(count, algorithm="tree", lang="en"):
    wires = [{"from": "gpu", "to": "nvs", "kind": "nvlink", "rule": "all"}]
    document = {"contains": {"gpu": {"part": "h100-sxm", "count": count}, "nvs": "2 x nvswitch-3"}, "wires": wires}
    asked = tv.render(tv.load(document), layout="tree", highlight="ring", lang=lang)
    route = lowest_bit_tree(count)
    found = Findings(
        routes=(route,), estimate=Estimate(collective="all-reduce", algorithm=algorithm, ranks=route.nodes)
    )
    return arrange(replace(picture.scope(asked, lang, LAYOUTS), findings=found), LAYOUTS)


def crossing(a, b):
    """Whether two pieces of line at right angles cross inside both."""
    (ax, ay), (bx, by) = a
    (cx, cy), (dx, dy) = b
    if ax == bx and cy == dy:
        return min(cx, dx) < ax < max(cx, dx) and min(ay, by) < cy < max(ay, by)
    return ay == by and cx == dx and crossing(b, a)


@pytest.mark.parametrize("count", range(2, 17))
def test_lines_of_a_tree_by_rank_do_not_cross(count):
    lines = [
        shape for item in scene(count).items if item.role == "route" for shape in item.shapes if isinstance(shape, Line)
    ]
    pieces = [[(line.points[i], line.points[i + 1]) for i in range(2)] for line in lines]
    crossed = [1 for a, b in combinations(pieces, 2) for one in a for two in b if crossing(one, two)]
    assert len(lines) == count - 1
    assert crossed == []


@pytest.mark.parametrize(("count", "levels"), [(2, 1), (4, 2), (8, 3), (16, 4)])
def test_a_tree_is_as_high_as_its_generations(count, levels):
    tree = lowest_bit_tree(count)
    assert height(tree) == levels
    assert max(place.level for place in places(tree, tree.nodes)) == levels + 1


@pytest.mark.parametrize("count", [2, 3, 8, 13, 16])
@pytest.mark.parametrize("algorithm", ["tree", "nvls"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_trees_pass_the_audit(count, algorithm, lang):
    assert audit(scene(count, algorithm, lang)) == ()


@pytest.mark.parametrize("algorithm", ["tree", "nvls"])
def test_ranks_beyond_sixteen_are_counted_in_words(algorithm):
    drawn = scene(20, algorithm)
    gpus = {dict(item.data)["id"] for item in drawn.items if item.kind == "gpu"}
    assert len(gpus) == 16
    assert "4 more ranks are not drawn." in drawn.notes


def test_in_nvls_every_rank_has_a_line_and_the_owner_a_second():
    frames = [item for item in scene(8, "nvls").items if item.role == "route"]
    assert [len(item.shapes) for item in frames] == [9, 9]


def test_every_rank_has_one_disc():
    discs = [
        shape
        for item in scene(8).items
        if item.role == "route"
        for shape in item.shapes
        if isinstance(shape, Box) and shape.shape == "disc"
    ]
    assert len(discs) == 8
