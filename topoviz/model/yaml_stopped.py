"""Why a YAML parser could not go on: the usual reasons are looked for in the line where it stopped."""

from __future__ import annotations

import re

import yaml

from topoviz.errors import Diagnostic
from topoviz.marks import Mark, Source
from topoviz.model.yaml_mistakes import brackets_of, unquoted, word_at, wrong

RESERVED = "*&!|>%@`"  # signs with a meaning of their own at the start of a text
LARGE = 256 * 1024  # above this, the place that the C scanner tells must do


def stopped(source: Source, problem: Exception) -> Diagnostic:
    """Return the likeliest reason why a parser could not go on."""
    line, column = _at(problem)
    text = source.line(line)
    for look in (_brackets, _brace_first, _colon, _reserved, _quotes, _joined):
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


def _at(problem: Exception) -> tuple[int, int]:
    """Return line (from 1) and column (from 0) of a problem."""
    mark = (problem.problem_mark or problem.context_mark) if isinstance(problem, yaml.MarkedYAMLError) else None
    return (mark.line + 1, mark.column) if mark else (1, 0)


def _last(source: Source, line: int, column: int) -> Diagnostic:
    text = source.line(line)
    column = min(column, max(0, len(text) - 1))
    start = len(text) - len(text.lstrip())
    if text[column : column + 1] == "\t":
        return wrong(Mark(source, line, column + 1), "a tab between words", "use a blank", "read-tab")
    if column <= start and line > 1:
        hint = "lines that belong together begin in the same column"
        return wrong(Mark(source, line, start + 1), "this line is indented unlike those before it", hint, "read-indent")
    hint = "put quotes round a text with signs such as : # [ ] { } , & * ! | > ' \" % @"
    return wrong(Mark(source, line, column + 1), "this is not YAML", hint)


def _joined(source: Source, line: int, text: str) -> Diagnostic | None:
    found = re.match(r"\s*(?:- )?([^\s:#'\"{}\[\],]+):([^\s:/][^:]*)$", text)
    if not found:
        return None
    hint = f"write {found.group(1)}: {found.group(2)}"
    return wrong(Mark(source, line, found.start(2) + 1), "':' needs a blank after it", hint, "read-colon")


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
    return wrong(
        Mark(source, line, at + 1),
        f"a text that begins with '{opening}' needs quotes",
        _write(name, _bare(text[start:])),
        "read-quotes",
    )


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for at, sign in unquoted(text, start):
        depth += (sign in "{[") - (sign in "}]")
        if depth == 0:
            return at
    return None


def _colon(source: Source, line: int, text: str) -> Diagnostic | None:
    name, start = _head(text)
    if not name or text[start] in "'\"{[|>":
        return None
    value = _bare(text[start:])
    at = value.find(": ")
    at = len(value) - 1 if at < 0 and value.endswith(":") else at
    if at < 0:
        return None
    return wrong(
        Mark(source, line, start + at + 1), "': ' inside a text needs quotes", _write(name, value), "read-colon"
    )


def _brackets(source: Source, line: int, text: str) -> Diagnostic | None:
    """Find ``gpu[0-3]`` inside braces, which YAML itself forbids."""
    outside: list[str] = []
    for at, sign in unquoted(text):
        glued = at > 0 and text[at - 1] not in " \t[{,:"
        if sign == "[" and glued and outside:
            word = word_at(text, at)
            round_it = "{…}" if outside[-1] == "{" else "[…]"
            return wrong(
                Mark(source, line, at + 1), f"'[' inside '{round_it}' needs quotes", f'write "{word}"', "read-bracket"
            )
        if sign in "{[" and (not glued or outside):
            outside.append(sign)
        elif sign in "}]" and outside:
            outside.pop()
    return None


def _reserved(source: Source, line: int, text: str) -> Diagnostic | None:
    before_value = r"(?:^\s*(?:- +)*|: +|[\[{,] *)"
    found = re.search(rf"{before_value}([{re.escape(RESERVED)}]|(?<=[\[{{,: ])\?(?=\S))\S*", text)
    if not found or text[found.start(1) :].strip() in {"|", ">", "|-", ">-", "|+", ">+"}:
        return None
    at = found.start(1)
    hint = f'write "{word_at(text, at)}"'
    return wrong(Mark(source, line, at + 1), f"a text that begins with '{text[at]}' needs quotes", hint, "read-quotes")


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
    return wrong(
        Mark(source, line, at + 1),
        "text goes on after the closing quote",
        _write(name, _bare(text[start:])),
        "read-quotes",
    )


def _open(source: Source) -> Diagnostic | None:
    """Find a bracket or a quote that is never closed, or a closing one that closes nothing."""
    opened: list[tuple[int, int, str]] = []
    for number, at, sign in brackets_of(source.text):
        if sign not in "}]":
            opened.append((number, at, sign))
        elif not opened or opened[-1][2] != {"}": "{", "]": "["}[sign]:
            return wrong(Mark(source, number, at + 1), f"'{sign}' closes nothing", code="read-bracket")
        else:
            opened.pop()
    if not opened:
        return None
    number, at, sign = opened[-1]
    shown = '"\'"' if sign == "'" else f"'{sign}'"
    return wrong(Mark(source, number, at + 1), f"{shown} is never closed", code="read-bracket")
