"""Tanks side by side with their names, the servers that hold them, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from topoviz.drawing import model_words, tank
from topoviz.drawing import text as type_setting
from topoviz.drawing.compose import free_text
from topoviz.drawing.messages import fill, say_text
from topoviz.drawing.scene import Box, Drawing, Item, Line, Text
from topoviz.drawing.tank import Scale
from topoviz.model.findings import MemoryFit, MemoryUse, Tank

WIDE, WIDEST = 72.0, 92.0  # of a tank: one of a few, one of many that fill the page
GAP = 12.0  # between tanks: a tick and some air
APART = 24.0  # between servers
FEW = 4  # tanks whose names are written out
MOST = 16  # tanks drawn one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Tanks that stand together: ``title`` and ``lines`` are said below; ``rooms`` are needed and stay empty."""

    tanks: tuple[Tank, ...]
    names: tuple[str, ...]
    title: str = ""
    lines: tuple[str, ...] = ()
    rooms: int = 0
    servers: tuple[tuple[int, str], ...] = ()  # how many tanks each holds, and what is said of it
    alert: bool = False
    size: float = 0  # bytes, of a place that stays empty
    places: int = 0  # in a row, if there are more rows like it
    first: int = 0  # number of its first place

    @property
    def count(self) -> int:
        """Return how many places there are."""
        return len(self.tanks) + self.rooms

    def width(self) -> float:
        """Return how wide it is at least, tanks and words."""
        words = [type_setting.width(self.title, 13, bold=True), *(type_setting.width(line, 12) for line in self.lines)]
        return max(*words, self.count * (WIDE + GAP) if self.count <= FEW else 0.0)


def one_by_one(tanks: Sequence[Tank]) -> tuple[Tank, ...]:
    """Return every GPU by itself; runs of equal ones where that would be more than 16.

    >>> len(one_by_one([Tank(count=3, size=1)])), len(one_by_one([Tank(count=504, size=1)]))
    (3, 1)
    """
    if sum(one.count for one in tanks) > MOST:
        return tuple(tanks)
    return tuple(replace(one, count=1, ids=one.ids[i : i + 1]) for one in tanks for i in range(one.count))


def gpu_name(memory: MemoryFit, lang: str) -> str:
    """Return what the GPU is called in short."""
    return say_text(memory.gpu, lang)


def of_machine(memory: MemoryFit, use: MemoryUse, lang: str) -> Group:
    """Return the GPUs that there are, each with its share."""
    tanks = one_by_one(use.tanks)
    values = {"count": str(memory.gpus), "gpu": gpu_name(memory, lang), "size": model_words.gigabytes(memory.per_gpu)}
    if len({one.gpu for one in tanks}) > 1:
        title = _of_several_sorts(use, lang)
    elif memory.gpus == 1:
        title = fill("{count} × {gpu}, {size}" if use.fits else "{count} × {gpu} is not enough", values, lang)
    else:
        enough = use.fits or memory.gpus >= use.gpus_at_least  # then it is the job that lays too much on one
        title = fill("{count} × {gpu}, {size} each" if enough else "{count} × {gpu} are not enough", values, lang)
    return Group(
        tanks=tanks,
        names=_names(tanks, memory, lang),
        title=title,
        lines=_said(memory, use, lang),
        servers=_servers(tanks),
        alert=not use.fits,
    )


def _of_several_sorts(use: MemoryUse, lang: str) -> str:
    """Return the sorts of GPUs with their memory: ``4 × H100, 80 GB + 4 × L40S, 48 GB``, and whether they suffice."""
    sorts: dict[tuple[str, float], int] = {}
    for one in use.tanks:
        key = say_text(one.gpu, lang), one.size
        sorts[key] = sorts.get(key, 0) + one.count
    named = [
        fill("{count} × {gpu}, {size}", {"count": f"{n:,}", "gpu": gpu, "size": model_words.gigabytes(size)}, lang)
        for (gpu, size), n in sorts.items()
    ]
    said = " + ".join(named)
    return said if use.fits else fill("{a} are not enough", {"a": said}, lang)


