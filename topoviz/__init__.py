"""topoviz turns a description of a GPU system into a picture worth publishing, and into numbers that hold.

>>> import topoviz as tv
>>> tv.plan(tv.load("dgx-h100")).bandwidth
450.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from topoviz.collectives.plan import Plan
    from topoviz.errors import SpecError, TopovizError
    from topoviz.loading import load
    from topoviz.measurements import measured
    from topoviz.model.topology import Route, Topology
    from topoviz.picture import Picture, check, diff, render
    from topoviz.planning import plan

_DOORS = {
    "load": "loading",
    "render": "picture",
    "plan": "planning",
    "check": "picture",
    "diff": "picture",
    "measured": "measurements",
    "Picture": "picture",
    "Topology": "model.topology",
    "Route": "model.topology",
    "Plan": "collectives.plan",
    "TopovizError": "errors",
    "SpecError": "errors",
}

__all__ = [
    "Picture",
    "Plan",
    "Route",
    "SpecError",
    "Topology",
    "TopovizError",
    "__version__",
    "check",
    "diff",
    "load",
    "measured",
    "plan",
    "render",
]


def __getattr__(name: str) -> Any:
    # the rooms are opened when somebody knocks, so that `topoviz --help` answers at once
    if name not in _DOORS:
        raise AttributeError(f"module 'topoviz' has no attribute '{name}'")
    return getattr(import_module(f"topoviz.{_DOORS[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
