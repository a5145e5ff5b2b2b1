"""Makes values out of YAML events: one document, YAML 1.2 core scalars, with limits.

PyYAML cuts the text into events (its C scanner if there is one); which scalars
mean what, what is too much and what a mistake is called is decided here, so that
both scanners give the same values and the same errors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType

import yaml

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark, Source
from topoviz.model import yaml_mistakes, yaml_stopped
from topoviz.model.source import Scalar, Value
from topoviz.model.yaml_scanner import PureLoader

DEPTH = 64
NODES = 200_000  # aliases written out
ALIASES = 1_000
LENGTH = 65_536  # characters of one scalar
SIZE = 8 * 1024 * 1024  # characters of a file
DIGITS = 40
WORDS: Mapping[str, Scalar] = MappingProxyType({"true": True, "false": False, "null": None, "": None})
WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
REAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)?(?:\.[0-9]+|(?<=[0-9])\.|(?<=[0-9]))(?:[eE][-+]?[0-9]+)?")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def compose(source: Source, loader: type | None = None) -> Value:
    """Return the document of a text as a value; SpecError with all that is wrong in reading it."""
    source = Source(source.path, source.text.removeprefix("\ufeff"))
    yaml_mistakes.before(source, SIZE, DEPTH)
    composer = _Composer(source)
    value = composer.document(iter(_events(source, loader or _loader())))
    if composer.mistakes:
        raise SpecError(composer.mistakes)
    return value


def _events(source: Source, loader: type) -> list[yaml.Event]:
    """Return all events, so that what is told does not depend on how far a scanner looks ahead."""
    try:
        return list(islice(yaml.parse(source.text, Loader=loader), 2 * NODES + 10))
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        if loader is not PureLoader and len(source.text) <= yaml_stopped.LARGE:
            return _events(source, PureLoader)  # it knows a little more, and its places are those that we tell
        raise SpecError([yaml_stopped.stopped(source, problem)]) from None


def core(text: str) -> Scalar:
    """Return what a plain scalar means in the core schema of YAML 1.2.

    >>> core("70e9"), core("no"), core("0x10"), core("12")
    (70000000000.0, 'no', '0x10', 12)
    """
    if text in WORDS:
        return WORDS[text]
    if WHOLE.fullmatch(text):
        return int(text) if len(text) <= DIGITS else math.inf
    return float(text) if REAL.fullmatch(text) else text


def write(data: Mapping[str, object], name: str) -> str:
    """Return plain data as YAML that ``compose`` reads back as the same data."""
    try:
        return yaml.dump(
            data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=False
        )
    except (yaml.YAMLError, RecursionError, TypeError):
        mark = Mark(Source(name, ""), 1, 1)
        message = "this can only hold mappings, lists, texts, numbers and truth values, and nothing that holds itself"
        raise SpecError([Diagnostic(message=message, mark=mark, code="read-data")]) from None


def flow(value: object) -> str:
    """Return a piece of plain data as YAML on one line.

    >>> flow({"from": "gpu[0-3]", "links": 2}), flow("on"), flow("1e3")
    ("{from: 'gpu[0-3]', links: 2}", "'on'", '"1e3"')
    """
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=True)
    return text.removesuffix("...\n").strip()


def _loader() -> type:
    return getattr(yaml, "CSafeLoader", PureLoader)


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = isinstance(core(text), str)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Dumper.add_representer(str, _text)


@dataclass(slots=True)
class _Anchor:
    value: Value | None = None  # None while it is being read
    nodes: int = 0
    depth: int = 0


@dataclass(slots=True)
class _Composer:
    """Walks the events of one text once."""

    source: Source
    mistakes: list[Diagnostic] = field(default_factory=list)
    anchors: dict[str, _Anchor] = field(default_factory=dict)
    nodes: int = 0
    aliases: int = 0
    deepest: int = 0
    lines: list[str] = field(default_factory=list)

    def document(self, events: Iterator[yaml.Event]) -> Value:
        for event in events:
            if isinstance(event, yaml.StreamEndEvent):
                break
            if not isinstance(event, (yaml.StreamStartEvent, yaml.DocumentStartEvent)):
                value = self._value(event, events, 1, "")
                self._rest(events)
                if value.data is None and not value.text:
                    break
                return value
        raise SpecError([yaml_mistakes.empty(self.source)])

    def _rest(self, events: Iterator[yaml.Event]) -> None:
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise SpecError([*self.mistakes, yaml_mistakes.second(self._mark(event, event))])

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int, key: str) -> Value:
        self._count(event, 1, depth)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        if not isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)):
            raise TypeError
        if event.tag is not None:
            self.mistakes.append(yaml_mistakes.tag(self._mark(event, event), event.tag))
        anchor = _Anchor()
        if event.anchor is not None:
            self.anchors[event.anchor] = anchor
        before, outer, self.deepest = self.nodes, self.deepest, depth
        value = self._inside(event, events, depth, key)
        anchor.value, anchor.nodes, anchor.depth = value, self.nodes - before + 1, self.deepest - depth
        self.deepest = max(outer, self.deepest)
        return value

    def _inside(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int, key: str) -> Value:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(event, events, depth, key)
        return self._mapping(event, events, depth, key)

    def _scalar(self, event: yaml.ScalarEvent) -> Value:
        mark, text = self._mark(event, event), event.value
        data = core(text) if event.implicit[0] else text
        if len(text) > LENGTH:
            raise SpecError([*self.mistakes, yaml_mistakes.long(mark, LENGTH)])
        if isinstance(data, float) and not math.isfinite(data):
            self.mistakes.append(yaml_mistakes.beyond(mark, text))
            data = 0
        found = UNPRINTABLE.search(text)
        if found:
            self.mistakes.append(yaml_mistakes.unprintable(mark, found.group()))
        return Value(data, mark, text=text)

    def _list(self, start: yaml.Event, events: Iterator[yaml.Event], depth: int, key: str) -> Value:
        parts: list[Value] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                return Value(tuple(parts), self._mark(start, event))
            parts.append(self._value(event, events, depth + 1, key))
        raise ValueError

    def _mapping(self, start: yaml.Event, events: Iterator[yaml.Event], depth: int, under: str) -> Value:
        data: dict[str, Value] = {}
        keys: dict[str, Mark] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                return Value(MappingProxyType(data), self._mark(start, event), keys=MappingProxyType(keys))
            key = self._key(event, events, depth)
            mark = self._mark(event, event)
            value = self._value(next(events), events, depth + 1, key or under)
            if key is None:
                continue
            if value.data is None and not value.text:  # nothing is written there: the key is what one sees
                value = replace(value, mark=mark)
            if key in keys:
                self.mistakes.append(yaml_mistakes.twice(mark, key, keys[key], under))
            else:
                data[key], keys[key] = value, mark
        raise ValueError

    def _key(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> str | None:
        value = self._value(event, events, depth + 1, "")
        at = value.mark.column - 2
        if at >= 0 and self._lines()[value.mark.line - 1][at] == "?":  # [?pu] is a mapping with an empty value in YAML
            self.mistakes.append(yaml_mistakes.question(value.mark))
            return None
        if isinstance(value.data, str) and value.data != "<<":
            return value.data
        mark = value.mark
        merge = value.data == "<<"
        self.mistakes.append(yaml_mistakes.merge(mark) if merge else yaml_mistakes.key(mark, value.text))
        return None

    def _alias(self, event: yaml.AliasEvent, depth: int) -> Value:
        name = event.anchor or ""
        anchor, mark = self.anchors.get(name), self._mark(event, event)
        self.aliases += 1
        if anchor is None:
            raise SpecError([*self.mistakes, yaml_mistakes.star(mark, name)])
        if anchor.value is None:
            raise SpecError([*self.mistakes, yaml_mistakes.recursive(mark)])
        if self.aliases > ALIASES:
            raise SpecError([*self.mistakes, yaml_mistakes.aliases(mark, ALIASES)])
        self._count(event, anchor.nodes - 1, depth + anchor.depth)
        return replace(anchor.value, mark=mark)

    def _count(self, event: yaml.Event, nodes: int, depth: int) -> None:
        self.nodes += nodes
        self.deepest = max(self.deepest, depth)
        if depth > DEPTH:
            raise SpecError([*self.mistakes, yaml_mistakes.deep(self._mark(event, event), DEPTH)])
        if self.nodes > NODES:
            raise SpecError([*self.mistakes, yaml_mistakes.many(self._mark(event, event), NODES)])

    def _lines(self) -> list[str]:
        if not self.lines:
            self.lines = self.source.text.split("\n")
        return self.lines

    def _mark(self, start: yaml.Event, end: yaml.Event) -> Mark:
        """Return the place of a piece; of one over several lines the rest of its first line."""
        first, last = start.start_mark, end.end_mark
        if first is None or last is None:
            raise TypeError
        if first.line == last.line:
            width = last.column - first.column
        else:
            width = len(re.split(r"\s+#", self._lines()[first.line][first.column :])[0].rstrip())
        return Mark(self.source, first.line + 1, first.column + 1, max(1, width))
