"""A link whose two ends have different speeds.

Why: a link runs at the slower end (a 400 Gb/s card at an 800 Gb/s port gives
50 GB/s per direction), so what the faster end has more is paid for and never used.
It is a note where it may well be meant: a part that somebody exchanged, preliminary numbers,
and PCIe, which negotiates down by design (told only where the slot slows a GPU or a card down).
To mend: take a part of the same speed, or give the wire a ``bandwidth``: then it is meant.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import Ground, copies, warning
from topoviz.model.names import what
from topoviz.model.ports import port_of, said_rate
from topoviz.model.sites import Site
from topoviz.model.spec import Port
from topoviz.model.topology import Assembly, Link
from topoviz.model.where import mark_of_link, wire_of

HINT = (
    "a link runs at its slower end; take a part of the same speed, or give the wire a bandwidth to say that it is meant"
)
DEVICES = ("gpu", "nic", "dpu")


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield one finding for each pair of parts that are joined at different speeds, in each type of thing."""
    for site in ground.owners:
        met: dict[Hashable, None] = {}
        assembly = site.thing.assembly
        ends = {end: assembly.at(end) for link in assembly.links for end in (link.source, link.target)}
        for link in assembly.links:
            one, other = ends[link.source], ends[link.target]
            if one and other and link.state == "up" and (one, other, link.kind) not in met:
                met[one, other, link.kind] = None
                yield from _compared(site, link, one, other)


def _compared(site: Site, link: Link, one: Assembly, other: Assembly) -> Iterator[Diagnostic]:
    ports = port_of(one, link.kind), port_of(other, link.kind)
    if ports[0] is None or ports[1] is None:
        return
    fast, slow = sorted(((one, ports[0]), (other, ports[1])), key=lambda end: -_line(end[1]))
    if not _differ(fast[1], slow[1]) or (link.kind == "pcie" and not _slowed(fast[0], slow[0])):
        return
    wire = wire_of(site.thing, link)
    if wire is not None and wire.rate is not None:
        return
    open_ = link.kind == "pcie" or one.preliminary or other.preliminary
    severity = "note" if open_ else "warning"
    said = f"{what(fast[0])} has {said_rate(fast[1].rate)}, {what(slow[0])} has {said_rate(slow[1].rate)}"
    message = f"{link.kind} links of {site.thing.id or 'the machine'} have two speeds: {said}, which is what they carry"
    yield warning("speed-mismatch", mark_of_link(site.thing, link), message + copies(site), HINT, severity=severity)


def _slowed(fast: Assembly, slow: Assembly) -> bool:
    return fast.kind in DEVICES and slow.kind not in DEVICES


def _line(port: Port) -> float:
    return port.rate.line or 0.0


def _differ(fast: Port, slow: Port) -> bool:
    stated = fast.rate.line is not None and slow.rate.line is not None
    return stated and not fast.shared and not slow.shared and _line(fast) > _line(slow) * 1.001
