"""Machines of one file, as one document: a single host is the document itself, several stand side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from topoviz.importers.evidence.draft import Draft, fit
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told


@dataclass(slots=True, kw_only=True)
class Machine:
    """One host: its draft, what the file calls its things, and what has no place in a document."""

    host: str = ""
    draft: Draft
    title: Mapping[str, str] | str = ""
    names: dict[str, str] = field(default_factory=dict)
    pairs: dict[tuple[str, str], str] = field(default_factory=dict)
    numa: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)  # GPU -> product name as printed


def title(gpus: int, model: str = "") -> dict[str, str] | str:
    """Return what a picture calls a host: by its GPUs, for its make is not in the file.

    >>> title(8)["en"], title(1, "GH200 480GB")
    ('8-GPU host', '1 × GH200 480GB')
    """
    return f"{gpus} × {model}" if model else {"en": f"{gpus}-GPU host", "zh": f"{gpus} GPU 主机"}


def imported(told: Told, machines: Sequence[Machine]) -> Imported:
    """Return the document of one host, or of several side by side; equal ones as one group."""
    note = told.note()
    first = machines[0]
    if len(machines) == 1 and not first.host:
        document = {"title": first.title, "kind": "node", **({"note": note} if note else {}), **first.draft.body()}
        names = dict(first.names)
    else:
        document = {**({"note": note} if note else {}), "contains": _side_by_side(machines)}
        names = {f"{m.host}/{said}": f"{fit(m.host)}/{name}" for m in machines for said, name in m.names.items()}
    counts = {"hosts": len(machines)}
    for machine in machines:
        for key, value in machine.counts.items():
            counts[key] = counts.get(key, 0) + value
    prefix = len(machines) > 1 or bool(first.host)
    pairs = {
        (f"{m.host}/{a}", f"{m.host}/{b}") if prefix else (a, b): code
        for m in machines
        for (a, b), code in m.pairs.items()
    }
    numa = {f"{m.host}/{a}" if prefix else a: node for m in machines for a, node in m.numa.items()}
    facts = {
        "counts": counts,
        "pairs": pairs,
        "numa": numa,
        "hosts": [m.host for m in machines],
        "models": first.models,
    }
    return Imported(document=document, told=tuple(told.found), names=names, facts=facts)


def _side_by_side(machines: Sequence[Machine]) -> dict[str, Any]:
    bodies = [{"kind": "node", "title": m.title, **m.draft.body()} for m in machines]
    if all(body == bodies[0] for body in bodies):
        return {"node": {**bodies[0], "names": [fit(m.host) for m in machines]}}
    return {fit(m.host): {**body, "title": m.host} for m, body in zip(machines, bodies, strict=True)}
