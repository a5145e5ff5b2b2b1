"""The same block once for each panel, route or kind of group, side by side, ending together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from topoviz.drawing import fields, glyphs, preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.blocks import Site, centred, content, flat, included, named, suited
from topoviz.drawing.columns import HEADS, PANEL_GUTTER, PANELS_IN_A_ROW, Span, equal
from topoviz.drawing.compose import NOTHING, below, beside, free_text
from topoviz.drawing.group_words import SHORT
from topoviz.drawing.group_words import head as head_of_group
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.mesh import direct, lanes
from topoviz.drawing.messages import fill, message, retold, say_text
from topoviz.drawing.scene import Drawing, Shape, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import COUNTED, ROUTES
from topoviz.errors import TopovizError
from topoviz.model.findings import Traffic
from topoviz.model.topology import Hop, Route

NUMBER = "{number} "  # at the start of a head: drawn as a disc
DISC = 26.0  # from the left edge of a panel to its title, right of the disc
BETWEEN_ROWS = 24.0
LEFT_OUT = "left-out: "  # begins a note of what is not drawn
COUNTED_KIND = re.compile(r"(?P<count>\d+) (?P<kind>[a-z-]+)")
SERVING = ("cpu", "pcie", "nic", "dpu", "nvswitch")  # kinds of things that serve the GPUs of a machine
LETTERS = 2  # so long is a name that is a letter or a number
ROUTE = 190.0  # least width of the picture of one route


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One of the repetitions: what it shows, and the block that draws it."""

    scope: Scope
    block: Block
    site: Site


def repeated(block: Block, site: Site, width: float) -> Drawing:
    """Return the block for each panel (or route) of the picture, at most four in a row.

    With a table below (told by the option ``table``) the panels leave room at the left
    for its row heads. More than four panels stand in two rows, without that room.
    """
    panels = _panels(block, site)
    if not panels:
        return NOTHING
    per_row = _per_row(block, len(panels), width)
    heads = HEADS if block.options.get("table") and len(panels) <= PANELS_IN_A_ROW else 0
    spans = equal(width, per_row, heads=heads)
    rows = [_row(block, panels[i : i + per_row], spans) for i in range(0, len(panels), per_row)]
    return below(rows, [BETWEEN_ROWS] * (len(rows) - 1))


