"""The degrees of a job against the GPUs that there are: what is left for ``dp``, and what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from topoviz.marks import Mark
from topoviz.model.ends import told
from topoviz.model.grammar import DEGREES
from topoviz.model.report import Report
from topoviz.model.selectors import find
from topoviz.model.spec import Spec
from topoviz.model.topology import Thing

WORLD = ("tp", "cp", "fsdp", "dp", "pp")  # their product is the number of ranks; experts share these
ORDER = ("tp", "cp", "ep", "dp", "pp")  # Megatron-LM's, the fastest first
WITHIN = {"fsdp": "dp", "etp": "tp"}  # an axis that an order need not name, and the one that it stands beside
NO_GPU = "ranks: names GPUs, or what holds them"
EXAMPLE = "for instance tp-cp-ep-dp-pp, the fastest first"


def check(spec: Spec, root: Thing, report: Report) -> None:
    """Note what is wrong about the job of a document; nothing if it has none, or no machine yet."""
    job = spec.job
    if not job or not (root.assembly.children or root.kind == "gpu"):
        return
    value = spec.origin.get("job") or spec.origin
    ranks = _number(job, root, value.mark_of("ranks"), report)
    if not ranks:
        if ranks == 0:
            report.error(value.mark_of("ranks"), "there is no GPU for the job to run on", NO_GPU, "job-does-not-fit")
        return
    _check_order(job, value.mark_of("order"), report)
    wrong = misfit(job, ranks)
    if wrong[0]:
        report.error(value.mark, *wrong, "job-does-not-fit")


def of_selector(root: Thing, selector: object) -> tuple[Thing, ...]:
    """Return the GPUs that a selector means: those that it finds, and those inside what it finds."""
    found: dict[str, Thing] = {}
    for text in texts(selector):
        for thing in find(root, text)[0]:
            inside = (thing,) if thing.kind == "gpu" else tuple(one for one in thing.walk() if one.kind == "gpu")
            found.update((one.id, one) for one in inside)
    return tuple(found.values())


def texts(selector: object) -> tuple[str, ...]:
    """Return the texts of a selector, one or several."""
    return tuple(str(one) for one in selector) if isinstance(selector, (list, tuple)) else (str(selector),)


def sizes(job: Mapping[str, Any], ranks: int) -> dict[str, int]:
    """Return the size of every kind of group; ``dp`` is what is left of the ranks if the job does not say it.

    >>> sizes({"tp": 8, "pp": 2}, 32)["dp"]
    2
    """
    found = {name: int(job.get(name, 1)) for name in DEGREES}
    if "dp" not in job:
        others = prod(found[name] for name in WORLD if name != "dp")
        found["dp"] = max(1, ranks // others)
    return found


def misfit(job: Mapping[str, Any], ranks: int) -> tuple[str, str]:
    """Return why the degrees of a job do not fit on so many GPUs, and what would; two empty texts if they do.

    >>> misfit({"tp": 8, "pp": 2, "dp": 3}, 32)
    ('tp 8 × pp 2 × dp 3 = 48, but there are 32 GPUs', 'leave dp out and it becomes 2')
    >>> misfit({"tp": 4}, 2), misfit({"tp": 3}, 8)[0]
    (('tp 4 needs 4 GPUs, but there are 2', ''), 'tp 3 does not divide 8 GPUs')
    """
    given = [name for name in DEGREES if name in WORLD and name in job]
    needed = prod(job[name] for name in given)
    said = " × ".join(f"{name} {job[name]}" for name in given)
    others = needed // job.get("dp", 1)
    rest = ranks // others
    hint = f"leave dp out and it becomes {rest}" if "dp" in job and rest and ranks % others == 0 else ""
    gpus = "GPU" if ranks == 1 else "GPUs"
    if needed > ranks or ("dp" in job and needed != ranks):
        if len(given) == 1:
            return f"{said} needs {needed} {'GPU' if needed == 1 else 'GPUs'}, but there {_are(ranks)} {ranks}", hint
        return f"{said} = {needed}, but there {_are(ranks)} {ranks} {gpus}", hint
    if ranks % needed:
        product = f"{said} = {needed}" if len(given) > 1 else said
        return f"{product} does not divide {ranks} {gpus}", ""
    return _experts(job, ranks)


def _experts(job: Mapping[str, Any], ranks: int) -> tuple[str, str]:
    """Return whether the experts find room: they share the ranks of one pipeline stage."""
    stage = ranks // job.get("pp", 1)
    needed = job.get("ep", 1) * job.get("etp", 1)
    if stage % needed == 0:
        return "", ""
    said = " × ".join(f"{name} {job[name]}" for name in ("ep", "etp") if job.get(name, 1) > 1)
    product = f"{said} = {needed}" if "×" in said else said
    return f"{product} does not divide the {stage} GPUs of a pipeline stage", "experts share the ranks of tp, cp and dp"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _number(job: Mapping[str, Any], root: Thing, mark: Mark, report: Report) -> int | None:
    """Return how many ranks there are; None if one of their selectors finds nothing."""
    wanted = texts(job.get("ranks", "gpu"))
    if wanted == ("gpu",):
        return root.assembly.counts.get("gpu", 0) + (root.kind == "gpu")
    for text in wanted:
        _, miss = find(root, text)
        if miss is not None:
            message, hint = told(text, miss)
            report.error(mark, message, hint, "matches-nothing")
            return None
    return len(of_selector(root, wanted))


def _check_order(job: Mapping[str, Any], mark: Mark, report: Report) -> None:
    wrong = misordered(job)
    if wrong[0]:
        report.error(mark, *wrong, "job-order")


def misordered(job: Mapping[str, Any]) -> tuple[str, str]:
    """Return what is wrong about the order of a job, and a hint; two empty texts if nothing is.

    >>> misordered({"tp": 8, "order": "tp-ppp"})[0]
    "unknown axis 'ppp' in the order 'tp-ppp'"
    >>> misordered({"tp": 2, "pp": 4, "order": "tp-dp"})
    ("the order 'tp-dp' leaves out pp, which is 4", 'for instance tp-dp-pp')
    """
    text = str(job.get("order", ""))
    if not text:
        return "", ""
    names = text.split("-")
    strange = [name for name in names if name not in DEGREES]
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if strange:
        return f"unknown axis '{strange[0]}' in the order '{text}'", EXAMPLE
    if twice:
        return f"'{twice[0]}' is twice in the order '{text}'", EXAMPLE
    missing = [name for name in DEGREES if job.get(name, 1) > 1 and name not in names and name not in WITHIN]
    if missing:
        name = missing[0]
        return f"the order '{text}' leaves out {name}, which is {job[name]}", f"for instance {text}-{name}"
    return "", ""
