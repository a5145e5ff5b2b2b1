"""Checks of single values: texts, numbers, words, rates."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from topoviz.model import units
from topoviz.model.forms import Check, Place, Reading, mapping, quoted
from topoviz.model.grammar import Type
from topoviz.model.short import bad_name, bad_part, product
from topoviz.model.source import Value
from topoviz.model.spelling import listed, nearest

PARAMETER = re.compile(r"[^\W\d][\w.-]*")
TEMPLATE = re.compile(r"\$\{?\s*(\w+)|\{\{?\s*([\w.]+)\s*\}")
COMMAS = re.compile(r"\s*\d+(?:\s*[,;]\s*\d+)+\s*")


# ---- texts


def text(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check one text; a number is taken as it is written."""
    if isinstance(value.data, str):
        return value
    if isinstance(value.data, (int, float)) and not isinstance(value.data, bool):
        return replace(value, data=value.text)
    hint = f'write {place.key}: "{value.text}"' if value.text else "a text stands on one line"
    reading.tell(value.mark, f"{place.key} is a text, not {quoted(value)}", hint, "form-text")
    return value


def texts(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check one text, or a mapping from language to text."""
    if not value.is_mapping:
        return text(reading, value, type_, place)
    return mapping(
        {lang: text(reading, one, type_, replace(place, key=lang)) for lang, one in value.items()},
        value.mark,
        value.keys,
    )


def said(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a text that may also be true or false."""
    return value if isinstance(value.data, bool) else texts(reading, value, type_, place)


def name(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check the name of something that is there: no blanks in it."""
    value = text(reading, value, type_, place)
    if isinstance(value.data, str) and (wrong := bad_name(value.data)):
        reading.tell(value.mark, *wrong, "form-name")
    return value


def word(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check one word of an open list; words of other tools are told."""
    value = name(reading, value, type_, place)
    other = type_.others.get(str(value.data).lower())
    if other:
        reading.tell(value.mark, f"unknown {place.key} {quoted(value)}", f"did you mean '{other}'?", "form-word")
    return value


def part(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check the name of a part."""
    if not isinstance(value.data, str):
        reading.tell(value.mark, f"{place.key} is the name of a part, not {quoted(value)}", code="form-part")
    elif wrong := bad_part(value.data):
        reading.tell(value.mark, *wrong, "form-part")
    return value


def one(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check one word of a closed list."""
    if isinstance(value.data, str) and value.data in type_.words:
        return value
    near = nearest(value.text, type_.words, type_.others)
    hint = f"did you mean '{near}'? There are {', '.join(type_.words)}" if near else listed(type_.words)
    reading.tell(value.mark, f"unknown {place.key} {quoted(value)}", hint, "form-word")
    return value


def some(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check one or several words of a closed list; the long form is a list."""
    return Value(tuple(one(reading, each, type_, place) for each in value.parts()), value.mark)


def truth(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check true or false."""
    if not isinstance(value.data, bool):
        meant = {"yes": "true", "on": "true", "no": "false", "off": "false", "true": "true", "false": "false"}
        hint = f"write {meant.get(value.text.lower(), 'true or false')}"
        reading.tell(value.mark, f"{place.key} {quoted(value)} is neither true nor false", hint, "form-truth")
    return value


# ---- numbers


def whole(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a whole number in a range."""
    if not isinstance(value.data, int) or isinstance(value.data, bool):
        reading.tell(
            value.mark, f"{place.key} {quoted(value)} is not a whole number", _whole_hint(value, place), "form-number"
        )
    else:
        _range(reading, value, type_, place)
    return value


def _whole_hint(value: Value, place: Place) -> str:
    if isinstance(value.data, float):
        return f"write {place.key}: {math.floor(value.data)} or {math.ceil(value.data)}"
    return f"write {place.key}: {value.text}, without quotes" if value.text.isdecimal() else ""


def _range(reading: Reading, value: Value, type_: Type, place: Place) -> None:
    number = value.data
    if not isinstance(number, (int, float)):
        return
    if number < type_.least:
        least = units.number(type_.least)
        hint = "what is not there is left out" if number == 0 and type_.least == 1 else f"{least} or more"
        reading.tell(value.mark, f"{place.key} {value.text} is below {least}", hint, "form-range")
    elif number > type_.most:
        reading.tell(value.mark, f"{place.key} {value.text} is above {units.number(type_.most)}", code="form-range")


def number(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a whole number, or the name of a parameter."""
    if isinstance(value.data, int) and not isinstance(value.data, bool):
        _range(reading, value, type_, place)
        return value
    bare = isinstance(value.data, str) and PARAMETER.fullmatch(value.data)
    if bare and (place.open or value.data in place.parameters):
        return value
    reading.tell(
        value.mark,
        f"{place.key} {quoted(value)} is neither a number nor a parameter",
        _number_hint(reading, value, place),
        "form-number",
    )
    return value


def _number_hint(reading: Reading, value: Value, place: Place) -> str:
    written = value.text
    if isinstance(value.data, float):
        return _whole_hint(value, place)
    if written.isdecimal():
        return f"write {place.key}: {written}, without quotes"
    if COMMAS.fullmatch(written) and place.key in {"links", "shape", "slot"}:
        return f"write {place.key}: [{', '.join(re.findall(r'[0-9]+', written))}]"
    if found := TEMPLATE.search(written):
        parameter = (found.group(1) or found.group(2)).lower().replace(".", "_")
        return f"write parameters: {{{parameter}: 4}} and {place.key}: {parameter}, then --set {parameter}=16"
    if re.search(r"[-+*/×·(]", written) and re.search(r"\d", written):
        return _calculation(written, place)
    if place.parameters:
        near = nearest(written, place.parameters)
        known = f"parameters here are {', '.join(place.parameters)}"
        return f"did you mean '{near}'? {known[0].upper()}{known[1:]}" if near else known
    return f"this {reading.what} has no parameters"


def _calculation(written: str, place: Place) -> str:
    factors = product(written)
    if not factors:
        return "topoviz does not calculate; write the number"
    a, b, both = factors
    if place.key != "count" or not place.group:
        return f"topoviz does not calculate; write {both}"
    group = place.group.upper() if place.group in {"gpu", "cpu", "nic", "dpu"} else place.group
    return f"topoviz does not calculate; nest instead ({a} boards with {b} {group}s each) or write {both}"


def numbers(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a number or a parameter, or a list of these; the long form is a list."""
    if value.is_list and not value.parts():
        reading.tell(value.mark, f"{place.key} is an empty list", code="form-empty")
    return Value(tuple(number(reading, each, type_, place) for each in value.parts()), value.mark)


def real(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a number that need not be whole."""
    if not isinstance(value.data, (int, float)) or isinstance(value.data, bool):
        reading.tell(value.mark, f"{place.key} {quoted(value)} is not a number", code="form-number")
    else:
        _range(reading, value, type_, place)
    return value


def matrix(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check rows of whole numbers, all of the same length."""
    if not value.is_list or not all(row.is_list for row in value.parts()) or not value.parts():
        reading.tell(value.mark, f"{place.key} is a list of rows", "write [[0, 2], [2, 0]]", "form-list")
        return value
    for row in value.parts():
        for cell in row.parts():
            whole(reading, cell, Type(rule="whole"), place)
        if len(row.parts()) != len(value.parts()[0].parts()):
            wide = len(value.parts()[0].parts())
            reading.tell(row.mark, f"this row has {len(row.parts())} numbers, the first has {wide}", code="form-matrix")
    return value


# ---- with units


def _unit(read: Callable[[str | float, str], object]) -> Check:
    def check(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
        if not isinstance(value.data, (str, int, float)) or isinstance(value.data, bool):
            reading.tell(value.mark, f"{place.key} {quoted(value)} is not a number with a unit", code="form-unit")
            return value
        try:
            read(value.data, place.key)
        except units.UnreadableError as problem:
            reading.tell(value.mark, str(problem), problem.hint, "form-unit")
        return value

    return check


def rate(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a bandwidth; ``18 x`` may have stood before it."""
    before = value.mark.source.line(value.mark.line)[: value.mark.column - 1]
    times = re.search(r"(\d+ x )$", before)
    return _unit(lambda given, key: units.rate(given, key, times.group(1) if times else ""))(
        reading, value, type_, replace(place, key="bandwidth")
    )


def anything(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Let everything pass."""
    del reading, place
    return value


SCALARS: Mapping[str, Check] = MappingProxyType({
    "text": text, "texts": texts, "said": said, "name": name, "new name": name, "word": word, "part": part, "one": one, "some": some,
    "truth": truth, "whole": whole, "number": number, "numbers": numbers, "real": real, "matrix": matrix, "rate": rate,
    "size": _unit(units.size), "params": _unit(units.parameters), "share": _unit(units.share), "duration": _unit(units.duration), "any": anything,
})  # fmt: skip
