"""Roles of switches, found from the links: leaf, spine and core by the shortest distance to a network card."""

from __future__ import annotations

from collections.abc import Mapping

from topoviz.model.folding import neighbours
from topoviz.model.topology import Topology

NETWORK = frozenset({"infiniband", "ethernet"})
CARDS = ("nic", "dpu")
ROLES = ("leaf", "spine", "core")


def roles(topology: Topology) -> Mapping[str, str]:
    """Return leaf, spine or core for every switch that is so near to a network card, by id."""
    switches = {thing.id: thing for thing in topology.of_kind("switch")}
    beside = {name: tuple(neighbours(thing, NETWORK)) for name, thing in switches.items()}
    found: dict[str, str] = {}
    near = [
        name for name in switches if any(_is_card(topology, other) for other in beside[name] if other not in switches)
    ]
    for role in ROLES:
        found |= dict.fromkeys(near, role)
        reached = {other: None for name in near for other in beside[name] if other in switches and other not in found}
        near = list(reached)
    return {name: found[name] for name in switches if name in found}


def _is_card(topology: Topology, name: str) -> bool:
    at = topology.root.assembly.at(name)
    return at is not None and at.kind in CARDS
