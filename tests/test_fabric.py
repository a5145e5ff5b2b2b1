import pytest
from documents import DATA, built

from topoviz.errors import SpecError
from topoviz.model.tiers import Unfit, Wishes, under

FLAT = "contains: {{node: {0} x dgx-h100}}\nfabric: [{{join: node/nic, switch: qm9700, kind: infiniband, rails: 8{1}}}]"


def tiers(topology):
    """Return leaves, spines, cores and the links below each tier, as the published tables list them."""
    at = topology.roles
    numbers = [sum(role == wanted for role in at.values()) for wanted in ("leaf", "spine", "core")]
    cables = {"nl": 0, "ls": 0, "sc": 0}
    ends = [thing.id for kind in ("switch", "nic", "box") for thing in topology.of_kind(kind)]
    for link in topology.fold(ends):
        roles = (
            {at.get(link.source, "card"), at.get(link.target, "card")}
            if link.kind in ("infiniband", "ethernet")
            else set()
        )
        key = {"card": "nl", "spine": "ls", "core": "sc"}.get(
            (roles - {"leaf"}).pop() if "leaf" in roles else "core" if roles else "", ""
        )
        cables[key] = cables.get(key, 0) + link.links
    return [*numbers, cables["nl"], cables["ls"], cables["sc"]]


H100 = [(1, 8, 4, 252, 256), (2, 16, 8, 508, 512), (3, 24, 16, 764, 768), (4, 32, 16, 1020, 1024)]
LARGER = [
    (4, 32, 16, 0, 1024, 1024, 0),
    (8, 64, 32, 0, 2048, 2048, 0),
    (16, 128, 128, 64, 4096, 4096, 4096),
    (32, 256, 256, 128, 8192, 8192, 8192),
    (64, 512, 512, 256, 16384, 16384, 16384),
]
XDR = [(1, 8, 4, 576), (2, 16, 8, 1152), (4, 32, 18, 2304), (8, 64, 36, 4608), (18, 144, 72, 10368)]
SPECTRUM = [(1, 16, 8, 512), (2, 32, 16, 1024), (4, 64, 32, 2048), (8, 128, 64, 4096), (16, 256, 128, 8192)]
GB200 = [(2, 64, 48, 18), (4, 128, 96, 36), (8, 256, 192, 72), (16, 512, 384, 144)]


@pytest.mark.parametrize("row", H100)
def test_h100_as_published(row):
    su, leaf, spine, below, above = row
    assert tiers(built(f"part: superpod-h100\nwith: {{su: {su}}}")) == [leaf, spine, 0, below, above, 0]


@pytest.mark.parametrize("row", LARGER)
def test_h100_with_all_nodes(row):
    assert tiers(built(f"part: superpod-h100\nvariant: full\nwith: {{su: {row[0]}}}")) == list(row[1:])


@pytest.mark.parametrize("row", [(2, 16, 8, 0, 512, 512, 0), *LARGER])
def test_b200(row):
    assert tiers(built(f"part: superpod-b200\nwith: {{su: {row[0]}}}")) == list(row[1:])


@pytest.mark.parametrize("row", XDR)
def test_b300_xdr(row):
    su, leaf, spine, links = row
    assert tiers(built(f"part: superpod-b300\nwith: {{su: {su}}}")) == [leaf, spine, 0, links, links, 0]


@pytest.mark.parametrize("row", SPECTRUM)
def test_b300_spectrum_x_counts_two_links_in_a_cable(row):
    su, leaf, spine, cables = row
    topology = built(f"part: superpod-b300\nvariant: spectrum-x\nwith: {{su: {su}}}")
    assert tiers(topology) == [leaf, spine, 0, 2 * cables, 2 * cables, 0]


@pytest.mark.parametrize("row", GB200)
def test_gb200(row):
    su, *switches = row
    assert tiers(built(f"part: superpod-gb200\nwith: {{su: {su}}}"))[:3] == switches


def test_gb300_of_sixteen_units():
    assert tiers(built("part: superpod-gb300\nwith: {su: 16}"))[:3] == [128, 72, 0]


def test_a100_by_wires():
    assert tiers(built("part: superpod-a100")) == [56, 80, 28, 1120, 1120, 1120]


def test_a_flat_document_of_three_lines_gives_the_row_of_64_units():
    assert tiers(built(FLAT.format(2048, ""))) == [512, 512, 256, 16384, 16384, 16384]


def edges(topology):
    return sorted(
        (*sorted((a, b)), kind, data["links"], data["bandwidth"])
        for a, b, kind, data in topology.graph.edges(keys=True, data=True)
    )


def test_written_out_by_wires_it_is_the_same_graph():
    by_wires = built((DATA / "examples" / "09-rail-cluster.yaml").read_text("utf-8"))
    assert edges(built(FLAT.format(32, ""))) == edges(by_wires)


def test_32_nodes_with_8_rails():
    assert tiers(built(FLAT.format(32, ""))) == [8, 4, 0, 256, 256, 0]


@pytest.mark.parametrize(
    ("keys", "counts"),
    [
        (", tiers: 1", [8, 0, 0]),
        (", oversubscription: 3", [8, 2, 0]),
        (", spines: 8", [8, 8, 0]),
        (", planes: 8", [8, 0, 0]),  # each plane is one leaf, which has nobody to meet
        (", down: 16, up: 16", [16, 4, 0]),
        (", tiers: 3", [8, 8, 8]),
    ],
)
def test_wishes(keys, counts):
    assert tiers(built(FLAT.format(32, keys)))[:3] == counts


def test_leaves_are_filled_unit_by_unit():
    text = "contains: {su: {kind: su, count: 2, contains: {node: 20 x dgx-h100}}}\nfabric: [{join: su/node/nic, switch: qm9700, kind: infiniband, rails: 8, unit: su}]"
    topology = built(text)
    assert {
        link.target for link in topology.root.assembly.links if link.source.startswith("su0") and "/nic3" in link.source
    } == {"leaf3"}
    assert {
        link.target for link in topology.root.assembly.links if link.source.startswith("su1") and "/nic3" in link.source
    } == {"leaf11"}


def test_a_name_is_a_container():
    topology = built(
        "contains: {node: {part: dgx-b300, count: 8, changes: [{at: nic, variant: ethernet}]}}\nfabric: [{join: node/nic, switch: sn5600, kind: ethernet, rails: 8, tiers: 1, name: a}, {join: node/nic, switch: sn5600, kind: ethernet, rails: 8, tiers: 1, name: b}]"
    )
    assert [link.target for link in topology.links_at("node5/nic3") if link.kind == "ethernet"] == [
        "a/leaf3",
        "b/leaf3",
    ]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (", spines: 5", "32 up-links of a leaf do not divide evenly over 5 spines"),
        (", spines: 2", "do not fit on 2 spines"),
        (", down: 65", "65 down, but a qm9700 has 64 ports"),
        (", unit: rack", "'rack' matches nothing"),
        (", variant: whole", "qm9700 has no variant 'whole'"),
    ],
)
def test_what_does_not_fit(keys, told):
    with pytest.raises(SpecError) as caught:
        built(FLAT.format(32, keys))
    assert told in str(caught.value)


def test_more_than_three_tiers_are_refused():
    with pytest.raises(Unfit):
        under([0] * 100_000, None, Wishes(ports=8))
