"""The hosts of a log held against the servers of a machine: whether they can be the same, and who is which rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topoviz.errors import Diagnostic
from topoviz.model.routes import ranks
from topoviz.model.topology import Thing, Topology

SERVERS = ("node", "tray")


def misfit(facts: Mapping[str, Any], machine: Topology, path: str) -> Diagnostic | None:
    """Return the error for a log that cannot have run on a machine: more ranks, or more hosts; None if it fits."""
    count, hosts = facts["counts"]["ranks"], len(facts.get("hosts", ()))
    gpus, servers = machine.count("gpu"), servers_of(machine)
    on = f" on {hosts} hosts" if hosts > 1 else ""
    if 0 < gpus < count:
        has = f"the machine has {gpus} GPU{'s' * (gpus != 1)}"
    elif servers and len(servers) < hosts and not _in_containers(facts):
        has = "the machine is one server" if len(servers) == 1 else f"the machine has {len(servers)} servers"
    else:
        return None
    hint = _instead(machine, hosts) if hosts > 1 else "it ran on another machine"
    return Diagnostic(message=f"{path}: the log has {count} ranks{on}, but {has}", hint=hint, code="more-ranks")


def _instead(machine: Topology, hosts: int) -> str:
    """Return how to describe all hosts; what is no part yet is saved as one first."""
    part = machine.spec.body.part
    known = "" if part else "save the server with topoviz import … -o server.yaml and "
    node = f"{{part: {part or 'server'}, count: {hosts}}}"
    return f"{known}describe all hosts and what joins them, such as contains: {{node: {node}, leaf: 8 x qm9700}}"


def servers_of(machine: Topology) -> tuple[Thing, ...]:
    """Return the servers of a machine, itself if it is one; none if it does not say what stands in which server."""
    found = tuple(thing for kind in SERVERS for thing in machine.of_kind(kind) if thing.assembly.counts.get("gpu"))
    if found:
        return found
    root = machine.root
    is_one = root.kind in SERVERS or any(child.assembly.kind == "cpu" for child in root.assembly.children)
    return (root,) if is_one and root.assembly.counts.get("gpu") else ()


def _in_containers(facts: Mapping[str, Any]) -> bool:
    """Return whether hosts may be containers of one server: the log says where each GPU is, and no two are the same."""
    buses = list(facts.get("devices", {}).values())
    return len(buses) == facts["counts"]["ranks"] and len(set(buses)) == len(buses)


def order(facts: Mapping[str, Any], machine: Topology) -> tuple[str, ...]:
    """Return the ids of the GPUs in the order of the ranks where that is not the order of the machine; else nothing.

    The first host of the log is the first server; a rank is the GPU whose number the log gives it, else
    the next one.
    """
    hosts: Mapping[str, Sequence[int]] = facts.get("hosts", {})
    servers = servers_of(machine)
    if len(hosts) < 2 or len(servers) < len(hosts):
        return ()
    numbers: Mapping[int, int] = facts.get("numbers", {})
    found: dict[int, str] = {}
    for server, members in zip(servers, hosts.values(), strict=False):
        gpus = [thing.id for thing in server.walk() if thing.kind == "gpu"]
        own = [numbers.get(rank, -1) for rank in members]
        said = own if len(set(own)) == len(own) and all(0 <= number < len(gpus) for number in own) else None
        places = said or list(range(len(members)))
        if len(members) > len(gpus):
            return ()
        found.update(zip(members, (gpus[place] for place in places), strict=True))
    if sorted(found) != list(range(facts["counts"]["ranks"])):
        return ()
    names = tuple(found[rank] for rank in range(len(found)))
    usual = tuple(thing.id for thing in ranks(machine))
    return () if names == usual[: len(names)] else names
