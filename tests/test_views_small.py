"""Facts, tables, bars, the circle, chunks and times: what they say and where it stands."""

from dataclasses import replace
from math import hypot
from pathlib import Path

import pytest
import yaml
from made_by_hand import layout, port, ring_scope, scope, server, words

import topoviz as tv
from topoviz.drawing.arrange import arrange
from topoviz.drawing.audit import audit
from topoviz.drawing.cells import cell
from topoviz.drawing.columns import equal, shared
from topoviz.drawing.layout import Block
from topoviz.drawing.rows_of_fields import Field
from topoviz.drawing.scene import Box, Line, Text
from topoviz.drawing.views import bars, chunks, circle, facts, table, times
from topoviz.errors import TopovizError
from topoviz.model.findings import Difference, Differences, Findings
from topoviz.model.spec import Picture, Rate
from topoviz.model.topology import Assembly, Child, Link

DATA = Path(__file__).parent / "data" / "inputs"
NVL = ["One GPU, {gpu.nvlink.links} links", "{gpu.nvlink.rate}", "{gpu.nvlink.rate.both}"]
SMALL = Rate(line=50, link="NDR")


def shapes(drawing, kind):
    return [shape for item in drawing.items for shape in item.shapes if isinstance(shape, kind)]


def cluster(servers=4):
    """Servers with one 400 Gb/s card for each GPU, all cards in one switch."""
    node = server(2, 1)
    card = Assembly(kind="nic", part="connectx-7", title="ConnectX-7", ports=(port("infiniband", 1, SMALL),))
    node = replace(
        node, children=(*node.children, *(Child(name=f"nic{i}", group="nic", index=i, assembly=card) for i in range(2)))
    )
    leaf = Child(name="leaf0", group="leaf", index=0, assembly=Assembly(kind="switch", title="leaf"))
    places = tuple(Child(name=f"node{i}", group="node", index=i, assembly=node) for i in range(servers))
    wires = tuple(
        Link(source=f"node{n}/nic{i}", target="leaf0", kind="infiniband", bandwidth=50.0, link="NDR")
        for n in range(servers)
        for i in range(2)
    )
    return Assembly(kind="cluster", title="Cluster", children=(*places, leaf), links=wires)


def compared(*assemblies):
    inside = tuple(replace(scope(one), number=i + 1, title=f"system {i + 1}") for i, one in enumerate(assemblies))
    return replace(inside[0], panels=inside, number=None, title="")


# facts


def test_facts_stand_in_even_columns_under_a_hairline():
    block = Block(view="facts", options={"facts": [NVL, NVL, NVL]})
    drawing = facts.draw(block, scope(), 912)
    heads = [text for text in shapes(drawing, Text) if text.bold]
    assert [round(text.x) for text in heads] == [0, 312, 624]
    assert shapes(drawing, Line)[0].points == ((0, 0), (912, 0))
    assert words(drawing)[3:] == ["450 GB/s per direction"] * 3 + ["900 GB/s both directions"] * 3


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (NVL, "nvlink.text"),
        (["All", "{gpu.pcie.rate}"], "pcie.text"),
        (["Both", "{gpu.nvlink.rate}", "{gpu.pcie.rate}"], "ink"),
        (["Same rail", "{hops.same-rail}"], "ink"),
    ],
)
def test_head_of_a_fact_has_the_hue_of_its_fabric(fact, expected):
    assert facts.token(scope(), fact) == expected


def test_head_of_a_fact_is_ink_where_a_ring_has_the_colour():
    assert facts.token(ring_scope(8), NVL) == "ink"


def test_facts_without_a_value_are_left_out():
    block = Block(view="facts", options={"facts": [["Time", "{time}"], ["GPUs", "{gpu.count}", "{time}"]]})
    assert words(facts.draw(block, scope(), 912)) == ["GPUs", "8"]
    assert facts.draw(replace(block, options={"facts": [["Time", "{time}"]]}), scope(), 912).height == 0


def test_facts_with_long_texts_take_the_room_they_need():
    wide = ["Other rail, through NVLink", "GPU → NVSwitch → GPU, then its rail"]
    block = Block(view="facts", options={"facts": [["Same rail", "short"], wide, wide, ["All", "x"]]})
    drawing = facts.draw(block, scope(recipe=layout(view="facts")), 800)
    asked = scope(recipe=layout(view="facts", options=block.options))
    assert audit(arrange(asked, {})) == ()
    assert words(drawing).count("GPU → NVSwitch → GPU, then its rail") == 2


