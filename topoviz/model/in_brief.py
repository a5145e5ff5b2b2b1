"""A part in one line, from its file alone: what it is, what it holds or which ports it has."""

from __future__ import annotations

from collections.abc import Callable

from topoviz.model.spec import Body, Entry, Port, Text
from topoviz.model.units import size_text

Lookup = Callable[[str], "Body | None"]


def kind(body: Body, find: Lookup) -> str:
    """Return the kind of a part: its own, else that of the part that it takes."""
    taken = find(body.part) if body.part and not body.kind else None
    return body.kind if taken is None else kind(taken, find)


def marks(body: Body) -> tuple[str, ...]:
    """Return what its file says of how sure its numbers are: preliminary, unverified."""
    own = ["preliminary"] if body.preliminary else []
    return (*own, "unverified") if body.source.startswith("unverified") else tuple(own)


def holds(body: Body, whole: Body | None = None) -> str:
    """Return what a part is made of, its ports and its memory; of a part with variants those of each.

    >>> from topoviz.resources import Catalog
    >>> holds(Catalog().get("dgx-h100"))
    '2 cpu, 8 sw, 8 nic, 8 gpu, 4 nvs'
    >>> holds(Catalog().get("h100-sxm"))
    'nvlink 18 × NVLink 4, pcie PCIe 5.0 x16, 80 GB HBM3'
    """
    whole = whole or body
    own = [_port(one) for one in body.ports or ()] + [_entry(one, whole) for one in body.contains] + _memory(body)
    own += [f"takes {body.part}"] if body.part else []
    parts = [
        f"*{name}*: {inner}" if (inner := holds(each, whole)) else f"*{name}*" for name, each in body.variants.items()
    ]
    return "; ".join([*([", ".join(own)] if own else []), *parts])


def english(text: Text) -> str:
    """Return a text in English, whatever languages it has."""
    return text if isinstance(text, str) else text.get("en", "")


def _memory(body: Body) -> list[str]:
    memory = body.memory
    return [f"{size_text(memory.size)} {memory.type}".strip()] if memory is not None else []


def _port(one: Port) -> str:
    written = one.rate.link or one.rate.written or "not stated"
    return f"{one.kind} {one.count} × {written}" if one.count != 1 else f"{one.kind} {written}"


def _entry(one: Entry, body: Body) -> str:
    """Return so many of a group; a parameter with its default and its range."""
    if not isinstance(one.count, str):
        return f"{one.count or len(one.names) or 1} {one.name}"
    chosen = body.parameters[one.count]
    limits = f" ({chosen.least} to {chosen.most})" if chosen.most else ""
    return f"{chosen.default} {one.name}{limits}"
