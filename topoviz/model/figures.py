"""Numbers of a machine that follow from its topology: how many of what, sums of links, memory, bisection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from topoviz.model.bisection import Bisection, bisection
from topoviz.model.ground import SCALE_UP
from topoviz.model.roles import NETWORK
from topoviz.model.sites import Site, sites
from topoviz.model.topology import Link, Thing, Topology

JOINING = SCALE_UP | NETWORK  # what may join GPUs directly


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What is counted on a topology; bandwidths in GB/s, one direction, memory in bytes."""

    counts: Mapping[str, int]
    links: tuple[Link, ...]  # all links of a kind, as one
    gpu: tuple[Link, ...]  # those of one GPU, where all GPUs of the machine have the same
    memory: float | None
    pairs: tuple[int, int] | None  # pairs of GPUs without a direct link, all pairs; None with switches
    bisection: Bisection | None


def figures(topology: Topology) -> Figures:
    """Return the figures of a topology.

    >>> from topoviz.loading import load
    >>> found = figures(load("dgx-1v"))
    >>> found.links[0].links, found.pairs, found.gpu[0].bandwidth
    (24, (12, 28), 150.0)
    """
    root = topology.root
    kinds = sorted({link.kind for site in sites(topology) for link in site.thing.assembly.links}, key=_rank)
    return Figures(
        counts={kind: number for kind, number in root.assembly.counts.items() if kind},
        links=tuple(topology.total(kind) for kind in kinds),
        gpu=_of_a_gpu(topology),
        memory=_memory(topology),
        pairs=_pairs(topology),
        bisection=bisection(topology) if topology.count("gpu") > 1 else None,
    )


def _rank(kind: str) -> tuple[int, str]:
    return (0 if kind in SCALE_UP else 1 if kind in NETWORK else 2, kind)


def _of_a_gpu(topology: Topology) -> tuple[Link, ...]:
    """Return the links that leave a GPU for other GPUs, by kind; of a part that is a GPU those that its ports allow."""
    if topology.root.kind == "gpu":
        ports = [port for port in topology.root.assembly.ports or () if port.kind in JOINING]
        return tuple(_sum(port.kind, int(port.count), port.rate.line, port.rate.link) for port in ports)
    found = [dict(_of_kind(site)) for site in sites(topology) if _gpus(site)]
    first = found[0] if found else {}
    same = {kind: link for kind, link in first.items() if all(one.get(kind) == link for one in found)}
    return tuple(link for link in same.values() if link is not None)


def _gpus(site: Site) -> list[str]:
    return [child.name for child in site.thing.assembly.children if child.assembly.kind == "gpu"]


def _of_kind(site: Site) -> list[tuple[str, Link | None]]:
    """Return what all GPUs of a site have alike, by kind of link; None where they differ."""
    names = _gpus(site)
    each = [{kind: _at(site, name, kind) for kind in sorted(JOINING)} for name in names]
    return [(kind, link if all(one[kind] == link for one in each) else None) for kind, link in each[0].items()]


def _at(site: Site, name: str, kind: str) -> Link | None:
    joints = [joint for joint in site.joints[name] if joint.kind == kind and not joint.path]
    rates = [joint.bandwidth for joint in joints]
    total = sum(rate for rate in rates if rate is not None) if None not in rates else None
    number = sum(joint.links for joint in joints)
    return Link(source="", target="", kind=kind, links=number, bandwidth=total) if joints else None


def _sum(kind: str, number: int, rate: float | None, name: str) -> Link:
    total = None if rate is None else rate * number
    return Link(source="", target="", kind=kind, links=number, bandwidth=total, link=name)


def _memory(topology: Topology) -> float | None:
    """Return the memory of all GPUs together; None if one of them does not say."""
    sizes = [_size(gpu) for gpu in topology.of_kind("gpu")] if topology.count("gpu") else []
    return sum(size for size in sizes if size) if sizes and None not in sizes else None


def _size(gpu: Thing) -> float | None:
    return gpu.assembly.memory.size if gpu.assembly.memory is not None else None


def _pairs(topology: Topology) -> tuple[int, int] | None:
    """Return how many pairs of GPUs have no direct link, where GPUs are linked with each other and not by switches."""
    gpus = [gpu.id for gpu in topology.of_kind("gpu")] if 1 < topology.count("gpu") <= 64 else []
    links = [link for link in topology.fold(gpus) if link.kind in JOINING] if gpus else []
    if not links or topology.count("nvswitch"):
        return None
    joined = {frozenset((link.source, link.target)) for link in links}
    number = len(gpus) * (len(gpus) - 1) // 2
    return number - len(joined), number
