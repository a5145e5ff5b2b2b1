"""Pictures drawn for a builder, each kept under a name that says all it was made from."""

from __future__ import annotations

import math
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from topoviz import __version__, picture
from topoviz.hosts import figure as figures
from topoviz.hosts.dependencies import dependencies

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from topoviz.drawing.scene import Scene
    from topoviz.picture import Picture
    from topoviz.sphinx.node import topology

FOLDER = "topoviz"  # beside the document trees
LENGTH = 16  # hexadecimal digits of each half of a name
LEAST = 640  # CSS pixels: a wide picture gets no narrower, the page scrolls it sideways


def key(figure: figures.Figure, read: Picture) -> str:
    """Return a name for all that a picture is made from: what was written, every file, the version."""
    parts = [__version__, figure.given, figure.text, *(f"{k}={v}" for k, v in sorted(figure.options.items()))]
    parts += [file.read_text(encoding="utf-8", errors="replace") for file in dependencies(read)]
    return _digest(parts)


def drawn(builder: Builder, node: topology, suffix: str, *, inline: bool = False, theme: str = "") -> bytes:
    """Return the picture of a node in a format; from the cache if it was drawn before."""
    return file(builder, node, suffix, inline=inline, theme=theme).read_bytes()


def file(
    trees: Builder | BuildEnvironment,
    node: topology,
    suffix: str,
    *,
    inline: bool = False,
    theme: str = "",
    draw: bool = True,
) -> Path:
    """Return the file that holds the picture of a node, beside the document trees; drawn if it is not there and ``draw``.

    Raises:
        MissingExtra: PNG and PDF need a package of their own.
    """
    kind = "inline" if inline else "file"
    said = [kind, suffix, theme or node["theme"], node["lang"], *(f"{k}={v}" for k, v in sorted(node["texts"].items()))]
    target = Path(trees.doctreedir) / FOLDER / f"topoviz-{node['key']}-{_digest(said)}{suffix}"
    if draw and not target.is_file():
        read = figures.read(node["figure"])
        made = figures.scene(read, node["lang"], node["texts"])
        picture.write(target, rendered(read, made, suffix, theme or node["theme"], inline=inline))
    return target


def rendered(read: Picture, made: Scene, suffix: str, theme: str, *, inline: bool) -> bytes:
    """Return a picture as bytes; inline ones that follow their page stand on its ground."""
    if inline:
        return figures.inline(figures.on_page(made, theme), theme, read.folders).encode()
    return figures.written(made, theme, suffix, read.folders)


def inner(node: topology) -> dict[str, str]:
    """Return the attributes of the element round an inline picture: how wide it is and may become."""
    width = node["size"][0]
    style = f"--topoviz-least:{min(LEAST, math.ceil(width))}px"
    style += f";--topoviz-width:{node['shown']}" if node["shown"] else ""
    return {"style": style}


def _digest(parts: list[str]) -> str:
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:LENGTH]
