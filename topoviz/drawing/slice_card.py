"""A cut GPU in full: its instances as columns, compute slices over memory slices, and all SMs to scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topoviz.drawing import sm_bar
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.cuts import Cut
from topoviz.drawing.look import RISE, SMALL
from topoviz.drawing.messages import fill, message
from topoviz.drawing.scene import Box, Drawing, Item, Line, Shape, Text
from topoviz.drawing.slice_columns import Columns, columns, empty, lost, marks_between, slab, words_in
from topoviz.drawing.words import link_name
from topoviz.model.mig import Instance

LABELS = 136.0  # room for the labels of rows
HEAD, CAPSULE, COMPUTE, MEMORY, NAME = 34.0, 30.0, 66.0, 62.0, 36.0
BETWEEN = 12.0  # compute and memory slices
STUB = 16.0
ON_GPU = ("gpu.text", "gpu.text2")
ON_MEMORY = ("ink", "ink2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Where everything stands: tops of the rows, and the columns."""

    cut: Cut
    cols: Columns
    width: float
    lang: str

    @property
    def capsule(self) -> float:
        return STUB + HEAD

    @property
    def compute(self) -> float:
        return self.capsule + CAPSULE

    @property
    def memory(self) -> float:
        return self.compute + COMPUTE + BETWEEN

    @property
    def name(self) -> float:
        return self.memory + MEMORY

    @property
    def bar(self) -> float:
        return self.name + NAME + 18

    @property
    def bottom(self) -> float:
        return self.bar + (sm_bar.HIGH + 14 if self.has_bar else -6)

    @property
    def has_bar(self) -> bool:
        return self.cut.sms is not None and self.cut.used is not None


def draw(cut: Cut, width: float, lang: str) -> Drawing:
    """Return the GPU with its instances, labels at the left, the PCIe link at its top."""
    cols = columns(cut.slices, LABELS + 8, width - LABELS - 16, 14)
    card = Card(cut=cut, cols=cols, width=width, lang=lang)
    items = [_body(card), *_host(card)]
    items += [_instance(card, i, one) for i, one in enumerate(cut.instances)]
    items += [Item(role="decor", layer="device", shapes=tuple(_left_over(card)))]
    if card.has_bar:
        wide = width - LABELS - 24
        items.append(sm_bar.draw(cut, (LABELS + 12, card.bar), wide, lang))
    items += free_text(_labels(card))
    return Drawing(width=width, height=card.bottom, items=tuple(items))


def _body(card: Card) -> Item:
    thing = card.cut.things[0]
    high = card.bottom - STUB
    frame = Box(
        x=LABELS, y=STUB, width=card.width - LABELS, height=high, radius=8, fill="surf", stroke="frame", stroke_width=1
    )
    said = fill("{title}, MIG on", {"title": card.cut.name(card.lang)}, card.lang)
    head = Text(x=LABELS + 14, y=STUB + 22, content=said, bold=True)
    data = (("id", thing.id), ("kind", thing.kind))
    return Item(role="node", layer="enclosure", kind=thing.kind, shapes=(frame, head), data=data, title=said)


def _host(card: Card) -> Iterator[Item]:
    """Yield the PCIe link that all instances share, at the upper right."""
    port = next((one for one in card.cut.assembly.ports or () if one.kind == "pcie"), None)
    if port is None:
        return
    link = link_name("pcie", (port.rate.link,) if port.rate.link else ())
    said = fill("{link}, shared by all instances", {"link": link}, card.lang)
    x = card.width - 40
    line = Line(points=((x, 0), (x, STUB)), stroke="pcie.line", width=2.4)
    yield Item(role="decor", layer="link", kind="pcie", shapes=(line,))
    text = Text(x=card.width - 14, y=STUB + 22, content=said, size=12, anchor="end", fill="pcie.text")
    yield from free_text((text,))


def _instance(card: Card, number: int, one: Instance) -> Item:
    """Return one instance: a capsule round its compute slices, its memory slices and its profile."""
    cols, lang = card.cols, card.lang
    x, width = cols.span(one.start, one.length)
    capsule = Box(
        x=x - 5, y=card.capsule, width=width + 10, height=card.name + NAME - card.capsule, radius=8,
        fill="bg", stroke="nvlink.line", stroke_width=1.5,
    )  # fmt: skip
    cx, cwidth = cols.compute(one.compute_start, one.compute)
    compute = slab(cx, card.compute, (min(cwidth, width), COMPUTE), dark=True)
    memory = slab(x, card.memory, (width, MEMORY), dark=False)
    head = fill("instance {number}", {"number": str(number)}, lang)
    sms = fill("{count} SMs", {"count": str(one.sms)}, lang) if one.sms is not None else ""
    share = _share(card, one)
    centre, join = x + width / 2, compute.x + min(compute.width, width) / 2
    texts = [
        _centred(head, centre, card.capsule + CAPSULE / 2 + 1, width, bold=False),
        _centred(one.profile, centre, card.name + NAME / 2, width, bold=True),
    ]
    shapes: tuple[Shape, ...] = (
        capsule,
        Line(points=((join, card.compute + COMPUTE), (join, card.memory)), stroke="frame", width=1.5),
        compute,
        *marks_between(compute, one.compute, "gpu.text"),
        *words_in(compute, (f"{one.compute}g", *((sms,) if sms else ())), ON_GPU, head=15),
        memory,
        *marks_between(memory, one.length, "nvlink.line"),
        *words_in(memory, (f"{one.memory:g} GB", share), ON_MEMORY, head=15),
        *(text for text in texts if text is not None),
    )
    tip = ", ".join(part for part in (f"{head}: {one.profile}", sms, f"{one.memory:g} GB") if part)
    data = (("instance", str(number)), ("profile", one.profile))
    return Item(role="decor", layer="device", kind="mig", shapes=shapes, data=data, title=tip)


