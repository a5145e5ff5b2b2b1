"""Which fields there are. Known without a topology, so that ``check`` can read a layout file."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from topoviz.drawing.template import names
from topoviz.errors import Diagnostic, SpecError
from topoviz.model.spec import Text

# of the things or links handed in
OF_THINGS = (
    "count", "name", "index", "title", "short", "kind", "part", "part.title", "year", "memory", "memory.bandwidth", "contents", "height",
    "first", "last", "ports", "used", "free", "up", "down",
)  # fmt: skip
OF_LINKS = (
    "links", "cables", "each", "link", "link.rate", "link.rate.both", "link.family", "gbit",
    "rate", "rate.both", "all", "all.both",
)  # fmt: skip
# of the plan that is highlighted
OF_PLAN = (
    "ranks", "size", "sent", "steps", "chunk", "time", "time.measured", "measured", "compute", "busbw", "algbw", "bottleneck",
    "hop.rate", "hop.rate.both", "collective", "algorithm", "closing", "exchange", "sent.factor", "in-place",
)  # fmt: skip
# of the way that is highlighted
OF_ROUTE = ("route.from", "route.to", "route.rate")
# of the model of the document
OF_MODEL = (
    "model", "params", "bytes", "unknown", "verdict", "copies", "weights", "gradients", "optimizer", "activations", "kv",
)  # fmt: skip
# of the job of the document
OF_JOB = (
    "job",
    "job.words",
    "job.model",
    "job.heaviest",
    "job.inside",
    "job.outside",
    "job.time",
    "job.unknown",
    "job.warnings",
    "job.where",
    "job.ranks",
    "job.idle",
    "job.exposed",
)
# of panels as a series
OF_SERIES = ("growth", "growth.links", "growth.link", "years", "preliminary")
# of the first GPU that is cut by MIG
OF_MIG = (
    "mig", "mig.gpu", "mig.instances", "mig.compute", "mig.memory", "mig.sms", "mig.sms.total", "mig.sms.left",
    "mig.left", "mig.unknown", "mig.one", "mig.one.sms", "mig.one.share",
)  # fmt: skip
OF_NETWORK = (
    "oversubscription", "hops.same-rail", "hops.pxn", "hops.spine", "switches.same-rail", "switches.pxn",
    "switches.spine", "torus", "rails", "ways",
)  # fmt: skip
# of a comparison
OF_FINDINGS = ("finding.count", "finding.cost", "expected.title", "not-compared")
# what only the view that draws knows; handed in as numbers
OF_VIEW = (
    "number", "rank", "mark", "label", "value", "row", "column", "row.count", "column.count", "to.count", "position", "order",
    "colour", "left-out", "folded",
    "where", "expected", "found", "cost", "route.name", "route.shape",
    "change", "sms",
)  # fmt: skip
WHOLE = (
    *OF_FINDINGS,
    *OF_THINGS,
    *OF_LINKS,
    *OF_PLAN,
    *OF_ROUTE,
    *OF_MODEL,
    *OF_JOB,
    *OF_SERIES,
    *OF_MIG,
    *OF_NETWORK,
    *OF_VIEW,
)
# behind a word that finds things (``gpu.``), links (``nvlink.``) or links of things (``gpu.nvlink.``)
TAILS = (*OF_THINGS, *OF_LINKS, *OF_MIG, "sms")
OF_GROUP = ("kind", "size", "count", "example", "link", "rate", "bytes", "time")  # behind ``group.``


def unknown(template: Text) -> tuple[str, ...]:
    """Return the fields of a text, in whatever language, that do not exist.

    >>> unknown("{count} × {titel}"), unknown({"en": "{gpu.nvlink.all.both}", "zh": "{gpu.rat}"})
    (('titel',), ('gpu.rat',))
    """
    texts = template.values() if isinstance(template, Mapping) else (template,)
    return tuple(dict.fromkeys(name for text in texts for name in names(text) if not is_known(name)))


def is_known(name: str) -> bool:
    """Return whether there is such a field: a whole name, or one of the tails behind one or two words."""
    if name in WHOLE:
        return True
    word, _, tail = name.partition(".")
    if word == "group":
        return tail in OF_GROUP
    return bool(tail) and (tail in TAILS or tail.partition(".")[2] in OF_LINKS)


def nearest(name: str) -> str:
    """Return the field that was probably meant, or an empty text.

    >>> nearest("gpu.cuont"), nearest("gpu.cont"), nearest("titel"), nearest("zzz")
    ('gpu.count', 'gpu.count', 'title', '')
    """
    word, _, tail = name.rpartition(".")
    whole = get_close_matches(name, WHOLE, n=1, cutoff=0.6)
    close = get_close_matches(tail, TAILS, n=1, cutoff=0.5) if word else []
    if close and not (whole and whole[0].startswith(f"{word}.")):
        return f"{word}.{close[0]}"
    return whole[0] if whole else ""


def no_such_field(name: str) -> SpecError:
    """Return the error about a field that does not exist, with the nearest name as a hint."""
    close = nearest(name)
    hint = f"did you mean {{{close}}}?" if close else "write {{ for a brace"
    return SpecError([Diagnostic(message=f"unknown field '{name}'", hint=hint, code="unknown-field")])
