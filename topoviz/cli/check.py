"""``topoviz check``: documents and layout files, each by itself, without drawing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from topoviz.cli.inputs import INPUTS, SET, load
from topoviz.cli.reports import FORMS, tell
from topoviz.cli.told import WRONG, told

if TYPE_CHECKING:
    from topoviz.errors import Diagnostic
    from topoviz.marks import Source
    from topoviz.model.topology import Topology

OF_LAYOUTS = {"suits", "summary", "view", "rows", "columns"}
OF_DOCUMENTS = {"contains", "part", "pictures", "kind"}


@click.command()
@INPUTS
@click.option("--format", "form", type=click.Choice(FORMS), default="text", show_default=True)
@click.option("--strict", is_flag=True, help="Warnings are errors.")
@SET
@told
def check(inputs: tuple[str, ...], form: str, *, strict: bool, given: tuple[str, ...]) -> None:
    """Check documents and layout files, each by itself, then the hardware (speeds, rails, slots, links) and the job."""
    found = [finding for one in inputs for finding in _checked(one, given)]
    tell(found, form)
    bad = {"error", "warning"} if strict else {"error"}
    if any(one.severity in bad for one in found):
        sys.exit(WRONG)


def _checked(one: str, given: Sequence[str]) -> list[Diagnostic]:
    """Return what is wrong with an input; a mistake in one never hides those of the next."""
    from topoviz import resources
    from topoviz.asked import groups
    from topoviz.drawing.read_layout import read_layout
    from topoviz.errors import Diagnostic, SpecError, TopovizError
    from topoviz.model.lint import lint

    try:
        path = Path(one)
        if path.is_file() and _is_layout(resources.read(path)):
            read_layout(resources.read(path), path.stem)
            return []
        topology = load([one], given)
        return [*topology.diagnostics, *lint(topology), *groups.told(topology), *_pictures(one, topology)]
    except SpecError as wrong:
        return list(wrong.diagnostics)
    except (TopovizError, OSError) as wrong:
        said = str(wrong.args[0]) if isinstance(wrong, TopovizError) else f"{one}: {wrong.strerror or wrong}"
        return [Diagnostic(message=said, code="no-input")]


def _is_layout(source: Source) -> bool:
    from topoviz.errors import SpecError
    from topoviz.model.source import parse

    try:
        keys = {key for key, _ in parse(source).items()}
    except SpecError:
        return False
    return bool(keys & OF_LAYOUTS) and not keys & OF_DOCUMENTS


def _pictures(one: str, topology: Topology) -> list[Diagnostic]:
    """Return what is odd about the pictures of a document, and the layout of each with its reason."""
    from topoviz import resources
    from topoviz.errors import SpecError
    from topoviz.loading import home
    from topoviz.picture import choice, is_empty, of, wanted

    layouts = resources.Layouts(home(topology))
    found: list[Diagnostic] = []
    empty = is_empty(topology)
    if empty:
        found.append(_note(f"{one}: it holds no machine and waits for one to be joined with"))
    for request in topology.spec.pictures if empty else wanted(topology):
        if empty and request.body is None and not request.panels:
            continue  # what it shows is in the other document
        called = request.file or request.name or one
        try:
            found.append(_note(f"{called}: layout {choice(of(topology, request), layouts).reason}"))
        except SpecError as wrong:
            found.extend(wrong.diagnostics)
    return found


def _note(message: str) -> Diagnostic:
    from topoviz.errors import Diagnostic

    return Diagnostic(severity="note", message=message, code="layout")
