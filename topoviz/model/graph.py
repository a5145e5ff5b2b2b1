"""The topology written out in full, as a graph of networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.model import mig
from topoviz.model.spec import Text
from topoviz.model.sums import added
from topoviz.model.topology import Link, Thing, Topology

if TYPE_CHECKING:
    import networkx as nx


def expand(topology: Topology) -> nx.MultiGraph[str]:
    """Return the frozen graph of a topology; attributes as the module ``topology`` says.

    The root is no node. Containers are nodes without edges.
    """
    import networkx as nx

    graph: nx.MultiGraph[str] = nx.MultiGraph(name=topology.name, title=plain(topology.root.title))
    graph.graph.update(_cut(topology.root))
    found: dict[tuple[str, str, str], list[Link]] = {}
    for thing in (topology.root, *topology.root.walk()):
        if thing.id:
            graph.add_node(thing.id, **_node(thing))
        _collect(thing, found)
    for (source, target, kind), links in found.items():
        link = added(links) if len(links) > 1 else links[0]
        graph.add_edge(source, target, key=kind, **_edge(link))
    nx.freeze(graph)
    return graph


def working(topology: Topology) -> nx.MultiGraph[str]:
    """Return what of the graph works, frozen: without what is down or stands in it, and without links that are down."""
    import networkx as nx

    graph: nx.MultiGraph[str] = topology.graph.copy()
    down = [name for name in graph if any(one.state == "down" for one in topology.thing(name).chain)]
    graph.remove_nodes_from(down)
    graph.remove_edges_from(
        [(a, b, kind) for a, b, kind, data in graph.edges(keys=True, data=True) if data["state"] == "down"]
    )
    nx.freeze(graph)
    return graph


def _node(thing: Thing) -> dict[str, object]:
    return {
        "kind": thing.kind,
        "part": thing.part,
        "group": thing.group,
        "name": thing.name,
        "index": thing.index,
        "parent": (thing.parent.id or None) if thing.parent else None,
        "slot": thing.slot,
        "title": plain(thing.title),
        "state": thing.state,
        **_cut(thing),
    }


def _cut(thing: Thing) -> dict[str, object]:
    """Return how a GPU is cut by MIG, in words and instance by instance; nothing if it is not cut."""
    found = mig.instances(thing.assembly)
    if not found:
        return {}
    return {"mig": mig.counted([one.profile for one in found]), "instances": [mig.row(one) for one in found]}


def _edge(link: Link) -> dict[str, object]:
    return {
        "kind": link.kind,
        "links": link.links,
        "bandwidth": link.bandwidth,
        "link": link.link,
        "state": link.state,
        "note": link.note,
    }


def _collect(thing: Thing, found: dict[tuple[str, str, str], list[Link]]) -> None:
    prefix = f"{thing.id}/" if thing.id else ""
    for link in thing.assembly.links:
        source, target = prefix + link.source, prefix + link.target
        back = (target, source, link.kind)
        found.setdefault(back if back in found else (source, target, link.kind), []).append(link)


def plain(text: Text, lang: str = "en") -> str:
    """Return a text of several languages in one of them, English first.

    >>> plain({"zh": "叶", "en": "leaf"}), plain("rail")
    ('leaf', 'rail')
    """
    if isinstance(text, str):
        return text
    return text.get(lang) or text.get("en") or next(iter(text.values()), "")