def counted(memory: MemoryFit, use: MemoryUse, lang: str, *, rooms: bool = False) -> Group:
    """Return so many GPUs as it takes, filled one after the other; ``rooms`` completes the last server."""
    tanks = one_by_one(use.poured)
    number, server = use.gpus_at_least, memory.servers_of
    more = -number % server if rooms and len(tanks) == number and number > FEW else 0
    more = more if number + more <= MOST else 0
    size = {"size": model_words.gigabytes(memory.per_gpu)}
    values = {"count": str(number), "gpu": gpu_name(memory, lang), **size}
    template = "{count} × {gpu}, {size}" if number == 1 else "{count} × {gpu}, {size} each"
    total = number * memory.per_gpu
    said = model_words.left(total, use.needed, lang)
    lines = (said,) if number == 1 else (fill("{a}: {b}", {"a": model_words.gigabytes(total), "b": said}, lang),)
    groups: tuple[tuple[int, str], ...] = ()
    if len(tanks) == number > FEW:
        whole, part = divmod(number, server)
        full = {**values, "count": str(server)}
        groups = tuple(
            (server, fill("server {number}: {count} × {gpu}", {**full, "number": str(i)}, lang)) for i in range(whole)
        )
        if part:
            template_ = (
                "server {number}: {count} filled, {more} to spare" if more else "server {number}: {count} filled"
            )
            said = fill(template_, {"number": str(whole), "count": str(part), "more": str(more)}, lang)
            groups = (*groups, (part + more, said))
    return Group(
        tanks=tanks,
        names=_names(tanks, memory, lang),
        title=fill(template, values, lang) if number <= FEW else "",  # of many the facts below say it
        lines=lines if number <= FEW else (),
        rooms=more,
        size=memory.per_gpu,
        servers=groups,
    )


def _said(memory: MemoryFit, use: MemoryUse, lang: str) -> tuple[str, ...]:
    first = use.tanks[0]
    if memory.gpus == 1:
        if use.fits:
            return (model_words.left(memory.memory, use.needed, lang),)
        values = {"needed": model_words.gigabytes(use.needed), "size": model_words.number(memory.per_gpu)}
        return (fill("{needed} against {size}", values, lang),)
    each = fill("{value} on each", {"value": model_words.gigabytes(first.filled)}, lang)
    free = model_words.left(memory.per_gpu, first.filled, lang)
    divided = "one copy, divided evenly" if use.shared == "evenly" else "as the job lays it: {shared}"
    if len({one.size for one in use.tanks}) > 1:
        free = fill("{value} is the smallest memory", {"value": model_words.gigabytes(memory.per_gpu)}, lang)
    return (fill("{a}: {b}", {"a": each, "b": free}, lang), fill(divided, {"shared": use.shared}, lang))


def _names(tanks: Sequence[Tank], memory: MemoryFit, lang: str) -> tuple[str, ...]:
    many = sum(one.count for one in tanks)
    if len(tanks) < many:
        return tuple(f"× {one.count:,}" for one in tanks)
    shorts = [say_text(one.gpu, lang) if one.gpu else gpu_name(memory, lang) for one in tanks]
    return tuple(f"{one} {i}" if 1 < many <= FEW else one if many == 1 else str(i) for i, one in enumerate(shorts))


def _servers(tanks: Sequence[Tank]) -> tuple[tuple[int, str], ...]:
    """Return the containers of GPUs that are drawn one by one, if they stand in several."""
    if any(one.count > 1 for one in tanks):
        return ()
    runs: list[tuple[int, str]] = []
    for one in tanks:
        above = one.ids[0].rpartition("/")[0] if one.ids else ""
        runs = [*runs[:-1], (runs[-1][0] + 1, above)] if runs and runs[-1][1] == above else [*runs, (1, above)]
    return tuple(runs) if len(runs) > 1 else ()


