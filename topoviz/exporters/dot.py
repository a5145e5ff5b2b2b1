"""DOT, for Graphviz: containers as clusters, bundles of links as one edge with its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.model.topology import Thing, Topology

if TYPE_CHECKING:
    import graphviz

SUFFIX = ".gv"
SHAPES = {"gpu": "box", "cpu": "box", "nic": "box", "dpu": "box", "nvswitch": "hexagon", "switch": "hexagon"}


def write(topology: Topology) -> str:
    """Return the graph as DOT text; no Graphviz program is run.

    >>> from topoviz.loading import load
    >>> print(write(load({"contains": {"gpu": "2 x h100-sxm"}, "wires": [{"from": "gpu", "kind": "nvlink", "rule": "ring"}]})))
    graph topology {
        graph [compound=true rankdir=TB]
        node [fontname=Helvetica shape=box]
        gpu0 [label=gpu0 tooltip="H100 SXM"]
        gpu1 [label=gpu1 tooltip="H100 SXM"]
        gpu0 -- gpu1 [label="1 x NVLink 4" kind=nvlink]
    }
    <BLANKLINE>
    """
    import graphviz

    out = graphviz.Graph("topology", graph_attr={"compound": "true", "rankdir": "TB"})
    out.attr("node", shape="box", fontname="Helvetica")
    for thing in topology.root.children:
        _thing(out, thing)
    for source, target, data in topology.graph.edges(data=True):
        out.edge(
            _quoted(source),
            _quoted(target),
            label=f"{data['links']} x {data['link'] or data['kind']}",
            kind=data["kind"],
        )
    return str(out.source).replace("\t", "    ")


def _thing(out: graphviz.Graph, thing: Thing) -> None:
    title = str(thing.title) if isinstance(thing.title, str) else next(iter(thing.title.values()), "")
    if not thing.children:
        shape = SHAPES.get(thing.kind, "box")
        attributes = {"shape": shape} if shape != "box" else {}
        out.node(_quoted(thing.id), label=thing.name, tooltip=title or thing.kind, **attributes)
        return
    with out.subgraph(name=f"cluster_{thing.id}") as inner:
        inner.attr(label=f"{thing.name} ({title})" if title else thing.name)
        for child in thing.children:
            _thing(inner, child)


def _quoted(name: str) -> str:
    """Return a name that Graphviz does not take apart at a colon."""
    return f'"{name}"' if ":" in name else name