# table


def test_table_has_one_column_per_panel_and_bars_in_one_scale():
    asked = compared(server(8, 4), cluster())
    fields = [{"field": "gpu.link", "head": "Link"}, {"field": "gpu.rate", "head": "Per GPU", "bars": True}]
    drawing = table.draw(Block(view="table", options={"fields": fields}), asked, 912)
    wide, narrow = shapes(drawing, Box)
    (x, room), _ = equal(912, 2, heads=100)
    assert (wide.x, wide.width, wide.fill) == (x, room, "nvlink.line")
    assert narrow.width == pytest.approx(room / 9)
    assert narrow.fill == "infiniband.line"
    assert words(drawing)[:5] == [
        "Link",
        "NVLink 4, 18 links",
        "InfiniBand NDR",
        "GPU to GPU in the server",
        "GPU to GPU in other servers",
    ]


@pytest.mark.parametrize(
    ("assembly", "name", "expected"),
    [
        (server(8, 4), "gpu.rate", "450 GB/s"),
        (server(8, 4), "gpu.rate.both", "900 GB/s"),
        (server(8, 4), "gpu.all.both", "7.2 TB/s"),
        (server(8, 4), "gpu.count", "8"),
        (cluster(), "gpu.rate", "50 GB/s"),
        (cluster(), "nic.gbit", "400 Gb/s"),
        (server(8, 4), "nic.rate", "–"),
    ],
)
def test_cells_hold_numbers_without_the_direction(assembly, name, expected):
    assert cell(scope(assembly), Field(name=name)).text == expected


def test_number_of_a_network_says_where_it_comes_from():
    assert cell(scope(cluster()), Field(name="gpu.rate", bars=True)).remark == "= 400 Gb/s ÷ 8"


@pytest.mark.parametrize(("lang", "expected"), [("en", ["Per GPU,", "per direction"]), ("zh", ["每 GPU", "单向"])])
def test_row_heads_say_the_direction(lang, expected):
    asked = replace(compared(server(8, 4)), lang=lang)
    asked = replace(asked, panels=tuple(replace(panel, lang=lang) for panel in asked.panels))
    drawing = table.draw(Block(view="table", options={"fields": ["gpu.rate"]}), asked, 912)
    assert [text.content for text in shapes(drawing, Text) if text.x == 0] == expected


def test_table_of_the_picture_comes_before_that_of_the_layout():
    asked = replace(compared(server(8, 4)), request=Picture(table=("gpu.count",)))
    drawing = table.draw(Block(view="table", options={"fields": ["gpu.rate"]}), asked, 912)
    assert words(drawing) == ["Count", "8"]


def test_table_without_fields_is_empty():
    assert table.draw(Block(view="table"), compared(server()), 912).height == 0


def test_table_for_each_tier_has_one_row_per_group():
    fields = [{"field": "title"}, {"field": "count", "head": "How many"}]
    block = Block(view="table", each="tier", options={"fields": fields})
    drawing = table.draw(block, scope(server(8, 4)), 500)
    assert words(drawing)[-4:] == ["H100 SXM", "8", "NVSwitch", "4"]
    assert "How many" in words(drawing)


def test_table_for_each_finding_has_a_row_for_each_difference_and_only_columns_that_there_are():
    machine = tv.load("dgx-h100")
    gone = Difference(number=1, what="missing", unit="thing", expected="1", found="", nodes=("nic6",), suffers="gpu6")
    here = replace(scope(server()), topology=machine, findings=Findings(differences=Differences(items=(gone,))))
    block = Block(view="table", each="finding", options={"fields": ["where", {"field": "cost", "head": "Costs"}]})
    assert words(table.draw(block, here, 912))[:3] == ["Where", "Costs", "NIC 6"]
    with pytest.raises(TopovizError, match='no column "price"; it has number, where, expected, found, cost'):
        table.draw(replace(block, options={"fields": ["price"]}), here, 912)


