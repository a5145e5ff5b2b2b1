"""What people paste, cut and mix: forms of the inputs that the collection does not hold, and limits."""

from pathlib import Path

import pytest

import topoviz as tv
from topoviz import importers, loading
from topoviz.errors import SpecError, TopovizError
from topoviz.importers.evidence.draft import Draft
from topoviz.marks import Source
from topoviz.model.source import parse
from topoviz.model.writing import written

MATRIX = """\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV18\tNV18\t0-7\t0
GPU1\tNV18\t X \tNV18\t0-7\t0
GPU2\tNV18\tNV18\t X \t8-15\t1
"""
FOLDED = """        GPU0    GPU1    GPU2
        NIC0    CPU Affinity
GPU0     X      PIX     SYS
        PIX     0-7
GPU1    PIX      X      SYS
        PIX     0-7
GPU2    SYS     SYS      X
        SYS     8-15
NIC0    PIX     PIX     SYS
         X
"""
GAPS = "\tGPU0\tGPU2\nGPU0\t X \tNV4\nGPU2\tNV4\t X \n"
RING = "h:1:{thread} [{device}] NCCL INFO "


def read(text, name="x.txt"):
    return importers.read(Source(name, text), importers.recognised(text))


def codes(text, severity="warning"):
    return [one.code for one in read(text).told if one.severity == severity]


def error(text):
    with pytest.raises(SpecError) as caught:
        read(text)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"> {line}\n" for line in MATRIX.splitlines()),
        MATRIX.replace("\n", "\r\n"),
        MATRIX.replace("\tGPU0", "\t[4mGPU0"),
        MATRIX.replace("\tGPU0", "\t\\x1b[4mGPU0", 1),
        "hello\n\n" + MATRIX + "\n\nbye\n",
    ],
    ids=["mail", "crlf", "lost-escape", "written-escape", "text-around"],
)
def test_matrix_is_read_through_what_surrounds_it(text):
    assert read(text).document["contains"] == read(MATRIX).document["contains"]


def test_folded_matrix():
    found = read(FOLDED)
    assert found.document["wires"][0] == {"from": "gpu[0,1]", "to": "sw", "kind": "pcie"}


def test_gaps_in_numbers_stay():
    assert read(GAPS).document["contains"]["gpu"] == {"part": "gpu", "names": ["gpu0", "gpu2"]}


def test_a_missing_nvlink_is_seen():
    text = MATRIX.replace("GPU2\tNV18\tNV18", "GPU2\tNV17\tNV17").replace("NV18\tNV18\t0-7", "NV18\tNV17\t0-7")
    text = text.replace("X \tNV18\t0-7", "X \tNV17\t0-7")
    assert codes(text) == ["nvlink-fewer"]
    assert tv.load(dict(read(text).document)).graph.edges["gpu2", "nvs", "nvlink"]["links"] == 17


def test_halves_that_differ_are_told_and_the_weaker_counts():
    text = GAPS.replace("GPU2\tNV4", "GPU2\tNV3")
    assert codes(text) == ["smi-contradiction"]
    assert read(text).document["wires"][-1]["links"] == 3


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (MATRIX + "\n" + MATRIX, "smi-two-matrices", 6),
        (MATRIX + "GPU7\tNV18\tNV18\tNV18\n", "smi-unknown-row", 5),
        (MATRIX + "GPU2\tNV18\tNV18\t X \t8-15\t1\n", "smi-row-twice", 5),
        (MATRIX.replace("GPU1\tNV18", "GPU1\tMT4"), "smi-unknown-code", 3),
        ("<system version='1'>", "xml-syntax", 1),
        ("<graphs version='1'></graphs>", "nccl-no-graph", 1),
        ("<graphs><graph pattern='4'><channel><gpu dev='x'/></channel></graph></graphs>", "bad-number", 1),
        ("<topology><object type='Core'/></topology>", "hwloc-no-machine", 1),
        ("GPU 0: V100 (UUID: x)\n\t Link 0: 25.781 GB/s\n\t Link 1: 25.7", "nvlink-line", 3),
        ("ACCESS TABLE:\n      GPU0\nGPU0  ENABLED\n", "amd-no-types", 1),
        ("LINK TYPE TABLE:\n GPU0 GPU1\nGPU0 SELF XGMI\nGPU1 XGMI\n", "amd-short-row", 4),
        ("LINK TYPE TABLE:\n GPU0 GPU1\nGPU0 SELF XGMI\n", "amd-short-table", 2),
        ("LINK TYPE TABLE:\n GPU0 GPU1\nGPU0 SELF CXL\nGPU1 CXL SELF\n", "amd-unknown-type", 3),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value and "<" not in value else "",
)
def test_wrong_files_are_refused_with_their_line(text, code, line):
    found = error(text)
    assert (found.code, found.mark.line) == (code, line)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "GPU 0: V100 (UUID: a)\n\t Link 0: 25.781 GB/s\nGPU 1: V100 (UUID: b)\n\t Link 0: 25.781 GB/s\n\t Link 1: 25.781 GB/s\n",
            "nvlink-uneven",
        ),
        (" \tGPU0\tGPU1\t\n GPU0\tX\tOK\t\n", "smi-missing-row"),
        (
            "<system version='1'><cpu numaid='0'><pci busid='0:1:0.0' class='0x030200' link_speed='2.5 GT/s PCIe' link_width='16'/></cpu></system>",
            "pcie-idle",
        ),
    ],
)
def test_odd_files_are_told(text, code):
    assert code in codes(text)


