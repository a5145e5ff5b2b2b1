"""Checks of names and of what is short for a list: selectors, host names, rack units, MIG; files, highlights, tables."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from topoviz.model.forms import Check, Place, Reading, mapping, piece, quoted
from topoviz.model.grammar import SUFFIXES, Type
from topoviz.model.scalars import SCALARS, text
from topoviz.model.short import bad_name, counted, expand, slots
from topoviz.model.source import Value
from topoviz.model.spelling import listed

PROFILE = re.compile(r"\d+[cg]\.[\w.+-]+(?:@\d+)?")


# ---- selectors and names


def selector(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check a selector, or a list of them; the long form is a list."""
    if value.is_list and not value.parts():
        reading.tell(value.mark, f"{place.key} is an empty list", "leave the key out", "form-empty")
    return Value(tuple(_selector(reading, each, place) for each in value.parts()), value.mark)


def _selector(reading: Reading, value: Value, place: Place) -> Value:
    if not isinstance(value.data, str):
        hint = f'write {place.key}: "{value.text}"' if value.text else "a name such as gpu, or a list of names"
        reading.tell(value.mark, f"{place.key} names things, and {quoted(value)} is no name", hint, "form-selector")
    elif wrong := _bad_selector(value.data):
        reading.tell(value.mark, *wrong, "form-selector")
    return value


def _bad_selector(path: str) -> tuple[str, str] | None:
    if not path.strip():
        return "a selector is empty", "a name such as gpu"
    if any(c.isspace() for c in re.sub(r"\[[^\]]*\]", "", path)):
        arrow = re.split(r"\s*(?:<?-+>|--)\s*", path)
        if len(arrow) == 2:
            return (
                f"'{path}' is not a selector",
                f"links have no direction here: {{from: {arrow[0]}, to: {arrow[1]}, kind: …}}",
            )
        return f"'{path}' is not a selector: it has a blank", "several things are a list: [gpu, nic]"
    if path.startswith("/") or path.endswith("/") or "//" in path or ".." in path.split("/"):
        return (
            f"'{path}' is not a selector",
            "steps are joined by single '/', from the outside in: node/nic; there is no way up",
        )
    try:
        for step in path.split("/"):
            for each in expand(step):
                hidden = bad_name(re.sub(r"[*?]", "x", each))
                if hidden:
                    return hidden
    except ValueError as problem:
        return f"'{path}' is not a selector: {problem}", "gpu[0-3], gpu[0,2,5]"
    return None


