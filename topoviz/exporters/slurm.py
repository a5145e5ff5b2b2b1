"""Slurm topology: topology.conf of a tree or of blocks; topology.yaml if the system has both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from topoviz.errors import TopovizError
from topoviz.model.hostlist import collapsed
from topoviz.model.topology import Thing, Topology

SUFFIX = ".conf"
HOSTS = ("node", "tray")
NETWORK = ("infiniband", "ethernet", "network")
Set = frozenset[str]


@dataclass(frozen=True, slots=True)
class Level:
    """Switches that reach the same nodes: one switch for Slurm, which knows no rails."""

    name: str
    members: tuple[str, ...]
    nodes: Set


@dataclass(frozen=True, slots=True)
class Block:
    """A rack whose nodes share an NVLink domain."""

    name: str
    nodes: tuple[str, ...]


def write(topology: Topology) -> str:
    """Return the topology as Slurm places jobs by.

    Switches that reach the same nodes, as the leaves of the rails do, are one switch for Slurm.

    >>> from topoviz.loading import load
    >>> print(write(load("nvl72-cluster")).splitlines()[-1].strip())
    nodes: rack7-tray[0-17]

    Raises:
        TopovizError: there are no nodes, no switches and no racks, or no tree.
    """
    hosts = _hosts(topology)
    names = _names(hosts)
    levels = _levels(topology, names)
    blocks = _blocks(topology, names) or ([] if levels else _blocks(topology, names, ""))
    if not levels and not blocks:
        raise TopovizError("there is neither a switch above nodes nor a rack, so Slurm has nothing to place by")
    order = list(names.values())
    if levels and blocks:
        return "\n".join(_yaml(levels, blocks, order)) + "\n"
    return "\n".join(_tree(levels, order) if levels else _block(blocks)) + "\n"


def _hosts(topology: Topology) -> list[Thing]:
    """Return the servers, and the trays that compute. Raises TopovizError."""
    found = [thing for kind in HOSTS for thing in topology.of_kind(kind) if thing.id and _computes(topology, thing)]
    if not found:
        raise TopovizError(
            "there are no nodes here; Slurm places jobs on nodes\n  hint: contains: {node: 4 x dgx-h100}"
        )
    return sorted(found, key=lambda one: one.position)


def _computes(topology: Topology, thing: Thing) -> bool:
    return thing.kind == "node" or any(topology.count(kind, thing) for kind in ("gpu", "cpu"))


def _names(hosts: Sequence[Thing]) -> dict[str, str]:
    """Return the name of each node for Slurm: its own if no other has it, else its path."""
    own = [host.name for host in hosts]
    alone = len(set(own)) == len(own)
    return {host.id: host.name if alone else host.id.replace("/", "-") for host in hosts}


def _levels(topology: Topology, names: Mapping[str, str]) -> list[Level]:
    """Return the switches from the leaves up, those with the same nodes as one. Raises TopovizError."""
    reached = _reached(topology, names)
    sets: dict[Set, list[str]] = {}
    for switch, nodes in reached.items():
        sets.setdefault(nodes, []).append(switch)
    ordered = sorted(sets, key=len)
    for at, one in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if one & other and not one <= other:
                said = f"'{sets[one][0]}' and '{sets[other][0]}' reach some nodes in common and others not, which is no tree"
                raise TopovizError(f"{said}\n  hint: Slurm knows trees only; topology.yaml may name a plane of its own")
    return [Level(_switch_name(sets[one]), tuple(sets[one]), one) for one in ordered]


def _switch_name(members: Sequence[str]) -> str:
    return members[0].replace("/", "-")


def _reached(topology: Topology, names: Mapping[str, str]) -> dict[str, Set]:
    """Return the nodes below each switch of the network, tier by tier."""
    graph = topology.graph
    near: dict[str, set[str]] = {}
    for a, b, kind in graph.edges(keys=True):
        if kind in NETWORK:
            one, other = _outer(a, names), _outer(b, names)
            near.setdefault(one, set()).add(other)
            near.setdefault(other, set()).add(one)
    switches = [thing.id for thing in topology.of_kind("switch") if thing.id in near]
    below: dict[str, Set] = {}
    row, known = set(names), set(names)
    while row:
        following = [one for one in switches if one not in known and near[one] & row]
        for one in following:
            ends = near[one] & row
            below[one] = Set().union(*({names[end]} if end in names else below[end] for end in ends))
        row = set(following)
        known |= row
    return below


def _outer(name: str, hosts: Mapping[str, str]) -> str:
    """Return the host in which a thing stands, or the thing itself."""
    here = name
    while here:
        if here in hosts:
            return here
        here = here.rpartition("/")[0]
    return name


def _blocks(topology: Topology, names: Mapping[str, str], inside: str = "nvswitch") -> list[Block]:
    """Return the racks with NVLink inside; without ``inside`` all of them, as blocks of a file that says no more."""
    out = []
    for rack in topology.of_kind("rack"):
        nodes = [name for host, name in names.items() if host.startswith(f"{rack.id}/" if rack.id else "")]
        if nodes and (not inside or topology.count(inside, rack)):
            out.append(Block(rack.id.replace("/", "-") or topology.name, tuple(nodes)))
    return out


# ---- writing


def _parents(levels: Sequence[Level]) -> dict[str, list[str]]:
    """Return the levels right below each level, by name."""
    found: dict[str, list[str]] = {level.name: [] for level in levels}
    for at, level in enumerate(levels):
        above = next((other for other in levels[at + 1 :] if level.nodes <= other.nodes), None)
        if above is not None:
            found[above.name].append(level.name)
    return found


def _nodes(level: Level, order: Sequence[str], below: Sequence[Level]) -> list[str]:
    inside = Set().union(*(one.nodes for one in below)) if below else Set()
    return [one for one in order if one in level.nodes and one not in inside]


def _rows(levels: Sequence[Level], order: Sequence[str]) -> Iterator[tuple[Level, list[str], list[str]]]:
    """Yield each level with the switches and the nodes right below it."""
    known, parents = {level.name: level for level in levels}, _parents(levels)
    for level in levels:
        children = parents[level.name]
        yield level, children, _nodes(level, order, [known[one] for one in children])


def _said(names: Sequence[str]) -> str:
    return ",".join(collapsed(names))


def _together(level: Level) -> str:
    return f"{len(level.members)} switches with the same nodes: {', '.join(collapsed(level.members))}"


def _tree(levels: Sequence[Level], order: Sequence[str]) -> Iterator[str]:
    for level, children, nodes in _rows(levels, order):
        if len(level.members) > 1:
            yield f"# {_together(level)}"
        switches = f" Switches={_said(children)}" if children else ""
        yield f"SwitchName={level.name}{switches}" + (f" Nodes={_said(nodes)}" if nodes else "")


def _block(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        yield f"BlockName={block.name} Nodes={_said(block.nodes)}"
    yield f"BlockSizes={','.join(map(str, _sizes(blocks)))}"


def _sizes(blocks: Sequence[Block]) -> list[int]:
    """Return the sizes by which Slurm joins blocks: the smallest block, doubled as long as there are enough."""
    size = min(len(block.nodes) for block in blocks)
    out, many = [size], 2
    while many <= len(blocks):
        out.append(size * many)
        many *= 2
    return out


def _yaml(levels: Sequence[Level], blocks: Sequence[Block], order: Sequence[str]) -> Iterator[str]:
    yield "# topology.yaml, for it has a tree and blocks"
    yield from ("- topology: tree", "  cluster_default: true", "  tree:", "    switches:")
    for level, children, nodes in _rows(levels, order):
        if len(level.members) > 1:
            yield f"      # {_together(level)}"
        yield f"      - switch: {level.name}"
        if children:
            yield f"        children: {_said(children)}"
        if nodes:
            yield f"        nodes: {_said(nodes)}"
    yield from ("- topology: block", "  cluster_default: false", "  block:", "    block_sizes:")
    yield from (f"      - {size}" for size in _sizes(blocks))
    yield "    blocks:"
    for block in blocks:
        yield f"      - block: {block.name}"
        yield f"        nodes: {_said(block.nodes)}"
