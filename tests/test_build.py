import pytest
from documents import CATALOG, DATA, built, document, example

from topoviz.errors import SpecError
from topoviz.model.build import build, build_picture

EXAMPLES = sorted(path.stem for path in (DATA / "examples").glob("*.yaml"))


def message(text):
    with pytest.raises(SpecError) as caught:
        built(text)
    return str(caught.value)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_and_their_panels_build(name):
    topology = example(name)
    drawn = [one for picture in topology.spec.pictures for one in (picture, *picture.panels)]
    assert all(build_picture(one, topology.spec, CATALOG).root.id == "" for one in drawn)


@pytest.mark.parametrize(
    ("part", "kind", "number"),
    [
        ("dgx-h100", "gpu", 8),
        ("dgx-h100", "nvswitch", 4),
        ("dgx-h100", "node", 1),
        ("gb200-nvl72", "gpu", 72),
        ("gb200-nvl72", "cpu", 36),
        ("gb200-nvl72", "nvswitch", 18),
        ("gb200-nvl72", "rack", 1),
    ],
)
def test_counts(part, kind, number):
    assert built(f"part: {part}").count(kind) == number


@pytest.mark.parametrize(
    ("part", "kind", "links", "bandwidth"),
    [
        ("dgx-h100", "nvlink", 144, 8 * 450),
        ("dgx-h100", "upi", 3, None),
        ("gb200-nvl72", "nvlink", 1296, 64_800),
        ("gb200-tray", "c2c", 4, 2 * 450),  # the two GPUs of a superchip share one port
        ("gh200", "c2c", 1, 450),
        ("dgx-h100", "infiniband", 0, 0),
    ],
)
def test_totals(part, kind, links, bandwidth):
    total = built(f"part: {part}").total(kind)
    assert (total.links, total.bandwidth) == (links, bandwidth)


def test_links_of_one_gpu_of_a_dgx_h100():
    links = [link for link in built("part: dgx-h100").links_at("gpu3") if link.kind == "nvlink"]
    assert [(link.target, link.links, link.bandwidth) for link in links] == [
        ("nvs0", 5, 125),
        ("nvs1", 4, 100),
        ("nvs2", 4, 100),
        ("nvs3", 5, 125),
    ]


def test_a_chip_of_a_dgx_h100_uses_40_or_32_ports():
    topology = built("part: dgx-h100")
    assert [sum(link.links for link in topology.links_at(f"nvs{i}")) for i in range(4)] == [40, 32, 32, 40]


def test_switch_trays_of_an_nvl72():
    topology = built("part: gb200-nvl72")
    assert len([thing for thing in topology.root.children if thing.group == "swtray"]) == 9


def test_equal_things_are_one_assembly():
    topology = built("contains: {node: 64 x dgx-h100}")
    assert len({thing.assembly for thing in topology.root.children}) == 1


def test_the_root_is_the_part_itself():
    root = built("part: dgx-h100").root
    assert (root.id, root.kind, root.part, root.parent) == ("", "node", "dgx-h100", None)


def test_numbers_and_names():
    topology = example("24-real-names")
    leaf = topology.thing("ib-leaf-b2")
    assert (leaf.group, leaf.index, topology.thing("dgx-017").index) == ("leaf", 3, 16)


def test_slots():
    rack = built("part: gb200-nvl72").root
    assert [thing.slot for thing in rack.children if thing.group == "tray"] == [*range(16, 24), *range(33, 43)]


@pytest.mark.parametrize(
    ("variant", "switches", "links"), [("four-switches", 4, 16), ("two-switches", 2, 12), ("direct-attach", 0, 10)]
)
def test_variants_are_put_beside(variant, switches, links):
    topology = built(f"part: l40s-server\nvariant: {variant}")
    assert (topology.count("pcie"), topology.total("pcie").links) == (switches, links)


def test_parameters_reach_inside():
    topology = example("34-own-part")
    assert [topology.count("gpu", within=topology.thing(name)) for name in ("small0", "small1", "large")] == [2, 2, 4]


