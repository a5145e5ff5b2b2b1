"""XML read safely: no document types with entities, limits on size and depth, the line of every element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from topoviz.importers.evidence.text import wrong
from topoviz.marks import Source

DEPTH = 100
LARGEST = 64 * 1024 * 1024  # characters
ELEMENTS = 1_000_000
ROOT = re.compile(r"<(?![?!])\s*(?P<name>[\w.:-]+)")
LINE_OF = re.compile(r"line (\d+)")


@dataclass(slots=True)
class Element:
    """One element with its attributes, its children, its text and its line."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def get(self, key: str, default: str = "") -> str:
        """Return an attribute, or the default."""
        return self.attributes.get(key, default)

    def all(self, *names: str) -> list[Element]:
        """Return the children of these names."""
        return [child for child in self.children if child.name in names]

    def every(self) -> Iterator[Element]:
        """Yield this element and everything below it, in the order of the file."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.children))


def root_of(text: str) -> str:
    """Return the name of the first element, without reading the rest.

    >>> root_of("<?xml version='1.0'?><!-- <b> --><a x='1'>")
    'a'
    """
    head = re.sub(r"<!--.*?-->", "", text[:65536], flags=re.DOTALL)
    head = re.sub(r"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", "", head, flags=re.DOTALL)
    found = ROOT.search(head)
    return found["name"] if found and not head[: found.start()].strip("\ufeff \t\r\n").strip().startswith("{") else ""


@dataclass(slots=True)
class _Reader:
    source: Source
    parser: expat.XMLParserType
    top: Element | None = None
    stack: list[Element] = field(default_factory=list)
    stray: list[int] = field(default_factory=list)
    elements: int = 0

    def doctype(self, name: str, _system: str | None, _public: str | None, internal: object) -> None:
        line = self.parser.CurrentLineNumber
        if name.lower() == "html":
            raise wrong(
                self.source,
                line,
                "this is a web page (html), not a topology",
                hint="the download saved an error page; fetch the file itself",
                code="xml-not-a-topology",
            )
        if internal:
            raise _refused(self.source, line)

    def entity(self, *_: object) -> None:
        raise _refused(self.source, self.parser.CurrentLineNumber)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        line = self.parser.CurrentLineNumber
        if len(self.stack) >= DEPTH:
            raise wrong(
                self.source,
                line,
                f"elements are nested more than {DEPTH} deep",
                hint="no machine has so many bridges below each other",
                code="xml-too-deep",
            )
        if self.elements > ELEMENTS:
            raise wrong(self.source, line, f"more than {ELEMENTS} elements", code="xml-too-large")
        element = Element(name, attributes, line)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.top = element
        self.stack.append(element)

    def end(self, _name: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        if self.stack:
            self.stack[-1].text += text
        if text.strip():
            self.stray.append(self.parser.CurrentLineNumber)


def _refused(source: Source, line: int) -> Exception:
    hint = "topology files need none; remove the document type"
    return wrong(
        source, line, "a DOCTYPE with entities is refused", hint=hint, code="xml-doctype-refused", word="<!DOCTYPE"
    )


def parse(source: Source) -> tuple[Element, list[int]]:
    """Return the root element and the lines with text between elements. Raises SpecError."""
    text = source.text.lstrip("\ufeff \t\r\n")
    skipped = source.text[: len(source.text) - len(text)].count("\n")
    if len(text) > LARGEST:
        raise wrong(source, None, f"the file has more than {LARGEST // 1024 // 1024} MB", code="input-too-large")
    _refuse_html(source, text)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    reader = _Reader(source, parser)
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.entity
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    try:
        parser.Parse("\n" * skipped + text if not text.startswith("<?xml") else text, True)
    except expat.ExpatError as problem:
        raise _malformed(source, problem, reader) from None
    if reader.top is None:
        raise wrong(source, 1, "there is no element in this file", code="xml-syntax")
    return reader.top, reader.stray


def _refuse_html(source: Source, text: str) -> None:
    if re.match(r"(?is)(?:<!doctype\s+html|<html)\b", text):
        hint = "this is a web page, as a download of the wrong link gives; fetch the file itself"
        raise wrong(source, 1, "this is html, not a topology", hint=hint, code="xml-not-a-topology", word="html")


def _malformed(source: Source, problem: expat.ExpatError, reader: _Reader) -> Exception:
    said = expat.ErrorString(problem.code)
    cut = bool(reader.stack) and problem.code in {
        expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    }
    if cut:
        inside = reader.stack[-1]
        message = f"not well-formed: end of file inside <{inside.name}> of line {inside.line}"
        return wrong(source, problem.lineno, message, hint="the file is incomplete; copy all of it", code="xml-syntax")
    return wrong(
        source, problem.lineno, f"not well-formed: {said}", hint="this is no XML that can be read", code="xml-syntax"
    )
