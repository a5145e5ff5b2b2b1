"""Text: title, description and a table of what is drawn, for a reader who cannot see the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from topoviz.errors import columns

if TYPE_CHECKING:
    from topoviz.drawing.scene import Item, Scene
    from topoviz.renderers.theme import Theme

SUFFIX = ".txt"
HEADS = {
    "en": ("from", "to", "kind", "links", "GB/s, one direction"),
    "zh": ("自", "至", "类型", "链路数", "GB/s，单向"),
}


def render(scene: Scene, theme: Theme) -> str:  # noqa: ARG001 - a text has no colours
    """Return the picture in words: one line for each drawn link or bundle, then the ways that are highlighted."""
    parts = [scene.title, "=" * columns(scene.title), "", scene.description, ""]
    rows = [_row(item) for item in scene.items if item.role == "link" and "source" in dict(item.data)]
    if rows:
        parts.extend(_table([HEADS.get(scene.lang.split("-")[0], HEADS["en"]), *rows]))
    ways = [item.title for item in scene.items if item.role == "route" and item.title]
    if ways:
        parts.extend(["", *dict.fromkeys(ways)])
    return "\n".join(parts).rstrip() + "\n"


def _row(item: Item) -> tuple[str, ...]:
    data = dict(item.data)
    kind = data.get("kind", item.kind)
    return (
        data.get("source", ""),
        data.get("target", ""),
        kind,
        data.get("links", ""),
        data.get("bandwidth", "") or "–",
    )


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    wide = [max(columns(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell + " " * (wide[i] - columns(cell)) for i, cell in enumerate(row)).rstrip()
