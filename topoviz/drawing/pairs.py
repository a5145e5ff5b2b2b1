"""Who is linked with whom: rows, columns, and for each pair the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.drawing.glyphs import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from topoviz.model.topology import Link, Route, Thing

SHORT = {"gpu": "GPU", "cpu": "CPU", "nic": "NIC", "dpu": "DPU", "nvswitch": "NVSwitch", "pcie": "SW"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """All links between the thing of one row and the thing of one column; bandwidth in GB/s, one direction."""

    links: int
    bandwidth: float | None
    kind: str
    state: str = "up"


def pairs(rows: tuple[Thing, ...], columns: tuple[Thing, ...], kind: str = "") -> Mapping[tuple[int, int], Pair]:
    """Return the links of ``kind`` (of any, if empty) by row and column; pairs without a link are absent.

    Links between what stands inside of two things count as links between the two.
    """
    row_of = {thing.id: at for at, thing in enumerate(rows)}
    column_of = {thing.id: at for at, thing in enumerate(columns)}
    found: dict[tuple[int, int], Pair] = {}
    for link in _links(rows, columns):
        if kind and link.kind != kind:
            continue
        ends = (link.source, link.target)
        for one, other in dict.fromkeys((ends, ends[::-1])):
            at = _nearest(one, row_of), _nearest(other, column_of)
            if at[0] is not None and at[1] is not None and rows[at[0]].id != columns[at[1]].id:
                place = (at[0], at[1])
                found[place] = _with(found.get(place), link)
    return found


def routed(
    rows: tuple[Thing, ...], columns: tuple[Thing, ...], routes: tuple[Route, ...]
) -> Mapping[tuple[int, int], str]:
    """Return the letters of the routes that go from a row to a column: their own, else A for the first."""
    row_of = {thing.id: at for at, thing in enumerate(rows)}
    column_of = {thing.id: at for at, thing in enumerate(columns)}
    found: dict[tuple[int, int], str] = {}
    for number, route in enumerate(routes):
        closed = (*route.nodes[1:], route.nodes[0]) if route.shape == "ring" else route.nodes[1:]
        for source, target in zip(route.nodes, closed, strict=False):
            if source in row_of and target in column_of:
                place = row_of[source], column_of[target]
                found[place] = found.get(place, "") + sign(route, number)
    return found


def past(rows: tuple[Thing, ...], columns: tuple[Thing, ...], routes: tuple[Route, ...]) -> frozenset[tuple[int, int]]:
    """Return the cells of hops that went past the links between their ends."""
    row_of = {thing.id: at for at, thing in enumerate(rows)}
    column_of = {thing.id: at for at, thing in enumerate(columns)}
    return frozenset(
        (row_of[hop.source], column_of[hop.target])
        for route in routes
        for hop in route.hops
        if hop.past and hop.source in row_of and hop.target in column_of
    )


def sign(route: Route, number: int) -> str:
    """Return the letter of a route: its name if that is a capital letter, else that of its number."""
    return route.name if len(route.name) == 1 and route.name.isupper() else letter(number)


def letter(number: int) -> str:
    """Return the letter of a route; after Z they start again with a stroke.

    >>> letter(0), letter(27)
    ('A', "B'")
    """
    return chr(ord("A") + number % 26) + "'" * (number // 26)


def name(thing: Thing, lang: str = "en") -> str:
    """Return the word and the number by which a thing is called in a picture, or its own name.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> name(Thing("gpu1", Child(name="gpu1", group="gpu", index=1, assembly=Assembly(kind="gpu"))))
    'GPU 1'
    """
    if thing.index is None or thing.name != f"{thing.group}{thing.index}":
        return words(thing.child.title, lang) or thing.name
    generic = SHORT.get(thing.kind, thing.kind if thing.kind not in {"switch", "card"} else thing.group)
    return f"{generic} {thing.index}"


def unit_of(thing: Thing, ticks: tuple[str, ...]) -> Thing | None:
    """Return the nearest thing around, in the group or of the kind that ``ticks`` name."""
    around = thing.parent
    while around is not None and around.id:
        if around.group in ticks or around.kind in ticks:
            return around
        around = around.parent
    return None


def _links(rows: tuple[Thing, ...], columns: tuple[Thing, ...]) -> Iterator[Link]:
    """Yield the links made by what is round a row and round a column, with full ids."""
    above = {around.id: around for thing in rows for around in _around(thing)}
    shared = {around.id: around for thing in columns for around in _around(thing) if around.id in above}
    for around in shared.values():
        prefix = f"{around.id}/" if around.id else ""
        for link in around.assembly.links:
            yield _placed(link, prefix)


def _placed(link: Link, prefix: str) -> Link:
    from dataclasses import replace

    return replace(link, source=prefix + link.source, target=prefix + link.target) if prefix else link


def _around(thing: Thing) -> Iterator[Thing]:
    around = thing.parent
    while around is not None:
        yield around
        around = around.parent


def _nearest(end: str, places: Mapping[str, int]) -> int | None:
    """Return the place of the end itself or of what holds it."""
    while end:
        if end in places:
            return places[end]
        end = end.rpartition("/")[0]
    return None


def _with(pair: Pair | None, link: Link) -> Pair:
    if pair is None:
        return Pair(links=link.links, bandwidth=link.bandwidth, kind=link.kind, state=link.state)
    known = pair.bandwidth is not None and link.bandwidth is not None
    return Pair(
        links=pair.links + link.links,
        bandwidth=(pair.bandwidth or 0) + (link.bandwidth or 0) if known else None,
        kind=pair.kind,
        state=pair.state if link.state == "up" else link.state,
    )
