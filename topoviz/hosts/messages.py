"""Which texts a picture says, for catalogs of translators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from topoviz.drawing.messages import Language
from topoviz.hosts.figure import arranged
from topoviz.picture import Picture

WORD = re.compile(r"[^\W\d_]{2,}")
FIELD = re.compile(r"\{[^{}]*\}")


class Asked(Mapping[str, str]):
    """A table that knows nothing and remembers what was looked up, in order."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}

    def __contains__(self, text: object) -> bool:
        self.texts[str(text)] = None
        return False

    def __getitem__(self, text: str) -> str:
        raise KeyError(text)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Listening(Language):
    """A language that remembers every text that is looked up in it."""

    __slots__ = ()

    def hear(self, table: Mapping[str, str]) -> Listening:
        """Return the language with a table that is not copied."""
        self.table = table
        return self


def messages(picture: Picture, lang: str = "en") -> tuple[str, ...]:
    """Return the texts with words in them that a picture says: the author's, and those of topoviz itself.

    >>> from topoviz.hosts.figure import Figure, read
    >>> "{count} CPUs" in messages(read(Figure(given="dgx-h100")))
    True
    """
    asked = Asked()
    arranged(picture, Listening(lang.replace("_", "-")).hear(asked))
    return tuple(text for text in asked.texts if WORD.search(FIELD.sub("", text)))
