"""Ports: what a link between two of them carries, and whether there are enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from topoviz.marks import Mark
from topoviz.model.names import run, what
from topoviz.model.report import Report
from topoviz.model.spec import Port, Rate
from topoviz.model.spelling import listed
from topoviz.model.topology import Assembly, Link, Thing

BETWEEN_CPUS = ("upi", "qpi", "xgmi", "smp")
# What NCCL's search counts between two CPUs, all links together, in GB/s (LANGUAGE §5).
NCCL_BETWEEN_CPUS: Mapping[str, float] = MappingProxyType(
    {"xeon-broadwell": 6, "xeon-skylake": 10, "xeon-spr": 22, "xeon-emr": 40, "epyc-rome": 16, "epyc-genoa": 16}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """What one link carries: GB/s in one direction, None if nobody says; its name."""

    line: float | None
    nccl: float | None
    link: str = ""
    twin: bool = False

    def link_of(self, source: str, target: str, kind: str, links: int) -> Link:
        """Return so many such links between two ends."""
        return Link(
            source=source,
            target=target,
            kind=kind,
            links=links,
            bandwidth=None if self.line is None else self.line * links,
            nccl=None if self.nccl is None else self.nccl * links,
            link=self.link,
            twin=self.twin,
        )


def port_of(assembly: Assembly, kind: str) -> Port | None:
    """Return the ports of a kind on a thing; None if it has none or says nothing about ports."""
    return next((port for port in assembly.ports or () if port.kind == kind), None)


def lane(one: Assembly, other: Assembly, kind: str, wire: Rate | None = None) -> Lane:
    """Return what a link between two things carries: the slower port, or less if the wire says so."""
    ports = [port for port in (port_of(one, kind), port_of(other, kind)) if port is not None]
    rates = [port.rate for port in ports]
    slower = min((rate for rate in rates if rate.line is not None), key=_line, default=rates[0] if rates else None)
    if wire is not None and (
        slower is None or slower.line is None or (wire.line is not None and wire.line < slower.line)
    ):
        slower = wire
    twin = any(port.twin for port in ports)
    if slower is None:
        return Lane(line=None, nccl=None, twin=twin)
    counted = [rate.nccl for rate in rates if rate.nccl is not None]
    nccl = min([*counted, slower.nccl]) if slower.nccl is not None else None
    return Lane(line=slower.line, nccl=nccl, link=slower.link, twin=twin)


def _line(rate: Rate) -> float:
    return rate.line if rate.line is not None else 0.0


def between_cpus(link: Link, one: Assembly, other: Assembly) -> float | None:
    """Return what NCCL counts for all links between two CPUs together; None if it has no number for the pair."""
    if link.kind not in BETWEEN_CPUS or one.kind != "cpu" or other.kind != "cpu":
        return link.nccl
    known = [NCCL_BETWEEN_CPUS.get(each.part) for each in (one, other)]
    return known[0] if known[0] is not None and known[0] == known[1] else link.nccl


def said_ports(assembly: Assembly) -> str:
    """Return the ports of a thing in a sentence, such as ``pcie (8 x PCIe 5.0 x16)``."""
    return listed([f"{port.kind} ({_written(port)})" for port in assembly.ports or ()], "and")


def _written(port: Port) -> str:
    rate = port.rate.written or port.rate.link or (f"{port.rate.line:g} GB/s" if port.rate.line is not None else "?")
    return rate if port.count == 1 else f"{port.count} x {rate}"


def said_rate(rate: Rate) -> str:
    """Return a rate with its name, in bits and in bytes: ``NDR, 400 Gb/s = 50 GB/s``."""
    if rate.line is None:
        return rate.link or "?"
    numbers = f"{rate.line * 8:g} Gb/s = {rate.line:g} GB/s"
    return f"{rate.link}, {numbers}" if rate.link else numbers


@dataclass(slots=True, kw_only=True)
class Budget:
    """How many ports the links of one assembly take, on top of those that links inside its children take."""

    top: Assembly
    inside: Mapping[Assembly, Mapping[tuple[str, str], int]]
    report: Report
    used: dict[tuple[str, str], int] = field(default_factory=dict)
    told: set[tuple[str, str]] = field(default_factory=set)

    def take(self, link: Link) -> None:
        """Count the two ports of a link."""
        for end in (link.source, link.target):
            self.used[end, link.kind] = self.used.get((end, link.kind), 0) + link.links

    def need(self, thing: Thing, kind: str) -> int:
        """Return how many links of a kind end at a thing so far, those inside included."""
        return self.used.get((thing.id, kind), 0) + self._deeper(thing.id, kind)

    def _deeper(self, path: str, kind: str) -> int:
        number, here, rest = 0, self.top, path
        while "/" in rest:
            name, _, rest = rest.partition("/")
            here = here.children[here.places[name]].assembly
            number += self.inside.get(here, {}).get((rest, kind), 0)
        return number

    def short(self, things: Sequence[Thing], kind: str) -> tuple[list[Thing], int, int]:
        """Return those things that need more ports than they have, how many they need and have; the first sort only."""
        found: list[Thing] = []
        first = (0, 0)
        for thing in things:
            port = port_of(thing.assembly, kind)
            if port is None or (thing.id, kind) in self.told:
                continue
            numbers = (self.need(thing, kind), int(port.count))
            if numbers[0] > numbers[1] and (not found or (numbers == first and found[0].part == thing.part)):
                found.append(thing)
                first = numbers
        return found, *first

    def check(self, things: Sequence[Thing], kind: str, mark: Mark, hint: Callable[[], str] = str) -> None:
        """Note a mistake if things have too few ports for their links; the hint is made only then."""
        short, need, have = self.short(things, kind)
        if short:
            message = f"{run(short)} would have {need} {kind} links, but {what(short[0].assembly)} has {have} port{'s' * (have != 1)}"
            self.report.error(mark, message, hint(), "too-few-ports")
            self.told |= {(thing.id, kind) for thing in short}


def check_port(things: Sequence[Thing], kind: str, mark: Mark, report: Report, hint: str = "") -> bool:
    """Return whether all things can have links of a kind; note the first that cannot."""
    without = next((t for t in things if t.assembly.ports is not None and port_of(t.assembly, kind) is None), None)
    if without is not None:
        ports = said_ports(without.assembly)
        message = f"{what(without.assembly)} has no {kind} port"
        report.error(mark, message, hint or (f"it has {ports}" if ports else "it has no ports"), "no-such-port")
    return without is None
