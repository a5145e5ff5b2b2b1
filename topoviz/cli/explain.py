"""``topoviz explain``: which layout would be drawn and why, what is drawn one by one, what is folded."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from topoviz.cli.inputs import FORMAT, INPUTS, SET, load
from topoviz.cli.told import print_json, told

if TYPE_CHECKING:
    from topoviz.drawing.scene import Scene
    from topoviz.model.spec import Picture as Request
    from topoviz.model.topology import Topology

LEFT_OUT = "left-out: "


@click.command()
@INPUTS
@FORMAT
@SET
@told
def explain(inputs: tuple[str, ...], form: str, given: tuple[str, ...]) -> None:
    """Say which layout would be drawn and why, and what is folded or left out."""
    from topoviz.picture import wanted

    topology = load(inputs, given)
    rows = [_row(topology, request) for request in wanted(topology)]
    if form == "json":
        print_json(rows)
        return
    for row in rows:
        click.echo("\n".join(_lines(row)))


def _row(topology: Topology, request: Request) -> dict[str, Any]:
    from topoviz import resources
    from topoviz.picture import choice, of

    picture = of(topology, request)
    scene = picture.scene()
    chosen = choice(picture, resources.Layouts(picture.folders))
    return {
        "picture": request.file or request.name or topology.name,
        "layout": chosen.layout.name,
        "reason": chosen.reason,
        "title": scene.title,
        "drawn": _drawn(scene),
        "links": sum(item.role == "link" for item in scene.items),
        "folded": [note for note in scene.notes if not note.startswith(LEFT_OUT)],
        "left_out": [note.removeprefix(LEFT_OUT) for note in scene.notes if note.startswith(LEFT_OUT)],
        "warnings": [one.message for one in picture.warnings],
        "description": scene.description,
    }


def _drawn(scene: Scene) -> dict[str, int]:
    """Return how many things of each kind have a shape of their own, in order of first appearance."""
    ids = {(item.kind, dict(item.data).get("id", "")): None for item in scene.items if item.role == "node"}
    return dict(Counter(kind for kind, _ in ids))


def _lines(row: dict[str, Any]) -> list[str]:
    drawn = ", ".join(f"{number} {kind}" for kind, number in row["drawn"].items()) or "nothing"
    return [
        f"{row['picture']}: layout {row['reason']}",
        f"  drawn one by one: {drawn}; {row['links']} link{'' if row['links'] == 1 else 's'}",
        *(f"  drawn as one: {one}" for one in row["folded"]),
        *(f"  left out: {one}" for one in row["left_out"]),
        *(f"  warning: {one}" for one in row["warnings"]),
        f"  {row['description']}",
    ]
