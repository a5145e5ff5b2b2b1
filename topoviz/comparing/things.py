"""Devices that are missing, that nobody expected, or that are of another make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topoviz.comparing.case import NETWORK, SCALE_UP, Case
from topoviz.model.findings import Difference
from topoviz.model.graph import plain
from topoviz.model.spec import Port
from topoviz.model.topology import Thing

DEVICES = ("gpu", "nvswitch", "nic", "dpu", "switch")  # a missing one is a difference; CPUs and bridges differ in words
CARDS = ("nic", "dpu")


def things(case: Case) -> Iterator[Difference]:
    """Yield what is to say of devices, kind by kind; only of kinds that the other side knows at all."""
    for kind in DEVICES:
        for thing in case.expected.of_kind(kind):
            if case.other_part(thing.id):
                yield _other(case, thing)
            elif thing.id in case.there:
                yield from _ports(case, thing)
        if not case.knows(kind) or (kind == "nvswitch" and case.joined_otherwise):
            continue
        for thing in case.expected.of_kind(kind):
            if thing.id not in case.there:
                yield _missing(case, thing)
        for thing in case.found.of_kind(kind):
            if thing.id not in case.back:
                yield Difference(
                    number=0, what="extra", unit="thing", expected="0", found="1", nodes=(thing.id,), kind=kind
                )


def _missing(case: Case, thing: Thing) -> Difference:
    told = Difference(
        number=0, what="missing", unit="thing", expected="1", found="0", nodes=(thing.id,), kind=thing.kind
    )
    if thing.kind in CARDS:
        return _without_card(case, thing, told)
    return _without_switch(case, thing, told) if thing.kind in {"nvswitch", "switch"} else told


def _without_card(case: Case, thing: Thing, told: Difference) -> Difference:
    """Return the difference with what the GPU next to the card loses."""
    near = sorted(case.expected.near(thing.id))
    lost = next((one for kind in NETWORK if (one := case.expected.total(thing.id, kind)) is not None), None)
    ports = [port for port in thing.assembly.ports or () if port.kind in NETWORK]
    rate = lost.bandwidth if lost is not None else ports[0].rate.line if ports else None
    return replace(told, suffers=near[0], left=0.0, of=rate) if near and rate else told


def _without_switch(case: Case, thing: Thing, told: Difference) -> Difference:
    """Return the difference with what the GPUs or cards below the switch lose, where all of them lose the same."""
    if case.other_parts & {"gpu", "nvswitch", *CARDS}:
        return told  # another make of machine: what it has less in chips it may have more in each
    lost: dict[tuple[float, float], list[str]] = {}
    for name, link in case.expected.links.get(thing.id, ()):
        whole = case.expected.total(name, link.kind)
        if case.expected.things[name].kind not in {"gpu", *CARDS}:
            continue
        if whole is None or whole.bandwidth is None or link.bandwidth is None:
            return told
        lost.setdefault((whole.bandwidth - link.bandwidth, whole.bandwidth), []).append(name)
    if len(lost) != 1:
        return told
    (((left, of), names),) = lost.items()
    return replace(told, suffers=names[0], left=left, of=of, sharers=len(names))


def _other(case: Case, thing: Thing) -> Difference:
    """Return that a thing is of another make, with the rate of the ports by which others reach it."""
    other = case.found.things[case.there[thing.id]]
    kinds = SCALE_UP if thing.kind == "gpu" else NETWORK if thing.kind in CARDS else ()
    left, of = _rate(other, kinds), _rate(thing, kinds)
    return Difference(
        number=0, what="other", unit="part", expected=_title(thing), found=_title(other), nodes=(thing.id,),
        kind=thing.kind, suffers=thing.id if of else "", left=left if of else None, of=of if left else None,
    )  # fmt: skip


def _title(thing: Thing) -> str:
    """Return what a make is called, in English if it is called differently in every language."""
    return plain(thing.assembly.title) or thing.part


def _rate(thing: Thing, kinds: tuple[str, ...]) -> float | None:
    """Return what the ports of these kinds carry together in one direction, GB/s; None if that is not stated."""
    rates = [_of_port(port) for port in thing.assembly.ports or () if port.kind in kinds]
    known = [rate for rate in rates if rate is not None]
    return sum(known) if known and len(known) == len(rates) else None


def _of_port(port: Port) -> float | None:
    if port.rate.line is None or not isinstance(port.count, int):
        return None
    return port.rate.line if port.shared else port.rate.line * port.count


def _ports(case: Case, thing: Thing) -> Iterator[Difference]:
    """Yield a card of the same make whose network port is slower or faster, where no cable says so."""
    if thing.kind not in CARDS:
        return
    other = case.found.things[case.there[thing.id]]
    for kind in NETWORK:
        if case.expected.total(thing.id, kind) or case.found.total(other.id, kind):
            continue
        of, left = _rate(thing, (kind,)), _rate(other, (kind,))
        if of and left and of != left:
            yield Difference(
                number=0, what="less" if left < of else "more", unit="rate", expected=f"{of:.4g} GB/s",
                found=f"{left:.4g} GB/s", nodes=(thing.id,), kind=kind, suffers=thing.id, left=left, of=of,
            )  # fmt: skip
