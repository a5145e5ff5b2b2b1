"""A collective planned on a topology by the algorithm asked for, or by the best there is."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.collectives import ring
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import Plan
from topoviz.errors import PlanError
from topoviz.model.topology import Topology


def plan(
    topology: Topology,
    collective: str = "all-reduce",
    algorithm: str = "auto",
    ranks: Sequence[str] | None = None,
    rates: str = "line",
) -> Plan:
    """Return a collective planned on a topology.

    >>> import topoviz as tv
    >>> plan(tv.load("dgx-h100")).bandwidth
    450.0

    Raises:
        PlanError: there is no way, or the algorithm is not planned yet.
    """
    if algorithm not in {"auto", "ring"}:
        raise PlanError(f"'{algorithm}' is not planned yet; ring is")
    members = tuple(ranks) if ranks is not None else gpus(topology)
    return ring.plan(topology, members, collective, rates=rates)
