"""Prints how long plans take, what they reach and how much memory: `python benchmarks/planner_times.py [WORD]`.

With a word only the machines with it in their name. The last rows are of 9,216 and 102,400 GPUs.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import topoviz as tv
from topoviz import planning
from topoviz.model.topology import Topology

MEBI = 1024  # of the KiB that Linux counts


def mesh(count: int, links: int = 1) -> dict[str, Any]:
    """Return GPUs of which every pair is joined."""
    return joined(count, {"rule": "mesh", "links": links})


def joined(count: int, wire: Mapping[str, Any]) -> dict[str, Any]:
    gpu = {"kind": "gpu", "ports": {"nvlink": "64 x 25 GB/s"}}
    wires = [{"from": "gpu", "kind": "nvlink", **wire}]
    return {"parts": {"one": gpu}, "contains": {"gpu": {"part": "one", "count": count}}, "wires": wires}


def torus(*sides: int) -> dict[str, Any]:
    count = 1
    for side in sides:
        count *= side
    return joined(count, {"rule": "torus", "shape": list(sides)})


def rails(nodes: int, ports: int) -> dict[str, Any]:
    """Return DGX H100s on eight rails of switches with so many ports."""
    return {
        "parts": {"large": {"kind": "switch", "ports": {"infiniband": f"{ports} x NDR"}}},
        "contains": {"node": f"{nodes} x dgx-h100"},
        "fabric": [{"join": "node/nic", "switch": "large", "kind": "infiniband", "rails": 8}],
    }


BROKEN = {"part": "dgx-1v", "changes": [{"link": ["gpu0", "gpu3"], "state": "down"}]}
MACHINES: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "DGX-1 (P100)": ("dgx-1", ("ring", "tree")),
    "DGX-1V": ("dgx-1v", ("ring", "tree")),
    "DGX-1V, a link broken": (BROKEN, ("ring", "tree")),
    "8 × L40S": ({"part": "l40s-server", "variant": "two-switches"}, ("ring", "tree")),
    "DGX-2": ("dgx-2", ("ring", "tree")),
    "DGX H100": ("dgx-h100", ("ring", "tree", "nvls", "direct")),
    "MI300X": ("mi300x", ("ring", "tree", "direct")),
    "4 × 4 torus": (torus(4, 4), ("ring", "tree", "direct")),
    "8 × 8 torus": (torus(8, 8), ("ring",)),
    "full mesh of 6": (mesh(6), ("ring",)),
    "full mesh of 12": (mesh(12), ("ring",)),
    "full mesh of 16": (mesh(16), ("ring",)),
    "GB200 NVL72": ("gb200-nvl72", ("ring", "tree", "nvls", "direct")),
    "4 × DGX H100": (rails(4, 64), ("ring", "tree", "hierarchical")),
    "SuperPOD GB200, 16 SU": ({"part": "superpod-gb200", "with": {"su": 16}}, ("ring", "tree", "hierarchical")),
    "12,800 × DGX H100": (rails(12_800, 256), ("ring", "tree", "hierarchical")),
}


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    made = act()
    return made, time.perf_counter() - start


def row(name: str, topology: Topology, built: float, algorithm: str) -> str:
    plan, took = timed(lambda: planning.plan(topology, algorithm=algorithm))
    routes = sum(route.count for route in plan.routes)
    met = "" if plan.bound is None else "met" if plan.bound.met else f"of {plan.bound.bandwidth:.6g}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBI
    gpus = f"{len(plan.ranks):,}"
    return f"{name:24}{gpus:>9}{built:9.2f} s  {algorithm:13}{took:9.3f} s{plan.bandwidth:12.6g}{met:>8}{routes:9,}{peak:10.0f}"


def main() -> None:
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    heads = f"{'machine':24}{'GPUs':>9}{'built in':>11}  {'algorithm':13}{'planned in':>11}{'GB/s':>12}{'bound':>8}"
    print(f"{heads}{'routes':>9}{'peak MiB':>10}")
    for name, (source, algorithms) in MACHINES.items():
        if word.lower() not in name.lower():
            continue
        topology, built = timed(lambda source=source: tv.load(source))
        for algorithm in algorithms:
            print(row(name, topology, built, algorithm), flush=True)


if __name__ == "__main__":
    main()
