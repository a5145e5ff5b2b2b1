"""Hops of a log held against the machine it ran on: where data left NVLink although there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from topoviz.errors import Diagnostic
from topoviz.importers.evidence.draft import ranges
from topoviz.importers.evidence.imported import Carried, Imported
from topoviz.importers.evidence.text import place
from topoviz.marks import Source
from topoviz.model.routes import ranks
from topoviz.model.scale_up import joined
from topoviz.model.topology import Hop, Topology
from topoviz.model.ways import Ways

SAID: Mapping[str, str] = MappingProxyType(
    {"SHM": "the memory of the host", "NET": "the network", "COLLNET": "the network"}
)
NETWORK = {"NET", "COLLNET"}
MOST = 6  # hops told one by one


def off_nvlink(imported: Imported, topology: Topology, source: Source) -> tuple[Diagnostic, ...]:
    """Return a warning for each pair of ranks that talked over host memory or network although NVLink joins them."""
    if not imported.carried or not topology.root.assembly.children:
        return ()
    gpus = _gpus(imported, topology)
    slow: dict[tuple[int, int, str], list[Carried]] = {}
    for hop in imported.carried:
        way = hop.via.partition("/")[0]
        if way in SAID:
            slow.setdefault((hop.source, hop.target, way), []).append(hop)
    found = [
        _warning(source, hops, gpus[a], gpus[b], joined(topology, gpus[a], gpus[b]))
        for (a, b, _), hops in slow.items()
        if a in gpus and b in gpus and joined(topology, gpus[a], gpus[b])
    ]
    more = len(found) - MOST
    rest = (
        Diagnostic(message=f"{more} more pairs of ranks talked past NVLink", severity="warning", code="hop-off-nvlink"),
    )
    return (*found[:MOST], *(rest if more > 0 else ()))


def with_detours(imported: Imported, topology: Topology) -> Topology:
    """Return the topology with routes whose hops went over the network where the log says so and a fast link is there.

    What a log of several hosts cannot tell by itself: whether a fast link joins two of them.
    """
    gpus = _gpus(imported, topology)
    ways: dict[tuple[str, str], set[str]] = {}
    for hop in imported.carried:
        if hop.source in gpus and hop.target in gpus:
            ways.setdefault((gpus[hop.source], gpus[hop.target]), set()).add(hop.via.partition("/")[0])
    past = {pair for pair, over in ways.items() if over <= NETWORK and joined(topology, *pair)}
    if not past or not topology.routes:
        return topology
    found = Ways(topology)

    def taken(hop: Hop) -> Hop:
        is_past = (hop.source, hop.target) in past and not hop.past
        return (found.hop(hop.source, hop.target, "network") or hop) if is_past else hop

    routes = tuple(replace(route, hops=tuple(map(taken, route.hops))) for route in topology.routes)
    return replace(topology, routes=routes)


def _gpus(imported: Imported, topology: Topology) -> Mapping[int, str]:
    """Return the id of the GPU of each rank."""
    order = ranks(topology)
    named: Mapping[int, str] = imported.facts.get("gpus", {})
    by_name = {thing.name: thing.id for thing in order}
    return {rank: by_name.get(named.get(rank, ""), thing.id) for rank, thing in enumerate(order)}


def _warning(source: Source, hops: list[Carried], a: str, b: str, kind: str) -> Diagnostic:
    first = hops[0]
    channels = sorted({hop.channel for hop in hops})
    many = f"channel{'s' if len(channels) > 1 else ''} {ranges(channels)}"
    over = SAID[first.via.partition("/")[0]]
    name = {"nvlink": "NVLink", "xgmi": "xGMI"}[kind]
    message = f"rank {first.source} -> rank {first.target} ({a} -> {b}) went over {over} ({first.via}) on {many}, although {name} joins them"
    hint = "NCCL_P2P_DISABLE or NCCL_P2P_LEVEL, a container without peer access, or a link that is down"
    return Diagnostic(
        message=message, mark=place(source, first.line, first.via), hint=hint, severity="warning", code="hop-off-nvlink"
    )
