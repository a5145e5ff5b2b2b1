"""Small machines built by hand, so that what is tested here needs no reader and no builder."""

from __future__ import annotations

from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scope import Scope
from topoviz.marks import Mark, Source
from topoviz.model.findings import Findings
from topoviz.model.source import Value
from topoviz.model.spec import Body, Memory, Picture, Port, Rate, Spec
from topoviz.model.topology import Assembly, Child, Link, Thing, Topology

NOWHERE = Value({}, Mark(Source("here", ""), 1, 1))
RATES = {
    "NVLink 4": (25, 20.6), "NVLink 5": (50, 40.1), "PCIe 5.0 x16": (64, 48), "PCIe 4.0 x16": (32, 24),
    "NDR": (50, 50), "UPI": (None, 22), "xGMI": (64, 64), "C2C": (450, 450),
}  # fmt: skip


def port(kind: str, count: int, name: str) -> Port:
    line, nccl = RATES[name]
    return Port(kind=kind, count=count, rate=Rate(line=line, nccl=nccl, link=name), origin=NOWHERE)


def link(a: str, b: str, kind: str, links: int, name: str, *, state: str = "up") -> Link:
    line, nccl = RATES[name]
    return Link(
        source=a, target=b, kind=kind, links=links, link=name, state=state,
        bandwidth=None if line is None else line * links, nccl=nccl if line is None else nccl * links,
    )  # fmt: skip


def many(group: str, count: int, part: Assembly) -> tuple[Child, ...]:
    return tuple(Child(name=f"{group}{i}", group=group, index=i, assembly=part) for i in range(count))


def one(group: str, part: Assembly) -> tuple[Child, ...]:
    return (Child(name=group, group=group, assembly=part),)


CPU = Assembly(kind="cpu", part="xeon-spr", title="Xeon 8480C")
AMD = Assembly(kind="cpu", part="epyc-genoa", title="EPYC")
GRACE = Assembly(kind="cpu", part="grace", title="Grace")
PCIE = Assembly(kind="pcie", title={"en": "PCIe switch", "zh": "PCIe 交换芯片"})
NIC = Assembly(kind="nic", part="connectx-7", title="ConnectX-7", ports=(port("infiniband", 1, "NDR"),))
CHIP = Assembly(kind="nvswitch", part="nvswitch-3", title="NVSwitch 3", ports=(port("nvlink", 64, "NVLink 4"),))
SWITCH = Assembly(kind="switch", part="qm9700", title="QM9700", ports=(port("infiniband", 64, "NDR"),))
H100 = Assembly(
    kind="gpu", part="h100-sxm", title="H100 SXM", memory=Memory(size=80e9, type="HBM3"), facts={"sms": 132},
    ports=(port("nvlink", 18, "NVLink 4"), port("pcie", 1, "PCIe 5.0 x16")),
)  # fmt: skip
L40S = Assembly(
    kind="gpu",
    part="l40s",
    title="L40S",
    memory=Memory(size=48e9, type="GDDR6"),
    ports=(port("pcie", 1, "PCIe 4.0 x16"),),
)
MI300X = Assembly(kind="gpu", part="mi300x-oam", title="MI300X")


def _dgx_links(split: tuple[int, ...], gpus: int) -> tuple[Link, ...]:
    nvlink = [link(f"gpu{g}", f"nvs{s}", "nvlink", n, "NVLink 4") for g in range(gpus) for s, n in enumerate(split)]
    host = [
        x
        for g in range(gpus)
        for x in (
            link(f"cpu{g // 4}", f"sw{g}", "pcie", 1, "PCIe 5.0 x16"),
            link(f"sw{g}", f"nic{g}", "pcie", 1, "PCIe 5.0 x16"),
            link(f"sw{g}", f"gpu{g}", "pcie", 1, "PCIe 5.0 x16"),
        )
    ]
    return (*nvlink, *host, link("cpu0", "cpu1", "upi", 3, "UPI"))


