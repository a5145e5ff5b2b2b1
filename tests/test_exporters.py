"""Foreign forms of the graph: nothing lost, nothing twice, names that cannot break the format."""

import io
import re
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
import yaml
from inputs import FILES, outcome, sidecar

import topoviz as tv
from topoviz import importers, registry
from topoviz.errors import TopovizError
from topoviz.marks import Source

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


@pytest.mark.parametrize(
    ("system", "shapes", "counts", "rates"),
    [
        ("dgx-h100", ["Switch"], [8], [450]),
        ("gb200-nvl72", ["Switch"], [72], [900]),
        ("mi300x", ["FullyConnected"], [8], [64]),
        ("superpod-h100", ["Switch", "Switch"], [8, 31], [450, 50]),
        ("nvl72-cluster", ["Switch", "Switch"], [72, 8], [900, 50]),
    ],
)
def test_astra_sim_gets_a_dimension_for_each_kind_of_network(system, shapes, counts, rates):
    found = yaml.safe_load(written("astra-sim", system))
    assert (found["topology"], found["npus_count"], found["bandwidth"]) == (shapes, counts, rates)
    assert "assumed" in written("astra-sim", system)


@pytest.mark.parametrize(
    "shapes", [["Switch", "Ring"], ["Switch", "Switch"], ["Ring", "Switch"], ["FullyConnected", "Ring"]]
)
def test_an_astra_sim_file_comes_back(shapes, tmp_path):
    text = f"topology: {shapes}\nnpus_count: [8, 4]\nbandwidth: [400, 50]\nlatency: [936.25, 1000]\n".replace("'", "")
    (tmp_path / "a.yml").write_text(text)
    back = registry.get("topoviz.exporters", "astra-sim").write(tv.load(tmp_path / "a.yml"))
    assert yaml.safe_load(back) == yaml.safe_load(text)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("dgx-1v", "neither by switches nor as a ring nor each with each"),
        ("h100-sxm", "a network joins GPUs, and here is one"),
        ({"contains": {"a": "dgx-h100", "gpu": "l40s"}}, "domains of 1 and of 8 GPUs are no dimension"),
        (
            {"contains": {"gpu": "2 x gpu"}, "wires": [{"from": "gpu", "kind": "nvlink", "rule": "ring"}]},
            "no stated rate",
        ),
    ],
)
def test_what_astra_sim_cannot_say_is_an_error(document, said):
    with pytest.raises(TopovizError, match=said):
        written("astra-sim", document)


SLURM = [path for path in FILES if path.parent.name == "slurm" and sidecar(path)["verdict"] != "error"]


@pytest.mark.parametrize("path", SLURM, ids=lambda path: path.name)
def test_slurm_files_come_back_with_the_same_groups(path):
    """A switch above a single one reaches the same nodes and is one with it; of two topologies the first is written."""
    text = written("slurm", path)
    back = importers.read(Source("topology.conf", text), importers.recognised(text))
    groups = outcome(path).facts["groups"]
    single = {name for name, below in groups.items() if len(below) == 1 and below[0] in groups}
    assert back.facts["groups"] == {name: below for name, below in groups.items() if name not in single}


def test_rails_become_one_leaf_for_slurm(tmp_path):
    text = written("slurm", "superpod-h100")
    (tmp_path / "topology.conf").write_text(text)
    back = tv.load(tmp_path / "topology.conf")
    assert (back.count("node"), back.count("switch")) == (31, 1)
    assert written("slurm", tmp_path / "topology.conf").splitlines()[-1] == text.splitlines()[-1]


XML_RULES = [  # what NCCL's reader insists on (graph/xml.cc, topo.cc)
    ("the root is a system with a version", lambda root: root.tag == "system" and root.get("version") == "1"),
    ("below it are CPUs with a NUMA id", lambda root: all(one.tag == "cpu" and one.get("numaid") for one in root)),
    ("a CPU names an architecture that NCCL knows, or leaves it to NCCL", lambda root: {one.get("arch") for one in root} <= {None, "x86_64", "arm64", "ppc64"}),
    ("every PCI device has a bus id and a class", lambda r: all(p.get("busid") and p.get("class") for p in r.iter("pci"))),
    ("no bus id comes twice", lambda r: len({p.get("busid") for p in r.iter("pci")}) == len(list(r.iter("pci")))),
    ("a PCI device has a link speed and width", lambda r: all(p.get("link_speed") and p.get("link_width") for p in r.iter("pci"))),
    ("a GPU has a device, a compute capability and a rank", lambda r: all(g.get("dev") and g.get("sm") for g in r.iter("gpu"))),
    ("an NVLink has a target, a count and a class", lambda r: all(n.get("target") and n.get("count") and n.get("tclass") for n in r.iter("nvlink"))),
    ("a card holds nets with a name, a speed in Mb/s and a port", lambda r: all(n.get("name") and n.get("speed") and n.get("port") for n in r.iter("net"))),
]  # fmt: skip


@pytest.mark.parametrize("system", ["dgx-h100", "dgx-a100", "dgx-1v", "l40s-server"])
@pytest.mark.parametrize(("rule", "holds"), XML_RULES, ids=[rule for rule, _ in XML_RULES])
def test_nccl_xml_keeps_a_rule_of_the_reader(system, rule, holds):
    assert holds(ET.fromstring(written("nccl-xml", system))), rule


@pytest.mark.parametrize("system", ["dgx-h100", "dgx-1v", "l40s-server"])
def test_nccl_xml_comes_back_as_the_same_machine(system, tmp_path):
    (tmp_path / "topo.xml").write_text(written("nccl-xml", system))
    back, machine = tv.load(tmp_path / "topo.xml"), tv.load(system)
    for kind in ("gpu", "cpu"):
        assert back.count(kind) == machine.count(kind), kind

    def nvlinks(topology):
        graph, total = topology.graph, {}
        for a, b, kind, data in graph.edges(keys=True, data=True):
            for end in (a, b):
                if kind == "nvlink" and graph.nodes[end]["kind"] == "gpu":
                    total[end] = total.get(end, 0) + data["links"]
        return sorted(total.values())

    assert nvlinks(back) == nvlinks(machine)
