"""The one mistake that a picture makes, told with its place."""

from __future__ import annotations

from topoviz.errors import Diagnostic, SpecError
from topoviz.model.spec import Picture


def refuse(request: Picture, key: str, message: str, hint: str = "", code: str = "not-yet") -> SpecError:
    """Return the one mistake that a key of a picture makes, with its place where it was written."""
    mark = request.origin.mark_of(key) if request.origin is not None else None
    return SpecError([Diagnostic(message=message, mark=mark, hint=hint, code=code)])
