"""Cuts of a GPU that cannot be, and what would fit instead."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.errors import SpecError
from topoviz.marks import Mark
from topoviz.model.graph import plain
from topoviz.model.mig import Profile, Slices, compute_of, counted, fitting, placed, slices_of, split
from topoviz.model.names import spoken, with_article
from topoviz.model.parts import Catalog
from topoviz.model.report import Report
from topoviz.model.source import Value
from topoviz.model.spelling import nearest
from topoviz.model.topology import Assembly

MOST_SHOWN = 3
SHARED_IN_TIME = "GPUs without MIG can be shared in time (time slicing), which needs no key here"
FORMS = (" SXM", " PCIe")  # a profile goes with the memory of a GPU, not with its form


def check(assembly: Assembly, written: Value, report: Report, catalog: Catalog) -> None:
    """Note what is wrong with the cut of a thing; ``written`` is where the document says ``mig``."""
    slices = slices_of(assembly)
    if slices is None:
        report.later(written.mark, *_not_at_all(assembly), "mig")
        return
    unknown = _unknown(assembly, slices, written, report, catalog)
    if unknown or _wrong_start(assembly, slices, written, report):
        return
    if placed(slices, assembly.mig) is None:
        report.later(written.mark, *_too_much(assembly, slices), "mig")


def called(assembly: Assembly) -> str:
    """Return what the GPU is called in a message: its title, else its part, else its kind; with its article."""
    return with_article(plain(assembly.title) or assembly.part or spoken(assembly.kind))


def _not_at_all(assembly: Assembly) -> tuple[str, str]:
    one = called(assembly)
    if assembly.kind != "gpu":
        inside = assembly.counts.get("gpu", 0)
        hint = "mig stands at the GPUs: changes: [{at: gpu0, mig: …}]" if inside else ""
        return f"{one} cannot be cut: MIG cuts GPUs", hint
    if assembly.preliminary:
        return f"{one} cannot be cut: no MIG profiles of it are published", ""
    if not assembly.source:
        return f"{one} cannot be cut: it has no MIG profiles", "'slices' of a part say how it can be cut"
    return f"{one} cannot be cut: it has no MIG", SHARED_IN_TIME


def _unknown(assembly: Assembly, slices: Slices, written: Value, report: Report, catalog: Catalog) -> bool:
    wrong = False
    for name, mark in _each(assembly, written):
        profile, _ = split(name)
        if slices.profile(profile) is None:
            wrong = True
            report.later(
                mark, f"{called(assembly)} has no profile {profile}", _instead(slices, profile, catalog), "mig"
            )
    return wrong


def _each(assembly: Assembly, written: Value) -> list[tuple[str, Mark]]:
    """Return the profiles as written and their marks; equal ones of ``7 x 1g.10gb`` share a mark."""
    marks = [part.mark for part in written.parts()]
    if len(marks) != len(assembly.mig):
        marks = [written.mark] * len(assembly.mig)
    return list(dict.fromkeys(zip(assembly.mig, marks, strict=True)))


def _instead(slices: Slices, profile: str, catalog: Catalog) -> str:
    found = _in_catalog(profile, catalog)
    if found is not None:
        whose, there = found
        same = [one.name for one in slices.profiles if one.plain and _alike(one, slices, there)]
        return f"{profile} is of the {whose}" + (f"; here it is {same[0]}" if same else f"; {_here(slices)}")
    near = nearest(profile, [one.name for one in slices.profiles])
    return f"did you mean {near}? {_here(slices)}" if near else _here(slices)


def _here(slices: Slices) -> str:
    return f"here are {', '.join(one.name for one in slices.profiles)}"


def _alike(one: Profile, slices: Slices, there: tuple[int, float]) -> bool:
    compute, share = there
    return one.compute == compute and one.memory / slices.memory == share


def _in_catalog(profile: str, catalog: Catalog) -> tuple[str, tuple[int, float]] | None:
    """Return which GPU of the catalog has a profile, and its compute slices and share of memory there."""
    for name in sorted(catalog.names()):
        try:
            body = catalog.get(name)
        except SpecError:  # another part's mistake is no help here
            continue
        profiles = body.slices.get("profiles", {}) if body is not None else {}
        if body is not None and profile in profiles:
            title = plain(body.title) or name
            for form in FORMS:
                title = title.replace(form, "")
            said = profiles[profile]
            return title, (said.get("compute") or compute_of(profile), said["memory"] / body.slices["memory"])
    return None


def _wrong_start(assembly: Assembly, slices: Slices, written: Value, report: Report) -> bool:
    wrong = False
    for name, mark in _each(assembly, written):
        profile, start = split(name)
        known = slices.profile(profile)
        if known is None or start is None or start in known.starts:
            continue
        wrong = True
        ends = f"its memory slices are 0 to {slices.memory - 1}; " if start >= slices.memory else ""
        hint = f"{ends}it may start at {_listed(known.starts)}"
        report.later(mark, f"a {profile} of {called(assembly)} cannot start at memory slice {start}", hint, "mig")
    return wrong


def _listed(starts: Sequence[int]) -> str:
    *first, last = map(str, starts)
    return f"{', '.join(first)} or {last}" if first else last


def _too_much(assembly: Assembly, slices: Slices) -> tuple[str, str]:
    """Return what does not fit and what would: by the number of one profile, else by the first that has no place."""
    names = [split(one)[0] for one in assembly.mig]
    for profile in filter(None, map(slices.profile, dict.fromkeys(names))):
        number = names.count(profile.name)
        if number > (most := _most(slices, profile)):
            return _too_many(assembly, slices, profile, (number, most))
    fit = _longest(slices, assembly.mig)
    left = assembly.mig[len(fit)]
    message = f"{counted(assembly.mig)} do not fit on {called(assembly)}"
    if not fitting(slices, fit):
        return message, f"{counted(fit)} leave{'s' * (len(fit) == 1)} no place for {left}"
    return message, f"beside {counted(fit)} there is no place for {left}; {_beside(slices, fit)}"


def _most(slices: Slices, profile: Profile) -> int:
    """Return how many of one profile fit if there is nothing else."""
    most = 0
    while placed(slices, [profile.name] * (most + 1)) is not None:
        most += 1
    return most


def _too_many(assembly: Assembly, slices: Slices, profile: Profile, numbers: tuple[int, int]) -> tuple[str, str]:
    number, most = numbers
    if most == 1:
        must = f"it must start at memory slice {profile.starts[0]}; " if len(profile.starts) == 1 else ""
        return f"only one {profile.name} fits on {called(assembly)}", must + _beside(slices, [profile.name])
    message = f"{number} x {profile.name} do not fit on {called(assembly)}"
    if number * profile.compute > slices.compute:
        return message, f"it has {slices.compute} compute slices: {most} x {profile.name}"
    takes = f" and {with_article(profile.name)} takes {profile.memory}" if profile.memory > 1 else ""
    return message, f"it has {slices.memory} memory slices{takes}: {most} x {profile.name}"


def _longest(slices: Slices, cut: Sequence[str]) -> tuple[str, ...]:
    """Return the first profiles of a cut, as many as fit together."""
    most = max(number for number in range(len(cut)) if placed(slices, cut[:number]) is not None)
    return tuple(cut[:most])


def _beside(slices: Slices, cut: Sequence[str]) -> str:
    found = [counted(one) for one in fitting(slices, cut)]
    if not found:
        return "nothing fits beside it"
    shown, more = found[:MOST_SHOWN], " and so on" if len(found) > MOST_SHOWN else ""
    fits = "fits" if len(fitting(slices, cut)[0]) == 1 == len(shown) else "fit"
    return f"beside it {fits} {', or '.join(shown)}{more}"
