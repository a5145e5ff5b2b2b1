"""What was measured on a machine, held against what its topology promises.

A file in ``tools`` is a tool whose output is read: ``recognises(text) -> float`` and ``read(source) -> Run``.
"""

from __future__ import annotations

from topoviz import registry
from topoviz.errors import TopovizError
from topoviz.marks import Source
from topoviz.measuring.runs import Run

PACKAGE = "topoviz.measuring.tools"
SURE = 0.3


def read(source: Source) -> Run:
    """Return what a tool has measured; the tool is recognised by the content.

    Raises:
        SpecError: the output is cut, or has no numbers.
        TopovizError: no tool that is known writes such a text.
    """
    sure = {name: float(registry.get(PACKAGE, name).recognises(source.text)) for name in registry.names(PACKAGE)}
    best = max(sure, key=lambda name: sure[name])
    if sure[best] < SURE:
        known = " and ".join(registry.called(name) for name in sure)
        raise TopovizError(f"{source.path}: this is no output of {known}")
    found: Run = registry.get(PACKAGE, best).read(source)
    return found
