"""Small changes of a document are small changes of its picture: names move nothing, a new thing only its own row."""

import re

import pytest

import topoviz as tv
from topoviz.drawing.scene import Box, Cells, Line

NAMES = ("unit", "a-much-longer-name", "节点")


def cluster(name="node", count=4, leaf="leaf"):
    wires = [{"from": f"{name}/nic", "to": leaf, "kind": "infiniband", "rule": "rail"}]
    return {"title": "x", "contains": {name: f"{count} x dgx-h100", leaf: "8 x qm9700"}, "wires": wires}


def server(gpu="gpu", switch="sw", count=8):
    contains = {"cpu": "2 x xeon-spr", gpu: f"{count} x l40s", switch: "2 x pcie-switch"}
    down = {"from": f"{gpu}[0-3]", "to": f"{switch}0", "kind": "pcie"}
    rest = {"from": f"{gpu}[4-{count - 1}]", "to": f"{switch}1", "kind": "pcie"}
    wires = [{"from": "cpu", "to": switch, "kind": "pcie", "rule": "pairwise"}, down, rest]
    return {"title": "x", "contains": contains, "wires": wires}


def mesh(gpu="gpu"):
    return {
        "title": "x",
        "contains": {gpu: "6 x h100-sxm"},
        "wires": [{"from": gpu, "kind": "nvlink", "rule": "mesh", "links": 3}],
    }


def torus(gpu="gpu"):
    wire = {"from": gpu, "kind": "nvlink", "rule": "torus", "shape": [4, 4]}
    return {"title": "x", "contains": {gpu: "16 x v100-sxm"}, "wires": [wire]}


def racks(rack="rack"):
    return {"title": "x", "contains": {rack: {"kind": "rack", "count": 3, "contains": {"node": "4 x dgx-h100"}}}}


def places(document):
    """The shapes of everything that is drawn, without its words."""
    scene = tv.render(tv.load(document)).scene()
    items = [item for item in scene.items if item.role in {"node", "link"}]
    return [tuple(s for s in item.shapes if isinstance(s, (Box, Line, Cells))) for item in items]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("made", [cluster, server, mesh, torus])
def test_another_name_moves_nothing(made, name):
    assert places(made(name)) == places(made())


@pytest.mark.parametrize("name", NAMES[:1])
def test_another_name_of_a_rack_moves_nothing(name):
    assert places(racks(name)) == places(racks())


def by_id(document):
    scene = tv.render(tv.load(document)).scene()
    found = {}
    for item in scene.items:
        data = dict(item.data)
        key = data.get("id") or (data.get("source"), data.get("target"))
        if item.role in {"node", "link"} and key != (None, None):
            found[key] = item.shapes
    return found


@pytest.mark.parametrize("count", [3, 4, 8, 16, 31])
def test_one_more_server_moves_only_the_row_of_the_others_and_the_rails_through_it(count):
    before, after = by_id(cluster(count=count)), by_id(cluster(count=count + 1))
    assert list(before) == [key for key in after if key in before]  # all orders are kept
    moved = [key for key in before if after.get(key) != before[key]]
    folded = [key for key in moved if isinstance(key, str) and key.startswith("node")]
    rails = [key for key in moved if isinstance(key, tuple) and key[1] == "rail"]
    assert set(moved) == {*folded, *rails}
    assert not any(key.startswith(("node0", "node1")) for key in folded)


def test_one_more_gpu_keeps_the_order_and_moves_only_sideways():
    before, after = by_id(server(count=7)), by_id(server(count=8))
    assert list(before) == [key for key in after if key in before]

    def heights(shapes):
        return [s.y for s in shapes if isinstance(s, Box)]

    nodes = [key for key in before if isinstance(key, str)]
    assert [heights(before[key]) for key in nodes] == [heights(after[key]) for key in nodes]


def lines(document):
    text = re.sub(r"tv[0-9a-f]{8}", "tv", tv.render(tv.load(document)).svg())
    return [line for line in text.split("\n") if not line.startswith(("<svg", "<title", "<desc", "<rect width="))]


def test_another_name_changes_only_the_lines_that_say_it():
    plain, named = lines(cluster()), lines(cluster(leaf="tor"))
    assert len(plain) == len(named)
    changed = [(a, b) for a, b in zip(plain, named, strict=True) if a != b]
    assert all("leaf" in a and "tor" in b for a, b in changed)
