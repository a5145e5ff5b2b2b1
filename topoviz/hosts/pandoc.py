"""pandoc and Quarto: a filter that draws code blocks of the class ``topology``.

``pandoc --filter topoviz-pandoc page.md -o page.html``; the filter reads pandoc's JSON and writes it again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from topoviz.errors import TopovizError
from topoviz.hosts import figure as figures
from topoviz.hosts.figure import Figure
from topoviz.hosts.page import drawn, told
from topoviz.hosts.wishes import KEYS, apart

CLASS = "topology"
PART = "from"
HTML = ("html", "html4", "html5", "revealjs", "slidy", "slideous", "s5", "dzslides", "chunkedhtml")
PDF = ("latex", "beamer", "context", "pdf")
FOLDER = Path("topoviz-pictures")  # beside the document that pandoc makes
Json = Any


def main() -> int:
    """Filter standard input to standard output; the first argument is the format that pandoc writes."""
    form = sys.argv[1] if len(sys.argv) > 1 else "html"
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    document = json.load(sys.stdin)
    try:
        sys.stdout.write(json.dumps(filtered(document, form), ensure_ascii=False))
    except TopovizError as problem:
        sys.stderr.write(f"{told(problem)}\n")
        return 1
    return 0


def filtered(document: Json, form: str, folder: Path = FOLDER) -> Json:
    """Return a document of pandoc with its blocks of the class ``topology`` drawn.

    HTML gets inline SVG, LaTeX a PDF, everything else a PNG in ``folder``.

    Raises:
        TopovizError: a picture cannot be drawn; pandoc then writes nothing.
    """
    count = iter(range(1, sys.maxsize))

    def walk(node: Json) -> Json:
        if isinstance(node, list):
            return [walk(one) for one in node]
        if not isinstance(node, dict):
            return node
        if node.get("t") == "CodeBlock" and CLASS in node["c"][0][1]:
            return _block(node["c"], form, folder, next(count))
        return {key: walk(value) for key, value in node.items()}

    return walk(document)


def _block(content: Json, form: str, folder: Path, number: int) -> Json:
    (name, _, pairs), text = content
    options = {**dict(pairs), **({"name": name} if name else {})}
    unknown = [key for key in options if key not in (*KEYS, "set", "picture", "name", "foot", PART)]
    if unknown:
        raise TopovizError(f"unknown option '{unknown[0]}'; there are set, picture, {PART}, {', '.join(KEYS)}")
    given = options.pop(PART, "")
    if bool(given) == bool(text.strip()):
        raise TopovizError(f"a block of the class {CLASS} has either {PART}= or lines in it")
    texts, caption = apart(options)
    figure = Figure(given=given, text=f"{text}\n" if text.strip() else "", options=texts, caption=caption)
    if form.split("+", maxsplit=1)[0] in HTML:
        return {"t": "RawBlock", "c": ["html", drawn(figure, number)]}
    return _image(figure, name, form, folder, number)


def _image(figure: Figure, name: str, form: str, folder: Path, number: int) -> Json:
    """Return a paragraph with an image, written beside the document."""
    from topoviz.picture import write

    suffix = ".pdf" if form in PDF else ".svg" if form in {"typst", "markdown", "gfm"} else ".png"
    read = figures.read(figure)
    made = figures.scene(read, read.langs[0])
    theme = next(iter(read.request.theme), "light")
    target = folder / f"topoviz-{number}{suffix}"
    write(target, figures.written(made, theme, suffix, read.folders))
    caption = figure.caption
    said = [{"t": "Str", "c": caption or made.description}]
    image = {"t": "Image", "c": [[name, [], [["alt", made.description]]], said, [target.as_posix(), ""]]}
    if not caption:
        return {"t": "Para", "c": [image]}
    return {
        "t": "Figure",
        "c": [["", [], []], [None, [{"t": "Plain", "c": said}]], [{"t": "Plain", "c": [image]}]],
    }


if __name__ == "__main__":
    sys.exit(main())
