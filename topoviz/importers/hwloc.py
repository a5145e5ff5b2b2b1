"""hwloc XML (lstopo --of xml): packages, PCI devices with their cards, and the matrix of NVLink bandwidths."""

from __future__ import annotations

from topoviz.importers.evidence import hosts
from topoviz.importers.evidence.hwloc_tree import HwlocTree
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, wrong
from topoviz.importers.evidence.xml import parse, root_of
from topoviz.marks import Source


def recognises(text: str) -> float:
    """Return how surely a text is an export of hwloc."""
    return 0.9 if root_of(text) == "topology" and "<object" in text else 0.0


def read(source: Source) -> Imported:
    """Return the machine of an export. Raises SpecError."""
    told = Told(source)
    topology, _ = parse(source)
    machine = next((one for one in topology.all("object") if one.get("type") in {"Machine", "System"}), None)
    if topology.name != "topology" or machine is None:
        said = "there is no object of the type Machine here"
        raise wrong(source, topology.line, said, hint='export with "lstopo --of xml"', code="hwloc-no-machine")
    return hosts.imported(told, [HwlocTree(told, topology, machine).machine()])
