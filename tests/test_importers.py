"""Every input gives exactly the facts of its sidecar, or exactly the error that it calls for."""

import pytest
from inputs import FILES, KINDS, code, edge, nvlinks, outcome, routes, sidecar, topology, totals
from inputs import called as called_in

from topoviz import importers
from topoviz.errors import SpecError
from topoviz.importers import Imported
from topoviz.loading import _file

FORMS = {  # kind of the sidecar -> importer
    "nvidia-smi-topo-m": "nvidia_smi_topo",
    "xpu-smi-topology-m": "nvidia_smi_topo",
    "nvidia-smi-topo-p2p": "nvidia_smi_p2p",
    "nvidia-smi-nvlink-s": "nvidia_smi_nvlink",
    "nvidia-smi-nvlink-R": "nvidia_smi_nvlink",
    "rocm-smi-showtopo": "rocm_smi_topo",
    "amd-smi-topology": "amd_smi_topology",
    "nccl-topo-xml": "nccl_topo",
    "rccl-topo-xml": "nccl_topo",
    "nccl-graph-xml": "nccl_graph",
    "nccl-log": "nccl_log",
    "hwloc-xml": "hwloc",
    "ibnetdiscover": "ibnetdiscover",
    "ibnetdiscover-p": "ibnetdiscover",
    "slurm-topology-conf": "slurm_topology",
    "slurm-topology-yaml": "slurm_yaml",
    "topograph-model": "topograph",
    "astra-analytical-yaml": "astra_sim",
    "ns3-topology": "ns3",
    "htsim-topo": "htsim",
    "msccl-xml": "msccl",
    "containerlab-yaml": "containerlab",
}
RIGHT = [path for path in FILES if sidecar(path)["verdict"] != "error"]
WRONG = [path for path in FILES if sidecar(path)["verdict"] == "error"]


def name(value):
    return f"{value.parent.name}/{value.name}" if hasattr(value, "parent") else None


def cases(key):
    """Each entry of a list or mapping of the sidecars with its file."""
    found = [(path, sidecar(path).get(key)) for path in RIGHT]
    lists = [(path, one) for path, given in found if isinstance(given, list) for one in given]
    return lists + [(path, one) for path, given in found if isinstance(given, dict) for one in given.items()]


def told(path, severity):
    return [one.code for one in outcome(path).told if one.severity == severity]


@pytest.mark.parametrize("path", [path for path in FILES if path.stat().st_size], ids=name)
def test_is_recognised_by_content(path):
    source, _ = _file(path)
    assert importers.recognised(source.text) == FORMS[sidecar(path)["kind"]]


@pytest.mark.parametrize("path", RIGHT, ids=name)
def test_is_read(path):
    assert isinstance(outcome(path), Imported)


@pytest.mark.parametrize("path", RIGHT, ids=name)
def test_warns_of_what_it_should_and_of_nothing_else(path):
    assert told(path, "warning") == [one["code"] for one in sidecar(path).get("warnings", [])]


@pytest.mark.parametrize("path", WRONG, ids=name)
def test_is_refused_with_code_and_line(path):
    found = outcome(path)
    assert isinstance(found, SpecError)
    first, expected = found.diagnostics[0], sidecar(path)["error"]
    assert (first.code, first.mark.line if first.mark else None) == (expected["code"], expected["line"])


@pytest.mark.parametrize(
    ("path", "word"), [(path, word) for path in WRONG for word in sidecar(path)["error"]["must_mention"]]
)
def test_error_mentions(path, word):
    assert word in outcome(path).diagnostics[0].message


@pytest.mark.parametrize("path", WRONG, ids=name)
def test_error_has_a_hint(path):
    assert outcome(path).diagnostics[0].hint


def counted(path, key):
    counts, numa = outcome(path).facts["counts"], outcome(path).facts.get("numa", {})
    if key in counts:
        return counts[key]
    return len(set(numa.values())) if key.startswith("numa_nodes") else topology(path).count(KINDS[key])


@pytest.mark.parametrize(("path", "expected"), cases("counts"), ids=name)
def test_counts(path, expected):
    assert counted(path, expected[0]) == expected[1]


@pytest.mark.parametrize(("path", "expected"), cases("pair_totals"), ids=name)
def test_pairs_of_the_document_read_as_in_the_matrix(path, expected):
    assert totals(path, expected[0]) == expected[1]


def nvlink(path, link):
    edges = edge(path, link["a"], link["b"], "nvlink")
    if link["type"].startswith("NV") and link["type"][2:].isdecimal():
        found = nvlinks(topology(path).graph, called_in(path, link["a"]), called_in(path, link["b"]))
        return {"type": code(path, link["a"], link["b"]), "nvlinks": found[0], "gb_per_s_per_direction": found[1]}
    return {
        "type": "NVLink",
        "nvlinks": edges["links"],
        "gb_per_s_per_direction": edges["bandwidth"],
        "mb_per_s": edges["bandwidth"] and edges["bandwidth"] * 1000,
    }


def xgmi(path, link):
    facts, pair = outcome(path).facts, (link["a"], link["b"])
    found = edge(path, *pair, "xgmi")
    weight = facts.get("weights", {}).get(pair)
    return {
        "type": code(path, *pair),
        "weight": int(weight) if weight else None,
        "direct": found is not None,
        "links": found and found["links"],
    }


def status(path, link):
    return {"type": "p2p", "status": outcome(path).facts["pairs"][link["a"], link["b"]]}


def active(path, link):
    return {"type": "active", "nvlinks": outcome(path).facts["active"][link["a"]]}


SPEEDS = {"PCIe 3.0 x16": (8, 16), "PCIe 5.0 x16": (32, 16)}


