"""The command line: the only room that prints."""

from __future__ import annotations

import click

from topoviz import __version__
from topoviz.cli.capture import capture
from topoviz.cli.check import check
from topoviz.cli.diff import diff
from topoviz.cli.explain import explain
from topoviz.cli.export import export, schema
from topoviz.cli.import_ import import_
from topoviz.cli.measured import measured
from topoviz.cli.plan import plan
from topoviz.cli.render import render
from topoviz.cli.serve import serve
from topoviz.cli.shelves import list_, show

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="topoviz")
def cli() -> None:
    """Pictures and numbers of GPU systems from a few lines of YAML.

    INPUT is a document, the name of a part in the catalog, or - for standard input.
    Start with: topoviz render dgx-h100 -o dgx-h100.svg
    """


for command in (render, plan, check, diff, measured, explain, export, import_, list_, show, schema, capture, serve):
    cli.add_command(command)


def main() -> None:
    """Run the command line."""
    cli(prog_name="topoviz")
