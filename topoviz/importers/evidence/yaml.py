"""YAML of other tools, read by our own parser: strict, with limits, its mistakes under names of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from topoviz.errors import Diagnostic, SpecError
from topoviz.importers.evidence.text import wrong
from topoviz.marks import Source
from topoviz.model.source import Value, parse

CODES: Mapping[str, str] = MappingProxyType(
    {"read-twice": "yaml-duplicate-key", "read-key": "yaml-name-not-a-string", "read-limit": "yaml-too-large"}
)
TOP = re.compile(r"^(?:- )?([A-Za-z_$][\w-]*)[ \t]*:", re.MULTILINE)
LOOKED_AT = 1_000_000  # characters


def keys(text: str) -> frozenset[str]:
    r"""Return the keys in the first column of a text, and of the entries of a list there.

    >>> sorted(keys("name: x\ntopology:\n  nodes: {}\n- tree: 1\n"))
    ['name', 'topology', 'tree']
    """
    return frozenset(TOP.findall(text[:LOOKED_AT]))


def read(source: Source) -> Value:
    """Return the one document of a YAML text. Raises SpecError."""
    try:
        return parse(source)
    except SpecError as mistaken:
        raise SpecError([_renamed(one) for one in mistaken.diagnostics]) from None


def _renamed(one: Diagnostic) -> Diagnostic:
    """Return a mistake of a document under the code of an imported file; where a key was first written is a fact."""
    code = CODES.get(one.code, "yaml-syntax")
    if code == "yaml-duplicate-key":
        return replace(one, code=code, message=f"{one.message}, {one.hint}", hint="give each its own name")
    return replace(one, code=code)


def mistake(source: Source, value: Value, message: str, *, hint: str = "", code: str) -> SpecError:
    """Return the error that refuses a file at a value."""
    found = wrong(source, value.mark.line, message, hint=hint, code=code)
    return SpecError([replace(found.diagnostics[0], mark=value.mark)])


def words(source: Source, value: Value | None, what: str) -> list[str]:
    """Return the texts of a list, or of one text; nothing if there is none. Raises SpecError."""
    if value is None:
        return []
    out = []
    for one in value.parts():
        if one.is_mapping or one.is_list or not one.text:
            raise mistake(source, one, f"{what} holds names, and this is none", code="not-a-name")
        out.append(one.text)
    return out