def pcie(path, link):
    speed, width = SPEEDS[edge(path, link["a"], link["b"], "pcie")["link"]]
    return {"type": "PCIe", "gt_per_s": speed, "width": width}


def host_pcie(path, link):
    weight = outcome(path).facts["weights"][link["a"], link["b"]]
    return {"type": outcome(path).facts["pairs"][link["a"], link["b"]], "weight": int(weight)}


def seen_by_nccl(path, link):
    said = next(one for one in outcome(path).facts["links"] if (one["a"], one["b"]) == (link["a"], link["b"]))
    found = edge(path, link["a"], link["b"], "pcie", "nvlink", "smp")
    return said if link["type"] == "NET" else {"type": said["type"], "gb_per_s": found["bandwidth"]}


def cable(path, link):
    found = edge(path, link["a"], link["b"], "infiniband", "network", "ethernet")
    facts, many = outcome(path).facts, found["links"]
    each = found["bandwidth"] and found["bandwidth"] * 8 / many
    said = {"type": found["link"] or "link", "cables": many, "links": many, "gbit_per_s_each": each}
    return said | {"latency_ns": facts.get("delays", {}).get((link["a"], link["b"]))}


def near(path, link):
    return {"type": code(path, link["a"], link["b"])}


READERS = {"XGMI": xgmi, "p2p": status, "active": active, "PCIe": pcie, "PCIE": host_pcie}
READERS |= dict.fromkeys(("EDR", "HDR", "NDR", "link"), cable)
READERS |= dict.fromkeys(("PCI", "NET", "NVL", "SYS "), seen_by_nccl) | {"NVLink": nvlink}


def reader(link):
    if "gb_per_s" in link:
        return seen_by_nccl
    return READERS.get(link["type"]) or (nvlink if link["type"].startswith("NV") else near)


@pytest.mark.parametrize(("path", "link"), cases("links"), ids=name)
def test_links(path, link):
    expected = {key: value for key, value in link.items() if key not in {"a", "b", "printed_as"}}
    assert expected.items() <= reader(link)(path, link).items()


@pytest.mark.parametrize(("path", "expected"), cases("names"), ids=name)
def test_names(path, expected):
    if isinstance(expected, str):  # the same name outside and inside
        assert expected in topology(path).graph
        return
    said, facts = expected[0], outcome(path).facts
    where = (outcome(path).names, facts.get("models", {}), facts.get("addresses", {}), facts.get("devices", {}))
    assert expected[1] in [known.get(said) for known in where]


@pytest.mark.parametrize(("path", "expected"), cases("numa"), ids=name)
def test_numa_nodes_hold_their_gpus(path, expected):
    cpu = f"cpu{expected[0]}"
    graph, gpus = topology(path).graph, [called_in(path, gpu) for gpu in expected[1]]
    host = graph.edge_subgraph([e for e in graph.edges(keys=True) if e[2] in {"pcie", "c2c"}])
    assert all(any(cpu in {end, *host.neighbors(end)} for end in [gpu, *host.neighbors(gpu)]) for gpu in gpus)


def members(path, group):
    if group["kind"] in {"block", "switch", "nvlink-domain"}:
        return outcome(path).facts["groups"][group["name"]]
    if group["kind"] == "pcie-switch":
        around = set(topology(path).graph.neighbors(called_in(path, group["name"])))
        return [one for one in group["members"] if called_in(path, one) in around]
    hosts = outcome(path).facts["hosts"]
    if isinstance(hosts, dict):
        return hosts[group["name"]]
    inside = outcome(path).names
    return [said.partition("/")[2] for said in inside if said.startswith(f"{group['name']}/")]


@pytest.mark.parametrize(("path", "group"), cases("groups"), ids=name)
def test_groups(path, group):
    found = members(path, group)
    assert len(found) == group.get("members_count", len(found))
    assert found == group.get("members", found)


RINGS = [path for path in RIGHT if "rings" in sidecar(path) and "links" not in sidecar(path)]


@pytest.mark.parametrize("path", RINGS, ids=name)
def test_rings_become_routes(path):
    expected = [[one for one in ring if isinstance(one, int)] for ring in sidecar(path)["rings"]]
    found = [route for route in routes(path).values() if route.shape in {"ring", "path"}]
    assert [[int(node.removeprefix("gpu")) for node in route.nodes] for route in found] == expected


@pytest.mark.parametrize("path", RINGS, ids=name)
def test_open_paths_are_no_rings(path):
    closed = [ring for ring in sidecar(path)["rings"] if all(isinstance(one, int) for one in ring)]
    assert sum(route.shape == "ring" for route in routes(path).values()) == len(closed)


@pytest.mark.parametrize("path", [path for path in RIGHT if "trees" in sidecar(path)], ids=name)
def test_trees(path):
    keys = ("tree", "root", "edges")
    assert [{key: tree[key] for key in keys} for tree in outcome(path).facts["trees"]] == sidecar(path)["trees"]


@pytest.mark.parametrize(("path", "hop"), cases("connections"), ids=name)
def test_connections(path, hop):
    found = next(
        one
        for one in outcome(path).carried
        if (one.source, one.target, one.channel) == (hop["from"], hop["to"], hop["channel"])
    )
    assert (found.via.removesuffix("/read"), found.proxy) == (hop["via"], hop.get("proxy_rank"))


@pytest.mark.parametrize(("path", "graph"), cases("graphs"), ids=name)
def test_graphs(path, graph):
    found = next(one for one in outcome(path).facts["graphs"] if one["id"] == graph["id"])
    assert graph.items() <= found.items()
