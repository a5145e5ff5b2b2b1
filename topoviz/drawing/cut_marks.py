"""Cut GPUs in any picture: a strip of instances at the lower edge of each, and words for the caption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topoviz.drawing.cuts import Cut, cuts
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import fill
from topoviz.drawing.scene import Box, Drawing, Item
from topoviz.drawing.scope import Scope

LOW, SMALLEST = 16.0, 17.0  # least height and width of a GPU with a strip
EDGE = 4.0  # from the sides of the GPU
HIGH = 3.0
GAP = 1.5
MOST_NAMED = 3  # cuts told one by one


def marked(drawing: Drawing, scope: Scope) -> Drawing:
    """Return the drawing with a strip of instances on every GPU that is cut; the same if none is."""
    found = {thing.id: cut for cut in cuts(scope) for thing in cut.things}
    if not found:
        return drawing
    return replace(drawing, items=tuple(_with_strip(item, found) for item in drawing.items))


def _with_strip(item: Item, found: dict[str, Cut]) -> Item:
    cut = found.get(dict(item.data).get("id", " ")) if item.role == "node" and item.kind == "gpu" else None
    body = next((shape for shape in item.shapes if isinstance(shape, Box)), None)
    if cut is None or body is None or item.layer == "enclosure":
        return item
    tip = f"{item.title}, MIG {cut.words}" if item.title else ""
    if body.height < LOW or body.width < SMALLEST:
        return replace(item, title=tip)
    return replace(item, shapes=(*item.shapes, *_strip(body, cut)), title=tip)


def _strip(body: Box, cut: Cut) -> Iterator[Box]:
    """Yield a mark for each instance, as long as its memory; a gap where memory belongs to none."""
    token = "gpu.text" if body.fill == "gpu" else "frame"
    each = (body.width - 2 * EDGE) / cut.slices.memory
    for one in cut.instances:
        x, width = body.x + EDGE + each * one.start + GAP / 2, each * one.length - GAP
        yield Box(x=x, y=body.y + body.height - HIGH - 3, width=width, height=HIGH, fill=token)


def told(scope: Scope) -> tuple[str, ...]:
    """Return what the caption says of cut GPUs: how many are cut how; nothing where the slices themselves are drawn."""
    if _draws_slices(scope.layout.block):
        return ()
    numbers: dict[str, int] = {}
    for one in (scope, *scope.panels):
        for cut in cuts(one):
            numbers[cut.words] = numbers.get(cut.words, 0) + len(cut.things)
    if not numbers:
        return ()
    lang = scope.lang
    said = [
        fill("{count} GPUs as {cut}", {"count": str(number), "cut": words}, lang) for words, number in numbers.items()
    ]
    shown = said[:MOST_NAMED]
    if len(said) > MOST_NAMED:
        shown.append(fill("{count} other cuts", {"count": str(len(said) - MOST_NAMED)}, lang))
    comma = "；" if lang.startswith("zh") else "; "
    head = fill("Cut by MIG, a mark for each instance: {cuts}.", {"cuts": comma.join(shown)}, lang)
    tail = fill("Instances have no NVLink or PCIe peer-to-peer.", {}, lang)
    return (f"{head}{tail}" if lang.startswith("zh") else f"{head} {tail}",)


def _draws_slices(block: Block) -> bool:
    return block.view == "slices" or any(_draws_slices(one) for one in (*block.rows, *block.columns))
