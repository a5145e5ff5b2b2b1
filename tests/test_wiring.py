import pytest
from documents import built

ENDS = "contains: {{a: {{kind: gpu, count: {0}}}, b: {{kind: nic, count: {1}}}}}\nwires: [{{from: a, {2}, kind: pcie}}]"


def pairs(text):
    return [(link.source, link.target, link.links) for link in built(text).root.assembly.links]


@pytest.mark.parametrize(
    ("numbers", "wire", "joined"),
    [
        ((2, 2), "to: b", "a0b0 a0b1 a1b0 a1b1"),
        ((2, 2), "to: b, rule: pairwise", "a0b0 a1b1"),
        ((4, 2), "to: b, rule: block", "a0b0 a1b0 a2b1 a3b1"),
        ((2, 4), "to: b, rule: block", "a0b0 a0b1 a1b2 a1b3"),
        ((4, 2), "to: b, rule: rail", "a0b0 a1b1 a2b0 a3b1"),
        ((3, 0), "rule: ring", "a0a1 a1a2 a2a0"),
        ((2, 0), "rule: ring", "a0a1"),
        ((3, 0), "rule: mesh", "a0a1 a0a2 a1a2"),
        ((4, 0), "rule: torus, shape: [2, 2]", "a0a1 a0a2 a1a3 a2a3"),
        ((3, 0), "rule: torus, shape: [3]", "a0a1 a1a2 a2a0"),
        ((2, 0), "to: a", "a0a1"),
        ((3, 2), "to: b, except: a1", "a0b0 a0b1 a2b0 a2b1"),
    ],
)
def test_rules(numbers, wire, joined):
    text = ENDS.format(numbers[0], numbers[1] or 1, wire)
    assert [f"{a}{b}" for a, b, _ in pairs(text)] == joined.split()


@pytest.mark.parametrize(
    ("wire", "numbers"),
    [
        ("to: b, links: [5, 4]", [5, 4, 5, 4]),
        ("to: b, links: 3", [3, 3, 3, 3]),
        ("to: b, rule: pairwise, links: [2, 1]", [2, 1]),
        ("to: b, rule: matrix, matrix: [[0, 2], [1, 0]]", [2, 1]),
        ("rule: matrix, matrix: [[0, 7], [7, 0]]", [7]),
    ],
)
def test_links_in_turn(wire, numbers):
    assert [links for _, _, links in pairs(ENDS.format(2, 2, wire))] == numbers


def test_a_torus_of_four_by_four_by_four_has_192_links():
    assert built("part: tpu-v5p-cube").total("ici").links == 192


def test_rail_counts_inside_each_owner():
    text = "contains: {node: 2 x dgx-h100, leaf: 8 x qm9700}\nwires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail}]"
    ends = [(link.source[-1], link.target[-1]) for link in built(text).root.assembly.links]
    assert ends == [(str(k), str(k)) for _ in range(2) for k in range(8)]


def test_rail_takes_the_owner_of_the_selector_and_not_the_container():
    text = """
    contains:
      rack: {count: 2, contains: {tray: {count: 2, contains: {nic: 2 x connectx-7}}}}
      leaf: 4 x qm9700
    wires: [{from: rack/nic, to: leaf, kind: infiniband, rule: rail}]
    """
    assert [target for _, target, _ in pairs(text)] == ["leaf0", "leaf1", "leaf2", "leaf3"] * 2


@pytest.mark.parametrize(
    ("a", "b", "wire", "bandwidth", "name"),
    [
        ("h100-sxm", "l40s", "kind: pcie", 32, "PCIe 4.0 x16"),
        ("h100-sxm", "l40s", "kind: pcie, bandwidth: PCIe 3.0 x16", 16, "PCIe 3.0 x16"),
        ("h100-sxm", "box", "kind: nvlink, links: 2", 50, "NVLink 4"),
        ("box", "box", "kind: nvlink", None, ""),
        ("box", "box", "kind: nvlink, bandwidth: 100 GB/s both directions", 50, ""),
        ("xeon-spr", "xeon-spr", "kind: upi", None, "UPI"),
    ],
)
def test_the_slower_port_counts(a, b, wire, bandwidth, name):
    link = built(f"contains: {{a: {a}, b: {b}}}\nwires: [{{from: a, to: b, {wire}}}]").root.assembly.links[0]
    assert (link.bandwidth, link.link) == (bandwidth, name)


def test_twin_ports_are_remembered():
    links = built("part: superpod-b300\nvariant: spectrum-x").root.assembly.links
    assert all(link.twin for link in links)
