"""What a picture may show beyond the topology. Neutral: made at the roof, read by the drawing room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoviz.model.rank_grid import Grid
from topoviz.model.spec import Text
from topoviz.model.topology import Route

if TYPE_CHECKING:
    from typing_extensions import Self

EXPERTS = ("ep", "etp")  # kinds of groups of the second grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How busy one directed link is, 0 to 1, while the plan runs.

    Of very large machines so many (``count``) links are equally busy as the one that is named.
    """

    source: str
    target: str
    kind: str
    load: float
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What no plan of this kind can exceed, GB/s of one rank in one direction, and whether the plan reaches it.

    ``rings`` is the same in whole links, where rings are made of whole links; ``fractional``
    is what rings of any share of a link could carry together, if that was computed. ``proof``
    names the argument: ``links of gpu3``, ``linear program``, ``exact search``.
    """

    bandwidth: float
    met: bool
    rings: int | None = None
    fractional: float | None = None
    proof: str = ""


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
    compute: float | None = None  # seconds that a step computes meanwhile
    unlimited: tuple[str, ...] = ()
    share: float | None = None  # bytes that the busiest rank sends for a byte of the buffer: 1.75, 2, 1.125
    bound: Bound | None = None  # what nothing of this kind can exceed
    assumed: bool = False  # nothing tells the collective, as of a ring that a log names: an all-reduce is taken
    order: str = ""  # where the order of the ranks comes from, in a few words
    nccl: bool = False  # whether NCCL would take the same order
    notes: tuple[str, ...] = ()  # sentences: why it is not more, what was done instead


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """A part of what a model keeps in memory, and its bytes: weights, gradients, activations, kv.

    What an optimizer of 12 bytes per parameter keeps is three parts: master, momentum, variance.
    ``each`` is bytes per element; ``group`` the word of the language that it belongs to.
    """

    name: str
    bytes: float
    each: float = 0
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tank:
    """GPUs with the same in memory: their ids (or none, if they are only counted), how many, and what each holds.

    ``size`` is the memory of one in bytes; more in ``fillings`` than that does not fit. ``gpu`` is
    what one is called in short, empty if they are only counted.
    """

    ids: tuple[str, ...] = ()
    count: int = 1
    size: float
    fillings: tuple[Filling, ...] = ()
    gpu: Text = ""

    @property
    def filled(self) -> float:
        """Return the bytes that one of them would have to hold."""
        return sum(part.bytes for part in self.fillings)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """What one use of a model (inference or training) needs, and how the GPUs are filled by it. All in bytes.

    ``fillings`` are the parts of one copy in the order in which they are stacked, ``needed`` their
    sum. ``tanks`` are the GPUs that there are, ``poured`` so many as it takes at least, filled one
    after the other, for counting. ``fits`` holds if no GPU gets more than its memory; ``shared``
    says how the model is laid: one copy ``evenly``, or by the degrees of the job, ``tp 8, dp 2``;
    ``copies`` is how many copies of the weights there are.
    """

    use: str
    fillings: tuple[Filling, ...]
    needed: float
    gpus_at_least: int
    fits: bool
    tanks: tuple[Tank, ...] = ()
    poured: tuple[Tank, ...] = ()
    shared: str = "evenly"
    copies: int = 1
    unknown: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what is not counted, and the keys that it needs


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFit:
    """Whether a model fits into the memory of the GPUs; bytes, and counts of parameters and GPUs.

    ``per_gpu`` is the memory of the smallest of the ``gpus``, ``memory`` that of all together.
    ``uses`` are in the order of the document: what it takes to run the model, to train it.
    """

    params: float
    gpu: Text  # what the GPU is called, in short
    per_gpu: float
    memory: float
    gpus: int
    uses: tuple[MemoryUse, ...]
    servers_of: int = 8  # GPUs of one server, to round up

    @property
    def fits(self) -> bool:
        """Return whether every use fits."""
        return all(use.fits for use in self.uses)


class Sentence(str):
    """An English sentence that remembers its template and values, so that it can be said in another language.

    >>> Sentence.of("{count} ranks", count="8").template
    '{count} ranks'
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, str]

    @classmethod
    def of(cls, template: str, **values: str) -> Self:
        """Return the template with its fields filled; a value may be a sentence itself."""
        self = cls(template.format(**values))
        self.template, self.values = template, values
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """GPUs that work together for one kind of parallelism: ``kind`` is tp, cp, ep, fsdp, dp or pp.

    ``number`` counts the groups of a kind from 0, by their first rank; ``ranks`` are in the order of
    the group, ``ids`` those of the GPUs.
    """

    kind: str
    number: int
    ranks: tuple[int, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """What all groups of one kind send: ``bytes`` of the busiest GPU in a step, ``rate`` in GB/s one direction.

    ``link`` is the slowest link that carries it, ``leaving`` how many groups leave a scale-up domain.
    None where nothing says it; ``unknown`` are the keys of the document that would tell the bytes.
    ``once`` are the bytes of one message, ``times`` how many of them there are; ``what`` names them.
    ``axes`` are the degrees of the job whose product ``size`` is: gradients are summed over dp and cp.
    """

    kind: str
    size: int
    count: int
    example: Group
    link: str = ""
    link_kind: str = ""
    rate: float | None = None
    bytes: float | None = None
    seconds: float | None = None
    leaving: int = 0
    unknown: tuple[str, ...] = ()
    what: str = ""
    once: float | None = None
    times: float | None = None
    axes: tuple[tuple[str, int], ...] = ()

    @property
    def inside(self) -> bool:
        """Return whether no group leaves a scale-up domain."""
        return not self.leaving


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPlan:
    """A job laid on GPUs: ``ranks`` are their ids in rank order, ``grid`` the axes from the fastest on.

    ``experts`` is the second grid, over the same ranks; ``traffic`` has a row for each kind of group
    with more than one rank, in rank order. ``seconds`` is what a step needs for communication, one
    kind after the other; None if something is not known. ``domains`` numbers the scale-up domain of
    each rank from 0. ``compute`` is how many seconds a step computes meanwhile, where a picture says it,
    and ``exposed`` what of the communication that does not hide.
    """

    ranks: tuple[str, ...]
    grid: Grid
    experts: Grid
    traffic: tuple[Traffic, ...] = ()
    seconds: float | None = None
    warnings: tuple[Sentence, ...] = ()
    domains: tuple[int, ...] = ()
    compute: float | None = None
    exposed: float | None = None

    def group(self, kind: str, number: int = 0) -> Group:
        """Return one group of a kind."""
        ranks = (self.experts if kind in EXPERTS else self.grid).group(kind, number)
        return Group(kind=kind, number=number, ranks=ranks, ids=tuple(self.ranks[rank] for rank in ranks))

    def groups(self, kind: str) -> Iterator[Group]:
        """Yield the groups of a kind; none is made before it is asked for."""
        for number in range((self.experts if kind in EXPERTS else self.grid).count(kind)):
            yield self.group(kind, number)

    def of(self, kind: str) -> Traffic | None:
        """Return the traffic of a kind; None if its groups have one rank."""
        return next((one for one in self.traffic if one.kind == kind), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where the machine as found is not the machine as expected.

    ``what`` is missing, extra, other, less, more or moved. ``nodes`` are the ids of the expected
    topology that it marks; ``ends`` its two ends if it is about a link (empty where the fabric
    as a whole is meant). ``unit`` says what ``expected`` and ``found`` count or name: thing,
    part, links, rate, end, near, fabric, state. ``left`` of ``of`` GB/s in one direction remain to ``suffers``; both
    None if it cannot be told. ``also`` are others that are alike, with the same number;
    ``sharers`` so many things lose the same by it.
    """

    number: int
    what: str
    unit: str
    expected: str
    found: str
    nodes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    kind: str = ""
    suffers: str = ""
    left: float | None = None
    of: float | None = None
    also: tuple[Difference, ...] = ()
    sharers: int = 1

    @property
    def every(self) -> tuple[Difference, ...]:
        """Return this one and those that are alike, each by itself."""
        return (self, *self.also)

    @property
    def cost(self) -> float | None:
        """Return what is lost, in GB/s of one direction, by this and by those that are alike."""
        return None if self.left is None or self.of is None else (self.of - self.left) * len(self.every) * self.sharers


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """A comparison: what was held against what, what differs, and what could not be compared."""

    expected: str = ""
    found: str = ""
    items: tuple[Difference, ...] = ()
    not_compared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where somebody else has put things: size of the ground, middle of each thing, bends of each line, in u.

    ``lines`` are (source, target, kind, points of cubic curves).
    """

    width: float
    height: float
    nodes: Mapping[str, tuple[float, float]]
    lines: tuple[tuple[str, str, str, tuple[tuple[float, float], ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Routes, loads, the bottleneck and the estimate that go with them; memory, job and differences if asked."""

    routes: tuple[Route, ...] = ()
    loads: tuple[Load, ...] = ()
    bottleneck: tuple[Load, ...] = ()
    estimate: Estimate | None = None
    nodes: tuple[str, ...] = ()  # ids of those that take part
    outlined: tuple[str, ...] = ()  # ids of things that the picture points out
    memory: MemoryFit | None = None
    job: JobPlan | None = None
    differences: Differences | None = None
    placement: Placement | None = None


def merged(a: Findings, b: Findings) -> Findings:
    """Return both findings; of what there can be only one, the first."""
    return Findings(
        routes=(*a.routes, *b.routes),
        loads=(*a.loads, *b.loads),
        bottleneck=(*a.bottleneck, *b.bottleneck),
        estimate=a.estimate or b.estimate,
        nodes=(*a.nodes, *b.nodes),
        outlined=(*a.outlined, *b.outlined),
        memory=a.memory or b.memory,
        job=a.job or b.job,
        differences=a.differences or b.differences,
        placement=a.placement or b.placement,
    )
