"""NCCL and RCCL topology XML (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE): PCIe trees, NVLinks, xGMI, network cards."""

from __future__ import annotations

import re

from topoviz.importers.evidence import hosts
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.nccl_tree import NcclTree
from topoviz.importers.evidence.text import Told, wrong
from topoviz.importers.evidence.xml import parse, root_of
from topoviz.marks import Source

VERSIONS = ("1", "2")  # NCCL, RCCL


def recognises(text: str) -> float:
    """Return how surely a text is a topology of NCCL; a saved web page is told by this reader, too."""
    root = root_of(text)
    if root == "system":
        return 0.9
    return 0.4 if re.match(r"(?is)\s*(?:<!doctype\s+html|<html)\b", text) else 0.0


def read(source: Source) -> Imported:
    """Return the machine of a topology file. Raises SpecError."""
    told = Told(source)
    system, stray = parse(source)
    if system.name != "system":
        said = f"the root is <{system.name}>, not <system>"
        raise wrong(source, system.line, said, hint="this is no topology of NCCL", code="xml-not-a-topology")
    cpus = system.all("cpu")
    if not cpus:
        said = "<system> holds no <cpu>: it looks like NCCL's root element, but is no topology of NCCL"
        raise wrong(source, system.line, said, hint="NCCL_TOPO_DUMP_FILE writes one", code="nccl-not-a-topology")
    version = system.get("version")
    if version not in VERSIONS:
        said = f"version {version or 'none'}; known are 1 (NCCL) and 2 (RCCL)"
        told.warn("nccl-unknown-version", said, system.line, word=f'version="{version}"')
    if stray:
        lines = ", ".join(map(str, dict.fromkeys(stray)))
        told.warn("xml-stray-text", f"text between elements ignored (lines {lines})", stray[0])
    groups: dict[str, list[int]] = {}
    for at, cpu in enumerate(cpus):
        groups.setdefault(cpu.get("host_hash"), []).append(at)
    machines = []
    for number, (hashed, members) in enumerate(groups.items()):
        tree = NcclTree(told, [cpus[at] for at in members])
        machines.append(tree.machine(f"host{number}" if len(groups) > 1 else ""))
        if hashed and len(groups) > 1:
            told.infer(f"host{number} is the host of host_hash {hashed}")
    return hosts.imported(told, machines)