def rows_of(group: Group, per_row: int) -> tuple[Group, ...]:
    """Return the group in rows of so many places; the words stand under the last, servers only if one row holds all.

    >>> group = Group(tanks=(Tank(size=1),) * 5, names=tuple("01234"), title="five", servers=((5, "all"),))
    >>> [(len(row.tanks), row.names[0], row.title) for row in rows_of(group, 3)]
    [(3, '0', ''), (2, '3', 'five')]
    """
    if group.count <= per_row:
        return (group,)
    rows = []
    for at in range(0, group.count, per_row):
        tanks = group.tanks[at : at + per_row]
        rooms = min(per_row, group.count - at) - len(tanks)
        last = at + per_row >= group.count
        title, lines = (group.title, group.lines) if last else ("", ())
        rows.append(
            replace(
                group,
                tanks=tanks,
                names=group.names[at:],
                rooms=rooms,
                title=title,
                lines=lines,
                servers=(),
                places=per_row,
                first=at,
            )
        )
    return tuple(rows)


def draw(group: Group, width: float, scale: Scale, high: float) -> Drawing:
    """Return the group; its tanks stand on a line ``high`` below its top."""
    spots, each = _spots(group, width)
    items: list[Item] = []
    texts: list[Text] = []
    for i, (x, one) in enumerate(zip(spots, group.tanks, strict=False)):
        if one.count > 1:
            items.append(_behind(one, x, high, each, scale))
        items.extend(tank.draw(one, x, high, each, scale))
        texts.append(Text(x=x + each / 2, y=high + 17, content=group.names[i], size=12, anchor="middle", fill="ink2"))
    for i, x in enumerate(spots[len(group.tanks) :], start=len(group.tanks)):
        items.extend(tank.room(x, high, each, scale.high(group.size), scale.lang))
        texts.append(
            Text(x=x + each / 2, y=high + 17, content=str(group.first + i), size=12, anchor="middle", fill="ink2")
        )
    y = high + 22
    if group.servers:
        items.append(Item(role="decor", layer="device", shapes=tuple(_brackets(group, spots, each, y))))
        texts.extend(_bracket_words(group, spots, each, y))
        y += 28
    ink = "alert" if group.alert else "ink"
    if not group.title:
        return Drawing(width=width, height=y + 2, items=(*items, *free_text(texts)))
    texts.append(Text(x=0, y=y + 17, content=group.title, bold=True, fill=ink))
    texts.extend(Text(x=0, y=y + 34 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(group.lines))
    return Drawing(width=width, height=y + 22 + 16 * len(group.lines), items=(*items, *free_text(texts)))


def _spots(group: Group, width: float) -> tuple[tuple[float, ...], float]:
    """Return the left edges of the tanks and how wide they are."""
    places = max(group.count, group.places)
    gaps = GAP * (places - 1) + (APART - GAP) * max(0, len(group.servers) - 1)
    each = max(20.0, min(WIDE if group.count <= FEW else WIDEST, (width - tank.TICK - gaps) / places))
    starts, x = [], tank.TICK
    ends = {sum(n for n, _ in group.servers[: i + 1]) for i in range(len(group.servers))}
    for i in range(group.count):
        starts.append(x)
        x += each + (APART if i + 1 in ends else GAP)
    return tuple(starts), each


def _behind(one: Tank, x: float, base: float, width: float, scale: Scale) -> Item:
    """Return the outline of the next one of a stack, behind the first."""
    height = scale.high(one.size)
    box = Box(x=x + 5, y=base - height - 5, width=width, height=height, radius=2.5, fill="bg", stroke="frame")
    return Item(role="decor", layer="switch", shapes=(box,))


def _brackets(group: Group, spots: Sequence[float], each: float, y: float) -> list[Line]:
    found, i = [], 0
    for count, _ in group.servers:
        a, b = spots[i], spots[i + count - 1] + each
        found.append(Line(points=((a, y), (a, y + 5), (b, y + 5), (b, y)), stroke="ink2", width=1))
        i += count
    return found


def _bracket_words(group: Group, spots: Sequence[float], each: float, y: float) -> list[Text]:
    found, i = [], 0
    for count, said in group.servers:
        a, b = spots[i], spots[i + count - 1] + each
        content, size = type_setting.fit(said, b - a + GAP, 12)
        found.append(Text(x=(a + b) / 2, y=y + 21, content=content, size=size, anchor="middle", fill="ink2"))
        i += count
    return found
