"""Makes records out of values in their long form, which are known to be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from topoviz.marks import Source
from topoviz.model import units
from topoviz.model.source import Value
from topoviz.model.spec import (
    Body,
    Change,
    Entry,
    Fabric,
    Memory,
    Number,
    Parameter,
    Picture,
    Port,
    Rate,
    RouteSpec,
    Selector,
    Spec,
    Text,
    Wire,
)

T = TypeVar("T")
R = TypeVar("R")
CHOICE = ("part", "variant", "with", "mig")


# ---- small readers of one key


def _text(value: Value, key: str) -> str:
    found = value.get(key)
    return str(found.data) if found is not None else ""


def _texts(value: Value, key: str) -> Text:
    found = value.get(key)
    return said(found) if found is not None else ""


def said(value: Value) -> Text:
    """Return a text, or a mapping from language to text."""
    return (
        MappingProxyType({lang: str(one.data) for lang, one in value.items()}) if value.is_mapping else str(value.data)
    )


def _said(value: Value, key: str) -> Text | bool | None:
    found = value.get(key)
    if found is None or isinstance(found.data, bool):
        return None if found is None else bool(found.data)
    return said(found)


def _selector(value: Value, key: str) -> Selector:
    found = value.get(key)
    return tuple(str(one.data) for one in found.parts()) if found is not None else ()


def _number(value: Value, key: str) -> Number | None:
    found = value.get(key)
    return _either(found) if found is not None else None


def _either(value: Value) -> Number:
    return value.data if isinstance(value.data, int) else str(value.data)


def _whole(value: Value, key: str) -> int | None:
    found = value.get(key)
    return int(found.data) if found is not None and isinstance(found.data, int) else None


def _real(value: Value, key: str) -> float | None:
    found = value.get(key)
    return float(found.data) if found is not None and isinstance(found.data, (int, float)) else None


def _truth(value: Value, key: str) -> bool | None:
    found = value.get(key)
    return None if found is None else found.data is True


def _rate(value: Value, key: str) -> Rate | None:
    found = value.get(key)
    return units.rate(found.text) if found is not None else None


def _many(value: Value, key: str, make: Callable[[Value], R]) -> tuple[R, ...]:
    found = value.get(key)
    return tuple(make(one) for one in found.parts()) if found is not None else ()


def _named(value: Value, key: str, make: Callable[[Value, str], R]) -> Mapping[str, R]:
    found = value.get(key)
    return MappingProxyType({name: make(one, name) for name, one in found.items()} if found is not None else {})


def frozen(value: Value) -> object:
    """Return a piece as plain Python that nobody can change: tuples, read-only mappings."""
    if isinstance(value.data, Mapping):
        return MappingProxyType({key: frozen(one) for key, one in value.data.items()})
    return tuple(frozen(one) for one in value.data) if isinstance(value.data, tuple) else value.data


# ---- bodies


def body(value: Value, name: str = "") -> Body:
    """Return the body of a part, an entry or a document."""
    ports = value.get("ports")
    preliminary = _said(value, "preliminary")
    return Body(
        name=name,
        part=_text(value, "part"),
        variant=_text(value, "variant"),
        arguments=_named(value, "with", lambda one, _: _either(one)),
        kind=_text(value, "kind"),
        title=_texts(value, "title"),
        source=_text(value, "source"),
        note=_texts(value, "note"),
        preliminary=("preliminary" if preliminary else "") if isinstance(preliminary, bool) else preliminary or "",
        parameters=_named(value, "parameters", _parameter),
        variants=_named(value, "variants", body),
        ports=None if ports is None else tuple(_port(kind, one) for kind, one in ports.items()),
        memory=_memory(value.get("memory")),
        slices=_plain(value, "slices"),
        facts=_plain(value, "facts"),
        height=_whole(value, "height"),
        mig=_selector(value, "mig"),
        parts=_named(value, "parts", body),
        contains=tuple(_named(value, "contains", _entry).values()),
        wires=_many(value, "wires", _wire),
        fabric=_many(value, "fabric", _fabric),
        changes=_many(value, "changes", _change),
        origin=value,
    )


def _plain(value: Value, key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return MappingProxyType({name: frozen(one) for name, one in found.items()} if found is not None else {})


def _parameter(value: Value, name: str) -> Parameter:
    return Parameter(
        name=name,
        default=_whole(value, "default") or 0,
        least=_whole(value, "from"),
        most=_whole(value, "to"),
        origin=value,
    )


def _port(kind: str, value: Value) -> Port:
    count, rate = _number(value, "count"), _rate(value, "bandwidth")
    return Port(
        kind=kind,
        count=1 if count is None else count,
        rate=rate or Rate(line=None),
        shared=_truth(value, "shared") or False,
        twin=_truth(value, "twin") or False,
        origin=value,
    )


def _memory(value: Value | None) -> Memory | None:
    if value is None:
        return None
    rate = _rate(value, "bandwidth")
    return Memory(
        size=units.size(_text(value, "size")), type=_text(value, "type"), bandwidth=rate.line if rate else None
    )


def _entry(value: Value, name: str) -> Entry:
    return Entry(
        name=name,
        body=body(value),
        count=_number(value, "count"),
        names=_selector(value, "names"),
        slot=_many(value, "slot", lambda one: int(str(one.data))),
        origin=value,
    )


def _wire(value: Value) -> Wire:
    return Wire(
        source=_selector(value, "from"),
        target=_selector(value, "to") or None,
        kind=_text(value, "kind"),
        rule=_text(value, "rule") or "all",
        links=_many(value, "links", _either) or (1,),
        rate=_rate(value, "bandwidth"),
        shape=_many(value, "shape", lambda one: int(str(one.data))),
        matrix=_many(value, "matrix", lambda row: tuple(int(str(one.data)) for one in row.parts())),
        exclude=_selector(value, "except"),
        title=_texts(value, "title"),
        note=_text(value, "note"),
        origin=value,
    )


def _fabric(value: Value) -> Fabric:
    return Fabric(
        join=_selector(value, "join"),
        switch=_text(value, "switch"),
        kind=_text(value, "kind"),
        variant=_text(value, "variant"),
        rails=_number(value, "rails") or 1,
        planes=_number(value, "planes") or 1,
        oversubscription=_real(value, "oversubscription"),
        down=_number(value, "down"),
        up=_number(value, "up"),
        tiers=_number(value, "tiers"),
        unit=_text(value, "unit"),
        spines=_number(value, "spines"),
        name=_text(value, "name"),
        origin=value,
    )


def _change(value: Value) -> Change:
    link = _selector(value, "link")
    return Change(
        at=_selector(value, "at"),
        link=(link[0], link[1]) if link else None,
        part=_text(value, "part"),
        variant=_text(value, "variant"),
        arguments=_named(value, "with", lambda one, _: _either(one)),
        mig=_selector(value, "mig"),
        title=_texts(value, "title"),
        absent=_truth(value, "absent") or False,
        state=_text(value, "state"),
        links=_number(value, "links"),
        rate=_rate(value, "bandwidth"),
        kind=_text(value, "kind"),
        note=_text(value, "note"),
        origin=value,
    )


# ---- documents and pictures


def spec(value: Value, name: str, sources: Sequence[Source]) -> Spec:
    """Return a whole document; ``name`` is what it is called if it does not say."""
    own = _text(value, "name") or name
    return Spec(
        name=own,
        body=body(value, own),
        routes=_many(value, "routes", _route),
        model=_model(value.get("model")),
        job=_plain(value, "job"),
        pictures=_many(value, "pictures", picture),
        theme=_text(value, "theme"),
        lang=_selector(value, "lang"),
        sources=tuple(sources),
        origin=value,
    )


def _route(value: Value) -> RouteSpec:
    shape = next(key for key in ("ring", "path", "tree") if value.get(key) is not None)
    return RouteSpec(
        name=_text(value, "name"),
        shape=shape,
        nodes=() if shape == "tree" else _selector(value, shape),
        tree=_plain(value, "tree"),
        via=_text(value, "via"),
        through_host=_hops(value, "through_host"),
        through_network=_hops(value, "through_network"),
        count=_whole(value, "count") or 1,
        origin=value,
    )


def _hops(value: Value, key: str) -> tuple[int, ...]:
    return tuple(one.data for one in _many(value, key, lambda found: found) if isinstance(one.data, int))


def _model(value: Value | None) -> Mapping[str, Any]:
    if value is None:
        return MappingProxyType({})
    said_ = {name: frozen(one) for name, one in value.items()}
    params = value.get("params")
    if params is not None:
        said_["params"] = units.parameters(params.data if isinstance(params.data, (int, float)) else params.text)
    return MappingProxyType(said_)


def picture(value: Value) -> Picture:
    """Return a picture, a panel, or the options of a command."""
    measured = value.get("measured")
    share = units.share(measured.text) if measured is not None else None
    size, compute = value.get("size"), value.get("compute")
    return Picture(
        file=_text(value, "file"),
        name=_text(value, "name"),
        layout=_text(value, "layout"),
        body=_choice(value),
        show=_selector(value, "show"),
        hide=_selector(value, "hide"),
        fold=_selector(value, "fold"),
        unfold=_selector(value, "unfold"),
        detail=_text(value, "detail"),
        order=_selector(value, "order"),
        rates=_text(value, "rates"),
        highlight=_many(value, "highlight", frozen),
        size=units.size(size.text) if size is not None else None,
        compute=units.duration(compute.text) if compute is not None else None,
        measured=share if isinstance(share, float) else None,
        measured_rate=share.line if isinstance(share, Rate) else None,
        overlay=_selector(value, "overlay"),
        title=_said(value, "title"),
        subtitle=_said(value, "subtitle"),
        caption=_said(value, "caption"),
        alt=_said(value, "alt"),
        summary=_truth(value, "summary"),
        theme=_selector(value, "theme"),
        lang=_selector(value, "lang"),
        width=_real(value, "width"),
        scale=_real(value, "scale"),
        background=_truth(value, "background"),
        interactive=_truth(value, "interactive"),
        animate=_truth(value, "animate"),
        panels=_many(value, "panels", picture),
        table=_table(value),
        found=_text(value, "found"),
        origin=value,
    )


def _table(value: Value) -> tuple[str, ...] | Mapping[str, Any]:
    found = value.get("table")
    if found is not None and found.is_mapping:
        return _plain(value, "table")
    return _many(value, "table", lambda one: _text(one, "field") if one.is_mapping else str(one.data))


def _choice(value: Value) -> Body | None:
    """Return the body that a picture draws instead of the document; its title is the picture's."""
    if not any(value.get(key) is not None for key in CHOICE):
        return None
    return Body(
        part=_text(value, "part"),
        variant=_text(value, "variant"),
        arguments=_named(value, "with", lambda one, _: _either(one)),
        mig=_selector(value, "mig"),
        origin=value,
    )
