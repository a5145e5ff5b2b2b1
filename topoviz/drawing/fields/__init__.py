"""Computed fields: ``{gpu.nvlink.rate}`` becomes ``450 GB/s per direction``, or ``单向 450 GB/s``.

========================  ===========================================================
``{count}`` ``{rate}`` …  of the things and links handed in; of the roots of the scope if none
``{gpu.count}`` …         of all things that a word finds: kind, group, role, part
``{gpu.nvlink.rate}`` …   of one of them, by kind of link
``{nvlink.links}`` …      of all links of a kind in the scope
``{sent}`` ``{time}`` …   of the plan that is highlighted
``{params}`` …            of the model of the document
``{first.rate}`` …        of the first or last of the panels; ``{growth}`` between them
========================  ===========================================================

With links handed in, ``{links}`` and ``{rate}`` are those of all of them together; if
things are handed in as well, ``{each}`` and ``{rate}`` are of one of these things.
The ends of such links are full ids. A sentence with a field that has no value here is
left out, so ``{memory} each`` is an empty text for a GPU whose memory nobody stated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.fields import (
    of_findings,
    of_job,
    of_links,
    of_mig,
    of_model,
    of_network,
    of_plan,
    of_route,
    of_series,
    of_things,
)
from topoviz.drawing.fields.names import (
    OF_FINDINGS,
    OF_JOB,
    OF_LINKS,
    OF_MIG,
    OF_MODEL,
    OF_NETWORK,
    OF_PLAN,
    OF_ROUTE,
    OF_SERIES,
    OF_THINGS,
    WHOLE,
    is_known,
    no_such_field,
    unknown,
)
from topoviz.drawing.fields.subject import Subject, of_word
from topoviz.drawing.fields.subject import of_things as things_of
from topoviz.drawing.messages import agreed, message, plural, say_text, table
from topoviz.drawing.scope import Scope
from topoviz.drawing.template import joined, names, pieces
from topoviz.drawing.words import LINKS
from topoviz.model.spec import EMPTY, Text
from topoviz.model.topology import Link, Thing

__all__ = ["ABSENT", "answers", "quantity", "say", "unknown"]

ABSENT = "\N{SYMBOL FOR NULL}"  # stands for a field without a value until its sentence is left out
_BETWEEN_SENTENCES = re.compile(r"(?<=[.;!?])(?=\s)|(?<=[。；！？])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is at hand when a field is filled."""

    scope: Scope
    things: tuple[Thing, ...]
    links: tuple[Link, ...]


def say(
    scope: Scope,
    template: Text,
    *,
    things: Sequence[Thing] = (),
    links: Sequence[Link] = (),
    numbers: Mapping[str, str] = EMPTY,
    claims: bool = False,
) -> str:
    """Return the text in the language of the scope with its fields filled.

    ``numbers`` come before everything computed. ``claims``: the text was written for
    machines that have what it counts, so a sentence that counts nothing is left out.
    Raises SpecError for a field that does not exist.
    """
    ask = Ask(scope=scope, things=tuple(things), links=tuple(links))
    text = say_text(template, scope.lang)
    values = {name: _value(ask, name, numbers) for name in names(text)}
    absent = {name for name, value in values.items() if value is None or (claims and _counts_nothing(name, value))}
    filled = {name: ABSENT if value is None or name in absent else value for name, value in values.items()}
    if scope.lang.startswith("en"):
        return _known(_english(text, filled))
    return _known(joined([filled[p.text] if p.is_field else p.text for p in pieces(text)]))


def answers(
    scope: Scope,
    template: Text,
    *,
    things: Sequence[Thing] = (),
    links: Sequence[Link] = (),
    numbers: Mapping[str, str] = EMPTY,
) -> bool:
    """Return whether every field of the text has a value here, and none that it counts is missing."""
    ask = Ask(scope=scope, things=tuple(things), links=tuple(links))
    values = {name: _value(ask, name, numbers) for name in names(say_text(template, scope.lang))}
    return not any(value is None or _counts_nothing(name, value) for name, value in values.items())


def _counts_nothing(name: str, value: str) -> bool:
    """Return whether a field says that there are none of what a word finds."""
    return name.endswith(".count") and value == "0" and name not in WHOLE


def quantity(scope: Scope, name: str, *, things: Sequence[Thing] = (), links: Sequence[Link] = ()) -> Bandwidth | None:
    """Return a field that is a bandwidth as numbers, for a bar; None if it is none, or has no value.

    ``Bandwidth.number(lang)`` is the text for a cell whose column already names the direction.
    """
    return _rate(Ask(scope=scope, things=tuple(things), links=tuple(links)), name)


def _value(ask: Ask, name: str, numbers: Mapping[str, str]) -> str | None:
    if name in numbers:
        return numbers[name]
    series = of_series.end(ask.scope, name)
    if series is not None:
        return _value(Ask(scope=series[0], things=(), links=()), series[1], EMPTY)
    if name in OF_ROUTE:
        return of_route.of_route(ask.scope, name)
    if name in {"algbw", "busbw"}:
        return of_plan.bandwidth_without_direction(ask.scope, name)
    rate = _rate(ask, name)
    if rate is not None:
        return rate.text(ask.scope.lang)
    if _is_rate(name):
        return None
    said = _word(ask, name)
    is_link = said is not None and name.removesuffix(".family").rpartition(".")[2] == "link"
    return message(said, ask.scope.lang) if is_link and said else said


