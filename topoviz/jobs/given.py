"""A job given beside a document: ``tp=8,pp=2`` becomes what the key ``job`` of a document would say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from topoviz.errors import PlanError
from topoviz.model.degrees import misfit, misordered, of_selector
from topoviz.model.grammar import DEGREES
from topoviz.model.routes import ranks
from topoviz.model.topology import Topology

NUMBERS = (*DEGREES, "micro_batch", "micro_batches")
TEXTS = ("order", "ranks")


def job_of(text: str) -> dict[str, Any]:
    """Return a job from a short text.

    >>> job_of("tp=8,pp=2,order=tp-pp-dp")
    {'tp': 8, 'pp': 2, 'order': 'tp-pp-dp'}

    Raises:
        ValueError: an unknown key, or a degree that is no whole number from 1 on.
    """
    found: dict[str, Any] = {}
    for one in (part.strip() for part in text.split(",")):
        key, sign, value = (part.strip() for part in one.partition("="))
        if key not in (*NUMBERS, *TEXTS) or not sign or not value:
            raise ValueError(f"'{one}': write {'=N, '.join(DEGREES)}=N, with commas between")
        if key in found:
            raise ValueError(f"'{one}': {key} is given twice")
        if key in NUMBERS and not (value.isascii() and value.isdecimal() and int(value) > 0):
            raise ValueError(f"'{one}': {key} is a whole number from 1 on")
        found[key] = int(value) if key in NUMBERS else value
    return found


def with_job(topology: Topology, job: Mapping[str, Any]) -> Topology:
    """Return the topology with another job; what the document says of micro-batches stays unless the job says it.

    >>> import topoviz as tv
    >>> dict(with_job(tv.load("dgx-h100"), {"tp": 4}).spec.job)
    {'tp': 4}

    Raises:
        PlanError: the degrees do not fit on the GPUs.
    """
    before = topology.spec.job
    kept = {key: before[key] for key in ("micro_batch", "micro_batches") if key in before}
    asked = {**kept, **job}
    there = of_selector(topology.root, asked["ranks"]) if "ranks" in asked else ranks(topology)
    for wrong, hint in (misfit(asked, len(there)), misordered(asked)):
        if wrong:
            raise PlanError(f"{wrong}; {hint}" if hint else wrong)
    return Topology(
        spec=replace(topology.spec, job=MappingProxyType(asked)),
        root=topology.root,
        routes=topology.routes,
        rates=topology.rates,
        diagnostics=topology.diagnostics,
    )
