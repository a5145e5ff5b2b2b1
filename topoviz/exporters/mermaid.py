"""Mermaid, for Markdown pages: a flowchart with containers as subgraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from topoviz.model.topology import Thing, Topology

SUFFIX = ".mmd"


def write(topology: Topology) -> str:
    """Return the graph as a Mermaid flowchart.

    >>> from topoviz.loading import load
    >>> print(write(load({"contains": {"gpu": "2 x h100-sxm"}, "wires": [{"from": "gpu", "kind": "nvlink", "rule": "ring"}]})))
    flowchart TB
        n0["gpu0"]
        n1["gpu1"]
        n0 ---|"1 × NVLink 4"| n1
    <BLANKLINE>
    """
    numbers = {thing.id: f"n{i}" for i, thing in enumerate(topology.root.walk())}
    lines = ["flowchart TB"]
    for thing in topology.root.children:
        lines.extend(_thing(thing, numbers, 1))
    for source, target, data in topology.graph.edges(data=True):
        label = f"{data['links']} × {data['link'] or data['kind']}"
        lines.append(f'    {numbers[source]} ---|"{_safe(label)}"| {numbers[target]}')
    return "\n".join(lines) + "\n"


def _thing(thing: Thing, numbers: Mapping[str, str], depth: int) -> Iterator[str]:
    pad = "    " * depth
    if not thing.children:
        sides = ("{{", "}}") if thing.kind in {"nvswitch", "switch"} else ("[", "]")
        yield f'{pad}{numbers[thing.id]}{sides[0]}"{_safe(thing.name)}"{sides[1]}'
        return
    yield f'{pad}subgraph {numbers[thing.id]}["{_safe(thing.name)}"]'
    for child in thing.children:
        yield from _thing(child, numbers, depth + 1)
    yield f"{pad}end"


def _safe(text: str) -> str:
    """Return a text without what ends a quoted text of Mermaid."""
    return text.replace('"', "#quot;")
