"""What must hold for every document."""

from collections import Counter

import networkx as nx
import pytest
from documents import built, example
from hypothesis import given, settings
from hypothesis import strategies as st

FEW = settings(max_examples=25, deadline=None)
RULES = ["all", "rail"]


@st.composite
def documents(draw):
    """A few servers of different sizes under switches, one of them with a fault."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    lines = ["contains:"]
    lines += [
        f"  n{chr(97 + i)}: {{kind: node, count: {draw(st.integers(1, 4))}, contains: {{gpu: {{kind: gpu, count: {size}}}, nic: {{kind: nic, count: 2}}}}, "
        f"wires: [{{from: gpu, to: nic, kind: pcie, links: {draw(st.integers(1, 3))}, bandwidth: {draw(st.integers(1, 9))} GB/s}}]}}"
        for i, size in enumerate(sizes)
    ]
    lines += [f"  leaf: {{kind: switch, count: {draw(st.integers(1, 3))}}}", "wires:"]
    lines += [
        f"  - {{from: n{chr(97 + i)}/nic, to: leaf, kind: ethernet, rule: {draw(st.sampled_from(RULES))}}}"
        for i in range(len(sizes))
    ]
    fault = draw(st.sampled_from(["state: down", "absent: true", "title: another"]))
    return "\n".join([*lines, f"changes: [{{at: na0/nic1, {fault}}}]"])


def nearest(graph, shown, name):
    while name is not None and name not in shown:
        name = graph.nodes[name]["parent"]
    return name


def folded_by_hand(topology, shown):
    """Return number of links and bandwidth for each pair and kind, from the graph written out in full."""
    sums = Counter()
    for a, b, edge in topology.graph.edges(data=True):
        ends = tuple(sorted(str(nearest(topology.graph, shown, end)) for end in (a, b)))
        if ends[0] != ends[1] and "None" not in ends:
            sums[(*ends, edge["kind"])] += edge["links"]
    return dict(sums)


def folded(topology, shown):
    return {(*sorted((link.source, link.target)), link.kind): link.links for link in topology.fold(shown)}


@given(documents(), st.data())
@FEW
def test_building_folded_is_building_everything_and_folding(text, data):
    topology = built(text)
    shown = data.draw(st.sets(st.sampled_from(sorted(topology.graph.nodes))))
    assert folded(topology, shown) == folded_by_hand(topology, shown)


@given(documents())
@FEW
def test_everything_shown_is_everything(text):
    topology = built(text)
    edges = {(*sorted((a, b)), kind): edge["links"] for a, b, kind, edge in topology.graph.edges(keys=True, data=True)}
    assert folded(topology, topology.graph.nodes) == edges


@given(documents())
@FEW
def test_counts_and_totals_are_those_of_the_graph(text):
    topology = built(text)
    kinds = Counter(kind for _, kind in topology.graph.nodes(data="kind"))
    links = Counter()
    for _, _, edge in topology.graph.edges(data=True):
        links[edge["kind"]] += edge["links"]
    assert {kind: topology.count(kind) for kind in kinds} == dict(kinds)
    assert {kind: topology.total(kind).links for kind in links} == dict(links)


@given(documents())
@FEW
def test_links_at_a_thing_are_its_edges(text):
    topology = built(text)
    degrees = dict(topology.graph.degree(weight="links"))
    assert {name: sum(link.links for link in topology.links_at(name)) for name in degrees} == degrees


@given(documents())
@FEW
def test_the_same_text_gives_the_same_graph(text):
    assert nx.utils.graphs_equal(built(text).graph, built(text).graph)


@given(documents())
@FEW
def test_equal_siblings_have_equal_degrees(text):
    topology = built(text)
    pairs = [(a, b) for a in topology.root.children for b in topology.root.children if topology.equal(a, b)]
    ends = {
        thing.id: sum(
            1
            for link in topology.fold([t.id for t in topology.root.children])
            if thing.id in (link.source, link.target)
        )
        for thing in topology.root.children
    }
    assert all(a.part == b.part and a.state == b.state and ends[a.id] == ends[b.id] for a, b in pairs)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("09-rail-cluster", ["leaf0", "leaf1", "spine0", "node0", "node0/gpu1"]),
        ("07-nvl72", ["tray0", "tray1/gpu0", "swtray3"]),
    ],
)
def test_folding_twice_is_folding_once(name, shown):
    topology = example(name)
    coarse = topology.fold(shown)
    assert folded(topology, shown) == {(*sorted((link.source, link.target)), link.kind): link.links for link in coarse}
    assert coarse == topology.fold(list(reversed(shown)))


def test_a_rack_folded_to_trays():
    topology = built("part: gb200-nvl72")
    trays = [thing.id for thing in topology.root.children if thing.group in ("tray", "swtray")]
    links = [link for link in topology.fold(trays) if link.kind == "nvlink"]
    assert (len(links), {link.links for link in links}, sum(link.bandwidth for link in links)) == (162, {8}, 64_800)


def test_leaves_and_spines_folded():
    topology = example("09-rail-cluster")
    shown = [thing.id for thing in topology.of_kind("switch")]
    links = topology.fold(shown)
    assert (len(links), sum(link.links for link in links)) == (32, 256)


@pytest.mark.parametrize(
    ("name", "one", "other", "alike"),
    [
        ("09-rail-cluster", "node0", "node31", True),
        ("09-rail-cluster", "leaf0", "leaf7", True),
        ("09-rail-cluster", "leaf0", "spine0", False),
        ("22-faults", "node0", "node2", False),
        ("23-other-nic", "node1", "node7", False),
        ("23-other-nic", "node1", "node2", True),
        ("01-dgx-h100", "nvs0", "nvs3", True),
        ("01-dgx-h100", "nvs0", "nvs1", False),  # five links against four
        ("01-dgx-h100", "gpu0", "gpu7", True),
        ("22-faults", "node2/gpu7", "node2/gpu6", False),
    ],
)
def test_what_is_alike(name, one, other, alike):
    topology = example(name)
    assert topology.equal(topology.thing(one), topology.thing(other)) is alike