def log(*lines):
    return "\n".join(lines) + "\n"


INIT = "h:{pid}:{pid} [{device}] NCCL INFO comm 0x{comm} rank {rank} nranks {total} cudaDev {device} nvmlDev {device} busId {device}000 commId 0x{comm} - Init START"


def test_warnings_of_nccl_are_told_once():
    warning = "h:1:1 [0] a/b.cc:3 NCCL WARN link down"
    found = read(log(LIST, warning, warning, warning.replace("h:", "i:", 1)))
    assert [one.message for one in found.told] == ["h: link down (2 times)", "i: link down"]


def test_several_communicators_of_one_log():
    world = [INIT.format(pid=10 + rank, device=rank, comm="aa", rank=rank, total=4) for rank in range(4)]
    part = [INIT.format(pid=12 + rank, device=2 + rank, comm="bb", rank=rank, total=2) for rank in range(2)]
    text = log(
        *world,
        "h:10:10 [0] NCCL INFO Channel 00/01 : 0 1 2 3",
        *part,
        "h:12:12 [2] NCCL INFO Channel 00/01 : 0 1",
    )
    found = read(text)
    assert found.facts["counts"]["communicators"] == 2
    assert [route["ring"] for route in found.document["routes"]] == ["rank[0-3]", "rank[2,3]"]


def test_same_thread_starts_over():
    text = log("h:1:1 [0] NCCL INFO Channel 00/01 : 0 1 2", "h:1:1 [0] NCCL INFO Channel 00/01 : 0 2 1")
    assert read(text).facts["counts"]["communicators"] == 2


def test_devices_in_another_order_than_ranks():
    text = log(
        *[INIT.format(pid=10 + rank, device=3 - rank, comm="aa", rank=rank, total=4) for rank in range(4)],
        "h:10:10 [3] NCCL INFO Channel 00/01 : 0 1 2 3",
    )
    assert read(text).document["routes"][0]["ring"] == "gpu[3,2,1,0]"


def test_ring_that_visits_a_rank_twice():
    assert error(log("h:1:1 [0] NCCL INFO Channel 00/01 : 0 1 1")).code == "ring-not-a-permutation"


def test_twenty_ranks_of_unknown_many_are_suspect():
    ranks = " ".join(map(str, range(20)))
    assert error(log(f"h:1:1 [0] NCCL INFO Channel 00/01 : {ranks}")).code == "nccl-ring-truncated"


def test_graph_lines_that_do_not_close():
    text = log(INIT.format(pid=1, device=0, comm="aa", rank=0, total=4), "h:1:1 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1")
    found = error(text)
    assert found.code == "nccl-ring-truncated"
    assert "1 of 4" in found.message


# ---- loading


def test_files_are_recognised_by_content(tmp_path):
    (tmp_path / "topo.txt").write_bytes(MATRIX.encode("utf-16"))
    assert tv.load(tmp_path / "topo.txt").count("gpu") == 3


