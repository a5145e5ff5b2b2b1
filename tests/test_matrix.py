"""One cell per pair: every link has one, what is not linked has none, what is down is crossed."""

from dataclasses import replace

import pytest
from small_systems import DGX, GPU, MESH, NIC, NVL72, OWN_RACK, group, kind, link, scope

from topoviz.drawing import grid
from topoviz.drawing.audit import audit
from topoviz.drawing.layout import Block
from topoviz.drawing.pairs import letter, name, pairs, routed
from topoviz.drawing.scene import Box, Cells, Line, Scene, Text
from topoviz.drawing.views import matrix
from topoviz.model.topology import Child, Route, Thing

RACK = Block(
    view="matrix",
    column_of=("gpu",),
    options={
        "row_of": "nvswitch",
        "kind": "nvlink",
        "ticks": ["tray", "swtray"],
        "axis": ["switch", "compute"],
        "mark": ["tray0/gpu1", "swtray4/chip0"],
    },
)
PAIRS = Block(view="matrix", options={"row_of": "gpu", "column_of": "gpu", "axis": ["sends", "receives"]})
SERVER = Block(view="matrix", options={"row_of": "nvswitch", "column_of": "gpu", "kind": "nvlink"})
RINGS = tuple(
    Route(name=f"ring {step}", shape="ring", nodes=tuple(f"gpu{i * step % 8}" for i in range(8)), hops=())
    for step in (1, 3)
)


def block(old, **options):
    return replace(old, options={**old.options, **options})


def shapes(drawing, of_type):
    return [shape for item in drawing.items for shape in item.shapes if isinstance(shape, of_type)]


def texts(drawing):
    return [shape.content for shape in shapes(drawing, Text)]


def cells(drawing, fill):
    found = [one for one in shapes(drawing, Cells) if one.fill == fill]
    return sum(len(one.xs) * len(one.ys) if one.filled is None else len(one.filled) for one in found)


def things(assembly, word):
    return tuple(thing for thing in scope(assembly).roots[0].walk() if thing.kind == word)


def test_every_link_of_a_rack_is_one_cell():
    drawing = matrix.draw(RACK, scope(NVL72), 526)
    assert cells(drawing, "nvlink.line") == 1296
    assert ("links", "1296") in next(item for item in drawing.items if item.role == "link").data


def test_all_cells_are_one_path():
    assert len(shapes(matrix.draw(RACK, scope(NVL72), 526), Cells)) == 1


def test_gaps_stand_after_each_tray():
    xs = shapes(matrix.draw(RACK, scope(NVL72), 526), Cells)[0].xs
    steps = [round(b - a, 3) for a, b in zip(xs, xs[1:], strict=False)]
    wide = max(steps)
    assert [at for at, step in enumerate(steps) if step == wide] == list(range(3, 71, 4))


@pytest.mark.parametrize("expected", ["switch tray 0", "tray 4", "tray 8", "compute", "tray 0", "tray 17"])
def test_names_at_the_sides_count_from_zero(expected):
    assert expected in texts(matrix.draw(RACK, scope(NVL72), 526))


def test_marked_row_and_column_have_an_outline():
    drawing = matrix.draw(RACK, scope(NVL72), 526)
    (grid_of_cells,) = shapes(drawing, Cells)
    row, column = [box for box in shapes(drawing, Box) if box.stroke == "ink"]
    assert row.y < grid_of_cells.ys[8] < row.y + row.height < grid_of_cells.ys[9]
    assert column.x < grid_of_cells.xs[1] < column.x + column.width < grid_of_cells.xs[2] + 0.5


def test_what_is_not_linked_has_no_cell():
    drawing = matrix.draw(Block(view="matrix", options={"row_of": "switch", "column_of": "nic"}), scope(OWN_RACK), 500)
    (one,) = shapes(drawing, Cells)
    assert len(one.filled) == 32
    assert (len(one.ys), len(one.xs)) == (2, 32)


def test_links_of_another_kind_are_not_counted():
    assert cells(matrix.draw(block(SERVER, kind="pcie"), scope(DGX), 400), "nvlink.tint") == 0


@pytest.mark.parametrize(("cell", "expected"), [("count", {"4", "5"}), ("rate", {"450"}), ("state", set())])
def test_what_a_roomy_cell_says(cell, expected):
    drawing = matrix.draw(block(SERVER, cell=cell), scope(DGX), 400)
    inside = next(item for item in drawing.items if item.role == "link")
    assert {shape.content for shape in inside.shapes if isinstance(shape, Text)} == expected


