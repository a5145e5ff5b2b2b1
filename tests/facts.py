"""The yaml blocks of COLLECTIVES.md and NCCL's own search results, copied into ``data/facts``."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FACTS = Path(__file__).parent / "data" / "facts"


@cache
def _blocks() -> dict[str, Any]:
    text = (FACTS / "COLLECTIVES.md").read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    for block in re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL):
        found.update(yaml.safe_load(block))
    return found


def fact(name: str) -> Any:
    """Return what stands under a name at the top of one of the yaml blocks."""
    return _blocks()[name]


@cache
def nccl_graphs() -> tuple[dict[str, Any], ...]:
    """Return NCCL's search results, one for each machine, number of nodes and graph; the rows about systems left out."""
    lines = (FACTS / "nccl_graphs.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(row for row in map(json.loads, lines) if "graph" in row)


@cache
def astrasim() -> tuple[dict[str, str], ...]:
    """Return the rows of the simulator."""
    with (FACTS / "astrasim.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))
