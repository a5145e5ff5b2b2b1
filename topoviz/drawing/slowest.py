"""The link that sets the time of a plan: its kind, and the colours of its fabric."""

from __future__ import annotations

from topoviz.drawing.look import fabric_of
from topoviz.drawing.scope import Scope


def kind_of(scope: Scope) -> str:
    """Return the kind of the link that sets the time."""
    narrowest = scope.findings.bottleneck
    return narrowest[0].kind if narrowest else scope.findings.routes[0].hops[0].kind


def _hue(scope: Scope, kind: str) -> str:
    """Return the fabric of a kind of link; a link between CPUs is no fabric of GPUs, whatever it is called."""
    for one in scope.findings.bottleneck[:1]:
        if scope.topology.root.at(one.source).kind == "cpu":
            return "frame"
    return fabric_of(kind)


def ink_of(scope: Scope, kind: str) -> str:
    """Return the colour of its name."""
    fabric = _hue(scope, kind)
    return "ink" if fabric == "frame" else f"{fabric}.text"


def fill_of(scope: Scope, kind: str) -> str:
    """Return the colour of a bar of its time."""
    fabric = _hue(scope, kind)
    return "frame" if fabric == "frame" else f"{fabric}.line"
