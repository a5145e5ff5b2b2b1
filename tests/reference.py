"""The reference pages of the documentation, written from the code: ``python tests/reference.py`` writes them again."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from catalog_table import MADE, catalog, cell  # noqa: E402
from test_architecture import FLOORS, NAMES, imports, room  # noqa: E402

from topoviz.drawing import view_by_name  # noqa: E402
from topoviz.model.grammar import FORMS, Form, Key  # noqa: E402
from topoviz.model.layout_grammar import BLOCK, HEAD, LAYOUT_FORMS, VIEWS  # noqa: E402

SAID = {
    "document": "Document",
    "part file": "Part file",
    "entry": "Entry of `contains`",
    "parameter": "Parameter",
    "port": "Port",
    "memory": "Memory",
    "slices": "Slices of a GPU (MIG)",
    "profile": "MIG profile",
    "wire": "Wire",
    "fabric": "Fabric",
    "change": "Change",
    "route": "Route",
    "picture": "Picture, panel",
    "highlight": "Highlight",
    "table": "Table",
    "field": "Field",
    "model": "Model",
    "bytes": "Bytes of an element",
    "job": "Job",
}
LEFT_OUT = {"part", "panel"}  # the same keys as an entry without a count, and as a picture


def rows(keys: Iterable[Key]) -> list[str]:
    out = ["| key | default | meaning |", "|---|---|---|"]
    for key in keys:
        words = " One of: " + " ".join(f"`{word}`" for word in key.type.words) + "." if key.type.words else ""
        default = "required" if key.required else key.default
        out.append(f"| `{key.name}` | {cell(default)} | {cell(key.help)}{words} |")
    return out


def form(name: str, shape: Form) -> list[str]:
    short = []
    if shape.short:
        short.append(f"A text stands for `{shape.short}`")
    if shape.counted:
        short.append(f"`N x` before it for `{shape.counted}`")
    return [f"## {SAID[name]}", "", *([", ".join(short) + ".", ""] if short else []), *rows(shape.keys), ""]


def keys() -> str:
    """Return the page of all keys of documents."""
    lines = [
        "# Every key of a document",
        "",
        MADE,
        "The guide is [language.md](language.md); keys of layout files are in [layout-keys.md](layout-keys.md).",
        "",
    ]
    for name, shape in FORMS.items():
        if name not in LEFT_OUT:
            lines += form(name, shape)
    return "\n".join(lines)


def layout_keys() -> str:
    """Return the page of all keys of layout files."""
    there = view_by_name.names()
    lines = [
        "# Every key of a layout file",
        "",
        MADE,
        "The guide is [layouts.md](layouts.md).",
        "",
        "## Layout",
        "",
        "A layout is one block, and:",
        "",
        *rows(key for key in HEAD if key.name != "$schema"),
        "",
        "## Block",
        "",
        *rows(BLOCK),
        "",
    ]
    for name in ("tier", "line", "suit", "field"):
        shape = LAYOUT_FORMS[name]
        lines += [f"## {'Entry of `suits`' if name == 'suit' else name.capitalize()}", ""]
        lines += [f"A text stands for `{shape.short}`.", ""] if shape.short else []
        lines += [*rows(shape.keys), ""]
    for name, own in VIEWS.items():
        lines += [f"## View `{name}`", "", *([] if name in there else ["Read, not drawn yet.", ""])]
        lines += [*rows(own), ""] if own else ["No keys of its own.", ""]
    return "\n".join(lines)


def rooms() -> str:
    """Return the page of all modules, floor by floor: the first sentence of each, and the rooms that it uses."""
    lines = [
        "# Rooms",
        "",
        MADE,
        "Every module with the first line of its docstring. The house is drawn in [architecture.md](architecture.md).",
        "",
    ]
    for floor in sorted(set(FLOORS.values()), reverse=True):
        here = {name: path for name, path in NAMES.items() if FLOORS.get(room(name)) == floor}
        if here:
            names = (
                ", ".join(dict.fromkeys(room(name) for name in here))
                .replace("__init__", "the package")
                .replace("__", "")
            )
            lines += [f"## Floor {floor}: {names}", "", "| module | in a sentence | uses |", "|---|---|---|"]
        for name, path in here.items():
            source = path.read_text(encoding="utf-8")
            says = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
            uses = sorted({room(one) for one in imports(path) if one.startswith("topoviz.")} - {room(name)})
            where = path.relative_to(ROOT / "topoviz").as_posix()
            lines.append(f"| `{where}` | {cell(says)} | {', '.join(uses)} |")
        lines += [""] if here else []
    return "\n".join(lines)


def command_line() -> str:
    """The page of commands and options, as ``--help`` knows them."""
    import click

    from topoviz.cli import cli

    lines = ["# Command line", "", MADE, ""]
    context = click.Context(cli, info_name="topoviz")
    for name, command in cli.commands.items():
        inner = click.Context(command, info_name=name, parent=context)
        usage = " ".join(["topoviz", name, *command.collect_usage_pieces(inner)])
        lines += [f"## {name}", "", f"`{usage}`", "", *_paragraphs(command.help or ""), ""]
        options = [one.get_help_record(inner) for one in command.params if isinstance(one, click.Option)]
        rows = [f"| `{one[0]}` | {cell(one[1])} |" for one in options if one and not one[0].endswith("--help")]
        lines += ["| option | does |", "|---|---|", *rows, ""] if rows else []
    return "\n".join(lines)


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) + "\n" for part in text.strip().split("\n\n")]


PAGES = {
    "command-line.md": command_line,
    "keys.md": keys,
    "layout-keys.md": layout_keys,
    "catalog.md": catalog,
    "rooms.md": rooms,
}


def main() -> None:
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_bytes(page().encode())


if __name__ == "__main__":
    main()
