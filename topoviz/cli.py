"""The command line: the only room that prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topoviz import __version__

if TYPE_CHECKING:
    from topoviz.errors import Diagnostic
    from topoviz.model.spec import Picture as Request
    from topoviz.model.topology import Topology
    from topoviz.picture import Picture

WRONG, MISUSED, MISSING, INTERRUPTED = 1, 2, 3, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="topoviz")
def cli() -> None:
    """Pictures and numbers of GPU systems from a few lines of YAML.

    INPUT is a document, the name of a part in the catalog, or - for standard input.
    Start with: topoviz render dgx-h100 -o dgx-h100.svg
    """


def main() -> None:
    """Run the command line."""
    try:
        cli(standalone_mode=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def told(function: Callable[..., Any]) -> Callable[..., Any]:
    """Say what went wrong as a person needs it, and leave with the promised code."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        from topoviz.errors import MissingExtra, SpecError, TopovizError, report

        try:
            return function(*args, **kwargs)
        except SpecError as wrong:
            click.echo(report(wrong.diagnostics), err=True)
            sys.exit(WRONG)
        except MissingExtra as missing:
            click.echo(f"error: {missing}", err=True)
            sys.exit(MISSING)
        except TopovizError as wrong:
            click.echo(f"error: {_plain(wrong)}", err=True)
            sys.exit(WRONG)
        except (click.exceptions.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except OSError as wrong:
            click.echo(f"error: {wrong.filename or ''}: {wrong.strerror or wrong}".replace("error: :", "error:"), err=True)
            sys.exit(WRONG)
        except Exception as bug:
            if os.environ.get("TOPOVIZ_DEBUG"):
                raise
            click.echo(f"this is a bug in topoviz: {type(bug).__name__}: {bug}", err=True)
            click.echo("  hint: TOPOVIZ_DEBUG=1 shows where; please report it with the input", err=True)
            sys.exit(WRONG)

    return run


def _plain(wrong: Exception) -> str:
    return str(wrong.args[0]) if wrong.args else str(wrong)


def _choices(given: Sequence[str]) -> dict[str, str | int]:
    out: dict[str, str | int] = {}
    for one in given:
        key, sign, value = one.partition("=")
        if not sign or not key or not value:
            raise click.UsageError(f"--set {one}: write --set NAME=VALUE, for instance --set su=4 or --set variant=full")
        if key == "variant":
            out[key] = value
        elif value.lstrip("-").isdigit():
            out[key] = int(value)
        else:
            raise click.UsageError(f"--set {one}: '{value}' is no whole number")
    return out


def _load(inputs: Iterable[str], given: Sequence[str]) -> Topology:
    from topoviz.marks import Source
    from topoviz.picture import load

    read: list[str | Source] = []
    for one in inputs:
        read.append(_standard_input() if one == "-" else one)
    return load(*read, **_choices(given))


def _standard_input() -> Any:
    from topoviz.model.source import decode

    return decode(sys.stdin.buffer.read(), "<stdin>")


SET = click.option("--set", "given", multiple=True, metavar="K=V", help="A parameter or the variant of the root; may be repeated.")
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
INPUTS = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
# the options of a picture: its key, and what the key takes
TEXTS = ("layout", "highlight", "size", "measured", "rates", "detail", "title", "subtitle", "caption", "alt")
LISTS = ("show", "hide", "fold", "unfold", "order", "overlay", "theme", "lang")


def picture_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the keys of a picture as options."""
    help_ = {
        "layout": "Draw it by this layout (topoviz list layouts).", "highlight": "ring, or the name of a route.",
        "size": "Bytes to move, such as 14GB; gives times.", "measured": "Share of the line rate reached, such as 82%.",
        "rates": "line (default) or nccl.", "detail": "stacks, marks, ids or full.", "title": "A text, or false.",
        "subtitle": "A text, or false.", "caption": "A text, or false.", "alt": "Text for screen readers.",
        "show": "Only these things.", "hide": "Leave these out.", "fold": "Draw these as one.", "unfold": "Draw these in full.",
        "order": "Names in the order of columns.", "overlay": "load, bottleneck, groups, memory or faults.",
        "theme": "light, dark, auto, print; several with commas.", "lang": "en, zh; several with commas.",
    }
    for key in reversed((*TEXTS, *LISTS)):
        function = click.option(f"--{key}", key, default=None, help=help_[key])(function)
    function = click.option("--width", type=float, default=None, help="Width of the page, 960 if not given.")(function)
    function = click.option("--no-summary", is_flag=True, help="Without the strip of computed facts.")(function)
    return click.option("--no-background", is_flag=True, help="Without a painted ground.")(function)


def _request(options: dict[str, Any]) -> Request:
    from topoviz.model.read import picture_from

    keys: dict[str, object] = {key: options[key] for key in TEXTS if options.get(key) is not None}
    for key in ("title", "subtitle", "caption"):
        if str(keys.get(key, "")).lower() == "false":
            keys[key] = False
    keys.update({key: [v.strip() for v in options[key].split(",")] for key in LISTS if options.get(key) is not None})
    if options.get("width") is not None:
        width = options["width"]
        keys["width"] = int(width) if float(width).is_integer() else width
    keys.update({"summary": False} if options.get("no_summary") else {})
    keys.update({"background": False} if options.get("no_background") else {})
    return picture_from(keys)


@cli.command()
@INPUTS
@click.option("-o", "--output", "output", metavar="FILE", help="Where to write, or -; .svg .png .pdf .html.")
@click.option("-d", "--directory", "directory", type=click.Path(path_type=Path), help="Folder for the pictures of the document.")
@click.option("--picture", "name", help="Only the picture of this name.")
@click.option("--each", is_flag=True, help="Draw every input by itself instead of joining them.")
@click.option("--strict", is_flag=True, help="Refuse warnings and pictures with overlaps.")
@click.option("--if-changed", "if_changed", is_flag=True, help="Leave a file alone whose content would be the same.")
@SET
@picture_options
@told
def render(inputs: tuple[str, ...], output: str | None, directory: Path | None, name: str | None, *, each: bool,
           strict: bool, if_changed: bool, given: tuple[str, ...], **options: Any) -> None:
    """Draw INPUT; several are joined into one."""
    over = _request(options)
    for group in [[one] for one in inputs] if each else [list(inputs)]:
        topology = _load(group, given)
        _warn(topology, strict=strict)
        for target, picture in _targets(topology, over, group[0], output, directory, name):
            _write(picture, target, strict=strict, if_changed=if_changed)


def _warn(topology: Topology, *, strict: bool) -> None:
    for one in topology.diagnostics:
        click.echo(one.render(), err=True)
    if strict and any(one.severity == "warning" for one in topology.diagnostics):
        click.echo("warnings are errors with --strict; nothing written", err=True)
        sys.exit(WRONG)


def _targets(
    topology: Topology, over: Request, first: str, output: str | None, directory: Path | None, name: str | None
) -> Iterable[tuple[str, Picture]]:
    """Where each picture goes: as -o says, beside the document or in -d, or into the current folder."""
    from topoviz.picture import of, pictures

    asked = pictures(topology, over)
    if name is not None:
        asked = tuple((r, p) for r, p in asked if name in {r.name, Path(r.file).stem})
        if not asked:
            there = ", ".join(r.name or Path(r.file).stem for r in topology.spec.pictures) or "none"
            raise click.UsageError(f"--picture {name}: there is no such picture; there are {there}")
    if output is not None:
        if len(asked) > 1:
            raise click.UsageError("-o with a document of several pictures needs --picture NAME")
        yield output, asked[0][1] if asked else of(topology, over)
        return
    home = directory or (Path(first).parent if Path(first).is_file() else Path())
    drawn = [(r, p) for r, p in asked if r.file or name is not None]
    for request, picture in drawn:
        yield str(home / (request.file or f"{request.name}.svg")), picture
    if not drawn:
        yield str((directory or Path()) / f"{_safe(topology.name)}.svg"), of(topology, over)


def _safe(name: str) -> str:
    """A file name that every system takes."""
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "picture"
    return f"_{kept}" if kept.split(".")[0].lower() in {"con", "prn", "aux", "nul"} else kept


def _write(picture: Picture, target: str, *, strict: bool, if_changed: bool) -> None:
    from topoviz.picture import write

    if strict:
        _audit(picture)
    if target == "-":
        click.echo(picture.svg(), nl=False)
        return
    path = Path(target)
    for lang in picture.langs:
        for theme in picture.themes:
            marks = [mark for mark, first in ((lang, picture.langs[0]), (theme, picture.themes[0])) if mark != first]
            file = path.with_name("-".join([path.stem, *marks]) + path.suffix)
            content = picture.text(path.suffix.lower(), lang=lang, theme=theme)
            data = content.encode() if isinstance(content, str) else content
            if if_changed and file.is_file() and file.read_bytes() == data:
                click.echo(f"unchanged {file}")
                continue
            write(file, data)
            click.echo(str(file))


def _audit(picture: Picture) -> None:
    from topoviz.drawing.audit import audit
    from topoviz.errors import TopovizError

    for lang in picture.langs:
        found = audit(picture.scene(lang))
        if found:
            raise TopovizError("the picture is not clean, nothing written: " + "; ".join(found[:5]))


@cli.command()
@INPUTS
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
@click.option("--strict", is_flag=True, help="Warnings are errors.")
@SET
@told
def check(inputs: tuple[str, ...], form: str, *, strict: bool, given: tuple[str, ...]) -> None:
    """Check documents and layout files, each by itself."""
    found: list[Diagnostic] = []
    for one in inputs:
        found.extend(_checked(one, given))
    _tell(found, form)
    bad = {"error", "warning"} if strict else {"error"}
    if any(one.severity in bad for one in found):
        sys.exit(WRONG)


def _checked(one: str, given: tuple[str, ...]) -> list[Diagnostic]:
    from topoviz import resources
    from topoviz.drawing.read_layout import read_layout
    from topoviz.errors import Diagnostic, SpecError

    try:
        path = Path(one)
        if path.is_file() and _is_layout(resources.read(path)):
            read_layout(resources.read(path), path.stem)
            return []
        topology = _load([one], given)
    except SpecError as wrong:
        return list(wrong.diagnostics)
    notes = [Diagnostic(severity="note", message=f"{one}: {line}") for line in _chosen(topology)]
    return [*topology.diagnostics, *notes]


def _is_layout(source: Any) -> bool:
    from topoviz.errors import SpecError
    from topoviz.model.source import parse

    try:
        keys = {key for key, _ in parse(source).items()}
    except SpecError:
        return False
    return bool(keys & {"suits", "summary", "view", "rows", "columns"}) and not keys & {"contains", "part", "pictures"}


def _chosen(topology: Topology) -> list[str]:
    from topoviz import resources
    from topoviz.drawing.suits import choose
    from topoviz.model.findings import Findings
    from topoviz.model.spec import Picture as Request
    from topoviz.picture import home

    if not topology.root.assembly.children and not topology.root.kind and not topology.spec.pictures:
        return ["it holds routes only and waits for a machine to be joined with"]
    layouts = resources.Layouts(home(topology))
    return [
        f"layout {choose(topology, topology.root, request, Findings(), layouts).reason}"
        for request in topology.spec.pictures or (Request(),)
    ]


def _tell(found: Sequence[Diagnostic], form: str) -> None:
    if form == "json":
        import json

        click.echo(json.dumps([_row(one) for one in found], ensure_ascii=False, indent=2))
    elif form == "github":
        for one in found:
            row = _row(one)
            kind = {"note": "notice"}.get(one.severity, one.severity)
            click.echo(f"::{kind} file={row['file']},line={row['line']},col={row['column']}::{one.message}")
    else:
        for one in found:
            click.echo(one.render(), err=one.severity == "error")
        wrong = sum(one.severity == "error" for one in found)
        click.echo("no mistakes found" if not wrong else f"{wrong} error{'s' * (wrong > 1)}", err=bool(wrong))


def _row(one: Diagnostic) -> dict[str, object]:
    mark = one.mark
    place = {"file": mark.source.path, "line": mark.line, "column": mark.column} if mark is not None else {
        "file": "", "line": 1, "column": 1}
    return {**place, "severity": one.severity, "code": one.code, "message": one.message, "hint": one.hint}


@cli.command()
@INPUTS
@FORMAT
@SET
@told
def explain(inputs: tuple[str, ...], form: str, given: tuple[str, ...]) -> None:
    """Say which layout would be drawn and why, and what is folded or left out."""
    from topoviz import resources
    from topoviz.drawing.suits import choose
    from topoviz.model.spec import Picture as Request
    from topoviz.picture import finding, home, of

    topology = _load(inputs, given)
    layouts = resources.Layouts(home(topology))
    rows = []
    for request in topology.spec.pictures or (Request(),):
        picture = of(topology, request)
        choice = choose(picture.topology, picture.topology.root, request, finding(picture.topology, request), layouts)
        scene = picture.scene()
        glyphs_drawn = sum(1 for item in scene.items if item.role == "node")
        lines = sum(1 for item in scene.items if item.role == "link")
        rows.append({
            "picture": request.file or topology.name, "layout": choice.layout.name, "reason": choice.reason,
            "title": scene.title, "drawn": {"things": glyphs_drawn, "links": lines}, "description": scene.description,
        })
    if form == "json":
        import json

        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        drawn = row["drawn"]
        assert isinstance(drawn, dict)  # noqa: S101 - made four lines above
        click.echo(f"{row['picture']}: layout {row['reason']}")
        click.echo(f"  drawn: {drawn['things']} things, {drawn['links']} links")
        click.echo(f"  {row['description']}")


@cli.command()
@INPUTS
@click.option("--to", "to", default="json", show_default=True, help="json or spec (topoviz list exporters).")
@click.option("-o", "--output", "output", metavar="FILE", help="Where to write; standard output if not given.")
@SET
@told
def export(inputs: tuple[str, ...], to: str, output: str | None, given: tuple[str, ...]) -> None:
    """Write the full graph in another form."""
    from topoviz import registry
    from topoviz.picture import write

    text = registry.get("topoviz.exporters", to).write(_load(inputs, given))
    if output in {None, "-"}:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        write(Path(str(output)), text)
        click.echo(str(output))


KINDS = ("parts", "layouts", "themes", "languages", "exporters", "collectives")


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice(KINDS))
@FORMAT
@told
def list_(kind: str | None, form: str) -> None:
    """List parts, layouts, themes, languages, exporters or collectives; all of them without a word."""
    found = {one: _listed(one) for one in ([kind] if kind else KINDS)}
    if form == "json":
        import json

        click.echo(json.dumps(found[kind] if kind else found, ensure_ascii=False, indent=2))
        return
    for one, rows in found.items():
        if not kind:
            click.echo(f"{one}:")
        wide = max((len(row["name"]) for row in rows), default=0)
        for row in rows:
            click.echo(f"{'  ' * (not kind)}{row['name']:{wide}}  {row['summary']}".rstrip())


def _listed(kind: str) -> list[dict[str, str]]:
    from topoviz import registry, resources
    from topoviz.drawing import glyphs

    beside = (Path(),)
    if kind == "parts":
        catalog = resources.Catalog(beside)
        parts = {name: catalog.get(name) for name in catalog.names()}
        return [{"name": n, "summary": f"{b.kind}: {glyphs.words(b.title)}" if b else ""} for n, b in parts.items()]
    if kind == "layouts":
        layouts = resources.Layouts(beside)
        return [{"name": n, "summary": x.summary + (" (own)" if layouts.is_own(n) else "")} for n, x in layouts.items()]
    if kind == "themes":
        return [{"name": n, "summary": ""} for n in resources.known("themes", beside)]
    if kind == "languages":
        return [{"name": n, "summary": ""} for n in sorted({*resources.known("lang", beside), "en"})]
    package = f"topoviz.{kind}"
    only = ("ring",) if kind == "collectives" else registry.names(package)
    return [{"name": n, "summary": registry.summary(package, n)} for n in only]


@cli.command()
@click.argument("words", nargs=-1, required=True, metavar="[KIND] NAME")
@FORMAT
@told
def show(words: tuple[str, ...], form: str) -> None:
    """Print a part with its sources, or a layout, theme or language file to copy."""
    from topoviz import resources
    from topoviz.errors import MissingEntry
    from topoviz.model.spelling import nearest

    folders = {"part": "catalog", "layout": "layouts", "theme": "themes", "language": "lang"}
    *kinds, name = words
    wanted = [kinds[0].removesuffix("s")] if kinds else list(folders)
    if len(words) > 2 or wanted[0] not in folders:
        raise click.UsageError(f"show takes a name, or a kind and a name; kinds are {', '.join(folders)}")
    for kind in wanted:
        path = resources.find(folders[kind], name, (Path(),))
        if path is not None:
            _print(resources.read(path).text, name, kind, form)
            return
    known = [entry for kind in wanted for entry in resources.known(folders[kind])]
    near = nearest(name, known)
    raise MissingEntry(f"nothing is called '{name}'" + (f"; did you mean '{near}'?" if near else ""))


def _print(text: str, name: str, kind: str, form: str) -> None:
    if form == "json":
        import json

        from topoviz.marks import Source
        from topoviz.model.source import parse

        click.echo(json.dumps({"kind": kind, "name": name, **_mapping(parse(Source(name, text)).plain())}, ensure_ascii=False, indent=2))
    else:
        click.echo(text, nl=not text.endswith("\n"))


def _mapping(plain: object) -> dict[str, object]:
    return dict(plain) if isinstance(plain, dict) else {"content": plain}


@cli.command()
@click.option("--for", "which", type=click.Choice(["document", "layout", "part"]), default="document", show_default=True)
@told
def schema(which: str) -> None:
    """Print the JSON Schema (draft-07) for editors."""
    import json

    from topoviz.model.schema import schema as schema_of

    click.echo(json.dumps(schema_of(which), ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
