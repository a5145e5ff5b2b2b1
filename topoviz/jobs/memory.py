"""Whether a model fits into the memory of the GPUs, and what lies in each of them.

Per parameter: 2 bytes of weights to run a model in BF16; 16 to train it with Adam in mixed
precision, 2 weights, 2 gradients, and 12 that the optimizer keeps in FP32 (master weights,
momentum and variance, 4 each; Rajbhandari et al., ZeRO, 2020, section 3.1). GB are 10⁹ bytes.

Besides, where the document says enough (bytes are never guessed):

activations  layers × hidden × sequence × micro_batch × bytes: the input of every layer is kept,
             what lies between is computed again (Chen et al., Training Deep Nets with Sublinear
             Memory Cost, 2016)
kv           layers × kv_hidden × sequence × micro_batch × bytes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, prod
from typing import Any

from topoviz.jobs import pouring
from topoviz.model.degrees import sizes as degrees_of
from topoviz.model.findings import Filling, MemoryFit, MemoryUse, Tank
from topoviz.model.grammar import DEGREES
from topoviz.model.routes import ranks as ranks_of
from topoviz.model.spec import Text
from topoviz.model.topology import Thing, Topology

USES = ("inference", "training")
BYTES = {"weights": 2.0, "gradients": 2.0, "optimizer": 12.0, "activations": 2.0, "kv": 2.0}
ADAM = 12.0  # bytes of an optimizer with three states in FP32
STATES = ("master", "momentum", "variance")
NEEDS = {
    "activations": ("layers", "hidden", "sequence", "micro_batch"),
    "kv": ("layers", "kv_hidden", "sequence", "micro_batch"),
}
STATE_IS_SPLIT_BY = ("tp", "pp", "fsdp")  # weights, gradients, optimizer; dp, cp and ep hold copies
SPLITS_OR_COPIES = ("tp", "pp", "fsdp", "cp", "ep", "dp")  # what is said of a job, in this order
SERVER = 8  # GPUs of a server, where the document has none


def fit(topology: Topology, ranks: Sequence[str] | None = None) -> MemoryFit | None:
    """Return what the model of a document needs and how it fills the GPUs; None without parameters, GPU or memory.

    ``ranks`` are ids of the GPUs that hold it; those of the job if not given. Without a job (or
    one that states no degree) a copy is laid evenly on all of them; with one, ``dp`` is what is
    left of the GPUs and holds copies, as everywhere.

    >>> from topoviz import load
    >>> both = fit(load({"part": "dgx-h100", "model": {"params": "70 B"}}))
    >>> [(use.use, use.needed / 1e9, use.gpus_at_least, use.fits) for use in both.uses]
    [('inference', 140.0, 2, True), ('training', 1120.0, 14, False)]
    """
    model, gpus = topology.spec.model, holders(topology, ranks)
    sizes = [thing.assembly.memory.size for thing in gpus if thing.assembly.memory]
    if not model.get("params") or not gpus or len(sizes) < len(gpus):
        return None
    wanted = model.get("use") or USES
    words = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    uses = tuple(use for use in (_use(word, topology, gpus) for word in words) if use.needed)
    if not uses:
        return None  # nothing is kept: all bytes are 0
    return MemoryFit(
        params=model["params"],
        gpu=_called(gpus),
        per_gpu=min(sizes),
        memory=sum(sizes),
        gpus=len(gpus),
        uses=uses,
        servers_of=_server(gpus[0]),
    )


def without_memory(topology: Topology) -> tuple[str, ...]:
    """Return what the GPUs are called whose memory nobody stated.

    >>> from topoviz import load
    >>> without_memory(load({"contains": {"gpu": {"kind": "gpu", "count": 2}}}))
    ('gpu',)
    """
    gpus = holders(topology)
    return tuple(dict.fromkeys(gpu.part or gpu.group or gpu.kind for gpu in gpus if gpu.assembly.memory is None))


def holders(topology: Topology, ranks: Sequence[str] | None = None) -> tuple[Thing, ...]:
    """Return the GPUs that hold the model: those of the ids, else those of the job that are not down."""
    if ranks is not None:
        return tuple(topology.thing(name) for name in ranks)
    if topology.root.kind == "gpu":
        return (topology.root,)
    return tuple(thing for thing in ranks_of(topology) if thing.kind == "gpu" and thing.state != "down")


def _use(use: str, topology: Topology, gpus: Sequence[Thing]) -> MemoryUse:
    model, job = topology.spec.model, topology.spec.job
    laid = degrees_of(job, len(gpus)) if any(name in job for name in DEGREES) else {}
    parts, unknown = _parts(use, model, job)
    needed = sum(part.bytes for part in parts)
    sizes = [thing.assembly.memory.size for thing in gpus if thing.assembly.memory]
    each = _each(parts, laid, job.get("micro_batches"), len(gpus))
    held = sum(part.bytes for part in each)
    return MemoryUse(
        use=use,
        fillings=parts,
        needed=needed,
        gpus_at_least=max(1, ceil(needed / min(sizes) - 1e-9)),
        fits=held <= min(sizes),
        tanks=_tanks(gpus, each),
        poured=pouring.poured(parts, min(sizes)),
        shared=_shared(laid),
        copies=len(gpus) // _split(laid) if laid else 1,
        unknown=unknown,
    )


def _parts(
    use: str, model: Mapping[str, Any], job: Mapping[str, Any]
) -> tuple[tuple[Filling, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return the parts of one copy, and what is not counted with the keys that it needs."""
    each = {**BYTES, **model.get("bytes", {})}
    state = ("weights",) if use == "inference" else ("weights", "gradients", "optimizer")
    parts = [part for name in state for part in _state(name, model["params"], each[name])]
    more = "kv" if use == "inference" else "activations"
    said = {**model, **job}
    missing = tuple(key for key in NEEDS[more] if not said.get(key))
    if missing:
        return tuple(parts), ((more, missing),)
    elements = 1.0
    for key in NEEDS[more]:
        elements *= said[key]
    parts.append(Filling(name=more, bytes=elements * each[more], each=each[more], group=more))
    return tuple(part for part in parts if part.bytes), ()


