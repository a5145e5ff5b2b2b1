"""Rules that pair the ends of a wire: one small function each.

A rule is given the ends of both sides and gives pairs ``(index, index, links)``.
Rules that join the ends of one side among themselves get that side twice. A rule
that does not fit says so with a ``Misfit``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, prod
from types import MappingProxyType
from typing import TypeAlias

from topoviz.model.names import first_to_last, spoken
from topoviz.model.spec import Selector
from topoviz.model.spelling import listed, number_word
from topoviz.model.topology import Thing

Pair: TypeAlias = tuple[int, int, int]
AMONG = ("ring", "mesh", "torus")  # these take no `to`
OWN_NUMBERS = ("matrix",)  # these say how many links themselves


class Misfit(Exception):  # noqa: N818 - a finding, told as a diagnostic
    """Why a rule does not fit.

    ``key`` is the key of the wire to point at, at its value or (``on_key``) at the word
    itself; ``path`` are indices into a matrix.
    """

    def __init__(
        self, message: str, key: str = "", hint: str = "", path: tuple[int, ...] = (), *, on_key: bool = False
    ) -> None:
        super().__init__(message)
        self.message, self.key, self.hint, self.path, self.on_key = message, key, hint, path, on_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The two sides of a wire and its numbers. ``steps`` is how many steps an owner of a source is up."""

    sources: Sequence[Thing]
    targets: Sequence[Thing]
    source: Selector = ()
    target: Selector | None = None
    links: tuple[int, ...] = (1,)
    shape: tuple[int, ...] = ()
    matrix: tuple[tuple[int, ...], ...] = ()
    owners: Mapping[str, str] | None = None  # of each source, for `rail`
    without: frozenset[str] = frozenset()  # ids that get nothing

    def taken(self, index: int) -> int:
        """Return the number of links to a target: the list taken in turn."""
        return self.links[index % len(self.links)]

    @property
    def said_source(self) -> str:
        return ", ".join(self.source)

    @property
    def said_target(self) -> str:
        return ", ".join(self.target or self.source)


def every(ends: Ends) -> Iterator[Pair]:
    """Yield each source with each target, never with itself, and no two of both sides twice."""
    both = {thing.id for thing in ends.sources} & {thing.id for thing in ends.targets}
    met: set[tuple[str, str]] = set()
    for i, source in enumerate(ends.sources):
        for k, target in enumerate(ends.targets):
            if source.id == target.id or (both and (target.id, source.id) in met):
                continue
            if both:
                met.add((source.id, target.id))
            yield i, k, ends.taken(k)


def pairwise(ends: Ends) -> Iterator[Pair]:
    """Yield the first with the first, the second with the second."""
    a, b = len(ends.sources), len(ends.targets)
    if a != b:
        counts = f"{ends.said_source} has {a}, {ends.said_target} has {b}"
        raise Misfit(f"pairwise needs as many on both sides: {counts}", "rule", _block_instead(ends))
    yield from ((i, i, ends.taken(i)) for i in range(a))


def _block_instead(ends: Ends) -> str:
    few, many = sorted((ends.targets, ends.sources), key=len)
    if len(many) % len(few):
        return ""
    run = len(many) // len(few)
    return f"rule: block puts {number_word(run)} {spoken(many[0].kind, run)} on each {spoken(few[0].kind)}"


