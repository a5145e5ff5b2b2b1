"""htsim topology files: a fat tree by its tiers, their radix, rates and latencies."""

from __future__ import annotations

import re
from collections.abc import Mapping

from topoviz.importers.evidence.fabric import Cable, Fabric, gbit, tier_name
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

HEAD = ("nodes", "tiers", "podsize")
WHOLE = (*HEAD, "tier", "radix_down", "radix_up")
OF_TIER = ("downlink_speed_gbps", "radix_down", "radix_up")
LEFT_OUT = ("downlink_latency_ns", "switch_latency_ns", "bundle", "queue_up", "queue_down", "oversubscribed", "type")
MOST = 100_000  # hosts
Tier = dict[str, float]


def recognises(text: str) -> float:
    """Return how surely a text is a topology of htsim."""
    words = [
        re.search(rf"^\s*{word}\s+\d", text[:100_000], re.MULTILINE | re.IGNORECASE)
        for word in ("Nodes", "Tiers", "Tier")
    ]
    return 0.9 if all(words) else 0.0


def read(source: Source) -> Imported:
    """Return the fat tree, written out. Raises SpecError."""
    told = Told(source)
    head, tiers, lines = _read(told, source)
    hosts, many = int(head["nodes"]), int(head["tiers"])
    if hosts > MOST:
        raise wrong(source, lines["nodes"], f"{hosts} nodes are more than {MOST:,}", code="input-too-large")
    if len(tiers) != many:
        raise wrong(source, lines["tiers"], f"Tiers says {many}, but {len(tiers)} are described", code="htsim-tiers")
    fabric = Fabric()
    for number in range(hosts):
        fabric.host(f"n{number}")
    below = list(fabric.hosts)
    pods = max(1, hosts // int(head.get("podsize", hosts))) if many > 2 else 1
    for at in range(many):
        below = _tier(told, fabric, below, at, tiers, lines, pods)
    told.infer("switches are counted out from the radix of each tier; latencies are left out, a document has none")
    counts = {"hosts": hosts, "tiers": many, "switches": len(fabric.switches)}
    document = {"kind": "cluster", **fabric.body()}
    return Imported(document=document, told=tuple(told.found), names=fabric.names, facts={"counts": counts})


def _read(told: Told, source: Source) -> tuple[Tier, list[Tier], Mapping[str, int]]:
    head: Tier = {}
    tiers: list[Tier] = []
    lines: dict[str, int] = {}
    for at, line in enumerate(clean(source.text).split("\n"), 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        key = words[0].lower()
        if len(words) != 2 or (not re.fullmatch(r"\d+(?:\.\d+)?", words[1]) and key not in LEFT_OUT):
            said = f"a line is a key and a number; this is '{' '.join(words)[:40]}'"
            raise wrong(source, at, said, hint="such as Radix_Down 4", code="bad-number", word=words[-1])
        if key in WHOLE and not words[1].isdecimal():
            said = f"{words[0]} is a whole number, and '{words[1]}' is none"
            raise wrong(source, at, said, code="bad-number", word=words[1])
        place = f"{key} {len(tiers)}" if tiers else key
        lines[place] = at
        if key == "tier":
            if int(words[1]) != len(tiers):
                raise wrong(source, at, f"tier {words[1]} where tier {len(tiers)} must be", code="htsim-tiers")
            tiers.append({})
            lines[f"tier {len(tiers)}"] = at
        elif key in HEAD and not tiers:
            head[key] = float(words[1])
        elif key in OF_TIER and tiers:
            tiers[-1][key] = float(words[1])
        elif key not in LEFT_OUT:
            told.warn("htsim-unknown-key", f"'{words[0]}' is no key that topoviz knows here", at, word=words[0])
    missing = next((key for key in HEAD[:2] if not head.get(key)), None)
    if missing:
        raise wrong(source, 1, f"there is no {missing.capitalize()}", code="htsim-head")
    return head, tiers, lines


def _tier(
    told: Told, fabric: Fabric, below: list[str], at: int, tiers: list[Tier], lines: Mapping[str, int], pods: int
) -> list[str]:
    """Put a tier of switches over what is below; inside its pod if there is a tier above. Raises SpecError."""
    tier, line = tiers[at], lines.get(f"tier {at + 1}", 1)
    down = int(tier.get("radix_down", 0))
    up = int(tiers[at - 1].get("radix_up", 0)) if at else 1
    if not down or not up or "downlink_speed_gbps" not in tier:
        said = f"tier {at} needs Radix_Down and Downlink_speed_Gbps, and Radix_Up of the tier below"
        raise wrong(told.source, line, said, code="htsim-tiers")
    last = at == len(tiers) - 1
    groups = 1 if last and at else len(below) // down if at == 0 else pods
    ends = len(below) * up
    if ends % down or len(below) % max(1, groups) or (ends // down) % max(1, groups):
        said = f"{ends} links from below do not fill switches of {down} ports evenly"
        raise wrong(told.source, lines.get(f"radix_down {at + 1}", line), said, code="htsim-radix")
    number, rate = ends // down, gbit(tier["downlink_speed_gbps"])
    names = [f"{tier_name(at + 1)}{one}" for one in range(number)]
    for name in names:
        fabric.switch(name)
    share, size = len(below) // groups, number // groups
    for one, end in enumerate(below):
        pod = one // share
        row = names[pod * size : (pod + 1) * size]
        step = one % share
        for link in range(up):
            target = row[(step * up + link) % len(row)]
            fabric.cables.append(Cable(source=end, target=target, kind="network", bandwidth=rate))
    return names