def _share(card: Card, one: Instance) -> str:
    memory = card.cut.assembly.memory
    kind = "HBM" if memory is not None and memory.type.startswith("HBM") else message("memory", card.lang)
    share = f"{one.length}/{card.cut.slices.memory}"
    return fill("{share} of {memory}", {"share": share, "memory": kind}, card.lang)


def _centred(content: str, x: float, y: float, room: float, *, bold: bool) -> Text | None:
    size = 13.0 if type_setting.width(content, 13, bold=bold) <= room + 6 else SMALL
    if type_setting.width(content, size, bold=bold) > room + 8:
        return None
    return Text(
        x=x, y=y + RISE * size, content=content, size=size, bold=bold, anchor="middle", fill="ink" if bold else "ink2"
    )


def _left_over(card: Card) -> Iterator[Shape]:
    """Yield the slices of no instance: free ones with an outline, those that cannot be used hatched."""
    cut, cols, lang = card.cut, card.cols, card.lang
    for k in cut.idle_compute:
        x, width = cols.compute(k, 1)
        yield from _idle((x, card.compute), (width, COMPUTE), lang, free=k in cut.computable)
    for k in cut.idle_memory:
        x, width = cols.span(k, 1)
        yield from _idle((x, card.memory), (width, MEMORY), lang, free=k in cut.usable)
    rest = cut.slices.memory - cut.slices.compute * cut.slices.per_compute
    if rest > 0:
        x, width = cols.span(cut.slices.memory - rest, rest)
        box = empty(x, card.compute, (width, COMPUTE))
        yield box
        yield from _two_lines(box, fill("only {count} slices", {"count": str(cut.slices.compute)}, lang))


def _idle(corner: tuple[float, float], size: tuple[float, float], lang: str, *, free: bool) -> Iterator[Shape]:
    x, y = corner
    box = empty(x, y, size) if free else lost(x, y, size)
    word = message("free" if free else "unused", lang)
    yield box
    wide = type_setting.width(word, SMALL)
    if wide + 4 <= box.width:
        if not free:
            middle = y + box.height / 2
            yield Box(x=x + (box.width - wide) / 2 - 1, y=middle - 10, width=wide + 2, height=20, fill="surf")
        y += box.height / 2 + RISE * SMALL
        yield Text(x=x + box.width / 2, y=y, content=word, size=SMALL, anchor="middle", fill="ink2")


def _two_lines(box: Box, said: str) -> Sequence[Text]:
    lines = type_setting.wrap(said, box.width - 8, SMALL, 2)
    top = box.y + box.height / 2 - 8 * (len(lines) - 1) + RISE * SMALL
    centre = box.x + box.width / 2
    return [
        Text(x=centre, y=top + 16 * i, content=line, size=SMALL, anchor="middle", fill="ink3")
        for i, line in enumerate(lines)
    ]


def _labels(card: Card) -> list[Text]:
    """Return the labels at the left: what each row is, and what of it is in use."""
    cut, lang = card.cut, card.lang
    each = cut.slices.memory
    idle = len(cut.idle_compute)
    rows = [
        (
            card.compute + COMPUTE / 2,
            message("Compute slices", lang),
            _of(cut.slices.compute - idle, cut.slices.compute, lang),
        ),
        (card.memory + MEMORY / 2, message("Memory slices", lang), _of(each - len(cut.idle_memory), each, lang)),
        (card.name + NAME / 2 - 3, message("MIG profile", lang), message("compute.memory", lang)),
    ]
    if card.has_bar:
        rows.append(
            (card.bar + sm_bar.HIGH / 2, message("SMs, to scale", lang), _of(cut.used or 0, cut.sms or 0, lang))
        )
    return [text for y, head, below in rows for text in _label(y, head, below)]


def _of(used: int, every: int, lang: str) -> str:
    return fill("{count} of {all} in use", {"count": str(used), "all": str(every)}, lang)


def _label(y: float, head: str, below: str) -> Iterator[Text]:
    yield Text(x=LABELS - 12, y=y - 4, content=head, bold=True, anchor="end")
    yield Text(x=LABELS - 12, y=y + 13, content=below, size=SMALL, anchor="end", fill="ink2")
