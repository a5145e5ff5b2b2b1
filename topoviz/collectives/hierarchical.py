"""Hierarchical: reduce-scatter in each box, all-reduce between equal places of all boxes, all-gather in each box.

Between the boxes only 1/n of the data travels, n being the GPUs of a box. Inside and across can
overlap on different parts of the buffer: the time is the longer of both, and their sum if they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from topoviz.collectives import flow
from topoviz.collectives.cost import ROUNDS, Phase
from topoviz.collectives.flow import Cards, counted, known, medium, wanted
from topoviz.collectives.hops import Way
from topoviz.collectives.network import Network, nearest_cards, network
from topoviz.collectives.plan import Plan
from topoviz.collectives.ring import Course, boxes_of, fewer, in_box
from topoviz.errors import PlanError
from topoviz.model.findings import Load
from topoviz.model.topology import Route, Topology

COLLECTIVES = tuple(ROUNDS)


class Carried(Protocol):
    """What links carry: a flow that was followed, or one that was tallied by kinds."""

    @property
    def rate(self) -> float | None: ...
    @property
    def link(self) -> str: ...
    @property
    def loads(self) -> tuple[Load, ...]: ...
    @property
    def bottleneck(self) -> tuple[Load, ...]: ...
    @property
    def unlimited(self) -> tuple[str, ...]: ...


def plan(
    topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line", most: int | None = None
) -> Plan:
    """Return the plan of rings in every box and of rings between the boxes; ``most`` takes only so many in a box.

    Raises:
        PlanError: there is one box only, the boxes do not hold equally many ranks, or two are not joined.
    """
    if collective not in COLLECTIVES:
        raise PlanError(f"hierarchical cannot do '{collective}', only {', '.join(COLLECTIVES)}")
    net = network(topology, rates, ranks)
    known(net, ranks)
    boxes = boxes_of(net, ranks)
    check([len(box) for box in boxes])
    courses = [in_box(net, box, rates) for box in boxes] if len(boxes[0]) > 1 else []
    inner = [one if most is None else fewer(one, most) for one in courses]
    inside_routes, inside_parts = _inside(net, inner, rates)
    across_routes, across_parts = _across(net, boxes, rates, nearest_cards(net, ranks))
    inside, across = flow.flow(inside_parts), flow.flow(across_parts)
    steps = counted((hop for hop in inside_routes[0].hops), len(boxes[0]) - 1, 1) if inside_routes else ()
    phases = phases_of(collective, len(boxes[0]), len(boxes), inside, across, steps, medium(across_routes[0].hops[0]))
    return assembled(
        collective, ranks, (*inside_routes, *across_routes), (inside, across), phases, rates,
        notes=flow.why(net, across),
    )  # fmt: skip


def check(sizes: Sequence[int]) -> None:
    """Check that there are several boxes with equally many ranks. Raises PlanError."""
    if len(sizes) < 2:
        raise PlanError(
            "hierarchical needs several boxes, and all these GPUs are in one; a ring or a tree works in one"
        )
    if len(set(sizes)) > 1:
        raise PlanError(f"hierarchical needs equally many GPUs in every box, and here are {min(sizes)} to {max(sizes)}")


def _inside(net: Network, inner: Sequence[Course], rates: str) -> tuple[list[Route], list[tuple[Way, float]]]:
    routes: list[Route] = []
    parts: list[tuple[Way, float]] = []
    for number, course in enumerate(inner):
        total = sum(count for _, count in course.rings)
        for nodes, count in course.rings:
            ways = [wanted(net, a, b, rates) for a, b in zip(nodes, (*nodes[1:], nodes[0]), strict=True)]
            parts.extend((one, count / total) for one in ways)
            hops = tuple(one.hop for one in ways)
            routes.append(Route(name=f"inside {number}", shape="ring", nodes=nodes, hops=hops, count=count))
    return routes, parts


def _across(
    net: Network, boxes: Sequence[Sequence[str]], rates: str, cards: Cards
) -> tuple[list[Route], list[tuple[Way, float]]]:
    routes: list[Route] = []
    parts: list[tuple[Way, float]] = []
    for place, nodes in enumerate(zip(*boxes, strict=True)):
        ways = [wanted(net, a, b, rates, cards) for a, b in zip(nodes, (*nodes[1:], nodes[0]), strict=True)]
        parts.extend((one, 1.0) for one in ways)
        hops = tuple(one.hop for one in ways)
        routes.append(Route(name=f"across {place}", shape="ring", nodes=nodes, hops=hops))
    return routes, parts


def phases_of(
    collective: str,
    inner: int,
    boxes: int,
    inside: Carried,
    across: Carried,
    steps: tuple[tuple[str, int], ...],
    kind: str,
) -> tuple[Phase, ...]:
    """Return what a rank sends inside its box and between boxes; n GPUs in each of m boxes."""
    rounds = ROUNDS[collective]
    first = Phase(
        name="inside", share=rounds * (inner - 1) / inner, bandwidth=inside.rate, link=inside.link,
        steps=tuple((name, count * rounds) for name, count in steps),
    )  # fmt: skip
    second = Phase(
        name="across", share=rounds * (boxes - 1) / boxes / inner, bandwidth=across.rate, link=across.link,
        steps=((kind, rounds * (boxes - 1)),),
    )  # fmt: skip
    return (first, second) if inner > 1 else (second,)


def assembled(
    collective: str, ranks: Sequence[str], routes: Sequence[Route], flows: tuple[Carried, Carried],
    phases: tuple[Phase, ...], rates: str, *, notes: tuple[str, ...],
) -> Plan:  # fmt: skip
    """Return the plan of both phases; loads are those while both run side by side."""
    inside, across = flows
    times = [None if one.bandwidth is None else one.share / one.bandwidth for one in phases]
    stated = [one for one in times if one is not None]
    longest = max(stated) if stated and len(stated) == len(times) else None
    narrow = across if longest is None or longest == times[-1] else inside
    scale = [1.0 if longest is None or one is None else one / longest for one in times]
    loads = [_scaled(one, part) for one, part in zip(flows[-len(phases) :], scale, strict=True)]
    return Plan(
        collective=collective,
        algorithm="hierarchical",
        ranks=tuple(ranks),
        routes=tuple(routes),
        loads=tuple(load for some in loads for load in some),
        bottleneck=narrow.bottleneck,
        bandwidth=None if longest is None else sum(phase.share for phase in phases) / longest,
        rates=rates,
        link=narrow.link,
        unlimited=tuple(dict.fromkeys((*inside.unlimited, *across.unlimited))),
        order="rings in every box, rings between equal places of all boxes",
        phases=phases,
        notes=notes,
    )


def _scaled(found: Carried, part: float) -> tuple[Load, ...]:
    return tuple(
        Load(source=one.source, target=one.target, kind=one.kind, load=one.load * part, count=one.count)
        for one in found.loads
    )
