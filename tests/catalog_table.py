"""The page of the catalog, one table for each kind: ``python tests/catalog_table.py`` writes it again."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import topoviz  # noqa: E402
from topoviz import resources  # noqa: E402
from topoviz.model.spec import Body, Entry, Port, Text  # noqa: E402

MADE = "This page is written from the code by `python tests/reference.py`."
ORDER = ("gpu", "cpu", "nic", "dpu", "nvswitch", "switch", "pcie", "tray", "node", "rack", "su", "cluster")


def cell(text: str) -> str:
    return text.replace("|", "\\|")


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


def marks(name: str, body: Body) -> str:
    """What is preliminary or unverified: all of it if its source says so, in part if any line of its file does."""
    path = resources.find("catalog", name)
    text = path.read_text(encoding="utf-8") if path is not None else ""
    found = ["preliminary"] if body.preliminary else []
    if body.source.startswith("unverified"):
        found += ["unverified"]
    elif "unverified" in text:
        found += ["unverified in part"]
    return ", ".join(found)


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
        "The last column marks numbers that may still change (preliminary) and numbers not yet checked against a source (unverified);",
        "the file of the part says which.",
        "To add one, see [CONTRIBUTING.md](../CONTRIBUTING.md#recipes).",
        "",
    ]
    for kind in dict.fromkeys((*ORDER, *kinds.values())):
        lines += [
            f"## {kind}",
            "",
            "| name | title | ports, or what it holds | source | mark |",
            "|---|---|---|---|---|",
        ]
        for name, body in bodies.items():
            if kinds[name] == kind:
                row = (f"`{name}`", said(body.title), holds(body, body), body.source, marks(name, body))
                lines.append("| " + " | ".join(cell(text) for text in row) + " |")
        lines += [""]
    return "\n".join(lines)


if __name__ == "__main__":
    (ROOT / "docs" / "catalog.md").write_bytes(catalog().encode())
