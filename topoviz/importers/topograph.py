"""topograph models: a tree of switches, blocks of nodes below its leaves, NVLink domains as annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topoviz.importers.evidence import yaml as foreign
from topoviz.importers.evidence.fabric import Cable, Fabric
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.scheduled import hosts
from topoviz.importers.evidence.text import Told
from topoviz.marks import Source
from topoviz.model.source import Value

DOMAIN = "accelerator"  # in the key of the annotation that names an NVLink domain


def recognises(text: str) -> float:
    """Return how surely a text is a model of topograph."""
    keys = foreign.keys(text)
    return 0.9 if "blocks" in keys and ("switches" in keys or "- switch:" in text[:100_000]) else 0.0


def read(source: Source) -> Imported:
    """Return the cluster of a model. Raises SpecError."""
    told = Told(source)
    top = foreign.read(source)
    fabric, domains = Fabric(), dict[str, list[str]]()
    above = {name: _below(told, value) for name, value in (top.get("switches") or Value({}, top.mark)).items()}
    blocks = top.get("blocks")
    if blocks is None or not blocks.is_list:
        said = "here must be blocks, a list"
        raise foreign.mistake(source, blocks or top, said, hint="- switch: leaf-1", code="topograph-shape")
    for name, lower in above.items():
        for one in (name, *lower):
            fabric.switch(one)
    for block in blocks.parts():
        _block(told, fabric, domains, block)
    _tell_empty(told, fabric, above, top)
    for name, lower in above.items():
        fabric.cables += [Cable(source=one, target=name, kind="network") for one in lower]
    _domains(told, fabric, domains)
    told.infer("a line is a place in the tree of the model; the file knows neither cables nor their rates")
    told.say(
        "A model's view: who stands below which switch. Cables and their rates are not in the file.",
        "模型的视图：谁在哪台交换机之下。文件中没有线缆及其速率。",
    )
    counts = {
        "switches": len(fabric.switches),
        "nodes": len(fabric.hosts) or sum(len(nodes) for nodes in domains.values()),
        "accelerator_domains": len(domains),
    }
    document: dict[str, Any] = {"kind": "cluster", "note": told.note(), **fabric.body()}
    facts = {"counts": counts, "groups": domains}
    return Imported(document=document, told=tuple(told.found), names=fabric.names, facts=facts)


def _below(told: Told, value: Value) -> Sequence[str]:
    return hosts(told, ",".join(foreign.words(told.source, value.get("switches"), "switches")), value.mark.line)


def _block(told: Told, fabric: Fabric, domains: dict[str, list[str]], block: Value) -> None:
    """Take the nodes of a block with their leaf and their domain. Raises SpecError."""
    leaf, nodes = block.get("switch"), block.get("nodes")
    if leaf is None or not leaf.text or nodes is None:
        said = "a block has switch: NAME and nodes: [NAMES]"
        raise foreign.mistake(told.source, block, said, code="topograph-shape")
    names = hosts(told, ",".join(foreign.words(told.source, nodes, "nodes")), nodes.mark.line)
    fabric.switch(leaf.text)
    notes = block.get("annotations")
    domain = next((value.text for key, value in (notes.items() if notes else ()) if DOMAIN in key), "")
    for name in names:
        fabric.host(name)
        fabric.cables.append(Cable(source=name, target=leaf.text, kind="network"))
        if domain:
            domains.setdefault(domain, []).append(name)


def _tell_empty(told: Told, fabric: Fabric, above: Mapping[str, Sequence[str]], top: Value) -> None:
    """Warn of switches that are named below others and described nowhere: the file may be cut."""
    full = {cable.target for cable in fabric.cables}
    tree = top.get("switches") or Value({}, top.mark)
    for name, value in tree.items():
        for one in above[name]:
            if one not in above and one not in full:
                said = f"switch '{one}' stands below '{name}', and no block has nodes for it"
                told.warn("topograph-empty-switch", said, value.mark.line, hint="the file may be cut")


def _domains(told: Told, fabric: Fabric, domains: dict[str, list[str]]) -> None:
    """Note domains in the body of their hosts, so that hosts of one domain are one group."""
    if domains:
        told.infer("nodes of one NVLink domain are one group of the document; their GPUs are not in the file")
    for domain, nodes in domains.items():
        for node in nodes:
            fabric.bodies[node] = {"facts": {"nvlink_domain": domain}}
