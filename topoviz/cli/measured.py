"""``topoviz measured``: what a tool has measured, held against what the topology promises."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from topoviz.cli import complete
from topoviz.cli.inputs import FORMAT
from topoviz.cli.told import MISUSED, WRONG, print_json

if TYPE_CHECKING:
    from topoviz.measuring.against import Held, Measured

LOW = WRONG
MANY = 10  # from so many times on a share in percent says nothing
FEW = 6  # rows of a table that are printed; the slowest of more


@click.command()
@click.argument("machine", shell_complete=complete.machines)
@click.argument("output_of_tool", metavar="FILE", shell_complete=complete.files)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.files,
    help="Draw what is low: .svg, .png, .pdf, .html or .txt.",
)
@FORMAT
@click.option(
    "--lang",
    default="en",
    show_default=True,
    shell_complete=complete.languages,
    help="Language of the picture: en, zh.",
)
@click.option(
    "--theme",
    default="light",
    show_default=True,
    shell_complete=complete.themes,
    help="Colours of the picture: light, dark, auto, print.",
)
def measured(machine: str, output_of_tool: str, output: str | None, form: str, lang: str, theme: str) -> None:
    """Hold what nccl-tests or nvbandwidth measured (FILE) against what MACHINE promises.

    FILE is what the tool printed, or the file that nccl-tests writes with -J.

    MACHINE is a document, a catalog name or a file that an importer knows. Leaves with 1 if
    something is far below its promise, or above what is possible; with 2 if one of both cannot be read.
    """
    from topoviz.errors import TopovizError
    from topoviz.loading import load
    from topoviz.measurements import measured as held
    from topoviz.measurements import shortfalls

    try:
        topology = load(machine)
        found = held(topology, Path(output_of_tool))
    except TopovizError as problem:
        click.echo(str(problem), err=True)
        sys.exit(MISUSED)
    if output:
        for file in shortfalls(topology, found, lang=lang, theme=theme).save(Path(output)):
            click.echo(str(file))
    if form == "json":
        print_json([_row(one) for one in found.rows])
    else:
        _text(found)
    for doubt in found.doubts:
        click.echo(f"warning: {doubt}", err=True)
    if found.low or found.doubts:
        sys.exit(LOW)


def _row(one: Held) -> dict[str, object]:
    return {
        "what": one.what,
        "source": one.source,
        "target": one.target,
        "measured": one.measured,
        "promised": one.promised,
        "share": one.share,
        "link": one.link,
        "low": one.low,
    }


def _text(found: Measured) -> None:
    from topoviz.measuring.against import whole_gpus

    for name in dict.fromkeys(one.what for one in found.rows):
        rows = [one for one in found.rows if one.what == name]
        click.echo(_summary(name, rows))
        low = sorted((one for one in rows if one.low), key=lambda one: one.share or 0.0)
        for one in low[:FEW] if len(rows) > 1 else ():
            click.echo(f"  low: {one.source} → {one.target}: {_said(one)}")
        if len(low) > FEW and len(rows) > 1:
            click.echo(f"  and {len(low) - FEW} more")
        for gpu in whole_gpus(rows):
            click.echo(f"  almost everything to and from {gpu} is low: look at its own links")
    for note in found.notes:
        click.echo(f"note: {note}")


def _summary(name: str, rows: list[Held]) -> str:
    if len(rows) == 1:
        return f"{name}: {_said(rows[0])}{', far below' if rows[0].low else ''}"
    values = [one.measured for one in rows]
    promises = sorted({one.promised for one in rows if one.promised is not None})
    said = " or ".join(f"{promise:.4g}" for promise in promises) or "nothing"
    links = ", ".join(dict.fromkeys(one.link for one in rows if one.link))
    by = f" ({links})" if links else ""
    return f"{name}: {len(rows)} numbers, {min(values):.4g} to {max(values):.4g} GB/s; promised {said} GB/s{by}"


def _said(one: Held) -> str:
    if one.promised is None:
        return f"{one.measured:.4g} GB/s; what it could be is not stated"
    share = one.measured / one.promised
    said = f"{share:.0%}" if share < MANY else f"{share:.0f} times"
    return f"{one.measured:,.4g} of {one.promised:,.4g} GB/s ({said})"
