"""Arguments and options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from topoviz.cli import complete

if TYPE_CHECKING:
    from topoviz.marks import Source
    from topoviz.model.topology import Topology

INPUTS = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...", shell_complete=complete.machines)
SET = click.option(
    "--set", "given", multiple=True, metavar="K=V", help="A parameter or the variant of the root; may be repeated."
)
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for programs.",
)
STDIN = "-"


def load(inputs: Iterable[str], given: Sequence[str]) -> Topology:
    """Return the topology of files, catalog names and ``-``, with what ``--set`` says."""
    from topoviz.loading import load as load_all

    return load_all(*[standard_input() if one == STDIN else one for one in inputs], **choices(given))


def choices(given: Sequence[str]) -> dict[str, str | int]:
    """Return what ``--set K=V`` says: numbers, and the variant as a text."""
    out: dict[str, str | int] = {}
    for one in given:
        key, sign, value = one.partition("=")
        if not sign or not key or not value:
            example = "for instance --set su=4 or --set variant=full"
            raise click.UsageError(f"--set {one}: write --set NAME=VALUE, {example}")
        if key in out:
            raise click.UsageError(f"--set {one}: '{key}' is set twice")
        if key == "variant":
            out[key] = value
        elif value.lstrip("-").isdecimal():
            out[key] = int(value)
        else:
            raise click.UsageError(f"--set {one}: '{value}' is no whole number")
    return out


def standard_input() -> Source:
    """Return what comes in by standard input."""
    from topoviz.model.source import decode

    return decode(sys.stdin.buffer.read(), "<stdin>")


def split(text: str) -> list[str]:
    """Return the texts between commas; a comma inside brackets or braces belongs to its text.

    >>> split("gpu[0,2], nic*")
    ['gpu[0,2]', 'nic*']
    """
    out, depth = [""], 0
    for sign in text:
        depth += (sign in "[{(") - (sign in "]})")
        if sign == "," and depth <= 0:
            out.append("")
        else:
            out[-1] += sign
    return [one.strip() for one in out if one.strip()]
