"""How full the memory of a GPU of a job is: a gauge on the GPU, and the numbers beside the ranks."""

from __future__ import annotations

from topoviz.drawing import model_words
from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Box, Item
from topoviz.drawing.scope import Scope
from topoviz.model.findings import Tank

HIGH = 5.0


def tank_of(scope: Scope, gpu: str) -> Tank | None:
    """Return what lies in a GPU, of the use that needs most; None if the picture does not ask for memory."""
    memory = scope.findings.memory
    if "memory" not in scope.request.overlay or memory is None:
        return None
    use = max(memory.uses, key=lambda one: one.needed)
    return next((tank for tank in use.tanks if gpu in tank.ids), None)


def gauge(tank: Tank, x: float, y: float, width: float) -> Item:
    """Return the gauge at a place: as long as the memory, filled as far as it is needed."""
    share = min(1.0, tank.filled / tank.size)
    track = Box(x=x, y=y, width=width, height=HIGH, stroke="gpu.text2", stroke_width=0.75)
    token = "alert" if tank.filled > tank.size else "gpu.text2"
    return Item(
        role="decor",
        layer="device",
        shapes=(Box(x=x, y=y, width=width * share, height=HIGH, fill=token), track),
        title=f"{model_words.gigabytes(tank.filled)} / {model_words.gigabytes(tank.size)}",
    )


def words(tank: Tank, lang: str) -> str:
    """Return the numbers: ``14 GB of 80 GB each``."""
    filled, size = model_words.gigabytes(tank.filled), model_words.gigabytes(tank.size)
    return fill("{filled} of {size} each", {"filled": filled, "size": size}, lang)
