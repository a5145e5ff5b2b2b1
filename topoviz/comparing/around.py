"""What stands round a thing: its GPUs near by, what it is joined with, and the sums of its links by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from topoviz.model.topology import Link, Thing, Topology

HOST = ("pcie", "c2c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """All links of one kind at a thing: how many, GB/s of one direction (None if not stated), their names."""

    links: int
    bandwidth: float | None
    names: tuple[str, ...]


@dataclass(eq=False)
class Around:
    """A topology seen from its things. Links that are down are not there."""

    topology: Topology
    _near: dict[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def things(self) -> Mapping[str, Thing]:
        return {thing.id: thing for thing in self.topology.root.walk() if thing.state != "down"}

    @cached_property
    def links(self) -> Mapping[str, tuple[tuple[str, Link], ...]]:
        """Return for each thing its links that are up, with the other end."""
        found: dict[str, list[tuple[str, Link]]] = {}
        for container in (self.topology.root, *self.topology.root.walk()):
            prefix = f"{container.id}/" if container.id else ""
            for link in container.assembly.links:
                ends = (prefix + link.source, prefix + link.target)
                if link.state != "down" and ends[0] in self.things and ends[1] in self.things:
                    found.setdefault(ends[0], []).append((ends[1], link))
                    found.setdefault(ends[1], []).append((ends[0], link))
        return {name: tuple(some) for name, some in found.items()}

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of link that the topology knows."""
        return frozenset(link.kind for some in self.links.values() for _, link in some)

    def of_kind(self, kind: str) -> tuple[Thing, ...]:
        return tuple(thing for thing in self.things.values() if thing.kind == kind)

    def joined(self, name: str) -> frozenset[str]:
        return frozenset(other for other, _ in self.links.get(name, ()))

    def near(self, name: str) -> frozenset[str]:
        """Return the GPUs that are reached over PCIe bridges alone, the host not passed."""
        if name not in self._near:
            self._near[name] = self._reached(name)
        return self._near[name]

    def _reached(self, name: str) -> frozenset[str]:
        seen, queue = {name}, [name]
        while queue:
            here = queue.pop()
            for other, link in self.links.get(here, ()):
                if link.kind in HOST and other not in seen and self.things[other].kind in {"pcie", "gpu", "nic", "dpu"}:
                    seen.add(other)
                    if self.things[other].kind != "gpu":
                        queue.append(other)
        return frozenset(one for one in seen if self.things[one].kind == "gpu" and one != name)

    def pair(self, a: str, b: str, kind: str) -> Sum | None:
        """Return the links of a kind between two things; None without any."""
        return _sum([link for other, link in self.links.get(a, ()) if other == b and link.kind == kind])

    def total(self, name: str, kind: str) -> Sum | None:
        """Return all links of a kind at a thing; None without any."""
        return _sum([link for _, link in self.links.get(name, ()) if link.kind == kind])


def _sum(links: list[Link]) -> Sum | None:
    if not links:
        return None
    known = [link.bandwidth for link in links if link.bandwidth is not None]
    return Sum(
        links=sum(link.links for link in links),
        bandwidth=sum(known) if len(known) == len(links) else None,
        names=tuple(dict.fromkeys(link.link for link in links if link.link)),
    )
