"""The findings of ``check`` in each of its formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from topoviz.cli.told import print_json

if TYPE_CHECKING:
    from topoviz.errors import Diagnostic

FORMS = ("text", "json", "github", "sarif")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "note": "note"}


def tell(found: Sequence[Diagnostic], form: str) -> None:
    """Print findings in a format: for a person, for programs, for GitHub, for tools that read SARIF."""
    if form == "json":
        print_json([row(one) for one in found])
    elif form == "sarif":
        print_json(sarif(found))
    elif form == "github":
        for one in found:
            click.echo(_github(one))
    else:
        _text(found)


def _text(found: Sequence[Diagnostic]) -> None:
    for one in found:
        click.echo(one.render(), err=one.severity != "note")
    wrong = sum(one.severity == "error" for one in found)
    odd = sum(one.severity == "warning" for one in found)
    parts = [f"{number} {word}{'s' * (number > 1)}" for number, word in ((wrong, "error"), (odd, "warning")) if number]
    click.echo(", ".join(parts) or "no mistakes found", err=bool(parts))


def row(one: Diagnostic) -> dict[str, object]:
    """Return a finding as the plain data that CI and editors read; without a place, file is empty."""
    mark = one.mark
    place: dict[str, object] = {"file": "", "line": 1, "column": 1}
    if mark is not None:
        place = {"file": mark.source.path, "line": mark.line, "column": mark.column}
    return {**place, "severity": one.severity, "code": one.code, "message": one.message, "hint": one.hint}


def sarif(found: Sequence[Diagnostic]) -> dict[str, object]:
    """Return findings as a log of SARIF 2.1.0, the format of code scanning; source: the OASIS standard of 2020."""
    from topoviz import __version__

    rules = list(dict.fromkeys(one.code for one in found if one.code))
    driver = {
        "name": "topoviz",
        "version": __version__,
        "rules": [{"id": code} for code in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, rules) for one in found],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(one: Diagnostic, rules: Sequence[str]) -> dict[str, object]:
    said = one.message + (f"\n{one.hint}" if one.hint else "")
    result: dict[str, object] = {"level": LEVELS[one.severity], "message": {"text": said}}
    if one.code:
        result = {"ruleId": one.code, "ruleIndex": rules.index(one.code), **result}
    mark = one.mark
    if mark is None:
        return result
    region = {"startLine": mark.line, "startColumn": mark.column, "endColumn": mark.column + max(1, mark.width)}
    place = {"artifactLocation": {"uri": _uri(mark.source.path)}, "region": region}
    return {**result, "locations": [{"physicalLocation": place}]}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path.replace("\\", "/"))


def _github(one: Diagnostic) -> str:
    """Return a finding as a workflow command of GitHub, with its signs of its own escaped."""
    kind = {"note": "notice"}.get(one.severity, one.severity)
    said = one.message + (f"\n{one.hint}" if one.hint else "")
    where = row(one)
    file = _escaped(str(where["file"])).replace(":", "%3A").replace(",", "%2C")
    place = f" file={file},line={where['line']},col={where['column']}" if file else ""
    return f"::{kind}{place}::{_escaped(said)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
