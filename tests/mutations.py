"""Documents made wrong on purpose, always the same ones: one change at one place of a right document."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

STRAY = "no-such-key"
Path = tuple[str | int, ...]


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every piece of a document with its place, outer ones first; the document itself too."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(document: Any, path: Path, piece: Any) -> Any:
    """Return a copy of a document with another piece at a place."""
    if not path:
        return piece
    whole = copy.deepcopy(document)
    here = whole
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = piece
    return whole


def mutants(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield documents with one change each, with a name that says which."""
    for path, piece in places(document):
        where = "/".join(str(step) for step in path)
        if isinstance(piece, dict):
            yield f"{where}: a stray key", changed(document, path, {**piece, STRAY: 1})
            yield f"{where}: a list for a mapping", changed(document, path, [[piece]])
        elif isinstance(piece, list):
            yield f"{where}: a mapping for a list", changed(document, path, {STRAY: piece})
        elif isinstance(piece, bool):
            yield f"{where}: a text for yes or no", changed(document, path, "perhaps")
        elif isinstance(piece, int | float):
            yield f"{where}: below zero", changed(document, path, -1)
            yield f"{where}: a mapping for a number", changed(document, path, {STRAY: piece})
        else:
            yield f"{where}: a mapping for a text", changed(document, path, {STRAY: piece})
            yield f"{where}: yes for a text", changed(document, path, True)
