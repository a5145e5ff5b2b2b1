"""What schedulers know of a cluster: switches above switches, nodes below them, blocks of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from topoviz.importers.evidence.draft import fit
from topoviz.importers.evidence.fabric import Cable, Fabric
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, wrong
from topoviz.model.hostlist import names_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Above:
    """A switch and what stands below it."""

    name: str
    switches: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Nodes that belong together, as those of one NVLink domain."""

    name: str
    nodes: tuple[str, ...]
    line: int


@dataclass(slots=True, kw_only=True)
class Plan:
    """One topology of a scheduler."""

    name: str = ""
    switches: list[Above] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


def hosts(told: Told, text: str, line: int) -> tuple[str, ...]:
    """Return the names of a host list. Raises SpecError."""
    try:
        return tuple(names_of(text))
    except ValueError as problem:
        said = f"the host list '{text.strip()}' cannot be read: {problem}"
        raise wrong(
            told.source, line, said, hint="write it as n[01-18],login1", code="slurm-host-list", word=text
        ) from None


def imported(told: Told, plans: Sequence[Plan], extra: dict[str, int] | None = None) -> Imported:
    """Return the document of topologies: the first one, the others as variants of it. Raises SpecError."""
    found = [_one(told, plan) for plan in plans]
    first = found[0]
    document: dict[str, Any] = {"kind": "cluster"}
    if len(plans) > 1:
        document["variants"] = {fit(plan.name): one.document for plan, one in zip(plans, found, strict=True)}
    else:
        document = {**({"title": plans[0].name} if plans[0].name else {}), **document, **first.document}
    facts = {**first.facts, "counts": {**first.facts["counts"], **(extra or {})}}
    return replace(first, document=document, told=tuple(told.found), facts=facts)


def _one(told: Told, plan: Plan) -> Imported:
    """Return one topology with its own note."""
    told.caption.clear()
    made = _tree(told, plan) if plan.switches else _blocks(told, plan)
    return replace(made, document={"note": told.note(), **made.document})


def _tree(told: Told, plan: Plan) -> Imported:
    _check(told, plan)
    fabric, tiers = Fabric(), _tiers(told, plan)
    for one in sorted(plan.switches, key=lambda one: -tiers[one.name]):
        fabric.switch(one.name)
    for one in plan.switches:
        for node in one.nodes:
            fabric.host(node)
            fabric.cables.append(Cable(source=node, target=one.name, kind="network"))
    fabric.tiers = dict(tiers)
    for one in plan.switches:
        fabric.cables += [Cable(source=below, target=one.name, kind="network") for below in one.switches]
    told.infer("a line is a place in the tree of the scheduler; the file knows neither cables nor their rates")
    told.say(
        "A scheduler's view: who stands below which switch. Cables and their rates are not in the file.",
        "调度器的视图：谁在哪台交换机之下。文件中没有线缆及其速率。",
    )
    below = {name for one in plan.switches for name in one.switches}
    roots = [one.name for one in plan.switches if one.name not in below]
    counts = {"switches": len(plan.switches), "nodes": len(fabric.hosts), "roots": len(roots)}
    groups = {one.name: list(one.switches or one.nodes) for one in plan.switches}
    return Imported(
        document=fabric.body(),
        names=fabric.names,
        facts={"counts": counts, "groups": groups, "roots": roots},
    )


def _check(told: Told, plan: Plan) -> None:
    known: dict[str, int] = {}
    for one in plan.switches:
        if one.name in known:
            said = f"switch '{one.name}' is there twice, first on line {known[one.name]}"
            raise wrong(told.source, one.line, said, code="slurm-twice", word=one.name)
        known[one.name] = one.line
    leaves: dict[str, str] = {}
    for one in plan.switches:
        for below in one.switches:
            if below not in known:
                said = f"switch '{one.name}' stands above '{below}', which is no switch of this file"
                hint = f"a line of its own defines it: SwitchName={below} Nodes=…"
                raise wrong(told.source, one.line, said, hint=hint, code="slurm-unknown-switch", word=below)
        for node in one.nodes:
            if leaves.setdefault(node, one.name) != one.name:
                said = f"node '{node}' stands below '{leaves[node]}' and below '{one.name}'"
                told.warn("slurm-two-leaves", said, one.line, hint="schedulers know one leaf for each node")


def _tiers(told: Told, plan: Plan) -> dict[str, int]:
    """Return how high each switch stands over its nodes. Raises SpecError for a circle."""
    found: dict[str, int] = {}
    waiting = {one.name: one for one in plan.switches}
    while waiting:
        ready = [one for one in waiting.values() if all(below in found for below in one.switches)]
        if not ready:
            one = next(iter(waiting.values()))
            said = f"switch '{one.name}' stands above itself, by way of {', '.join(one.switches)}"
            raise wrong(told.source, one.line, said, code="slurm-circle", word=one.name)
        for one in ready:
            found[one.name] = 1 + max((found[below] for below in one.switches), default=0)
            del waiting[one.name]
    return found


def _blocks(told: Told, plan: Plan) -> Imported:
    """Return a document of blocks side by side: racks, if each is an NVLink domain; the file does not say."""
    fabric = Fabric()
    entries: dict[str, Any] = {}
    names: dict[str, str] = {}
    for block in plan.blocks:
        fabric.switch(block.name)
        inside = Fabric()
        for node in block.nodes:
            inside.host(node)
        called = fabric.names[block.name]
        names |= {block.name: called} | {node: f"{called}/{name}" for node, name in inside.names.items()}
        entries[called] = {"kind": "rack", "title": block.name, **inside.body()}
    told.infer(
        "a block is drawn as a rack; whether it is an NVLink domain, and how many GPUs it has, is not in the file"
    )
    sizes = f" Jobs are placed in {', '.join(map(str, plan.sizes))} nodes." if plan.sizes else ""
    told.say(
        f"A block is a set of nodes that belong together, as an NVLink domain does; the file says nothing of GPUs.{sizes}",
        "块是一组相互靠近的节点，例如一个 NVLink 域；文件中没有 GPU 信息。"
        + (f"作业按 {'、'.join(map(str, plan.sizes))} 个节点分配。" if plan.sizes else ""),
    )
    nodes = sum(len(block.nodes) for block in plan.blocks)
    counts = {"blocks": len(plan.blocks), "nodes": nodes}
    return Imported(
        document={"contains": entries},
        names=names,
        facts={"counts": counts, "groups": {block.name: list(block.nodes) for block in plan.blocks}},
    )
