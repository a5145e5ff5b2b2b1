"""NCCL topology XML (NCCL_TOPO_FILE) of one host: what its reader takes, with made-up PCI addresses where none are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from topoviz.errors import TopovizError
from topoviz.model.topology import Thing, Topology

SUFFIX = ".xml"
HOSTS = ("node", "tray")
CLASS: Mapping[str, str] = MappingProxyType({"gpu": "0x030200", "pcie": "0x060400", "nvswitch": "0x068000"})
AMD_GPU = "0x120000"
INFINIBAND, ETHERNET = "0x020700", "0x020000"
SPEED: Mapping[str, str] = MappingProxyType(  # generation of PCIe as NCCL's table writes it
    {"1": "2.5 GT/s PCIe", "2": "5.0 GT/s PCIe", "3": "8.0 GT/s PCIe", "4": "16.0 GT/s PCIe"}
    | {"5": "32.0 GT/s PCIe", "6": "64.0 GT/s PCIe"}
)
MAKERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"Intel": ("x86_64", "GenuineIntel"), "AMD": ("x86_64", "AuthenticAMD"), "NVIDIA": ("arm64", "ARM")}
)
MODELS: Mapping[str, tuple[int, int]] = MappingProxyType(  # family and model, by which NCCL finds the rate between CPUs
    {"Broadwell": (6, 79), "Skylake": (6, 85), "Sapphire Rapids": (6, 143), "Emerald Rapids": (6, 207)}
    | {"Rome": (23, 49), "Genoa": (25, 17)}
)
MOST_BELOW, MOST_ATTRIBUTES, LONGEST = 128, 16, 255  # of an element, by NCCL's src/graph/xml.h
KEPT_EMPTY = "link_speed"  # NCCL asks for it and takes an empty one as unknown, with a width of 0 as 16 lanes
ABOVE = ("cpu", "pcie")
CARDS = ("nic", "dpu")


def write(topology: Topology) -> str:
    """Return the topology of one host as NCCL reads it.

    What the document does not say (affinity masks, makers of a generic CPU, the compute capability
    of a generic GPU) is left out; NCCL fills it in from the machine on which it reads the file.

    >>> from topoviz.loading import load
    >>> write(load("dgx-h100")).count("<gpu ")
    8

    Raises:
        TopovizError: several hosts, or things that NCCL's reader has no place for.
    """
    hosts = _hosts(topology)
    if len(hosts) > 1:
        raise TopovizError(f"an NCCL topology is of one host, and there are {len(hosts)}\n  hint: {_one_of(hosts)}")
    if not topology.count("gpu"):
        raise TopovizError("there is no GPU, so NCCL has nothing to do with this topology")
    return "\n".join(_Host(topology).lines()) + "\n"


def _hosts(topology: Topology) -> list[Thing]:
    """Return the servers that hold GPUs; of one inside another the inner one, for it is what runs an operating system."""
    found = [thing for kind in HOSTS for thing in topology.of_kind(kind) if thing.assembly.counts.get("gpu")]
    return [one for one in found if not any(one in other.chain[:-1] for other in found if other is not one)]


def _one_of(hosts: list[Thing]) -> str:
    """Return how to export one of several hosts."""
    parts = list(dict.fromkeys(thing.part for thing in hosts if thing.part and thing.part != thing.kind))
    if not parts:
        return "write one of them into a document of its own and export that"
    return "export one of them: " + " or ".join(f"topoviz export {part} --to nccl-xml" for part in parts[:2])


@dataclass(frozen=True, eq=False)
class _Host:
    """One host, its PCIe tree found from the links."""

    topology: Topology
    below: dict[str, list[str]] = field(default_factory=dict)

    def of(self, *kinds: str) -> list[Thing]:
        """Return things of these kinds that are up: NCCL finds no others."""
        every = (one for kind in kinds for one in self.topology.of_kind(kind))
        return [one for one in every if not one.id or one.id in self.topology.working]

    @cached_property
    def things(self) -> dict[str, Thing]:
        return {thing.id: thing for thing in self.of("cpu", "pcie", "gpu", "nvswitch", *CARDS)}

    @cached_property
    def parents(self) -> dict[str, str]:
        """Return what each thing hangs on, walking down from the CPUs over PCIe and C2C."""
        graph = self.topology.working
        found = {cpu.id: "" for cpu in self.of("cpu")}
        row = list(found)
        while row:
            following = []
            for one in row:
                for end in graph.neighbors(one):
                    joined = any(graph.has_edge(one, end, kind) for kind in ("pcie", "c2c"))
                    if joined and end not in found and end in self.things:
                        found[end] = one
                        following.append(end)
            row = [one for one in following if self.things[one].kind in ABOVE]
        loose = [gpu.id for gpu in self.of("gpu") if gpu.id not in found]
        first = next(iter(found), "")
        if loose and first:
            raise TopovizError(f"'{loose[0]}' hangs on no CPU, by PCIe or C2C; NCCL needs to know where")
        return found | dict.fromkeys(loose, "")

    @cached_property
    def roots(self) -> list[str]:
        return [cpu.id for cpu in self.of("cpu")] or [""]

    @cached_property
    def addresses(self) -> dict[str, str]:
        """Return a PCI address for each thing: the one in its facts, else a made-up one of its CPU's domain."""
        out = dict(self._known())
        taken = set(out.values())
        for domain, root in enumerate(self.roots):
            bus = 0
            for one in self._under(root):
                while one not in out:
                    bus += 1
                    made = (
                        f"{domain:04x}:{bus:02x}:00.0"
                        if bus < 256
                        else f"{domain + 0x1000 * (bus // 256):04x}:{bus % 256:02x}:00.0"
                    )
                    if made not in taken:
                        out[one] = made
        return out | {one.id: f"ffff:{at + 1:02x}:00.0" for at, one in enumerate(self.of("nvswitch"))}

    def _known(self) -> Iterator[tuple[str, str]]:
        groups: dict[tuple[Any, ...], list[Thing]] = {}
        for gpu in self.of("gpu"):
            groups.setdefault((gpu.parent, gpu.group), []).append(gpu)
        for members in groups.values():
            listed = members[0].assembly.facts.get("address")
            if isinstance(listed, (list, tuple)) and len(listed) == len(members):
                yield from ((gpu.id, str(one)) for gpu, one in zip(members, listed, strict=True))

    def _under(self, root: str) -> Iterator[str]:
        for child in [one for one, above in self.parents.items() if above == root and one != root]:
            yield child
            yield from self._under(child)

    @cached_property
    def amd(self) -> bool:
        return any(kind == "xgmi" for _, _, kind in self._gpu_edges())

    def _gpu_edges(self) -> Iterator[tuple[str, str, str]]:
        gpus = {gpu.id for gpu in self.of("gpu")}
        for a, b, kind in self.topology.working.edges(keys=True):
            if a in gpus and b in gpus:
                yield a, b, kind

    # ---- writing

    def lines(self) -> Iterator[str]:
        yield f'<system version="{2 if self.amd else 1}">'
        for at, root in enumerate(self.roots):
            yield from _element("cpu", self._cpu(at, root), self._children(root), 1)
        yield "</system>"

    def _cpu(self, at: int, root: str) -> dict[str, Any]:
        if not root:
            return {"numaid": 0}
        thing = self.things[root]
        facts = thing.assembly.facts
        arch, vendor = MAKERS.get(str(facts.get("maker", "")), ("", ""))
        family, model = MODELS.get(str(facts.get("generation", "")), ("", ""))
        number = thing.index if thing.index is not None else at
        return {"numaid": number, "arch": arch, "vendor": vendor, "familyid": family, "modelid": model}

    def _children(self, above: str) -> list[list[str]]:
        inside = [one for one, root in self.parents.items() if root == above and one != above]
        return [list(self._thing(self.things[one])) for one in inside]

    def _thing(self, thing: Thing) -> Iterator[str]:
        """Yield the element of a thing and what is below, without indentation."""
        kind = "nic" if thing.kind in CARDS else thing.kind
        attributes = {"busid": self.addresses[thing.id], "class": self._class(thing, kind), **self._speed(thing)}
        if kind == "gpu":
            inside = [list(_element("gpu", self._gpu(thing), [[one] for one in self._nvlinks(thing)], 0))]
        elif kind == "nic":
            inside = [list(_element("nic", {}, [[self._net(thing)]], 0))]
        else:
            inside = self._children(thing.id)
        yield from _element("pci", attributes, inside, 0)

    def _class(self, thing: Thing, kind: str) -> str:
        if kind == "nic":
            return INFINIBAND if self._fabric(thing) == "infiniband" else ETHERNET
        return AMD_GPU if kind == "gpu" and self.amd else CLASS[kind]

    def _speed(self, thing: Thing) -> dict[str, Any]:
        """Return generation and width of the PCIe link upwards; nothing if they are not stated."""
        above = self.parents[thing.id]
        if not above or not self.topology.working.has_edge(thing.id, above, "pcie"):
            return {"link_speed": "", "link_width": 0}
        name = str(self.topology.working.edges[thing.id, above, "pcie"]["link"])
        generation, _, width = name.removeprefix("PCIe ").partition(" x")
        known = SPEED.get(generation.partition(".")[0], "") if name.startswith("PCIe ") else ""
        return {"link_speed": known, "link_width": int(width) if known and width.isdecimal() else 0}

    def _gpu(self, thing: Thing) -> dict[str, Any]:
        number = [gpu.id for gpu in self.of("gpu")].index(thing.id)
        capability = str(thing.assembly.facts.get("compute_capability", ""))
        return {"dev": number, "sm": capability.replace(".", ""), "rank": number, "gdr": 1}

    def _nvlinks(self, thing: Thing) -> Iterator[str]:
        graph = self.topology.working
        for _, other, kind, data in graph.edges(thing.id, keys=True, data=True):
            end = self.things.get(other)
            if kind in {"nvlink", "xgmi"} and end is not None:
                tclass = self._class(end, end.kind)
                said = {"target": self.addresses[other], "count": data["links"], "tclass": tclass}
                yield from _element(kind, said, [], 0)
            elif kind == "c2c" and end is not None and end.kind == "cpu":
                rate = data["bandwidth"]
                each = round(rate * 1000 / data["links"]) if rate else ""
                yield from _element("c2c", {"bw": each, "count": data["links"]}, [], 0)

    def _fabric(self, thing: Thing) -> str:
        named = [port.kind for port in thing.assembly.ports or () if port.kind in {"infiniband", "ethernet"}]
        return named[0] if named else "infiniband"

    def _net(self, thing: Thing) -> str:
        cards = [card.id for card in self.of(*CARDS)]
        ports = [port for port in thing.assembly.ports or () if port.kind in {"infiniband", "ethernet"}]
        rate = ports[0].rate.line if ports and ports[0].rate else None
        many = ports[0].count if ports and isinstance(ports[0].count, int) else 1
        speed = round(rate * many * 8000) if rate else ""
        number = cards.index(thing.id)
        (line,) = _element("net", {"name": thing.name, "dev": number, "speed": speed, "port": 1, "gdr": 1}, [], 0)
        return line


def _element(name: str, attributes: Mapping[str, Any], inside: list[list[str]], depth: int) -> Iterator[str]:
    """Yield an element; what has no value is left out. Raises TopovizError for what NCCL's reader cannot hold."""
    kept = {key: _plain(value) for key, value in attributes.items() if value != "" or key == KEPT_EMPTY}
    if len(inside) > MOST_BELOW:
        raise TopovizError(f"a <{name}> would hold {len(inside)} elements; NCCL's reader takes {MOST_BELOW}")
    said = "".join(f' {key}="{value}"' for key, value in kept.items())
    pad = "  " * depth
    if not inside:
        yield f"{pad}<{name}{said}/>"
        return
    yield f"{pad}<{name}{said}>"
    for block in inside:
        yield from (f"{pad}  {line}" for line in block)
    yield f"{pad}</{name}>"


def _plain(value: object) -> str:
    """Return a value that NCCL's reader takes as it is: it knows no entities."""
    return "".join("_" if sign in "<>&\"'" else sign for sign in str(value))[:LONGEST]
