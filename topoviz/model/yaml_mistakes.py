"""What stops a text from being read as YAML, in our words.

A YAML parser says where it could not go on and rarely why. The usual reasons
are looked for in the line where it stopped; each ``Diagnostic`` here is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import yaml

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark, Source
from topoviz.model.spelling import number_word

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\r(?!\n)")
RESERVED = "*&!|>%@`"  # signs with a meaning of their own at the start of a text
PLURAL = {"contains": "groups", "parts": "parts", "parameters": "parameters", "variants": "variants"}


def _wrong(mark: Mark, message: str, hint: str = "", code: str = "read-yaml") -> Diagnostic:
    return Diagnostic(message=message, mark=mark, hint=hint, code=code)


# ---- known before a parser sees the text


def before(source: Source, size: int) -> None:
    """Raise SpecError for what no parser needs to look at: size, control signs, tabs, a second document."""
    if len(source.text) > size:
        raise SpecError([_wrong(Mark(source, 1, 1), f"this file is larger than {size // 1024 // 1024} MB", code="read-size")])
    for check in (_control, _tab, _second_document):
        found = check(source)
        if found:
            raise SpecError([found])


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
            return _wrong(Mark(source, number, found.end()), "a tab at the start of a line", "indent with two spaces", "read-tab")
    return None


def _second_document(source: Source) -> Diagnostic | None:
    begun = False
    for number, line in enumerate(source.text.split("\n"), 1):
        if re.match(r"---(\s|$)", line):
            if begun:
                return second(Mark(source, number, 1, 3))
            begun = bool(line[3:].split("#")[0].strip())
        elif line.strip() and not line.lstrip().startswith("#") and not line.startswith("%"):
            begun = True
    return None


# ---- found while walking the events


def empty(source: Source) -> Diagnostic:
    hint = "the shortest one is a single line: part: dgx-h100"
    return _wrong(Mark(source, 1, 1), "nothing in this document", hint, "read-empty")


def second(mark: Mark) -> Diagnostic:
    hint = "one file holds one document; write two files. topoviz render a.yaml b.yaml joins them, with --each it draws each by itself"
    return _wrong(mark, "a second document in one file", hint, "read-documents")


def twice(mark: Mark, key: str, first: Mark, under: str) -> Diagnostic:
    hint = f"first written on line {first.line}"
    if under in PLURAL:
        hint += f"; two {PLURAL[under]} need two names"
    return _wrong(mark, f"'{key}' is written twice", hint, "read-twice")


def tag(mark: Mark, text: str) -> Diagnostic:
    short = text.replace("tag:yaml.org,2002:", "!!")
    return _wrong(mark, f"a YAML tag, '{short}'", "leave it out; quotes make a text of anything", "read-tag")


def key(mark: Mark, text: str) -> Diagnostic:
    if not text:
        return _wrong(mark, "a key is a text, not a list or a mapping", code="read-key")
    return _wrong(mark, f"a key is a text, and {text} is not", f'write "{text}"', "read-key")


def merge(mark: Mark) -> Diagnostic:
    hint = "put what is shared under parts: and take it with part:"
    return _wrong(mark, "'<<' merges mappings, and nothing is merged here", hint, "read-merge")


def star(mark: Mark, name: str) -> Diagnostic:
    written = _word(mark.source.line(mark.line), mark.column - 1)
    plain = written.strip("*")
    wide = Mark(mark.source, mark.line, mark.column)
    hint = f'write "{written}"'
    if plain == name:
        hint += f"; plain {plain} means {_all_of(mark.source, plain)}"
    return _wrong(wide, "a text that begins with '*' needs quotes", hint, "read-star")


def _all_of(source: Source, name: str) -> str:
    """Return how many of a group there are in words, if the text says so."""
    found = re.search(rf"(?<![^\s{{,]){re.escape(name)}: *(\d{{1,7}}) x ", source.text)
    return f"all {number_word(int(found.group(1)))} of them" if found else "all of them"


def recursive(mark: Mark) -> Diagnostic:
    return _wrong(mark, "this piece contains itself", code="read-recursion")


def aliases(mark: Mark, most: int) -> Diagnostic:
    return _wrong(mark, f"more than {most:,} aliases", "parts: has names for what is used again", "read-limit")


def deep(mark: Mark, most: int) -> Diagnostic:
    return _wrong(mark, f"nested deeper than {most} levels", code="read-limit")


def many(mark: Mark, most: int) -> Diagnostic:
    return _wrong(mark, f"more than {most:,} values", "a count says how many there are of a thing: 8 x l40s", "read-limit")


def long(mark: Mark, most: int) -> Diagnostic:
    return _wrong(mark, f"a text of more than {most:,} characters", code="read-limit")


def beyond(mark: Mark, text: str) -> Diagnostic:
    shown = text if len(text) < 20 else text[:16] + "…"
    return _wrong(mark, f"the number {shown} is too large", code="read-limit")


def unprintable(mark: Mark, sign: str) -> Diagnostic:
    name = {"\r": "a line end of CR alone", "\u2028": "a line separator", "\u2029": "a paragraph separator"}
    what = name.get(sign, "a control character" if unicodedata.category(sign) == "Cc" else "a sign that is no character")
    return _wrong(mark, f"{what} (U+{ord(sign):04X})", code="read-control")


# ---- the parser gave up


def stopped(source: Source) -> Diagnostic:
    """Return the likeliest reason why a parser could not go on, found by the pure one for both."""
    line, column = _where(source)
    text = source.line(line)
    for look in (_brackets, _brace_first, _colon, _reserved, _quotes):
        for at in dict.fromkeys((line, line - 1)):
            found = look(source, at, source.line(at)) if at > 0 else None
            if found:
                return found
    opened = _open(source)
    if opened:
        return opened
    if not text.strip() and line > 1:
        line, column = line - 1, 0
    return _last(source, line, column)


def _where(source: Source) -> tuple[int, int]:
    try:
        for _ in yaml.parse(source.text, Loader=yaml.SafeLoader):
            pass
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        return (mark.line + 1, mark.column) if mark else (1, 0)
    except (yaml.YAMLError, ValueError, RecursionError):
        return 1, 0
    return 1, 0


def _last(source: Source, line: int, column: int) -> Diagnostic:
    text = source.line(line)
    column = min(column, max(0, len(text) - 1))
    start = len(text) - len(text.lstrip())
    joined = re.match(r"\s*(?:- )?([^\s:#'\"{}\[\],]+):([^\s:/][^:]*)$", text)
    if joined:
        fixed = f"{joined.group(1)}: {joined.group(2)}"
        return _wrong(Mark(source, line, joined.start(2)), "':' needs a blank after it", f"write {fixed}", "read-colon")
    if text[column : column + 1] == "\t":
        return _wrong(Mark(source, line, column + 1), "a tab between words", "use a blank", "read-tab")
    if column <= start and line > 1:
        hint = "lines that belong together begin in the same column"
        return _wrong(Mark(source, line, start + 1), "this line is indented unlike those before it", hint, "read-indent")
    hint = "put quotes round a text with signs such as : # [ ] { } , & * ! | > ' \" % @"
    return _wrong(Mark(source, line, column + 1), "this is not YAML", hint)


VALUE = re.compile(r"(?P<lead>\s*(?:- +)*)(?:(?P<key>[^\s:#'\"{}\[\],]+): +)?(?=\S)")


def _head(text: str) -> tuple[str, int]:
    """Return the key of a line and where its value starts."""
    found = VALUE.match(text)
    return (found.group("key") or "", found.end()) if found else ("", 0)


def _write(key_name: str, text: str) -> str:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"write {key_name}: {quoted}" if key_name else f"write {quoted}"


def _bare(text: str) -> str:
    """Return a value without its comment."""
    return re.split(r"\s+#", text)[0].rstrip()


def _brace_first(source: Source, line: int, text: str) -> Diagnostic | None:
    name, start = _head(text)
    opening = text[start : start + 1]
    if opening not in {"{", "["}:
        return None
    end = _closing(text, start)
    rest = text[end + 1 :] if end else ""
    if end is None or not _bare(rest).strip(" ,]}"):
        return None
    at = end + 1 + len(rest) - len(rest.lstrip())
    return _wrong(
        Mark(source, line, at + 1), f"a text that begins with '{opening}' needs quotes", _write(name, _bare(text[start:])), "read-quotes"
    )


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for at, sign in _unquoted(text, start):
        depth += (sign in "{[") - (sign in "}]")
        if depth == 0:
            return at
    return None


def _unquoted(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
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


def _colon(source: Source, line: int, text: str) -> Diagnostic | None:
    name, start = _head(text)
    if not name or text[start] in "'\"{[|>":
        return None
    value = _bare(text[start:])
    at = value.find(": ")
    at = len(value) - 1 if at < 0 and value.endswith(":") else at
    if at < 0:
        return None
    return _wrong(Mark(source, line, start + at + 1), "': ' inside a text needs quotes", _write(name, value), "read-colon")


def _brackets(source: Source, line: int, text: str) -> Diagnostic | None:
    """Find ``gpu[0-3]`` inside braces, which YAML itself forbids."""
    outside: list[str] = []
    for at, sign in _unquoted(text):
        glued = at > 0 and text[at - 1] not in " \t[{,:"
        if sign == "[" and glued and outside:
            word = _word(text, at)
            round_it = "{…}" if outside[-1] == "{" else "[…]"
            return _wrong(Mark(source, line, at + 1), f"'[' inside '{round_it}' needs quotes", f'write "{word}"', "read-bracket")
        if sign in "{[" and (not glued or outside):
            outside.append(sign)
        elif sign in "}]" and outside:
            outside.pop()
    return None


def _word(text: str, at: int) -> str:
    """Return the word round a place; commas inside brackets belong to it."""
    start = at
    while start > 0 and text[start - 1] not in " \t{,[":
        start -= 1
    end, depth = at, 0
    while end < len(text) and not (text[end] in " \t" or (depth == 0 and text[end] in ",]}")):
        depth += (text[end] == "[") - (text[end] == "]")
        end += 1
    return text[start:end]


def _reserved(source: Source, line: int, text: str) -> Diagnostic | None:
    before_value = r"(?:^\s*(?:- +)*|: +|[\[{,] *)"
    found = re.search(rf"{before_value}([{re.escape(RESERVED)}])\S*", text)
    if not found or text[found.start(1) :].strip() in {"|", ">", "|-", ">-", "|+", ">+"}:
        return None
    at = found.start(1)
    hint = f'write "{_word(text, at)}"'
    return _wrong(Mark(source, line, at + 1), f"a text that begins with '{text[at]}' needs quotes", hint, "read-quotes")


def _quotes(source: Source, line: int, text: str) -> Diagnostic | None:
    name, start = _head(text)
    quote = text[start : start + 1]
    if quote not in {"'", '"'}:
        return None
    end = text.find(quote, start + 1)
    rest = _bare(text[end + 1 :]).strip() if end > 0 else ""
    if not rest or rest[0] in ",:]}":
        return None
    at = text.index(rest, end + 1)
    return _wrong(Mark(source, line, at + 1), "text goes on after the closing quote", _write(name, _bare(text[start:])), "read-quotes")


def _open(source: Source) -> Diagnostic | None:
    """Find a bracket or a quote that is never closed, or a closing one that closes nothing."""
    opened: list[tuple[int, int, str]] = []
    quote: tuple[int, int, str] | None = None
    for number, text in enumerate(source.text.split("\n"), 1):
        for at, sign in enumerate(text):
            if quote:
                quote = None if sign == quote[2] else quote
            elif sign == "#" and (at == 0 or text[at - 1] in " \t"):
                break
            elif sign in "'\"" and (at == 0 or text[at - 1] in " \t[{,:"):
                quote = (number, at, sign)
            elif sign in "{[":
                opened.append((number, at, sign))
            elif sign in "}]":
                if not opened or opened[-1][2] != {"}": "{", "]": "["}[sign]:
                    return _wrong(Mark(source, number, at + 1), f"'{sign}' closes nothing", code="read-bracket")
                opened.pop()
    left = quote or (opened[-1] if opened else None)
    if not left:
        return None
    kind = "read-quotes" if quote else "read-bracket"
    return _wrong(Mark(source, left[0], left[1] + 1), f"{left[2]!r} is never closed" if left[2] != "'" else '"\'" is never closed', code=kind)
