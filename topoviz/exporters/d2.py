"""D2: containers hold what they contain, links carry their number and name."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.model.topology import Thing, Topology

SUFFIX = ".d2"


def write(topology: Topology) -> str:
    """Return the graph as D2 text.

    >>> from topoviz.loading import load
    >>> print(write(load({"contains": {"gpu": "2 x h100-sxm"}, "wires": [{"from": "gpu", "kind": "nvlink", "rule": "ring"}]})))
    "gpu0"
    "gpu1"
    "gpu0" -- "gpu1": "1 × NVLink 4"
    <BLANKLINE>
    """
    lines: list[str] = []
    for thing in topology.root.children:
        lines.extend(_thing(thing, 0))
    for source, target, data in topology.graph.edges(data=True):
        label = f"{data['links']} × {data['link'] or data['kind']}"
        lines.append(f"{_path(source)} -- {_path(target)}: {_quoted(label)}")
    return "\n".join(lines) + "\n"


def _thing(thing: Thing, depth: int) -> Iterator[str]:
    pad = "  " * depth
    shape = ["shape: hexagon"] if thing.kind in {"nvswitch", "switch"} else []
    if not thing.children and not shape:
        yield f"{pad}{_quoted(thing.name)}"
        return
    yield f"{pad}{_quoted(thing.name)}: {{"
    yield from (f"{pad}  {one}" for one in shape)
    for child in thing.children:
        yield from _thing(child, depth + 1)
    yield f"{pad}}}"


def _path(name: str) -> str:
    return ".".join(_quoted(step) for step in name.split("/"))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
