"""``topoviz capture``: what this host can tell about itself, in one file that ``render`` takes."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from topoviz.cli import complete
from topoviz.cli.told import WRONG


@click.command()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.files,
    help="Where to write; standard output if not given.",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=20.0, show_default=True, help="So long each tool may take."
)
def capture(output: str | None, seconds: float) -> None:
    """Ask every tool of this host (nvidia-smi, rocm-smi, amd-smi, lstopo, ibnetdiscover) what it knows.

    Only reads; serial numbers are left out. Leaves with 1 if no tool answered.
    """
    from topoviz.capturing import capture as asked
    from topoviz.capturing import written
    from topoviz.picture import write

    answers = asked(seconds)
    for one in answers:
        click.echo(
            f"{'not asked' if one.missing else 'asked'}: {one.said}: {one.missing or one.question.tells}", err=True
        )
    if not any(one.text for one in answers):
        click.echo("error: no tool of this host answered, so nothing is written", err=True)
        sys.exit(WRONG)
    text = written(answers)
    if output:
        write(Path(output), text)
        click.echo(f"{output}\nnext: topoviz render {output} -o host.svg", err=True)
    else:
        click.echo(text, nl=False)
