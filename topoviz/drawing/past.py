"""Hops that went past the fast links although these join their ends: which they are, and the sentence about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topoviz.drawing.messages import fill
from topoviz.drawing.panels import scopes
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import LINKS
from topoviz.model.topology import Hop, Route

MOST = 2  # sentences; further routes are counted
NETWORK = ("infiniband", "ethernet")
SAID: Mapping[tuple[str, str], str] = {
    ("host", "one"): "Hop {hops}{of} goes through the host, although {link} joins its ends.",
    ("host", "some"): "Hops {hops}{of} go through the host, although {link} joins their ends.",
    ("host", "all"): "Every hop{of} goes through the host, although {link} joins all members.",
    ("network", "one"): "Hop {hops}{of} goes over the network, although {link} joins its ends.",
    ("network", "some"): "Hops {hops}{of} go over the network, although {link} joins their ends.",
    ("network", "all"): "Every hop{of} goes over the network, although {link} joins all members.",
}


def sentences(scope: Scope) -> str:
    """Return what is to be said of all routes of a picture; empty if every hop took the best link."""
    routes = tuple(dict.fromkeys(route for panel in scopes(scope) for route in panel.findings.routes))
    told = [said for route in routes for said in _told(route, scope.lang, named=len(routes) > 1)]
    more = len(told) - MOST
    rest = [fill("{count} more routes leave the fast links.", {"count": str(more)}, scope.lang)] if more > 0 else []
    return ("" if scope.lang.startswith("zh") else " ").join([*told[:MOST], *rest])


def _told(route: Route, lang: str, *, named: bool) -> list[str]:
    hops = route.hops[: max(1, len(route.nodes))]
    found: dict[tuple[str, str], list[int]] = {}
    for number, hop in enumerate(hops, start=1):
        if hop.past:
            found.setdefault((over(hop), hop.past), []).append(number)
    of = fill(" of {route}", {"route": route.name}, lang) if named else ""
    return [
        fill(SAID[which, _many(numbers, len(hops))], {"hops": _ranges(numbers), "of": of, "link": LINKS[link]}, lang)
        for (which, link), numbers in found.items()
    ]


def _many(numbers: Sequence[int], count: int) -> str:
    return "one" if len(numbers) == 1 else "all" if len(numbers) == count else "some"


def over(hop: Hop) -> str:
    """Return what a hop past the fast links went over: ``host`` or ``network``."""
    return "network" if hop.kind in NETWORK else "host"


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers, runs of three and more as ranges.

    >>> _ranges([1, 2, 3, 5, 6])
    '1-3, 5, 6'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
