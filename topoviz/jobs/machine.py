"""The machine as a job sees it: the GPU of each rank, its scale-up domain, its host and what its network cards carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from topoviz.collectives.network import Network, nearest_cards, network
from topoviz.collectives.plan import Plan
from topoviz.jobs.domains import Box, Domains, numbered
from topoviz.model.topology import Assembly, Child, Link, Thing, Topology

NETWORK = ("infiniband", "ethernet")
CARDS = ("nic", "dpu")
Planner: TypeAlias = Callable[[Topology, Sequence[str]], Plan]
LOOKED_AT = 64  # so many hosts are looked at one by one; of more, the first of each type


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one GPU has of the network cards of its host, if all GPUs use them at once: GB/s, and the link's name."""

    rate: float | None
    link: str
    kind: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Machine:
    """The GPUs of a job in rank order; what is found out about them is kept."""

    topology: Topology
    things: tuple[Thing, ...]
    rates: str = "line"
    planner: Planner | None = None  # finds more than one ring where GPUs are joined directly
    _nets: dict[Assembly, Network] = field(default_factory=dict, repr=False)
    _shares: dict[object, Share | None] = field(default_factory=dict, repr=False)

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        domains = Domains()
        return tuple(domains.box(thing) for thing in self.things)

    @cached_property
    def domains(self) -> tuple[int, ...]:
        """Return the number of the scale-up domain of each rank."""
        return numbered(self.boxes)

    @property
    def smallest_domain(self) -> int:
        """Return how many of the ranks are in the smallest domain."""
        return min(Counter(self.domains).values())

    def net(self, container: Thing) -> Network:
        """Return the network inside a container, with ids that begin there; equal containers have one."""
        if container.assembly not in self._nets:
            self._nets[container.assembly] = network(self.alone(container), self.rates)
        return self._nets[container.assembly]

    def alone(self, container: Thing) -> Topology:
        """Return a container as a topology of its own, with ids that begin there."""
        root = Thing("", Child(name="", group="", assembly=container.assembly))
        return Topology(spec=self.topology.spec, root=root)

    def above(self, ranks: Sequence[int]) -> Thing:
        """Return the innermost container that holds all these ranks."""
        chains: list[tuple[Thing, ...]] = [self.things[rank].chain for rank in ranks]
        shared: list[tuple[Thing, ...]] = [
            level for level in zip(*chains, strict=False) if all(one == level[0] for one in level)
        ]
        last: Thing = shared[-1][0]
        return last.parent if last.kind == "gpu" and last.parent is not None else last

    def share(self, rank: int) -> Share | None:
        """Return what a rank has of the network cards; None if no card of its host is on a network."""
        host = self._host(rank)
        if host is None:
            return None
        members = self._members[host.id]
        many = len(set(self.domains)) > LOOKED_AT
        key = (host.assembly, members) if many else host.id
        if key not in self._shares:
            whole = len(members) == self.topology.count("gpu", host)
            self._shares[key] = self._share_of(host) if whole else self._of_nearest(host, members)
        return self._shares[key]

    @cached_property
    def _members(self) -> dict[str, tuple[str, ...]]:
        """Return the ranks by what holds their network cards, each with its id from there on."""
        found: dict[str, list[str]] = {}
        for rank, thing in enumerate(self.things):
            host = self._host(rank)
            if host is not None:
                found.setdefault(host.id, []).append(thing.id.removeprefix(f"{host.id}/" if host.id else ""))
        return {name: tuple(ids) for name, ids in found.items()}

    def host_of(self, rank: int) -> str:
        """Return the id of what holds the network cards of a GPU; that of the GPU itself if there are none."""
        host = self._host(rank)
        return self.things[rank].id if host is None else host.id

    def _host(self, rank: int) -> Thing | None:
        """Return what holds the network cards of a GPU: the container of its domain, or the next one above with cards."""
        here: Thing | None = self.boxes[rank].container
        while here is not None and not any(here.assembly.counts.get(kind) for kind in CARDS):
            here = here.parent
        return here

    def _share_of(self, host: Thing) -> Share | None:
        links = [link for kind in CARDS for card in self.topology.of_kind(kind, host) for link in self._of_card(card)]
        if not links:
            return None
        gpus = self.topology.count("gpu", host)
        stated = [self.rate_of(link) for link in links]
        known = [rate for rate in stated if rate is not None]
        total = sum(known) if len(known) == len(stated) else None
        return Share(rate=total and total / gpus, link=links[0].link, kind=links[0].kind)

    def _of_nearest(self, host: Thing, members: Sequence[str]) -> Share | None:
        """Return what each of some GPUs of a host has, if each uses the card that is nearest to it."""
        cards = [card for kind in CARDS for card in self.topology.of_kind(kind, host)]
        names = {card.id.removeprefix(f"{host.id}/" if host.id else ""): self._of_card(card) for card in cards}
        ways = nearest_cards(self.net(host), members, [name for name, links in names.items() if links])
        if len(ways) < len(members):
            return self._share_of(host)
        busy = Counter(arc for way in ways.values() for arc in way)
        used = Counter(way[-1].target for way in ways.values())
        lanes = [(arc.capacity, load, arc.link, arc.kind) for arc, load in busy.items()]
        for name, load in used.items():
            stated = [self.rate_of(link) for link in names[name]]
            known = [rate for rate in stated if rate is not None]
            first = names[name][0]
            lanes.append((sum(known) if len(known) == len(stated) else None, load, first.link, first.kind))
        if any(capacity is None for capacity, *_ in lanes):
            return Share(rate=None, link=lanes[-1][2], kind=lanes[-1][3])
        rate, link, kind = min(((capacity or 0) / load, link, kind) for capacity, load, link, kind in reversed(lanes))
        return Share(rate=rate, link=link, kind=kind)

    def _of_card(self, card: Thing) -> tuple[Link, ...]:
        links = self.topology.links_at(card.id) if card.state != "down" else ()
        return tuple(link for link in links if link.kind in NETWORK and link.state != "down")

    def rate_of(self, link: Link) -> float | None:
        """Return what a link carries, at line rate or as NCCL counts it."""
        return link.nccl if self.rates == "nccl" else link.bandwidth
