"""Many servers small: one thin row each, one mark per GPU, so that GPUs can still be counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.drawing import glyphs
from topoviz.drawing.scene import Box, Cells, Item, Text
from topoviz.drawing.tiers.cast import Unit
from topoviz.drawing.tiers.stack import Spot
from topoviz.drawing.tiers.stage import Stage
from topoviz.model.topology import Thing

MOST_ROWS = 64
HEAD = 22.0


def draw(stage: Stage, unit: Unit, spot: Spot) -> Iterator[Item]:
    """Yield a card with a thin row for every server in it, or a stack with a number where they are too many."""
    servers = _servers(stage, unit)
    x, y = spot.x - spot.width / 2, spot.y
    many = "{count} servers: {title}" if unit.kind == "node" else "{count} × {title}"
    name = unit.thing.name if len(unit.things) == 1 else stage.text(many, unit=unit)
    if not servers or len(servers) > MOST_ROWS or (len(unit.things) > 1 and unit.kind != "node"):
        yield glyphs.stack(
            unit.id,
            x,
            y,
            spot.width,
            min(spot.height, 96.0),
            name,
            kind=unit.kind,
            count=len(unit.things),
            second=_second(stage, unit),
        )
        return
    box = Box(x=x, y=y, width=spot.width, height=spot.height, radius=4, fill="surf", stroke="frame", stroke_width=1)
    words = Text(x=spot.x, y=y + 16, content=glyphs.short(name, spot.width - 8), size=12, anchor="middle", fill="ink2")
    data = (("id", unit.id), ("kind", unit.kind), ("count", str(len(servers))))
    yield Item(role="node", layer="switch", shapes=(box, words), kind=unit.kind, data=data, title=name)
    yield Item(role="decor", layer="device", shapes=(_cells(stage, servers, x, y, spot),))


def _servers(stage: Stage, unit: Unit) -> Sequence[Thing]:
    if unit.kind == "node":
        return unit.things
    inside = [t for t in unit.thing.children if stage.scope.topology.count("gpu", within=t)]
    return inside if len(unit.things) == 1 else ()


def _second(stage: Stage, unit: Unit) -> str:
    if unit.kind == "gpu":
        return ""
    gpus = sum(stage.scope.topology.count("gpu", within=t) for t in unit.things)
    return stage.text("{count} GPUs", numbers={"count": f"{gpus:,}"}) if gpus else ""


def _cells(stage: Stage, servers: Sequence[Thing], x: float, y: float, spot: Spot) -> Cells:
    per = max(stage.scope.topology.count("gpu", within=t) for t in servers)
    pitch = (spot.height - HEAD - 6) / len(servers)
    step = (spot.width - 12) / per
    filled = frozenset(
        (i, k)
        for i, t in enumerate(servers)
        if t.state != "down"
        for k in range(stage.scope.topology.count("gpu", within=t))
    )
    return Cells(
        xs=tuple(x + 6 + k * step for k in range(per)),
        ys=tuple(y + HEAD + i * pitch for i in range(len(servers))),
        width=step * 0.72,
        height=pitch * 0.66,
        fill="gpu",
        filled=filled,
    )
