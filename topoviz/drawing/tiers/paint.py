"""Glyphs of a tiers view: each unit at its spot, cards round what belongs together, memory beside a lone GPU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topoviz.drawing import glyphs, text
from topoviz.drawing.messages import message
from topoviz.drawing.rack import rack_mark
from topoviz.drawing.scene import Box, Item, Run, Shape, Text
from topoviz.drawing.tiers import marks, route
from topoviz.drawing.tiers.cast import NETWORK, Unit
from topoviz.drawing.tiers.stack import Band, Spot, lone
from topoviz.drawing.tiers.stage import Stage
from topoviz.model.spec import Text as Words

COMPUTED = {
    "cpu": "CPU {index}",
    "gpu": "GPU {index}",
    "nic": "NIC {index}",
    "nvswitch": "NVSwitch {index}",
    "pcie": "SW {index}",
    "dpu": "DPU {index}",
}
USED = 160.0  # a bar so wide says how many links end at it
CROSSED = 60.0  # an NVSwitch as tall as that has the tracks of a route in it


def draw(stage: Stage) -> tuple[Item, ...]:
    """Return the glyphs of all units that stand somewhere."""
    items: list[Item] = []
    for band, top in stage.stack:
        if band.form == "cards":
            continue  # opened cards with their chips belong to the fan
        if band.form == "card":
            items.extend(_cards(stage, band, top))
        for unit in (*band.units, *band.hanging):
            spot = stage.spots.get(unit.id)
            if spot is not None:
                ground = "bg" if unit.form == "card" else stage.ground
                items.extend(glyphs.opaque(item, ground) for item in _glyph(stage, unit, spot))
        if band.form == "column" and lone(band.units):
            items.extend(_memory(stage, band.units[0]))
    return tuple(items)


def name_of(stage: Stage, unit: Unit) -> str:
    """Return what stands in a glyph: the layout's words, else the name a person gave, else kind and number."""
    tier = stage.cast.tiers[unit.tier]
    thing = unit.thing
    if tier.label == "{none}":
        return ""
    if thing.index is not None and thing.name != f"{thing.group}{thing.index}" and unit.form != "strip":
        return thing.name  # a name that a person gave says more than a number
    if unit.form not in {"micro", "strip"} and thing.kind == "switch" and _is_ambiguous(stage, unit):
        return thing.name
    if tier.label and unit.form != "micro":
        return stage.text(tier.label, unit=unit)
    usual = {"cpu": "cpu", "gpu": "gpu", "nic": "nic", "nvswitch": "nvs", "pcie": "sw"}.get(thing.kind)
    if usual == thing.group and thing.index is not None:
        return stage.text(COMPUTED[thing.kind], unit=unit)
    if thing.name == usual and thing.kind in {"cpu", "gpu", "nic"}:
        return thing.kind.upper()
    return stage.text("{title}", unit=unit) if thing.child.title else thing.name


def _is_ambiguous(stage: Stage, unit: Unit) -> bool:
    """Whether a number stands for switches of two groups in the row: then names tell them apart."""
    mates = [u.thing for u in stage.cast.units[unit.tier] if u.thing.index is not None]
    groups = {(one.index, one.group) for one in mates}
    return len({group for _, group in groups}) > 1 and len({index for index, _ in groups}) < len(groups)


def _glyph(stage: Stage, unit: Unit, spot: Spot) -> Iterator[Item]:
    thing, muted = unit.thing, stage.muted
    x, y, w, h = spot.x - spot.width / 2, spot.y, spot.width, spot.height
    tip = glyphs.tooltip(thing, stage.scope.lang)
    label = name_of(stage, unit)
    right = stage.text(stage.cast.tiers[unit.tier].right, unit=unit)
    turned = muted and route.crossed(stage.scope.findings.routes, thing.id)  # the route writes the name beside itself
    label, right = ("", "") if turned else (label, right)
    if unit.form in {"micro", "stack"}:
        inside = rack_mark if thing.kind == "rack" and unit.form == "micro" else None
        yield from inside(thing, stage.scope.topology, x, y, w, h) if inside else marks.draw(stage, unit, spot)
        return
    if unit.form == "strip":
        yield _strip(stage, unit, spot, label)
        return
    if thing.kind == "gpu":
        yield _gpu(stage, unit, spot, label, tip)
    elif thing.kind == "cpu":
        yield from _cpu(stage, unit, spot, label, right, tip)
    elif thing.kind == "pcie":
        shown = label if spot.width > 40 or turned else "SW"
        yield glyphs.pcie_switch(thing.id, x, y, w, h, shown, tooltip=tip, muted=muted, state=thing.state)
    elif thing.kind in {"nic", "dpu"}:
        yield _nic(stage, unit, spot, label, tip)
    elif thing.kind == "nvswitch":
        crossed = h > CROSSED  # a route has its tracks there; the gutter has the name
        used = "" if crossed else (right if thing.state != "down" else "") or _used(stage, unit)
        label = "" if crossed else label
        yield glyphs.nvswitch(thing.id, x, y, w, h, label, right=used, tooltip=tip, muted=muted, state=thing.state)
    elif thing.kind == "switch":
        yield glyphs.switch(
            thing.id,
            x,
            y,
            w,
            h,
            glyphs.short(label, w - 14, bold=True),
            right=right,
            tooltip=tip,
            muted=muted,
            state=thing.state,
            fabric=_fabric(stage, unit),
        )
    else:
        yield glyphs.card(thing.id, x, y, w, h, label, kind=thing.kind, tooltip=tip, muted=muted, state=thing.state)


