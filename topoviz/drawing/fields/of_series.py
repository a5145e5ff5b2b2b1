"""Fields about panels as a series, as generations are: the first, the last, and what grew between them."""

from __future__ import annotations

from topoviz.drawing import preliminary
from topoviz.drawing.fields.subject import Subject, of_things, of_word
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scope import Scope
from topoviz.drawing.tally import Tally

ENDS = {"first": 0, "last": -1}
SAME = 1e-6


def end(scope: Scope, name: str) -> tuple[Scope, str] | None:
    """Return the panel that ``first.…`` or ``last.…`` means, and the field that is asked of it.

    What links of a picture are called that is nothing but its panels, its first panel tells.
    """
    if name == "link.family" and scope.panels and of_word(scope, "gpu") is None:
        return scope.panels[0], name
    word, _, tail = name.partition(".")
    if word not in ENDS or not tail or not scope.panels:
        return None
    return scope.panels[ENDS[word]], tail


def of_series(scope: Scope, name: str) -> str | None:
    """Return ``growth``, ``growth.links``, ``growth.link`` (factors from first to last panel), ``years``, ``preliminary``."""
    if name == "preliminary":
        return " ".join(preliminary.texts(scope)) or None
    if len(scope.panels) < 2:
        return None
    if name == "years":
        years = [_year(panel) for panel in (scope.panels[0], scope.panels[-1])]
        return str(years[1] - years[0]) if years[0] is not None and years[1] is not None else None
    ends = [_main(panel) for panel in (scope.panels[0], scope.panels[-1])]
    found = [factor(ends[0], ends[1], what) for what in [name.partition(".")[2] or "rate"]]
    if found[0] is None:
        return None
    return fill("{value}-fold" if name == "growth" else "{value} ×", {"value": f"{found[0]:.3g}"}, scope.lang)


def change(before: Tally | None, after: Tally | None, lang: str) -> str:
    """Return what changed from one row to the next in a few words; empty where it cannot be told.

    >>> change(None, None, "en")
    ''
    """
    links, link = factor(before, after, "links"), factor(before, after, "link")
    if links is None or link is None:
        return ""
    same = abs(links - 1) < SAME, abs(link - 1) < SAME
    if all(same):
        return message("no change", lang)
    values = {"links": _times(links, lang), "link": _times(link, lang)}
    if same[1]:
        return fill("{links} the links", values, lang)
    if same[0]:
        return fill("each link {link} as fast", values, lang)
    return fill("{links} the links, each {link} as fast", values, lang)


def factor(before: Tally | None, after: Tally | None, what: str) -> float | None:
    """Return by what the ``rate``, the number of ``links`` or the rate of one ``link`` is multiplied."""
    if before is None or after is None:
        return None
    pairs = {
        "rate": (before.rate.low, after.rate.low),
        "links": before.links[:1] + after.links[:1],
        "link": (before.one_link.low, after.one_link.low),
    }
    one, two = pairs[what]
    return two / one if one and two else None


def _times(value: float, lang: str) -> str:
    return message("twice", lang) if abs(value - 2) < SAME else fill("{value} ×", {"value": f"{value:.3g}"}, lang)


def _main(panel: Scope) -> Tally | None:
    return subject(panel).main()


def subject(panel: Scope) -> Subject:
    """Return the GPUs of a panel; the thing itself if it has none."""
    return of_word(panel, "gpu") or of_things(panel, ())


def _year(panel: Scope) -> int | None:
    stated = subject(panel).first.assembly.facts.get("year") or panel.roots[0].assembly.facts.get("year")
    return stated if isinstance(stated, int) else None
