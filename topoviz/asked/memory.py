"""Whether the model of a document fits into the memory of its GPUs."""

from __future__ import annotations

from topoviz.asked.refuse import refuse
from topoviz.drawing.blocks import flat
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic, SpecError
from topoviz.jobs.memory import fit, holders, without_memory
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture
from topoviz.model.topology import Topology

LAYOUT = "memory"
SHOW_MEMORY = ("tanks", "groups")  # views that draw it


def found(topology: Topology, request: Picture) -> Findings:
    """Return how the model fills the GPUs; nothing if the document has no model and nobody asks.

    Raises:
        SpecError: the picture asks for it and something it needs is not said.
    """
    memory = fit(topology)
    if memory is None and _asked(request):
        raise _missing(topology, request)
    return Findings(memory=memory)


def _asked(request: Picture) -> bool:
    return request.layout == LAYOUT or "memory" in request.overlay


def _missing(topology: Topology, request: Picture) -> SpecError:
    key, asked = ("layout", "the layout 'memory'") if request.layout == LAYOUT else ("overlay", "the overlay 'memory'")
    code, model = "no-memory-fit", topology.spec.model
    if not model:
        return refuse(request, key, f"{asked} needs a model", "model: {params: 70 B}", code)
    if not model.get("params"):
        return refuse(request, key, f"{asked} needs the parameters of the model", "model: {params: 70 B}", code)
    silent = without_memory(topology)
    if silent:
        said = f"{asked} needs the memory of the GPUs, and that of {', '.join(silent)} is not stated"
        return refuse(request, key, said, "memory: 80 GB in the part", code)
    if holders(topology):
        return refuse(request, key, f"{asked} has nothing to fill: 'bytes' says 0 for all", code=code)
    return refuse(request, key, f"{asked} needs a GPU, and there is none that is up", code=code)


def left_out(scope: Scope) -> tuple[Diagnostic, ...]:
    """Return a warning if the overlay was asked for and the layout has no tanks."""
    if "memory" not in scope.request.overlay or any(block.view in SHOW_MEMORY for block in flat(scope.layout.block)):
        return ()
    origin = scope.request.origin
    message = f"overlay memory is not drawn: the layout '{scope.layout.name}' has no tanks"
    mark = origin.mark_of("overlay") if origin is not None else None
    hint = "the layout 'memory' has; so has none at all, for then it is chosen"
    return (Diagnostic(message=message, mark=mark, hint=hint, severity="warning", code="not-drawn"),)