def test_own_parts_are_found_before_the_catalog():
    topology = built("parts: {dgx-h100: {kind: node, contains: {gpu: 2 x l40s}}}\ncontains: {node: 3 x dgx-h100}")
    assert topology.count("gpu") == 6


def test_an_exchanged_card_is_wired_by_its_own_rate():
    topology = example("23-other-nic")
    rates = [topology.links_at(f"{node}/nic2")[-1].bandwidth for node in ("node6", "node7")]
    assert rates == [50, 25]


def test_an_empty_place_takes_its_links_along():
    topology = example("23-other-nic")
    assert "node0" not in topology.root.assembly.places
    assert [link.source for link in topology.links_at("leaf7")] == [f"node{i}/nic7" for i in (1, 2, 3, 4, 6, 7)]


def test_an_exception_keeps_the_numbers_of_the_others():
    text = "contains: {node: 2 x hgx-h100, leaf: 8 x qm9700}\nwires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail, except: node0/nic3}]"
    topology = built(text)
    assert [topology.links_at(f"node0/nic{i}")[-1].target for i in (2, 4)] == ["leaf2", "leaf4"]
    assert all(link.kind == "pcie" for link in topology.links_at("node0/nic3"))


@pytest.mark.parametrize(
    ("one", "other", "links", "bandwidth", "state"),
    [
        ("node3/gpu5", "node3/nvs1", 3, 75, "degraded"),
        ("node3/gpu2", "node3/sw2", 1, 32, "degraded"),
        ("node1/nic6", "leaf6", 1, 50, "down"),
        ("node0/gpu5", "node0/nvs1", 4, 100, "up"),
    ],
)
def test_faults_of_links(one, other, links, bandwidth, state):
    found = next(link for link in example("22-faults").links_at(one) if link.target == other)
    assert (found.links, found.bandwidth, found.state) == (links, bandwidth, state)


def test_a_fault_of_a_thing_marks_only_that_thing():
    topology = example("22-faults")
    down = [thing.id for thing in topology.of_kind("gpu") if thing.state == "down"]
    assert down == ["node2/gpu7"]
    assert topology.thing("node2/gpu7").child.changed


def test_a_fault_leaves_equal_servers_one_assembly():
    topology = example("22-faults")
    assemblies = [thing.assembly for thing in topology.root.children if thing.group == "node"]
    assert len(set(assemblies)) == 3  # node0 and node1 as built; node2 and node3 each with its fault


def test_a_whole_group_that_changes_alike_differs_from_nobody():
    topology = built("part: dgx-h200")
    assert {(gpu.part, gpu.child.changed) for gpu in topology.of_kind("gpu")} == {("h200-sxm", False)}


def test_links_that_meet_add_up():
    text = """
    contains: {a: {kind: gpu}, b: {kind: gpu}}
    wires:
      - {from: a, to: b, kind: nvlink, bandwidth: 10 GB/s}
      - {from: b, to: a, kind: nvlink, links: 2, bandwidth: 20 GB/s}
    """
    link = built(text).root.assembly.links[0]
    assert (link.links, link.bandwidth, link.link) == (3, 50, "")


def test_a_sum_with_an_unstated_part_is_at_least():
    text = """
    contains: {a: {kind: gpu}, b: {kind: gpu}}
    wires: [{from: a, to: b, kind: nvlink}, {from: a, to: b, kind: nvlink, bandwidth: 20 GB/s}]
    """
    total = built(text).total("nvlink")
    assert (total.bandwidth, total.at_least) == (20, True)


@pytest.mark.parametrize(
    ("part", "counted"),
    [("dgx-h100", 22), ("dgx-1", 6), ("dgx-a100", 16), ("dgx-b200", 40), ("l40s-server", None)],
)
def test_what_nccl_counts_between_cpus(part, counted):
    topology = built(f"part: {part}")
    assert next(link for link in topology.links_at("cpu0") if link.target == "cpu1").nccl == counted


