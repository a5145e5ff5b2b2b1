"""What a picture may show beyond the topology. Neutral: made at the roof, read by the drawing room."""

from __future__ import annotations

from dataclasses import dataclass

from topoviz.model.topology import Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How busy one directed link is, 0 to 1, while the plan runs."""

    source: str
    target: str
    kind: str
    load: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a collective moves and how long it takes; None where no size was given.

    ``bandwidth`` (GB/s, one direction) is what one rank sends at most; ``chunks`` and
    ``steps`` are those of the algorithm. ``at_least`` names what has no stated rate
    and was taken as unlimited.
    """

    collective: str
    algorithm: str
    ranks: tuple[str, ...]
    rates: str = "line"
    bandwidth: float | None = None
    link: str = ""
    size: float | None = None
    sent: float | None = None
    chunks: int | None = None
    steps: int | None = None
    seconds: float | None = None
    algbw: float | None = None
    busbw: float | None = None
    measured: float | None = None  # share of the line rate reached, 0 to 1
    unlimited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Routes, loads, the bottleneck and the estimate that go with them."""

    routes: tuple[Route, ...] = ()
    loads: tuple[Load, ...] = ()
    bottleneck: tuple[Load, ...] = ()
    estimate: Estimate | None = None
    nodes: tuple[str, ...] = ()  # highlighted ids
