"""The two texts that stand for a picture: its title, and the paragraph that could replace it."""

from __future__ import annotations

from collections.abc import Mapping

from topoviz.drawing import amounts, census, fields, memory_words
from topoviz.drawing.fields.of_things import title
from topoviz.drawing.fields.subject import links_of_kind
from topoviz.drawing.messages import fill, message, say_text
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import COUNTED, LINKS, link_name
from topoviz.model.spec import Text

COUNTED_KINDS = ("rack", "node", "gpu", "cpu", "nvswitch", "switch", "pcie", "nic", "dpu")
MOST_IN_ORDER = 8  # ranks named one by one


def default_title(scope: Scope) -> str:
    """Return the name of the system and its one number, for a picture that has no better title."""
    gpus = census.number_of(census.select(scope.roots, "gpu"))
    rate = fields.quantity(scope, "gpu.rate")
    name = name_of(scope)
    if not gpus or rate is None or rate.low is None:
        return name
    return fill(
        "{title}: {count} GPUs, each {rate}",
        {"title": name, "count": amounts.count(gpus), "rate": rate.text(scope.lang)},
        scope.lang,
    )


def name_of(scope: Scope) -> str:
    """Return what the thing drawn is called."""
    own = _filled_by(scope, scope.topology.spec.body.title)
    first = scope.roots[0]
    named = _filled_by(scope, scope.title) or own or _filled_by(scope, first.title) or _asked(scope)
    return named or scope.topology.name or title(first, scope.lang)


def _filled_by(scope: Scope, text: Text) -> str:
    """Return a title that a person wrote, with its fields filled; empty if one of them has no value."""
    return fields.say(scope, text) if text and fields.answers(scope, text) else ""


def _asked(scope: Scope) -> str:
    """Return the title that the picture asks for, if it is a plain text."""
    asked = scope.request.title
    said = say_text(asked, scope.lang) if isinstance(asked, (str, Mapping)) else ""
    return "" if "{" in said else said


def description(scope: Scope) -> str:
    """Return a paragraph for who cannot see the picture: what there is, what it carries, what is highlighted."""
    if len(scope.panels) > 1:
        head = _fill(scope, "{count} panels.", {"count": str(len(scope.panels))})
        return _joined(scope, [head, *(_panel(panel, i) for i, panel in enumerate(scope.panels, start=1))])
    whole = scope.panels[0] if scope.panels else scope
    head = _fill(whole, "{title}: {things}.", {"title": name_of(whole), "things": _things(whole)})
    return _joined(scope, [head, _links(whole), *_rates(whole), *_plan(whole), *_memory(whole), _nodes(whole)])


def _panel(scope: Scope, number: int) -> str:
    values = {"number": str(scope.number or number), "title": name_of(scope), "things": _things(scope)}
    return _joined(
        scope,
        [
            _fill(scope, "Panel {number}, {title}: {things}.", values),
            *_rates(scope)[:1],
            *_plan(scope),
            *_memory(scope),
        ],
    )


def _things(scope: Scope) -> str:
    """Return what is inside by kind: ``8 GPUs, 2 CPUs, 4 NVSwitch chips``."""
    inside = [sort for sort in census.sorts(scope.roots) if sort.first not in scope.roots]
    numbers = {k: census.number_of([s for s in inside if s.first.kind == k]) for k in COUNTED_KINDS}
    said = [_fill(scope, COUNTED[kind], {"count": amounts.count(n)}) for kind, n in numbers.items() if n]
    return _listed(scope, said) or title(scope.roots[0], scope.lang)


def _links(scope: Scope) -> str:
    """Return how many links of each kind there are, by name."""
    said = []
    for kind in LINKS:
        found = links_of_kind(scope, kind)
        names = tuple(dict.fromkeys(link.link for link, _ in found if link.link))
        total = sum(link.links * times for link, times in found)
        if total:
            values = {"count": amounts.count(total), "link": message(link_name(kind, names), scope.lang)}
            said.append(_fill(scope, "{count} {link}", values))
    return _fill(scope, "Links: {links}.", {"links": _listed(scope, said)}) if said else ""


