"""The whole picture: title and subtitle, the blocks of the layout, the caption.

    y 36   title, 20/700
    y 58   subtitle, 13
    y 78   blocks, 912 u wide on a page of 960
           caption, 12, 26 u below the last block

The page is 960 u wide unless the picture says otherwise, and as high as it has to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from topoviz.drawing import caption as captions
from topoviz.drawing import fields, headline, past, preliminary
from topoviz.drawing import text as type_setting
from topoviz.drawing.audit import audit
from topoviz.drawing.blocks import Site, flat, place
from topoviz.drawing.compose import free_text, shifted
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.messages import retold
from topoviz.drawing.scene import Box, Cells, Drawing, Item, Scene, Text, scaled
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import ROUTES

WIDTH = 960.0
MARGIN = 24.0
LEAST_GPU, LEAST_MARK = 6.0, 1.5  # so wide must a GPU be, and one of many marks, to be counted
OF_FIELDS = ("table", "bars")  # views that show the fields of `table`


def arrange(scope: Scope, layouts: Mapping[str, Layout]) -> Scene:
    """Return the picture that ``scope`` asks for, as a scene without colours.

    ``layouts`` are those that a block or a panel may name. Sizes in u. A page that is too
    narrow for what is on it becomes as wide as it must be.

    Raises:
        MissingEntry: a view or a layout that there is not.
        TopovizError: something that cannot be drawn yet.
    """
    factor = scope.request.scale or 1.0  # larger type and glyphs on the same page: laid out smaller, then enlarged
    width = (scope.request.width or WIDTH) / factor
    scene = _arranged(scope, layouts, width)
    if width < WIDTH and not _is_legible(scene):
        wider = (_arranged(scope, layouts, wide) for wide in _wider(width))
        scene = next((one for one in wider if _is_legible(one)), scene)
    return scene if factor == 1.0 else scaled(scene, factor)


def _wider(width: float) -> tuple[float, ...]:
    """Return the widths to try where a page is too narrow for what is on it, up to the usual one.

    >>> _wider(500), _wider(900)
    ((625.0, 750.0, 960.0), (960.0,))
    """
    return (*(width * step for step in (1.25, 1.5, 2.0, 2.5) if width * step < WIDTH), WIDTH)


def _is_legible(scene: Scene) -> bool:
    """Return whether every GPU that is drawn can be counted and nothing lies on something else."""
    gpus = (item.shapes[0] for item in scene.items if item.role == "node" and item.kind == "gpu")
    marks = (s for item in scene.items for s in item.shapes if isinstance(s, Cells) and s.fill == "gpu")
    wide = all(not isinstance(box, Box) or box.width >= LEAST_GPU for box in gpus)
    return wide and all(cells.width >= LEAST_MARK for cells in marks) and not audit(scene)


def _arranged(scope: Scope, layouts: Mapping[str, Layout], width: float) -> Scene:
    """Return the picture on a page of a width, before it is enlarged."""
    request = scope.request
    room = width - 2 * MARGIN
    title, subtitle = title_of(scope), subtitle_of(scope)
    head = _head(
        () if request.title is False else (title,),
        () if request.subtitle is False else (subtitle,),
        room,
        past.sentences(scope),
    )
    body = place(with_table(scope.layout.block, scope), Site(scope=scope, layouts=layouts), room)
    notes = captions.settled(body.notes)
    foot = Drawing(width=0, height=0) if request.caption is False else captions.caption(scope, notes, room)
    top = head.height + (20 if head.height > MARGIN and body.height else 0)
    under = top + body.height
    body = replace(body, items=tuple(_route_in(item, scope.lang) for item in body.items))
    return Scene(
        width=width,
        height=under + foot.height + (MARGIN - 7 if foot.height else MARGIN),
        items=(*shifted(head, MARGIN, 0), *shifted(body, MARGIN, top), *shifted(foot, MARGIN, under)),
        title=title,
        description=description_of(scope),
        lang=scope.lang,
        background=request.background is not False,
        interactive=bool(request.interactive),
        animate=bool(request.animate),
        notes=notes,
    )


def with_table(block: Block, scope: Scope) -> Block:
    """Return the blocks of a layout, with a table below them if the picture asks for one and the layout has none."""
    views = {one.view for one in flat(block)}
    if not scope.request.table or views & set(OF_FIELDS):
        return block
    return Block(rows=(block, Block(view="table")))


def _route_in(item: Item, lang: str) -> Item:
    """Return a route whose title begins with its name in the language; planners name routes in English."""
    name = dict(item.data).get("route", "") if item.role == "route" and not lang.startswith("en") else ""
    if not name or not item.title.startswith(f"{name}: "):
        return item
    return replace(item, title=retold(name, ROUTES, lang) + item.title[len(name) :])


def title_of(scope: Scope) -> str:
    """Return the title: the picture's own, else the document's, else that of the layout, else a name.

    What is drawn of announced hardware has the word ``preliminary`` in its title.
    """
    return preliminary.marked(_title(scope), scope)


def _title(scope: Scope) -> str:
    own = _own(scope, scope.request.title) or _own(scope, scope.topology.spec.body.title)
    if own:
        return own
    if scope.layout.title and fields.answers(scope, scope.layout.title):
        return fields.say(scope, scope.layout.title)
    return headline.default_title(scope)


def subtitle_of(scope: Scope) -> str:
    """Return the subtitle: the picture's own, else that of the layout.

    The title of a layout that a document replaced by its own moves down here if the
    layout has no subtitle: it holds a number that the reader would miss.
    """
    own = _own(scope, scope.request.subtitle)
    if own or scope.request.subtitle is False:
        return own
    if past.sentences(scope):
        return ""  # what a layout says of its routes is not true of those that left the fast links
    if scope.layout.subtitle:
        return fields.say(scope, scope.layout.subtitle, claims=True)
    if scope.layout.title and fields.answers(scope, scope.layout.title):
        said = fields.say(scope, scope.layout.title)
        return said if said != title_of(scope) else ""
    return ""


def description_of(scope: Scope) -> str:
    """Return the text that could replace the picture: the one written as ``alt``, else computed."""
    return _own(scope, scope.request.alt) or headline.description(scope)


def _own(scope: Scope, text: object) -> str:
    """Return a text that a person wrote, with its fields filled."""
    if isinstance(text, (str, Mapping)) and text:
        return fields.say(scope, text)
    return ""


def _head(titles: Sequence[str], subtitles: Sequence[str], room: float, alert: str = "") -> Drawing:
    """Return title, subtitle and what must not be missed, each in at most two lines; it ends at the last baseline."""
    shapes: list[Text] = []
    for title in titles:
        for i, line in enumerate(type_setting.wrap(title, room, 20, 2, bold=True)):
            shapes.append(Text(x=0, y=36 + 25 * i, content=line, size=20, bold=True))
    for text, ink in (*((subtitle, "ink2") for subtitle in subtitles), (alert, "alert")):
        first = shapes[-1].y + 22 if shapes else 34
        for i, line in enumerate(type_setting.wrap(text, room, 13, 2)):
            shapes.append(Text(x=0, y=first + 17 * i, content=line, fill=ink))
    items: tuple[Item, ...] = free_text(shapes)
    return replace(Drawing(width=room, height=shapes[-1].y if shapes else MARGIN), items=items)
