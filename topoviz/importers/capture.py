"""topoviz capture: everything that a host told about itself, in one file; the best description of it is taken."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace

from topoviz import importers
from topoviz.errors import Diagnostic, SpecError
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, wrong
from topoviz.marks import Source
from topoviz.registry import called

FIRST_LINE = "# topoviz capture 1"
HEAD = re.compile(r"^# ==== (.+)$")
BEST = (  # of several descriptions of one host, the first that is there
    "nccl_topo", "nvidia_smi_topo", "rocm_smi_topo", "amd_smi_topology", "nvidia_smi_nvlink", "nvidia_smi_p2p",
    "hwloc", "ibnetdiscover",
)  # fmt: skip
WARN_TOO = ("nvidia_smi_nvlink",)  # what these find wrong is told beside the best description
WIDTHS = ("pcie.link.width.current", "pcie.link.width.max")


def head(command: str) -> str:
    """Return the line above what a command printed.

    >>> head("nvidia-smi topo -m")
    '# ==== nvidia-smi topo -m'
    """
    return f"# ==== {command}"


def recognises(text: str) -> float:
    """Return how surely a text is what ``topoviz capture`` wrote."""
    return 1.0 if text.startswith(FIRST_LINE) else 0.0


def read(source: Source) -> Imported:
    """Return the host as its best section describes it, with what the others say is wrong.

    Raises:
        SpecError: no section describes a machine, or the one that does is wrong.
    """
    told = Told(source)
    known: dict[str, tuple[str, Source]] = {}
    for command, part in _sections(source):
        form = importers.recognised(part.text)
        if form in BEST:
            known.setdefault(form, (command, part))
        elif all(word in part.text for word in WIDTHS):
            _narrow(told, part)
    best = next((form for form in BEST if form in known), "")
    if not best:
        hint = "topoviz capture, on a machine with GPUs, says which tools are missing"
        raise wrong(source, 1, "no section of this file describes a machine", hint=hint, code="empty-capture")
    found = importers.read(known[best][1], best)
    said = [*told.found, *found.told, *_warned(known, best)]
    others = [command for form, (command, _) in known.items() if form != best and form not in WARN_TOO]
    if others:
        note = f"{source.path}: drawn is what '{known[best][0]}' says; also in the file: {', '.join(others)}"
        said.append(Diagnostic(message=note, severity="note", code="inferred"))
    return replace(found, told=tuple(said), facts={**found.facts, "capture": called(best)})


def _sections(source: Source) -> Iterator[tuple[str, Source]]:
    """Yield each command with what it printed, on the lines where it stands in the file."""
    lines = source.text.split("\n")
    heads = [(at, found[1]) for at, line in enumerate(lines) if (found := HEAD.match(line))]
    for (at, command), (end, _) in zip(heads, [*heads[1:], (len(lines), "")], strict=True):
        text = "\n".join(lines[at + 1 : end])
        above = "" if text.startswith("<?xml") else "\n" * (at + 1)  # XML must begin with its declaration
        yield command, Source(source.path, above + text)


def _warned(known: dict[str, tuple[str, Source]], best: str) -> Iterator[Diagnostic]:
    for form in WARN_TOO:
        if form in known and form != best:
            try:
                yield from (one for one in importers.read(known[form][1], form).told if one.severity == "warning")
            except SpecError as problem:
                yield from (replace(one, severity="warning") for one in problem.diagnostics)


def _narrow(told: Told, part: Source) -> None:
    """Warn of PCIe links that are narrower than card and slot could be."""
    lines = [(number, line) for number, line in enumerate(part.text.split("\n"), 1) if line.strip()]
    columns = next(csv.reader([lines[0][1]], skipinitialspace=True))
    for number, line in lines[1:]:
        row = dict(zip(columns, next(csv.reader([line], skipinitialspace=True)), strict=False))
        now, most = (row.get(name, "").strip() for name in WIDTHS)
        if now.isdecimal() and most.isdecimal() and int(now) < int(most):
            said = f"GPU {row.get('index', '?').strip()} has PCIe x{now} and could have x{most}"
            told.warn("narrow-pcie", said, number, hint="reseat the card, or look for a slot or riser that is narrower")
