"""What the language knows and no picture shows yet: a warning each."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.errors import Diagnostic
from topoviz.model.spec import Picture

UNHEARD = ("animate",)  # read, and without effect until somebody draws them


def unheard(requests: Sequence[Picture]) -> tuple[Diagnostic, ...]:
    """Return a warning for every key of a picture or panel that has no effect yet."""
    found: list[Diagnostic] = []
    for one in requests:
        for key in UNHEARD:
            if getattr(one, key):
                mark = one.origin.key_mark(key) if one.origin is not None else None
                message = f"'{key}' is read but has no effect yet"
                found.append(Diagnostic(message=message, mark=mark, severity="warning", code="not-yet"))
        found.extend(unheard(one.panels))
    return tuple(found)
