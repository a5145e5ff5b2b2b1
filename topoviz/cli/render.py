"""``topoviz render``: everything is made first, then everything is written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topoviz.cli.inputs import INPUTS, SET, load, split
from topoviz.cli.plan import with_job
from topoviz.cli.told import MISUSED, WRONG, complain, told, write_out

if TYPE_CHECKING:
    from topoviz.errors import Diagnostic
    from topoviz.model.spec import Picture as Request
    from topoviz.model.topology import Topology
    from topoviz.picture import Picture

TEXTS = {  # keys of a picture that take one text, with a line of help
    "layout": "Draw it by this layout (topoviz list layouts).",
    "highlight": "ring, ring:COLLECTIVE, routes, the name of a route, path:A,B, or nodes:A,B.",
    "size": "Bytes to move, such as 14GB; gives times.",
    "compute": "Computing of a step, such as 0.5s; what of the exchange it hides.",
    "measured": "Share of the line rate reached, such as 82%.",
    "rates": "line (default) or nccl.",
    "scale": "Larger type and glyphs on the same page, such as 1.25.",
    "detail": "stacks, marks, ids or full.",
    "title": "A text, or false.",
    "subtitle": "A text, or false.",
    "caption": "A text, or false.",
    "alt": "Text for screen readers.",
}
LISTS = {  # keys that take several, with commas between
    "show": "Only these things.",
    "hide": "Leave these out.",
    "fold": "Draw these as one.",
    "unfold": "Draw these in full.",
    "order": "Names in the order of columns.",
    "panels": "Parts to draw side by side instead.",
    "table": "Fields below the panels, one row each.",
    "overlay": "load, bottleneck, groups, memory or faults.",
    "theme": "light, dark, auto, print; several with commas.",
    "lang": "en, zh; several with commas.",
}
WATCHED = {".yaml", ".yml", ".txt", ".log", ".xml", ".out"}  # changes of what is written do not start it again
CAN_BE_FALSE = ("title", "subtitle", "caption", "alt")
OUTPUT = click.option("-o", "--output", metavar="FILE", help="Where to write, or -; .svg .png .pdf .html .txt.")
DIRECTORY = click.option(
    "-d", "--directory", type=click.Path(path_type=Path), help="Folder for the pictures of the document."
)


def picture_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the keys of a picture as options."""
    for key, text in reversed((*TEXTS.items(), *LISTS.items())):
        function = click.option(f"--{key}", key, default=None, help=text)(function)
    function = click.option("--width", type=float, default=None, help="Width of the page, 960 if not given.")(function)
    function = click.option("--interactive", is_flag=True, help="With focus and names, for pages that inline it.")(
        function
    )
    function = click.option(
        "--animate", is_flag=True, help="Show steps in turn, on screens of readers who like motion."
    )(function)
    function = click.option("--no-summary", is_flag=True, help="Without the strip of computed facts.")(function)
    return click.option("--no-background", is_flag=True, help="Without a painted ground.")(function)


@click.command()
@INPUTS
@OUTPUT
@DIRECTORY
@click.option("--picture", "name", help="Only the picture of this name.")
@click.option("--each", is_flag=True, help="Draw every input by itself instead of joining them.")
@click.option("--job", "job", default=None, metavar="K=N,…", help="A job on it, tp=8,pp=2; draws its groups.")
@click.option("--strict", is_flag=True, help="Refuse warnings and pictures with overlaps.")
@click.option("--watch", is_flag=True, help="Draw again whenever a file beside INPUT changes (topoviz[watch]).")
@click.option("--if-changed", is_flag=True, help="Leave a file alone whose content would be the same.")
@SET
@picture_options
@told
def render(
    inputs: tuple[str, ...],
    output: str | None,
    directory: Path | None,
    name: str | None,
    *,
    job: str | None,
    each: bool,
    strict: bool,
    if_changed: bool,
    watch: bool,
    given: tuple[str, ...],
    **options: Any,
) -> None:
    """Draw INPUT; several are joined into one."""
    _check_output(output, several=each and len(inputs) > 1)
    over = _request(options)

    def once() -> None:
        _once(
            inputs,
            output,
            directory,
            name,
            over,
            given,
            job=job,
            each=each,
            strict=strict,
            if_changed=if_changed or watch,
        )

    if watch:
        _again(inputs, once)
    else:
        once()


