"""NCCL and RCCL logs (NCCL_DEBUG=INFO, from 2.4 on): rings, trees, channels, transports, and the machine if it is in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from topoviz.importers.evidence import nccl_comm as comms
from topoviz.importers.evidence import nccl_routes as routing
from topoviz.importers.evidence.imported import Carried, Imported
from topoviz.importers.evidence.nccl_comm import Comm
from topoviz.importers.evidence.nccl_records import HEAD, Record, records
from topoviz.importers.evidence.nccl_system import system
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

MOST_RANKS = 1_000_000
MOST_WARNINGS = 20  # told one by one


def recognises(text: str) -> float:
    """Return how surely a text is a log of NCCL."""
    start = clean(text)
    return 0.9 if HEAD.search(start) else (0.2 if re.search(r"\b[NR]CCL version \d", start) else 0.0)


def read(source: Source) -> Imported:
    """Return the rings and trees of a log as routes by rank, and its machine if there is a system section.

    Raises:
        SpecError: the lists of the rings are cut and cannot be rebuilt, or the log has none.
    """
    told = Told(source)
    found = list(records(source.text))
    _warn(told, found)
    machine = system(told, found)
    groups = _communicators(found)
    for comm in groups:
        if comm.ranks() > MOST_RANKS:
            said = f"a communicator of {comm.ranks():,} ranks is not plausible"
            raise wrong(source, comm.line, said, hint="a number of its lines is damaged", code="nccl-ranks")
    facts = [routing.facts(told, comm) for comm in groups]
    if machine is None and not any(one["rings"] or one["trees"] for one in facts):
        hint = "run again with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH"
        said = "no ring and no channel is in this log; NCCL_DEBUG=INFO writes them"
        raise wrong(source, None, said, hint=hint, code="nccl-log-no-rings")
    document = {**(dict(machine.document) if machine else {}), **routing.routes(told, groups, facts)}
    return Imported(
        document=document,
        told=tuple(told.found),
        names=machine.names if machine else {},
        facts=_facts(groups, facts, machine),
        carried=tuple(_carried(groups)),
    )


def _warn(told: Told, found: Sequence[Record]) -> None:
    """Pass on what NCCL warns of, each text once for a host."""
    warned: dict[tuple[str, str], list[Record]] = {}
    for record in found:
        if record.warning:
            warned.setdefault((record.host, record.text), []).append(record)
    for (host, said), records_of in list(warned.items())[:MOST_WARNINGS]:
        times = f" ({len(records_of)} times)" if len(records_of) > 1 else ""
        told.warn("nccl-warn", f"{host}: {said}{times}", records_of[0].line, word=said)
    if len(warned) > MOST_WARNINGS:
        told.warn("nccl-warn", f"{len(warned) - MOST_WARNINGS} more warnings of NCCL are in the log")


def _communicators(found: Sequence[Record]) -> list[Comm]:
    """Return the communicators of a log: by their id where it is printed, else a new one when a thread starts over."""
    version = routing.version_of(found)
    keys = _keys(found)
    groups: dict[str, Comm] = {}
    for record, key in zip(found, keys, strict=True):
        comm = groups.setdefault(key, Comm(line=record.line))
        comms.take(comm, record)
    kept = [comm for comm in groups.values() if comm.lists or comm.steps or comm.trees or comm.hops]
    for comm in kept:
        comm.version = version
    return kept


def _keys(found: Sequence[Record]) -> list[str]:
    """Return the communicator of each message."""
    named: dict[str, list[tuple[int, str]]] = {}
    for at, record in enumerate(found):
        init = comms.INIT.search(record.text)
        if init and init["id"]:
            named.setdefault(record.thread, []).append((at, init["id"]))
    rounds: dict[str, int] = {}
    begun: dict[str, set[str]] = {}
    keys = []
    for at, record in enumerate(found):
        events = named.get(record.thread, [])
        before = [key for when, key in events if when <= at]
        after = [key for when, key in events if when > at]
        if before or after:
            keys.append(_near(before, after))
            continue
        mark = _beginning(record.text)
        seen = begun.setdefault(record.thread, set())
        if mark and mark in seen:
            rounds[record.thread] = rounds.get(record.thread, 0) + 1
            seen.clear()
        if mark:
            seen.add(mark)
        keys.append(f"#{rounds.get(record.thread, 0)}")
    only = sorted({key for key in keys if not key.startswith("#")})
    return [only[0] if key == "#0" and len(only) == 1 else key for key in keys]


def _near(before: Sequence[str], after: Sequence[str]) -> str:
    """Return the id that a message between two belongs to: that which has begun, else that which is to come."""
    return before[-1] if before else after[0]


def _beginning(text: str) -> str:
    listed = comms.RING_LIST.match(text)
    if listed:
        return f"channel {listed['channel']}"
    return "trees" if text.startswith("Trees ") else ""


def _carried(groups: Sequence[Comm]) -> list[Carried]:
    return [
        Carried(source=hop.source, target=hop.target, channel=hop.channel, via=hop.via, proxy=hop.proxy, line=hop.line)
        for comm in groups[:1]
        for hop in comm.hops.values()
    ]


def _facts(groups: Sequence[Comm], facts: Sequence[dict[str, Any]], machine: Imported | None) -> dict[str, Any]:
    first = groups[0] if groups else None
    counts: dict[str, int] = dict(machine.facts["counts"]) if machine else {}
    hosts: dict[str, list[int]] = {}
    if first is not None:
        for rank in sorted(first.hosts):
            hosts.setdefault(first.hosts[rank], []).append(rank)
        counts |= {
            "ranks": first.ranks(),
            "nodes": len(hosts),
            "channels": first.channels or len(first.lists) or len(first.steps),
            "communicators": len(groups),
            "nics_used_per_node": comms.nets(first.hops.values(), first.hosts),
        }
    return {
        "counts": counts,
        "hosts": hosts,
        "rings": [ring for one in facts for ring in one["rings"]],
        "trees": [tree for one in facts for tree in one["trees"]],
        "devices": {str(rank): bus for rank, bus in sorted(first.buses.items())} if first else {},
        "numbers": dict(sorted(first.devices.items())) if first else {},
        "gpus": routing.gpus(first) if first else {},
        "links": machine.facts.get("links", []) if machine else [],
    }