def test_blocks_for_each_group_show_one_group_of_each_kind_of_a_job(tmp_path):
    wires = [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"}]
    document = {
        "contains": {"node": "2 x dgx-h100", "leaf": "8 x qm9700"},
        "wires": wires,
        "job": {"tp": 4, "pp": 2, "dp": 2},
    }
    block = {"each": "group", "view": "circle", "of": "ranks", "label": "{rank}", "head": "{number} {group.kind}"}
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "kinds.yaml").write_text(yaml.safe_dump({"summary": "Kinds of groups.", "rows": [block]}))
    (tmp_path / "job.yaml").write_text(yaml.safe_dump(document))
    scene = tv.render(tv.load(tmp_path / "job.yaml"), overlay=["groups"], layout="kinds").scene()
    said = [shape.content for item in scene.items for shape in item.shapes if isinstance(shape, Text)]
    assert [word for word in said if "=" in word] == ["Tensor (TP = 4)", "Data (DP = 2)", "Pipeline (PP = 2)"]
    assert len([item for item in scene.items if item.role == "route"]) == 3


def test_a_field_must_be_a_name_or_a_mapping():
    with pytest.raises(TopovizError, match="a field of a table is a name"):
        table.draw(Block(view="table", options={"fields": [7]}), scope(), 912)


# bars


def test_bars_of_one_field_have_one_scale():
    asked = compared(server(8, 4), cluster())
    drawing = bars.draw(Block(view="bars", options={"fields": ["gpu.rate"]}), asked, 912)
    first, second = shapes(drawing, Box)
    assert second.width == pytest.approx(first.width / 9)
    assert {"system 1", "system 2", "450 GB/s", "50 GB/s", "Per GPU, per direction"} == set(words(drawing))


def test_bars_stay_inside_the_page():
    asked = replace(compared(server(8, 4), cluster()), layout=layout(view="bars"))
    assert audit(arrange(asked, {})) == ()


def test_bars_of_what_nobody_has_are_a_dash():
    drawing = bars.draw(Block(view="bars", options={"fields": ["nic.rate"]}), compared(server()), 912)
    assert shapes(drawing, Box) == []
    assert "–" in words(drawing)


# circle


def test_eight_members_stand_clockwise_on_a_circle_of_92():
    drawing = circle.draw(Block(view="circle"), ring_scope(8), 300)
    signs = [item.shapes[0] for item in drawing.items if item.kind == "gpu"]
    centres = [(sign.x + sign.width / 2, sign.y + sign.height / 2) for sign in signs]
    middle = (92 + 12, 92 + 10.5)
    assert [round(hypot(x - middle[0], y - middle[1]), 3) for x, y in centres] == [92] * 8
    assert centres[0] == pytest.approx((middle[0], 10.5))
    assert centres[2] == pytest.approx((middle[0] + 92, middle[1]))
    assert (signs[0].width, signs[0].height) == (24, 21)


def test_arrows_end_at_the_receiver():
    drawing = circle.draw(Block(view="circle"), ring_scope(8), 300)
    signs = [item.shapes[0] for item in drawing.items if item.kind == "gpu"]
    arrows = shapes(drawing, Line)
    tips = [line.points[-1] for line in arrows]
    receivers = [*signs[1:], signs[0]]
    gaps = [
        max(sign.x - x, x - sign.x - sign.width, sign.y - y, y - sign.y - sign.height)
        for (x, y), sign in zip(tips, receivers, strict=True)
    ]
    assert min(gaps) > 1.5
    assert max(gaps) < 4
    assert {line.end for line in arrows} == {"arrow"}
    assert {line.stroke for line in arrows} == {"ring.a"}


@pytest.mark.parametrize(("count", "badges"), [(2, 2), (8, 8), (12, 12), (16, 16), (24, 0), (72, 0)])
def test_hops_are_numbered_while_there_is_room(count, badges):
    drawing = circle.draw(Block(view="circle"), ring_scope(count), 280)
    (route,) = [item for item in drawing.items if item.role == "route"]
    numbers = [shape.content for shape in route.shapes if isinstance(shape, Text)]
    assert numbers == [str(i + 1) for i in range(badges)]
    assert len([item for item in drawing.items if item.kind == "gpu"]) == count
    assert drawing.width <= 281


def test_circle_of_many_says_how_many():
    assert words(circle.draw(Block(view="circle"), ring_scope(72), 280)) == ["72 GPUs"]


