"""ASTRA-sim network files (analytical): a shape, a size, a rate and a latency for each dimension."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from topoviz.importers.evidence import yaml as foreign
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, plain
from topoviz.marks import Source
from topoviz.model.source import Value
from topoviz.model.spelling import nearest

SHAPES = ("Ring", "Switch", "FullyConnected")
KEYS = ("topology", "npus_count", "bandwidth", "latency")
WORDS = {"Ring": ("a ring", "环"), "Switch": ("a switch", "交换机"), "FullyConnected": ("a full mesh", "全互连")}
UNITS = {"bandwidth": "GB/s", "latency": "ns"}
LEVELS = ("node", "group", "pod", "block", "cell", "site")
MOST = 65_536  # NPUs


def recognises(text: str) -> float:
    """Return how surely a text is a network of ASTRA-sim."""
    keys = foreign.keys(text)
    return 0.95 if "npus_count" in keys and keys & {"topology", "bandwidth"} else 0.0


def read(source: Source) -> Imported:
    """Return the network, a container for each dimension but the last. Raises SpecError."""
    told = Told(source)
    top = foreign.read(source)
    shapes, counts, rates = _dimensions(source, top)
    total = prod(counts)
    if total > MOST:
        said = f"npus_count makes {total:,} NPUs, more than {MOST:,}"
        raise foreign.mistake(source, top.get("npus_count") or top, said, code="input-too-large")
    body: dict[str, Any] = {"gpu": {"part": "gpu", "count": counts[0], "title": "NPU"}}
    wires = _inner(shapes[0], counts[0], rates[0], body)
    document: dict[str, Any] = {"contains": body, "wires": wires}
    for level, (shape, count, rate) in enumerate(zip(shapes[1:], counts[1:], rates[1:], strict=True)):
        document = _outer(document, level, counts[: level + 1], (shape, count, rate))
    told.infer("a rate is that of one link of an NPU in one direction; who makes the links is not in the file")
    told.infer("latencies are kept as facts; topoviz counts none")
    _say(told, total, list(zip(shapes, counts, rates, strict=True)))
    latencies = [one.data for one in _list(source, top, "latency")] if top.get("latency") else []
    facts = {"latency_ns": latencies} if latencies else {}
    kind = "cluster" if len(counts) > 1 else "node"
    head: dict[str, Any] = {
        "title": _title(total, shapes),
        "kind": kind,
        "note": told.note(),
        **({"facts": facts} if facts else {}),
    }
    return Imported(
        document={**head, **document},
        told=tuple(told.found),
        facts={"counts": {"npus": total, "dimensions": len(counts)}},
    )


def _title(total: int, shapes: Sequence[str]) -> dict[str, str]:
    shape = ", then ".join(WORDS[one][0] for one in shapes)
    return {"en": f"{total} NPUs: {shape}", "zh": f"{total} 个 NPU：{'，再'.join(WORDS[one][1] for one in shapes)}"}


def _say(told: Told, total: int, dimensions: Sequence[tuple[str, int, float]]) -> None:
    """Say in the caption what each dimension joins and how fast."""
    for at, (shape, count, rate) in enumerate(dimensions):
        english, chinese = WORDS[shape]
        times = total // count
        told.say(
            f"Dimension {at}: {times} × {count} NPUs by {english}, {rate:g} GB/s per link and direction.",
            f"维度 {at}：{times} × {count} 个 NPU，{chinese}，每链路单向 {rate:g} GB/s。",
        )


# ---- reading


def _dimensions(source: Source, top: Value) -> tuple[list[str], list[int], list[float]]:
    """Return shapes, sizes and GB/s of the dimensions. Raises SpecError."""
    lists = {key: _list(source, top, key) for key in KEYS if key != "latency" or top.get(key)}
    size = len(lists["topology"])
    for key, values in lists.items():
        if len(values) != size:
            said = f"{key} has {len(values)} entries, but topology has {size}"
            found = foreign.mistake(
                source, top.get(key) or top, said, hint="one entry per dimension", code="length-mismatch"
            )
            raise found
    shapes = [_shape(source, one) for one in lists["topology"]]
    counts = [int(_number(source, one, "npus_count", whole=True)) for one in lists["npus_count"]]
    rates = [_number(source, one, "bandwidth") for one in lists["bandwidth"]]
    for one in lists.get("latency", ()):
        _number(source, one, "latency")
    return shapes, counts, rates


def _list(source: Source, top: Value, key: str) -> tuple[Value, ...]:
    found = top.get(key)
    if found is None:
        raise foreign.mistake(source, top, f"there is no {key}", hint="one entry per dimension", code="astra-key")
    return found.parts()


def _shape(source: Source, value: Value) -> str:
    if value.text in SHAPES:
        return value.text
    near = nearest(value.text, SHAPES)
    hint = f"did you mean {near}?" if near else f"known are {', '.join(SHAPES)}"
    raise foreign.mistake(
        source, value, f"topology has '{value.text}', which is no shape", hint=hint, code="astra-shape"
    )


def _number(source: Source, value: Value, key: str, *, whole: bool = False) -> float:
    data = value.data
    if (
        isinstance(data, bool)
        or not isinstance(data, (int, float))
        or data <= 0
        or (whole and not isinstance(data, int))
    ):
        said = f"{key} has '{value.text}', which is no {'whole number' if whole else 'number'}"
        unit = UNITS.get(key, "")
        hint = f"fill in {unit} per dimension" if unit else "fill in how many NPUs there are in each dimension"
        raise foreign.mistake(source, value, said, hint=hint, code="bad-number")
    return data


# ---- writing


def _inner(shape: str, count: int, rate: float, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the wires of the first dimension; a switch joins what the body holds."""
    tail = {"kind": "network", "bandwidth": f"{plain(rate)} GB/s"}
    if count == 1:
        return []
    if shape == "Switch":
        body["switch"] = "switch"
        return [{"from": "gpu", "to": "switch", **tail}]
    return [{"from": "gpu", "kind": "network", "rule": _rule(shape, count), "bandwidth": tail["bandwidth"]}]