def _gpu(stage: Stage, unit: Unit, spot: Spot, label: str, tip: str) -> Item:
    """A GPU with its name on one line, or on two where the name is too long."""
    x, state = spot.x - spot.width / 2, unit.thing.state
    shown = "GPU" if stage.scope.compact and len(stage.columns) == 1 else label
    room = spot.width - 6
    if text.width(shown, 12, bold=True) <= room or spot.width < 44:
        return glyphs.gpu(
            unit.id, x, spot.y, spot.width, spot.height, shown if spot.width >= 30 else "", tooltip=tip, state=state
        )
    item = glyphs.gpu(unit.id, x, spot.y, spot.width, spot.height, "", tooltip=tip, state=state)
    ink = "ink2" if state == "down" else "gpu.text"
    lines = [text.fit(line, room, 12, bold=True) for line in _two_lines(shown, room)]
    words = tuple(
        Text(
            x=spot.x,
            y=spot.y + spot.height / 2 - 3 + 15 * i,
            content=line,
            size=size,
            bold=True,
            anchor="middle",
            fill=ink,
        )
        for i, (line, size) in enumerate(lines)
    )
    return replace(item, shapes=(*item.shapes, *words))


def _two_lines(name: str, room: float) -> tuple[str, str]:
    """Return a name on two lines: broken where it may be, else where the first line is full."""
    first, second = text.split_name(name)
    if second:
        return first, second
    full = next((i for i in range(len(name), 1, -1) if text.width(name[:i], 12, bold=True) <= room), 1)
    return name[:full], name[full:]


def _used(stage: Stage, unit: Unit) -> str:
    """How many links end at a bar, where the layout does not say it; or that it is down, so none that works."""
    if unit.thing.state == "down" and stage.spots[unit.id].width >= USED:
        return message("down", stage.scope.lang)
    total = sum(j.links for j in stage.cast.joins if unit.id in {j.upper, j.lower})
    kinds = [j.kind for j in stage.cast.joins if unit.id in {j.upper, j.lower}]
    if not total or stage.scope.compact or stage.spots[unit.id].width < USED:
        return ""
    return stage.text("{used} NVLinks" if kinds[0] == "nvlink" else "{used} links", unit=unit)


def _fabric(stage: Stage, unit: Unit) -> str:
    kinds = [j.kind for j in stage.cast.joins if unit.id in {j.upper, j.lower} and j.kind in NETWORK]
    ports = [p.kind for p in unit.thing.assembly.ports or () if p.kind in NETWORK]
    return next(iter([*kinds, *ports]), "infiniband")


def _cpu(stage: Stage, unit: Unit, spot: Spot, label: str, right: str, tip: str) -> Iterator[Item]:
    """A CPU; its model stands behind the name where there is room."""
    x, y = spot.x - spot.width / 2, spot.y
    compact = stage.scope.compact
    plain = label if not compact else ("CPU" if spot.width < 200 or len(stage.columns) == 1 else label)
    item = glyphs.cpu(
        unit.id,
        x,
        y,
        spot.width,
        spot.height,
        plain,
        tooltip=tip,
        muted=stage.muted,
        state=unit.thing.state,
        bold=not compact or len(stage.columns) == 1,
    )
    room = spot.width - 24
    if not right or compact or text.width(label, 13, bold=True) + text.width(right, 12) + 8 > room:
        yield item
        return
    ink = "ink3" if stage.muted else "ink"
    runs = (
        Run(content=label, bold=True, fill=ink),
        Run(content=right, size=12, fill="ink3" if stage.muted else "ink2", dx=6),
    )
    words = Text(x=spot.x, y=y + spot.height / 2 + 4.6, anchor="middle", runs=runs)
    yield replace(item, shapes=(*(s for s in item.shapes if not isinstance(s, Text)), words))


