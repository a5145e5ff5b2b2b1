"""``topoviz diff``: the machine as it should be against the machine as found."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from topoviz.cli import complete
from topoviz.cli.inputs import FORMAT
from topoviz.cli.told import MISUSED, WRONG, print_json

DIFFER = WRONG


@click.command()
@click.argument("expected", shell_complete=complete.machines)
@click.argument("found", shell_complete=complete.machines)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.files,
    help="Draw the differences: .svg, .png, .pdf, .html or .txt.",
)
@FORMAT
@click.option(
    "--lang",
    default="en",
    show_default=True,
    shell_complete=complete.languages,
    help="Language of the picture and of the text: en, zh.",
)
@click.option(
    "--theme",
    default="light",
    show_default=True,
    shell_complete=complete.themes,
    help="Colours of the picture: light, dark, auto, print.",
)
def diff(expected: str, found: str, output: str | None, form: str, lang: str, theme: str) -> None:
    """Tell what differs between the machine as it should be and the machine as found.

    Both are a document, a catalog name or a file that an importer knows. Many differences
    that are alike are one row; what one side cannot know is listed as not compared. Leaves
    with 1 if they differ, with 2 if one of them cannot be read or holds no machine.
    """
    from topoviz.drawing.difference_words import not_compared, row
    from topoviz.errors import TopovizError
    from topoviz.loading import load
    from topoviz.picture import compared

    try:
        ours, theirs = load(expected), load(found)
    except TopovizError as problem:
        click.echo(str(problem), err=True)
        sys.exit(MISUSED)
    for name, side in ((expected, ours), (found, theirs)):
        if not side.root.assembly.children and side.root.kind != "gpu":
            click.echo(f"{name} describes no machine, so there is nothing to compare", err=True)
            sys.exit(MISUSED)
    picture, made = compared(ours, theirs, lang=lang, theme=theme)
    rows = [row(one, ours, theirs, lang) for one in made.items]
    if output:
        for file in picture.save(Path(output)):
            click.echo(str(file))
    if form == "json":
        print_json([one._asdict() for one in rows])
    else:
        for line in _table([("where", "expected", "found", "cost"), *rows]) if rows else ["no differences"]:
            click.echo(line)
        if made.not_compared:
            click.echo(f"not compared: {not_compared(made, lang)}")
    if rows:
        sys.exit(DIFFER)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    from topoviz.errors import columns

    wide = [max(columns(row[i]) for row in rows) for i in range(4)]
    cells = [[cell + " " * (wide[i] - columns(cell)) for i, cell in enumerate(row)] for row in rows]
    return ["  ".join(row).rstrip() for row in cells]
