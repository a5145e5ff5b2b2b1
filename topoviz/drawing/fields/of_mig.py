"""Fields about how a GPU is cut by MIG: its instances, its slices, the SMs that are used and left."""

from __future__ import annotations

from topoviz.drawing.cuts import Cut, cuts_of
from topoviz.drawing.fields.subject import Subject
from topoviz.drawing.messages import fill


def of_mig(subject: Subject, name: str) -> str | None:
    """Return a field of the first GPU that is cut; None if none is, or the value is not published."""
    found = cuts_of(subject.things)
    if not found:
        return None
    cut, tail = found[0], name.removeprefix("mig").removeprefix(".")
    if tail.startswith("one"):
        return _one(cut, tail)
    if tail in {"", "gpu", "left", "unknown"}:
        lang = subject.scope.lang
        unknown = next((one.profile for one in cut.instances if one.sms is None), None)
        return {"": cut.words, "gpu": cut.name(lang), "left": left(cut, lang), "unknown": unknown}[tail]
    number = {
        "instances": len(cut.instances),
        "compute": cut.slices.compute,
        "memory": cut.slices.memory,
        "sms": cut.used,
        "sms.total": cut.sms,
        "sms.left": None if cut.sms is None or cut.used is None else cut.sms - cut.used,
    }[tail]
    return None if number is None else str(number)


def _one(cut: Cut, tail: str) -> str | None:
    """Return the smallest profile of the cut, or its SMs where they are not its share of the compute slices."""
    one = min(cut.instances, key=lambda each: each.compute)
    if tail == "one":
        return one.profile
    uneven = one.sms is not None and cut.sms is not None and one.sms * cut.slices.compute != cut.sms * one.compute
    if tail == "one.share":
        return f"{one.compute}/{cut.slices.compute}" if uneven else None
    return str(one.sms) if uneven else None


def left(cut: Cut, lang: str) -> str | None:
    """Return what no instance has, ``20 of 132 SMs and 1 of 8 memory slices``; None if nothing is left."""
    parts = []
    if cut.sms is not None and cut.used is not None and cut.used < cut.sms:
        values = {"count": str(cut.sms - cut.used), "all": str(cut.sms)}
        parts.append(fill("{count} of {all} SMs", values, lang))
    if cut.idle_compute and not parts:
        values = {"count": str(len(cut.idle_compute)), "all": str(cut.slices.compute)}
        parts.append(fill("{count} of {all} compute slices", values, lang))
    if cut.idle_memory:
        values = {"count": str(len(cut.idle_memory)), "all": str(cut.slices.memory)}
        parts.append(fill("{count} of {all} memory slices", values, lang))
    if len(parts) > 1:
        return fill("{one} and {other}", {"one": parts[0], "other": parts[1]}, lang)
    return parts[0] if parts else None
