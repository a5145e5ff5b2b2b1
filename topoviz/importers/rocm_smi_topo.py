"""rocm-smi --showtopo: weights, hops and kinds of the links between AMD GPUs, and their NUMA nodes."""

from __future__ import annotations

import re

from topoviz.importers.evidence import amd
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

SECTION = re.compile(r"=+ *(?P<name>Weight|Hops|Link Type|Access|Numa Nodes)\b.*?=*")
NUMA = re.compile(r"GPU\[(\d+)\]\s*: \(Topology\) Numa Node: (-?\d+)")


def recognises(text: str) -> float:
    """Return how surely a text is what rocm-smi prints of a topology."""
    return 0.95 if re.search(r"(?:Weight|Hops|Link Type) between two GPUs", clean(text)) else 0.0


def read(source: Source) -> Imported:
    """Return the machine: direct links are those of weight 15, for hops are 1 for any xGMI path. Raises SpecError."""
    told = Told(source)
    tables: dict[str, amd.Table] = {}
    numa: dict[str, str] = {}
    current = ""
    for at, line in enumerate(clean(source.text).split("\n"), 1):
        section = SECTION.fullmatch(line.strip())
        node = NUMA.search(line)
        if section:
            current = section["name"]
        elif node:
            numa[f"GPU{node[1]}"] = node[2] if int(node[2]) >= 0 else ""
        elif current in {"Weight", "Hops", "Link Type"} and line.strip():
            tables.setdefault(current, amd.Table(current)).take(source, at, line)
    if "Link Type" not in tables:
        hint = 'run "rocm-smi --showtopo"; the section "Link Type between two GPUs" says what joins them'
        raise wrong(source, 1, "there is no section about link types", hint=hint, code="rocm-no-types")
    for table in tables.values():
        table.check(source)
    return amd.imported(told, tables, numa)
