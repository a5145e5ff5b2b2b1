"""MIG: how one GPU is cut into instances, placed on its memory slices.

A part says under ``slices`` how it can be cut: how many compute and memory slices it has,
and its profiles. An instance lies on memory slices; a profile may start at some of them only.
Its compute slices stand over the first of its memory slices, so two 3g instances leave one
compute slice between them that nobody can use. SMs are stated per profile: they are not
slices times a constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoviz.model.topology import Assembly


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One way to make an instance: how many slices it takes, and at which memory slices it may start."""

    name: str
    compute: int
    memory: int
    starts: tuple[int, ...]
    most: int | None = None  # so many of them on one GPU
    sms: int | None = None  # None: not published

    @property
    def plain(self) -> bool:
        """Whether the profile says nothing of media or graphics engines (``+me``, ``-me``, ``+gfx``)."""
        return self.name.replace(".", "").isalnum()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slices:
    """How a GPU can be cut: its slices and its profiles, in the order of the part."""

    compute: int
    memory: int
    profiles: tuple[Profile, ...]

    @property
    def per_compute(self) -> int:
        """Return how many memory slices stand under one compute slice."""
        return max(1, self.memory // self.compute)

    def profile(self, name: str) -> Profile | None:
        """Return the profile of that name; None if there is none."""
        return next((one for one in self.profiles if one.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One instance in its place: memory slices ``start`` and the ``length - 1`` after it."""

    profile: str
    start: int
    length: int
    compute_start: int
    compute: int
    sms: int | None  # None: not published for this profile
    memory: float  # GB, as the name of the profile says

    @property
    def end(self) -> int:
        """Return the first memory slice behind it."""
        return self.start + self.length


def slices_of(assembly: Assembly) -> Slices | None:
    """Return how a GPU can be cut; None if it has no MIG.

    >>> from topoviz.model.topology import Assembly
    >>> slices_of(Assembly(kind="gpu")) is None
    True
    """
    found = assembly.slices
    if not found:
        return None
    profiles = tuple(_profile(name, one) for name, one in found.get("profiles", {}).items())
    memory = int(found["memory"])
    compute = int(found.get("compute") or memory)
    return Slices(compute=compute, memory=memory, profiles=profiles)


def _profile(name: str, said: Mapping[str, Any]) -> Profile:
    starts = said["at"]
    return Profile(
        name=name,
        compute=int(said.get("compute") or compute_of(name)),
        memory=int(said["memory"]),
        starts=tuple(int(one) for one in (starts if isinstance(starts, (list, tuple)) else (starts,))),
        most=said.get("most"),
        sms=said.get("sms"),
    )


def compute_of(profile: str) -> int:
    """Return the compute slices that the name of a profile says.

    >>> compute_of("3g.40gb@4"), compute_of("1g.10gb+me")
    (3, 1)
    """
    digits = profile.partition(".")[0].rstrip("gc")
    return int(digits) if digits.isdigit() else 1


def gigabytes(profile: str) -> float:
    """Return the memory in GB that the name of a profile says; 0 if it says none.

    >>> gigabytes("3g.40gb"), gigabytes("1g.24gb+me.all")
    (40.0, 24.0)
    """
    said = profile.partition(".")[2].lower().partition("gb")[0]
    return float(said) if said.isdigit() else 0.0


def split(written: str) -> tuple[str, int | None]:
    """Return the profile and the memory slice at which it is to start; None if that is free.

    >>> split("3g.40gb@4"), split("7g.80gb")
    (('3g.40gb', 4), ('7g.80gb', None))
    """
    name, _, start = written.partition("@")
    return name, int(start) if start else None


def placed(slices: Slices, cut: Sequence[str]) -> tuple[Instance, ...] | None:
    """Return the instances by their first memory slice; None if they do not all fit.

    Each takes the lowest place that leaves room for those after it. Names are to be known.

    >>> from topoviz.model.mig import Profile, Slices, placed
    >>> halves = Slices(compute=7, memory=8, profiles=(Profile(name="3g.40gb", compute=3, memory=4, starts=(0, 4)),))
    >>> [one.start for one in placed(halves, ["3g.40gb@4", "3g.40gb"])]
    [0, 4]
    >>> placed(halves, ["3g.40gb"] * 3) is None
    True
    """
    wanted = [(_known(slices, name), start) for name, start in map(split, cut)]
    for profile, _ in wanted:
        number = sum(other.name == profile.name for other, _ in wanted)
        if profile.most is not None and number > profile.most:
            return None
    if sum(profile.compute for profile, _ in wanted) > slices.compute:
        return None
    starts = _starts(slices, wanted)
    if starts is None:
        return None
    found = [_instance(slices, profile, start) for (profile, _), start in zip(wanted, starts, strict=True)]
    return tuple(sorted(found, key=lambda one: one.start))


def _known(slices: Slices, name: str) -> Profile:
    found = slices.profile(name)
    if found is None:
        raise KeyError(name)
    return found


def _starts(slices: Slices, wanted: Sequence[tuple[Profile, int | None]]) -> list[int] | None:
    """Return a start for each, those that are fixed first; None if there is no way."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i][1] is None)
    found = _search(slices, [wanted[i] for i in order], frozenset(), set())
    if found is None:
        return None
    return [start for _, start in sorted(zip(order, found, strict=True))]


def _search(
    slices: Slices,
    wanted: Sequence[tuple[Profile, int | None]],
    taken: frozenset[int],
    failed: set[tuple[int, frozenset[int]]],
) -> list[int] | None:
    """Return starts for all that are left, the lowest first; ``failed`` keeps what was tried in vain."""
    if not wanted:
        return []
    key = (len(wanted), taken)
    if key in failed:
        return None
    profile, fixed = wanted[0]
    for start in profile.starts if fixed is None else (fixed,):
        here = frozenset(range(start, start + profile.memory))
        if start not in profile.starts or here & taken or start + profile.memory > slices.memory:
            continue
        rest = _search(slices, wanted[1:], taken | here, failed)
        if rest is not None:
            return [start, *rest]
    failed.add(key)
    return None


def _instance(slices: Slices, profile: Profile, start: int) -> Instance:
    return Instance(
        profile=profile.name,
        start=start,
        length=profile.memory,
        compute_start=start // slices.per_compute,
        compute=profile.compute,
        sms=profile.sms,
        memory=gigabytes(profile.name),
    )


def instances(assembly: Assembly) -> tuple[Instance, ...]:
    """Return the instances that a GPU is cut into; nothing if it is not cut."""
    slices = slices_of(assembly)
    return (placed(slices, assembly.mig) or ()) if slices is not None and assembly.mig else ()


def row(one: Instance) -> dict[str, object]:
    """Return an instance for programs: memory in GB, SMs None where they are not published."""
    return {
        "profile": one.profile,
        "memory_slice": one.start,
        "memory_slices": one.length,
        "compute_slices": one.compute,
        "sms": one.sms,
        "memory": one.memory,
    }


def fitting(slices: Slices, cut: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return what fits beside a cut, each as large as can be: largest profiles first, one profile per size.

    Of profiles with the same number of compute slices the one with least memory counts.
    """
    sizes: dict[int, Profile] = {}
    for one in slices.profiles:
        if one.plain and (one.compute not in sizes or one.memory < sizes[one.compute].memory):
            sizes[one.compute] = one
    names = [sizes[size].name for size in sorted(sizes, reverse=True)]
    return tuple(_fillings(slices, tuple(cut), names))


def _fillings(slices: Slices, cut: tuple[str, ...], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the fillings by the names, in order; one with a smaller name only where no larger one fits any more."""
    found: list[tuple[str, ...]] = []
    for i, name in enumerate(names):
        if placed(slices, (*cut, name)) is None:
            continue
        rest = _fillings(slices, (*cut, name), names[i:])
        found += [(name, *one) for one in rest] if rest else [(name,)]
    whole = [one for one in found if not _room(slices, (*cut, *one), names)]
    return list(dict.fromkeys(whole))


def _room(slices: Slices, cut: Sequence[str], names: Sequence[str]) -> bool:
    return any(placed(slices, (*cut, name)) is not None for name in names)


def counted(cut: Sequence[str], between: str = " + ", times: str = "x") -> str:
    """Return a cut in words: equal profiles counted, in order of first appearance.

    >>> counted(["2g.20gb", "2g.20gb", "1g.10gb"]), counted(["1g.10gb"] * 7, times="×")
    ('2 x 2g.20gb + 1g.10gb', '7 × 1g.10gb')
    """
    numbers: dict[str, int] = {}
    for one in cut:
        numbers[one] = numbers.get(one, 0) + 1
    return between.join(f"{number} {times} {name}" if number > 1 else name for name, number in numbers.items())
