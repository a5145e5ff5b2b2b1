"""The tree of blocks of a layout: views below and beside each other, with heads and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topoviz.drawing import amounts, cut_marks, fields
from topoviz.drawing import text as type_setting
from topoviz.drawing.columns import shared
from topoviz.drawing.compose import NOTHING, below, beside, free_text, shifted
from topoviz.drawing.heat import heated
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.marked import HOSTS, MESHES, between_gpus, marked
from topoviz.drawing.pointed import pointed
from topoviz.drawing.scene import Drawing, Text
from topoviz.drawing.view_by_name import view
from topoviz.errors import MissingEntry, TopovizError
from topoviz.model.selectors import pick

if TYPE_CHECKING:
    from topoviz.drawing.scope import Scope

ROOM_ABOVE = 24.0  # between rows
ABOVE = {"facts": 20.0, "table": 16.0, "bars": 16.0}  # these begin with a hairline
HEAD = 27.0  # height of a head with the room below it
OWN_EACH = ("table", "bars", "facts", "times", "timeline", "blocks", "slices")  # for these ``each`` says what a row is
DEEPEST = 8  # layouts inside layouts
ROUTES_BESIDE = 3  # so many routes stand beside a picture; more stand below it


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What a block is drawn for, the layouts it may name, and how deep it stands in them."""

    scope: Scope
    layouts: Mapping[str, Layout]
    depth: int = 0


def place(block: Block, site: Site, width: float, height: float | None = None) -> Drawing:
    """Return the block as a drawing of at most ``width``; empty if it has nothing to show."""
    if not wanted(block, site.scope):
        return NOTHING
    if block.each and block.view not in OWN_EACH:
        from topoviz.drawing.panels import repeated

        return repeated(block, site, width)
    above = _head(block, site.scope, width)
    body = content(block, site, width, None if height is None else height - above.height)
    if not body.height:
        return NOTHING
    under = _note(block, site.scope, width)
    pieces = [piece for piece in (above, body, under) if piece.height]
    return below(pieces, [0.0] * (len(pieces) - 1))


def content(block: Block, site: Site, width: float, height: float | None = None) -> Drawing:
    """Return the block without its own head and note."""
    if block.layout:
        return _rows(included(block, site), replace(site, depth=site.depth + 1), width, height)
    if block.view:
        scope = _overlaid(block, site.scope)
        drawn = cut_marks.marked(view(block.view)(block, scope, width, height), scope)
        meshed = block.view == HOSTS and _shows_mesh(site)
        if meshed and _all_between_gpus(scope):
            return NOTHING
        return pointed(marked(heated(drawn, scope), scope, meshed=meshed), scope)
    if block.columns:
        return _columns(tuple(_handed_down(block, child) for child in block.columns), site, width)
    return _rows(tuple(_handed_down(block, child) for child in block.rows), site, width, height)


def _overlaid(block: Block, scope: Scope) -> Scope:
    """Return the scope with the overlays that the block asks for instead of those of the picture."""
    return replace(scope, request=replace(scope.request, overlay=block.overlay)) if block.overlay else scope


def wanted(block: Block, scope: Scope) -> bool:
    """Return whether the picture asks for what the block needs, and does not leave it out."""
    if block.view == "facts" and scope.request.summary is False:
        return False
    return all(_present(word, scope) for word in block.when)


def _shows_mesh(site: Site) -> bool:
    """Return whether a picture of differences has a view of its own for links between GPUs."""
    scope = site.scope
    if scope.findings.differences is None:
        return False
    blocks = [one for one in _leaves(scope.layout.block) if one.view in MESHES]
    return any(not one.layout or included(one, replace(site, depth=0)) for one in blocks)


def _leaves(block: Block) -> Iterator[Block]:
    yield block
    for child in (*block.rows, *block.columns):
        yield from _leaves(child)


def _all_between_gpus(scope: Scope) -> bool:
    found = scope.findings.differences
    return found is not None and bool(found.items) and all(between_gpus(one, scope) for one in found.items)


def _present(word: str, scope: Scope) -> bool:
    request, spec = scope.request, scope.topology.spec
    here = {
        "highlight": bool(
            request.highlight or scope.findings.routes or scope.findings.nodes or scope.findings.outlined
        ),
        "size": request.size is not None,
        "job": bool(spec.job),
        "model": bool(spec.model),
        "mig": bool(request.body and request.body.mig),
        "faults": "faults" in request.overlay,
        "found": bool(request.found),
        "route": len(scope.findings.routes) == 1,
        "routes": len(scope.findings.routes) > 1,
        "hosts": any(scope.topology.count(kind, root) for root in scope.roots for kind in ("cpu", "pcie")),
    }
    return here.get(word, False)


def included(block: Block, site: Site) -> tuple[Block, ...]:
    """Return the blocks that ``layout: NAME`` stands for, with the keys of the block added to each.

    Raises:
        MissingEntry: no layout has that name.
        TopovizError: layouts that hold each other without end.
    """
    if site.depth > DEEPEST:
        raise TopovizError(f'the layout "{block.layout}" holds itself')
    layout = suited(site.scope, site.layouts) if block.layout == "suited" else named(block.layout, site.layouts)
    found = flat(layout.block, block.view) if block.view else (layout.block,)
    return tuple(_handed_down(block, child) for child in found)


def named(name: str, layouts: Mapping[str, Layout]) -> Layout:
    """Return the layout of that name.

    Raises:
        MissingEntry: there is none; the text says which there are.
    """
    if name not in layouts:
        raise MissingEntry(f'no layout is called "{name}"; there are {", ".join(sorted(layouts))}')
    return layouts[name]


