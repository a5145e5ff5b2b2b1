"""The section "=== System" of an NCCL log: the machine as NCCL saw it, a tree by indentation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from topoviz.importers.evidence import hosts
from topoviz.importers.evidence.draft import Draft
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.nccl_records import Record
from topoviz.importers.evidence.nearness import NUMA
from topoviz.importers.evidence.nvlinks import FABRIC
from topoviz.importers.evidence.products import MOST_NVLINKS
from topoviz.importers.evidence.text import Told, plain, wrong

NODE = re.compile(r"(?P<kind>CPU|PCI|GPU|NIC|NET|NVS|GIN)/(?P<id>[0-9A-Fa-f-]+)(?: \(.*\))?$")
LINK = re.compile(r"(?P<indent> *)\+ (?P<type>[A-Z0-9]+)\[(?P<rate>\d+(?:\.\d+)?)\] - (?P<node>.+)$")
COUNTED = (
    20.6,
    40.1,
    20.0,
    18.0,
)  # GB/s of one NVLink as NCCL counts it: of Hopper, Blackwell, Volta and Ampere, Pascal
DAMAGED = "lines of several processes may have run together; take the section of one rank from its own log"
SLOW = 3.0  # GB/s: less than PCIe 3.0 with four lanes carries
KINDS: Mapping[str, str] = MappingProxyType(
    {"PCI": "pcie", "NVL": "nvlink", "C2C": "c2c", "SYS": "smp", "XGMI": "xgmi", "NVB": "nvlink"}
)
PARTS: Mapping[str, tuple[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "CPU": ("cpu", {"part": "cpu", "title": NUMA}),
        "PCI": ("sw", {"part": "pcie-switch"}),
        "GPU": ("gpu", {"part": "gpu"}),
        "NIC": ("nic", {"part": "nic"}),
        "NVS": ("nvs", {"part": "nvswitch", "title": FABRIC}),
    }
)


@dataclass(slots=True)
class _System:
    told: Told
    draft: Draft = field(default_factory=Draft)
    names: dict[str, str] = field(default_factory=dict)
    links: list[dict[str, Any]] = field(default_factory=list)
    nets: int = 0
    counted: dict[str, None] = field(default_factory=dict)  # what was concluded about NVLinks


def system(told: Told, found: Sequence[Record]) -> Imported | None:
    """Return the machine of the first system section; None if there is none. Raises SpecError."""
    section = _section(found)
    if not section:
        return None
    made = _System(told)
    stack: list[tuple[int, str]] = []
    for record in section:
        top, link = NODE.match(record.text), LINK.match(record.text)
        if top:
            stack = [(-1, _node(made, record.text))]
        elif link and stack:
            depth = len(link["indent"])
            while stack and stack[-1][0] >= depth:
                stack.pop()
            below = _node(made, link["node"])
            _join(made, record.line, stack[-1][1], below, link["type"], float(link["rate"]))
            stack.append((depth, below))
    told.infer("rates of the machine are those that NCCL counts in its system section, not those of data sheets")
    for said in made.counted:
        told.infer(f"{said} GB/s, as NCCL counts one; the section has only the sum")
    told.say("Rates are those that NCCL counts.", "速率为 NCCL 所计。")
    title = hosts.title(len(made.draft.groups.get("gpu", [])))
    machine = hosts.Machine(draft=made.draft, title=title, names=made.names, counts={"nets": made.nets})
    answer = hosts.imported(told, [machine])
    return Imported(document=answer.document, names=answer.names, facts={**answer.facts, "links": made.links})


def _section(found: Sequence[Record]) -> list[Record]:
    for at, record in enumerate(found):
        if record.text.startswith("=== System"):
            own = [one for one in found[at + 1 :] if one.thread == record.thread]
            end = next((n for n, one in enumerate(own) if one.text.startswith("====")), len(own))
            return [one for one in own[:end] if NODE.match(one.text) or LINK.match(one.text)]
    return []


def _key(text: str) -> str:
    match = NODE.match(text.strip())
    return f"{match['kind']}/{match['id']}" if match else text.strip()


def _node(made: _System, text: str) -> str:
    key = _key(text)
    kind = key.partition("/")[0]
    if key not in made.names and kind in PARTS:
        group, body = PARTS[kind]
        number = len(made.draft.groups.get(group, []))
        made.names[key] = made.draft.add(group, f"{group}{number}", body)
    return key


def _join(made: _System, line: int, above: str, below: str, kind: str, rate: float) -> None:
    if above == below:
        raise wrong(made.told.source, line, f"{below} hangs on itself", hint=DAMAGED, code="nccl-system", word=below)
    pair = {above, below}
    known = any({one["a"], one["b"]} == pair and one["type"] == kind for one in made.links)
    if known:
        return
    made.links.append({"a": above, "b": below, "type": kind, "gb_per_s": rate})
    if kind == "PCI" and rate < SLOW:
        made.told.warn(
            "slow-link",
            f"{above} - {below} at {rate:g} GB/s: less than any PCIe link of a GPU or card should carry",
            line,
            word=below,
        )
    if below.startswith("NET/"):
        made.nets += 1
        if "nic" not in made.draft.bodies:
            raise wrong(made.told.source, line, f"{below} stands below no NIC", hint=DAMAGED, code="nccl-system")
        made.draft.bodies["nic"].setdefault("facts", {"speed": f"{plain(rate * 8)} Gb/s"})
        return
    if above in made.names and below in made.names and kind in KINDS:
        links, each = nvlinks(rate) if kind == "NVL" else (1, rate)
        made.draft.join(made.names[below], made.names[above], KINDS[kind], links=links, bandwidth=f"{plain(each)} GB/s")
        made.counted |= {f"{rate:g} GB/s are {links} NVLinks of {each:g}": None} if links > 1 else {}


def nvlinks(rate: float) -> tuple[int, float]:
    """Return how many NVLinks NCCL counted to come to a rate, and the rate of one; a single one if that is not whole.

    >>> nvlinks(370.8), nvlinks(40.0), nvlinks(17.0)
    ((18, 20.6), (2, 20.0), (1, 17.0))
    """
    for each in COUNTED:
        links = round(rate / each)
        if 0 < links <= MOST_NVLINKS and abs(links * each - rate) < 0.05:
            return links, each
    return 1, rate
