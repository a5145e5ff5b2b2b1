"""What can go wrong, as values.

TopovizError
├── SpecError          a document, a part or a layout is wrong (carries Diagnostics)
├── PlanError          a collective cannot run on this topology
├── MissingEntry       no such layout, theme, language, exporter … (also a LookupError)
└── MissingExtra       an optional package is not installed
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topoviz.marks import Mark

SEVERITIES = ("error", "warning", "note")
MOST = 10  # mistakes told at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding about a text: what, where, and what to do about it.

    ``code`` is for programs and stands in JSON only. ``mark`` is absent for a
    finding about a topology that came from no text.
    """

    message: str
    mark: Mark | None = None
    hint: str = ""
    severity: str = "error"
    code: str = ""

    def render(self) -> str:
        """Return the finding as a person reads it, several lines without a final line break."""
        if self.mark is None:
            return "\n".join([f"{self.severity}: {self.message}", *self._hints()])
        place = f"{self.mark.source.path}:{self.mark.line}:{self.mark.column}"
        return "\n".join([f"{place}: {self.severity}: {self.message}", *self._excerpt(self.mark), *self._hints()])

    def _hints(self) -> list[str]:
        return [f"  hint: {self.hint}"] if self.hint else []

    @staticmethod
    def _excerpt(mark: Mark) -> list[str]:
        line = printable(mark.source.line(mark.line))
        before, under = line[: mark.column - 1], line[mark.column - 1 : mark.column - 1 + mark.width]
        caret = " " * columns(before) + "^" * max(1, columns(under))
        return [f"  {line}".rstrip(), f"  {caret}"]


def report(diagnostics: Sequence[Diagnostic]) -> str:
    """Return mistakes as a person reads them, ten at most, with the line that closes them.

    >>> print(report([Diagnostic(message="no such file")]))
    error: no such file
    1 error, nothing written
    """
    errors = sum(one.severity == "error" for one in diagnostics)
    shown = [one.render() for one in diagnostics[:MOST]]
    more = f" ({len(diagnostics) - MOST} more not shown)" if len(diagnostics) > MOST else ""
    return "\n".join([*shown, f"{errors} error{'' if errors == 1 else 's'}, nothing written{more}"])


def printable(text: str) -> str:
    r"""Return the text with a tab as an arrow and control characters made visible.

    >>> printable("\tgpu")
    '→gpu'
    """
    return "".join(
        "→" if c == "\t" else ("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in {"Cc", "Cf", "Cs"} else c)
        for c in text
    )


def columns(text: str) -> int:
    """Return how many columns a terminal needs for the text; East Asian wide ones take two.

    >>> columns("叶a")
    3
    """
    return sum(0 if unicodedata.combining(c) else (2 if unicodedata.east_asian_width(c) in "WF" else 1) for c in text)


class TopovizError(Exception):
    """Anything that topoviz tells a person, as opposed to a bug."""


class SpecError(TopovizError):
    """A document, a part file or a layout file is wrong; all mistakes of one stage together."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in self.diagnostics[:MOST]))


class PlanError(TopovizError):
    """A collective cannot run on this topology."""


class MissingEntry(TopovizError, LookupError):  # noqa: N818 - it reads as what it says
    """A name that no folder and no registry knows; the text says which ones are known."""


class MissingExtra(TopovizError):  # noqa: N818 - as above
    """An optional package is not installed; the text holds the line to install it."""
