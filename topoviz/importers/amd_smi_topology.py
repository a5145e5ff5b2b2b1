"""amd-smi topology: access, weights, hops, kinds and bandwidths of the links between AMD GPUs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from topoviz.importers.evidence import amd
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

TITLE = re.compile(r"(?P<name>[A-Z][A-Z -]*?) TABLE:")
READ: Mapping[str, str] = MappingProxyType({"WEIGHT": "Weight", "HOPS": "Hops", "LINK TYPE": "Link Type"})


def recognises(text: str) -> float:
    """Return how surely a text is what amd-smi prints of a topology."""
    return 0.95 if re.search(r"^(?:ACCESS|WEIGHT|LINK TYPE) TABLE:", clean(text), re.MULTILINE) else 0.0


def read(source: Source) -> Imported:
    """Return the machine; ``0-0`` for a bandwidth and weights of 0 mean unknown. Raises SpecError."""
    told = Told(source)
    tables: dict[str, amd.Table] = {}
    current = ""
    for at, line in enumerate(clean(source.text).split("\n"), 1):
        title = TITLE.fullmatch(line.strip())
        if title:
            current = READ.get(title["name"], "")
        elif current and line.strip():
            tables.setdefault(current, amd.Table(current)).take(source, at, line)
    if "Link Type" not in tables:
        raise wrong(source, 1, "there is no LINK TYPE TABLE", hint='run "amd-smi topology"', code="amd-no-types")
    for table in tables.values():
        table.check(source)
    return amd.imported(told, tables, {})
