"""YAML with the place of every key and value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark, Source

Scalar: TypeAlias = str | int | float | bool | None
NOTHING: Mapping[str, Mark] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Value:
    """A piece of a document: a scalar, a tuple of values, or a mapping from text to value.

    ``mark`` is where the whole piece stands; ``keys`` where each key of a mapping
    stands. ``text`` is how a scalar was written (``1e3`` stays ``1e3``).
    """

    data: Scalar | tuple[Value, ...] | Mapping[str, Value]
    mark: Mark
    keys: Mapping[str, Mark] = field(default_factory=lambda: NOTHING)
    text: str = ""

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.data, Mapping)

    @property
    def is_list(self) -> bool:
        return isinstance(self.data, tuple)

    def items(self) -> Iterator[tuple[str, Value]]:
        """Yield the entries of a mapping in the order of writing; none for anything else."""
        if isinstance(self.data, Mapping):
            yield from self.data.items()

    def parts(self) -> tuple[Value, ...]:
        """Return the elements of a list; anything else is a list of itself."""
        return self.data if isinstance(self.data, tuple) else (self,)

    def get(self, key: str) -> Value | None:
        """Return the value under ``key``, or None."""
        return self.data.get(key) if isinstance(self.data, Mapping) else None

    def mark_of(self, key: str) -> Mark:
        """Return where the value of ``key`` stands; the whole piece if there is no such key."""
        value = self.get(key)
        return value.mark if value is not None else self.mark

    def key_mark(self, key: str) -> Mark:
        """Return where the key itself stands; the whole piece if there is no such key."""
        return self.keys.get(key, self.mark)

    def plain(self) -> object:
        """Return the piece as ordinary Python: dict, list, text, number, truth, None."""
        if isinstance(self.data, Mapping):
            return {key: value.plain() for key, value in self.data.items()}
        if isinstance(self.data, tuple):
            return [value.plain() for value in self.data]
        return self.data


def parse(source: Source) -> Value:
    r"""Return the one YAML document of a text, every piece with its place.

    YAML 1.2 core scalars only: ``true``, ``false``, ``null`` and decimal numbers;
    everything else is text. Raises SpecError with mistakes of the stage *read*.

    >>> parse(Source("a.yaml", "gpu: 8 x l40s\n")).plain()
    {'gpu': '8 x l40s'}
    >>> parse(Source("a.yaml", "on: 010")).plain()
    {'on': '010'}
    """
    from topoviz.model.composing import compose

    return compose(source)


def document(data: Mapping[str, object], name: str = "document") -> Source:
    r"""Return a plain mapping written as YAML, so that a mistake in it has a line.

    >>> document({"gpu": "8 x l40s", "size": "1e3"}).text
    'gpu: 8 x l40s\nsize: "1e3"\n'
    """
    from topoviz.model.composing import write

    return Source(name, write(data, name))


def decode(data: bytes, path: str) -> Source:
    """Return bytes of a file as a text; UTF-8 only. Raises SpecError otherwise.

    >>> decode("叶: 8".encode(), "a.yaml").text
    '叶: 8'
    """
    try:
        return Source(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8", "replace")
        mark = Mark(Source(path, before), before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise SpecError(
            [
                Diagnostic(
                    message="this is not text in UTF-8", mark=mark, hint="save the file as UTF-8", code="read-utf8"
                )
            ]
        ) from None
