"""Trees over a row of ranks and NVLS: levels, lines, what stands in the picture."""

from dataclasses import replace
from itertools import combinations

import pytest

import topoviz as tv
from topoviz import picture, resources
from topoviz.drawing.arrange import arrange
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Line, Text
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


def texts(drawn):
    return [shape.content for item in drawn.items for shape in item.shapes if isinstance(shape, Text)]


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


@pytest.mark.parametrize(
    ("algorithm", "drawn", "said"),
    [("tree", 20, "20 ranks, rank 0 at the left."), ("nvls", 16, "4 more ranks do the same and are not drawn.")],
)
def test_ranks_beyond_sixteen_are_counted_in_words(algorithm, drawn, said):
    picture = scene(20, algorithm)
    gpus = {dict(item.data)["id"] for item in picture.items if item.kind == "gpu"}
    assert len(gpus) == drawn
    assert said in texts(picture)


def test_the_copy_of_nvls_goes_to_all_ranks_drawn_or_not():
    assert "×20" in texts(scene(20, "nvls"))


@pytest.mark.parametrize(
    ("part", "keys", "said", "columns"),
    [
        ("gb200-nvl72", {}, "72 ranks, rank 0 at the left.", 72),
        ("superpod-h100-su", {}, "A square is one of 32 servers with 8 GPUs, which add up among themselves.", 32),
        ("nvl72-cluster", {}, "The first two of 144 trees, over 8 of 576 GPUs; the others run beside them.", 8),
        ("superpod-h100", {"su": 8}, "Drawn are the 64 of 255 ranks that are nearest to the roots; the trees go on below them.", 64),
    ],
)  # fmt: skip
def test_trees_of_many_ranks_are_whole_and_what_is_left_out_is_said(part, keys, said, columns):
    picture = tv.render(tv.load({"part": part, **({"with": keys} if keys else {})}), highlight="tree").scene()
    assert audit(picture) == ()
    assert said in " ".join(texts(picture))
    assert sum(item.kind == "gpu" for item in picture.items) == columns
    for item in picture.items:
        if item.role == "route":  # every node but the root hangs on another
            assert len(item.title.split(", ")) == len(item.of) - 1


@pytest.mark.parametrize(
    ("part", "trees", "said"), [("dgx-h100", 2, "half of the data"), ("dgx-1v", 3, "1/3 of the data"), ("mi300x", 4, "1/4 of the data")]
)  # fmt: skip
def test_every_tree_says_its_part_of_the_data_and_who_is_not_drawn(part, trees, said):
    machine = tv.load(part)
    assert sum(route.count for route in tv.plan(machine, algorithm="tree").routes) == trees
    drawn = texts(tv.render(machine, highlight="tree").scene())
    assert drawn.count(said) == 2
    beside = [one for one in drawn if "the others run beside them" in one]
    assert beside == ([f"The first two of {trees} trees; the others run beside them."] if trees > 2 else [])


def test_a_picture_of_trees_is_called_by_what_runs():
    assert "Tree all-reduce on DGX H100" in texts(tv.render(tv.load("dgx-h100"), highlight="tree").scene())
    assert "NVLS all-reduce on DGX H100" in texts(tv.render(tv.load("dgx-h100"), highlight="nvls").scene())


def test_a_tree_of_a_log_keeps_its_name():
    tree = {"name": "tree, channels 0,1", "tree": {"rank0": "rank1", "rank1": "rank2", "rank2": "rank3"}, "count": 2}
    machine = tv.load({"part": "dgx-h100", "routes": [tree]})
    assert "tree, channels 0,1" in texts(tv.render(machine, highlight="tree, channels 0,1", layout="tree").scene())


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
