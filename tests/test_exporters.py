"""Foreign forms of the graph: nothing lost, nothing twice, names that cannot break the format."""

import io
import re
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

import topoviz as tv
from topoviz import registry

SYSTEMS = ["dgx-h100", "gb200-nvl72", "l40s-server", "dgx-1v"]
NASTY = {
    "contains": {
        "gpu": {"part": "h100-sxm", "names": ["host-a.example", "机器"]},
        "cpu": "xeon-spr",
    },
    "wires": [{"from": "gpu", "kind": "nvlink", "rule": "ring"}, {"from": "gpu", "to": "cpu", "kind": "pcie"}],
    "title": 'A "quoted" <title> & more',
}


def written(form, document):
    return registry.get("topoviz.exporters", form).write(tv.load(document))


@pytest.mark.parametrize("document", [*SYSTEMS, NASTY], ids=str)
def test_graphml_is_read_back_by_networkx(document):
    topology = tv.load(document)
    back = nx.read_graphml(io.StringIO(written("graphml", document)), force_multigraph=True)
    assert sorted(back.nodes) == sorted(topology.graph.nodes)
    kept = {
        (frozenset((a, b)), d["kind"], d["links"], d.get("bandwidth")) for a, b, d in topology.graph.edges(data=True)
    }
    assert {(frozenset((a, b)), d["kind"], d["links"], d.get("bandwidth")) for a, b, d in back.edges(data=True)} == kept


@pytest.mark.parametrize("document", [*SYSTEMS, NASTY], ids=str)
def test_drawio_has_a_cell_for_everything_and_ends_that_exist(document):
    topology = tv.load(document)
    cells = {cell.get("id"): cell for cell in ET.fromstring(written("drawio", document)).iter("mxCell")}
    edges = [cell for cell in cells.values() if cell.get("edge")]
    assert set(topology.graph.nodes) <= set(cells)
    assert len(edges) == topology.graph.number_of_edges()
    assert all(cell.get("source") in cells and cell.get("target") in cells for cell in edges)


@pytest.mark.parametrize("document", SYSTEMS)
def test_drawio_boxes_do_not_overlap_their_neighbours(document):
    root = ET.fromstring(written("drawio", document))
    boxes = {}
    for cell in root.iter("mxCell"):
        place = cell.find("mxGeometry")
        if cell.get("vertex"):
            box = tuple(float(place.get(side)) for side in ("x", "y", "width", "height"))
            boxes.setdefault(cell.get("parent"), []).append(box)
    meet = [
        (a, b)
        for some in boxes.values()
        for i, a in enumerate(some)
        for b in some[i + 1 :]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
    ]
    assert meet == []


@pytest.mark.parametrize(("form", "edge"), [("dot", " -- "), ("mermaid", "---|"), ("d2", " -- ")])
@pytest.mark.parametrize("document", [*SYSTEMS, NASTY], ids=str)
def test_texts_have_one_line_for_each_bundle(form, edge, document):
    lines = [line for line in written(form, document).splitlines() if edge in line]
    assert len(lines) == tv.load(document).graph.number_of_edges()


@pytest.mark.parametrize("document", [*SYSTEMS, NASTY], ids=str)
def test_mermaid_opens_and_closes_every_container(document):
    text = written("mermaid", document)
    assert len(re.findall(r"^ *subgraph ", text, re.MULTILINE)) == len(re.findall(r"^ *end$", text, re.MULTILINE))
    assert text.startswith("flowchart TB\n")


@pytest.mark.parametrize("form", ["graphml", "dot", "mermaid", "d2", "drawio"])
def test_the_same_topology_gives_the_same_bytes(form):
    assert written(form, "dgx-h100") == written(form, "dgx-h100")
