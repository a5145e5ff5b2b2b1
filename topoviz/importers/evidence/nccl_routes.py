"""Rings and trees of a log as routes: complete ones only, equal ones once with a count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from topoviz.importers.evidence import nccl_comm as comms
from topoviz.importers.evidence.draft import ranges
from topoviz.importers.evidence.nccl_comm import Comm
from topoviz.importers.evidence.nccl_records import Record
from topoviz.importers.evidence.text import Told, wrong

PRINTED = 20  # ranks that NCCL before 2.23 prints of a ring, without a mark that there are more
FILLED = 28  # ranks that fill the line of later versions exactly, if they have three digits
MARKED = (2, 23)  # from this version on a list that was cut ends in "..."
GRAPH = "NCCL_DEBUG_SUBSYS=INIT,GRAPH"
MOST_OF_A_TREE = 4096  # ranks of a tree that becomes a route


def version_of(found: Iterable[Record]) -> tuple[int, int] | None:
    """Return the version that a log names; None if it does not."""
    for record in found:
        match = comms.VERSION.search(record.text)
        if match:
            return int(match[1]), int(match[2])
    return None


def facts(told: Told, comm: Comm) -> dict[str, Any]:
    """Return the rings and trees of a communicator, each order once, with its channels. Raises SpecError."""
    orders: dict[tuple[int, ...], list[int]] = {}
    for channel in sorted({*comm.lists, *comm.steps}):
        orders.setdefault(tuple(_ring(told, comm, channel)), []).append(channel)
    trees: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for number, tree in sorted(comm.trees.items()):
        pairs = comms.edges(tree)
        if pairs and comms.root(pairs) is not None and len(pairs) == comm.ranks() - 1:
            trees.setdefault(tuple(tuple(pair) for pair in pairs), []).append(number)
    if comm.trees and not trees:
        told.infer("the log has lines about trees of some ranks only; no tree is drawn from them")
    return {
        "rings": [list(order) for order in orders],
        "channels": list(orders.values()),
        "trees": [
            {
                "tree": numbers[0],
                "root": comms.root(pairs),
                "edges": [list(pair) for pair in pairs],
                "channels": numbers,
            }
            for pairs, numbers in trees.items()
        ],
    }


def _ring(told: Told, comm: Comm, channel: int) -> list[int]:
    said = comm.lists.get(channel)
    total = comm.total
    if said is not None and not said.cut and _whole(comm, said.ranks):
        if len(set(said.ranks)) != len(said.ranks):
            twice = sorted({rank for rank in said.ranks if said.ranks.count(rank) > 1})
            raise wrong(
                told.source,
                said.line,
                f"channel {channel} visits rank {', '.join(map(str, twice))} twice",
                hint="a ring visits every rank once; lines of several processes may have run together",
                code="ring-not-a-permutation",
            )
        _check_ranks(told, said.ranks, channel, said.line)
        return said.ranks
    rebuilt = comms.followed(comm.steps.get(channel, {}), total)
    if rebuilt:
        if said is not None:
            told.infer(
                f"the list of channel {channel} is cut; its ring was rebuilt from the lines 'Ring {channel:02} : before -> me -> next' of {len(rebuilt)} ranks",
                said.line,
            )
        _check_ranks(told, rebuilt, channel, comm.line)
        return rebuilt
    raise _cut(told, comm, channel)


def _check_ranks(told: Told, ring: Sequence[int], channel: int, line: int) -> None:
    """Raise SpecError for a rank that cannot be: those of a ring are numbered from 0."""
    far = next((rank for rank in ring if rank >= len(ring)), None)
    if far is not None:
        said = f"channel {channel} visits rank {far}, but its ring has {len(ring)} ranks, 0 to {len(ring) - 1}"
        hint = "lines of several processes may have run together"
        raise wrong(told.source, line, said, hint=hint, code="ring-not-a-permutation", word=str(far))


def _whole(comm: Comm, ranks: Sequence[int]) -> bool:
    """Return whether a list without a mark holds all ranks; without a count, 20 and 28 are suspicious."""
    if comm.total:
        return len(ranks) == comm.total
    newer = comm.version is not None and comm.version >= MARKED
    return len(ranks) != (FILLED if newer else PRINTED) and (comm.version is not None or len(ranks) != FILLED)


def _cut(told: Told, comm: Comm, channel: int) -> Exception:
    said = comm.lists.get(channel)
    source = told.source
    hint = f"log the lines 'Ring 00 : before -> me -> next' of all ranks with {GRAPH}, or use NCCL_GRAPH_DUMP_FILE"
    if said is None:
        known = len(comm.steps.get(channel, {}))
        message = f"channel {channel}: the lines 'Ring' of {known} of {comm.total or 'unknown'} ranks do not close a ring; {GRAPH} on all ranks does"
        return wrong(source, comm.line, message, hint=hint, code="nccl-ring-truncated")
    if said.cut:
        message = f"the list of channel {channel} is cut by NCCL: it ends in '...' after {len(said.ranks)} ranks; {GRAPH} prints enough to rebuild it"
        return wrong(source, said.line, message, hint=hint, code="nccl-ring-truncated", word="...")
    there = f"there are {comm.total}" if comm.total else "the log does not say how many there are"
    message = f"the list of channel {channel} holds {len(said.ranks)} ranks, and {there}; NCCL before 2.23 prints only the first {PRINTED}"
    return wrong(source, said.line, message, hint=hint, code="nccl-ring-truncated")


def routes(told: Told, groups: Sequence[Comm], found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return ``routes`` of a document: by rank, or by GPU where a log of one host names devices in another order."""
    out: list[dict[str, Any]] = []
    for number, (comm, fact) in enumerate(zip(groups, found, strict=True)):
        ends = _ends(told, groups, number)
        if ends is None:
            continue
        prefix = f"communicator {number}: " if len(groups) > 1 else ""
        out += [
            _ring_route(prefix, comm, order, alike, ends)
            for order, on in zip(fact["rings"], fact["channels"], strict=True)
            if len(order) > 1
            for alike in _alike(comm, order, on)
        ]
        out += [_tree_route(prefix, tree, ends) for tree in fact["trees"] if len(tree["edges"]) < MOST_OF_A_TREE]
    return {"routes": out} if out else {}


