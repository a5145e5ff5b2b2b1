"""InfiniBand as its tools see it: ends known by GUID or LID, names that people gave, rates by width and speed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from topoviz.importers.evidence.draft import fit
from topoviz.importers.evidence.fabric import Cable, Fabric, gbit, natural
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told

KINDS: Mapping[str, str] = MappingProxyType({"S": "switch", "H": "adapter", "R": "router"})
WORDS: Mapping[str, str] = MappingProxyType({"SW": "switch", "CA": "adapter", "RT": "router"})
LANE: Mapping[str, float] = MappingProxyType(  # Gb/s of one lane, as its name is rounded
    {"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200}
)
NAMED = ("EDR", "HDR", "NDR", "XDR")  # at four lanes, the rates that documents know by name
INSIDE = re.compile(r"Aggregation Node|SHARP", re.IGNORECASE)
SWITCH = re.compile(r"^MF0;(?P<name>[^:]+)(?::.*)?$")
MODEL = re.compile(
    r"\b(?:MT\d{4,}|ConnectX|Mellanox Technologies|Infiniband|Quantum|SwitchX|Connect-?IB)", re.IGNORECASE
)
UNTOLD = 8  # slow links told one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A port of a switch or an adapter; port 0 is the thing itself."""

    guid: str
    kind: str
    port: int = 0

    def at(self, port: int) -> End:
        return replace(self, port=port)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A cable, with the line that told of it first."""

    a: End
    b: End
    width: int
    speed: str
    line: int

    @property
    def rate(self) -> float:
        """Return Gb/s of the cable, one direction; 0 for a speed that has no name here."""
        return self.width * LANE.get(self.speed, 0)


@dataclass(slots=True, kw_only=True)
class Seen:
    """What a file says, each thing and each cable once."""

    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    cables: dict[frozenset[tuple[str, int]], Joined] = field(default_factory=dict)
    open_ports: int = 0

    def name(self, end: End, name: str, line: int) -> None:
        self.kinds.setdefault(end.guid, end.kind)
        self.lines.setdefault(end.guid, line)
        if name.strip() and not self.names.get(end.guid):
            self.names[end.guid] = name.strip()

    def cable(self, a: End, b: End, width: str, speed: str, line: int) -> None:
        for end in (a, b):
            self.kinds.setdefault(end.guid, end.kind)
            self.lines.setdefault(end.guid, line)
        key = frozenset({(a.guid, a.port), (b.guid, b.port)})
        self.cables.setdefault(key, Joined(a=a, b=b, width=int(width), speed=speed, line=line))


@dataclass(slots=True, kw_only=True)
class _Fabric:
    """A fabric in the making, and what its adapters are called."""

    told: Told
    seen: Seen
    fabric: Fabric = field(default_factory=Fabric)
    cards: dict[str, tuple[str, str]] = field(default_factory=dict)  # GUID -> host, card
    hidden: set[str] = field(default_factory=set)  # aggregation nodes

    def called(self, guid: str) -> str:
        """Return what a person calls a switch or an adapter."""
        name = self.seen.names.get(guid, "")
        found = SWITCH.match(name)
        return " ".join((found["name"] if found else name).split()) or guid


def imported(told: Told, seen: Seen) -> Imported:
    """Return the document of a fabric."""
    made = _Fabric(told=told, seen=seen)
    _switches(made)
    _adapters(made)
    cables = [c for c in seen.cables.values() if not {c.a.guid, c.b.guid} & made.hidden]
    for loop in [one for one in cables if one.a.guid == one.b.guid]:
        said = f"a cable joins port {loop.a.port} and port {loop.b.port} of {made.called(loop.a.guid)}; it is left out"
        told.warn("ib-loop", said, loop.line, hint="pull it, or look whether the file is damaged")
        cables.remove(loop)
    for cable in cables:
        _cable(made, cable)
    _tell_slow(made, cables)
    if not seen.cables:
        told.warn("ib-no-links", "the fabric has no links", hint="a cable may be unplugged, or its port disabled")
    switches = [c for c in cables if c.a.kind == c.b.kind == "switch"]
    counts = {
        "switches": len(made.fabric.switches),
        "adapters": len(made.cards),
        "aggregation_nodes": len(made.hidden),
        "cables": len(cables),
        "switch_switch_cables": len(switches),
        "adapter_cables": len(cables) - len(switches),
        "open_ports": seen.open_ports,
    }
    document: dict[str, Any] = {
        "kind": "cluster",
        **({"note": told.note()} if told.note() else {}),
        **made.fabric.body(),
    }
    return Imported(document=document, told=tuple(told.found), names=_names(made), facts={"counts": counts})


def _names(made: _Fabric) -> dict[str, str]:
    """Return the id of a thing by its GUID and, where no other has it, by its name."""
    ids = dict(made.fabric.switches)
    ids |= {guid: f"{made.fabric.hosts[host]}/{card}" for guid, (host, card) in made.cards.items()}
    times = Counter(made.called(guid) for guid in ids)
    return ids | {made.called(guid): name for guid, name in ids.items() if times[made.called(guid)] == 1}


def _switches(made: _Fabric) -> None:
    switches = {guid: made.called(guid) for guid, kind in made.seen.kinds.items() if kind != "adapter"}
    for guid in sorted(switches, key=lambda one: natural(switches[one])):
        made.fabric.switch(guid, switches[guid])


def _adapters(made: _Fabric) -> None:
    """Take adapters as cards of their hosts; those without a name of their own as hosts by GUID."""
    seen, told = made.seen, made.told
    adapters = {guid: made.called(guid) for guid, kind in seen.kinds.items() if kind == "adapter"}
    made.hidden |= {guid for guid, name in adapters.items() if INSIDE.search(name)}
    if made.hidden:
        told.infer(
            f"{len(made.hidden)} aggregation nodes (SHARP) are inside the switches; they are no hosts and left out"
        )
    times = Counter(name for guid, name in adapters.items() if guid not in made.hidden)
    for name in [name for name, many in times.items() if many > 1 and not MODEL.search(name)]:
        guids = [guid for guid, one in adapters.items() if one == name]
        said = f'"{name}" is used by {len(guids)} GUIDs; each is a host of its own, named by its GUID'
        told.warn("ib-duplicate-name", said, seen.lines[guids[1]], hint="give the hosts names and ask again", word=name)
    unnamed = [guid for guid, name in adapters.items() if guid not in made.hidden and _is_model(name, guid)]
    for guid in unnamed:
        said = "an adapter is named by its model only; it is called by its GUID"
        told.warn("ib-unnamed", said, seen.lines[guid], word=seen.names.get(guid, ""))
    alone = {guid for guid in adapters if guid in unnamed or times[adapters[guid]] > 1}
    for guid in sorted(adapters, key=lambda one: (one in alone, natural(adapters[one]))):
        host, _, card = adapters[guid].partition(" ")
        if guid not in made.hidden:
            made.cards[guid] = (guid, "nic") if guid in alone else (host, fit(card) if card else "nic")
    for host, card in made.cards.values():
        made.fabric.host(host)
        made.fabric.cards.setdefault(host, []).append(card)


def _is_model(name: str, guid: str) -> bool:
    return name == guid or MODEL.search(name) is not None


def _cable(made: _Fabric, cable: Joined) -> None:
    source, target = (cable.a, cable.b) if cable.b.kind != "adapter" else (cable.b, cable.a)
    if target.kind == "adapter":  # two adapters, back to back
        made.told.infer("two adapters are joined without a switch", cable.line)
    host, card = made.cards.get(source.guid, (source.guid, ""))
    target_key = made.cards[target.guid][0] if target.guid in made.cards else target.guid
    made.fabric.cables.append(
        Cable(
            source=host, target=target_key, kind="infiniband", card=card, bandwidth=bandwidth(cable.width, cable.speed)
        )
    )


def bandwidth(width: int, speed: str) -> str:
    """Return the rate of a cable as a document writes it; empty for a speed that has no name here.

    >>> bandwidth(4, "NDR"), bandwidth(2, "HDR"), bandwidth(4, "FDR"), bandwidth(4, "???")
    ('NDR', '100 Gb/s', '56 Gb/s', '')
    """
    if width == 4 and speed in NAMED:
        return speed
    return gbit(width * LANE[speed]) if speed in LANE else ""


def _tell_slow(made: _Fabric, cables: list[Joined]) -> None:
    """Warn of ports that are slower than most of their switch."""
    rates: dict[str, Counter[tuple[float, str]]] = {}
    for cable in cables:
        for end in (cable.a, cable.b):
            rates.setdefault(end.guid, Counter())[cable.rate, f"{cable.width}x{cable.speed}"] += 1
    slow: list[tuple[Joined, End, str]] = []
    for cable in cables:
        for end in (cable.a, cable.b):
            (usual, word), many = rates[end.guid].most_common(1)[0]
            if end.kind == "switch" and cable.rate < usual and 2 * many > rates[end.guid].total():
                slow.append((cable, end, word))
                break
    for cable, end, word in slow[:UNTOLD]:
        said = f"{made.called(end.guid)} port {end.port} is {cable.width}x{cable.speed} while its peers are {word}"
        hint = "a worn cable, an older adapter or a port limited by hand"
        made.told.warn("ib-slow-link", said, cable.line, hint=hint, word=f"{cable.width}x{cable.speed}")
    if len(slow) > UNTOLD:
        said = f"{len(slow) - UNTOLD} more links are slower than their peers"
        made.told.warn("ib-slow-link", said)
