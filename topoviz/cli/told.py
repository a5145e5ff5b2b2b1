"""What a person is told when something goes wrong, and the code that the command leaves with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from topoviz.errors import Diagnostic

WRONG, MISUSED, MISSING, INTERRUPTED = 1, 2, 3, 130
PASS_ON = (click.exceptions.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError)


def told(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with every failure said in a few words, and the promised code."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except PASS_ON:
            raise
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except Exception as problem:
            if os.environ.get("TOPOVIZ_DEBUG") and _is_bug(problem):
                raise
            click.echo(_said(problem), err=True)
            sys.exit(_code(problem))

    return run


def complain(diagnostics: Sequence[Diagnostic], code: int = WRONG) -> None:
    """Say mistakes on standard error and leave."""
    from topoviz.errors import report

    click.echo(report(diagnostics), err=True)
    sys.exit(code)


def write_out(data: bytes) -> None:
    """Write to standard output as it is: UTF-8 with LF on every system."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_json(value: object) -> None:
    """Print plain data for programs."""
    import json

    write_out((json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def _code(problem: Exception) -> int:
    from topoviz.errors import MissingExtra

    return MISSING if isinstance(problem, MissingExtra) else WRONG


def _is_bug(problem: Exception) -> bool:
    from topoviz.errors import TopovizError

    return not isinstance(problem, (TopovizError, OSError))


def _said(problem: Exception) -> str:
    from topoviz.errors import SpecError, report

    if isinstance(problem, SpecError):
        return report(problem.diagnostics)
    if isinstance(problem, OSError):
        said = problem.strerror or str(problem)
        return f"error: {problem.filename}: {said}" if problem.filename else f"error: {said}"
    if _is_bug(problem):
        hint = "TOPOVIZ_DEBUG=1 shows where; please report it with the input"
        return f"this is a bug in topoviz: {type(problem).__name__}: {problem}\n  hint: {hint}"
    return f"error: {problem.args[0] if problem.args else problem}"
