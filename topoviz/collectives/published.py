"""Bus bandwidths that were measured and published, to hold a plan against: large messages, GB/s.

A plan at line rate is a best case. Rings inside a box reach 0.77 to 0.82 of it, over network cards 0.8 to 0.96;
where switches add (NVLS), or a tree joins two boxes, more is measured than a ring could reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from topoviz.collectives import bounds
from topoviz.collectives.network import Network, nearest_cards, network
from topoviz.collectives.plan import Plan
from topoviz.collectives.rails import named
from topoviz.collectives.ring import boxes_of
from topoviz.model.topology import Topology

ANY = ("ring", "tree", "nvls", "hierarchical")  # it is not said by which algorithm NCCL ran
NEARLY = 0.99
NEAR = 128  # ranks; the boxes of more are counted by what contains them


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A published all-reduce: bus bandwidth in GB/s, of which GPUs in how many boxes, by which algorithms, and where."""

    busbw: float
    system: str
    source: str
    parts: tuple[str, ...]
    ranks: int | None  # None: any number
    boxes: int | None  # None: any number from two on
    algorithms: tuple[str, ...]
    cards: float | None = None  # GB/s of all network cards of a box, if that is said
    whole: bool = True  # the machine that is held against it has no faults, as the one that was measured

    @property
    def is_open(self) -> bool:
        """Return whether it is not said by which algorithm NCCL ran."""
        return self.algorithms == ANY

    def share(self, plan: Plan) -> float | None:
        """Return what it is of the bus bandwidth of a plan; more than 1 is possible.

        None if the plan has no rate, or is of a machine with faults, which nobody has measured.
        """
        if not self.whole:
            return None
        planned = plan.busbw(1e9)
        return self.busbw / planned if planned else None


A100 = ("a100-sxm-40gb", "a100-sxm-80gb")
MEASURED: tuple[Published, ...] = (
    Published(
        busbw=230, system="8 × A100 on NVSwitch", source="NVIDIA/nccl-tests#149",
        parts=A100, ranks=8, boxes=1, algorithms=("ring",),
    ),
    Published(
        busbw=370, system="8 × H100, ring", source="NVIDIA/nccl-tests#212",
        parts=("h100-sxm",), ranks=8, boxes=1, algorithms=("ring",),
    ),
    Published(
        busbw=480, system="8 × H100, NVLS", source="NVIDIA/nccl-tests#212",
        parts=("h100-sxm",), ranks=8, boxes=1, algorithms=("nvls",),
    ),
    Published(
        busbw=475, system="8 × H200, NVLS", source="NVIDIA/nccl-tests#272",
        parts=("h200-sxm",), ranks=8, boxes=1, algorithms=("nvls",),
    ),
    Published(
        busbw=695, system="8 × B300, ring", source="NVIDIA/nccl#2140",
        parts=("b300",), ranks=8, boxes=1, algorithms=("ring",),
    ),
    Published(
        busbw=845, system="8 × B300, NVLS", source="NVIDIA/nccl#2140",
        parts=("b300",), ranks=8, boxes=1, algorithms=("nvls",),
    ),
    Published(
        busbw=834.6, system="GB200 NVL72, 72 GPUs, 8 GiB", source="coreweave/nccl-tests#43",
        parts=("gb200-gpu",), ranks=72, boxes=1, algorithms=ANY,
    ),
    Published(
        busbw=811, system="8 × GB200 over two trays", source="lixueduan.com, 13-gb200-mnnvl-nccl-test",
        parts=("gb200-gpu",), ranks=8, boxes=1, algorithms=ANY,
    ),
    Published(
        busbw=440.6, system="2 × 8 H100 with 8 × 400 Gb/s", source="coreweave/nccl-tests#92",
        parts=("h100-sxm",), ranks=16, boxes=2, algorithms=ANY, cards=400,
    ),
    Published(
        busbw=690, system="2 × 8 B200", source="coreweave/nccl-tests#92",
        parts=("b200",), ranks=16, boxes=2, algorithms=ANY,
    ),
    Published(
        busbw=320, system="4 × 8 H100 with 8 × 400 Gb/s RoCE", source="NVIDIA/nccl#1221",
        parts=("h100-sxm",), ranks=32, boxes=4, algorithms=ANY, cards=400,
    ),
    Published(
        busbw=350, system="248 × 8 H200", source="NVIDIA/nccl-tests#283",
        parts=("h200-sxm",), ranks=1984, boxes=248, algorithms=ANY,
    ),
    Published(
        busbw=192, system="DGX A100 with 8 × 200 Gb/s, several servers", source="NVIDIA/nccl#812",
        parts=A100, ranks=None, boxes=None, algorithms=ANY, cards=200,
    ),
)  # fmt: skip


def published(topology: Topology, plan: Plan) -> Published | None:
    """Return what was published for the GPUs, boxes, network and algorithm of a plan; None if nothing was.

    Of a machine with faults it is what was published for it without them, and so says its ``whole``.

    >>> import topoviz as tv
    >>> dgx = tv.load("dgx-h100")
    >>> found = published(dgx, tv.plan(dgx, algorithm="ring"))
    >>> found.busbw, found.source, round(found.share(tv.plan(dgx, algorithm="ring")), 2)
    (370, 'NVIDIA/nccl-tests#212', 0.82)
    """
    if plan.collective != "all-reduce" or len(plan.ranks) < 2:
        return None
    part = topology.root.at(plan.ranks[0]).part
    near = [one for one in MEASURED if part in one.parts and plan.algorithm in one.algorithms]
    near = [one for one in near if one.ranks in {None, len(plan.ranks)}]
    if not near or {topology.root.at(name).part for name in plan.ranks} != {part}:
        return None
    boxes, cards = _boxes(topology, plan.ranks)
    whole = not _has_faults(topology)
    near = [one for one in near if one.boxes == boxes or (one.boxes is None and boxes > 1)]
    found = next((one for one in near if _is_near(one.cards, cards, whole=whole)), None)
    return found and replace(found, whole=whole)


def _boxes(topology: Topology, ranks: Sequence[str]) -> tuple[int, float | None]:
    """Return in how many boxes the ranks are, and what the cards of the weakest carry; None if that is not known."""
    if len(ranks) > NEAR:
        return len({name.rpartition("/")[0] for name in ranks}), None
    net: Network = network(topology, ranks=ranks)
    boxes = boxes_of(net, ranks)
    least = bounds.around(net, boxes, named(nearest_cards(net, ranks))) if len(boxes) > 1 else None
    return len(boxes), None if least is None else least[0]


def _is_near(stated: float | None, cards: float | None, *, whole: bool) -> bool:
    """Return whether the network is the one that was measured, or what faults have left of it."""
    if stated is None or cards is None:
        return True
    return cards <= stated / NEARLY and (cards >= stated * NEARLY or not whole)


def _has_faults(topology: Topology) -> bool:
    """Return whether something of the machine is missing, down or slower than it should be."""
    if any(change.is_fault for change in topology.spec.body.changes):
        return True
    types = [topology.root.assembly]
    seen = set(types)
    for assembly in types:  # grows on the way; each type is looked at once
        states = {child.state for child in assembly.children} | {link.state for link in assembly.links}
        if "down" in states:
            return True
        types += [inner for inner, _ in assembly.variety if inner not in seen]
        seen.update(types)
    return False
