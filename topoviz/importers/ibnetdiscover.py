"""ibnetdiscover, also with -p: switches, adapters and cables of an InfiniBand fabric."""

from __future__ import annotations

import re

from topoviz.importers.evidence import infiniband
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.infiniband import End, Seen
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

BLOCK = re.compile(r'(?P<kind>Switch|Ca|Rt)\s+(?P<ports>\d+)\s+"(?P<id>[SHR]-[0-9a-f]+)"\s*#\s*"(?P<name>[^"]*)"')
PORT = re.compile(
    r'\[(?P<port>\d+)\](?:\([0-9a-f]+\))?\s+"(?P<id>[SHR]-[0-9a-f]+)"\[(?P<other>\d+)\](?:\([0-9a-f]+\))?'
)
RATE = re.compile(r"(?P<width>\d+)x(?P<speed>[A-Z]+)\d*\s*$")
GUID = r"0x(?P<{0}guid>[0-9a-f]+)"
ONE = r"(?P<{0}kind>CA|SW|RT)\s+(?P<{0}lid>\d+)\s+(?P<{0}port>\d+)\s+" + GUID
LINE = re.compile(
    ONE.format("a") + r"\s+(?P<width>\d+)x\s+(?P<speed>\S+)(?:\s+-\s+" + ONE.format("b") + r")?(?P<rest>.*)"
)
NAMES = re.compile(r"\(\s*'(?P<a>.*?)'\s+-\s+'(?P<b>.*?)'\s*\)\s*$")
LISTED = re.compile(r"^(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-f]+\s+\d+x\s", re.MULTILINE)


def recognises(text: str) -> float:
    """Return how surely a text comes from ibnetdiscover."""
    head = text[:1_000_000]
    blocks = re.search(r'^(?:Switch|Ca)\s+\d+\s+"[SH]-[0-9a-f]+"', head, re.MULTILINE)
    return 0.95 if blocks or LISTED.search(head) or "\nvendid=0x" in head else 0.0


def read(source: Source) -> Imported:
    """Return the fabric, every cable once. Raises SpecError."""
    told, seen = Told(source), Seen()
    text = clean(source.text)
    (_read_list if LISTED.search(text) else _read_blocks)(source, seen, text)
    return infiniband.imported(told, seen)


def _read_blocks(source: Source, seen: Seen, text: str) -> None:
    owner: End | None = None
    cut = ""
    for at, line in enumerate(text.split("\n"), 1):
        head, port = BLOCK.match(line), PORT.match(line)
        if head:
            owner = End(guid=head["id"][2:], kind=infiniband.KINDS[head["id"][0]])
            seen.name(owner, head["name"], at)
        elif port and owner is not None:
            rate = RATE.search(line)
            if rate is None:
                raise wrong(
                    source, at, "this port has no width and speed, such as 4xNDR", hint=cut or CUT, code="ib-cut"
                )
            other = End(guid=port["id"][2:], kind=infiniband.KINDS[port["id"][0]], port=int(port["other"]))
            seen.cable(owner.at(int(port["port"])), other, rate["width"], rate["speed"], at)
        elif line.strip() and not re.match(
            r"#|vendid=|devid=|sysimgguid=|switchguid=|caguid=|rtguid=|Initiated|\s*$", line
        ):
            raise wrong(source, at, "this is no line of ibnetdiscover", hint=CUT, code="ib-line")
    if owner is None:
        raise wrong(source, 1, "there is neither a switch nor an adapter here", hint=CUT, code="ib-nothing")


CUT = "the file may be cut; copy all that ibnetdiscover wrote"


def _read_list(source: Source, seen: Seen, text: str) -> None:
    """Read the port list of ``ibnetdiscover -p``."""
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = LINE.match(line)
        if found is None:
            raise wrong(source, at, "this is no line of ibnetdiscover -p", hint=CUT, code="ib-line")
        a = End(guid=found["aguid"], kind=infiniband.WORDS[found["akind"]], port=int(found["aport"]))
        if found["bguid"] is None:
            seen.name(a, found["rest"].strip().strip("'"), at)
            seen.open_ports += 1
            continue
        names = NAMES.search(found["rest"])
        if names is None:
            raise wrong(source, at, "the names of both ends are missing", hint=CUT, code="ib-cut")
        b = End(guid=found["bguid"], kind=infiniband.WORDS[found["bkind"]], port=int(found["bport"]))
        seen.name(a, names["a"], at)
        seen.name(b, names["b"], at)
        seen.cable(a, b, found["width"], found["speed"], at)
