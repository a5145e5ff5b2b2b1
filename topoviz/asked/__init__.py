"""What a picture asks for, found on a topology: the only room where planners and pictures meet.

A question is a file here and offers::

    def found(topology: Topology, request: Picture) -> Findings

which is empty if the picture does not ask it, and raises SpecError (``refuse``) with the
place in the document if the answer cannot be had. ``QUESTIONS`` names them in the order
in which their answers are laid together.
"""

from __future__ import annotations

from topoviz.asked import differences, groups, memory, routes, texts
from topoviz.asked.refuse import refuse
from topoviz.model.findings import Estimate, Findings, merged
from topoviz.model.spec import Picture
from topoviz.model.topology import Topology

QUESTIONS = (routes, differences, memory, groups)


def finding(topology: Topology, request: Picture) -> Findings:
    """Return the answers to everything that the picture asks.

    Raises:
        SpecError: it cannot be found, or not be drawn yet; with the place in the document.
    """
    out = texts.found(topology, request)
    if request.panels and not topology.root.assembly.children:
        return out  # the document is nothing but its panels, and each of them asks for itself
    for question in QUESTIONS:
        out = merged(out, question.found(topology, request))
    if request.compute is not None and not request.panels and out.job is None:
        _held_against(out.estimate, request)
    return out


def _held_against(estimate: Estimate | None, request: Picture) -> None:
    """Raise SpecError if computing is stated and nothing that it could hide."""
    if estimate is None:
        said = "compute is held against an exchange, and the picture has none"
        raise refuse(request, "compute", said, "highlight: ring and size: 14 GB, or a model and a job", "no-exchange")
    if estimate.seconds is None:
        said = "compute is held against the time of the exchange, which nothing tells"
        why = "a size, for instance 14 GB" if estimate.size is None else "a bandwidth of every link on its way"
        raise refuse(request, "compute", said, f"it needs {why}", "no-exchange")
