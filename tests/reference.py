"""The reference pages of the documentation, written from the code: ``python tests/reference.py`` writes them again."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from test_architecture import FLOORS, NAMES, imports, room  # noqa: E402

import topoviz  # noqa: E402
from topoviz import resources  # noqa: E402
from topoviz.drawing import view_by_name  # noqa: E402
from topoviz.model.grammar import FORMS, Form, Key  # noqa: E402
from topoviz.model.layout_grammar import BLOCK, HEAD, LAYOUT_FORMS, VIEWS  # noqa: E402
from topoviz.model.spec import Body, Entry, Port, Text  # noqa: E402

MADE = "This page is written from the code by `python tests/reference.py`."
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


def cell(text: str) -> str:
    return text.replace("|", "\\|")


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


def said(given: Text) -> str:
    return given if isinstance(given, str) else given.get("en", "")


def port(one: Port) -> str:
    written = one.rate.link or one.rate.written or "not stated"
    return f"{one.kind} {one.count} × {written}" if one.count != 1 else f"{one.kind} {written}"


def entry(one: Entry, body: Body) -> str:
    """So many of a group; a parameter with its default and its range."""
    if not isinstance(one.count, str):
        return f"{one.count or 1} {one.name}"
    chosen = body.parameters[one.count]
    limits = f" ({chosen.least} to {chosen.most})" if chosen.most else ""
    return f"{chosen.default} {one.name}{limits}"


def holds(body: Body, whole: Body) -> str:
    """What a part is made of, or its ports; of a part with variants those of each."""
    own = [port(one) for one in body.ports or ()] + [entry(one, whole) for one in body.contains]
    own += [f"takes {body.part}"] if body.part else []
    parts = [
        f"*{name}*: {inner}" if (inner := holds(variant, whole)) else f"*{name}*"
        for name, variant in body.variants.items()
    ]
    return "; ".join([*([", ".join(own)] if own else []), *parts])


def catalog() -> str:
    """Return the page of all parts, by kind."""
    parts = resources.Catalog()
    bodies = {name: body for name in parts.names() if (body := parts.get(name)) is not None}
    kinds = {name: topoviz.load(name).root.kind for name in bodies}
    lines = [
        "# The catalog",
        "",
        MADE,
        f"{len(bodies)} parts. `topoviz show NAME` prints one with all its numbers; `topoviz render NAME` draws it.",
        "To add one, see [CONTRIBUTING.md](../CONTRIBUTING.md#recipes).",
        "",
    ]
    for kind in dict.fromkeys((*ORDER, *kinds.values())):
        lines += [f"## {kind}", "", "| name | title | ports, or what it holds | source |", "|---|---|---|---|"]
        for name, body in bodies.items():
            if kinds[name] == kind:
                lines.append(
                    f"| `{name}` | {cell(said(body.title))} | {cell(holds(body, body))} | {cell(body.source)} |"
                )
        lines += [""]
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


ORDER = ("gpu", "cpu", "nic", "dpu", "nvswitch", "switch", "pcie", "tray", "node", "rack", "su", "cluster")
PAGES = {"keys.md": keys, "layout-keys.md": layout_keys, "catalog.md": catalog, "rooms.md": rooms}


def main() -> None:
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_bytes(page().encode())


if __name__ == "__main__":
    main()
