"""One host of an NCCL topology file on its way to a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from topoviz.importers.evidence import hosts, pcie
from topoviz.importers.evidence.draft import Draft, fit
from topoviz.importers.evidence.nearness import CPU, NUMA, SMP
from topoviz.importers.evidence.nvlinks import FABRIC
from topoviz.importers.evidence.products import ARCH_OF_SM, NVLINK_OF_SM
from topoviz.importers.evidence.text import Told, wrong
from topoviz.importers.evidence.xml import Element

KNOWN = frozenset({"cpu", "pci", "gpu", "nic", "net", "nvlink", "xgmi", "c2c", "pcilink", "system"})
FASTEST = 1_600_000  # Mb/s of one port: 1.6 Tb/s is the fastest that is sold
MAKERS: Mapping[str, str] = MappingProxyType({"GenuineIntel": "Intel", "AuthenticAMD": "AMD"})
MANY = 2


class NcclTree:
    """Walks the CPUs of a host once and joins what it finds."""

    def __init__(self, told: Told, cpus: Sequence[Element]) -> None:
        self.told, self.cpus = told, cpus
        self.draft = Draft()
        self.names: dict[str, str] = {}
        self.gpus: list[tuple[Element, Element | None]] = []  # pci, gpu
        self.unknown: list[Element] = []
        self.elements: dict[str, int] = {}
        self.links: dict[tuple[str, str], tuple[int, int]] = {}  # address pair -> links, line
        self.selves: list[tuple[str, int, int]] = []
        self.fabric: dict[str, dict[str, tuple[int, str]]] = {}
        self.counts = {"nets": sum(one.name == "net" for cpu in cpus for one in cpu.every())}
        self.idle: list[Element] = []
        self.lines: dict[str, int] = {}  # address -> its line
        self.waiting: list[tuple[str, str, str]] = []  # thing, address above, bandwidth

    def machine(self, host: str) -> hosts.Machine:
        for at, cpu in enumerate(self.cpus):
            name = self._cpu(at, cpu)
            for child in cpu.children:
                self._below(child, name)
        named = list(self.draft.groups.get("cpu", []))
        for at, one in enumerate(named):
            for other in named[at + 1 :]:
                self.draft.join(one, other, SMP)
        self._join_gpus()
        self._complain()
        gpus = len(self.draft.groups.get("gpu", []))
        self.counts |= {"unknown_devices": len(self.unknown)}
        return hosts.Machine(
            host=host,
            draft=self._with_addresses(),
            title=hosts.title(gpus) if gpus else {"en": "host", "zh": "主机"},
            names=self.names,
            counts=self.counts,
        )

    def _with_addresses(self) -> Draft:
        """Put the PCI addresses of GPUs into the document: there is no other way to find them again."""
        by_name = {name: address for address, name in self.names.items()}
        gpus = self.draft.groups.get("gpu", [])
        if gpus:
            body = self.draft.bodies["gpu"]
            body["facts"] = {**body.get("facts", {}), "address": [by_name[gpu] for gpu in gpus]}
        return self.draft

    def _cpu(self, at: int, cpu: Element) -> str:
        node = cpu.get("numaid", "")
        known = node.lstrip("-").isdecimal() and int(node) >= 0
        name = f"cpu{node}" if known else f"cpu{at}"
        maker = MAKERS.get(cpu.get("vendor"), "")
        facts = {"maker": maker} if maker else {}
        title = NUMA if known else CPU
        self.names[f"CPU{node or at}"] = name
        self._check_mask(cpu)
        body = {"part": "cpu", "title": title, **({"facts": facts} if facts else {})}
        return self.draft.add("cpu", name, body)

    def _check_mask(self, cpu: Element) -> None:
        words = cpu.get("affinity").split(",") if cpu.get("affinity") else []
        for number, word in enumerate(words[1:], 2):
            if len(word) != 8 or not re.fullmatch(r"[0-9a-fA-F]+", word):
                said = f"cpu {cpu.get('numaid')}: word {number} of the affinity mask has {len(word)} digits"
                self.told.warn("nccl-bad-affinity", said, cpu.line, word=word)

    def _below(self, element: Element, above: str) -> None:
        if element.name == "pci":
            self._pci(element, above)
        elif element.name == "nic":
            self._nic(element, None, above)
        elif element.name not in KNOWN:
            self._strange(element)

    def _strange(self, element: Element) -> None:
        self.elements.setdefault(element.name, element.line)

    def _check_address(self, pci: Element) -> None:
        """Raise SpecError for a device without an address, or with that of another one."""
        busid = pci.get("busid")
        if not busid.strip():
            said = "a <pci> has no busid, by which NCCL knows it"
            raise wrong(self.told.source, pci.line, said, hint='busid="0000:07:00.0"', code="nccl-no-busid")
        first = self.lines.setdefault(pcie.address(busid), pci.line)
        if first != pci.line or pcie.address(busid) in self.names:
            said = f"a second device has the address {busid}, first on line {first}"
            hint = "an address is that of one device; lines may have been doubled"
            raise wrong(self.told.source, pci.line, said, hint=hint, code="nccl-busid-twice", word=busid)

    def _pci(self, pci: Element, above: str) -> None:
        self._check_address(pci)
        kind = pcie.kind(pci.get("class"))
        gpu = next(iter(pci.all("gpu")), None)
        nic = next(iter(pci.all("nic")), None)
        below = pci.all("pci")
        for strange in pci.children:
            if strange.name not in KNOWN:
                self._strange(strange)
        if gpu is not None or (kind == "gpu" and not below):
            self._gpu(pci, gpu, above)
        elif nic is not None or (kind == "nic" and not below):
            self._nic(nic, pci, above)
        elif below:
            name = self._switch(pci, above)
            for child in pci.children:
                self._below(child, name)
        elif kind == "nvswitch":
            self._nvswitch(pcie.address(pci.get("busid")))
        elif kind != "bridge":
            self._unknown(pci, above)

    def _rate(self, pci: Element) -> str:
        speed = pcie.SPEED.search(pci.get("link_speed"))
        if speed and float(speed[1]) in pcie.IDLE:
            self.idle.append(pci)
        return pcie.link(pci.get("link_speed"), pci.get("link_width"))

    def _place(self, group: str, pci: Element, above: str, body: dict[str, Any], name: str = "") -> str:
        address = pcie.address(pci.get("busid"))
        number = len(self.draft.groups.get(group, []))
        name = self.draft.add(group, name or f"{group}{number}", body)
        self.names[address] = name
        self.draft.join(name, above, "pcie", bandwidth=self._rate(pci))
        return name

    def _switch(self, pci: Element, above: str) -> str:
        return self._place("sw", pci, above, {"part": "pcie-switch"})

    def _gpu(self, pci: Element, gpu: Element | None, above: str) -> None:
        body: dict[str, Any] = {"part": "gpu"}
        sm = gpu.get("sm") if gpu is not None else ""
        gcn = gpu.get("gcn") if gpu is not None else ""
        if gcn:
            name = gcn if gcn.startswith("gfx") else f"gfx{gcn}"
            body |= {
                "title": {"en": f"AMD GPU {name}", "zh": f"AMD GPU {name}"},
                "facts": {"maker": "AMD", "short": "GPU"},
            }
        elif sm.isdecimal() and int(sm) in ARCH_OF_SM:
            arch = ARCH_OF_SM[int(sm)]
            body |= {
                "title": f"{arch} GPU",
                "facts": {"compute_capability": f"{int(sm) // 10}.{int(sm) % 10}", "arch": arch, "short": "GPU"},
            }
        self.gpus.append((pci, gpu))
        self._place("gpu", pci, above, body)
        for strange in gpu.children if gpu is not None else ():
            if strange.name not in KNOWN:
                self._strange(strange)

    def _nic(self, nic: Element | None, pci: Element | None, above: str) -> None:
        nets = nic.all("net") if nic is not None else []
        taken = {name for names in self.draft.groups.values() for name in names}
        called = "+".join(dict.fromkeys(net.get("name") for net in nets if net.get("name")))
        name = fit(called) if called else ""
        number = sum(len(names) for group, names in self.draft.groups.items() if group.partition("-")[0] == "nic")
        if not name or name in taken:
            name = f"nic{number}"
        speed = sum(self._speed(net) for net in nets)
        fabric = pcie.fabric(pci.get("class")) if pci is not None and pci.get("class") else ""
        fabric = fabric or ("infiniband" if called.startswith(("mlx", "ib")) and pci is not None else "ethernet")
        rate = self._rate(pci) if pci is not None else ""
        body: dict[str, Any] = {"part": "nic"}
        if speed:
            ports: dict[str, Any] = {fabric: f"{speed / 1000:g} Gb/s"}
            body["ports"] = ports | {"pcie": rate or {"count": 1}}
            if not rate:
                body.pop("ports")
                body["facts"] = {"speed": f"{speed / 1000:g} Gb/s"}
        group = self._group_of(body)
        self.draft.add(group, name, body)
        if pci is not None:
            self.names[pcie.address(pci.get("busid"))] = name
        for net in nets:
            self.names.setdefault(net.get("name"), name)
        self.draft.join(name, above, "pcie", bandwidth="" if "ports" in body else rate)

    def _group_of(self, body: dict[str, Any]) -> str:
        """Return the group of cards that are alike: ``nic``, then ``nic-b``, ``nic-c``."""
        for number in range(26):
            group = "nic" if number == 0 else f"nic-{chr(ord('a') + number)}"
            if self.draft.bodies.get(group, body) == body:
                return group
        return "nic"

    def _speed(self, net: Element) -> int:
        text = net.get("speed")
        speed = int(float(text)) if re.fullmatch(r"\d+(\.\d+)?", text) else 0
        if speed > FASTEST:
            said = f"{net.get('name')}: {speed} Mb/s = {speed / 1e6:g} Tb/s is not plausible; the speed is left open"
            self.told.warn("net-speed-implausible", said, net.line, word=f'speed="{text}"')
            return 0
        return speed

    def _nvswitch(self, address: str) -> str:
        if address not in self.names:
            number = len(self.draft.groups.get("nvs", []))
            self.names[address] = self.draft.add("nvs", f"nvs{number}", {"part": "nvswitch"})
        return self.names[address]

    def _unknown(self, pci: Element, above: str) -> None:
        self.unknown.append(pci)
        number = len(self.draft.groups.get("device", []))
        name = self.draft.add("device", f"device{number}", {"part": "box", "title": {"en": "device", "zh": "设备"}})
        self.names[pcie.address(pci.get("busid"))] = name
        self.draft.join(name, above, "pcie", bandwidth=self._rate(pci))

    def _join_gpus(self) -> None:
        addresses = {pcie.address(pci.get("busid")) for pci, _ in self.gpus}
        for pci, gpu in self.gpus:
            own = pcie.address(pci.get("busid"))
            for one in gpu.all("nvlink", "xgmi") if gpu is not None else ():
                self._link(own, one, addresses, gpu.get("sm") if gpu is not None else "")
            for one in gpu.all("c2c") if gpu is not None else ():
                self._c2c(own, one)
        self._pairs()
        self._switched()

    def _link(self, own: str, one: Element, gpus: set[str], sm: str) -> None:
        target = one.get("target").lower()
        links = int(one.get("count", "1")) if one.get("count", "1").isdecimal() else 1
        rate = NVLINK_OF_SM.get(int(sm), "") if sm.isdecimal() and one.name == "nvlink" else ""
        address = target if pcie.nowhere(target) else pcie.address(target)
        if address == own:
            self.selves.append((own, links, one.line))
        elif address in gpus:
            before = self.links.get((own, address), (0, 0))[0]
            self.links[own, address] = (before + links, one.line)
            self.fabric.setdefault("=", {})[f"{own} {address}"] = (0, f"{one.name}|{rate}")
        elif pcie.kind(one.get("tclass")) == "nvswitch" or pcie.nowhere(address):
            self.fabric.setdefault(address, {})
            before = self.fabric[address].get(own, (0, ""))[0]
            self.fabric[address][own] = (before + links, rate)
        else:
            said = f"an {one.name} of {own} leads to {target}, which is not in the file"
            self.told.warn("nvlink-elsewhere", said, one.line, word=target)

    def _c2c(self, own: str, one: Element) -> None:
        cpu = next((link.target for link in self.draft.links if link.source == self.names[own]), "")
        if cpu in self.draft.groups.get("cpu", []):
            self.draft.join(
                self.names[own],
                cpu,
                "c2c",
                links=int(one.get("count", "1")) if one.get("count", "1").isdecimal() else 1,
            )

    def _pairs(self) -> None:
        kinds = self.fabric.pop("=", {})
        for (a, b), (links, line) in self.links.items():
            back = self.links.get((b, a), (0, 0))[0]
            kind, rate = kinds[f"{a} {b}"][1].split("|")
            if a > b and back:
                continue
            if back and back != links:
                said = f"{a} -> {b}: {links} links one way, {back} the other; the smaller number can be used both ways"
                self.told.warn("nvlink-asymmetric", said, line)
            both = min(links, back) if back else links
            self.draft.join(self.names[a], self.names[b], kind, links=both, bandwidth=rate)

    def _switched(self) -> None:
        rest = [address for address in self.fabric if pcie.nowhere(address)]
        for address, members in sorted(self.fabric.items()):
            if address in rest:
                name = self.names.get("nvswitch-fabric") or self.draft.add(
                    "nvs-fabric" if "nvs" in self.draft.groups else "nvs",
                    "nvs-fabric" if "nvs" in self.draft.groups else "nvs",
                    {"part": "nvswitch", "title": FABRIC},
                )
                self.names["nvswitch-fabric"] = name
            else:
                name = self._nvswitch(address)
            for own, (links, rate) in members.items():
                self.draft.join(self.names[own], name, "nvlink", links=links, bandwidth=rate)
        if rest:
            self.told.infer(
                "NVLinks lead to a switch without an address; it is drawn as one NVLink fabric, and how many chips it has is not in the file"
            )
            self.told.say(
                "NVLinks lead to unnamed switches, drawn as one fabric.", "NVLink 通向未命名的交换芯片，合画为一。"
            )

    def _complain(self) -> None:
        told = self.told
        if self.unknown:
            hint = "give their kinds, or dump the topology on the machine with NCCL_TOPO_DUMP_FILE"
            told.warn(
                "nccl-unknown-class",
                f"{len(self.unknown)} devices have no class: their kinds are unknown",
                self.unknown[0].line,
                hint=hint,
            )
        for name, line in self.elements.items():
            told.warn("nccl-unknown-element", f"unknown element <{name}> ignored", line)
        if self.selves:
            links = sum(one[1] for one in self.selves)
            said = f"{len(self.selves)} GPUs have {links // len(self.selves)} NVLinks whose target is the GPU itself: peers unknown"
            told.warn("nvlink-self", said, self.selves[0][2])
        linked = self.links or self.fabric or self.selves
        if len(self.gpus) > 1 and not linked and all(gpu is None for _, gpu in self.gpus):
            said = "the file describes PCIe only, as a template for NCCL_TOPO_FILE does; NVLink is found by NCCL at run time and is not in it"
            told.warn("nccl-no-nvlink", said, self.cpus[0].line)
            told.say("NVLink is not in the file.", "文件中没有 NVLink。")
        if (
            len(self.cpus) == 1
            and "sw" not in self.draft.groups
            and len(self.gpus) > MANY
            and self.cpus[0].get("numaid", "").startswith("-")
        ):
            told.warn(
                "topology-flat",
                "one CPU without a NUMA number and no PCIe switches: usual for a virtual machine",
                self.cpus[0].line,
            )
            told.say("This is what the guest sees, not the hardware.", "这是虚拟机所见，并非真实硬件。")
        if self.idle:
            speed = self.idle[0].get("link_speed")
            told.warn(
                "pcie-idle",
                f"{len(self.idle)} PCIe links show {speed}: they may have been asleep when the file was written",
                self.idle[0].line,
            )