def suited(scope: Scope, layouts: Mapping[str, Layout]) -> Layout:
    """Return the layout that suits the thing by itself: the picture names none."""
    from topoviz.drawing.suits import choose

    request = replace(scope.request, layout="", panels=(), found="", overlay=())
    return choose(scope.topology, scope.roots[0], request, scope.findings, layouts, panel=scope.compact).layout


def flat(block: Block, name: str = "") -> Sequence[Block]:
    """Return the blocks with a view (of that name) inside a block, in reading order."""
    if block.view and not block.layout:
        return (block,) if name in {"", block.view} else ()
    return tuple(found for child in (*block.rows, *block.columns) for found in flat(child, name))


def _handed_down(parent: Block, child: Block) -> Block:
    """Return the child with what its parent says for all blocks inside."""
    return replace(
        child,
        hide=(*parent.hide, *child.hide),
        overlay=child.overlay or parent.overlay,
        of=child.of or parent.of,
        gutter=parent.gutter if child.gutter is None else child.gutter,
        plate=child.plate or parent.plate,
        through=child.through or parent.through,
        options={**child.options, **parent.options} if parent.layout else child.options,
    )


def _rows(blocks: Sequence[Block], site: Site, width: float, height: float | None = None) -> Drawing:
    if len(blocks) == 1:
        return place(blocks[0], site, width, height)
    drawn = [(block, piece) for block in blocks if (piece := place(_told(block, blocks, site), site, width)).height]
    return below([piece for _, piece in drawn], [_gap(block) for block, _ in drawn[1:]])


def _told(block: Block, beside_it: Sequence[Block], site: Site) -> Block:
    """Return a block of panels that knows whether a table with its columns stands below it."""
    if block.each != "panel":
        return block
    from topoviz.drawing.rows_of_fields import fields_of

    table = any(other.view == "table" and fields_of(other, site.scope) for other in beside_it)
    return replace(block, options={**block.options, "table": table})


def _gap(block: Block) -> float:
    return ABOVE.get(block.view, ROOM_ABOVE)


def _columns(blocks: Sequence[Block], site: Site, width: float) -> Drawing:
    """Return blocks beside each other; one for each route leaves its room if there is none, and goes below if many."""
    routes = len(site.scope.findings.routes)
    under = tuple(
        b for b in blocks if b.each == "route" and not (wanted(b, site.scope) and 0 < routes <= ROUTES_BESIDE)
    )
    if under and len(under) < len(blocks):
        above = _columns(tuple(block for block in blocks if block not in under), site, width)
        pieces = [above, *(piece for block in under if (piece := place(block, site, width)).height)]
        return below(pieces, [ROOM_ABOVE] * (len(pieces) - 1))
    spans = shared(width, [block.share for block in blocks])
    once = [place(block, site, span[1]) for block, span in zip(blocks, spans, strict=True)]
    highest = max(piece.height for piece in once)
    pieces = [
        # a view that can stretch ends where its neighbour ends
        place(block, site, span[1], highest) if block.view and 0 < piece.height < highest else piece
        for block, span, piece in zip(blocks, spans, once, strict=True)
    ]
    kept = [(piece, span[0]) for piece, span in zip(pieces, spans, strict=True) if piece.height]
    return beside([piece for piece, _ in kept], [x for _, x in kept])


def _head(block: Block, scope: Scope, width: float) -> Drawing:
    if not block.head:
        return NOTHING
    lines = type_setting.wrap(fields.say(scope, block.head, numbers=_sides(block, scope)), width, 15, 2, bold=True)
    shapes = tuple(Text(x=0, y=14 + 19 * i, content=line, size=15, bold=True) for i, line in enumerate(lines))
    return Drawing(width=width, height=HEAD + 19 * (len(lines) - 1), items=free_text(shapes))


def _note(block: Block, scope: Scope, width: float) -> Drawing:
    """Return the words under a block; two of them stand at its two ends, the first in bold."""
    said = [fields.say(scope, note, numbers=_sides(block, scope)) for note in block.note]
    if len(said) == 2 and _fit_one_line(said, width):
        name = Text(x=0, y=18, content=said[0], bold=True)
        right = Text(x=width, y=18, content=said[1], size=12, anchor="end", fill="ink2")
        return Drawing(width=width, height=22, items=free_text((name, right)))
    lines = [line for note in said for line in type_setting.wrap(note, width, 12, 2)]
    shapes = tuple(Text(x=0, y=18 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(lines))
    return Drawing(width=width, height=22 + 16 * (len(lines) - 1), items=free_text(shapes)) if lines else NOTHING


def _sides(block: Block, scope: Scope) -> dict[str, str]:
    """Return what a text about a matrix may ask for: how many rows and columns it has."""
    said: dict[str, str] = {}
    for side in ("row", "column"):
        word = block.options.get(f"{side}_of")
        if isinstance(word, str):
            said[f"{side}.count"] = amounts.count(len(pick(scope.topology, scope.roots, word)))
    return said


def _fit_one_line(said: Sequence[str], width: float) -> bool:
    return type_setting.width(said[0], 13, bold=True) + 24 + type_setting.width(said[1], 12) <= width


def centred(piece: Drawing, width: float) -> Drawing:
    """Return the piece in the middle of a wider place.

    >>> centred(Drawing(width=10, height=5), 30).width
    30
    """
    items = shifted(piece, max(0.0, (width - piece.width) / 2), 0)
    return Drawing(width=width, height=piece.height, items=items, notes=piece.notes)