def _called(channels: Sequence[int]) -> str:
    return f"channel{'s' if len(channels) > 1 else ''} {ranges(channels)}"


def _ring_route(
    prefix: str, comm: Comm, order: Sequence[int], channels: Sequence[int], ends: Mapping[int, str]
) -> dict[str, Any]:
    route: dict[str, Any] = {"name": f"{prefix}{_called(channels)}", "ring": _selector([ends[rank] for rank in order])}
    around = _around(comm, order, channels[0])
    for key, word in (("through_host", "host"), ("through_network", "network")):
        numbers = [number for number, over in enumerate(around, start=1) if over == word]
        if len(numbers) == len(order):
            route["via"] = word
        elif numbers:
            route[key] = numbers
    return {**route, "count": len(channels)} if len(channels) > 1 else route


def _alike(comm: Comm, order: Sequence[int], channels: Sequence[int]) -> list[list[int]]:
    """Return channels of one order in groups whose hops went over the same."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for channel in channels:
        groups.setdefault(_around(comm, order, channel), []).append(channel)
    return list(groups.values())


def _around(comm: Comm, order: Sequence[int], channel: int) -> tuple[str, ...]:
    """Return of each hop what it went over where that may be past the fast links: ``host``, ``network``, or nothing.

    A network is what leads from host to host; between GPUs of one host it is a way round; the machine decides where hosts are not told.
    """
    found = []
    for a, b in zip(order, [*order[1:], order[0]], strict=True):
        hop = comm.hops.get((channel, a, b))
        way = hop.via.partition("/")[0] if hop is not None else ""
        apart = a in comm.hosts and b in comm.hosts and comm.hosts[a] != comm.hosts[b]
        found.append({"SHM": "host", "NET": "" if apart else "network"}.get(way, ""))
    return tuple(found)


def _tree_route(prefix: str, tree: Mapping[str, Any], ends: Mapping[int, str]) -> dict[str, Any]:
    children: dict[str, list[str]] = {}
    for parent, child in tree["edges"]:
        children.setdefault(ends[parent], []).append(ends[child])
    shape = {parent: below[0] if len(below) == 1 else below for parent, below in children.items()}
    count = {"count": len(tree["channels"])} if len(tree["channels"]) > 1 else {}
    return {"name": f"{prefix}tree, {_called(tree['channels'])}", "tree": shape, **count}


def _selector(names: Sequence[str]) -> str | list[str]:
    split = [re.fullmatch(r"(rank|gpu)(\d+)", name) for name in names]
    stems = {match[1] for match in split if match}
    if len(stems) == 1 and all(split):
        return f"{stems.pop()}[{ranges([int(match[2]) for match in split if match])}]"
    return list(names)


def _ends(told: Told, groups: Sequence[Comm], number: int) -> dict[int, str] | None:
    """Return what each rank of a communicator is called; ranks of a part are found in the largest by host and GPU."""
    comm = groups[number]
    world = max(groups, key=Comm.ranks)
    if comm is world or comm.ranks() == world.ranks():
        own = gpus(comm)
        return {rank: own.get(rank, f"rank{rank}") for rank in range(comm.ranks())}
    home = {(world.hosts[rank], world.devices[rank]): rank for rank in world.devices if rank in world.hosts}
    names = gpus(world)
    found = {}
    for rank in range(comm.ranks()):
        there = home.get((comm.hosts.get(rank, ""), comm.devices.get(rank, -1)))
        if there is None:
            told.infer(
                f"communicator {number} has {comm.ranks()} ranks, and the log does not say which GPU rank {rank} is; its rings are left out",
                comm.line,
            )
            return None
        found[rank] = names.get(there, f"rank{there}")
    return found


def gpus(comm: Comm) -> dict[int, str]:
    """Return the GPU of each rank where a log of one host numbers its devices in another order than its ranks."""
    ranks = range(comm.ranks())
    if len(set(comm.hosts.values())) != 1 or any(rank not in comm.devices for rank in ranks):
        return {}
    numbers = [comm.devices[rank] for rank in ranks]
    if numbers == list(ranks) or len(set(numbers)) != len(numbers):
        return {}
    return {rank: f"gpu{comm.devices[rank]}" for rank in ranks}
