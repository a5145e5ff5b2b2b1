"""Small topologies and findings for tests of the drawing room, made without the language."""

from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scope import Scope
from topoviz.marks import Mark, Source
from topoviz.model.findings import Estimate, Findings
from topoviz.model.source import Value
from topoviz.model.spec import Body, Picture, Port, Rate, Spec
from topoviz.model.topology import Assembly, Child, Hop, Link, Route, Thing, Topology

NOWHERE = Value({}, Mark(Source("made.yaml", ""), 1, 1))
NVLINK = Rate(line=25, nccl=20.6, link="NVLink 4")


def port(kind, count, rate):
    return Port(kind=kind, count=count, rate=rate, origin=NOWHERE)


def server(gpus=8, chips=4, title="DGX H100", **more):
    """A server whose GPUs have 18 NVLinks each, dealt over the chips as evenly as it goes."""
    gpu = Assembly(kind="gpu", part="h100-sxm", title="H100 SXM", ports=(port("nvlink", 18, NVLINK),))
    chip = Assembly(kind="nvswitch", part="nvswitch-3", title="NVSwitch")
    children = [Child(name=f"gpu{i}", group="gpu", index=i, assembly=gpu) for i in range(gpus)]
    children += [Child(name=f"nvs{i}", group="nvs", index=i, assembly=chip) for i in range(chips)]
    links = [
        Link(
            source=f"gpu{g}",
            target=f"nvs{c}",
            kind="nvlink",
            links=n,
            bandwidth=25.0 * n,
            nccl=20.6 * n,
            link="NVLink 4",
        )
        for g in range(gpus)
        for c, n in enumerate(dealt(18, chips))
    ]
    return Assembly(kind="node", part="dgx-h100", title=title, children=tuple(children), links=tuple(links), **more)


def dealt(links, chips):
    return [links // chips + (i < links % chips) for i in range(chips)] if chips else []


def topology(assembly, *, title="", name="made"):
    root = Thing("", Child(name=name, group=name, assembly=assembly))
    return Topology(spec=Spec(name=name, body=Body(title=title, origin=NOWHERE), origin=NOWHERE), root=root)


def ring(count):
    nodes = tuple(f"gpu{i}" for i in range(count))
    hops = tuple(
        Hop(source=a, target=b, via=("nvs0",), kind="nvlink")
        for a, b in zip(nodes, (*nodes[1:], nodes[0]), strict=True)
    )
    return Route(name="ring", shape="ring", nodes=nodes, hops=hops)


def estimate(count=8, size=14e9, **more):
    """An all-reduce by ring at 450 GB/s: 2 (N - 1) / N of the buffer is sent."""
    sent = 2 * (count - 1) / count * size
    values = {
        "collective": "all-reduce",
        "algorithm": "ring",
        "ranks": ring(count).nodes,
        "bandwidth": 450.0,
        "size": size,
        "sent": sent,
        "chunks": count,
        "steps": 2 * (count - 1),
        "seconds": sent / 450e9,
        "algbw": size / (sent / 450e9) / 1e9,
        "busbw": 450.0,
        "link": "NVLink 4",
    }
    return Estimate(**{**values, **more})


def layout(**block):
    texts = {key: block.pop(key) for key in ("title", "subtitle", "caption") if key in block}
    return Layout(name="made", block=Block(**block), **texts)


def scope(assembly=None, *, request=None, findings=None, recipe=None, title="", **more):
    topo = topology(assembly or server(), title=title)
    return Scope(
        topology=topo,
        roots=(topo.root,),
        request=request or Picture(),
        layout=recipe or layout(),
        findings=findings or Findings(),
        **more,
    )


def ring_scope(count=8, *, request=None, **more):
    findings = Findings(routes=(ring(count),), estimate=estimate(count, **more))
    return scope(server(count), request=request or Picture(size=14e9, highlight=("ring",)), findings=findings)


def words(drawing):
    """All words of a drawing or a scene, from top to bottom and left to right."""
    return [content for _, _, content in sorted(_placed(drawing))]


def _placed(drawing):
    for item in drawing.items:
        for shape in item.shapes:
            if type(shape).__name__ == "Text":
                content = "".join(run.content for run in shape.runs) or shape.content
                yield round(shape.y, 1), round(shape.x, 1), content