def test_name_of_the_topology_is_that_of_the_file(tmp_path):
    (tmp_path / "now.txt").write_text(MATRIX)
    assert tv.load(tmp_path / "now.txt").name == "now"


def test_what_was_inferred_is_told(tmp_path):
    (tmp_path / "topo.txt").write_text(MATRIX)
    assert any("NVSwitches are inferred" in one.message for one in tv.load(tmp_path / "topo.txt").diagnostics)


def test_documents_of_ours_are_never_imported(tmp_path):
    text = f"part: dgx-h100\nnote: |\n{''.join('  ' + line.strip().expandtabs() + chr(10) for line in MATRIX.splitlines())}"
    (tmp_path / "a.yaml").write_text(text)
    assert tv.load(tmp_path / "a.yaml").count("gpu") == 8


def test_included_files_are_recognised(tmp_path):
    (tmp_path / "topo.txt").write_text(MATRIX)
    (tmp_path / "a.yaml").write_text("include: [topo.txt]\npictures: [a.svg]\n")
    assert tv.load(tmp_path / "a.yaml").count("gpu") == 3


def test_huge_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "LARGEST", 100)
    (tmp_path / "topo.txt").write_text(MATRIX)
    with pytest.raises(SpecError) as caught:
        tv.load(tmp_path / "topo.txt")
    assert caught.value.diagnostics[0].code == "input-too-large"


