"""Ways through other ranks, over direct links: what is for a farther rank is passed on, evenly along all shortest ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topoviz.collectives.hops import Way
from topoviz.collectives.network import MESH, Arc, Network
from topoviz.model.topology import Hop


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarding:
    """How far every rank is from a source over direct links, and the arcs that come one step nearer to it."""

    source: str
    far: dict[str, int]
    into: dict[str, list[Arc]]
    ways: dict[str, int]  # how many shortest ways there are, over every single link

    @classmethod
    def over(cls, net: Network, ranks: Sequence[str], source: str) -> Forwarding:
        """Return the shortest ways from a rank to all others that direct links reach."""
        members = set(ranks)
        far, ways = {source: 0}, {source: 1}
        into: dict[str, list[Arc]] = {source: []}
        queue = [source]
        for here in queue:
            for arc in net.arcs.get(here, ()):
                if arc.target not in members or arc.kind not in MESH:
                    continue
                if arc.target not in far:
                    far[arc.target], into[arc.target], ways[arc.target] = far[here] + 1, [], 0
                    queue.append(arc.target)
                if far[arc.target] == far[here] + 1:
                    into[arc.target].append(arc)
                    ways[arc.target] += ways[here] * arc.links
        return cls(source=source, far=far, into=into, ways=ways)

    def way(self, target: str) -> Way | None:
        """Return the way to a rank that is two steps away or more; None for a neighbour and for what is not reached."""
        if self.far.get(target, 0) < 2:
            return None
        shares: dict[Arc, float] = {}
        parts = {target: 1.0}
        order = [target]
        for here in order:
            for arc in self.into[here]:
                part = parts[here] * self.ways[arc.source] * arc.links / self.ways[here]
                shares[arc] = shares.get(arc, 0.0) + part
                if arc.source not in parts:
                    parts[arc.source] = 0.0
                    order.append(arc.source)
                parts[arc.source] += part
        via = tuple(name for name in reversed(order) if name not in {self.source, target})
        hop = Hop(source=self.source, target=target, via=via, kind=self.into[target][0].kind)
        return Way(hop=hop, shares=tuple(shares.items()))
