"""Putting pieces of a picture below and beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topoviz.drawing.scene import Drawing, Item, Line, Shape, moved

NOTHING = Drawing(width=0, height=0)


def free_text(shapes: Iterable[Shape]) -> tuple[Item, ...]:
    """Return one item of free text, or none if there is nothing to say.

    >>> free_text([])
    ()
    """
    found = tuple(shapes)
    return (Item(role="label", layer="label", shapes=found),) if found else ()


def hairline(width: float, y: float) -> Item:
    """Return a thin rule over the whole width.

    >>> hairline(912, 10).shapes[0].points
    ((0, 10), (912, 10))
    """
    return Item(role="decor", layer="enclosure", shapes=(Line(points=((0, y), (width, y)), stroke="hair", width=1),))


def shifted(drawing: Drawing, dx: float, dy: float) -> tuple[Item, ...]:
    """Return the items of a piece at another place.

    >>> shifted(Drawing(width=10, height=10), 3, 4)
    ()
    """
    return tuple(moved(item, dx, dy) for item in drawing.items)


def below(pieces: Sequence[Drawing], gaps: Sequence[float]) -> Drawing:
    """Return the pieces from top to bottom; ``gaps[i]`` is the room above piece ``i + 1``.

    >>> below([Drawing(width=10, height=5), Drawing(width=20, height=5)], [4]).height
    14.0
    """
    items: list[Item] = []
    y = 0.0
    for index, piece in enumerate(pieces):
        y += gaps[index - 1] if index else 0
        items.extend(shifted(piece, 0, y))
        y += piece.height
    return Drawing(width=max((p.width for p in pieces), default=0), height=y, items=tuple(items), notes=_notes(pieces))


def beside(pieces: Sequence[Drawing], lefts: Sequence[float]) -> Drawing:
    """Return the pieces side by side, the left edge of each where ``lefts`` says.

    >>> beside([Drawing(width=10, height=5), Drawing(width=20, height=7)], [0, 22]).width
    42
    """
    items = tuple(item for piece, x in zip(pieces, lefts, strict=True) for item in shifted(piece, x, 0))
    width = max((x + piece.width for piece, x in zip(pieces, lefts, strict=True)), default=0)
    return Drawing(width=width, height=max((p.height for p in pieces), default=0), items=items, notes=_notes(pieces))


def _notes(pieces: Iterable[Drawing]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note for piece in pieces for note in piece.notes))
