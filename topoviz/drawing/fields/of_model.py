"""Fields about the model of the document: its parameters, what it keeps in memory, whether it fits."""

from __future__ import annotations

from topoviz.drawing import memory_words, model_words
from topoviz.drawing.messages import fill
from topoviz.drawing.scope import Scope
from topoviz.model.findings import MemoryFit, MemoryUse

PARTS = ("weights", "gradients", "optimizer", "activations", "kv")


def of_model(scope: Scope, name: str) -> str | None:
    """Return a field of the model; None without one, or for what its use does not keep.

    A part is that of the use that needs most: of training, where the document asks for both.
    """
    memory = next((one.findings.memory for one in (scope, *scope.panels) if one.findings.memory is not None), None)
    if memory is None:
        return None
    use = max(memory.uses, key=lambda one: one.needed)
    if name in PARTS:
        kept = [
            part.bytes for one in memory.uses for part in one.fillings if part.group == name and _counts(one, use, name)
        ]
        return model_words.gigabytes(sum(kept)) if kept else None
    return _said(memory, use, name, scope.lang)


def _counts(one: MemoryUse, most: MemoryUse, name: str) -> bool:
    return one is most or name == "kv"


def _said(memory: MemoryFit, use: MemoryUse, name: str, lang: str) -> str | None:
    comma = "、" if lang.startswith("zh") else ", "
    if name == "model":
        return fill("{params} parameters", {"params": model_words.params(memory.params, lang)}, lang)
    if name == "params":
        return model_words.params(memory.params, lang)
    if name == "bytes":
        found = dict.fromkeys((part.each, model_words.name(part, lang)) for part in use.fillings if part.group)
        return comma.join(f"{each:g} {what}" for each, what in found)
    if name == "verdict":
        return memory_words.verdict(memory, lang)
    if name == "copies":
        return memory_words.copies(memory, use, lang)
    return model_words.unknown(memory.uses, lang) or None