def _per_row(block: Block, count: int, width: float) -> int:
    """Return how many stand side by side: panels in one row or two, routes as many as are not too narrow."""
    if block.each in {"route", "group"}:
        fit = max(1, min(PANELS_IN_A_ROW, int((width + PANEL_GUTTER) // (ROUTE + PANEL_GUTTER))))
        rows = -(-count // fit)
        return -(-count // rows)  # rows as even as can be
    return count if count <= PANELS_IN_A_ROW else (count + 1) // 2


def scopes(scope: Scope) -> tuple[Scope, ...]:
    """Return the panels of a picture; one without panels is its own only panel."""
    return scope.panels or (scope,)


def numbers(scope: Scope) -> dict[str, str]:
    """Return what a text about a panel may ask for beyond the fields of its things."""
    route = scope.findings.routes[0] if scope.findings.routes else None
    return {"number": str(scope.number or 1), **(of_route(scope, route) if route is not None else {})}


def of_route(scope: Scope, route: Route) -> dict[str, str]:
    """Return what a text about a route may ask for: its name, and its members in order."""
    marks = dict(zip(route.nodes, direct.marks([scope.topology.thing(node) for node in route.nodes]), strict=True))
    closing = route.nodes[:1] if route.shape == "ring" else ()
    return {
        "route.name": _called(route, scope.lang),
        "order": "→".join(marks[node] for node in (*route.nodes, *closing)),
    }


def _called(route: Route, lang: str) -> str:
    """Return the name of a route; a bare letter becomes ``Ring A``, and equal channels are counted."""
    bare = route.shape == "ring" and len(route.name) <= LETTERS
    name = fill("Ring {name}", {"name": route.name}, lang) if bare else retold(route.name, ROUTES, lang)
    return f"{name} ×{route.count}" if route.count > 1 else name


def _panels(block: Block, site: Site) -> tuple[Panel, ...]:
    if block.each == "panel":
        return tuple(_panel(block, site, scope) for scope in scopes(site.scope))
    if block.each == "route":
        return tuple(_of_route(block, site, i) for i in range(len(site.scope.findings.routes)))
    if block.each == "group":
        job = site.scope.findings.job
        return tuple(_of_group(block, site, i, row) for i, row in enumerate(job.traffic if job else ()))
    raise TopovizError(f'blocks cannot be repeated for each "{block.each}"; "panel", "route" and "group" can')


def _panel(block: Block, site: Site, scope: Scope) -> Panel:
    inside = replace(scope, compact=bool(site.scope.panels))
    here = replace(site, scope=inside)
    if block.view or block.rows or block.columns or block.layout:
        return Panel(scope=inside, block=_bare(block), site=here)
    layout = named(scope.request.layout, site.layouts) if scope.request.layout else suited(inside, site.layouts)
    return Panel(scope=inside, block=first_view(layout, here), site=here)


def first_view(layout: Layout, site: Site) -> Block:
    """Return the first block of a layout that has a view; without head and note, which are the panel's."""
    for block in _with_view(layout.block, site):
        return _bare(block)
    raise TopovizError(f'the layout "{layout.name}" has no view to draw in a panel')


def _with_view(block: Block, site: Site) -> Sequence[Block]:
    if block.layout:
        deeper = replace(site, depth=site.depth + 1)
        return [found for child in included(block, site) for found in _with_view(child, deeper)]
    if block.view:
        return flat(block)
    return [found for child in (*block.rows, *block.columns) for found in _with_view(child, site)]


def _of_route(block: Block, site: Site, index: int) -> Panel:
    route = site.scope.findings.routes[index]
    findings = replace(site.scope.findings, routes=(route,))
    scope = replace(site.scope, findings=findings, compact=True, number=index + 1, title=route.name, panels=())
    return Panel(scope=scope, block=_bare(block), site=replace(site, scope=scope))


def _of_group(block: Block, site: Site, index: int, row: Traffic) -> Panel:
    """Return one kind of group of a job: its row of the table, and the members of one group as a route."""
    found, ids = site.scope.findings, row.example.ids
    shape, after = ("path", ids[1:]) if row.kind == "pp" else ("ring", (*ids[1:], ids[0]))
    pairs = zip(ids, after, strict=False)
    hops = tuple(Hop(source=one, target=other, via=(), kind=row.link_kind) for one, other in pairs)
    route = Route(name=SHORT[row.kind], shape=shape, nodes=ids, hops=hops)
    job = replace(found.job, traffic=(row,)) if found.job else None
    findings = replace(found, routes=(route,), nodes=ids, job=job)
    title = head_of_group(row, site.scope.lang)
    scope = replace(site.scope, findings=findings, compact=True, number=index + 1, title=title, panels=())
    return Panel(scope=scope, block=_bare(block), site=replace(site, scope=scope))


def _bare(block: Block) -> Block:
    return replace(block, each="", head="", note=())


def _row(block: Block, panels: Sequence[Panel], spans: Sequence[Span]) -> Drawing:
    alone = block.each == "panel" and not panels[0].site.scope.panels and len(panels) == 1
    heads = [NOTHING] if alone and not panels[0].scope.compact else _heads(block, panels, spans)
    pieces = _even(panels, spans)
    if block.each == "panel":  # a ring or a group is a part of the same machine, and leaves out what the picture does
        pieces = [_attributed(panel.scope, piece) for panel, piece in zip(panels, pieces, strict=True)]
    columns = [below([head, piece], [0]) for head, piece in zip(heads, pieces, strict=True)]
    return beside(columns, [x for x, _ in spans[: len(columns)]])


def _even(panels: Sequence[Panel], spans: Sequence[Span]) -> list[Drawing]:
    """Return the panels drawn; those that are lower than the highest once more, with its height."""
    once = [content(p.block, p.site, w) for p, (_, w) in zip(panels, spans, strict=False)]
    highest = max(piece.height for piece in once)
    again = [
        content(p.block, p.site, w, highest) if piece.height < highest else piece
        for p, (_, w), piece in zip(panels, spans, once, strict=False)
    ]
    return [centred(piece, w) for piece, (_, w) in zip(again, spans, strict=False)]


def _attributed(scope: Scope, piece: Drawing) -> Drawing:
    """Return a panel of several; what it leaves out is said of it alone."""
    if not scope.number or not scope.title:
        return piece
    notes = (*piece.notes, *_silent(scope, piece))
    texts = [note.removeprefix(LEFT_OUT) for note in notes]
    said = [
        f"{LEFT_OUT}{scope.title}: {worded(scope, text)}" if note != text else note
        for note, text in zip(notes, texts, strict=True)
    ]
    return replace(piece, notes=tuple(said))


def _silent(scope: Scope, piece: Drawing) -> list[str]:
    """Return notes of what a view of GPUs alone, such as a mesh, leaves out and another view of its layout would draw."""
    drawn = {item.kind for item in piece.items if item.role == "node"}
    if "gpu" not in drawn or any(note.startswith(LEFT_OUT) for note in piece.notes):
        return []
    counts = {kind: sum(root.assembly.counts.get(kind, 0) for root in scope.roots) for kind in SERVING}
    return [f"{LEFT_OUT}{count} {kind}" for kind, count in counts.items() if count and kind not in drawn]


def worded(scope: Scope, text: str) -> str:
    """Return a note in words; a number and a kind alone, ``4 nvswitch``, become ``4 NVSwitch chips``."""
    match = COUNTED_KIND.fullmatch(text)
    if match and match["kind"] in COUNTED:
        return fill(COUNTED[match["kind"]], {"count": f"{int(match['count']):,}"}, scope.lang)
    return fields.say(scope, text)


def _heads(block: Block, panels: Sequence[Panel], spans: Sequence[Span]) -> list[Drawing]:
    drawn = [_head(block, panel.scope, width) for panel, (_, width) in zip(panels, spans, strict=False)]
    height = max(head.height for head in drawn)
    return [replace(head, height=height) for head in drawn]


def _disc(block: Block, scope: Scope) -> tuple[Shape, ...]:
    """Return the number of a panel, or the letter of a route in its hue."""
    number = scope.number or 1
    if block.each != "route":
        return glyphs.badge(9.5, 15, str(number))
    style = lanes.styles(scope.findings.routes[:1], number - 1)[0]
    return glyphs.badge(9.5, 15, style.letter, style.token)


def _head(block: Block, scope: Scope, width: float) -> Drawing:
    """Return disc, title and note of a panel.

        (1) One GPU            title 15/700, its baseline 20 below the top
            1 GPU in a server  note 12, 18 below that

    Without ``{number}`` in front of the head there is no disc and no room for one.
    """
    head = say_text(block.head, "en") or "{title}"
    disc = head.startswith(NUMBER)
    left = DISC if disc else 0.0
    said = message(fields.say(scope, head.removeprefix(NUMBER), numbers=numbers(scope)), scope.lang)
    title = preliminary.marked(said, scope)
    shapes: list[Shape] = list(_disc(block, scope)) if disc else []
    content_, size = type_setting.fit(title, width - left, 15, bold=True)
    shapes.append(Text(x=left, y=20, content=content_, size=size, bold=True))
    notes = [fields.say(scope, note, numbers=numbers(scope)) for note in block.note]
    lines = [line for note in notes for line in type_setting.wrap(note, width - left, 12, 2)]
    shapes.extend(Text(x=left, y=38 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(lines))
    height = 34.0 if not lines else 52.0 + 16 * (len(lines) - 1)
    return Drawing(width=width, height=height, items=free_text(shapes))
