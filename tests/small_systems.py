"""Small systems made by hand, so that a view can be tested without a document and without the catalog."""

from __future__ import annotations

from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scope import Scope
from topoviz.marks import Mark, Source
from topoviz.model.findings import Findings
from topoviz.model.source import Value
from topoviz.model.spec import Body, Picture, Port, Rate, Spec
from topoviz.model.topology import Assembly, Child, Link, Thing, Topology

NOWHERE = Value(None, Mark(Source("made.yaml", ""), 1, 1))


def kind(name, *children, ports=(), **more):
    made = tuple(Port(kind=port, rate=Rate(line=50.0), origin=NOWHERE) for port in ports)
    return Assembly(kind=name, children=children, ports=made or None, **more)


def group(name, count, assembly, slots=()):
    return tuple(
        Child(name=f"{name}{i}", group=name, index=i, slot=slots[i] if slots else None, assembly=assembly)
        for i in range(count)
    )


def link(source, target, of_kind, links=1, bandwidth=64.0, **more):
    return Link(source=source, target=target, kind=of_kind, links=links, bandwidth=bandwidth, **more)


def topology(assembly, name="made"):
    spec = Spec(name=name, body=Body(origin=NOWHERE), origin=NOWHERE)
    return Topology(spec=spec, root=Thing("", Child(name="", group="", assembly=assembly)))


def scope(assembly, *, roots=(), routes=(), compact=False, lang="en", **wishes):
    made = topology(assembly)
    return Scope(
        topology=made,
        roots=tuple(thing for thing in made.root.walk() if thing.id in roots) or (made.root,),
        request=Picture(**wishes),
        layout=Layout(name="made", block=Block(view="nested")),
        findings=Findings(routes=routes),
        lang=lang,
        compact=compact,
    )


GPU, CPU, CHIP = kind("gpu", title="B200"), kind("cpu", title="Grace"), kind("nvswitch", title="NVSwitch")
NIC = kind("nic", title="ConnectX-7", ports=("infiniband", "pcie"))
POWER = kind("power-shelf", title="power shelf")
LEAF = kind("switch", title="QM9700", ports=("infiniband",))
MANAGEMENT = kind("switch", title="Ethernet switch", ports=("ethernet",))
TRAY = kind("tray", *group("cpu", 2, CPU), *group("gpu", 4, GPU), *group("nic", 4, NIC), title="compute tray")
SWITCH_TRAY = kind("tray", *group("chip", 2, CHIP), title="NVLink switch tray")

NVL72 = kind(
    "rack",
    *group("tray", 18, TRAY, (*range(16, 24), *range(33, 43))),
    *group("swtray", 9, SWITCH_TRAY, tuple(range(24, 33))),
    *group("power", 8, POWER, (12, 13, 14, 15, 43, 44, 45, 46)),
    *group("mgmt", 2, MANAGEMENT, (47, 48)),
    height=48,
    title="GB200 NVL72",
    links=tuple(
        link(f"tray{tray}/gpu{gpu}", f"swtray{box}/chip{chip}", "nvlink", bandwidth=50.0)
        for tray in range(18)
        for gpu in range(4)
        for box in range(9)
        for chip in range(2)
    ),
)

DGX = kind(
    "node",
    *group("cpu", 2, CPU),
    *group("sw", 8, kind("pcie")),
    *group("nic", 8, NIC),
    *group("gpu", 8, kind("gpu", title="H100")),
    *group("nvs", 4, CHIP),
    title="DGX H100",
    height=8,
    links=(
        *(link(f"cpu{i // 4}", f"sw{i}", "pcie") for i in range(8)),
        *(link(f"sw{i}", f"{end}{i}", "pcie") for i in range(8) for end in ("nic", "gpu")),
        *(link(f"gpu{i}", f"nvs{k}", "nvlink", (5, 4, 4, 5)[k], 450.0) for i in range(8) for k in range(4)),
        link("cpu0", "cpu1", "upi", 3, None),
    ),
)

OWN_RACK = kind(
    "rack",
    *group("node", 4, DGX, (4, 12, 20, 28)),
    *group("leaf", 2, LEAF, (44, 46)),
    *group("power", 3, POWER, (1, 2, 3)),
    height=48,
    title="Rack B07",
    links=tuple(link(f"node{n}/nic{k}", f"leaf{k % 2}", "infiniband", 1, 50.0) for n in range(4) for k in range(8)),
)

MESH = kind(
    "node",
    *group("gpu", 8, kind("gpu", title="MI300X")),
    title="MI300X",
    links=tuple(link(f"gpu{i}", f"gpu{j}", "xgmi") for i in range(8) for j in range(i)),
)
