"""Tables of AMD's tools, and the machine that they describe together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from topoviz.importers.evidence import hosts
from topoviz.importers.evidence.draft import Draft
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.nearness import NUMA, SMP
from topoviz.importers.evidence.text import Told, wrong
from topoviz.marks import Source

DEVICE = re.compile(r"GPU\d+|[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d")
DIRECT = 15  # the weight of one physical xGMI link
KINDS = ("XGMI", "PCIE")


@dataclass(slots=True)
class Table:
    """One square table: the header names the columns, each row begins with a name."""

    name: str
    columns: list[str] = field(default_factory=list)
    rows: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    header: int = 1

    def take(self, source: Source, at: int, line: str) -> None:
        """Read one line of the table. Raises SpecError."""
        words = line.split()
        if not self.columns:
            if all(DEVICE.fullmatch(word) for word in words):
                self.columns, self.header = words, at
            return
        name, cells = words[0], words[1:]
        if not DEVICE.fullmatch(name):
            return
        if name not in self.columns:
            raise wrong(source, at, f"row '{name}' has no column", code="amd-unknown-row", word=name)
        if len(cells) != len(self.columns):
            said = f"row {name} has {len(cells)} of {len(self.columns)} cells"
            raise wrong(
                source, at, said, hint="the text looks cut off; paste the whole output", code="amd-short-row", word=name
            )
        self.rows[name], self.lines[name] = cells, at

    def check(self, source: Source) -> None:
        """Raise SpecError if rows are missing."""
        missing = [name for name in self.columns if name not in self.rows]
        if missing or not self.columns:
            said = (
                f"the table '{self.name}' has no row {', '.join(missing)}"
                if missing
                else f"the table '{self.name}' is empty"
            )
            raise wrong(
                source, self.header, said, hint="the text looks cut off; paste the whole output", code="amd-short-table"
            )

    def cell(self, a: str, b: str) -> str:
        """Return a cell; the other half where it says more."""
        return self.rows[a][self.columns.index(b)]


def imported(told: Told, tables: Mapping[str, Table], numa: Mapping[str, str]) -> Imported:
    """Return the machine of the tables. Raises SpecError for a kind of link that is not known."""
    types, weights = tables["Link Type"], tables.get("Weight")
    draft = Draft()
    names = {gpu: draft.add("gpu", f"gpu{at}", {"part": "gpu"}) for at, gpu in enumerate(types.columns)}
    if any(not gpu.startswith("GPU") for gpu in names):
        draft.bodies["gpu"] |= {"facts": {"address": list(names)}}
    pairs = _pairs(told, types)
    unweighted = weights is None or all(weights.cell(*pair) == "0" for pair in pairs)
    if weights is not None and unweighted:
        said = "weights and bandwidth are all 0 (usual in a guest): direct and routed links cannot be told apart"
        told.warn("amd-no-weights", said, weights.header)
    direct, weighed = {}, {}
    for (a, b), code in pairs.items():
        weight = "" if weights is None or unweighted else weights.cell(a, b)
        weighed[a, b] = weight
        direct[a, b] = code == "XGMI" and (not weight or int(weight) <= DIRECT)
        if direct[a, b]:
            draft.join(names[a], names[b], "xgmi")
    _say(told, pairs, direct, weighed)
    _seat(draft, names, numa)
    if not _known(numa) and "PCIE" in pairs.values():
        draft.add("cpu", "cpu", {"part": "cpu", "title": {"en": "host PCIe", "zh": "主机 PCIe"}})
        for name in names.values():
            draft.join(name, "cpu", "pcie")
        told.infer("the PCIe of the host is drawn as one box: switches, sockets and NUMA nodes are not in this output")
    title = hosts.title(len(names))
    machine = hosts.Machine(draft=draft, title=title, names={**names}, pairs=pairs, numa=_known(numa))
    found = hosts.imported(told, [machine])
    facts = {
        **found.facts,
        "direct": direct,
        "weights": weighed,
        "addresses": {f"GPU{at}": gpu for at, gpu in enumerate(names)},
    }
    return Imported(document=found.document, told=found.told, names=found.names, facts=facts)


def _pairs(told: Told, types: Table) -> dict[tuple[str, str], str]:
    pairs = {}
    for at, a in enumerate(types.columns):
        for b in types.columns[at + 1 :]:
            code = types.cell(a, b)
            if code not in KINDS:
                hint = f"known are {', '.join(KINDS)}"
                raise wrong(
                    told.source,
                    types.lines[a],
                    f"unknown kind of link '{code}'",
                    hint=hint,
                    code="amd-unknown-type",
                    word=code,
                )
            pairs[a, b] = code
    return pairs


def _say(
    told: Told,
    pairs: Mapping[tuple[str, str], str],
    direct: Mapping[tuple[str, str], bool],
    weighed: Mapping[tuple[str, str], str],
) -> None:
    routed = [pair for pair, code in pairs.items() if code == "XGMI" and not direct[pair]]
    if routed:
        told.infer(
            f"{sum(direct.values())} pairs of weight {DIRECT} are taken as direct links; {len(routed)} pairs with more are ways over other GPUs"
        )
        told.say(f"Only pairs of weight {DIRECT} are direct links.", f"仅权重 {DIRECT} 的对为直连。")
    if any(direct.values()):
        told.infer("bandwidths of the xGMI links, and how many lie side by side, are not in this output")
    slow = sorted({weighed[pair] for pair, code in pairs.items() if code == "PCIE" and weighed[pair]}, key=int)
    if len(slow) > 1:
        told.infer(
            f"PCIe weights {' and '.join(slow)} suggest several sockets but do not prove it; no CPUs are drawn from them"
        )


def _seat(draft: Draft, names: Mapping[str, str], numa: Mapping[str, str]) -> None:
    nodes = sorted({node for node in numa.values() if node}, key=int)
    for node in nodes:
        draft.add("cpu", f"cpu{node}", {"part": "cpu", "title": NUMA})
    for gpu, name in names.items():
        if numa.get(gpu):
            draft.join(name, f"cpu{numa[gpu]}", "pcie")
    for at, one in enumerate(nodes):
        for other in nodes[at + 1 :]:
            draft.join(f"cpu{one}", f"cpu{other}", SMP)


def _known(numa: Mapping[str, str]) -> dict[str, str]:
    return {gpu: node for gpu, node in numa.items() if node}