def _again(inputs: tuple[str, ...], once: Callable[[], None]) -> None:
    """Draw now and after every change beside the inputs, until it is interrupted; mistakes are said, not fatal."""
    from topoviz.errors import MissingExtra

    try:
        from watchfiles import watch as changes
    except ImportError:
        raise MissingExtra('--watch needs one more package: pip install "topoviz[watch]"') from None
    folders = dict.fromkeys(Path(one).parent for one in inputs if Path(one).is_file()) or {Path(): None}
    _tried(once)
    for _ in changes(*folders, watch_filter=lambda _, path: Path(path).suffix in WATCHED):
        _tried(once)


def _tried(once: Callable[[], None]) -> None:
    from topoviz.errors import TopovizError

    try:
        once()
    except TopovizError as problem:
        click.echo(str(problem), err=True)
    except SystemExit:
        pass  # what was wrong is told already


def _once(
    inputs: tuple[str, ...],
    output: str | None,
    directory: Path | None,
    name: str | None,
    over: Request,
    given: tuple[str, ...],
    *,
    job: str | None,
    each: bool,
    strict: bool,
    if_changed: bool,
) -> None:
    """Make everything, then write everything; with ``each`` what one input lacks keeps no other from its picture."""
    made: dict[str, bytes] = {}

    def draw(names: tuple[str, ...]) -> None:
        for target, picture in _pictures(names, output, directory, name, over, given, job=job, strict=strict):
            _add(made, target, picture)

    failed = [one for one in inputs if not _drawn_alone(one, draw)] if each and len(inputs) > 1 else []
    if not each or len(inputs) == 1:
        draw(inputs)
    for target, content in made.items():
        _write(target, content, if_changed=if_changed)
    if failed:
        click.echo(f"{len(failed)} of {len(inputs)} not drawn: {', '.join(failed)}", err=True)
        sys.exit(WRONG)


def _pictures(
    names: tuple[str, ...],
    output: str | None,
    directory: Path | None,
    name: str | None,
    over: Request,
    given: tuple[str, ...],
    *,
    job: str | None,
    strict: bool,
) -> Iterator[tuple[str, Picture]]:
    """Yield where each picture of the joined inputs goes; warnings are said, and with ``strict`` they are mistakes."""
    topology = load(names, given)
    _warn(topology.diagnostics, strict=strict)
    if job is not None:
        topology, over = with_job(topology, over, job)
    for target, picture in _targets(topology, over, names[0], output, directory, name):
        _warn(picture.warnings, strict=strict)
        if strict:
            _audit(picture)
        yield target, picture


def _drawn_alone(one: str, draw: Callable[[tuple[str, ...]], None]) -> bool:
    """Return whether one of several inputs could be drawn; what is wrong with it is said."""
    from topoviz.errors import MissingExtra, TopovizError

    try:
        draw((one,))
    except MissingExtra:
        raise
    except TopovizError as problem:
        click.echo(str(problem), err=True)
    except SystemExit:
        pass  # what was wrong is told already
    else:
        return True
    return False


def _check_output(output: str | None, *, several: bool) -> None:
    from topoviz.picture import FORMATS

    if output is None or output == "-":
        return
    if several:
        raise click.UsageError("-o FILE with --each would write one picture over the other; use -d FOLDER")
    suffix = Path(output).suffix.lower()
    if suffix not in FORMATS:
        raise click.UsageError(f"-o {output}: topoviz does not write '{suffix}'; it writes {', '.join(FORMATS)}")


