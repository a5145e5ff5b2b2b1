"""NCCL graph XML (NCCL_GRAPH_DUMP_FILE, NCCL_GRAPH_FILE): the channels of its ring search as routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from topoviz.importers.evidence.draft import ranges
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, wrong
from topoviz.importers.evidence.xml import Element, parse, root_of
from topoviz.marks import Source

PATTERNS: Mapping[str, str] = MappingProxyType(
    {"1": "tree", "2": "tree", "3": "collnet", "4": "ring", "5": "nvls", "6": "collnet-direct"}
)
RING = "ring"
Channel = tuple[str, ...]  # net0, 0, 1, 2, 3, net0


def recognises(text: str) -> float:
    """Return how surely a text is a graph file of NCCL."""
    return 0.9 if root_of(text) == "graphs" else 0.0


def read(source: Source) -> Imported:
    """Return the rings of a graph file as routes, equal ones as one with a count. Raises SpecError."""
    told = Told(source)
    root, _ = parse(source)
    graphs = root.all("graph")
    if not graphs:
        raise wrong(
            source, root.line, "there is no <graph> here", hint="NCCL_GRAPH_DUMP_FILE writes some", code="nccl-no-graph"
        )
    facts: list[dict[str, Any]] = []
    routes: list[dict[str, Any]] = []
    rings: list[Channel] = []
    for graph in graphs:
        channels = [_channel(source, one) for one in graph.all("channel")]
        algorithm = PATTERNS.get(graph.get("pattern"), f"pattern {graph.get('pattern')}")
        _check_count(told, graph, len(channels))
        if not channels:
            continue
        facts.append(_fact(source, graph, algorithm, channels))
        if algorithm == RING:
            _check_rings(source, graph, channels)
            found = _routes(channels, len(routes))
            routes += found
            rings += list(dict.fromkeys(channels))
    if rings:
        told.infer(
            "numbers of <gpu dev> are taken as the GPUs of the machine in their order; the file has no addresses"
        )
    others = sorted({fact["algorithm"] for fact in facts} - {RING})
    if others:
        told.infer(f"only rings become routes; channels of {', '.join(others)} are read and left out")
    counts = {"graphs": len(graphs), "non_empty_graphs": len(facts)}
    return Imported(
        document={"routes": routes} if routes else {},
        told=tuple(told.found),
        facts={"counts": counts, "graphs": facts, "rings": [_plain(ring) for ring in rings]},
    )


def _channel(source: Source, element: Element) -> Channel:
    found = []
    for child in element.children:
        device = child.get("dev")
        try:
            number = int(device, 0)
        except ValueError:
            said = f"dev '{device}' of <{child.name}> is no number"
            raise wrong(
                source, child.line, said, hint="decimal, or hexadecimal with 0x", code="bad-number", word=device
            ) from None
        found.append(f"net{number}" if child.name == "net" else str(number))
    return tuple(found)


def _check_count(told: Told, graph: Element, there: int) -> None:
    said = graph.get("nchannels")
    if said.isdecimal() and int(said) != there:
        many = "channel" if there == 1 else "channels"
        told.warn(
            "graph-nchannels", f'nchannels="{said}" but {there} {many} listed', graph.line, word=f'nchannels="{said}"'
        )


def _number(source: Source, graph: Element, key: str) -> float | None:
    """Return a number of a graph; None if it is not there. Raises SpecError."""
    said = graph.get(key)
    try:
        return float(said) if said else None
    except ValueError:
        text = f"{key} '{said}' of <graph> is no number"
        raise wrong(source, graph.line, text, hint="the file may be damaged", code="bad-number", word=key) from None


def _fact(source: Source, graph: Element, algorithm: str, channels: Sequence[Channel]) -> dict[str, Any]:
    number = _number(source, graph, "id") or 0.0
    return {
        "id": int(number) if number.is_integer() else number,
        "algorithm": algorithm,
        "channels": len(channels),
        "distinct_orders": len(set(channels)),
        "gb_per_s": _number(source, graph, "speedintra"),
    }


def _check_rings(source: Source, graph: Element, channels: Sequence[Channel]) -> None:
    """Raise SpecError for a ring that does not visit each device once."""
    every = sorted({one for channel in channels for one in channel if one.isdecimal()}, key=int)
    for number, (channel, element) in enumerate(zip(channels, graph.all("channel"), strict=True)):
        gpus = [one for one in channel if one.isdecimal()]
        twice = sorted({one for one in gpus if gpus.count(one) > 1}, key=int)
        missing = [one for one in every if one not in gpus]
        if twice or missing:
            parts = [
                f"visits GPU {', '.join(twice)} twice" if twice else "",
                f"never visits GPU {', '.join(missing)}" if missing else "",
            ]
            said = f"channel {number} {' and '.join(part for part in parts if part)}"
            hint = "a ring visits every GPU once; the file was edited or cut"
            raise wrong(source, element.line, said, hint=hint, code="ring-not-a-permutation")


def _routes(channels: Sequence[Channel], before: int) -> list[dict[str, Any]]:
    """Return one route for each order; a channel that begins and ends at a card is a path, for it closes elsewhere."""
    numbers: dict[Channel, list[int]] = {}
    for at, channel in enumerate(channels):
        numbers.setdefault(channel, []).append(at)
    routes: list[dict[str, Any]] = []
    for channel, members in numbers.items():
        gpus = [int(one) for one in channel if one.isdecimal()]
        if len(gpus) < 2:
            continue
        nets = [one for one in channel if not one.isdecimal()]
        called = f"channel{'s' if len(members) > 1 else ''} {ranges(members)}" + (
            f" of graph {before}" if before else ""
        )
        if nets:
            called += f" (in and out by {' and '.join(dict.fromkeys(nets))})"
        shape = "path" if nets else "ring"
        count = {"count": len(members)} if len(members) > 1 else {}
        routes.append({"name": called, shape: f"gpu[{ranges(gpus)}]", **count})
    return routes


def _plain(ring: Channel) -> list[Any]:
    return [int(one) if one.isdecimal() else one for one in ring]
