"""What a picture may show beyond the topology. Neutral: made at the roof, read by the drawing room."""

from __future__ import annotations

from dataclasses import dataclass

from topoviz.model.topology import Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How busy one directed link is, 0 to 1, while the plan runs."""

    source: str
    target: str
    kind: str
    load: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a collective moves and how long it takes; None where no size was given.

    ``bandwidth`` (GB/s, one direction) is what one rank sends at most; ``chunks`` and
    ``steps`` are those of the algorithm. ``at_least`` names what has no stated rate
    and was taken as unlimited.
    """

    collective: str
    algorithm: str
    ranks: tuple[str, ...]
    rates: str = "line"
    bandwidth: float | None = None
    link: str = ""
    size: float | None = None
    sent: float | None = None
    chunks: int | None = None
    steps: int | None = None
    seconds: float | None = None
    algbw: float | None = None
    busbw: float | None = None
    measured: float | None = None  # share of the line rate reached, 0 to 1
    unlimited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What lies in the memory of one GPU: a word (weights, gradients, optimizer, activations, kv) and its bytes."""

    name: str
    bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFit:
    """What a model needs and what the GPUs have. All numbers in bytes; ``gpus_at_least`` and ``gpus`` count.

    ``per_gpu`` is the memory of one GPU, ``needed`` what the model needs in all, ``fillings``
    its parts in the order in which they are stacked; ``each`` the share of every GPU if it
    is laid evenly on ``gpus`` of them.
    """

    model: str
    purpose: str  # inference or training
    params: float
    needed: float
    per_gpu: float
    gpus: int
    gpus_at_least: int
    fits: bool
    fillings: tuple[Filling, ...] = ()
    each: tuple[Filling, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """GPUs that work together for one kind of parallelism: ``kind`` is tp, pp, dp, cp, ep or fsdp.

    ``number`` counts the groups of a kind from 0; ``ranks`` are ids of GPUs in the order of the group.
    """

    kind: str
    number: int
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """What all groups of one kind send. ``bytes`` per GPU and step, ``rate`` in GB/s one direction.

    ``link`` is the slowest link that carries it, ``inside`` whether no group leaves a scale-up domain.
    None where no model was given or no rate is stated.
    """

    kind: str
    size: int
    count: int
    example: tuple[str, ...]  # the ranks of one group, as ids
    link: str = ""
    link_kind: str = ""
    rate: float | None = None
    bytes: float | None = None
    seconds: float | None = None
    inside: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPlan:
    """A job laid on the ranks: ``ranks`` are ids in rank order, ``sizes`` the groups' sizes by kind, in rank order."""

    ranks: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]
    order: str = ""
    groups: tuple[Group, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    seconds: float | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where the machine as found is not the machine as expected, in words for a reader.

    ``nodes`` are ids of the expected topology that it marks, ``ends`` the two ends if it is a link.
    ``cost`` in GB/s of one direction, None if it cannot be told. ``what`` is missing, degraded, extra or moved.
    """

    number: int
    what: str
    where: str
    expected: str
    found: str
    cost: float | None = None
    nodes: tuple[str, ...] = ()
    ends: tuple[str, str] | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """A comparison: what was held against what, what differs, and what could not be compared."""

    expected: str = ""
    found: str = ""
    items: tuple[Difference, ...] = ()
    not_compared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Routes, loads, the bottleneck and the estimate that go with them; memory, job and differences if asked."""

    routes: tuple[Route, ...] = ()
    loads: tuple[Load, ...] = ()
    bottleneck: tuple[Load, ...] = ()
    estimate: Estimate | None = None
    nodes: tuple[str, ...] = ()  # highlighted ids
    memory: MemoryFit | None = None
    job: JobPlan | None = None
    differences: Differences | None = None


def merged(a: Findings, b: Findings) -> Findings:
    """Return both findings; of what there can be only one, the first."""
    return Findings(
        routes=(*a.routes, *b.routes),
        loads=(*a.loads, *b.loads),
        bottleneck=(*a.bottleneck, *b.bottleneck),
        estimate=a.estimate or b.estimate,
        nodes=(*a.nodes, *b.nodes),
        memory=a.memory or b.memory,
        job=a.job or b.job,
        differences=a.differences or b.differences,
    )