def dgx(split: tuple[int, ...] = (5, 4, 4, 5)) -> Assembly:
    children = (
        *many("cpu", 2, CPU),
        *many("sw", 8, PCIE),
        *many("nic", 8, NIC),
        *many("gpu", 8, H100),
        *many("nvs", len(split), CHIP),
    )
    facts = {"not_modelled": {"en": "NVMe, BMC", "zh": "NVMe、BMC"}}
    return Assembly(
        kind="node",
        part="dgx-h100",
        title="DGX H100",
        height=8,
        children=children,
        links=_dgx_links(split, 8),
        facts=facts,
    )


def l40s_server(cpu: Assembly = CPU) -> Assembly:
    children = (*many("cpu", 2, cpu), *many("gpu", 8, L40S))
    links = [link(f"gpu{g}", f"cpu{g % 2}", "pcie", 1, "PCIe 4.0 x16") for g in range(8)]  # every other GPU on each CPU
    return Assembly(
        kind="node", title="L40S server", children=children, links=(*links, link("cpu0", "cpu1", "upi", 3, "UPI"))
    )


def rails(nodes: int, spines: int = 4, cables: int = 8) -> Assembly:
    children = (*many("node", nodes, dgx()), *many("leaf", 8, SWITCH), *many("spine", spines, SWITCH))
    below = [link(f"node{n}/nic{r}", f"leaf{r}", "infiniband", 1, "NDR") for n in range(nodes) for r in range(8)]
    above = [link(f"leaf{r}", f"spine{s}", "infiniband", cables, "NDR") for r in range(8) for s in range(spines)]
    return Assembly(kind="cluster", title="Rails", children=children, links=(*below, *above))


def nvl72() -> Assembly:
    gpu = Assembly(kind="gpu", part="gb200-gpu", title="B200", ports=(port("nvlink", 18, "NVLink 5"),))
    chip = Assembly(kind="nvswitch", title="NVSwitch 4", ports=(port("nvlink", 72, "NVLink 5"),))
    c2c = tuple(link(f"cpu{g // 2}", f"gpu{g}", "c2c", 1, "C2C") for g in range(4))
    tray = Assembly(kind="tray", title={"en": "compute tray", "zh": "计算托盘"}, links=c2c,
                    children=(*many("cpu", 2, GRACE), *many("gpu", 4, gpu), *many("nic", 4, NIC)))  # fmt: skip
    swtray = Assembly(kind="tray", title={"en": "NVLink switch tray", "zh": "交换托盘"}, children=many("chip", 2, chip))
    power = Assembly(kind="power-shelf", title={"en": "power shelf", "zh": "电源架"})
    links = tuple(
        link(f"tray{t}/gpu{g}", f"swtray{s}/chip{c}", "nvlink", 1, "NVLink 5")
        for t in range(18) for g in range(4) for s in range(9) for c in range(2)
    )  # fmt: skip
    children = (*many("tray", 18, tray), *many("swtray", 9, swtray), *many("power", 8, power))
    return Assembly(kind="rack", part="gb200-nvl72", title="GB200 NVL72", height=48, children=children, links=links)


def mesh(pairs: dict[tuple[int, int], int], gpus: int) -> Assembly:
    links = tuple(link(f"gpu{a}", f"gpu{b}", "xgmi", n, "xGMI") for (a, b), n in pairs.items())
    return Assembly(kind="node", title="Mesh", children=many("gpu", gpus, MI300X), links=links)


def topology(root: Assembly, name: str = "machine") -> Topology:
    body = Body(origin=NOWHERE)
    return Topology(
        spec=Spec(name=name, body=body, origin=NOWHERE), root=Thing("", Child(name="", group="", assembly=root))
    )


def scope(root: Assembly, lang: str = "en", findings: Findings | None = None) -> Scope:
    built = topology(root)
    layout = Layout(name="test", block=Block(view="tiers"))
    return Scope(
        topology=built,
        roots=(built.root,),
        request=Picture(),
        layout=layout,
        findings=findings or Findings(),
        lang=lang,
    )
