"""``topoviz list`` and ``topoviz show``: what there is by name, and where it comes from."""

from __future__ import annotations

from pathlib import Path

import click

from topoviz.cli.inputs import FORMAT
from topoviz.cli.told import print_json, told, write_out

KINDS = ("parts", "layouts", "themes", "languages", "importers", "exporters", "collectives")
FOLDERS = {"part": "catalog", "layout": "layouts", "theme": "themes", "language": "lang"}
OTHERS = {  # that ``highlight`` takes beside the names of algorithms and of routes
    "auto": "The algorithm that suits; a collective may follow it and any algorithm, as in auto:all-gather.",
    "routes": "All routes of the document, as a log or a file of NCCL names them.",
    "path:A,B": "The way between two things or more.",
    "nodes:A,B": "Things with a line round them.",
}
BESIDE = (Path(),)


@click.command("list")
@click.argument("kind", required=False, type=click.Choice(KINDS), metavar="[KIND]")
@FORMAT
@told
def list_(kind: str | None, form: str) -> None:
    """List parts, layouts, themes, languages, importers, exporters or collectives; all of them without a word."""
    found = {one: _listed(one) for one in ([kind] if kind else KINDS)}
    if form == "json":
        print_json(found[kind] if kind else found)
        return
    for one, rows in found.items():
        if not kind:
            click.echo(f"{one}:")
        wide = max((len(row["name"]) for row in rows), default=0)
        for row in rows:
            own = f" ({row['origin']})" if row["origin"] != "shipped" else ""
            click.echo(f"{'' if kind else '  '}{row['name']:{wide}}  {row['summary']}{own}".rstrip())


def _listed(kind: str) -> list[dict[str, str]]:
    from topoviz import registry, resources

    folder = FOLDERS.get(kind.removesuffix("s"))
    if folder is not None:
        names = resources.known(folder, BESIDE)
        return [
            {"name": name, "summary": _summary(folder, name), "origin": resources.origin(folder, name, BESIDE)}
            for name in names
        ]
    package = f"topoviz.{kind}"
    rows = (
        _highlights() if kind == "collectives" else {n: registry.summary(package, n) for n in registry.names(package)}
    )
    return [{"name": registry.called(name), "summary": said, "origin": "shipped"} for name, said in rows.items()]


def _highlights() -> dict[str, str]:
    """Return all that ``highlight`` takes with a line about each: the algorithms with what they can do, then the others."""
    from topoviz import planning, registry

    said = {
        name: f"{registry.summary('topoviz.collectives', name)} For {', '.join(planning.ABLE[name])}."
        for name in planning.ALGORITHMS
    }
    return {**said, **OTHERS}


def _summary(folder: str, name: str) -> str:
    """Return a line about a file; what is wrong with a file of one's own is said there, and the list goes on."""
    from topoviz import resources
    from topoviz.errors import SpecError

    try:
        if folder == "catalog":
            return _part(name)
        if folder == "layouts":
            return resources.Layouts(BESIDE)[name].summary
        return resources.theme(name, BESIDE).summary if folder == "themes" else ""
    except SpecError as wrong:
        return f"cannot be read: {wrong.diagnostics[0].message}"


def _part(name: str) -> str:
    """Return a part in one line: kind, title, what it holds, how sure its numbers are."""
    from topoviz import resources
    from topoviz.model import in_brief

    catalog = resources.Catalog(BESIDE)
    body = catalog.get(name)
    if body is None:
        return ""
    sure = "".join(f" [{mark}]" for mark in in_brief.marks(body))
    holds = in_brief.holds(body).replace("*", "")
    said = f"{in_brief.kind(body, catalog.get)}: {in_brief.english(body.title)}"
    return f"{said} ({holds}){sure}" if holds else said + sure


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[KIND] NAME")
@FORMAT
@told
def show(words: tuple[str, ...], form: str) -> None:
    """Print a part with its numbers and sources, or a layout, theme or language file; all may be copied as they are."""
    from topoviz import resources

    *kinds, name = words
    wanted = [kinds[0].removesuffix("s")] if kinds else list(FOLDERS)
    if len(kinds) > 1 or wanted[0] not in FOLDERS:
        raise click.UsageError(f"show takes a name, or a kind and a name; kinds are {', '.join(FOLDERS)}")
    for kind in wanted:
        path = resources.find(FOLDERS[kind], name, BESIDE)
        if path is not None:
            _print(resources.read(path).text, name, kind, form)
            return
    raise resources.missing(FOLDERS[wanted[0]], name, BESIDE) if kinds else _unknown(name)


def _unknown(name: str) -> Exception:
    from topoviz import resources
    from topoviz.errors import MissingEntry
    from topoviz.model.spelling import nearest

    near = nearest(name, [entry for folder in FOLDERS.values() for entry in resources.known(folder, BESIDE)])
    return MissingEntry(f"nothing is called '{name}'" + (f"; did you mean '{near}'?" if near else "; see topoviz list"))


def _print(text: str, name: str, kind: str, form: str) -> None:
    known = _computed(name, form) if kind == "part" else ""
    if form == "text":
        write_out((str(known) + text.rstrip("\n") + "\n").encode())
        return
    from topoviz.marks import Source
    from topoviz.model.source import parse

    plain = parse(Source(name, text)).plain()
    body = plain if isinstance(plain, dict) else {"content": plain}
    print_json({"kind": kind, "name": name, **body, **({"computed": known} if known else {})})


def _computed(name: str, form: str) -> str | dict[str, object]:
    """Return what follows from the file of a part; nothing if it cannot be built, which ``check`` explains."""
    from topoviz import resources
    from topoviz.cli.part_page import comments, computed
    from topoviz.errors import TopovizError
    from topoviz.loading import load

    try:
        body, topology = resources.Catalog(BESIDE).get(name), load(name)
    except TopovizError:
        return ""
    if body is None:
        return ""
    if form == "text":
        return comments(name, body, topology, resources.origin("catalog", name, BESIDE))
    return computed(body, topology)
