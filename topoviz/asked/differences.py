"""What differs between the document and another: a file that was found, or the document without its faults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from topoviz import loading, resources
from topoviz.asked.refuse import refuse
from topoviz.comparing.differences import diff
from topoviz.errors import TopovizError
from topoviz.model.build import build
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture
from topoviz.model.topology import Topology


def found(topology: Topology, request: Picture) -> Findings:
    """Return the differences that the picture asks for with ``found``, or with the overlay ``faults``; else nothing.

    Raises:
        SpecError: the other file cannot be read; with the place in the document.
    """
    if request.found:
        return Findings(differences=diff(topology, _other(topology, request)))
    if "faults" in request.overlay:
        return Findings(differences=diff(without_faults(topology), topology))
    return Findings()


def _other(topology: Topology, request: Picture) -> Topology:
    folders = loading.home(topology) or (Path(),)
    here = next((folder / request.found for folder in folders if (folder / request.found).is_file()), None)
    try:
        return loading.load(here if here is not None else request.found)
    except TopovizError as problem:
        raise refuse(request, "found", str(problem).split("\n")[0], code="no-such-file") from None


def without_faults(topology: Topology) -> Topology:
    """Return the machine as it should be: what the document changes without naming a fault stays changed."""
    body = topology.spec.body
    kept = tuple(change for change in body.changes if not change.is_fault)
    spec = replace(topology.spec, body=replace(body, changes=kept), routes=())
    return build(spec, resources.Catalog(loading.home(topology)))
