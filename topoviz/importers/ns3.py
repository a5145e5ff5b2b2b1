"""ns-3 topology files of network simulators: nodes, switches, and a line for each link with its rate and delay."""

from __future__ import annotations

import re
from collections.abc import Sequence

from topoviz.errors import SpecError
from topoviz.importers.evidence.fabric import Cable, Fabric, gbit
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

FIRST = re.compile(r"\s*(\d+)\s+(\d+)\s+(\d+)\s*")
RATE = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[KMGT]?)bps", re.IGNORECASE)
DELAY = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>ns|us|ms|s)")
GBIT = {"": 1e-9, "K": 1e-6, "M": 1e-3, "G": 1.0, "T": 1e3}
NANO = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
LINK = re.compile(r"\s*\d+\s+\d+\s+[\d.]+[KMGT]?bps\s", re.IGNORECASE)
SLOWEST = 1e-6  # Gb/s: a thousand bits in a second
MOST = 1_000_000  # nodes


def recognises(text: str) -> float:
    """Return how surely a text is a topology of ns-3: three numbers, numbers of switches, links with rates."""
    lines = clean(text[:200_000]).split("\n")
    if len(lines) < 3 or not FIRST.fullmatch(lines[0]) or not re.fullmatch(r"[\d\s]*", lines[1]):
        return 0.0
    return 0.9 if any(LINK.match(f"{line} ") for line in lines[2:]) else 0.3


def read(source: Source) -> Imported:
    """Return the network. Lines beyond the promised number of links are not read, as in ns-3. Raises SpecError."""
    told = Told(source)
    lines = clean(source.text).split("\n")
    nodes, many, promised = _head(source, lines[0])
    switches = _switches(source, lines[1] if len(lines) > 1 else "", nodes, many)
    body = [(at, line) for at, line in enumerate(lines[2:], 3) if line.strip()]
    if len(body) < promised:
        said = f"line 1 promises {promised} links, but the file ends after {len(body)}"
        raise wrong(source, body[-1][0] if body else 1, said, hint="copy all of it", code="ns3-cut")
    fabric = Fabric()
    for number in range(nodes):
        (fabric.switch if number in switches else fabric.host)(
            str(number), f"{'sw' if number in switches else 'n'}{number}"
        )
    delays = [_link(told, fabric, nodes, at, line) for at, line in body[:promised]]
    _tell_more(told, nodes, promised, body[promised:])
    told.infer("delays and error rates are kept as facts of the import; a document has no place for them")
    counts = {"hosts": nodes - many, "switches": many, "links": promised}
    document = {"kind": "cluster", **fabric.body()}
    facts = {"counts": counts, "delays": dict(delays)}
    return Imported(document=document, told=tuple(told.found), names=fabric.names, facts=facts)


def _head(source: Source, line: str) -> tuple[int, int, int]:
    found = FIRST.fullmatch(line)
    if found is None:
        said = "line 1 must have three numbers: nodes, switches, links"
        raise wrong(source, 1, said, code="ns3-head")
    nodes, switches, links = (int(one) for one in found.groups())
    if nodes > MOST:
        raise wrong(source, 1, f"{nodes} nodes are more than {MOST:,}", code="input-too-large")
    if switches > nodes:
        raise wrong(source, 1, f"{switches} switches are more than the {nodes} nodes", code="ns3-head")
    return nodes, switches, links


def _switches(source: Source, line: str, nodes: int, many: int) -> set[int]:
    """Return the numbers of the switches; the line is there, empty, even if there are none."""
    words = line.split()
    bad = next((word for word in words if not word.isdecimal() or int(word) >= nodes), None)
    if bad is not None:
        said = f"line 2 lists the switches, and '{bad}' is no number of a node (0 to {nodes - 1})"
        raise wrong(source, 2, said, hint="leave line 2 empty if there are no switches", code="ns3-switches", word=bad)
    if len(set(words)) != many:
        said = f"line 1 promises {many} switches, but line 2 lists {len(set(words))}"
        raise wrong(source, 2, said, code="ns3-switches")
    return {int(word) for word in words}


def _link(told: Told, fabric: Fabric, nodes: int, at: int, line: str) -> tuple[tuple[str, str], float]:
    words = line.split()
    if len(words) < 4:
        said = "a link has five fields: from, to, rate, delay, error rate"
        raise wrong(told.source, at, said, code="ns3-link")
    a, b = words[0], words[1]
    for word in (a, b):
        if not word.isdecimal() or int(word) >= nodes:
            said = f"'{word}' is no number of a node (0 to {nodes - 1})"
            raise wrong(told.source, at, said, code="ns3-node", word=word)
    a, b = str(int(a)), str(int(b))
    rate, delay = RATE.fullmatch(words[2]), DELAY.fullmatch(words[3])
    if rate is None or float(rate["number"]) * GBIT[rate["unit"].upper()] < SLOWEST:
        raise _bad(told.source, at, words[2], "rate", "100Gbps")
    if delay is None:
        raise _bad(told.source, at, words[3], "delay", "0.001ms")
    source, target = (a, b) if a in fabric.hosts or b in fabric.switches else (b, a)
    bandwidth = gbit(float(rate["number"]) * GBIT[rate["unit"].upper()])
    fabric.cables.append(Cable(source=source, target=target, kind="network", bandwidth=bandwidth))
    return (a, b), round(float(delay["number"]) * NANO[delay["unit"]], 6)


def _bad(source: Source, at: int, word: str, what: str, example: str) -> SpecError:
    said = f"'{word}' is no {what}"
    return wrong(source, at, said, hint=f"with its unit, such as {example}", code="bad-number", word=word)


def _tell_more(told: Told, nodes: int, promised: int, rest: Sequence[tuple[int, str]]) -> None:
    more = [(at, line) for at, line in rest if LINK.match(f"{line} ")]
    if not more:
        return
    outside = sorted({int(word) for _, line in more for word in line.split()[:2] if int(word) >= nodes})
    listed = " and ".join(str(one) for one in outside)
    also = (
        f"; nodes {listed} are out of range"
        if len(outside) > 1
        else f"; node {listed} is out of range"
        if outside
        else ""
    )
    said = f"{len(more)} link lines beyond the {promised} promised are not part of the topology{also}"
    told.warn("ns3-extra-links", said, more[0][0], hint="line 1: nodes, switches, links")
