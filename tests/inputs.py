"""What a topology says in the words of the tools: written for tests, by another way than the importers go."""

import re
from functools import cache
from pathlib import Path

import networkx as nx
import yaml

import topoviz as tv
from topoviz import importers
from topoviz.errors import SpecError
from topoviz.loading import _file

INPUTS = Path(__file__).parent / "data" / "inputs"
EVERY = sorted(f.with_name(f.name.removesuffix(".expect.yaml")) for f in INPUTS.glob("*/*.expect.yaml"))
NO_IMPORTER = {"yaml", "nwdiag", "netbox-cables-csv"}  # read as documents, or answered with "not supported"
KINDS = {"gpus": "gpu", "nics": "nic", "cpus": "cpu", "nvswitches": "nvswitch", "pcie_switches": "pcie"}


@cache
def sidecar(path):
    return yaml.safe_load(path.with_name(path.name + ".expect.yaml").read_text(encoding="utf-8"))


FILES = [path for path in EVERY if sidecar(path)["kind"] not in NO_IMPORTER]


@cache
def outcome(path):
    """What an importer answers: the import, or the error that refuses the file."""
    try:
        source, _ = _file(path)
        return importers.read(source, importers.recognised(source.text))
    except SpecError as wrong:
        return wrong


@cache
def topology(path):
    return tv.load(dict(outcome(path).document))


def called(path, name):
    """The id of a thing by what the file calls it."""
    return {"nvlink-fabric": "nvs"}.get(name) or outcome(path).names.get(name, name)


def edge(path, a, b, *kinds):
    """The edge of one of these kinds between two things, None if there is none."""
    ends = called(path, a), called(path, b)
    graph = topology(path).graph
    found = [graph.edges[(ends[0], ends[1], kind)] for kind in kinds if graph.has_edge(*ends, kind)]
    return found[0] if found else None


def code(path, a, b):
    """What nvidia-smi or rocm-smi would print for two devices of the document."""
    graph, ends = topology(path).graph, (called(path, a), called(path, b))
    links, _ = nvlinks(graph, *ends)
    if links:
        return f"NV{links}"
    xgmi = nx.Graph((x, y) for x, y, kind in graph.edges(keys=True) if kind == "xgmi")
    if all(end in xgmi for end in ends) and nx.has_path(xgmi, *ends):
        return "XGMI"
    return "PCIE" if sidecar(path)["kind"] == "rocm-smi-showtopo" else distance(path, *ends)


def nvlinks(graph, a, b):
    """How many NVLinks two GPUs have to each other or into the same switch, and their GB/s."""
    if graph.has_edge(a, b, "nvlink"):
        found = graph.edges[a, b, "nvlink"]
        return found["links"], found["bandwidth"]
    shared = [n for n in graph.neighbors(a) if graph.nodes[n]["kind"] == "nvswitch" and graph.has_edge(b, n, "nvlink")]
    both = [[graph.edges[end, n, "nvlink"]["links"] for n in shared] for end in (a, b)]
    return min(map(sum, both)), None


@cache
def depths(path):
    """How far each thing is from the nearest CPU, over PCIe alone."""
    graph = topology(path).graph
    host = nx.Graph((x, y) for x, y, kind in graph.edges(keys=True) if kind in {"pcie", "c2c"})
    cpus = [node for node in host if graph.nodes[node]["kind"] == "cpu"]
    return host, nx.multi_source_dijkstra_path_length(host, cpus)


def chain(path, end):
    """A device and all above it, up to its CPU."""
    host, depth = depths(path)
    found = [end]
    while depth[found[-1]]:
        found.append(min(host.neighbors(found[-1]), key=depth.__getitem__))
    return found


def distance(path, a, b):
    first, second = chain(path, a), chain(path, b)
    facts = topology(path).root.assembly.facts
    if first[-1] != second[-1]:
        return "SYS"
    meet = next(one for one in first if one in second)
    if meet != first[-1]:
        direct = first[1] == second[1] == meet and meet not in facts.get("several_bridges", ())
        return "PIX" if direct else "PXB"
    return "PHB" if same_bridge(facts, first[-2], second[-2]) else "NODE"


def same_bridge(facts, a, b):
    groups = [written_out(group) for group in facts.get("same_host_bridge", ())]
    return any(a in group and b in group for group in groups)


def written_out(group):
    if not isinstance(group, str):
        return set(group)
    match = re.fullmatch(r"(.*)\[(.*)\]", group)
    if match is None:
        return {group}
    ends = (part.partition("-") for part in match[2].split(","))
    return {f"{match[1]}{number}" for first, _, last in ends for number in range(int(first), int(last or first) + 1)}


def totals(path, group):
    """How often each code occurs between devices of two kinds, each pair once."""
    graph, words = topology(path).graph, {"gpu": [], "nic": []}
    for name, thing in outcome(path).names.items():
        kind = graph.nodes[thing]["kind"]
        if kind in words and thing not in {called(path, one) for one in words[kind]}:
            words[kind].append(name)
    first, second = group.split("_")
    pairs = {frozenset((a, b)) for a in words[first] for b in words[second] if a != b}
    found = [code(path, *sorted(pair)) for pair in pairs]
    return {one: found.count(one) for one in sorted(set(found))}


def routes(path):
    """The routes of a log or a graph file on a machine that has a way between any two GPUs."""
    ranks = outcome(path).facts["counts"].get("ranks") or 16
    machine = {"contains": {"gpu": {"kind": "gpu", "count": ranks}, "hub": {"kind": "box"}}}
    machine["wires"] = [{"from": "gpu", "to": "hub", "kind": "pcie"}]
    found = tv.load(machine, {"routes": outcome(path).document.get("routes", [])}).routes
    return {route.name: route for route in found}