def _rates(scope: Scope) -> list[str]:
    one, every = fields.quantity(scope, "gpu.rate"), fields.quantity(scope, "gpu.all")
    if one is None or every is None:
        return []
    gpus = census.number_of(census.select(scope.roots, "gpu"))
    said = [fields.say(scope, _filled("One GPU: {link}, {rate}, {both}.", "gpu", scope))]
    if gpus > 1:
        said.append(fields.say(scope, _filled("All {count} GPUs: {rate}, {both}.", "all", scope)))
    return said


def _filled(template: str, which: str, scope: Scope) -> str:
    """Return a template of this module with its short fields written out."""
    stem = "gpu.rate" if which == "gpu" else "gpu.all"
    long = {"link": "{gpu.link}", "rate": f"{{{stem}}}", "both": f"{{{stem}.both}}", "count": "{gpu.count}"}
    return _fill(scope, template, long)


def _plan(scope: Scope) -> list[str]:
    estimate = scope.findings.estimate
    if estimate is None or not scope.findings.routes:
        return []
    values = {
        "exchange": fields.say(scope, "{exchange}"),
        "collective": estimate.collective,
        "count": amounts.count(len(estimate.ranks)),
        "rings": amounts.count(len(scope.findings.routes)),
        "order": _order(scope),
        "rate": fields.say(scope, "{hop.rate}"),
    }
    several = estimate.algorithm == "ring" and len(scope.findings.routes) > 1
    first = _fill(scope, RINGS if several else PLANS.get(estimate.algorithm, ANY), values)
    said = [first[:1].upper() + first[1:]]
    if estimate.size is not None and estimate.seconds is not None:
        said.append(fields.say(scope, _TIME[estimate.rates]))
    if estimate.compute is not None:
        said.append(fields.say(scope, "Beside it a step computes for {compute}."))
    if estimate.unlimited:
        names = {"links": _listed(scope, list(estimate.unlimited))}
        said.append(_fill(scope, "{links} has no stated rate and was taken as unlimited.", names))
    return said


PLANS: Mapping[str, str] = {
    "ring": "{exchange} over {count} GPUs: {order}, {rate} on every hop.",
    "tree": "Double binary tree {collective} over {count} GPUs: each sends {rate} at most.",
    "nvls": "{collective} over {count} GPUs with the switches reducing (NVLS): each sends {rate}.",
    "hierarchical": "{collective} over {count} GPUs, first inside each server, then between servers: {rate}.",
    "direct": "{collective} over {count} GPUs, each straight to every other: {rate}.",
}
RINGS = "{exchange} over {count} GPUs in {rings} rings, one of them {order}: {rate} in all."
ANY = "{collective} over {count} GPUs: {rate}."

_TIME: Mapping[str, str] = {
    "line": "{size}: {sent} sent by each GPU, {time} at line rate.",
    "nccl": "{size}: {sent} sent by each GPU, {time} at the rate that NCCL counts.",
}


def _order(scope: Scope) -> str:
    """Return the ranks of the first route in order, ``gpu0 → gpu1 → … → gpu0``."""
    nodes = scope.findings.routes[0].nodes
    shown = nodes if len(nodes) <= MOST_IN_ORDER else (*nodes[:3], "…", nodes[-1])
    return " → ".join((*shown, nodes[0]))


def _memory(scope: Scope) -> list[str]:
    """Return what a model keeps in memory and whether it fits, for each use; nothing without a model."""
    memory = scope.findings.memory
    if memory is None:
        return []
    said = [fields.say(scope, "{params} parameters: {verdict}.")]
    for use in memory.uses:
        values = {"head": memory_words.head(use, scope.lang), "sum": memory_words.sum_of(memory, use, scope.lang)}
        said.append(_fill(scope, "{head}, {sum}.", values))
    return said


def _nodes(scope: Scope) -> str:
    nodes = scope.findings.outlined or (scope.findings.nodes if scope.findings.estimate is None else ())
    return _fill(scope, "Highlighted: {nodes}.", {"nodes": _listed(scope, list(nodes))}) if nodes else ""


def _fill(scope: Scope, template: str, values: Mapping[str, str]) -> str:
    return fill(template, values, scope.lang)


def _listed(scope: Scope, said: list[str]) -> str:
    return ("、" if scope.lang.startswith("zh") else ", ").join(said)


def _joined(scope: Scope, sentences: list[str]) -> str:
    return ("" if scope.lang.startswith("zh") else " ").join(sentence for sentence in sentences if sentence)
