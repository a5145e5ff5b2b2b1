"""Prints how long it takes to build, count, fold and write out: `python benchmarks/build.py`."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from documents import built

from topoviz.model.topology import Topology

SERVERS = "contains: {node: 2048 x dgx-h100}\nfabric: [{join: node/nic, switch: qm9700, kind: infiniband, rails: 8}]"
MACHINES = {
    "DGX H100": "part: dgx-h100",
    "GB200 NVL72": "part: gb200-nvl72",
    "4 units": "part: superpod-h100\nwith: {su: 4}",
    "64 units": "part: superpod-b200\nwith: {su: 64}",
    "64 units, flat": SERVERS,
}
QUESTIONS: dict[str, Callable[[Topology], object]] = {
    "count": lambda topology: (topology.count("gpu"), topology.total("nvlink")),
    "roles": lambda topology: topology.roles,
    "fold to switches": lambda topology: topology.fold([thing.id for thing in topology.of_kind("switch")]),
    "stacks": lambda topology: [topology.signature(thing) for thing in topology.root.children],
    "graph": lambda topology: topology.graph,
}


def seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> None:
    print(f"{'':16}" + "".join(f"{word:>18}" for word in ("GPUs", "build", *QUESTIONS)))
    for name, text in MACHINES.items():
        built(text)  # reads the parts
        took = seconds(lambda text=text: built(text))
        topology = built(text)
        asked = [seconds(lambda ask=ask, topology=topology: ask(topology)) for ask in QUESTIONS.values()]
        row = "".join(f"{one * 1000:15.1f} ms" for one in (took, *asked))
        print(f"{name:16}{topology.count('gpu'):18,}{row}")


if __name__ == "__main__":
    main()