def test_two_machines_are_refused(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(MATRIX)
    with pytest.raises(SpecError, match=r"a\.txt and b\.txt describe a machine each"):
        tv.load(tmp_path / "a.txt", tmp_path / "b.txt")


def joined(tmp_path, *lines):
    (tmp_path / "topo.txt").write_text(MATRIX)
    (tmp_path / "nccl.log").write_text(log(*lines))
    return tv.load(tmp_path / "topo.txt", tmp_path / "nccl.log")


LIST = "h:1:1 [0] NCCL INFO Channel 00/02 : 0 2 1"


def test_rings_of_a_log_on_the_machine(tmp_path):
    found = joined(tmp_path, LIST, LIST.replace("00/02", "01/02"))
    assert [(route.nodes, route.count) for route in found.routes] == [(("gpu0", "gpu2", "gpu1"), 2)]
    assert {hop.kind for hop in found.routes[0].hops} == {"nvlink"}


@pytest.mark.parametrize(("via", "over"), [("SHM/direct/direct", "memory of the host"), ("NET/IB/0/GDRDMA", "network")])
def test_hops_that_leave_nvlink_are_marked(tmp_path, via, over):
    found = joined(tmp_path, LIST, f"h:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[2] [send] via {via}")
    told = [one for one in found.diagnostics if one.code == "hop-off-nvlink"]
    assert [one.mark.line for one in told] == [2]
    assert over in told[0].message


@pytest.mark.parametrize(("via", "key"), [("SHM/direct/direct", "through_host"), ("NET/IB/0", "through_network")])
def test_a_hop_that_left_nvlink_is_a_hop_of_the_route(via, key):
    hop = f"h:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[2] [send] via {via}"
    routes = importers.read(Source("a.log", log(LIST, LIST.replace("00/02", "01/02"), hop)), "nccl-log").document[
        "routes"
    ]
    assert [route.get(key) for route in routes] == [[1], None]  # the other channel is a route of its own
    assert "count" not in routes[0]


@pytest.mark.parametrize("machine", ["dgx-h100", "dgx-1v", "l40s-server", "mi300x"])
def test_a_ring_through_host_memory_lies_on_any_machine(tmp_path, machine):
    order = [0, 3, 2, 1, 5, 6, 7, 4]
    ring = "h:1:1 [0] NCCL INFO Channel 00/01 : " + " ".join(map(str, order))
    pairs = zip(order, [*order[1:], 0], strict=True)
    hops = [f"h:1:1 [{a}] NCCL INFO Channel 00/0 : {a}[{a}] -> {b}[{b}] via SHM/direct/direct" for a, b in pairs]
    (tmp_path / "nccl.log").write_text(log(ring, *hops))
    found = tv.load(machine, tmp_path / "nccl.log")
    fast = {"l40s-server": "", "mi300x": "xgmi"}.get(machine, "nvlink")
    assert {(hop.kind, hop.past) for hop in found.routes[0].hops} == {("pcie", fast)}


def test_a_network_between_hosts_is_no_way_round():
    comm = "{h}:1:1 [0] NCCL INFO comm 0x5 rank {r} nRanks 2 nNodes 2 localRanks 1 localRank 0 MNNVL 0"
    lines = [comm.format(h="a", r=0), comm.format(h="b", r=1), "a:1:1 [0] NCCL INFO Channel 00/01 : 0 1"]
    hops = [f"{h}:1:1 [0] NCCL INFO Channel 00/0 : {x}[0] -> {y}[0] [send] via NET/IB/0" for h, x, y in ("a01", "b10")]
    assert importers.read(Source("a.log", log(*lines, *hops)), "nccl-log").document["routes"] == [
        {"name": "channel 0", "ring": "rank[0,1]"}
    ]


def of_hosts(order, hosts, over="NET/IB/0", bus=""):
    """Return a log of a ring over hosts with equally many ranks."""
    each = len(order) // hosts
    comm = "h{h}:1:1 [{d}] NCCL INFO comm 0x5 rank {r} nranks {n} cudaDev {d} busId {b}"
    said = [
        comm.format(h=r // each, d=r % each, r=r, n=len(order), b=f"{r}000" if bus else f"{r % each}000")
        for r in range(len(order))
    ]
    said.append("h0:1:1 [0] NCCL INFO Channel 00/01 : " + " ".join(map(str, order)))
    for a, b in zip(order, [*order[1:], order[0]], strict=True):
        via = "P2P/IPC" if a // each == b // each else over
        said.append(
            f"h{a // each}:1:1 [{a % each}] NCCL INFO Channel 00/0 : {a}[{a % each}] -> {b}[{b % each}] via {via}"
        )
    return log(*said)


RAILS = "wires: [{from: node/nic, to: leaf, kind: infiniband, rule: rail}]\n"


def test_a_log_of_two_hosts_is_refused_by_one_server(tmp_path):
    (tmp_path / "nccl.log").write_text(of_hosts(range(8), 2))
    with pytest.raises(SpecError, match="8 ranks on 2 hosts, but the machine is one server") as refused:
        tv.load("dgx-h100", tmp_path / "nccl.log")
    assert "{part: dgx-h100, count: 2}" in str(refused.value)


def test_hosts_may_be_containers_of_one_server(tmp_path):
    (tmp_path / "nccl.log").write_text(of_hosts(range(8), 2, bus="apart"))
    found = tv.load("dgx-h100", tmp_path / "nccl.log")
    assert [hop.past for hop in found.routes[0].hops] == ["", "", "", "nvlink"] * 2


def test_ranks_of_several_hosts_lie_on_as_many_servers(tmp_path):
    (tmp_path / "two.yaml").write_text(f"contains: {{node: 2 x dgx-h100, leaf: 8 x qm9700}}\n{RAILS}")
    (tmp_path / "nccl.log").write_text(of_hosts(range(4), 2))
    found = tv.load(tmp_path / "two.yaml", tmp_path / "nccl.log")
    assert found.routes[0].nodes == ("node0/gpu0", "node0/gpu1", "node1/gpu0", "node1/gpu1")
    assert [hop.kind for hop in found.routes[0].hops] == ["nvlink", "infiniband"] * 2
    assert not [one for one in found.diagnostics if one.severity == "warning"]


def test_trays_that_talk_over_the_network_past_a_rack_of_nvlink(tmp_path):
    (tmp_path / "nccl.log").write_text(of_hosts(range(8), 2))
    found = tv.load("gb200-nvl72", tmp_path / "nccl.log")
    assert [hop.past for hop in found.routes[0].hops] == ["", "", "", "nvlink"] * 2


def test_hops_over_nvlink_are_not_marked(tmp_path):
    found = joined(tmp_path, LIST, "h:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[2] via P2P/CUMEM")
    assert not [one for one in found.diagnostics if one.severity == "warning"]


def test_a_log_of_more_ranks_than_gpus(tmp_path):
    with pytest.raises(SpecError, match="the log has 5 ranks, but the machine has 3 GPUs"):
        joined(tmp_path, "h:1:1 [0] NCCL INFO Channel 00/02 : 0 2 1 3 4")


def test_system_section_gives_way_to_a_machine(tmp_path):
    section = ["h:1:1 [0] NCCL INFO === System : maxBw 24.0 totalBw 24.0 ===", "h:1:1 [0] NCCL INFO CPU/0-0 (1/1/2)"]
    found = joined(
        tmp_path, LIST, *section, "h:1:1 [0] NCCL INFO + PCI[24.0] - GPU/0-1000 (0)", "h:1:1 [0] NCCL INFO ===="
    )
    assert (found.count("gpu"), len(found.routes)) == (3, 1)


# ---- documents to keep


def test_imported_document_loads_to_the_same_graph(tmp_path):
    (tmp_path / "topo.txt").write_text(MATRIX)
    text, _ = loading.import_files([tmp_path / "topo.txt"])
    (tmp_path / "topo.yaml").write_text(text)
    kept, found = tv.load(tmp_path / "topo.yaml"), tv.load(tmp_path / "topo.txt")
    assert dict(kept.graph.edges) == dict(found.graph.edges)


def test_comments_say_what_was_inferred():
    text, _ = loading.import_files([Source("topo.txt", MATRIX)])
    assert text.startswith("# From topo.txt\n#   note: NVSwitches are inferred")


def test_machine_and_log_become_one_document():
    sources = [Source("topo.txt", MATRIX), Source("nccl.log", log(LIST))]
    assert [*parse(Source("a.yaml", loading.import_files(sources)[0])).plain()][-2:] == ["wires", "routes"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("part: dgx-h100\n", "is a document already"), ("hello\n", "no importer knows this text")],
)
def test_what_cannot_be_imported(text, said):
    with pytest.raises(TopovizError, match=said):
        loading.import_files([Source("a.txt", text)])


@pytest.mark.parametrize("word", ["on", "1e3", "0x10", "a: b", "", "gpu[0-3]", "{x}", "#", "叶", "null"])
def test_written_text_reads_back(word):
    data = {"note": {"en": word}, "wires": [{"from": word, "links": [1, 2]}]}
    assert parse(Source("a.yaml", written(data))).plain() == data


WIRES = [
    ([("a0", "b0"), ("a1", "b1")], [{"from": "a", "to": "b", "kind": "pcie", "rule": "pairwise"}]),
    ([("a0", "b1"), ("a1", "b0")], [{"from": "a", "to": "b[1,0]", "kind": "pcie", "rule": "pairwise"}]),
    ([("a0", "b0"), ("a1", "b0")], [{"from": "a", "to": "b0", "kind": "pcie"}]),
    ([("a0", "b0"), ("a0", "b1"), ("a1", "b0"), ("a1", "b1")], [{"from": "a", "to": "b", "kind": "pcie"}]),
    ([("a0", "a1")], [{"from": "a", "kind": "pcie", "rule": "mesh"}]),
]


@pytest.mark.parametrize(("links", "wires"), WIRES)
def test_links_are_written_as_few_wires(links, wires):
    draft = Draft()
    for name in ("a0", "a1", "b0", "b1"):
        draft.add(name[0], name, {"kind": "box"})
    for source, target in links:
        draft.join(source, target, "pcie")
    assert draft.body()["wires"] == wires


@pytest.mark.parametrize(
    ("file", "said"),
    [("peers/netbox-cables.csv", "NetBox is not supported"), ("peers/small.diag", "nwdiag is not supported")],
)
def test_what_is_known_and_not_read_says_so(file, said):
    with pytest.raises(SpecError, match=said):
        tv.load(Path(__file__).parent / "data" / "inputs" / file)


def test_a_log_without_a_machine_says_that_one_is_missing(tmp_path):
    (tmp_path / "nccl.log").write_text(log(LIST))
    with pytest.raises(SpecError) as refused:
        tv.render(tv.load(tmp_path / "nccl.log")).svg()
    said = str(refused.value)
    assert "nccl.log says which rings there are, and not on what machine" in said
    assert "topoviz render dgx-h100" in said
    assert ".yaml" not in said
