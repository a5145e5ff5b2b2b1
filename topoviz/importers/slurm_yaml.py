"""Slurm topology.yaml: named topologies, each a tree of switches or blocks of nodes; the default one is taken."""

from __future__ import annotations

from topoviz.importers.evidence import scheduled
from topoviz.importers.evidence import yaml as foreign
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.scheduled import Above, Block, Plan, hosts
from topoviz.importers.evidence.text import Told
from topoviz.marks import Source
from topoviz.model.source import Value

KINDS = ("tree", "block", "flat")


def recognises(text: str) -> float:
    """Return how surely a text is a topology.yaml."""
    keys = foreign.keys(text)
    kinds = keys & set(KINDS) or any(f"\n  {kind}:" in text[:100_000] for kind in KINDS)
    return 0.9 if "topology" in keys and kinds else 0.0


def read(source: Source) -> Imported:
    """Return the cluster of the default topology. Raises SpecError."""
    told = Told(source)
    top = foreign.read(source)
    if not top.is_list:
        said = "the file is a mapping; topology.yaml is a list of topologies"
        raise foreign.mistake(source, top, said, hint='start the entry with "- topology:"', code="slurm-yaml-shape")
    plans = sorted(((_plan(told, entry), not _is_default(entry)) for entry in top.parts()), key=lambda one: one[1])
    if not plans:
        raise foreign.mistake(source, top, "the list has no topology", code="slurm-yaml-shape")
    every = [plan for plan, _ in plans]
    if len(every) > 1:
        others = ", ".join(f"--set variant={plan.name}" for plan in every[1:])
        told.infer(f"topology '{every[0].name}' is drawn, the default of the cluster; also here: {others}")
    named = [one.nodes for plan in every for one in plan.switches] + [
        one.nodes for plan in every for one in plan.blocks
    ]
    nodes = {node for some in named for node in some}
    counts = {
        "topologies": len(plans),
        "nodes": len(nodes),
        "switches": sum(len(plan.switches) for plan in every),
        "blocks": sum(len(plan.blocks) for plan in every),
    }
    return scheduled.imported(told, every, counts)


def _is_default(entry: Value) -> bool:
    said = entry.get("cluster_default")
    return said is not None and said.data is True


def _plan(told: Told, entry: Value) -> Plan:
    """Return one topology of the list. Raises SpecError."""
    name = entry.get("topology")
    if name is None or not name.text:
        said = "an entry of the list has no topology: NAME"
        raise foreign.mistake(told.source, entry, said, hint="- topology: NAME", code="slurm-yaml-shape")
    kinds = [kind for kind in KINDS if entry.get(kind) is not None]
    if len(kinds) != 1:
        said = f"topology '{name.text}' has {' and '.join(kinds)}" if kinds else f"topology '{name.text}' has no kind"
        place = entry.key_mark(kinds[0]) if kinds else entry.mark
        code = "slurm-yaml-exclusive" if kinds else "slurm-yaml-shape"
        hint = "one kind per topology: tree, block or flat"
        raise foreign.mistake(told.source, Value("", place), said, hint=hint, code=code)
    if kinds == ["flat"]:
        said = f"topology '{name.text}' is flat, so there is nothing to draw"
        raise foreign.mistake(told.source, name, said, hint="tree or block says more", code="slurm-yaml-flat")
    value = entry.get(kinds[0])
    plan = Plan(name=name.text)
    if value is not None and kinds == ["tree"]:
        plan.switches = [_switch(told, one) for one in _list(told, value, "switches")]
    elif value is not None:
        plan.blocks = [_block(told, one) for one in _list(told, value, "blocks")]
        sizes = value.get("block_sizes")
        plan.sizes = [one.data for one in sizes.parts() if isinstance(one.data, int)] if sizes else []
    return plan


def _list(told: Told, value: Value, key: str) -> tuple[Value, ...]:
    found = value.get(key)
    if found is None or not found.is_list or not found.parts():
        said = f"here must be {key}, a list"
        raise foreign.mistake(told.source, found or value, said, code="slurm-yaml-shape")
    return found.parts()


def _switch(told: Told, value: Value) -> Above:
    return Above(
        name=_name(told, value, "switch"),
        switches=_hosts(told, value, "children"),
        nodes=_hosts(told, value, "nodes"),
        line=value.mark.line,
    )


def _block(told: Told, value: Value) -> Block:
    return Block(name=_name(told, value, "block"), nodes=_hosts(told, value, "nodes"), line=value.mark.line)


def _name(told: Told, value: Value, key: str) -> str:
    found = value.get(key)
    if found is None or not found.text:
        raise foreign.mistake(told.source, value, f"an entry has no {key}: NAME", code="slurm-yaml-shape")
    return found.text


def _hosts(told: Told, value: Value, key: str) -> tuple[str, ...]:
    found = value.get(key)
    texts = foreign.words(told.source, found, key)
    return hosts(told, ",".join(texts), found.mark.line) if found else ()