def block(ends: Ends) -> Iterator[Pair]:
    """Yield the longer side in equal runs, one run to each of the shorter side."""
    a, b = len(ends.sources), len(ends.targets)
    if max(a, b) % min(a, b):
        raise _uneven(ends)
    run = max(a, b) // min(a, b)
    for i in range(max(a, b)):
        source, target = (i, i // run) if a >= b else (i // run, i)
        yield source, target, ends.taken(target)


def _uneven(ends: Ends) -> Misfit:
    a, b = len(ends.sources), len(ends.targets)
    many, name, few = (
        (ends.sources, ends.said_source, ends.targets) if a >= b else (ends.targets, ends.said_target, ends.sources)
    )
    run = f'"{many[0].group}[0-{ceil(len(many) / len(few)) - 1}]"'
    pair = f"from: {run}, to: {few[0].id}" if a >= b else f"from: {few[0].id}, to: {run}"
    return Misfit(
        f"{len(many)} {name} do not divide into {len(few)} equal blocks",
        "rule",
        f"write the uneven ones out: {{{pair}, …}}",
    )


def rail(ends: Ends) -> Iterator[Pair]:
    """Yield the k-th end inside each owner with target k modulo targets."""
    seen: dict[str, int] = {}
    for i, source in enumerate(ends.sources):
        owner = (ends.owners or {}).get(source.id, "")
        k = seen.get(owner, 0) % len(ends.targets)
        seen[owner] = seen.get(owner, 0) + 1
        yield i, k, ends.taken(k)


def ring(ends: Ends) -> Iterator[Pair]:
    """Yield each with the next, the last with the first; two have one link."""
    number = len(ends.sources)
    for i in range(number if number > 2 else number - 1):
        yield i, (i + 1) % number, ends.taken(i)


def mesh(ends: Ends) -> Iterator[Pair]:
    """Yield each with each other, once."""
    for i in range(len(ends.sources)):
        for k in range(i + 1, len(ends.sources)):
            yield i, k, ends.taken(k)


def torus(ends: Ends) -> Iterator[Pair]:
    """Yield neighbours in every axis of the shape, closed, the last axis fastest; an axis of 2 has one link."""
    places = prod(ends.shape)
    if not ends.shape:
        raise Misfit("rule torus needs 'shape'", "rule", "shape: [4, 4], the last axis fastest")
    if places != len(ends.sources):
        shape = " × ".join(map(str, ends.shape))
        message = f"a torus of {shape} has {places} places, but {ends.said_source} has {len(ends.sources)}"
        raise Misfit(message, "shape", shapes(len(ends.sources)))
    for i in range(places):
        stride = 1
        for side in reversed(ends.shape):
            here = i // stride % side
            if side > 2 or (side == 2 and here == 0):
                yield i, i + ((here + 1) % side - here) * stride, ends.taken(i)
            stride *= side


def shapes(number: int) -> str:
    """Return the cube and the squarest rectangle of so many places, if there are.

    >>> shapes(64), shapes(7)
    ('64 = 4 × 4 × 4 = 8 × 8', '')
    """
    side = round(number ** (1 / 3))
    cube = [f"{side} × {side} × {side}"] if side > 1 and side**3 == number else []
    low = next((low for low in range(int(number**0.5), 1, -1) if number % low == 0), 0)
    flat = [f"{low} × {number // low}"] if low else []
    return " = ".join([str(number), *cube, *flat]) if cube or flat else ""


def matrix(ends: Ends) -> Iterator[Pair]:
    """Yield the links of each pair as written out; of one side only, both halves must agree."""
    rows, columns = len(ends.matrix), len(ends.matrix[0]) if ends.matrix else 0
    if rows != len(ends.sources) or any(len(row) != len(ends.targets) for row in ends.matrix):
        beside = "" if ends.target is None else f" and {ends.said_target} has {len(ends.targets)}"
        raise Misfit(
            f"the matrix is {rows} × {columns}, but {ends.said_source} has {len(ends.sources)}{beside}", "matrix"
        )
    for i, row in enumerate(ends.matrix):
        for k, links in enumerate(row):
            if ends.target is None:
                _check_halves(ends.matrix, i, k)
            if links and (ends.target is not None or k > i):
                yield i, k, links


def _check_halves(numbers: Sequence[Sequence[int]], i: int, k: int) -> None:
    if numbers[i][k] != numbers[k][i]:
        low, high = sorted((i, k))
        one, other = numbers[high][low], numbers[low][high]
        message = f"row {high}, column {low} says {one}, but row {low}, column {high} says {other}"
        raise Misfit(message, "matrix", "a link has two ends: both numbers must agree", (high, low))
    if i == k and numbers[i][k]:
        raise Misfit(f"row {i}, column {i} says {numbers[i][i]}, but nothing is wired to itself", "matrix", "", (i, i))


Rule: TypeAlias = Callable[[Ends], Iterator[Pair]]
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "all": every,
        "pairwise": pairwise,
        "block": block,
        "rail": rail,
        "ring": ring,
        "mesh": mesh,
        "torus": torus,
        "matrix": matrix,
    }
)
MEANT: Mapping[str, str] = MappingProxyType(
    {
        "every": "all",
        "each": "all",
        "all-to-all": "all",
        "full": "all",
        "full-mesh": "mesh",
        "one-to-one": "pairwise",
        "pairs": "pairwise",
        "zip": "pairwise",
        "blocks": "block",
        "rails": "rail",
        "grid": "torus",
    }
)


def paired(rule: str, ends: Ends) -> Iterable[Pair]:
    """Return the pairs of a rule.

    Raises:
        Misfit: the rule does not fit the ends.
    """
    if rule in AMONG and ends.target is not None:
        everyone = number_word(len(ends.sources) + len(ends.targets))
        a, b = ends.said_source, ends.said_target
        hint = f"from: [{a}, {b}] for one {rule} of {everyone}, rule: all for every {a} with every {b}"
        raise Misfit(f"{rule} joins the ends of 'from' with each other and takes no 'to'", "to", hint, on_key=True)
    if rule not in (*AMONG, *OWN_NUMBERS) and ends.target is None:
        raise Misfit(f"rule {rule} needs 'to'", "rule", "without 'to' there are ring, mesh, torus and matrix")
    if rule not in OWN_NUMBERS and len(ends.targets) % len(ends.links):
        raise Misfit(
            f"links has {len(ends.links)} numbers for {len(ends.targets)} targets", "links", _cycles(ends.targets)
        )
    return _without_loops(RULES[rule](ends), ends)


def _cycles(targets: Sequence[Thing]) -> str:
    number = len(targets)
    fits = [str(divisor) for divisor in range(1, number + 1) if number % divisor == 0]
    return f"one number for all, or {listed(fits)} numbers taken in turn over {first_to_last([thing.id for thing in targets])}"


def _without_loops(pairs: Iterable[Pair], ends: Ends) -> Iterator[Pair]:
    """Yield the pairs of two things; a wire that has none but loops, or asks for one, does not fit."""
    some = False
    for source, target, links in pairs:
        some = True
        if ends.sources[source].id == ends.targets[target].id:
            raise Misfit(f"{ends.sources[source].id} cannot be wired to itself", "to")
        if ends.sources[source].id not in ends.without and ends.targets[target].id not in ends.without:
            yield source, target, links
    if not some and len(ends.sources) == 1 and ends.target is not None and not ends.matrix:
        raise Misfit(f"{ends.sources[0].id} cannot be wired to itself", "to")
