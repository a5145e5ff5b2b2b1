"""GPUs that are cut by MIG: which there are in a scope, and what a cut uses and leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from topoviz.drawing.messages import say_text
from topoviz.drawing.scope import Scope
from topoviz.model import mig
from topoviz.model.mig import Instance, Slices
from topoviz.model.topology import Assembly, Thing


@dataclass(frozen=True, kw_only=True)
class Cut:
    """GPUs that are cut alike, the instances of one of them, and what is left of it."""

    things: tuple[Thing, ...]
    slices: Slices
    instances: tuple[Instance, ...]

    @property
    def assembly(self) -> Assembly:
        return self.things[0].assembly

    @property
    def sms(self) -> int | None:
        """Return the SMs of the whole GPU; None if nobody stated them."""
        said = self.assembly.facts.get("sms")
        return int(said) if said is not None else None

    @property
    def used(self) -> int | None:
        """Return the SMs of all instances together; None if those of a profile are not published."""
        found = [one.sms for one in self.instances]
        return None if None in found else sum(one for one in found if one is not None)

    @property
    def words(self) -> str:
        """Return the cut in words: ``7 × 1g.10gb``."""
        return mig.counted([one.profile for one in self.instances], times="×")

    @cached_property
    def usable(self) -> frozenset[int]:
        """Return the memory slices that one more instance could still take."""
        return frozenset(column for start, one in self._more for column in range(start, start + one.memory))

    @cached_property
    def computable(self) -> frozenset[int]:
        """Return the compute slices that one more instance could still take."""
        first = self.slices.per_compute
        return frozenset(
            column for start, one in self._more for column in range(start // first, start // first + one.compute)
        )

    @cached_property
    def _more(self) -> tuple[tuple[int, mig.Profile], ...]:
        here = [f"{one.profile}@{one.start}" for one in self.instances]
        return tuple(
            (start, one)
            for one in self.slices.profiles
            for start in one.starts
            if mig.placed(self.slices, [*here, f"{one.name}@{start}"]) is not None
        )

    @property
    def idle_memory(self) -> tuple[int, ...]:
        """Return the memory slices that belong to no instance."""
        taken = {column for one in self.instances for column in range(one.start, one.end)}
        return tuple(column for column in range(self.slices.memory) if column not in taken)

    @property
    def idle_compute(self) -> tuple[int, ...]:
        """Return the compute slices that belong to no instance."""
        ends = [(one.compute_start, one.compute_start + one.compute) for one in self.instances]
        return tuple(k for k in range(self.slices.compute) if not any(first <= k < last for first, last in ends))

    def name(self, lang: str) -> str:
        """Return what the GPU is called: its short name and its memory, else its title."""
        short, memory = self.assembly.facts.get("short"), self.assembly.memory
        if isinstance(short, (str, Mapping)) and memory is not None:
            return f"{say_text(short, lang)} {memory.size / 1e9:g} GB"
        return say_text(self.assembly.title, lang) or self.assembly.part or "GPU"


def cuts_of(roots: Sequence[Thing]) -> tuple[Cut, ...]:
    """Return the GPUs inside that are cut, alike ones together, in the order of the document."""
    found: dict[tuple[str, tuple[Instance, ...]], list[Thing]] = {}
    for root in roots:
        for thing in _cut_inside(root):
            key = (thing.assembly.part, mig.instances(thing.assembly))
            found.setdefault(key, []).append(thing)
    return tuple(cut for (_, made), things in found.items() if (cut := _cut(things, made)) is not None)


def _cut(things: Sequence[Thing], made: tuple[Instance, ...]) -> Cut | None:
    slices = mig.slices_of(things[0].assembly)
    return Cut(things=tuple(things), slices=slices, instances=made) if slices is not None and made else None


def _cut_inside(root: Thing) -> Iterator[Thing]:
    known: dict[Assembly, bool] = {}

    def holds(assembly: Assembly) -> bool:
        if assembly not in known:
            known[assembly] = bool(assembly.mig) or any(holds(inner) for inner, _ in assembly.variety)
        return known[assembly]

    def walk(thing: Thing) -> Iterator[Thing]:
        if thing.assembly.mig:
            yield thing
        for child in thing.children if holds(thing.assembly) else ():
            yield from walk(child)

    yield from walk(root)


def cuts(scope: Scope) -> tuple[Cut, ...]:
    """Return the GPUs of a scope that are cut, alike ones together."""
    return cuts_of(scope.roots)