def test_an_unknown_kind_is_warned_about_once():
    warned = built("contains: {a: {kind: toaster, count: 3}, b: {kind: toaster}}").diagnostics
    assert [(one.severity, one.code) for one in warned] == [("warning", "unknown-kind")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("contains: {node: {count: 9000000, contains: {gpu: l40s}}}", "the limit is 5,000,000"),
        (
            "contains: {a: {kind: gpu, count: 9000}, b: {kind: nic, count: 9000}}\nwires: [{from: a, to: b, kind: pcie}]",
            "the limit is 20,000,000",
        ),
    ],
)
def test_limits(text, told):
    assert told in message(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("contains: {gpu: 2 x l40s}\nchanges: [{at: gpu5, state: down}]", "'gpu5' matches nothing"),
        (
            "contains: {gpu: 2 x l40s}\nchanges: [{link: [gpu0, gpu1], state: down}]",
            "there is no link between gpu0 and gpu1",
        ),
        ("part: dgx-h100\nchanges: [{link: [gpu0, nvs0], links: 9}]", "9 links are more than the 5"),
        ("part: dgx-h100\nchanges: [{link: [gpu0, nvs0], bandwidth: NVLink 5}]", "is more than the 25 GB/s"),
        ("part: h100-sxm\nchanges: [{at: gpu, part: b200}]", "'gpu' is the whole"),
        ("parts: {a: {contains: {a: a}}}\ncontains: {a: a}", "contains itself: a → a"),
        ("contains: {gpu: {part: l40s, variant: fast}}", "l40s has no variant 'fast'"),
    ],
)
def test_more_mistakes(text, told):
    assert told in message(text)


def test_what_a_fabric_inside_makes_can_be_joined_and_changed_outside():
    text = """
    parts:
      pod:
        contains: {node: 4 x dgx-h100}
        fabric: [{join: node/nic, switch: qm9700, kind: infiniband, rails: 8, tiers: 1}]
    contains: {pod: 2 x pod, top: 2 x qm9700}
    wires: [{from: pod/leaf, to: top, kind: infiniband, links: 2}]
    changes: [{at: pod1/leaf3, state: down}, {at: pod0/node2, absent: true}]
    """
    topology = built(text)
    assert (topology.total("infiniband").links, topology.thing("pod1/leaf3").state) == (2 * 32 + 2 * 32 - 8, "down")


def test_what_is_absent_inside_takes_links_of_the_outside_along():
    text = """
    parts:
      box:
        contains: {gpu: 2 x l40s, nic: 2 x connectx-7}
        wires: [{from: gpu, to: nic, kind: pcie, rule: pairwise}]
        changes: [{at: nic1, absent: true}]
    contains: {n: 2 x box, leaf: qm9700}
    wires: [{from: n/nic, to: leaf, kind: infiniband}]
    """
    root = built(text).root.assembly
    assert [link.source for link in root.links] == ["n0/nic0", "n1/nic0"]
    assert root.children[0].assembly is root.children[1].assembly


def test_a_part_and_more():
    topology = built("part: dgx-h100\ncontains: {extra: connectx-7}\nwires: [{from: extra, to: cpu0, kind: pcie}]")
    assert (topology.root.kind, topology.count("nic"), topology.links_at("extra")[0].target) == ("node", 9, "cpu0")


def test_no_mistake_is_told_twice():
    text = "parts: {n: {contains: {a: {kind: gpu}}, wires: [{from: b, to: a, kind: pcie}]}}\ncontains: {x: 2 x n, y: {part: n, title: Y}, z: {part: n, note: Z}}"
    assert message(text).count("matches nothing") == 1


def test_a_panel_without_a_part_is_the_document():
    spec = document("part: h100-sxm\nmig: 7 x 1g.10gb\npictures: [{file: a.svg, panels: [{mig: 7g.80gb}]}]")
    assert build_picture(spec.pictures[0].panels[0], spec, CATALOG).root.assembly.mig == ("7g.80gb",)


def test_building_twice_gives_the_same():
    spec = document("part: superpod-b200")
    first, second = build(spec, CATALOG), build(spec, CATALOG)
    assert first.root.assembly.links == second.root.assembly.links


def test_parts_used():
    assert built("part: gh200").parts_used == ("gh200", "grace", "gh200-gpu", "connectx-7")