def _nic(stage: Stage, unit: Unit, spot: Spot, label: str, tip: str) -> Item:
    ports = [p.kind for p in unit.thing.assembly.ports or () if p.kind in NETWORK]
    wired = [j.kind for j in stage.cast.joins if unit.id in {j.upper, j.lower} and j.kind in NETWORK]
    fabric = next(iter([*wired, *ports]), "infiniband")
    in_card = unit.form == "card"
    shown = "NIC" if in_card and not stage.cast.tiers[unit.tier].label else label
    own = unit.id not in stage.forest.guests
    x = spot.x - spot.width / 2
    item = glyphs.nic(
        unit.id,
        x,
        spot.y,
        spot.width,
        spot.height,
        shown,
        tooltip=tip,
        muted=stage.muted,
        state=unit.thing.state,
        fabric=fabric,
        side="none" if own else "top",
        kind=unit.kind,
    )
    if not own:
        return item
    tab = Box(x=spot.x + 11 - 5, y=spot.y - 3, width=10, height=6, fill="ghost" if stage.muted else f"{fabric}.line")
    return replace(item, shapes=(item.shapes[0], tab, *item.shapes[1:]))


def _strip(stage: Stage, unit: Unit, spot: Spot, label: str) -> Item:
    thing = unit.thing
    x = spot.x - spot.width / 2
    words = "" if stage.muted else label  # a route runs through it, and the gutter says what it is
    if not stage.muted and stage.cast.tiers[unit.tier].drawn_as != "strip":
        words = stage.text(_merged_words(stage, unit), unit=unit)
    ids = {"id": thing.id, "kind": thing.kind, "count": str(len(unit.things))}
    if thing.kind == "nvswitch":
        item = glyphs.nvswitch(thing.id, x, spot.y, spot.width, spot.height, words, muted=stage.muted)
    else:
        item = glyphs.switch(
            thing.id,
            x,
            spot.y,
            spot.width,
            spot.height,
            words,
            muted=stage.muted,
            fabric=_fabric(stage, unit),
            bold=False,
        )
    return replace(item, data=tuple(ids.items()))


def _merged_words(stage: Stage, unit: Unit) -> Words:
    """What bars drawn as one are called: as in the gutter, where the layout has words for it."""
    gutter = stage.cast.tiers[unit.tier].gutter
    if unit.kind == "nvswitch":
        return "{count} NVSwitch chips"
    return gutter[0] if isinstance(gutter, tuple) else "{count} switches"


def _cards(stage: Stage, band: Band, top: float) -> Iterator[Item]:
    """The white card round a PCIe switch and its network cards."""
    for unit in band.units:
        if unit.kind != "pcie" or unit.id not in stage.spots:
            continue
        mine = [stage.spots[unit.id]]
        mine += [
            stage.spots[g] for g in stage.forest.guests if stage.forest.parents.get(g) == unit.id and g in stage.spots
        ]
        if len(mine) < 2:
            continue
        left = min(s.x - s.width / 2 for s in mine) - 4
        right = max(s.x + s.width / 2 for s in mine) + 4
        box = Box(
            x=left,
            y=top,
            width=right - left,
            height=band.height,
            radius=3,
            fill="bg",
            stroke="ghost" if stage.muted else "frame",
            stroke_width=1,
        )
        yield Item(role="decor", layer="enclosure", shapes=(box,))


def _memory(stage: Stage, unit: Unit) -> Iterator[Item]:
    """Memory beside a lone GPU, three on each side, with its size and type below."""
    memory = unit.thing.assembly.memory
    spot = stage.spots[unit.id]
    if memory is None:
        return
    shapes: list[Shape] = []
    for side in (-1, 1):
        x = spot.x + side * (spot.width / 2 + 5) - (19 if side < 0 else 0)
        shapes += [
            Box(
                x=x,
                y=spot.y + spot.height * (i + 0.5) / 3 - 10.5,
                width=19,
                height=21,
                radius=2,
                fill="nvlink.tint",
                stroke="nvlink.line",
                stroke_width=1,
            )
            for i in range(3)
        ]
    words = stage.text("{memory} of memory", unit=unit)
    shapes.append(Text(x=spot.x, y=spot.bottom + 18, content=words, size=12, anchor="middle", fill="ink2"))
    yield Item(role="decor", layer="device", shapes=tuple(shapes), of=(unit.id,))
