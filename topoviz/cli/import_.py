"""``topoviz import``: files of machines, tools and logs as a document to keep and to edit."""

from __future__ import annotations

from pathlib import Path

import click

from topoviz.cli import complete
from topoviz.cli.inputs import STDIN
from topoviz.cli.told import told, write_out


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete.files)
@click.option(
    "--from",
    "form",
    default="",
    metavar="FORMAT",
    shell_complete=complete.importers,
    help="Read every FILE as this format (topoviz list importers shows all); without it each is recognised by its content.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.files,
    help="Where to write; standard output if not given.",
)
@told
def import_(files: tuple[str, ...], form: str, output: str | None) -> None:
    """Write what FILE says as a document; several, as a machine and its log, become one.

    FILE is what a tool printed, a topology file or a log; - is standard input. What the
    file does not say itself stands in comments of the document.
    """
    from topoviz.loading import import_files
    from topoviz.picture import write

    text, found = import_files([_given(one) for one in files], form)
    for one in found:
        if one.severity != "note":  # notes stand in the document
            click.echo(one.render(), err=True)
    if output is None or output == STDIN:
        write_out(text.encode())
        return
    write(Path(output), text)
    click.echo(output)


def _given(name: str) -> object:
    from topoviz.cli.inputs import standard_input

    return standard_input() if name == STDIN else name
