"""A machine of an hwloc export on its way to a document."""

from __future__ import annotations

import re
from typing import Any

from topoviz.importers.evidence import hosts, pcie
from topoviz.importers.evidence.draft import Draft, fit
from topoviz.importers.evidence.nearness import SMP
from topoviz.importers.evidence.text import Told, plain, wrong
from topoviz.importers.evidence.xml import Element

PACKAGE = {"en": "package", "zh": "封装"}
SELF = 1_000_000  # the diagonal of a bandwidth matrix
CARD = re.compile(r"(?:nvml|cuda|rsmi|opencl\d+d|ze|card|renderD)\d+")


class HwlocTree:
    """Packages become CPUs, bridges with several devices become PCIe switches, PCI devices GPUs and cards."""

    def __init__(self, told: Told, topology: Element, machine: Element) -> None:
        self.told, self.topology, self.top = told, topology, machine
        self.draft = Draft()
        self.names: dict[str, str] = {}
        self.by_index: dict[str, str] = {}  # gp_index -> thing
        self.counts: dict[str, int] = {}

    def machine(self) -> hosts.Machine:
        every = list(self.top.every())
        objects = [one for one in every if one.name == "object"]
        for key, kind in (("packages", "Package"), ("cores", "Core"), ("numa_nodes", "NUMANode")):
            self.counts[key] = sum(one.get("type") == kind for one in objects)
        packages = [one for one in objects if one.get("type") == "Package"]
        for package in packages or [one for one in objects if one.get("type") == "NUMANode"]:
            number = len(self.draft.groups.get("cpu", []))
            model = next((one.get("value") for one in package.all("info") if one.get("name") == "CPUModel"), "")
            name = self.draft.add("cpu", f"cpu{number}", {"part": "cpu", "title": model or PACKAGE})
            self.names[f"{package.get('type')}{package.get('os_index', str(number))}"] = name
            self._below(package, name)
        outside = self.draft.groups.get("cpu", [""])[0]
        for one in self.top.children:
            if one.get("type") == "Bridge":
                self._root_complex(one, outside)
        cpus = self.draft.groups.get("cpu", [])
        for at, one_cpu in enumerate(cpus):
            for other in cpus[at + 1 :]:
                self.draft.join(one_cpu, other, SMP)
        for distances in self.topology.children:
            if distances.name.startswith("distances2") and distances.get("name") == "NVLinkBandwidth":
                self._nvlinks(distances)
        if not any(one.get("type") in {"PCIDev", "Bridge"} for one in objects):
            hint = 'export again with "lstopo --whole-io --of xml" on the machine, with the GPU plugin of hwloc'
            self.told.warn(
                "hwloc-no-io",
                "there are no I/O objects: no GPU and no card is in this export",
                self.top.line,
                hint=hint,
            )
        host = next((one.get("value") for one in self.top.all("info") if one.get("name") == "HostName"), "")
        gpus = len(self.draft.groups.get("gpu", []))
        title: Any = host or (hosts.title(gpus) if gpus else {"en": "host", "zh": "主机"})
        return hosts.Machine(draft=self.draft, title=title, names=self.names, counts=self.counts)

    def _root_complex(self, bridge: Element, outside: str) -> None:
        self.told.infer(f"a host bridge stands beside the packages; it is drawn below {outside}")
        self._below(bridge, outside)

    def _below(self, element: Element, above: str) -> None:
        for child in element.children:
            kind = child.get("type")
            if kind == "Bridge":
                self._bridge(child, above)
            elif kind == "PCIDev":
                self._device(child, above)
            elif child.name == "object" and kind not in {"Core", "PU", "Package"}:
                self._below(child, above)

    def _bridge(self, bridge: Element, above: str) -> None:
        """A bridge with several devices below is a switch; a root port with one is only passed through."""
        below = [one for one in bridge.children if one.get("type") in {"Bridge", "PCIDev"} and self._wanted(one)]
        host = bridge.get("bridge_type").startswith("0")
        if host or len(below) < 2:
            self._below(bridge, above)
            return
        number = len(self.draft.groups.get("sw", []))
        name = self.draft.add("sw", f"sw{number}", {"part": "pcie-switch"})
        self.draft.join(name, above, "pcie", bandwidth=_rate(bridge))
        self.names[pcie.address(bridge.get("pci_busid"))] = name
        self._below(bridge, name)

    def _wanted(self, element: Element) -> bool:
        return any(_kind(one) in {"gpu", "nic"} for one in element.every() if one.get("type") == "PCIDev")

    def _device(self, device: Element, above: str) -> None:
        kind = _kind(device)
        address = pcie.address(device.get("pci_busid"))
        cards = [one for one in device.every() if one.get("type") == "OSDev" and one is not device]
        if kind == "gpu":
            number = len(self.draft.groups.get("gpu", []))
            name = self.draft.add("gpu", f"gpu{number}", {"part": "gpu"})
        elif kind == "nic":
            called = [one.get("name") for one in cards if one.get("name")]
            best = next(
                (one for one in called if one.startswith(("mlx", "bnxt", "roce", "cxi"))), next(iter(called), "")
            )
            number = len(self.draft.groups.get("nic", []))
            name = self.draft.add("nic", fit(best) if best else f"nic{number}", {"part": "nic"})
        elif kind == "nvswitch":
            number = len(self.draft.groups.get("nvs", []))
            name = self.draft.add("nvs", f"nvs{number}", {"part": "nvswitch"})
        else:
            return
        self.names[address] = name
        self.by_index[device.get("gp_index")] = name
        for card in cards:
            self.by_index[card.get("gp_index")] = name
            self.names[card.get("name")] = name
        if kind != "nvswitch":
            self.draft.join(name, above, "pcie", bandwidth=_rate(device))

    def _nvlinks(self, distances: Element) -> None:
        """Read the matrix; its values are MB/s of all links of a pair, and it may be cut into several elements."""
        indexes = " ".join(one.text for one in distances.all("indexes")).split()
        words = [number for one in distances.all("u64values") for number in one.text.split()]
        odd = next((one for one in words if not one.isdecimal()), None)
        if odd is not None:
            said = f"the NVLink matrix holds '{odd}', which is no number"
            raise wrong(self.told.source, distances.line, said, hint="MB/s of each pair", code="bad-number")
        values = [int(number) for number in words]
        ends = [self.by_index.get(index.rpartition(":")[2], "") for index in indexes]
        if len(values) != len(ends) ** 2:
            said = f"the NVLink matrix has {len(values)} values for {len(ends)} devices; it is left out"
            self.told.warn("hwloc-matrix", said, distances.line)
            return
        for at, a in enumerate(ends):
            for to in range(at + 1, len(ends)):
                rate, back = values[at * len(ends) + to], values[to * len(ends) + at]
                if a and ends[to] and a != ends[to] and 0 < min(rate, back) < SELF:
                    self.draft.join(a, ends[to], "nvlink", bandwidth=f"{plain(min(rate, back) / 1000)} GB/s")
        self.told.infer(
            "hwloc gives the bandwidth of all NVLinks of a pair together; how many there are is not in the export, so each pair has one link of that bandwidth"
        )


def _kind(device: Element) -> str:
    code = device.get("pci_type").split(" ")[0]
    if device.get("subtype") == "NVSwitch":
        return "nvswitch"
    found = pcie.kind(code)
    cards = [one for one in device.every() if one.get("type") == "OSDev"]
    if (
        found == "gpu"
        and code.startswith(("0300", "0380"))
        and not any(
            CARD.fullmatch(one.get("name")) and not one.get("name").startswith(("card", "render")) for one in cards
        )
    ):
        return ""  # a display adapter, as of a BMC
    return found


def _rate(device: Element) -> str:
    """Return the rate of a PCIe link; hwloc writes GB/s, and 0 where it does not know."""
    text = device.get("pci_link_speed")
    speed = float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else 0.0
    table = {63.0: "PCIe 5.0 x16", 31.5: "PCIe 4.0 x16", 15.8: "PCIe 3.0 x16", 126.0: "PCIe 6.0 x16"}
    near = [name for rate, name in table.items() if abs(rate - speed) < 0.02 * rate]
    return near[0] if near else (f"{plain(speed)} GB/s" if speed > 0 else "")
