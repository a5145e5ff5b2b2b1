"""What an importer answers: a document as a person would have written it, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from topoviz.errors import Diagnostic
from topoviz.model.spec import EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """One hop of a log: which rank sent to which, on which channel, and over what."""

    source: int
    target: int
    channel: int
    via: str  # P2P/IPC, SHM/direct/direct, NET/IB/0/GDRDMA: as the log says, without its suffixes
    proxy: int | None = None  # the rank whose network card was used instead of one's own
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A document, what was concluded and from what, and what a document has no place for.

    ``told`` are warnings about the file and notes on what was inferred, each with
    its line. ``names`` leads from what the file calls a thing (``GPU0``,
    ``0000:06:00.0``) to its id in the document. ``facts`` is plain data: counts,
    codes of pairs, ranks and their hosts.
    """

    document: Mapping[str, Any]
    told: tuple[Diagnostic, ...] = ()
    names: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    facts: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    carried: tuple[Carried, ...] = ()
