"""Prints what ASTRA-sim measured beside what topoviz plans for the same machine: `python benchmarks/astrasim.py`.

The rows are those of tests/data/facts/astrasim.csv (ASTRA-sim 4f387bc, analytical network). Every network
of it is written as a document and planned; the time is ``Plan.seconds`` with its latency for each step.
A row is compared where the simulator makes the assumptions of the formula: one chunk, so that no two steps
overlap; and its network without congestion, or one in which no two messages share a link.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import topoviz as tv
from topoviz.collectives import cost, direct, hierarchical, ring
from topoviz.collectives.network import gpus
from topoviz.model.topology import Topology

FACTS = Path(__file__).parent.parent / "tests" / "data" / "facts"
NANO = 1e-9
GIBI = 2**30 / 1e9
HOPS = {"Ring": 1, "FullyConnected": 1, "Switch": 2}  # links that one step goes over, each with the latency
NEAR = 0.003


@dataclass(frozen=True)
class Dimension:
    """One dimension of a network of the simulator: how it is joined, of how many, GB/s of a link, seconds of a step."""

    shape: str
    count: int
    rate: float
    latency: float


@dataclass(frozen=True)
class Compared:
    """A row of the simulator and the seconds that topoviz says."""

    row: dict[str, str]
    simulated: float
    planned: float

    @property
    def difference(self) -> float:
        return self.planned / self.simulated - 1


@cache
def configs() -> dict[str, tuple[Dimension, ...]]:
    """Return the networks of astrasim_configs.txt, rates in GB/s of a billion bytes."""
    text = (FACTS / "astrasim_configs.txt").read_text(encoding="utf-8")
    found = {}
    for name, body in re.findall(r"^## (\w+)\n((?:\w+:.*\n)+)", text, flags=re.MULTILINE):
        keys: dict[str, list[Any]] = yaml.safe_load(body)
        rows = zip(keys["topology"], keys["npus_count"], keys["bandwidth"], keys["latency"], strict=True)
        found[name] = tuple(
            Dimension(shape, count, round(rate * GIBI, 6), HOPS[shape] * latency * NANO)
            for shape, count, rate, latency in rows
        )
    return found


@cache
def topology(name: str) -> Topology:
    """Return a network of the simulator as a topology."""
    dimensions = configs()[name]
    inner = dimensions[0]
    gpu: dict[str, Any] = {"kind": "gpu", "ports": {"nvlink": f"{inner.rate} GB/s"}}
    box: dict[str, Any] = {"kind": "node", "contains": {"gpu": {"part": "rank", "count": inner.count}}}
    if inner.shape == "Switch":
        box["contains"]["nvs"] = {"part": "nvswitch", "ports": {"nvlink": f"{inner.count} x {inner.rate} GB/s"}}
        box["wires"] = [{"from": "gpu", "to": "nvs", "kind": "nvlink", "rule": "all"}]
    else:
        gpu["ports"] = {"nvlink": f"{inner.count - 1} x {inner.rate} GB/s"}
        box["wires"] = [{"from": "gpu", "kind": "nvlink", "rule": "ring" if inner.shape == "Ring" else "mesh"}]
    if len(dimensions) == 1:
        return tv.load({"parts": {"rank": gpu}, **box})
    outer = dimensions[1]
    gpu["ports"]["pcie"] = "1000 GB/s"  # more than either dimension, so that it never counts
    card = {"kind": "nic", "ports": {"infiniband": f"{outer.rate} GB/s", "pcie": "1000 GB/s"}}
    box["contains"]["nic"] = {"part": "card", "count": inner.count}
    box["wires"].append({"from": "gpu", "to": "nic", "kind": "pcie", "rule": "pairwise"})
    leaf = {"part": "switch", "ports": {"infiniband": f"{inner.count * outer.count} x {outer.rate} GB/s"}}
    return tv.load(
        {
            "parts": {"rank": gpu, "card": card, "server": box},
            "contains": {"node": {"part": "server", "count": outer.count}, "leaf": leaf},
            "wires": [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "all"}],
        }
    )


def planned(row: dict[str, str]) -> float:
    """Return the seconds that topoviz plans for a row of the simulator."""
    dimensions, machine = configs()[row["config"]], topology(row["config"])
    collective, size = row["collective"].replace("_", "-"), float(row["size_bytes"])
    if collective == "all-to-all" and row["algorithm"] != "direct":
        return sum(cost.passed_on(size, one.count, one.rate, one.latency) for one in dimensions)
    if len(dimensions) > 1:
        latency = {"nvlink": dimensions[0].latency, "network": dimensions[1].latency}
        return stated(hierarchical.plan(machine, gpus(machine), collective, most=1).in_turn(size, latency))
    if row["algorithm"] == "direct":
        return stated(direct.plan(machine, gpus(machine), collective).seconds(size, dimensions[0].latency))
    return stated(ring.plan(machine, gpus(machine), collective, most=1).seconds(size, dimensions[0].latency))


def stated(seconds: float | None) -> float:
    if seconds is None:
        raise ValueError("a link has no rate")
    return seconds


def is_comparable(row: dict[str, str]) -> bool:
    """Return whether the simulator makes the assumptions of the formula in this row."""
    if (row["dataset_splits"], row["active_chunks"]) != ("1", "1"):
        return False
    shape = configs()[row["config"]][0].shape
    own = shape == "FullyConnected" or (shape == "Ring" and row["algorithm"] == "ring")
    return row["backend"] == "congestion_unaware" or own


def rows() -> tuple[dict[str, str], ...]:
    """Return all rows of the simulator."""
    with (FACTS / "astrasim.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


def compared() -> Iterator[Compared]:
    """Yield the rows that can be compared, with the seconds of both."""
    for row in rows():
        if is_comparable(row):
            yield Compared(row, float(row["astrasim_ns"]) * NANO, planned(row))


def main() -> None:
    """Print the table, and the greatest difference."""
    found = list(compared())
    heads = f"{'network':26}{'collective':16}{'algorithm':11}{'backend':20}"
    print(f"{heads}{'bytes':>15}{'ASTRA-sim ms':>15}{'topoviz ms':>15}{'differs':>10}")
    for one in found:
        row = one.row
        words = f"{row['config']:26}{row['collective']:16}{row['algorithm']:11}{row['backend']:20}"
        times = f"{one.simulated * 1e3:15.6f}{one.planned * 1e3:15.6f}{100 * one.difference:9.3f}%"
        print(f"{words}{int(row['size_bytes']):15,}{times}")
    worst = max(abs(one.difference) for one in found)
    print(
        f"{len(found)} of {len(rows())} rows make the assumptions of the formula; they differ by at most {100 * worst:.3f} %"
    )
    print("the others have several chunks, which overlap, or a network that lets messages wait for each other")


if __name__ == "__main__":
    main()
