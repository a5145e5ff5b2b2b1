"""The texts that a picture writes: whether every field in them exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from topoviz.drawing.fields.names import is_known, nearest, unknown
from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark
from topoviz.model.findings import Findings
from topoviz.model.source import Value
from topoviz.model.spec import Picture
from topoviz.model.topology import Topology

KEYS = ("title", "subtitle", "caption", "alt")


def found(topology: Topology, request: Picture) -> Findings:
    """Return nothing.

    Raises:
        SpecError: texts of the picture or the title of the document name fields that there are not; all of them.
    """
    wrong = [
        *_of_document(topology),
        *_of_picture(request),
        *(one for each in request.panels for one in _of_picture(each)),
    ]
    if wrong:
        raise SpecError(wrong)
    return Findings()


def _of_document(topology: Topology) -> Iterator[Diagnostic]:
    yield from _in(topology.spec.body.title, topology.spec.body.origin, "title")


def _of_picture(request: Picture) -> Iterator[Diagnostic]:
    for key in KEYS:
        yield from _in(getattr(request, key), request.origin, key)
    table = None if request.origin is None else request.origin.get("table")
    for number, one in enumerate(request.table if isinstance(request.table, tuple) else ()):
        parts = table.parts() if table is not None else ()
        if not is_known(one):
            yield _no_such(one, parts[number].mark if number < len(parts) else None)


def _in(text: object, origin: Value | None, key: str) -> Iterator[Diagnostic]:
    """Yield the fields of a text that do not exist, each where the text of its language is written."""
    value = None if origin is None else origin.get(key)
    if isinstance(text, str):
        texts: Mapping[str, str] = {"": text}
    elif isinstance(text, Mapping):
        texts = text
    else:
        return
    for lang, each in texts.items():
        mark = None if value is None else value.mark_of(lang) if lang else value.mark
        yield from (_no_such(name, mark) for name in unknown(each))


def _no_such(name: str, mark: Mark | None) -> Diagnostic:
    near = nearest(name)
    hint = f"did you mean {{{near}}}?" if near else "write {{ for a brace"
    return Diagnostic(message=f"unknown field '{name}'", mark=mark, hint=hint, code="unknown-field")
