"""Texts as people paste them: escape codes, odd blanks and dashes taken out, lines kept where they were."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark, Source

ESCAPE = re.compile(r"(?:\x1b|\\x1b|\\033|\\e|\N{SYMBOL FOR ESCAPE})\[[0-9;?]*[A-Za-z]|\[\d{0,2}(?:;\d+)*m")
BLANK = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
DASH = re.compile("[\u2010-\u2015\u2212]")
MOST = 100_000  # numbers of a range: cores of a machine, and some
LONG, SHOWN = 400, 120  # characters of a line
UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")


def clean(text: str) -> str:
    r"""Return the text without escape codes, with plain blanks and dashes, and as many lines as before.

    >>> clean("\x1b[4mGPU0\x1b[0m\u00a00\u201315\r\n")
    'GPU0 0-15\n'
    """
    plain = ESCAPE.sub("", text.replace("\r\n", "\n"))
    return UNSEEN.sub("", DASH.sub("-", BLANK.sub(" ", plain)))


def place(source: Source, line: int | None, word: str = "") -> Mark | None:
    """Return the mark of a word in a line, of the whole line if the word is not in it; None for no line."""
    if line is None:
        return None
    text = source.line(line)
    if len(text) > LONG:  # a message shows the line; nobody wants to see all of this one
        source = Source(source.path, "\n" * (line - 1) + text[:SHOWN] + " …")
        text = source.line(line)
    at = text.find(word) if word else -1
    if at >= 0:
        return Mark(source, line, at + 1, max(1, len(word)))
    lead = len(text) - len(text.lstrip())
    return Mark(source, line, lead + 1, max(1, len(text.strip())))


def wrong(source: Source, line: int | None, message: str, *, hint: str = "", code: str, word: str = "") -> SpecError:
    """Return the error that refuses a file."""
    mark = place(source, line, word)
    said = message if mark is not None else f"{source.path}: {message}"
    return SpecError([Diagnostic(message=said, mark=mark, hint=hint, code=code)])


@dataclass(slots=True)
class Told:
    """Collects warnings about a file, notes on what was inferred, and the sentences for the caption."""

    source: Source
    found: list[Diagnostic] = field(default_factory=list)
    caption: list[tuple[str, str]] = field(default_factory=list)  # English, Chinese

    def warn(self, code: str, message: str, line: int | None = None, *, hint: str = "", word: str = "") -> None:
        self._tell("warning", code, message, line, hint, word)

    def infer(self, message: str, line: int | None = None, *, hint: str = "", word: str = "") -> None:
        """Say what the file does not say itself, and from what it was concluded."""
        self._tell("note", "inferred", message, line, hint, word)

    def say(self, english: str, chinese: str) -> None:
        """Add a sentence to the note of the document, which captions show."""
        if (english, chinese) not in self.caption:
            self.caption.append((english, chinese))

    def _tell(self, severity: str, code: str, message: str, line: int | None, hint: str, word: str) -> None:
        mark = place(self.source, line, word)
        said = message if mark is not None else f"{self.source.path}: {message}"
        self.found.append(Diagnostic(message=said, mark=mark, hint=hint, severity=severity, code=code))

    def note(self) -> dict[str, str]:
        """Return the sentences as a text in both languages; empty if there are none."""
        if not self.caption:
            return {}
        return {"en": " ".join(en for en, _ in self.caption), "zh": "".join(zh for _, zh in self.caption)}


def plain(number: float) -> str:
    """Return a number as documents write it, without an exponent.

    >>> plain(20.6), plain(1e6), plain(0.00000004)
    ('20.6', '1000000', '0.00000004')
    """
    return f"{number:.9f}".rstrip("0").rstrip(".")


def numbers(text: str) -> list[int]:
    """Return the numbers of a list with ranges.

    >>> numbers("0,3-5")
    [0, 3, 4, 5]
    """
    out: list[int] = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        begin, end = int(first), int(last or first)
        out += range(begin, min(end, begin + MOST) + 1)
    return out
