"""A collective planned on a topology by the algorithm asked for, or by the one that suits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from topoviz.collectives import direct, hierarchical, large, nvls, ring, send, tree
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import Plan
from topoviz.errors import PlanError
from topoviz.model.spelling import nearest
from topoviz.model.topology import Topology

Planner: TypeAlias = Callable[..., Plan]
ALGORITHMS: Mapping[str, Planner] = MappingProxyType(
    {
        "ring": ring.plan,
        "tree": tree.plan,
        "nvls": nvls.plan,
        "hierarchical": hierarchical.plan,
        "direct": direct.plan,
        "send": send.plan,
    }
)
ABLE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ring": ring.COLLECTIVES,
        "tree": tree.COLLECTIVES,
        "nvls": nvls.COLLECTIVES,
        "hierarchical": hierarchical.COLLECTIVES,
        "direct": direct.COLLECTIVES,
        "send": send.COLLECTIVES,
    }
)
FIRST: Mapping[str, str] = MappingProxyType({"direct": "all-to-all", "send": "send"})  # of the others it is all-reduce
COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "broadcast", "reduce", "all-to-all", "send")


def plan(
    topology: Topology,
    collective: str = "all-reduce",
    algorithm: str = "auto",
    ranks: Sequence[str] | None = None,
    rates: str = "line",
    *,
    rings: int | None = None,
) -> Plan:
    """Return a collective planned on a topology.

    ``auto`` is the ring where it can do the collective (trees where no ring goes round), a tree for
    a reduce, direct for an all-to-all, the way of a copy for a send. ``ranks`` are ids of GPUs in rank
    order; ``rates`` is ``line`` or ``nccl``; ``rings`` takes only so many rings.

    >>> import topoviz as tv
    >>> plan(tv.load("dgx-h100")).bandwidth
    450.0
    >>> plan(tv.load("dgx-1v"), algorithm="ring").bound.rings
    6

    Raises:
        PlanError: there is no way, or the algorithm cannot do the collective.
    """
    members = tuple(ranks) if ranks is not None else gpus(topology)
    _check_whole(topology, members)
    if collective not in COLLECTIVES:
        raise PlanError(f"unknown collective '{collective}'{_instead(collective, COLLECTIVES)}")
    if algorithm == "auto":
        return _best(topology, members, collective, rates, rings)
    if algorithm not in ALGORITHMS:
        raise PlanError(f"unknown algorithm '{algorithm}'{_instead(algorithm, ('auto', *ALGORITHMS))}")
    return _made(topology, members, collective, algorithm, rates, rings)


def _check_whole(topology: Topology, members: Sequence[str]) -> None:
    """Refuse GPUs that MIG cuts: between instances there is neither NVLink nor peer access over PCIe."""
    why = "cut by MIG, and its instances have no peer access over NVLink or PCIe"
    if not members:
        found = next((thing for thing in topology.of_kind("gpu") if thing.assembly.mig), None)
        if found is not None:
            raise PlanError(f"no GPU is whole: {found.id} is {why}")
    for name in members:
        if topology.thing(name).assembly.mig:
            raise PlanError(f"{name} is {why}; leave it out of the ranks")


def _made(
    topology: Topology, members: Sequence[str], collective: str, algorithm: str, rates: str, rings: int | None
) -> Plan:
    """Return the plan: of a large machine by kinds of boxes, else looked at in full."""
    able = collective in ABLE[algorithm] and rings is None
    found = large.plan(topology, members, collective, algorithm, rates) if able else None
    return found or ALGORITHMS[algorithm](topology, members, collective, rates=rates, **_only(algorithm, rings))


def _only(algorithm: str, rings: int | None) -> dict[str, int]:
    if rings is None:
        return {}
    if algorithm not in {"ring", "hierarchical"}:
        raise PlanError(f"a number of rings belongs to ring and hierarchical, not to '{algorithm}'")
    return {"most": rings}


def _best(topology: Topology, members: Sequence[str], collective: str, rates: str, rings: int | None) -> Plan:
    first = next(name for name, able in ABLE.items() if collective in able)
    try:
        return _made(topology, members, collective, first, rates, rings)
    except PlanError:
        if first != "ring" or collective not in tree.COLLECTIVES or rings is not None or len(members) < 2:
            raise
        try:
            return tree.plan(topology, members, collective, rates=rates)
        except PlanError:
            pass
        raise


def _instead(word: str, known: Sequence[str]) -> str:
    near = nearest(word, known)
    return f"; did you mean '{near}'?" if near else f"; there is {', '.join(known)}"
