"""The nearest right word, and the words that other tools use for the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

NONE: Mapping[str, str] = MappingProxyType({})
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def distance(a: str, b: str) -> int:
    """Return how many signs must be put in, left out, changed or swapped with their neighbour.

    >>> distance("titel", "title"), distance("gpus", "gpu")
    (1, 1)
    """
    older: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row, even_older = row, [i], older
        for j, y in enumerate(b, 1):
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], even_older[j - 2] + 1)
        older = last
    return row[-1]


def nearest(word: str, known: Iterable[str], others: Mapping[str, str] = NONE) -> str:
    """Return the known word that was meant, or an empty text.

    ``others`` are words of other tools for known ones. Case, ``_`` and ``-`` and
    blanks do not count; up to a third of the signs may differ.

    >>> nearest("titel", ["title", "theme"])
    'title'
    >>> nearest("speed", ["bandwidth"], {"speed": "bandwidth"})
    'bandwidth'
    """
    words = list(dict.fromkeys(known))
    meant = others.get(word.lower(), "")
    if meant in words:
        return meant
    plain = [_plain(one) for one in words]
    target = _plain(word)
    if not target:
        return ""
    if target in plain:
        return words[plain.index(target)]
    close = [
        (distance(target, one), at) for at, one in enumerate(plain) if abs(len(one) - len(target)) <= len(target) // 3
    ]
    best = min(close, default=(99, -1))
    return (
        words[best[1]]
        if best[0] <= max(1, len(target) // 3) and best[0] < len(target)
        else _start(target, plain, words)
    )


def _plain(word: str) -> str:
    return re.sub(r"[-_\s]", "", word.lower())


def _start(target: str, plain: Sequence[str], words: Sequence[str]) -> str:
    """Return the one word that begins so, or with which it begins."""
    fits = [
        at
        for at, one in enumerate(plain)
        if len(target) >= 3 and (one.startswith(target) or (len(one) >= 3 and target.startswith(one)))
    ]
    return words[fits[0]] if len(fits) == 1 else ""


def listed(words: Sequence[str], last: str = "or") -> str:
    """Return words as a person lists them.

    >>> listed(["stacks", "marks", "ids", "full"])
    'stacks, marks, ids or full'
    """
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def number_word(number: int) -> str:
    """Return a small number in words, a larger one in digits.

    >>> number_word(4), number_word(72)
    ('four', '72')
    """
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else f"{number:,}"


def article(word: str) -> str:
    """Return the word with its article.

    >>> article("wire"), article("entry")
    ('a wire', 'an entry')
    """
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


__all__ = ["article", "distance", "listed", "nearest", "number_word"]
