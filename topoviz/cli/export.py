"""``topoviz export`` and ``topoviz schema``: the same thing in another form, for programs."""

from __future__ import annotations

from pathlib import Path

import click

from topoviz.cli import complete
from topoviz.cli.inputs import INPUTS, SET, load
from topoviz.cli.told import print_json, told, write_out


@click.command()
@INPUTS
@click.option(
    "--to",
    default="json",
    shell_complete=complete.exporters,
    show_default=True,
    help="json, spec, graphml, dot, mermaid, d2, drawio … (topoviz list exporters).",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.files,
    help="Where to write; standard output if not given.",
)
@SET
@told
def export(inputs: tuple[str, ...], to: str, output: str | None, given: tuple[str, ...]) -> None:
    """Write the full graph in another form."""
    from topoviz import registry
    from topoviz.picture import write

    exporter = registry.get("topoviz.exporters", to)
    text = exporter.write(load(inputs, given)).rstrip("\n") + "\n"
    if output is None or output == "-":
        write_out(text.encode())
        return
    write(Path(output), text)
    click.echo(output)


@click.command()
@click.option(
    "--for", "which", type=click.Choice(["document", "layout", "part"]), default="document", show_default=True
)
@told
def schema(which: str) -> None:
    """Print the JSON Schema (draft-07) for editors."""
    from topoviz.model.schema import schema as schema_of

    print_json(schema_of(which))
