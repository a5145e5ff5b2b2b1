"""Fields about the job: its degrees, the order of its ranks, and what each kind of group sends over which link."""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.drawing import amounts, census, group_words
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.look import words
from topoviz.drawing.messages import fill
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import link_name
from topoviz.model.findings import JobPlan, Sentence, Traffic
from topoviz.model.topology import Thing

DTYPES = {1.0: "FP8", 2.0: "BF16", 4.0: "FP32"}
EXPOSED = "A step communicates {time} at least; {exposed} of it stay visible beside {compute} of computing"
SIGNS = ((1e12, "10¹²"), (1e9, "10⁹"), (1e6, "10⁶"))


def of_job(scope: Scope, name: str) -> str | None:
    """Return a field of the job; a ``group.`` field without a row at hand is that of the heaviest traffic."""
    plan = scope.findings.job
    if plan is None:
        return None
    if name.startswith("group."):
        row = heaviest(plan)
        return of_row(scope, row, name.removeprefix("group.")) if row else None
    if name == "job":
        return group_words.job(plan)
    if name == "job.words":
        return group_words.job_in_words(plan, scope.lang) or None
    if name == "job.model":
        return _model(scope)
    if name == "job.time":
        return amounts.time(plan.seconds) if plan.seconds else None
    if name in {"job.inside", "job.outside"}:
        return _sent(plan, inside=name == "job.inside")
    if name == "job.where":
        return _where(scope, plan)
    if name == "job.heaviest":
        return _heaviest(scope, plan)
    if name == "job.ranks":
        return amounts.count(len(plan.ranks))
    if name == "job.exposed":
        return _exposed(scope, plan)
    if name == "job.idle":
        return _idle(scope, plan)
    if name == "job.warnings":
        return ("；" if scope.lang.startswith("zh") else "; ").join(
            _said(one, scope.lang) for one in plan.warnings
        ) or None
    if name == "job.unknown":
        return group_words.unknown(plan, scope.lang) or None
    return group_words.order(plan) or None


def _said(sentence: Sentence, lang: str) -> str:
    """Return a sentence in the language of the picture."""
    if lang.startswith("en"):
        return str(sentence)
    values = {name: _said(one, lang) if isinstance(one, Sentence) else one for name, one in sentence.values.items()}
    return fill(sentence.template, values, lang)


def _sent(plan: JobPlan, *, inside: bool) -> str | None:
    """Return the bytes that stay in scale-up domains, or leave them; None if some are not known, or there are none."""
    rows = [row for row in plan.traffic if row.inside == inside]
    known = [row.bytes for row in rows if row.bytes is not None]
    if not rows or any(row.bytes is None for row in plan.traffic):
        return None
    return amounts.size(sum(known))


def _where(scope: Scope, plan: JobPlan) -> str:
    """Return the machines that the ranks are in: ``4 DGX H100``, or what the only one is called."""
    top = scope.topology.root
    nodes = {thing.id: thing for thing in _nodes(scope, plan)}
    kinds = tuple(dict.fromkeys(words(node.assembly.title, scope.lang) for node in nodes.values()))
    if top.kind == "node" or len(kinds) != 1 or not kinds[0]:
        return words(top.assembly.title, scope.lang) or scope.topology.name
    if len(nodes) == 1:
        alone = census.number_of(census.select((top,), "node")) == 1
        return (words(top.assembly.title, scope.lang) if alone else "") or kinds[0]
    return fill("{count} {title}", {"count": amounts.count(len(nodes)), "title": kinds[0]}, scope.lang)


def _nodes(scope: Scope, plan: JobPlan) -> Iterator[Thing]:
    """Yield the server of each rank that stands in one."""
    for name in plan.ranks:
        yield from (thing for thing in scope.topology.thing(name).chain if thing.kind == "node")


