"""MSCCL XML: an algorithm for collectives; who sends to whom on which channel, its rings as routes."""

from __future__ import annotations

from typing import Any

from topoviz.importers.evidence.draft import ranges
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, wrong
from topoviz.importers.evidence.xml import Element, parse, root_of
from topoviz.marks import Source

Edge = tuple[int, int, int]  # source, target, channel


def recognises(text: str) -> float:
    """Return how surely a text is an algorithm of MSCCL."""
    return 0.9 if root_of(text) == "algo" else 0.0


def read(source: Source) -> Imported:
    """Return the rings of an algorithm as routes; other shapes are told and left out. Raises SpecError."""
    told = Told(source)
    root, _ = parse(source)
    gpus = root.all("gpu")
    if not gpus:
        raise wrong(source, root.line, "there is no <gpu> here", code="msccl-nothing")
    _check_count(source, root, len(gpus))
    edges, known = [], {_number(source, gpu, "id") for gpu in gpus}
    for gpu in gpus:
        for block in gpu.all("tb"):
            edges += _edges(source, gpu, block, known)
    rings: dict[tuple[int, ...], list[int]] = {}
    open_: list[int] = []
    for channel in sorted({channel for _, _, channel in edges}):
        ring = _ring(edges, channel, known)
        if ring:
            rings.setdefault(ring, []).append(channel)
        else:
            open_.append(channel)
    if open_:
        told.warn("msccl-no-ring", f"channels {ranges(open_)} are no ring and are left out; only rings become routes")
    name = root.get("name") or root.get("coll") or "algorithm"
    routes = [_route(name, ring, channels) for ring, channels in rings.items()]
    told.infer("gpu ids are taken as the GPUs of the machine in their order")
    counts = {
        "gpus": len(gpus),
        "channels": len({channel for _, _, channel in edges}),
        "steps_per_gpu": max(sum(len(block.all("step")) for block in gpu.all("tb")) for gpu in gpus),
    }
    facts: dict[str, Any] = {"counts": counts, "rings": [list(ring) for ring in rings], "collective": root.get("coll")}
    return Imported(document={"routes": routes} if routes else {}, told=tuple(told.found), facts=facts)


def _check_count(source: Source, root: Element, there: int) -> None:
    said = root.get("ngpus")
    if said.isdecimal() and int(said) != there:
        message = f'ngpus="{said}", but {there} GPUs are described'
        raise wrong(source, root.line, message, hint="the file may be cut", code="msccl-cut", word="ngpus")


def _number(source: Source, element: Element, key: str) -> int:
    text = element.get(key)
    try:
        return int(text)
    except ValueError:
        said = f"{key}='{text}' of <{element.name}> is no number"
        raise wrong(source, element.line, said, code="bad-number", word=key) from None


def _edges(source: Source, gpu: Element, block: Element, known: set[int]) -> list[Edge]:
    """Return who sends to whom in a thread block; -1 means nobody."""
    me, channel = _number(source, gpu, "id"), _number(source, block, "chan")
    found = []
    for key in ("send", "recv"):
        other = _number(source, block, key)
        if other != -1 and other not in known:
            said = f"{key}='{other}', but there is no GPU {other}"
            raise wrong(source, block.line, said, hint="-1 means nobody", code="msccl-gpu", word=key)
        if other != -1:
            found.append((me, other, channel) if key == "send" else (other, me, channel))
    return found


def _ring(edges: list[Edge], channel: int, known: set[int]) -> tuple[int, ...]:
    """Return the ring of a channel from its lowest GPU on; empty if it is none over all GPUs."""
    after: dict[int, set[int]] = {}
    for a, b, one in edges:
        if one == channel:
            after.setdefault(a, set()).add(b)
    if set(after) != known or any(len(ends) != 1 for ends in after.values()):
        return ()
    ring = [min(known)]
    while len(ring) <= len(known):
        (following,) = after[ring[-1]]
        if following == ring[0]:
            break
        ring.append(following)
    return tuple(ring) if len(ring) == len(known) else ()


def _route(name: str, ring: tuple[int, ...], channels: list[int]) -> dict[str, Any]:
    word = "channel" if len(channels) == 1 else "channels"
    count = {"count": len(channels)} if len(channels) > 1 else {}
    return {"name": f"{name}, {word} {ranges(channels)}", "ring": f"gpu[{ranges(ring)}]", **count}
