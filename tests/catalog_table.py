"""The page of the catalog, one table for each kind: ``python tests/catalog_table.py`` writes it again."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import topoviz  # noqa: E402
from topoviz import resources  # noqa: E402
from topoviz.model.figures import figures  # noqa: E402
from topoviz.model.in_brief import holds  # noqa: E402
from topoviz.model.spec import Body, Text  # noqa: E402
from topoviz.model.topology import Topology  # noqa: E402
from topoviz.model.units import rate_text  # noqa: E402

MADE = "This page is written from the code by `python tests/reference.py`."
ORDER = ("gpu", "cpu", "nic", "dpu", "nvswitch", "switch", "pcie", "tray", "node", "rack", "su", "cluster")


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def titles(given: Text) -> tuple[str, str]:
    """The title in English and in Chinese; a name is the same in both."""
    return (given, given) if isinstance(given, str) else (given.get("en", ""), given.get("zh", ""))


def marks(name: str, body: Body) -> str:
    """What is preliminary or unverified: all of it if its source says so, in part if any line of its file does."""
    path = resources.find("catalog", name)
    text = path.read_text(encoding="utf-8") if path is not None else ""
    found = ["preliminary"] if body.preliminary else []
    if body.source.startswith("unverified"):
        found += ["unverified"]
    elif "unverified" in text:
        found += ["unverified in part"]
    return ", ".join(found)


def numbers(topology: Topology) -> str:
    """What is computed: GPUs, links of each, bandwidth of each and of both halves, all per direction."""
    found = figures(topology)
    number = found.counts.get("gpu", 0)
    parts = [f"{number:,} GPU{'s' * (number > 1)}"] if number else []
    parts += [f"{link.kind} {rate_text(link.bandwidth)} a GPU" for link in found.gpu if link.bandwidth]
    parts += [f"bisection {rate_text(found.bisection.bandwidth)}"] if found.bisection is not None else []
    memory = topology.root.assembly.memory
    parts += [f"memory {rate_text(memory.bandwidth)}"] if memory is not None and memory.bandwidth else []
    return ", ".join(parts)


def row(name: str, body: Body, topology: Topology) -> str:
    title, chinese = titles(topology.root.assembly.title)
    cells = (f"`{name}`", title, chinese, holds(body), numbers(topology), body.source, marks(name, body))
    return "| " + " | ".join(cell(text) for text in cells) + " |"


def catalog() -> str:
    """Return the page of all parts, by kind."""
    parts = resources.Catalog()
    bodies = {name: body for name in parts.names() if (body := parts.get(name)) is not None}
    built = {name: topoviz.load(name) for name in bodies}
    kinds = {name: topology.root.kind for name, topology in built.items()}
    lines = [
        "# The catalog",
        "",
        MADE,
        f"{len(bodies)} parts. `topoviz show NAME` prints one with all its numbers; `topoviz render NAME` draws it.",
        "Bandwidths are of one direction; a bisection is between the first half of the GPUs (of the nodes) and the other.",
        "The last column marks numbers that may still change (preliminary) and numbers not yet checked against a source (unverified);",
        "the file of the part says which.",
        "To add one, see [CONTRIBUTING.md](../CONTRIBUTING.md#recipes).",
        "",
    ]
    for kind in dict.fromkeys((*ORDER, *kinds.values())):
        lines += [
            f"## {kind}",
            "",
            "| name | title | 中文 | ports, or what it holds | computed, per direction | source | mark |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [row(name, body, built[name]) for name, body in bodies.items() if kinds[name] == kind]
        lines += [""]
    return "\n".join(lines)


if __name__ == "__main__":
    (ROOT / "docs" / "catalog.md").write_bytes(catalog().encode())