def _exposed(scope: Scope, plan: JobPlan) -> str | None:
    """Return what of a step's communication its computing does not hide; None if nobody says how long it computes."""
    if plan.compute is None:
        return None
    if plan.exposed is None or plan.seconds is None:
        return fill(
            "What {compute} of computing hides is not known", {"compute": amounts.time(plan.compute)}, scope.lang
        )
    numbers = {"time": plan.seconds, "exposed": plan.exposed, "compute": plan.compute}
    values = {name: amounts.time(value) for name, value in numbers.items()}
    return fill(EXPOSED, values, scope.lang)


def _idle(scope: Scope, plan: JobPlan) -> str | None:
    """Return how many GPUs take no part in the job; None if all do."""
    top = scope.topology.root
    gpus = top.assembly.counts.get("gpu", 0) + (top.kind == "gpu")
    if gpus <= len(plan.ranks):
        return None
    values = {"count": amounts.count(gpus - len(plan.ranks)), "all": amounts.count(gpus)}
    return fill("{count} of {all} GPUs take no part in the job", values, scope.lang)


def _heaviest(scope: Scope, plan: JobPlan) -> str | None:
    """Return over what most bytes go; where they are not known, over what the first kind of groups talks."""
    row = heaviest(plan)
    link = of_row(scope, row, "link") if row is not None else None
    if row is None or link is None:
        return None
    known = all(one.bytes is not None for one in plan.traffic)
    said = "the heaviest traffic runs on {link}" if known else "{kind} talks over {link}"
    return fill(said, {"link": link, "kind": group_words.SHORT[row.kind]}, scope.lang)


def heaviest(plan: JobPlan) -> Traffic | None:
    """Return the kind that sends most; where bytes are not known, the fastest axis."""
    if not plan.traffic:
        return None
    known = [row for row in plan.traffic if row.bytes is not None]
    return max(known, key=lambda row: row.bytes or 0) if len(known) == len(plan.traffic) else plan.traffic[0]


def of_row(scope: Scope, row: Traffic, tail: str) -> str | None:
    """Return a field of one kind of group; None for what is not known."""
    rate = Bandwidth(low=row.rate, high=row.rate)
    values = {
        "kind": group_words.head(row, scope.lang),
        "size": amounts.count(row.size),
        "count": amounts.count(row.count),
        "example": group_words.example(row),
        "link": link_name(row.link_kind, (row.link,) if row.link else ()) if row.link_kind else None,
        "rate": rate.text(scope.lang),
        "bytes": None if row.bytes is None else amounts.size(row.bytes),
        "time": None if row.seconds is None else amounts.time(row.seconds),
    }
    return values[tail]


def _model(scope: Scope) -> str | None:
    """Return the numbers of the model and of a step, without which bytes are worthless."""
    spec, lang = scope.topology.spec, scope.lang
    said = {**spec.model, **spec.job}
    parts = []
    if said.get("params"):
        power, sign = next((one for one in SIGNS if said["params"] >= one[0]), (1.0, ""))
        value = f"{said['params'] / power:.4g} × {sign}" if sign else amounts.count(said["params"])
        parts.append(fill("{value} parameters", {"value": value}, lang))
    for key, template in (
        ("layers", "{value} layers"),
        ("hidden", "hidden {value}"),
        ("sequence", "sequence {value}"),
    ):
        if said.get(key):
            parts.append(fill(template, {"value": amounts.count(said[key])}, lang))
    if said.get("micro_batches") and said.get("micro_batch"):
        values = {"count": amounts.count(said["micro_batches"]), "value": amounts.count(said["micro_batch"])}
        parts.append(fill("{count} micro-batches of {value} per step and replica", values, lang))
    each = {"activations": 2.0, "gradients": 2.0, **said.get("bytes", {})}
    if parts and each["activations"] == each["gradients"] and each["gradients"] in DTYPES:
        parts.append(DTYPES[each["gradients"]])
    comma = "，" if lang.startswith("zh") else ", "
    return comma.join(parts) or None
