"""The document back as YAML: what it writes builds the same topology again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from topoviz.model.composing import write as write_yaml
from topoviz.model.source import Value
from topoviz.model.spec import Body, Change, Entry, Fabric, Memory, Parameter, Port, Rate, RouteSpec, Spec, Wire
from topoviz.model.topology import Topology

Plain: TypeAlias = Any  # dicts, lists and scalars
SUFFIX = ".yaml"


def write(topology: Topology) -> str:
    """Return a document that builds the same topology; parts of the catalog stay names."""
    return write_yaml(data(topology.spec), f"{topology.name}.yaml")


def data(spec: Spec) -> dict[str, Any]:
    """Return a document as plain Python, its keys in the order of our files."""
    return _said(
        name=spec.name,
        **body(spec.body),
        routes=[_route(route) for route in spec.routes],
        model=plain(spec.model),
        job=plain(spec.job),
        pictures=[picture.origin.plain() for picture in spec.pictures if picture.origin is not None],
        theme=spec.theme,
        lang=list(spec.lang),
    )


def _said(**keys: Plain) -> dict[str, Any]:
    """Return what is said: a key with an empty value is left out."""
    return {
        key: value
        for key, value in keys.items()
        if value is not None and value is not False and value not in ("", [], {}, ())
    }


def plain(value: object) -> Plain:
    """Return ordinary Python: dicts, lists and scalars.

    >>> plain({"a": (1, 2)})
    {'a': [1, 2]}
    """
    if isinstance(value, Value):
        return plain(value.plain())
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (tuple, list)) else value


def body(part: Body) -> dict[str, Any]:
    """Return the body of a part, an entry or a document."""
    keys = _said(
        title=plain(part.title),
        part=part.part,
        variant=part.variant,
        kind=part.kind,
        source=part.source,
        note=plain(part.note),
        preliminary=plain(part.preliminary),
        parameters={name: _parameter(parameter) for name, parameter in part.parameters.items()},
        memory=_memory(part.memory),
        slices=plain(part.slices),
        facts=plain(part.facts),
        height=part.height,
        mig=list(part.mig),
        parts={name: body(one) for name, one in part.parts.items()},
        contains={entry.name: _entry(entry) for entry in part.contains},
        wires=[_wire(wire) for wire in part.wires],
        fabric=[_fabric(fabric) for fabric in part.fabric],
        changes=[_change(change) for change in part.changes],
        variants={name: body(variant) for name, variant in part.variants.items()},
    )
    if part.arguments:
        keys["with"] = dict(part.arguments)
    if part.ports is not None:
        keys["ports"] = {port.kind: _port(port) for port in part.ports}
    return keys


def _parameter(parameter: Parameter) -> Plain:
    if parameter.least is None and parameter.most is None:
        return parameter.default
    limits = {"default": parameter.default, "from": parameter.least, "to": parameter.most}
    return {key: value for key, value in limits.items() if value is not None}


def _memory(memory: Memory | None) -> Plain:
    if memory is None:
        return None
    rate = "" if memory.bandwidth is None else f"{memory.bandwidth:.12g} GB/s"
    return _said(size=f"{memory.size / 1e9:.12g} GB", type=memory.type, bandwidth=rate)


def _rate(rate: Rate | None) -> str:
    if rate is None:
        return ""
    return rate.written or rate.link or (f"{rate.line:.12g} GB/s" if rate.line is not None else "")


def _port(port: Port) -> Plain:
    return _said(bandwidth=_rate(port.rate), count=port.count, shared=port.shared, twin=port.twin)


def _entry(entry: Entry) -> dict[str, Any]:
    return {**body(entry.body), **_said(count=entry.count, names=list(entry.names), slot=list(entry.slot))}


def _one_or_list(values: Iterable[object]) -> Plain:
    found = list(values)
    return found[0] if len(found) == 1 else found


def _wire(wire: Wire) -> dict[str, Any]:
    keys = {"from": _one_or_list(wire.source)} | _said(
        to=_one_or_list(wire.target or ()),
        kind=wire.kind,
        rule="" if wire.rule == "all" else wire.rule,
        links=None if wire.links == (1,) else _one_or_list(wire.links),
        bandwidth=_rate(wire.rate),
        shape=list(wire.shape),
        matrix=[list(row) for row in wire.matrix],
        title=plain(wire.title),
        note=wire.note,
    )
    return {**keys, "except": _one_or_list(wire.exclude)} if wire.exclude else keys


def _fabric(fabric: Fabric) -> dict[str, Any]:
    return _said(
        join=_one_or_list(fabric.join),
        switch=fabric.switch,
        kind=fabric.kind,
        variant=fabric.variant,
        rails=None if fabric.rails == 1 else fabric.rails,
        planes=None if fabric.planes == 1 else fabric.planes,
        oversubscription=fabric.oversubscription,
        down=fabric.down,
        up=fabric.up,
        tiers=fabric.tiers,
        unit=fabric.unit,
        spines=fabric.spines,
        name=fabric.name,
    )


def _change(change: Change) -> dict[str, Any]:
    keys = _said(
        at=_one_or_list(change.at),
        link=list(change.link or ()),
        part=change.part,
        variant=change.variant,
        mig=list(change.mig),
        title=plain(change.title),
        absent=change.absent,
        state=change.state,
        links=change.links,
        bandwidth=_rate(change.rate),
        kind=change.kind,
        note=change.note,
    )
    return {**keys, "with": dict(change.arguments)} if change.arguments else keys


def _route(route: RouteSpec) -> dict[str, Any]:
    members = plain(route.tree) if route.shape == "tree" else _one_or_list(route.nodes)
    return _said(
        name=route.name,
        **{route.shape: members},
        via=route.via,
        through_host=list(route.through_host),
        through_network=list(route.through_network),
        count=None if route.count == 1 else route.count,
    )
