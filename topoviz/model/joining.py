"""Puts documents under one another: files that a document includes, and several that were given.

Lists follow each other, mappings lie side by side; a name or a text given twice
is an error with both places. Nothing is merged.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from topoviz.errors import Diagnostic
from topoviz.marks import Mark, Source
from topoviz.model.forms import mapping
from topoviz.model.selected import outside
from topoviz.model.source import Value, parse

DEPTH = 8
TOTAL = 100  # files
SINGLE = {"$schema", "topoviz", "include"}  # may be said by each file


@dataclass(slots=True)
class Gathered:
    """The files of a document in the order in which they are joined, and what went wrong on the way."""

    open: Callable[[str], Source] | None
    values: list[Value] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    told: list[Diagnostic] = field(default_factory=list)


def gather(sources: Sequence[Source], open_include: Callable[[str], Source] | None) -> Gathered:
    """Return the given documents, each after the files that it includes."""
    gathered = Gathered(open_include)
    for source in sources:
        _take(gathered, source, "", (_short(source.path),))
    return gathered


def _take(gathered: Gathered, source: Source, folder: str, chain: tuple[str, ...]) -> None:
    value = parse(source)
    gathered.sources.append(source)
    include = value.get("include")
    for one in include.parts() if include is not None and include.is_list else ():
        if isinstance(one.data, str) and not outside(one.data):
            _include(gathered, one, folder, chain)
    gathered.values.append(value)


def _include(gathered: Gathered, given: Value, folder: str, chain: tuple[str, ...]) -> None:
    path = posixpath.normpath(posixpath.join(folder, given.text.replace("\\", "/")))
    if path in chain:
        way = " → ".join([*chain[chain.index(path) :], path])
        return _tell(gathered, given, f"'{given.text}' includes itself: {way}")
    if len(chain) > DEPTH:
        return _tell(gathered, given, f"files include each other more than {DEPTH} deep")
    if len(gathered.sources) >= TOTAL:
        return _tell(gathered, given, f"more than {TOTAL} files")
    if gathered.open is None:
        return _tell(gathered, given, f"'{given.text}' cannot be included: this document is not in a folder")
    try:
        source = gathered.open(path)
    except OSError as problem:
        return _tell(gathered, given, f"'{given.text}' cannot be read", (problem.strerror or "").lower())
    return _take(gathered, source, posixpath.dirname(path), (*chain, path))


def _tell(gathered: Gathered, value: Value, message: str, hint: str = "") -> None:
    gathered.told.append(Diagnostic(message=message, mark=value.mark, hint=hint, code="form-include"))


def _short(path: str) -> str:
    return posixpath.basename(path.replace("\\", "/"))


def join(values: Sequence[Value]) -> tuple[Value, list[Diagnostic]]:
    """Return documents in their long form as one, and what is said twice."""
    if len(values) == 1:
        return values[0], []
    told: list[Diagnostic] = []
    data: dict[str, Value] = {}
    keys: dict[str, Mark] = {}
    for value in values:
        for name, one in value.items():
            data[name] = _beside(name, data[name], one, value, told) if name in data else one
            keys.setdefault(name, value.key_mark(name))
    return mapping(data, values[-1].mark, keys), told


def _beside(name: str, first: Value, second: Value, whole: Value, told: list[Diagnostic]) -> Value:
    """Return two values of one key as one: lists follow each other, mappings lie side by side."""
    if name in SINGLE:
        return first
    if first.is_list and second.is_list:
        return Value((*first.parts(), *second.parts()), first.mark)
    if not (first.is_mapping and second.is_mapping) or name in {"title", "note", "preliminary", "memory", "slices"}:
        told.append(_twice(name, first, whole))
        return first
    data, keys = dict(first.items()), dict(first.keys)
    for key, one in second.items():
        if key in data:
            told.append(_twice(key, mapping(data, first.mark, keys), second))
        else:
            data[key], keys[key] = one, second.key_mark(key)
    return mapping(data, first.mark, keys)


def _twice(name: str, first: Value, second: Value) -> Diagnostic:
    """Return the error about a key of ``second`` that is there already."""
    before = first.key_mark(name)
    hint = f"first written in {before.source.path}, line {before.line}; joined files lie side by side"
    return Diagnostic(message=f"'{name}' is there twice", mark=second.key_mark(name), hint=hint, code="form-twice")