def _request(options: dict[str, Any]) -> Request:
    from topoviz.errors import SpecError
    from topoviz.model.read import picture_from

    keys: dict[str, object] = {key: options[key] for key in TEXTS if options[key] is not None}
    keys.update({key: False for key in CAN_BE_FALSE if str(keys.get(key, "")).lower() == "false"})
    keys.update({key: split(options[key]) for key in LISTS if options[key] is not None})
    if options["width"] is not None:
        keys["width"] = int(options["width"]) if options["width"].is_integer() else options["width"]
    switches = {"summary": not options["no_summary"], "background": not options["no_background"]}
    keys.update({key: False for key, on in switches.items() if not on})
    keys.update({key: True for key in ("interactive", "animate") if options[key]})
    try:
        return picture_from(keys)
    except SpecError as wrong:
        complain(wrong.diagnostics, MISUSED)
        raise


def _warn(found: tuple[Diagnostic, ...], *, strict: bool) -> None:
    for one in found:
        click.echo(one.render(), err=True)
    if strict and any(one.severity == "warning" for one in found):
        click.echo("warnings are errors with --strict; nothing written", err=True)
        sys.exit(WRONG)


def _audit(picture: Picture) -> None:
    from topoviz.drawing.audit import audit
    from topoviz.errors import TopovizError

    for lang in picture.langs:
        found = audit(picture.scene(lang))
        if found:
            raise TopovizError("the picture is not clean, nothing written: " + "; ".join(found[:5]))


def _targets(
    topology: Topology, over: Request, first: str, output: str | None, directory: Path | None, name: str | None
) -> Iterator[tuple[str, Picture]]:
    """Yield where each picture goes: as -o says, beside the document or in -d, or into the current folder."""
    from topoviz.picture import of, pictures

    asked = _named(pictures(topology, over), name)
    if output is not None:
        if len(asked) > 1:
            raise click.UsageError("-o with a document of several pictures needs --picture NAME")
        yield output, asked[0][1] if asked else of(topology, over)
        return
    home = directory or (Path(first).parent if Path(first).is_file() else Path())
    drawn = [(request, picture) for request, picture in asked if request.file or name is not None]
    for request, picture in drawn:
        yield str(home / (request.file or f"{request.name}.svg")), picture
    if not drawn:
        yield str((directory or Path()) / f"{safe(topology.name)}.svg"), of(topology, over)


def _named(asked: tuple[tuple[Request, Picture], ...], name: str | None) -> tuple[tuple[Request, Picture], ...]:
    if name is None:
        return asked
    found = tuple((request, picture) for request, picture in asked if name in {request.name, Path(request.file).stem})
    if not found:
        there = ", ".join(request.name or Path(request.file).stem for request, _ in asked) or "none"
        raise click.UsageError(f"--picture {name}: there is no such picture; there are {there}")
    return found


def safe(name: str) -> str:
    """Return a file name that every system takes.

    >>> safe("two nodes: eight rails"), safe("con"), safe("节点")
    ('two-nodes--eight-rails', '_con', '节点')
    """
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "picture"
    return f"_{kept}" if kept.split(".")[0].lower() in {"con", "prn", "aux", "nul"} else kept


def _add(made: dict[str, bytes], target: str, picture: Picture) -> None:
    if target == "-":
        if len(picture.langs) * len(picture.themes) > 1:
            both = ", ".join((*picture.langs, *picture.themes))
            raise click.UsageError(f"-o - takes one language and one theme, here are {both}; --lang and --theme choose")
        made[target] = made.get(target, b"") + picture.svg().encode()
        return
    for file, content in picture.files(Path(target)):
        if str(file) in made:
            raise click.UsageError(f"two pictures would be written to {file}")
        made[str(file)] = content


def _write(target: str, content: bytes, *, if_changed: bool) -> None:
    from topoviz.picture import write

    if target == "-":
        write_out(content)
        return
    file = Path(target)
    if if_changed and file.is_file() and file.read_bytes() == content:
        click.echo(f"unchanged {target}")
        return
    write(file, content)
    click.echo(target)