def test_members_carry_the_rank_of_the_plan_and_stand_in_the_order_of_the_ring():
    asked = ring_scope(4)
    ranks = tuple(reversed(asked.findings.estimate.ranks))
    findings = replace(asked.findings, estimate=replace(asked.findings.estimate, ranks=ranks))
    drawing = circle.draw(Block(view="circle", options={"label": "{rank}"}), replace(asked, findings=findings), 300)
    signs = [item for item in drawing.items if item.kind == "gpu"]
    assert [item.shapes[-1].content for item in signs] == ["3", "2", "1", "0"]


def test_path_has_no_closing_hop():
    asked = ring_scope(4)
    path = replace(asked.findings.routes[0], shape="path", hops=asked.findings.routes[0].hops[:3])
    drawing = circle.draw(Block(view="circle"), replace(asked, findings=replace(asked.findings, routes=(path,))), 300)
    assert len(shapes(drawing, Line)) == 2 * 3  # to the switches between two members, and on


def test_without_a_route_there_is_no_circle():
    assert circle.draw(Block(view="circle"), scope(), 300).height == 0


# chunks and times


def test_chunks_of_an_all_reduce_by_ring():
    drawing = chunks.draw(Block(view="chunks"), ring_scope(8), 360)
    assert words(drawing) == [
        "Buffer: 14 GB = 8 chunks of 1.75 GB",
        "reduce-scatter, 7 steps",
        "all-gather, 7 steps",
        "14 × 1.75 GB = 24.5 GB sent by each GPU",
    ]
    boxes = shapes(drawing, Box)
    assert [box.fill for box in boxes] == ["gpu"] * 8 + ["ring.a"] * 7 + [""] * 7
    assert max(box.x + box.width for box in boxes) <= 360


@pytest.mark.parametrize(
    ("count", "squares"), [(2, 2 + 1 + 1), (8, 22), (16, 16 + 15 + 15), (17, 1 + 16 + 16), (72, 3)]
)
def test_one_square_per_chunk_up_to_sixteen(count, squares):
    drawing = chunks.draw(Block(view="chunks"), ring_scope(count), 360)
    assert len(shapes(drawing, Box)) == squares
    assert max(box.x + box.width for box in shapes(drawing, Box)) <= 360


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"collective": "reduce-scatter", "steps": 7}, ["reduce-scatter, 7 steps"]),
        ({"collective": "all-gather", "steps": 7}, ["all-gather, 7 steps"]),
        ({"algorithm": "tree", "chunks": None, "steps": None}, ["24.5 GB sent by each GPU"]),
    ],
)
def test_other_collectives_have_one_phase_or_none(more, expected):
    said = words(chunks.draw(Block(view="chunks"), ring_scope(8, **more), 360))
    assert [line for line in said if "steps" in line or len(said) == 1] == expected


def test_nothing_is_counted_without_a_size():
    assert chunks.draw(Block(view="chunks"), _without_size(), 360).height == 0
    assert times.draw(Block(view="times"), _without_size(), 250).height == 0


def _without_size():
    asked = ring_scope(8)
    bare = replace(asked.findings.estimate, size=None, sent=None, seconds=None)
    return replace(asked, findings=replace(asked.findings, estimate=bare))


def test_time_shows_the_division_and_says_what_it_ignores():
    said = words(times.draw(Block(view="times"), ring_scope(8), 260))
    assert said == [
        "24.5 GB ÷ 450 GB/s per direction",
        "≈ 54 ms",
        "A lower bound: no protocol overhead, no",
        "latency, no other traffic on the links.",
    ]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"measured": 0.82}, "measured 82 %: 66 ms"),
        ({"rates": "nccl"}, "at the rate that NCCL counts"),
        ({"unlimited": ("UPI",)}, "UPI has no stated rate and was taken as unlimited."),
    ],
)
def test_time_says_more_where_there_is_more(more, expected):
    assert expected in " ".join(words(times.draw(Block(view="times"), ring_scope(8, **more), 400)))


def test_numbers_of_the_ring_in_chinese():
    asked = replace(ring_scope(8), lang="zh")
    assert "14 × 1.75 GB = 每块 GPU 发送 24.5 GB" in words(chunks.draw(Block(view="chunks"), asked, 360))
    assert words(times.draw(Block(view="times"), asked, 260))[0] == "24.5 GB ÷ 单向 450 GB/s"