def pair(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check two ends."""
    if len(value.parts()) != 2 or not value.is_list:
        reading.tell(value.mark, f"{place.key} is a list of two ends", f"write {place.key}: [gpu3, nvs0]", "form-pair")
        return value
    return selector(reading, value, _type, place)


def names(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check names of one's own; ranges are written out. The long form is a list."""
    found: dict[str, Value] = {}
    for given in value.parts():
        each = text(reading, given, _type, place)
        for single in _expanded(reading, each):
            if wrong := bad_name(single.text):
                reading.tell(single.mark, *wrong, "form-name")
            if single.text in found:
                reading.tell(single.mark, f"the name '{single.text}' is there twice", code="form-name")
            found[single.text] = single
    return Value(tuple(found.values()), value.mark)


def _expanded(reading: Reading, value: Value) -> list[Value]:
    if not isinstance(value.data, str):
        return []
    try:
        return [Value(single, value.mark, text=single) for single in expand(value.data)]
    except ValueError as problem:
        reading.tell(value.mark, f"'{value.data}' is not a list of names: {problem}", "dgx-[001-032]", "form-name")
        return []


def slot(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check rack units; ranges are written out. The long form is a list of numbers."""
    found: list[Value] = []
    for given in value.parts():
        places = slots(given.text) if given.data is not None and not isinstance(given.data, float) else None
        if not places or places[0] < 1:
            hint = "units count from the bottom, from 1: 4, 16-23, [16-23, 33-42]"
            reading.tell(given.mark, f"{place.key} {quoted(given)} is not a rack unit", hint, "form-slot")
            continue
        found += [Value(number, given.mark, text=str(number)) for number in places]
    return Value(tuple(found), value.mark)


def mig(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check MIG profiles; ``7 x 1g.10gb`` is written out. The long form is a list."""
    found: list[Value] = []
    for given in value.parts():
        short = counted(given) if isinstance(given.data, str) else None
        profile = short[1] if short else given
        if not isinstance(profile.data, str) or not PROFILE.fullmatch(profile.data):
            reading.tell(
                profile.mark,
                f"{quoted(profile)} is not a MIG profile",
                "7 x 1g.10gb, or [3g.40gb, 3g.40gb]",
                "form-mig",
            )
            continue
        times = short[0].data if short else 1
        if short and not 1 <= int(str(times)) <= 64:
            reading.tell(short[0].mark, f"{times} slices of one GPU", code="form-mig")
            continue
        found += [profile] * int(str(times))
    del place
    return Value(tuple(found), value.mark)


def tree(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check a tree: from each parent to its children."""
    if not value.is_mapping:
        reading.tell(
            value.mark,
            f"{place.key} is a mapping from parent to children",
            "write tree: {gpu0: [gpu1, gpu2]}",
            "form-mapping",
        )
        return value
    return mapping(
        {each: selector(reading, below, _type, replace(place, key=each)) for each, below in value.items()},
        value.mark,
        value.keys,
    )


# ---- pictures


def file(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check where a picture goes: inside the folder, with a suffix that can be written."""
    value = text(reading, value, type_, place)
    if not isinstance(value.data, str):
        return value
    stem, suffix = posixpath.splitext(value.data)
    if suffix.lower() not in SUFFIXES or not stem or value.data.endswith("/"):
        what = f"does not write '{suffix}'" if suffix else f"needs a suffix to know how to write '{value.data}'"
        reading.tell(value.mark, f"topoviz {what}", listed(SUFFIXES), "form-suffix")
    elif outside(value.data):
        reading.tell(
            value.mark,
            f"{quoted(value)} is outside the folder of this document",
            "topoviz render -d DIR writes elsewhere",
            "form-path",
        )
    return value


def path(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a file to include: of the same folder or below."""
    value = text(reading, value, type_, place)
    if isinstance(value.data, str) and outside(value.data):
        hint = "give both files on the command line, they are joined: topoviz render a.yaml b.yaml"
        reading.tell(value.mark, f"{quoted(value)} is outside the folder of this document", hint, "form-path")
    return value


def outside(given: str) -> bool:
    """Tell whether a path leaves the folder it starts in.

    >>> outside("../a.yaml"), outside("b/../a.yaml"), outside("file:/etc/passwd")
    (True, False, True)
    """
    plain = given.replace("\\", "/")
    return bool(
        plain.startswith(("/", "~"))
        or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", plain)
        or posixpath.normpath(plain).split("/")[0] == ".."
    )


def highlight(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check what is highlighted; ``path:A,B``, ``nodes:A,B`` and ``ring:all-gather`` are written out. The long form is a list."""
    return Value(tuple(_highlight(reading, each, place) for each in value.parts()), value.mark)


def _highlight(reading: Reading, value: Value, place: Place) -> Value:
    if isinstance(value.data, str) and ":" in value.data:
        value = _written_out(value)
    if value.is_mapping:
        return reading.check(value, Type(rule="form", form="highlight"), place)
    return text(reading, value, Type(rule="text"), place)


OUTER_COMMA = re.compile(r",(?![^\[]*\])")  # not the one of `gpu[0,2]`


def _written_out(value: Value) -> Value:
    at = value.text.index(":")
    first, rest = piece(value, 0, at), piece(value, at + 1, len(value.text))
    if first.text not in {"path", "nodes"}:
        return mapping({"algorithm": first, "collective": rest}, value.mark)
    ends, start = [], at + 1
    for end in OUTER_COMMA.split(rest.text):
        blank = len(end) - len(end.lstrip())
        ends.append(piece(value, start + blank, start + len(end.rstrip())))
        start += len(end) + 1
    return mapping({first.text: Value(tuple(ends), rest.mark)}, value.mark)


def table(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check fields, or what is a row and fields."""
    if value.is_mapping:
        return reading.check(value, Type(rule="form", form="table"), place)
    return Value(tuple(_field(reading, each, place) for each in value.parts()), value.mark)


def _field(reading: Reading, value: Value, place: Place) -> Value:
    if value.is_mapping:
        return reading.check(value, Type(rule="form", form="field"), place)
    return text(reading, value, Type(rule="text"), place)


SELECTED: Mapping[str, Check] = MappingProxyType({
    **SCALARS, "selector": selector, "pair": pair, "names": names, "slot": slot, "mig": mig, "tree": tree, "file": file, "path": path,
    "highlight": highlight, "table": table,
})  # fmt: skip