def _state(name: str, params: float, each: float) -> tuple[Filling, ...]:
    """Return a part of the state; what Adam keeps is three parts."""
    if name == "optimizer" and each == ADAM:
        return tuple(Filling(name=one, bytes=params * each / 3, each=each / 3, group=name) for one in STATES)
    return (Filling(name=name, bytes=params * each, each=each, group=name),) if each else ()


def _shared(laid: Mapping[str, int]) -> str:
    """Return how the model is laid on the GPUs: the degrees that divide it or copy it, or ``evenly``."""
    return ", ".join(f"{name} {laid[name]}" for name in SPLITS_OR_COPIES if laid.get(name, 1) > 1) or "evenly"


def _split(laid: Mapping[str, int]) -> int:
    """Return over how many GPUs the weights of one copy are split."""
    return prod(laid.get(name, 1) for name in STATE_IS_SPLIT_BY)


def _each(
    parts: Sequence[Filling], laid: Mapping[str, int], micro_batches: int | None, gpus: int
) -> tuple[Filling, ...]:
    """Return what one GPU holds: an even share, or what the degrees of the job leave on it.

    Of activations a pipeline stage keeps its own layers for as many micro-batches as are on
    their way, at the first stage as many as there are stages.
    """
    tp, pp, cp = (laid.get(name, 1) for name in ("tp", "pp", "cp"))
    on_their_way = min(pp, micro_batches or pp)
    parted = {"activations": cp * pp / on_their_way, "kv": tp * pp * cp}
    split = _split(laid)
    return tuple(
        Filling(
            name=part.name,
            bytes=part.bytes / (parted.get(part.group, split) if laid else gpus),
            each=part.each,
            group=part.group,
        )
        for part in parts
    )


def _tanks(gpus: Sequence[Thing], each: tuple[Filling, ...]) -> tuple[Tank, ...]:
    """Return the GPUs in order, those next to each other of one sort and memory as one."""
    found: list[tuple[tuple[Text, float], list[str]]] = []
    for gpu in gpus:
        sort = _name(gpu), gpu.assembly.memory.size if gpu.assembly.memory else 0.0
        if found and found[-1][0] == sort:
            found[-1][1].append(gpu.id)
        else:
            found.append((sort, [gpu.id]))
    return tuple(
        Tank(ids=tuple(ids), count=len(ids), size=size, fillings=each, gpu=name) for (name, size), ids in found
    )


def _name(gpu: Thing) -> Text:
    return gpu.assembly.facts.get("short") or gpu.title or gpu.part or "GPU"


def _called(gpus: Sequence[Thing]) -> Text:
    """Return what the GPUs are called; several sorts together are only GPUs."""
    names = [_name(gpu) for gpu in gpus]
    return names[0] if all(name == names[0] for name in names) else "GPU"


def _server(gpu: Thing) -> int:
    """Return how many GPUs the server has in which a GPU stands; eight if it stands in none."""
    above = gpu.parent
    while above is not None and above.kind not in {"node", "tray"}:
        above = above.parent
    return above.assembly.counts.get("gpu", SERVER) if above is not None else SERVER
