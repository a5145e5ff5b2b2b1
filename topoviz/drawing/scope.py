"""What a view is given: the thing to draw, the wishes, the language, and how wide it may be."""

from __future__ import annotations

from dataclasses import dataclass

from topoviz.drawing.layout import Layout
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture
from topoviz.model.topology import Route, Thing, Topology

IN_PLACE = 3  # routes that are drawn over each other in one server


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The frame in which a block is drawn. ``roots`` are the things that it shows.

    ``compact`` is set in a panel beside others: no gutter, fewer words. ``panels``
    are the scopes of the panels of the picture (the picture itself if it has none).
    """

    topology: Topology
    roots: tuple[Thing, ...]
    request: Picture
    layout: Layout
    findings: Findings
    lang: str = "en"
    compact: bool = False
    panels: tuple[Scope, ...] = ()
    number: int | None = None  # of a panel, from 1
    title: str = ""  # what the panel is called


def in_place(scope: Scope) -> tuple[Route, ...]:
    """Return the routes that are drawn through the parts: of many in one server the first, for all would be a tangle."""
    routes = scope.findings.routes
    many = len(routes) > IN_PLACE and all(root.kind == "node" for root in scope.roots)
    return routes[:1] if many else routes