# columns


@pytest.mark.parametrize("shares", [(4, 8), (4, 5, 3), (1,)])
def test_columns_fill_the_width(shares):
    spans = shared(912, shares)
    assert spans[0][0] == 0
    assert sum(spans[-1]) == pytest.approx(912)


def test_panels_of_four_have_the_columns_of_the_reference_figure():
    assert [24 + x for x, _ in equal(912, 4, heads=100)] == [124, 330, 536, 742]
    assert {width for _, width in equal(912, 4, heads=100)} == {194}


@pytest.mark.parametrize(("log", "slow"), [("ring-through-host-memory.log", True), (None, False)])
def test_a_hop_of_a_log_that_left_nvlink_is_red_and_told(log, slow):
    machine = DATA / "smi" / "h100-nic-legend-mixed.txt"
    inputs = [machine, DATA / "log" / log] if log else [machine]
    scene = tv.render(tv.load(*inputs), highlight="routes" if log else "ring").scene()
    reds = [
        s for i in scene.items if i.role == "route" for s in i.shapes if isinstance(s, Line) and s.stroke == "alert"
    ]
    said = " ".join(s.content for i in scene.items for s in i.shapes if isinstance(s, Text))
    assert {shape.tip > 10 for shape in reds} == ({True, False} if slow else set())  # in place, and on the circle
    assert ("Every hop goes through the host, although NVLink joins all members." in said) is slow
    assert "Each hop is spread over" not in said or not slow  # what the layout says of rings over chips


ORDER = [0, 3, 2, 1, 5, 6, 7, 4]


def of_a_log(tmp_path, machine, via, **wishes):
    ring = "h:1:1 [0] NCCL INFO Channel 00/01 : " + " ".join(map(str, ORDER))
    hop = f"h:1:1 [1] NCCL INFO Channel 00/0 : 1[1] -> 5[5] via {via}"
    (tmp_path / "nccl.log").write_text(f"{ring}\n{hop}\n")
    return tv.render(tv.load(machine, tmp_path / "nccl.log"), highlight="routes", **wishes).scene()


@pytest.mark.parametrize(
    ("machine", "layout", "via", "said"),
    [
        ("dgx-h100", "", "SHM", "Hop 4 goes through the host, although NVLink joins its ends."),
        ("dgx-h100", "ring", "NET/IB/0", "Hop 4 goes over the network, although NVLink joins its ends."),
        ("dgx-1v", "mesh-rings", "SHM", "Hop 4 goes through the host, although NVLink joins its ends."),
        ("mi300x", "", "SHM", "Hop 4 goes through the host, although xGMI joins its ends."),
        ("mi300x", "", "NET/Socket/0", "Hop 4 goes over the network, although xGMI joins its ends."),
        ("dgx-h100", "nested", "SHM", "Hop 4 goes through the host, although NVLink joins its ends."),
    ],
)
def test_every_layout_names_a_hop_that_left_the_fast_links(tmp_path, machine, layout, via, said):
    scene = of_a_log(tmp_path, machine, via, **({"layout": layout} if layout else {}))
    texts = [s for i in scene.items for s in i.shapes if isinstance(s, Text)]
    assert [text.fill for text in texts if text.content == said] == ["alert"]
    assert audit(scene) == ()
    routes = [i for i in scene.items if i.role == "route"]
    assert all(any(getattr(s, "stroke", "") == "alert" for s in i.shapes) for i in routes)


def test_a_hop_past_a_mesh_is_dotted_and_leaves_its_link_alone(tmp_path):
    scene = of_a_log(tmp_path, "dgx-1v", "SHM", layout="mesh-rings")
    link = next(i for i in scene.items if i.role == "link" and i.of == ("gpu1", "gpu5"))
    assert len(link.shapes) == 2  # as many as without the hop
    assert not any(getattr(s, "stroke", "") == "alert" for s in link.shapes)


def test_no_hop_is_red_where_no_fast_link_is_left(tmp_path):
    scene = of_a_log(tmp_path, "l40s-server", "SHM")
    assert not any(getattr(s, "stroke", "") == "alert" for i in scene.items for s in i.shapes)
