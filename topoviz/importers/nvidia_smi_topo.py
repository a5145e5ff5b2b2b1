"""nvidia-smi topo -m: which GPUs and network cards share NVLinks, PCIe switches, host bridges, NUMA nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from topoviz.importers.evidence import hosts
from topoviz.importers.evidence import matrix as tables
from topoviz.importers.evidence.draft import Draft, fit
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.matrix import Matrix
from topoviz.importers.evidence.nearness import FAR, Tree
from topoviz.importers.evidence.nvlinks import island
from topoviz.importers.evidence.products import product
from topoviz.importers.evidence.text import Told, clean, numbers, wrong
from topoviz.marks import Source

MESSAGES = (
    "Failed to run topology matrix",
    "Unable to determine the device handle",
    "The -i command line argument must be used",
)
OTHER = re.compile(r"^\s*GPU \d+/\d+\s+GPU \d+/\d+", re.MULTILINE)  # tiles of another vendor's tool
ROW = re.compile(r"^[^\n]*?\bGPU\d+[ \t|]+(?:X|NV\d+|PIX|PXB|PHB|NODE|SYS|SOC)[ \t|\n]", re.MULTILINE)
NIC_NAME = re.compile(r"^\s*(NIC\d+):\s*(\S+)", re.MULTILINE)
LISTED = re.compile(r"^\s*GPU (\d+): (.+?)(?: \(UUID|$)")
SLICE = re.compile(r"^\s+MIG (\S+)\s+Device")


def recognises(text: str) -> float:
    """Return how surely a text holds a topology matrix, or what nvidia-smi says instead of one."""
    if any(message in text for message in MESSAGES):
        return 0.8
    if OTHER.search(text):
        return 0.5
    plain = clean(text)
    if re.search(
        r"\b(?:Hops|Weight|Link Type) between two GPUs|^(?:ACCESS|WEIGHT|HOPS|LINK TYPE) TABLE:", plain, re.MULTILINE
    ):
        return 0.0
    return 0.9 if ROW.search(plain) and not re.search(r"\b(?:CNS|GNS|TNS)\b\s+= ", plain) else 0.0


def read(source: Source) -> Imported:
    """Return the machine of a matrix. Raises SpecError."""
    told = Told(source)
    _refuse(told, source)
    found = [one for one in tables.matrices(told, source.text) if one.rows]
    if not found:
        raise wrong(
            source, 1, "there is no topology matrix here", hint='run "nvidia-smi topo -m"', code="smi-no-matrix"
        )
    listed = _listed(source) if len(found) == 1 else _Listed()
    machines = [_Host(told, one, listed).machine() for one in found]
    return hosts.imported(told, machines)


def _refuse(told: Told, source: Source) -> None:
    lines = clean(source.text).split("\n")
    hints = (
        "nvidia-smi itself failed; run it on the host (Linux), or use a dump of NCCL (NCCL_TOPO_DUMP_FILE)",
        "nvidia-smi lost a GPU; its driver log says why",
        'there is no topology matrix here; run "nvidia-smi topo -m" without -i',
    )
    matrix = ROW.search("\n".join(lines))
    for message, hint in zip(MESSAGES, hints, strict=True):
        for at, line in enumerate(lines, 1):
            if message in line and not matrix:
                said = f"no topology matrix: nvidia-smi says '{line.strip()}'"
                raise wrong(source, at, said, hint=hint, code="smi-no-matrix", word=message)
    if OTHER.search("\n".join(lines)):
        _refuse_other(told, lines)


def _refuse_other(told: Told, lines: Sequence[str]) -> None:
    rows = [
        (at, re.sub(r"GPU \d+/\d+", "", line).split())
        for at, line in enumerate(lines, 1)
        if re.match(r"\s*GPU \d+/\d+\s+(?!GPU)\S", line)
    ]
    codes = dict.fromkeys(word for _, words in rows for word in words if re.fullmatch(r"[A-Z]+\d*", word))
    said = f"unknown codes {', '.join(codes)}: this is not a matrix of nvidia-smi"
    hint = "xpu-smi is not read; nvidia-smi topo -m, rocm-smi --showtopo and amd-smi topology are"
    raise wrong(told.source, rows[0][0] if rows else 1, said, hint=hint, code="smi-unknown-code")


class _Listed:
    """What ``nvidia-smi -L`` above the matrix says: models, and slices of MIG."""

    def __init__(self) -> None:
        self.models: dict[str, str] = {}
        self.slices: dict[str, list[str]] = {}
        self.lines: dict[str, int] = {}


def _listed(source: Source) -> _Listed:
    found, current = _Listed(), ""
    for at, line in enumerate(clean(source.text).split("\n"), 1):
        card, cut = LISTED.match(line), SLICE.match(line)
        if card:
            current = f"GPU{card[1]}"
            found.models[current], found.lines[current] = card[2], at
        elif cut and current:
            found.slices.setdefault(current, []).append(cut[1])
    return found


class _Host:
    """One matrix on its way to a machine."""

    def __init__(self, told: Told, matrix: Matrix, listed: _Listed) -> None:
        self.told, self.matrix, self.listed = told, matrix, listed
        self.draft = Draft()
        text = clean(told.source.text)
        self.nic_names = dict(NIC_NAME.findall(text)) if LEGEND_OF_NICS in text else {}
        self.gpus = sorted((c for c in matrix.columns if c.startswith("GPU")), key=lambda c: int(c[3:]))
        self.nics = [c for c in matrix.columns if not c.startswith("GPU")]
        self.pairs: dict[tuple[str, str], str] = {}

    def machine(self) -> hosts.Machine:
        self._complain()
        self._pair()
        ids = self._name()
        draft, told = self.draft, self.told
        numa = {ids[d]: self._numa(d) for d in self.matrix.columns if self._numa(d)}
        coherent = self._coherent()
        near = {frozenset((ids[a], ids[b])): code for (a, b), code in self.pairs.items() if code in FAR}
        tree = Tree(
            draft=draft,
            near=lambda a, b: near.get(frozenset((a, b)), ""),
            numa=numa,
            coherent=frozenset(ids[gpu] for gpu in coherent),
        )
        tree.grow([ids[device] for device in (*self.gpus, *self.nics)])
        self._say_tree(tree, coherent)
        counts = {frozenset((ids[a], ids[b])): int(c[2:]) for (a, b), c in self.pairs.items() if c.startswith("NV")}
        known = self._product()
        island(draft, told, [ids[gpu] for gpu in self.gpus], counts, known, self.matrix.header)
        self._cut(ids)
        self._flat()
        return hosts.Machine(
            host=self.matrix.host,
            draft=draft,
            title=hosts.title(len(self.gpus), self._short()),
            names=ids,
            pairs=dict(self.pairs),
            numa={gpu: self._numa(gpu) for gpu in self.gpus if self._numa(gpu)},
            models=self.listed.models,
            counts={"mig_devices": sum(map(len, self.listed.slices.values()))},
        )

    def _complain(self) -> None:
        matrix, told = self.matrix, self.told
        if matrix.unknown:
            code, at = next(iter(matrix.unknown.items()))
            said = f"unknown code{'' if len(matrix.unknown) == 1 else 's'} {', '.join(matrix.unknown)}"
            hint = "nvidia-smi writes X, NV#, PIX, PXB, PHB, NODE, SYS"
            raise wrong(told.source, at, said, hint=hint, code="smi-unknown-code", word=code)
        if matrix.glued:
            lines = f"line{'' if len(matrix.glued) == 1 else 's'} {', '.join(map(str, matrix.glued))}"
            told.warn("smi-glued-cells", f"cells were run together on {lines} and have been split", matrix.glued[0])
        for name in matrix.columns:
            if name not in matrix.rows:
                said = (
                    f"{name} has a column but no row; its links are taken from the other rows, its affinity is unknown"
                )
                told.warn("smi-missing-row", said, matrix.header, word=name)

    def _pair(self) -> None:
        """Read both halves of the matrix; where they differ, the weaker word counts."""
        columns = self.matrix.columns
        for at, a in enumerate(columns):
            for b in columns[at + 1 :]:
                both = [code.replace("SOC", "SYS") for code in (self.matrix.code(a, b), self.matrix.code(b, a)) if code]
                if not both:
                    continue
                if len(set(both)) > 1:
                    at_line = self.matrix.rows[a].line
                    said = f"{a} - {b} is {both[0]} in one row and {both[1]} in the other; the weaker is taken"
                    self.told.warn("smi-contradiction", said, at_line, word=both[0])
                self.pairs[a, b] = min(both, key=_strength)

    def _name(self) -> dict[str, str]:
        ids: dict[str, str] = {}
        known = self._product()
        body = {"part": known.part} if known else {"part": "gpu"}
        for gpu in self.gpus:
            ids[gpu] = self.draft.add("gpu", gpu.lower(), body)
        for nic in self.nics:
            name = fit(self.nic_names.get(nic, nic.lower() if nic.startswith("NIC") else nic))
            ids[nic] = self.draft.add("nic", name, {"part": "nic"})
            if ids[nic] != name:
                self.told.warn("smi-nic-twice", f"two cards are called {name}; {nic} is called {ids[nic]} here")
        return ids

    def _product(self) -> Any:
        models = set(self.listed.models.values())
        return product(next(iter(models))) if len(models) == 1 else None

    def _short(self) -> str:
        models = sorted(set(self.listed.models.values()))
        return models[0].removeprefix("NVIDIA ").removeprefix("Tesla ") if len(models) == 1 else ""

    def _tail(self, device: str, column: str) -> str:
        row = self.matrix.rows.get(device)
        found = row.tail.get(column, "") if row else ""
        return "" if found == "N/A" else found

    def _numa(self, device: str) -> str:
        """Return the NUMA node with the CPUs of a device: the first of the list, the others hold memory only."""
        found = numbers(self._tail(device, "NUMA Affinity"))
        return str(found[0]) if found else ""

    def _coherent(self) -> dict[str, str]:
        found = {gpu: self._tail(gpu, "GPU NUMA ID") for gpu in self.gpus}
        return {gpu: node for gpu, node in found.items() if node}

    def _say_tree(self, tree: Tree, coherent: Mapping[str, str]) -> None:
        told = self.told
        if coherent:
            nodes = ", ".join(f"{gpu} {node}" for gpu, node in coherent.items())
            told.infer(
                f"links of GPU and CPU are taken to be NVLink-C2C, for the memory of the GPUs is NUMA nodes ({nodes}); the matrix does not show them"
            )
            told.say(
                "C2C is inferred: each GPU's memory is a NUMA node.", "C2C 为推断：各 GPU 的显存是独立的 NUMA 节点。"
            )
        if tree.unnamed and self._any_numa():
            below = ", ".join(device for cpu in tree.unnamed for device in tree.cpus[cpu])
            told.infer(f"a NUMA node that no GPU names holds {below}: all GPUs are SYS from there")
        elif tree.unnamed:
            told.infer(f"{len(tree.cpus)} CPUs are taken from who is SYS to whom; the matrix has no NUMA numbers")
        if tree.loose:
            told.infer(f"of {', '.join(tree.loose)} no CPU is known: the matrix does not say how they hang on PCIe")
        if "sw" in self.draft.groups:
            told.infer("PCIe switches are inferred from PIX and PXB; makes, ports and rates are not in a matrix")
            told.say("PCIe switches are inferred from PIX and PXB.", "PCIe 交换芯片由 PIX、PXB 推断。")
        if tree.several:
            told.infer(
                f"{', '.join(tree.several)} stand for all PCIe bridges between devices that are PXB; how many there are is not in a matrix"
            )

    def _any_numa(self) -> bool:
        return any(self._numa(device) for device in self.matrix.columns)

    def _cut(self, ids: Mapping[str, str]) -> None:
        for gpu, slices in self.listed.slices.items():
            if gpu not in ids:
                continue
            self.draft.changes.append({"at": ids[gpu], "mig": slices})
            links = sorted({code for pair, code in self.pairs.items() if gpu in pair and code.startswith("NV")})
            over = f", so the {', '.join(links)} link cannot be used by them" if links else ""
            said = f"{gpu} is split by MIG: its slices have no peer access over NVLink or PCIe{over}"
            self.told.warn("mig-no-p2p", said, self.listed.lines[gpu])

    def _flat(self) -> None:
        among = [code for (a, b), code in self.pairs.items() if a in self.gpus and b in self.gpus]
        nodes = {self._numa(gpu) for gpu in self.gpus}
        if len(self.gpus) > 2 and set(among) == {"PHB"} and len(nodes) == 1:
            hint = "an NCCL topology file (NCCL_TOPO_FILE) may describe the real machine"
            said = "all pairs are PHB on one NUMA node: usual for a virtual machine that hides its topology"
            self.told.warn("topology-flat", said, self.matrix.header, hint=hint)
            self.told.say("This is what the guest sees, not the hardware.", "这是虚拟机所见，并非真实硬件。")


LEGEND_OF_NICS = "NIC Legend:"


def _strength(code: str) -> int:
    """Return how much a code promises: more NVLinks first, then the nearer."""
    return 100 + int(code[2:]) if code.startswith("NV") else 10 - FAR.get(code, 9)
