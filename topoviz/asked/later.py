"""What the language knows and no picture shows yet: one clear answer each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.asked.refuse import refuse
from topoviz.errors import Diagnostic, SpecError
from topoviz.model.spec import Picture
from topoviz.model.topology import Assembly, Topology

LAYOUTS_LATER = {"mig": "mig"}
UNHEARD = ("animate",)  # read, and without effect until somebody draws them


def refuse_cuts(topology: Topology) -> None:
    """Tell that a cut GPU cannot be drawn yet: drawn whole it would be a wrong picture.

    Raises:
        SpecError: with the place of `mig` where the document says it.
    """
    cut = next((assembly for assembly in _types(topology.root.assembly) if assembly.mig), None)
    if cut is None:
        return
    origin = topology.spec.body.origin
    mark = origin.mark_of("mig") if origin.get("mig") is not None else None
    message = f"'mig' is read but not drawn yet, so {cut.part or cut.kind} cannot be shown cut in {len(cut.mig)}"
    raise SpecError([Diagnostic(message=message, mark=mark, hint="leave it out for now", code="not-yet")])


def _types(assembly: Assembly) -> Iterator[Assembly]:
    """Yield an assembly and every type inside it."""
    yield assembly
    for inner, _ in assembly.variety:
        yield from _types(inner)


def refuse_later(request: Picture) -> None:
    """Tell what a picture asks for that is read but not drawn yet.

    Raises:
        SpecError: with the place in the document.
    """
    if request.layout in LAYOUTS_LATER:
        raise refuse(request, "layout", f"'{LAYOUTS_LATER[request.layout]}' is read but not drawn yet")


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
