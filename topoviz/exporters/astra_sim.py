"""ASTRA-sim network (analytical): a shape, a size, a rate and a latency for the scale-up domain and for what joins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from topoviz.errors import TopovizError
from topoviz.model.topology import Topology

SUFFIX = ".yml"
UP = ("nvlink", "xgmi", "ici", "neuronlink")  # kinds of scale-up links
NETWORK = ("infiniband", "ethernet", "network")
HOST = ("pcie", "c2c")
ASSUMED = 500.0  # ns; a topology has no latencies, and a simulator wants some


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """How so many things are joined; GB/s of one link (of a switch: of one NPU) in one direction."""

    shape: str
    count: int
    rate: float


def write(topology: Topology) -> str:
    """Return the file: GPUs inside a domain, then domains beside each other.

    >>> from topoviz.loading import load
    >>> print(write(load("dgx-h100")).splitlines()[1])
    topology: [ Switch ]  # of the scale-up domain, then between domains

    Raises:
        TopovizError: GPUs are joined in a way that has no shape there, or a rate is not stated.
    """
    gpus = [thing.id for thing in topology.of_kind("gpu") if not thing.id or thing.id in topology.working]
    if len(gpus) < 2:
        raise TopovizError(f"a network joins GPUs, and here {'is one' if gpus else 'are none'}")
    domains = _domains(topology, gpus)
    sizes = {len(one) for one in domains}
    if len(sizes) > 1:
        said = f"domains of {min(sizes)} and of {max(sizes)} GPUs are no dimension"
        raise TopovizError(f"{said}\n  hint: ASTRA-sim knows equal ones only")
    found = [_inside(topology, domains[0])] if len(domains[0]) > 1 else []
    found += [_between(topology, domains)] if len(domains) > 1 else []
    return _text(topology, found)


def _text(topology: Topology, found: Sequence[Dimension]) -> str:
    stated = topology.root.assembly.facts.get("latency_ns")
    given = list(stated) if isinstance(stated, (list, tuple)) and len(stated) == len(found) else []
    latencies = given or [ASSUMED] * len(found)
    rows = (
        ("topology", [one.shape for one in found], "of the scale-up domain, then between domains"),
        ("npus_count", [one.count for one in found], "from the inside out"),
        ("bandwidth", [f"{one.rate:.10g}" for one in found], "GB/s, one direction"),
        ("latency", [f"{one:.10g}" for one in latencies], "ns" if given else "ns; assumed, a topology has none"),
    )
    lines = [f"{name}: [ {', '.join(map(str, values))} ]  # {said}" for name, values, said in rows]
    return "\n".join([f"# {topology.name}: {' x '.join(str(one.count) for one in found)} NPUs", *lines, ""])


def _domains(topology: Topology, gpus: Sequence[str]) -> list[list[str]]:
    """Return the GPUs that scale-up links join, or links inside their box; in the order of the document."""
    above = {name: name for edge in topology.working.edges() for name in edge} | {name: name for name in gpus}

    def top(name: str) -> str:
        while above[name] != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    for a, b, kind in topology.working.edges(keys=True):
        if kind in UP or _box(a) == _box(b):
            above[top(b)] = top(a)
    found: dict[str, list[str]] = {}
    for name in gpus:
        found.setdefault(top(name), []).append(name)
    return list(found.values())


def _box(name: str) -> str:
    return name.rpartition("/")[0]


def _edges(topology: Topology, gpu: str, kinds: Sequence[str]) -> list[tuple[str, Mapping[str, object]]]:
    return [(other, data) for _, other, key, data in topology.working.edges(gpu, keys=True, data=True) if key in kinds]


def _inside(topology: Topology, members: Sequence[str]) -> Dimension:
    """Return how the GPUs of a domain are joined. Raises TopovizError."""
    for kinds in (UP, NETWORK, HOST):
        links = {name: _edges(topology, name, kinds) for name in members}
        inner = {
            name: [e for e in some if kinds is not NETWORK or _box(e[0]) == _box(name)] for name, some in links.items()
        }
        if all(inner.values()):
            return _shape(topology, members, inner)
    raise TopovizError("nothing joins the GPUs of a domain")


def _shape(
    topology: Topology, members: Sequence[str], links: Mapping[str, Sequence[tuple[str, Mapping[str, object]]]]
) -> Dimension:
    first, count = links[members[0]], len(members)
    through = any(topology.thing(other).kind != "gpu" for other, _ in first)
    if through:
        return Dimension(shape="Switch", count=count, rate=min(_total(some) for some in links.values()))
    peers = {name: {other for other, _ in some} for name, some in links.items()}
    rate = min(_rate(data) for some in links.values() for _, data in some)
    if all(len(some) == count - 1 for some in peers.values()):
        return Dimension(shape="FullyConnected", count=count, rate=rate)
    if all(len(some) == 2 for some in peers.values()):
        return Dimension(shape="Ring", count=count, rate=rate)
    raise TopovizError("the GPUs of a domain are joined neither by switches nor as a ring nor each with each")


def _between(topology: Topology, domains: Sequence[Sequence[str]]) -> Dimension:
    """Return how domains are joined, by the network cards of a domain or by links of its GPUs. Raises TopovizError."""
    members, count = domains[0], len(domains)
    outer = [
        edge
        for edge in _edges(topology, members[0], NETWORK)
        if edge[0] not in members and _box(edge[0]) != _box(members[0])
    ]
    if outer:
        peers = {other for other, _ in outer if topology.thing(other).kind == "gpu"}
        rate = min(_rate(data) for _, data in outer)
        if not peers:
            return Dimension(shape="Switch", count=count, rate=_total(outer))
        shape = "Ring" if len(peers) == 2 and count > 2 else "FullyConnected" if len(peers) == count - 1 else ""
        if not shape:
            raise TopovizError("the domains are joined neither by switches nor as a ring nor each with each")
        return Dimension(shape="Ring" if count == 2 else shape, count=count, rate=rate)
    rates = [_by_cards(topology, one) for one in domains]
    if not all(rates):
        raise TopovizError("no network joins the domains of GPUs")
    return Dimension(shape="Switch", count=count, rate=min(rates) / len(members))


def _by_cards(topology: Topology, members: Sequence[str]) -> float:
    """Return what the network cards beside the GPUs of a domain carry; 0 without one that works."""
    boxes = {_box(name) for name in members}
    cards = [one.id for kind in ("nic", "dpu") for one in topology.of_kind(kind) if _box(one.id) in boxes]
    return _total([edge for card in cards if card in topology.working for edge in _edges(topology, card, NETWORK)])


def _total(edges: Sequence[tuple[str, Mapping[str, object]]]) -> float:
    return sum(_rate(data) for _, data in edges)


def _rate(data: Mapping[str, object]) -> float:
    rate = data.get("bandwidth")
    if not isinstance(rate, (int, float)):
        raise TopovizError(
            f"a {data.get('kind', '')} link has no stated rate, and ASTRA-sim needs one\n  hint: bandwidth: 50 GB/s"
        )
    return float(rate)
