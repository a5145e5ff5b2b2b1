"""iblinkinfo, also with -l: every port of an InfiniBand fabric, how fast it is, and what is at its other end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from topoviz.importers.evidence import infiniband
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.infiniband import End, Seen
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

HEAD = re.compile(r"(?P<kind>CA|Switch|Router|RT): (?:0x(?P<guid>[0-9a-f]+) )?(?P<name>.*):\s*$")
ROW = re.compile(
    r'\s*(?:0x(?P<guid>[0-9a-f]+)\s+)?(?:"(?P<name>[^"]*)"\s+)?(?P<lid>\d+)\s+(?P<port>\d+)\[[^\]]*\]\s*'
    r"==\((?P<link>.*?)\)==>\s*(?P<peer>.*)$"
)
PEER = re.compile(
    r'(?:0x(?P<guid>[0-9a-f]+)\s+)?(?P<lid>\d+)\s+(?P<port>\d+)\[[^\]]*\]\s*"(?P<name>[^"]*)"\s*\((?P<rest>.*)\)\s*$'
)
LINK = re.compile(r"\s*(?P<width>\d+)X\s+(?P<rate>[\d.]+)\s+Gbps(?:\s+\(\w+\))?\s+\w+/")
DOWN = re.compile(r"\s*(?:\d+X\s.*)?Down/")
KINDS: Mapping[str, str] = MappingProxyType({"CA": "adapter", "Switch": "switch", "Router": "router", "RT": "router"})
SPEEDS: Mapping[str, str] = MappingProxyType(  # Gb/s of one lane as iblinkinfo prints it
    {"2.5": "SDR", "5.0": "DDR", "10.0": "QDR", "14.0625": "FDR", "25.78125": "EDR", "53.125": "HDR"}
    | {"106.25": "NDR", "212.5": "XDR", "100.0": "NDR", "50.0": "HDR", "25.0": "EDR"}
)
SWITCHES = re.compile(r"MF0;|Quantum|Switch-?(?:IB|X)|Infiniscale", re.IGNORECASE)
CUT = "the file may be cut; copy all that iblinkinfo wrote"
UNTOLD = infiniband.UNTOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A port that is up: its own end and that of its peer, by what the line says of them."""

    end: End
    name: str
    peer: re.Match[str]
    width: str
    speed: str
    line: int


@dataclass(slots=True)
class _File:
    """The rows of a file, and to whom each LID belongs."""

    rows: list[Row] = field(default_factory=list)
    owners: dict[str, End] = field(default_factory=dict)  # LID -> its switch or adapter
    open_ports: int = 0


def recognises(text: str) -> float:
    """Return how surely a text comes from iblinkinfo."""
    return 0.95 if re.search(r"^[^\n]*\d\[[^\]\n]*\] *==\([^\n]*\)==>", text, re.MULTILINE) else 0.0


def read(source: Source) -> Imported:
    """Return the fabric, every cable once. Raises SpecError."""
    told, seen, file = Told(source), Seen(), _File()
    _rows(source, file)
    seen.open_ports = file.open_ports
    for row in file.rows:
        seen.name(row.end, row.name, row.line)
    for row in file.rows:
        other = _other(file, row)
        seen.name(other, row.peer["name"], row.line)
        seen.cable(row.end, other, row.width, row.speed, row.line)
    _tell_faster(told, file)
    if not file.rows and not file.open_ports:
        raise wrong(source, 1, "there is no port here", hint=CUT, code="ib-nothing")
    return infiniband.imported(told, seen)


def _rows(source: Source, file: _File) -> None:
    """Read the ports, below the heading of their switch or adapter or, with ``-l``, each with its name. Raises SpecError."""
    kind, guid, name = "", "", ""
    for at, line in enumerate(clean(source.text).split("\n"), 1):
        head, row = HEAD.match(line), ROW.match(line)
        if head:
            kind, guid, name = KINDS[head["kind"]], head["guid"] or "", head["name"].strip()
        elif row:
            called = (row["name"] if row["name"] is not None else name).strip()
            own = row["guid"] if row["name"] is not None else guid or row["guid"]
            if not own:
                raise wrong(source, at, "this port stands below no switch and no adapter", hint=CUT, code="ib-cut")
            guid = guid if row["name"] is not None else own  # further ports of an adapter belong to the first
            word = kind if row["name"] is None and kind else _kind(called)
            _row(source, file, End(guid=own, kind=word, port=int(row["port"])), called, row, at)
        elif line.strip() and not line.startswith("#"):
            raise wrong(source, at, "this is no line of iblinkinfo", hint=CUT, code="ib-line")


def _row(source: Source, file: _File, end: End, name: str, row: re.Match[str], line: int) -> None:
    file.owners.setdefault(row["lid"], end)
    if DOWN.match(row["link"]):
        file.open_ports += 1
        return
    link, peer = LINK.match(row["link"]), PEER.match(row["peer"])
    if link is None:
        raise wrong(source, line, "this port has no width and speed, such as 4X 106.25 Gbps", hint=CUT, code="ib-cut")
    if peer is None:
        raise wrong(source, line, "the other end of this cable is missing", hint=CUT, code="ib-cut")
    speed = SPEEDS.get(link["rate"], link["rate"])
    file.rows.append(Row(end=end, name=name, peer=peer, width=link["width"], speed=speed, line=line))


def _other(file: _File, row: Row) -> End:
    """Return the other end: by its GUID where the line has one, else by the LID that its own port has."""
    owner = file.owners.get(row.peer["lid"])
    kind = owner.kind if owner else _kind(row.peer["name"])
    guid = row.peer["guid"] or (owner.guid if owner else f"lid-{row.peer['lid']}")
    return End(guid=guid, kind=kind, port=int(row.peer["port"]))


def _kind(name: str) -> str:
    """Return what a thing is by its name, where nothing else says it: hosts are called ``host mlx5_0``."""
    return "switch" if SWITCHES.search(name) or " " not in name.strip() else "adapter"


def _faster(file: _File) -> Iterator[tuple[Row, str]]:
    """Yield each cable of which the fabric says that it could be faster."""
    known: set[frozenset[tuple[str, int]]] = set()
    for row in file.rows:
        other = _other(file, row)
        key = frozenset({(row.end.guid, row.end.port), (other.guid, other.port)})
        if "Could be" in row.peer["rest"] and key not in known:
            known.add(key)
            yield row, " ".join(row.peer["rest"].split())


def _tell_faster(told: Told, file: _File) -> None:
    """Warn of cables that both ends could run faster."""
    found = list(_faster(file))
    for row, said in found[:UNTOLD]:
        text = f"port {row.end.port} of {row.name or row.end.guid} runs at {row.width}x{row.speed}: {said}"
        told.warn("ib-could-be-faster", text, row.line, hint="a worn cable, or a port limited by hand", word="Could be")
    if len(found) > UNTOLD:
        told.warn("ib-could-be-faster", f"{len(found) - UNTOLD} more links could be faster")
