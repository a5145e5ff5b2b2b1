"""Where the ranks of a hull or of a column stand, in words: ``server 0``, ``trays 0–1``, ``rack 3``."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.drawing import group_words
from topoviz.drawing.group_board import Board
from topoviz.drawing.look import words
from topoviz.drawing.messages import fill
from topoviz.model.topology import Thing

ONE = {"node": "server {name}", "tray": "tray {name}", "rack": "rack {name}", "su": "unit {name}"}
SEVERAL = {"node": "servers {name}", "tray": "trays {name}", "rack": "racks {name}", "su": "units {name}"}


def holders(board: Board, ranks: Sequence[int]) -> tuple[Thing, ...]:
    """Return the containers that hold the ranks: one if all are in one smaller than the whole, else the next below."""
    chains = [board.thing(rank).chain[:-1] for rank in ranks]
    level = 0
    while level + 1 < min(len(chain) for chain in chains) and len({chain[level + 1].id for chain in chains}) == 1:
        level += 1
    common = chains[0][level]
    if common.id and common.assembly.counts.get("gpu", 0) <= len(ranks):
        return (common,)
    below = {chain[level + 1].id: chain[level + 1] for chain in chains if len(chain) > level + 1}
    return tuple(below.values()) or (common,)


def where(board: Board, ranks: Sequence[int], lang: str) -> str:
    """Return the containers that hold the ranks, in words."""
    found = holders(board, ranks)
    kinds = {thing.kind for thing in found}
    if len(kinds) > 1 or found[0].kind not in ONE or not found[0].id:
        title = found[0].title if found[0].id else found[0].assembly.title  # the root is titled as the document
        return words(title, lang) or found[0].name if len(found) == 1 else ""
    kind = found[0].kind
    names = [str(thing.index) if thing.index is not None else thing.name for thing in found]
    if len(found) == 1:
        return fill(ONE[kind], {"name": names[0]}, lang)
    numbers = tuple(thing.index for thing in found if thing.index is not None)
    said = group_words.ranks(numbers) if len(numbers) == len(found) else f"{names[0]} … {names[-1]}"
    return fill(SEVERAL[kind], {"name": said}, lang)


def with_ranks(board: Board, ranks: Sequence[int], lang: str) -> str:
    """Return containers and ranks: ``server 0, ranks 0–7``."""
    place = where(board, ranks, lang)
    said = group_words.ranks(tuple(ranks))
    if not place:
        return fill("ranks {ranks}", {"ranks": said}, lang)
    return fill("{place}, ranks {ranks}", {"place": place, "ranks": said}, lang)