def test_small_cells_say_nothing():
    drawing = matrix.draw(SERVER, scope(DGX), 200)
    assert [s for item in drawing.items if item.role == "link" for s in item.shapes if isinstance(s, Text)] == []


def test_row_sends_and_column_receives():
    drawing = matrix.draw(block(PAIRS, cell="route"), scope(MESH, routes=RINGS), 450)
    letters = [text for text in texts(drawing) if text in {"A", "B"}]
    assert (letters.count("A"), letters.count("B"), cells(drawing, "ring.a")) == (8, 8, 8)
    assert "row sends, column receives" in texts(drawing)


def test_a_thing_with_itself_is_grey():
    assert cells(matrix.draw(PAIRS, scope(MESH), 450), "surf2") == 8


def test_a_link_that_is_down_is_crossed():
    dead = replace(
        MESH, links=tuple(replace(one, state="down") if at == 5 else one for at, one in enumerate(MESH.links))
    )
    drawing = matrix.draw(PAIRS, scope(dead), 450)
    assert len(shapes(drawing, Line)) == 4
    assert cells(drawing, "nvlink.tint") == 54


def test_the_same_id_is_drawn_as_a_node_once():
    ids = [item.data[0] for item in matrix.draw(PAIRS, scope(MESH), 450).items if item.role == "node"]
    assert len(ids) == len(set(ids)) == 8


def test_without_rows_there_is_nothing():
    assert matrix.draw(block(PAIRS, row_of="tpu"), scope(MESH), 450).height == 0


def test_too_many_columns_are_cut_and_it_is_said():
    wide = kind(
        "node",
        *group("gpu", 400, GPU),
        *group("nic", 1, NIC),
        links=tuple(link(f"gpu{i}", "nic0", "pcie") for i in range(400)),
    )
    drawing = matrix.draw(Block(view="matrix", options={"row_of": "nic", "column_of": "gpu"}), scope(wide), 400)
    assert drawing.notes == ("left-out: 300 of 400 columns",)


@pytest.mark.parametrize("width", [300, 380, 526, 912])
@pytest.mark.parametrize(("made", "wanted"), [(NVL72, RACK), (MESH, PAIRS), (DGX, SERVER)])
def test_nothing_overlaps(made, wanted, width):
    drawing = matrix.draw(wanted, scope(made), width)
    assert (
        audit(Scene(width=width + 4, height=drawing.height + 4, items=drawing.items, title="t", description="d")) == ()
    )


def test_links_inside_count_for_what_is_around():
    rows, columns = things(OWN_RACK, "switch"), things(OWN_RACK, "node")
    assert {pair.links for pair in pairs(rows, columns).values()} == {4}


def test_bandwidth_of_unknown_links_is_unknown():
    made = kind(
        "node", *group("gpu", 2, GPU), links=(link("gpu0", "gpu1", "xgmi"), link("gpu0", "gpu1", "xgmi", 1, None))
    )
    (pair,) = pairs(things(made, "gpu")[:1], things(made, "gpu")[1:]).values()
    assert (pair.links, pair.bandwidth) == (2, None)


def test_a_path_has_no_way_back():
    path = Route(name="p", shape="path", nodes=("gpu0", "gpu1"), hops=())
    assert routed(things(MESH, "gpu"), things(MESH, "gpu"), (path,)) == {(0, 1): "A"}


@pytest.mark.parametrize(("number", "expected"), [(0, "A"), (25, "Z"), (26, "A'")])
def test_letters(number, expected):
    assert letter(number) == expected


@pytest.mark.parametrize(
    ("child", "expected"),
    [
        (Child(name="gpu1", group="gpu", index=1, assembly=GPU), "GPU 1"),
        (Child(name="leaf2", group="leaf", index=2, assembly=kind("switch")), "leaf 2"),
        (Child(name="lon-gpu-07", group="gpu", index=1, assembly=GPU), "lon-gpu-07"),
        (Child(name="head", group="head", assembly=kind("cpu")), "head"),
    ],
)
def test_names(child, expected):
    assert name(Thing(child.name, child)) == expected


@pytest.mark.parametrize(("count", "room", "expected"), [(8, 100, 8), (72, 100, 33), (5, 1, 1)])
def test_only_cells_that_can_be_told_apart(count, room, expected):
    made = things(kind("node", *group("gpu", count, GPU)), "gpu")
    assert len(grid.fitting(made, room)) == expected