def _rule(shape: str, count: int) -> str:
    return "ring" if shape == "Ring" and count > 2 else "mesh"  # two are joined once


def _outer(
    inside: dict[str, Any], level: int, below: Sequence[int], dimension: tuple[str, int, float]
) -> dict[str, Any]:
    """Return containers side by side, each NPU joined with those in its place in the others."""
    shape, count, rate = dimension
    name = LEVELS[level] if level < len(LEVELS) else f"level-{level}-"
    kind = {"node": "node"}.get(name, "cluster")
    body: dict[str, Any] = {name: {"kind": kind, "count": count, **inside}}
    places = list(_places(below))
    tail = {"bandwidth": f"{plain(rate)} GB/s"}
    wires: list[dict[str, Any]] = []
    if shape == "Switch" and count > 1:
        body["leaf"] = {"part": "switch", "count": len(places)}
        if level == 0:
            wires = [{"from": f"{name}/gpu", "to": "leaf", "kind": "network", "rule": "rail", **tail}]
        else:
            wires = [
                {"from": f"{name}/{one}", "to": f"leaf{at}", "kind": "network", **tail} for at, one in enumerate(places)
            ]
    elif count > 1:
        wires = [{"from": f"{name}/{one}", "kind": "network", "rule": _rule(shape, count), **tail} for one in places]
    return {"contains": body, **({"wires": wires} if wires else {})}


def _places(below: Sequence[int]) -> list[str]:
    """Return the paths of all NPUs inside one container, the innermost number fastest.

    >>> _places([2, 2])
    ['node0/gpu0', 'node0/gpu1', 'node1/gpu0', 'node1/gpu1']
    """
    names = ["gpu", *LEVELS][: len(below)]
    every = product(*(range(count) for count in reversed(below)))
    return ["/".join(f"{word}{at}" for word, at in zip(reversed(names), one, strict=True)) for one in every]
