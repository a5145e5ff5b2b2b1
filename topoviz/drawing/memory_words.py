"""What is said of a use of a model: the head, the division, and what practice adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from types import MappingProxyType

from topoviz.drawing import model_words
from topoviz.drawing.messages import fill, message
from topoviz.drawing.tank_groups import FEW, gpu_name
from topoviz.model.findings import MemoryFit, MemoryUse

Fact = tuple[str, ...]  # a head and up to two lines
HEADS = {
    ("inference", False): "To run it: weights only",
    ("inference", True): "To run it: weights and KV cache",
    ("training", False): "To train it: {bytes} bytes per parameter",
    ("training", True): "To train it: {bytes} bytes per parameter, and activations",
}
EVENLY = "One copy, split over the GPUs (ZeRO-3, FSDP, tensor or pipeline parallel)"
COUNTED = f"{EVENLY}; an order of filling is only for counting"

# what of running and training fits on the GPUs that there are
VERDICTS: Mapping[tuple[tuple[str, bool], ...], str] = MappingProxyType(
    {
        (("inference", True),): "{count} × {gpu} can run it",
        (("inference", False),): "{count} × {gpu} cannot run it",
        (("training", True),): "{count} × {gpu} can train it",
        (("training", False),): "{count} × {gpu} cannot train it",
        (("inference", True), ("training", True)): "{count} × {gpu} can run and train it",
        (("inference", True), ("training", False)): "{count} × {gpu} can run it and cannot train it",
        (("inference", False), ("training", True)): "{count} × {gpu} can train it and cannot run it",
        (("inference", False), ("training", False)): "{count} × {gpu} can neither run nor train it",
    }
)


def head(use: MemoryUse, lang: str) -> str:
    """Return what the use is and what it keeps."""
    more = any(part.group in {"kv", "activations"} for part in use.fillings)
    return fill(HEADS[use.use, more], {"bytes": f"{model_words.state(use):g}"}, lang)


def sum_of(memory: MemoryFit, use: MemoryUse, lang: str) -> str:
    """Return the multiplication: ``70 × 10⁹ parameters × 16 bytes = 1,120 GB``."""
    each = model_words.state(use)
    more = [part for part in use.fillings if part.group in {"kv", "activations"}]
    left = model_words.product(memory, each, lang)
    for part in more:
        left += f" + {model_words.gigabytes(part.bytes)} {model_words.name(part, lang)}"
    return f"{left} = {model_words.gigabytes(use.needed)}"


def facts(memory: MemoryFit, use: MemoryUse, others: Sequence[MemoryFit], lang: str) -> tuple[Fact, ...]:
    """Return the division, the servers it takes, and how many of other GPUs it would take."""
    found = []
    if not use.fits and use.gpus_at_least > FEW:
        found.append(division(memory, use, lang))
        if memory.servers_of < use.gpus_at_least:
            found.append(_servers(memory, use, lang))
    for other in others:
        same = next((one for one in other.uses if one.use == use.use), None)
        if same is not None:
            found.append(_elsewhere(other, same, lang))
    return tuple(found)


def division(memory: MemoryFit, use: MemoryUse, lang: str) -> Fact:
    """Return the division written out, and what it leaves."""
    left = use.gpus_at_least * memory.per_gpu - use.needed
    values = {"value": model_words.gigabytes(left)}
    if left < 1:
        said = (message("exactly full: 0 GB left", lang), message("for activations and buffers", lang))
    else:
        said = (fill("{count} at least", {"count": str(use.gpus_at_least)}, lang), fill("{value} left", values, lang))
    return (f"{_divided(memory, use)}", *said)


def _divided(memory: MemoryFit, use: MemoryUse) -> str:
    quotient = use.needed / memory.per_gpu
    exact = abs(quotient - round(quotient)) < 1e-9
    result = f"= {round(quotient):,}" if exact else f"= {quotient:,.1f}"
    return f"{model_words.gigabytes(use.needed)} ÷ {model_words.gigabytes(memory.per_gpu)} {result}"


def _servers(memory: MemoryFit, use: MemoryUse, lang: str) -> Fact:
    size = memory.servers_of
    servers = ceil(use.gpus_at_least / size)
    left = servers * size * memory.per_gpu - use.needed
    values = {"count": str(size), "servers": str(servers), "gpus": str(servers * size)}
    return (
        fill("In servers of {count}: {gpus} GPUs", values, lang),
        fill("{servers} servers, {value} left", {**values, "value": model_words.gigabytes(left)}, lang),
        message("for activations and buffers", lang),
    )


def _elsewhere(other: MemoryFit, use: MemoryUse, lang: str) -> Fact:
    name = gpu_name(other, lang)
    values = {"gpu": name, "size": model_words.gigabytes(other.per_gpu), "count": f"{use.gpus_at_least:,}"}
    if other.gpus == 1:
        return (
            fill("On {gpu}, {size} each", values, lang),
            _divided(other, use),
            fill("{count} at least", values, lang),
        )
    values["count"] = f"{other.gpus:,}"
    there = f"{other.gpus:,} × {model_words.gigabytes(other.per_gpu)} = {model_words.gigabytes(other.memory)}"
    times = other.memory / use.needed
    said = (
        fill("{times} × what it takes", {"times": f"{times:.2g}"}, lang)
        if times >= 2
        else model_words.left(other.memory, use.needed, lang)
    )
    return (fill("On {count} × {gpu}", values, lang), there, said)


def copies(memory: MemoryFit, use: MemoryUse, lang: str) -> str:
    """Return how many copies of the model there are, and over how many GPUs each is split."""
    if use.shared == "evenly":
        return message(COUNTED if memory.gpus == 1 else EVENLY, lang)
    split = memory.gpus // use.copies
    values = {"count": f"{use.copies:,}", "gpus": f"{split:,}", "shared": use.shared}
    if use.copies == 1:
        return fill("One copy, split over {gpus} GPUs: {shared}", values, lang)
    if split == 1:
        return fill("{count} copies, one whole on each GPU: {shared}", values, lang)
    return fill("{count} copies, each split over {gpus} GPUs: {shared}", values, lang)


def verdict(memory: MemoryFit, lang: str) -> str:
    """Return the answer in one line: what runs on so many GPUs, what it takes to train it."""
    name = gpu_name(memory, lang)
    if memory.gpus > 1:
        fits = tuple((use.use, use.fits) for use in memory.uses)
        answer = fill(VERDICTS[tuple(sorted(fits))], {"count": f"{memory.gpus:,}", "gpu": name}, lang)
        shared = memory.uses[0].shared
        return answer if shared == "evenly" else fill("{a} ({shared})", {"a": answer, "shared": shared}, lang)
    said = []
    for use in memory.uses:
        one = "{count} × {gpu} to run it" if use.use == "inference" else "{count} × {gpu} or more to train it"
        said.append(fill(one, {"count": f"{use.gpus_at_least:,}", "gpu": name}, lang))
    return ("，" if lang.startswith("zh") else ", ").join(said)
