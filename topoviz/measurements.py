"""What tools have measured on a machine, read, held against its topology, and drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from topoviz.loading import home, text_of
from topoviz.marks import Source
from topoviz.measuring import read
from topoviz.measuring.against import Measured, held
from topoviz.model.findings import Findings
from topoviz.model.read import picture_from
from topoviz.model.topology import Topology
from topoviz.picture import Picture

TITLE = {"en": "{expected.title}: measured against promised", "zh": "{expected.title}：实测与标称"}
SUBTITLE = {
    "en": "What was measured far below its promise is pink; the number leads to the list below.",
    "zh": "实测远低于标称之处以粉色标出，编号对应下表。",
}


def measured(topology: Topology, output: str | Path | Source) -> Measured:
    r"""Return what nccl-tests or nvbandwidth printed, held against what the topology promises; GB/s.

    >>> from topoviz.loading import load
    >>> text = "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n  0 1\n0 N/A 390.1\n1 201.4 N/A\n"
    >>> [(one.source, one.target, one.promised, one.low) for one in measured(load("dgx-h100"), Source("a", text)).low]
    [('gpu0', 'gpu1', 450.0, True)]

    Raises:
        SpecError: the output is cut, or ran on another machine.
        TopovizError: it is not the output of a tool that is known.
    """
    return held(topology, read(output if isinstance(output, Source) else text_of(output)))


def shortfalls(topology: Topology, found: Measured, **keys: Any) -> Picture:
    """Return a picture of a machine on which is marked what was measured far below its promise."""
    request = replace(picture_from({"layout": "fault-diff", "title": TITLE, "subtitle": SUBTITLE, **keys}), overlay=())
    given = Findings(differences=found.differences)
    return Picture(topology=topology, request=request, folders=home(topology), given=given)
