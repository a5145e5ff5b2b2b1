"""A communicator as a log shows it: its ranks, the order of its rings, its trees, and what its hops went over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from topoviz.importers.evidence.nccl_records import Record

RING_LIST = re.compile(
    r"(?:Channel|Ring) (?P<channel>\d+)(?:/(?P<total>\d+))? : *(?P<ranks>\d+(?: +\d+)+)(?P<cut> *\.\.\.)?$"
)
STEP = re.compile(r"Ring (?P<channel>\d+) : (?P<before>\d+) -> (?P<me>\d+) -> (?P<next>\d+)$")
HOP = re.compile(
    r"(?:Channel|Ring) (?P<channel>\d+)(?:/\d+)? : (?P<a>\d+)(?:\[(?P<a_id>[0-9a-fA-F]+)\])? -> "
    r"(?P<b>\d+)(?:\[(?P<b_id>[0-9a-fA-F]+)\])?(?: \[(?P<way>send|receive)\])? via (?P<via>.+)$"
)
INIT = re.compile(
    r"comm (?P<comm>0x[0-9a-f]+) rank (?P<rank>\d+) n[Rr]anks (?P<total>\d+)(?: nNodes \d+ localRanks \d+ localRank \d+ MNNVL \d)?"
    r"(?: cudaDev (?P<cuda>\d+))?(?: nvmlDev (?P<nvml>\d+))?(?: busId (?P<bus>[0-9a-f]+))?(?: commId (?P<id>0x[0-9a-f]+))?"
)
TREE = re.compile(r"\[(?P<number>\d+)\] (?P<left>-?\d+(?:/-?\d+)*)->(?P<me>\d+)->(?P<right>-?\d+(?:/-?\d+)*)")
SUFFIX = re.compile(r" comm 0x[0-9a-f]+ n[Rr]anks \d+.*$| used \d+ bytes.*$")
PROXY = re.compile(r"(?P<device>NET/.+?/\d+)\((?P<proxy>\d+)\)")
VERSION = re.compile(r"[NR]CCL version (\d+)\.(\d+)")


@dataclass(slots=True)
class Said:
    """The list of a ring as rank 0 printed it."""

    line: int
    ranks: list[int]
    cut: bool


@dataclass(slots=True)
class Wayed:
    """One hop with what it went over."""

    line: int
    channel: int
    source: int
    target: int
    via: str
    proxy: int | None


@dataclass(slots=True)
class Comm:
    """Everything that a log says about one communicator."""

    line: int
    total: int = 0  # ranks, 0 if the log does not say
    channels: int = 0
    lists: dict[int, Said] = field(default_factory=dict)
    steps: dict[int, dict[int, int]] = field(default_factory=dict)  # channel -> rank -> next
    trees: dict[int, dict[int, tuple[int, list[int]]]] = field(default_factory=dict)  # tree -> rank -> up, downs
    hops: dict[tuple[int, int, int], Wayed] = field(default_factory=dict)
    hosts: dict[int, str] = field(default_factory=dict)
    devices: dict[int, int] = field(default_factory=dict)  # rank -> number of its GPU on the host
    buses: dict[int, str] = field(default_factory=dict)
    version: tuple[int, int] | None = None

    def ranks(self) -> int:
        """Return how many ranks there are: as the log says, else as many as occur."""
        seen = [*self.hosts, *(rank for said in self.lists.values() if not said.cut for rank in said.ranks)]
        return self.total or max(seen, default=-1) + 1


def take(comm: Comm, record: Record) -> bool:
    """Read one message into a communicator; return whether it was about it."""
    text = record.text
    listed, step, hop = RING_LIST.match(text), STEP.match(text), HOP.match(text)
    init = INIT.search(text)
    if step:
        comm.steps.setdefault(int(step["channel"]), {})[int(step["me"])] = int(step["next"])
        comm.hosts.setdefault(int(step["me"]), record.host)
    elif hop:
        _hop(comm, record, hop)
    elif listed:
        ranks = [int(one) for one in listed["ranks"].split()]
        comm.lists.setdefault(int(listed["channel"]), Said(record.line, ranks, bool(listed["cut"])))
        comm.channels = max(comm.channels, int(listed["total"] or 0))
        comm.hosts.setdefault(ranks[0], record.host)
    elif text.startswith("Trees "):
        _tree(comm, record, text)
    elif init:
        _init(comm, record, init)
    else:
        return False
    return True


def _init(comm: Comm, record: Record, init: re.Match[str]) -> None:
    rank = int(init["rank"])
    comm.total = max(comm.total, int(init["total"]))
    comm.hosts[rank] = record.host
    device = init["nvml"] or init["cuda"]
    comm.devices[rank] = int(device) if device else comm.devices.get(rank, record.device)
    if init["bus"]:
        comm.buses[rank] = init["bus"]


def _hop(comm: Comm, record: Record, hop: re.Match[str]) -> None:
    a, b, channel = int(hop["a"]), int(hop["b"]), int(hop["channel"])
    own = b if hop["way"] == "receive" else a
    comm.hosts.setdefault(own, record.host)
    comm.devices.setdefault(own, record.device)
    for rank, said in ((a, hop["a_id"]), (b, hop["b_id"])):
        if said:
            comm.buses.setdefault(rank, said)
    via = SUFFIX.sub("", hop["via"]).strip()
    via = "SHM" if via == "direct shared memory" else via
    proxy = PROXY.search(via)
    number = int(proxy["proxy"]) if proxy else None
    if proxy:
        via = PROXY.sub(r"\g<device>", via)
    comm.hops.setdefault((channel, a, b), Wayed(record.line, channel, a, b, via, number))


def _tree(comm: Comm, record: Record, text: str) -> None:
    for found in TREE.finditer(text):
        left, right = found["left"], found["right"]
        downs, up = (left, right) if "/" in left else (right, left)
        if "/" in left and "/" in right:
            continue
        me = int(found["me"])
        below = [int(one) for one in downs.split("/") if int(one) >= 0]
        comm.trees.setdefault(int(found["number"]), {})[me] = (int(up), below)
        comm.hosts.setdefault(me, record.host)


def edges(tree: dict[int, tuple[int, list[int]]]) -> list[list[int]]:
    """Return the pairs of parent and child of a tree, each once, whoever told them."""
    found = {(me, below): None for me, (_, downs) in tree.items() for below in downs}
    found |= {(up, me): None for me, (up, _) in tree.items() if up >= 0}
    return [list(pair) for pair in sorted(found)]


def root(pairs: Sequence[Sequence[int]]) -> int | None:
    """Return the only node without a parent; None if there are several.

    >>> root([[0, 1], [1, 2]]), root([[0, 1], [2, 3]])
    (0, None)
    """
    tops = list(dict.fromkeys(a for a, _ in pairs if a not in {b for _, b in pairs}))
    return tops[0] if len(tops) == 1 else None


def followed(steps: dict[int, int], total: int) -> list[int]:
    """Return a ring by following who is next; empty if it does not close over all ranks.

    >>> followed({0: 2, 2: 1, 1: 0}, 3), followed({0: 1}, 2)
    ([0, 2, 1], [])
    """
    ring, at = [0], steps.get(0)
    while at is not None and at != 0 and len(ring) <= len(steps):
        ring.append(at)
        at = steps.get(at)
    return ring if at == 0 and len(ring) == (total or len(steps)) else []


def nets(hops: Iterable[Wayed], host_of: dict[int, str]) -> int:
    """Return how many network devices a host used, the most of all hosts."""
    used: dict[str, set[str]] = {}
    for hop in hops:
        if hop.via.startswith("NET/"):
            used.setdefault(host_of.get(hop.source, ""), set()).add(hop.via.split("/GDRDMA")[0])
    return max(map(len, used.values()), default=0)
