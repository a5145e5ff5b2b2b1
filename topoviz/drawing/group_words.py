"""Kinds of parallelism in words, and the hue of each: colour is the kind of group here, not of link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.drawing import amounts
from topoviz.drawing.messages import fill, message
from topoviz.model.findings import JobPlan, Traffic

SHORT: Mapping[str, str] = MappingProxyType(
    {"tp": "TP", "cp": "CP", "ep": "EP", "fsdp": "FSDP", "dp": "DP", "pp": "PP"}
)
LONG = MappingProxyType(
    {
        "tp": "Tensor",
        "cp": "Context",
        "ep": "Expert",
        "fsdp": "Sharded data",
        "dp": "Data",
        "pp": "Pipeline",
    }
)
PARALLEL = MappingProxyType(
    {
        "tp": "tensor parallel {size}",
        "cp": "context parallel {size}",
        "ep": "expert parallel {size}",
        "fsdp": "fully sharded {size}",
        "dp": "data parallel {size}",
        "pp": "pipeline parallel {size}",
    }
)
PLACE = MappingProxyType(
    {
        "tp": "Slice {number}",
        "cp": "Context {number}",
        "fsdp": "Shard {number}",
        "dp": "Replica {number}",
        "pp": "Stage {number}",
    }
)
MORE = MappingProxyType(
    {
        "tp": "{count} more slices",
        "cp": "{count} more context parts",
        "fsdp": "{count} more shards",
        "dp": "{count} more replicas",
        "pp": "{count} more stages",
    }
)
HUES = MappingProxyType(
    {"tp": "ring.a", "pp": "ring.b", "dp": "ring.d", "fsdp": "ring.c", "cp": "cpulink.text", "ep": "ethernet.text"}
)
TINTS = MappingProxyType({"tp": "hull", "fsdp": "nvlink.tint", "dp": "alert.tint", "pp": "infiniband.tint"})
READING = ("tp", "cp", "ep", "fsdp", "pp", "dp")  # the order in which a job is told


def hue(kind: str) -> str:
    """Return the token of a kind of group."""
    return HUES.get(kind, "ink2")


def tint(kind: str) -> str:
    """Return the token that fills the hulls of a kind."""
    return TINTS.get(kind, "cpulink.tint")


def head(row: Traffic, lang: str) -> str:
    """Return what a row of the table is called: ``Tensor (TP = 8)``, ``Data (DP 2 × CP 2)``."""
    values = {"name": message(LONG[row.kind], lang), "short": SHORT[row.kind], "size": amounts.count(row.size)}
    if len(row.axes) > 1:
        return fill("{name} ({degrees})", {**values, "degrees": product(row.axes)}, lang)
    return fill("{name} ({short} = {size})", values, lang)


def product(axes: Sequence[tuple[str, int]]) -> str:
    """Return degrees in short.

    >>> product([("tp", 8), ("cp", 2)])
    'TP 8 × CP 2'
    """
    return " × ".join(f"{SHORT[kind]} {amounts.count(size)}" for kind, size in axes)


def job(plan: JobPlan) -> str:
    """Return the job in short: ``TP 8 × PP 2 × DP 2``."""
    return product(degrees(plan)) or "1 GPU"


def job_in_words(plan: JobPlan, lang: str) -> str:
    """Return the job in words: ``tensor parallel 8 × pipeline parallel 2 × data parallel 2``."""
    return " × ".join(fill(PARALLEL[kind], {"size": amounts.count(size)}, lang) for kind, size in degrees(plan))


def degrees(plan: JobPlan) -> list[tuple[str, int]]:
    """Return the kinds with more than one rank and their sizes, in the order in which a job is told."""
    sizes = {**dict(plan.grid.axes), "ep": plan.experts.along("ep")}
    return [(kind, sizes.get(kind, 1)) for kind in READING if sizes.get(kind, 1) > 1]


def order(plan: JobPlan) -> str:
    """Return the order of ranks with its formula: ``TP + 8 × (DP + 2 × PP)``."""
    axes = [(SHORT[kind], size) for kind, size in plan.grid.axes if size > 1]
    if len(axes) < 2:
        return ""
    text = axes[-1][0]
    for position in range(len(axes) - 2, -1, -1):
        name, size = axes[position]
        inner = text if position == len(axes) - 2 else f"({text})"
        text = f"{name} + {size} × {inner}"
    return text


def ranks(members: tuple[int, ...]) -> str:
    """Return ranks in few letters: a run as a range, two as they are, more with an ellipsis.

    >>> ranks((0, 1, 2, 3)), ranks((0, 16)), ranks((0, 8, 16, 24)), ranks((5,))
    ('0–3', '0, 16', '0, 8, …, 24', '5')
    """
    if len(members) > 2 and members == tuple(range(members[0], members[-1] + 1)):
        return f"{members[0]}–{members[-1]}"
    if len(members) > 3:
        return f"{members[0]}, {members[1]}, …, {members[-1]}"
    return ", ".join(str(rank) for rank in members)


def example(row: Traffic) -> str:
    """Return who talks, with arrows that say how: ``0 → 16``, ``0 ↔ 8``, a run of neighbours as it is."""
    members = row.example.ranks
    sign = " → " if row.kind == "pp" else " ↔ "
    if row.kind != "pp" and members == tuple(range(members[0], members[-1] + 1)) and len(members) > 2:
        return " ".join(str(rank) for rank in members) if len(members) <= 8 else ranks(members)
    if len(members) > 4:
        return sign.join([str(members[0]), str(members[1]), "…", str(members[-1])])
    return sign.join(str(rank) for rank in members)


def unknown(plan: JobPlan, lang: str) -> str:
    """Return what the document would have to say for the bytes to be known; empty if all are."""
    keys = dict.fromkeys(key for row in plan.traffic for key in row.unknown)
    return fill("Bytes unknown: needs {keys}", {"keys": ", ".join(keys)}, lang) if keys else ""
