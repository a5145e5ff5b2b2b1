"""From how near devices are to each other (PIX, PXB, PHB, NODE, SYS) to the PCIe tree that makes them so near."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from topoviz.importers.evidence.draft import Draft, bracketed

FAR: Mapping[str, int] = MappingProxyType({"PIX": 1, "PXB": 2, "PHB": 3, "NODE": 4, "SYS": 5})
CPU = "CPU"
NUMA: Mapping[str, str] = MappingProxyType({"en": "NUMA node", "zh": "NUMA 节点"})
SMP = "smp"  # what joins NUMA nodes; the matrix says only that there is one


@dataclass(slots=True)
class Tree:
    """A draft that grows from the devices upwards."""

    draft: Draft
    near: Callable[[str, str], str]  # PIX … SYS of two devices, an empty text if the file does not say
    numa: Mapping[str, str] = field(default_factory=dict)  # device -> NUMA node
    coherent: frozenset[str] = frozenset()  # GPUs that are joined to their CPU otherwise than by PCIe
    cpus: dict[str, list[str]] = field(default_factory=dict)  # cpu -> devices below it
    unnamed: list[str] = field(default_factory=list)  # CPUs of no NUMA number
    loose: list[str] = field(default_factory=list)  # devices of which no CPU is known
    several: list[str] = field(default_factory=list)  # switches that stand for all that lie between their devices
    counted: dict[str, int] = field(default_factory=dict)

    def grow(self, devices: Sequence[str]) -> None:
        """Put switches and CPUs over the devices and join them."""
        self._sit(devices)
        roots = {cpu: self._roots(below) for cpu, below in self.cpus.items()}
        for cpu, found in roots.items():
            for tops in found:
                for top in tops:
                    self.draft.join(top, cpu, "pcie")
        if self.several:  # PXB between things that hang on one of these, although only one is drawn
            self.draft.facts["several_bridges"] = list(self.several)
        near = [list(tops) for found in roots.values() for tops in found if len(tops) > 1]
        if near:  # NODE from each other would need a host bridge each; these have one
            self.draft.facts["same_host_bridge"] = [bracketed(tops) for tops in near]
        for cpu, below in self.cpus.items():
            for device in below:
                if device in self.coherent:
                    self.draft.join(device, cpu, "c2c")
        cpus = list(self.cpus)
        for at, one in enumerate(cpus):
            for other in cpus[at + 1 :]:
                self.draft.join(one, other, SMP)

    def _sit(self, devices: Sequence[str]) -> None:
        """Find the CPU of each device: by its NUMA number, else by who is NODE or nearer to it."""
        known = sorted({self.numa[device] for device in devices if self.numa.get(device)}, key=int)
        names = {node: f"cpu{node}" for node in known}
        groups = self._together(devices, FAR["NODE"])
        homes: list[tuple[str, list[str]]] = []
        for group in groups:
            nodes = {self.numa[device] for device in group if self.numa.get(device)}
            if len(nodes) > 1:  # NODE or nearer by the matrix, but apart by their numbers: the numbers count
                homes += [(names.get(self.numa.get(device, ""), ""), [device]) for device in group]
            elif nodes:
                homes.append((names[nodes.pop()], group))
            else:
                homes.append(("", group))
        self._name_rest(homes, names)
        title = NUMA if known else CPU
        for cpu in sorted(self.cpus, key=lambda name: int(name.removeprefix("cpu"))):
            self.draft.add("cpu", cpu, {"part": "cpu", "title": title})
        self.cpus = {cpu: self.cpus[cpu] for cpu in self.draft.groups.get("cpu", [])}

    def _name_rest(self, homes: Sequence[tuple[str, list[str]]], names: Mapping[str, str]) -> None:
        said = any(self.near(a, b) for _, group in homes for a in group for _, other in homes for b in other if a != b)
        number = 0
        for cpu, group in homes:
            if not cpu and (not said or not self._says_where(group)):
                self.loose += group
                continue
            while not cpu and f"cpu{number}" in {*names.values(), *self.cpus}:
                number += 1
            home = cpu or f"cpu{number}"
            if not cpu:
                self.unnamed.append(home)
            self.cpus.setdefault(home, []).extend(group)

    def _says_where(self, group: Sequence[str]) -> bool:
        """Return whether the file says anything about PCIe for one of these devices."""
        everything = self.draft.home
        return any(self.near(device, other) for device in group for other in everything if other != device)

    def _together(self, devices: Sequence[str], most: int) -> list[list[str]]:
        """Return devices in groups that hang together by pairs not farther apart than ``most``."""
        groups: list[list[str]] = []
        for device in devices:
            near = [g for g in groups if any(0 < FAR.get(self.near(device, other), 9) <= most for other in g)]
            merged = [other for g in near for other in g] + [device]
            groups = [g for g in groups if g not in near] + [merged]
        order = {device: at for at, device in enumerate(devices)}
        return sorted((sorted(g, key=order.__getitem__) for g in groups), key=lambda g: order[g[0]])

    def _roots(self, devices: Sequence[str]) -> list[list[str]]:
        """Return what hangs on each host bridge of a CPU."""
        own = [device for device in devices if device not in self.coherent]
        return [self._under_bridge(group) for group in self._together(own, FAR["PHB"])]

    def _under_bridge(self, devices: Sequence[str]) -> list[str]:
        """Return what hangs on one host bridge: devices, and switches over those that are nearer."""
        return [self._switched(group) for group in self._together(devices, FAR["PXB"])]

    def _switched(self, devices: Sequence[str]) -> str:
        below = [self._one_bridge(group) for group in self._together(devices, FAR["PIX"])]
        if len(below) == 1:
            return below[0]
        top = self._new("sw", {"part": "pcie-switch"})
        self.several.append(top)
        for one in below:
            self.draft.join(one, top, "pcie")
        return top

    def _one_bridge(self, devices: Sequence[str]) -> str:
        if len(devices) == 1:
            return devices[0]
        switch = self._new("sw", {"part": "pcie-switch"})
        for device in devices:
            self.draft.join(device, switch, "pcie")
        return switch

    def _new(self, group: str, body: Mapping[str, object]) -> str:
        number = self.counted.get(group, 0)
        self.counted[group] = number + 1
        return self.draft.add(group, f"{group}{number}", dict(body))
