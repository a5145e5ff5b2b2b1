"""Where something was written: the file, the line, the column and how wide it is."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Source:
    r"""One text that a person wrote, with the name it is known by.

    >>> Source("a.yaml", "part: x\ntitle: y\n").line(2)
    'title: y'
    """

    path: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """Return line ``number``, counted from 1; an empty text outside the file."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a source: line and column count from 1, ``width`` is in characters."""

    source: Source = field(repr=False)
    line: int
    column: int
    width: int = 1