def _word(ask: Ask, name: str) -> str | None:
    """Return a field that is no bandwidth."""
    if name == "colour":
        return message(of_links.colour(ask.scope, ask.links), ask.scope.lang)
    if name == "route.shape":
        return message(of_plan.shape(ask.scope), ask.scope.lang)
    if name in OF_NETWORK:
        return of_network.of_network(ask.scope, name)
    if name in OF_FINDINGS:
        return of_findings.of_findings(ask.scope, name)
    if name in OF_SERIES:
        return of_series.of_series(ask.scope, name)
    if name in OF_JOB or name.startswith("group.") or (name == "order" and ask.scope.findings.job):
        return of_job.of_job(ask.scope, name)
    if name in OF_MODEL:
        return of_model.of_model(ask.scope, name)
    if name in OF_PLAN:
        return of_plan.of_plan(ask.scope, name)
    if name in OF_LINKS and ask.links:
        return of_links.of_links(ask.links, ask.things, name)
    handed = things_of(ask.scope, ask.things)
    if name in OF_MIG:
        return of_mig.of_mig(handed, name)
    if name in OF_THINGS or name in handed.first.assembly.facts:
        return of_things.of_things(handed, name)
    if name in OF_LINKS:
        return _of_main(handed if ask.things else of_word(ask.scope, "gpu") or handed, name, long=False)
    if not is_known(name):
        raise no_such_field(name)
    return _of_word(ask.scope, name) if "." in name else None


def _of_word(scope: Scope, name: str) -> str | None:
    word, _, tail = name.partition(".")
    if word in LINKS and tail in OF_LINKS:
        return of_links.of_kind(scope, word, tail)
    subject = of_word(scope, word)
    if subject is None:
        return "0" if tail == "count" else None
    if tail in OF_MIG:
        return of_mig.of_mig(subject, tail)
    kind, _, rest = tail.partition(".")
    if kind in LINKS and rest:
        found = subject.tally(kind)
        return of_links.of_tally(found, rest, scope.lang) if found else None
    return _of_main(subject, tail) if tail in OF_LINKS else of_things.of_things(subject, tail)


def _of_main(subject: Subject, tail: str, *, long: bool = True) -> str | None:
    """Return a field of the links that matter for things; ``long`` adds their number to their name."""
    found = subject.main()
    if found and tail == "gbit":
        return found.rate.bits()
    return of_links.of_tally(found, tail, subject.scope.lang, long=long) if found else None


def _is_rate(name: str) -> bool:
    stem = name.removesuffix(".both")
    return stem == "hop.rate" or stem.endswith(".link.rate") or stem.rpartition(".")[2] in {"rate", "all"}


def _rate(ask: Ask, name: str) -> Bandwidth | None:
    """Return a field that is a bandwidth; None for any other, and for one that has no value."""
    if not _is_rate(name) or name.startswith("group."):
        return None
    stem = name.removesuffix(".both")
    found = _stem(ask, stem)
    return replace(found, both=True) if found and stem != name else found


def _stem(ask: Ask, stem: str) -> Bandwidth | None:
    if stem == "hop.rate":
        return of_plan.rate_of_plan(ask.scope, stem)
    if stem in of_links.RATES:
        if ask.links:
            return of_links.rate_of_links(ask.links, ask.things, stem)
        handed = things_of(ask.scope, ask.things) if ask.things else of_word(ask.scope, "gpu")
        found = handed.main() if handed else None
        return of_links.rate_of_tally(found, stem) if found else None
    word, _, tail = stem.partition(".")
    if word in LINKS and tail in of_links.RATES:
        return of_links.rate_of_kind(ask.scope, word, tail)
    subject = of_word(ask.scope, word)
    kind, _, rest = tail.partition(".")
    if subject is None:
        return None
    found = subject.tally(kind) if kind in LINKS else subject.main()
    key = rest if kind in LINKS else tail
    return of_links.rate_of_tally(found, key) if found and key in of_links.RATES else None


def _known(text: str) -> str:
    """Return the text without the sentences that hold a field without a value."""
    if ABSENT in text:
        text = "".join(one for one in _BETWEEN_SENTENCES.split(text) if ABSENT not in one)
    return text.strip()


def _english(text: str, values: Mapping[str, str]) -> str:
    """Return the text filled; a common noun behind a count is in the plural, and in the singular behind a 1."""
    parts = pieces(text)
    counts = [i for i, part in enumerate(parts) if part.is_field and values[part.text] == "1"]
    if counts and text in table("en"):
        parts, counts = pieces(table("en")[text]), []
    said = [values[part.text] if part.is_field else part.text for part in parts]
    for i, part in enumerate(parts[2:], start=2):
        is_counted = parts[i - 2].text.endswith("count") and parts[i - 1].text == " "
        is_bare = i + 1 == len(parts) or not parts[i + 1].text.startswith("s")
        if part.is_field and part.text.endswith("title") and is_counted and is_bare and said[i - 2] != "1":
            said[i] = plural(said[i])
    return agreed(said, counts)
