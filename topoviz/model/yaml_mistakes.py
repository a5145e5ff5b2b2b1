"""What stops a text from being read as YAML, in our words.

A YAML parser says where it could not go on and rarely why. The usual reasons
are looked for in the line where it stopped; each ``Diagnostic`` here is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark, Source
from topoviz.model.spelling import number_word

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\r(?!\n)")
PLURAL = {"contains": "groups", "parts": "parts", "parameters": "parameters", "variants": "variants"}


def wrong(mark: Mark, message: str, hint: str = "", code: str = "read-yaml") -> Diagnostic:
    """Return a mistake in reading."""
    return Diagnostic(message=message, mark=mark, hint=hint, code=code)


# ---- known before a parser sees the text


def before(source: Source, size: int, depth: int) -> None:
    """Raise SpecError for what no parser needs to look at: size, control signs, tabs, a second document, depth."""
    if len(source.text) > size:
        mark = Mark(source, 1, 1)
        raise SpecError([wrong(mark, f"this file is larger than {size // 1024 // 1024} MB", code="read-size")])
    found = _control(source) or _tab(source) or _second_document(source) or _too_deep(source, depth)
    if found:
        raise SpecError([found])


def _too_deep(source: Source, most: int) -> Diagnostic | None:
    """Find brackets so deep that a parser takes for ever."""
    depth = 0
    for number, at, sign in brackets_of(source.text):
        depth += (sign in "{[") - (sign in "}]")
        if depth > most:
            return deep(Mark(source, number, at + 1), most)
    return None


def _control(source: Source) -> Diagnostic | None:
    found = CONTROL.search(source.text)
    if not found:
        return None
    start = source.text.rfind("\n", 0, found.start()) + 1
    mark = Mark(source, source.text.count("\n", 0, found.start()) + 1, found.start() - start + 1)
    return unprintable(mark, found.group())


def _tab(source: Source) -> Diagnostic | None:
    for number, line in enumerate(source.text.split("\n"), 1):
        found = re.match(r" *\t", line)
        if found and line.strip():
            mark = Mark(source, number, found.end())
            return wrong(mark, "a tab at the start of a line", "indent with two spaces", "read-tab")
    for number, at, sign in signs_of(source.text) if "\t" in source.text else ():
        if sign == "\t":
            return wrong(Mark(source, number, at + 1), "a tab between words", "use a blank", "read-tab")
    return None


def _second_document(source: Source) -> Diagnostic | None:
    """Find ``---`` after something was said, or anything that is said after ``...``."""
    begun = False
    ended: Mark | None = None
    for number, line in enumerate(source.text.split("\n"), 1):
        said = bool(line.strip()) and not line.lstrip().startswith("#") and not line.startswith("%")
        if re.match(r"---(\s|$)", line):
            if begun:
                return second(Mark(source, number, 1, 3))
            said = bool(line[3:].split("#")[0].strip())
        elif re.match(r"\.\.\.(\s|$)", line):
            ended = ended or Mark(source, number, 1, 3)
        elif said and ended:
            return second(ended)
        begun = begun or said
    return None


# ---- found while walking the events


def empty(source: Source) -> Diagnostic:
    """Return the mistake: nothing but blanks and comments."""
    hint = "the shortest one is a single line: part: dgx-h100"
    return wrong(Mark(source, 1, 1), "nothing in this document", hint, "read-empty")


def second(mark: Mark) -> Diagnostic:
    """Return the mistake: a second document in one file."""
    hint = "one file holds one document; write two files. topoviz render a.yaml b.yaml joins them, with --each it draws each by itself"
    return wrong(mark, "a second document in one file", hint, "read-documents")


def twice(mark: Mark, key: str, first: Mark, under: str) -> Diagnostic:
    """Return the mistake: a key that its mapping has already."""
    hint = f"first written on line {first.line}"
    if under in PLURAL:
        hint += f"; two {PLURAL[under]} need two names"
    return wrong(mark, f"'{key}' is written twice", hint, "read-twice")


def tag(mark: Mark, text: str) -> Diagnostic:
    """Return the mistake: an explicit tag."""
    short = text.replace("tag:yaml.org,2002:", "!!")
    if not short.startswith("!!"):
        hint = f'write "{word_at(mark.source.line(mark.line), mark.column - 1)}"'
        return wrong(
            Mark(mark.source, mark.line, mark.column), "a text that begins with '!' needs quotes", hint, "read-quotes"
        )
    return wrong(mark, f"a YAML tag, '{short}'", "leave it out; quotes make a text of anything", "read-tag")


def key(mark: Mark, text: str) -> Diagnostic:
    """Return the mistake: a key that is no text."""
    if not text:
        return wrong(mark, "a key is a text, not a list or a mapping", code="read-key")
    return wrong(mark, f"a key is a text, and {text} is not", f'write "{text}"', "read-key")


def question(mark: Mark) -> Diagnostic:
    """Return the mistake: ``?`` and a text, which YAML takes for a key; ``mark`` is that of the text."""
    hint = f'write "{word_at(mark.source.line(mark.line), mark.column - 2).rstrip(":")}"'
    wide = Mark(mark.source, mark.line, mark.column - 1)
    return wrong(wide, "a text that begins with '?' needs quotes", hint, "read-quotes")


def merge(mark: Mark) -> Diagnostic:
    """Return the mistake: the merge key."""
    hint = "put what is shared under parts: and take it with part:"
    return wrong(mark, "'<<' merges mappings, and nothing is merged here", hint, "read-merge")


def star(mark: Mark, name: str) -> Diagnostic:
    """Return the mistake: an alias that nothing is named by: a glob without quotes."""
    written = word_at(mark.source.line(mark.line), mark.column - 1)
    plain = written.strip("*")
    wide = Mark(mark.source, mark.line, mark.column)
    hint = f'write "{written}"'
    if plain == name:
        hint += f"; plain {plain} means {_all_of(mark.source, plain)}"
    return wrong(wide, "a text that begins with '*' needs quotes", hint, "read-star")


def _all_of(source: Source, name: str) -> str:
    """Return how many of a group there are in words, if the text says so."""
    found = re.search(rf"(?<![^\s{{,]){re.escape(name)}: *(\d{{1,7}}) x ", source.text)
    return f"all {number_word(int(found.group(1)))} of them" if found else "all of them"


def recursive(mark: Mark) -> Diagnostic:
    """Return the mistake: an alias inside what it stands for."""
    return wrong(mark, "this piece contains itself", code="read-recursion")


def aliases(mark: Mark, most: int) -> Diagnostic:
    """Return the mistake: too many aliases."""
    return wrong(mark, f"more than {most:,} aliases", "parts: has names for what is used again", "read-limit")


def deep(mark: Mark, most: int) -> Diagnostic:
    """Return the mistake: nested too deep."""
    return wrong(mark, f"nested deeper than {most} levels", code="read-limit")


def many(mark: Mark, most: int) -> Diagnostic:
    """Return the mistake: too many values."""
    return wrong(
        mark,
        f"more than {most:,} values, aliases counted each time",
        "a count says how many there are of a thing: 8 x l40s",
        "read-limit",
    )


def long(mark: Mark, most: int) -> Diagnostic:
    """Return the mistake: too long a text."""
    return wrong(mark, f"a text of more than {most:,} characters", code="read-limit")


def beyond(mark: Mark, text: str) -> Diagnostic:
    """Return the mistake: a number beyond all measure."""
    shown = text if len(text) < 20 else text[:16] + "…"
    return wrong(mark, f"the number {shown} is too large", code="read-limit")


def unprintable(mark: Mark, sign: str) -> Diagnostic:
    """Return the mistake: a sign that no picture can hold."""
    name = {"\r": "a line end of CR alone", "\u2028": "a line separator", "\u2029": "a paragraph separator"}
    what = name.get(
        sign, "a control character" if unicodedata.category(sign) == "Cc" else "a sign that is no character"
    )
    return wrong(mark, f"{what} (U+{ord(sign):04X})", code="read-control")


# ---- looking at a line


def brackets_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line, place and sign of each bracket outside quotes and comments; at last a quote that stays open."""
    return (one for one in signs_of(text) if one[2] != "\t")


def signs_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the same, and tabs."""
    quote: tuple[int, int, str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        for found in re.finditer(r"['\"]|[{}\[\]\t]|(?<!\S)#", line):
            at, sign = found.start(), found.group()
            if quote:
                quote = None if sign == quote[2] else quote
            elif sign == "#":
                break
            elif sign not in "'\"":
                yield number, at, sign
            elif at == 0 or line[at - 1] in " \t[{,:":
                quote = (number, at, sign)
    if quote:
        yield quote


def unquoted(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield place and sign of what stands outside quotes and comments."""
    quote = ""
    for at in range(start, len(text)):
        sign = text[at]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and (at == 0 or text[at - 1] in " \t\n[{,:"):
            quote = sign
        elif sign == "#" and (at == 0 or text[at - 1] in " \t\n"):
            return
        else:
            yield at, sign


def word_at(text: str, at: int) -> str:
    """Return the word round a place; commas inside brackets belong to it."""
    start = at
    while start > 0 and text[start - 1] not in " \t{,[":
        start -= 1
    end, depth = at, 0
    while end < len(text) and not (text[end] in " \t" or (depth == 0 and text[end] in ",]}")):
        depth += (text[end] == "[") - (text[end] == "]")
        end += 1
    return text[start:end]
