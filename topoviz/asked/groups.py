"""How the job of a document lies on its GPUs: groups, what carries them, what they send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from topoviz.asked.refuse import refuse
from topoviz.errors import Diagnostic, PlanError
from topoviz.jobs.groups import exposed, lay
from topoviz.jobs.warned import EXPERTS, NO_DOMAIN
from topoviz.model.findings import Findings
from topoviz.model.routes import ranks
from topoviz.model.spec import Picture
from topoviz.model.topology import Topology
from topoviz.planning import plan

if TYPE_CHECKING:
    from topoviz.collectives.plan import Plan

LAYOUTS = ("groups", "hybrid")  # that draw nothing without a job
OVERLAY = "groups"


def found(topology: Topology, request: Picture) -> Findings:
    """Return the job on its GPUs; nothing if the document has no job and nobody asks for one.

    Raises:
        SpecError: the picture asks for the groups of a job and there is none, or no GPU for it.
    """
    if not topology.spec.job:
        if request.layout in LAYOUTS or OVERLAY in request.overlay:
            raise _missing(request)
        return Findings()
    if not (request.layout or request.overlay) or not ranks(topology):
        return Findings()  # nobody looks at it: of many GPUs it takes a while

    def rings(inside: Topology, members: Sequence[str]) -> Plan:
        return plan(inside, ranks=members, rates=request.rates or "line")

    try:
        made = lay(topology, rates=request.rates or "line", planner=rings)
        visible = None if request.compute is None else exposed(made, request.compute)
        return Findings(job=replace(made, compute=request.compute, exposed=visible))
    except PlanError as problem:
        raise refuse(request, "overlay", str(problem), code="job-does-not-fit") from problem


def told(topology: Topology) -> list[Diagnostic]:
    """Return what should be known of the job of a document before it runs, where the document says the job.

    That no link joins the GPUs is a note, for no other degree would change it.
    """
    if not topology.spec.job or not ranks(topology):
        return []
    value = topology.spec.origin.get("job") or topology.spec.origin
    found = []
    for one in lay(topology).warnings:
        mark = value.mark_of("tp") if one.startswith("TP ") else value.mark
        severity = "note" if one.template in {NO_DOMAIN, EXPERTS} else "warning"
        found.append(Diagnostic(message=str(one), mark=mark, severity=severity, code="job"))
    return found


def _missing(request: Picture) -> Exception:
    key = "layout" if request.layout in LAYOUTS else "overlay"
    asked = f"the layout '{request.layout}'" if key == "layout" else f"the overlay '{OVERLAY}'"
    return refuse(request, key, f"{asked} needs a job", "job: {tp: 8}", "no-job")
