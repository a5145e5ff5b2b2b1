"""The JSON Schema (draft-07) for editors, written from the grammar: document, part, layout.

No ``oneOf``, and every object is closed, so that an editor names the wrong key
instead of "matches several schemas". It knows forms and words; names, numbers
that do not fit and all that needs the machine are told by ``topoviz check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from topoviz.model.grammar import FORMS, SUFFIXES, Form, Key, Type
from topoviz.model.layout_grammar import BLOCK, HEAD, LAYOUT_FORMS, NEEDS, VIEWS

Json = dict[str, Any]
RATE = r"^(\d+(\.\d+)? ?[kKMGTP]i?(B/s|Bps|b/s|bps|bit/s)( per direction| both directions)?|\d+ ?GbE|[A-Za-z][A-Za-z]+ ?\S*( x\d+)?)$"
NAMED = r"^[^/\[\]*?,:{}#&!|>'\"%@`\s]+$"
PARAMETER = r"^[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_.\u0080-\uFFFF-]*$"
ROOTS: Mapping[str, str] = MappingProxyType({"document": "document", "part": "part file", "layout": "layout"})
SHORT: Mapping[str, Sequence[str]] = MappingProxyType(
    {"whole": ["integer"], "number": ["integer"], "text": ["string", "number"]}
)  # types of short forms other than text


def schema(which: str = "document") -> Json:
    """Return the JSON Schema of a document, a part file or a layout file.

    >>> sorted(schema("part")["properties"]["ports"])
    ['additionalProperties', 'description', 'type']
    """
    forms = _layout_forms() if which == "layout" else FORMS
    root = forms[ROOTS[which]]
    used = _used(root.keys, forms)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"topoviz {which}",
        **_object(root),
        "definitions": {name: _object(forms[name]) for name in sorted(used)},
    }


def _layout_forms() -> Mapping[str, Form]:
    """Return the forms of a layout file; a block may have the keys of any view."""
    keys: dict[str, Key] = {key.name: key for key in BLOCK}
    for own in VIEWS.values():
        for key in own:
            if keys.setdefault(key.name, key).type != key.type:  # another type in another view
                keys[key.name] = Key(name=key.name, type=Type(rule="selector"), help=key.help)
    keys["rows"] = Key(name="rows", type=Type(rule="blocks"), help=keys["rows"].help)
    keys["columns"] = Key(
        name="columns", type=Type(rule="blocks"), help="Blocks beside each other, or what makes a column."
    )
    keys["gutter"] = Key(name="gutter", type=Type(rule="gutter"), help=keys["gutter"].help)
    block = Form(called="block", needs=NEEDS, keys=tuple(keys.values()))
    root = Form(needs=NEEDS, keys=(*HEAD, *keys.values()))
    return {**LAYOUT_FORMS, "block": block, "layout": root}


def _used(keys: Iterable[Key], forms: Mapping[str, Form]) -> set[str]:
    """Return the names of all forms that these keys lead to."""
    found: set[str] = set()
    left = [name for key in keys for name in _names(key.type)]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [one for key in forms[name].keys for one in _names(key.type)]
    return found


def _names(type_: Type) -> Sequence[str]:
    inside: Sequence[str] = _names(type_.of) if type_.of else ()
    by_rule = {"table": ("field",), "blocks": ("block",)}
    return [*inside, *([type_.form] if type_.form else []), *by_rule.get(type_.rule, ())]


def _object(form: Form) -> Json:
    """Return the schema of a mapping and of its short form."""
    short = form.key(form.short) if form.short else None
    types = ["object"]
    if short is not None:
        types += SHORT.get(short.type.rule, ["string"])
    if form.called == "block":
        types.append("string")  # `columns: [su, node]` of a view
    found: Json = {"type": types if len(types) > 1 else "object", "additionalProperties": False}
    if short is not None and (pattern := _type(short.type).get("pattern")):
        found["pattern"] = rf"^(\d+ x )?{pattern[1:]}" if form.counted else pattern
    found["properties"] = {key.name: _property(key) for key in form.keys}
    required = [key.name for key in form.keys if key.required]
    if required:
        found["required"] = required
    if form.needs:
        found["anyOf"] = [{"type": "string"}, *({"required": [name]} for name in form.needs)][form.called != "block" :]
    rules: list[Json] = [{"anyOf": [{"required": [name]} for name in form.also]}] if form.also else []
    rules += [{"not": {"required": [name, other]}} for name, others in form.apart.items() for other in others]
    return {**found, "allOf": rules} if rules else found


def _property(key: Key) -> Json:
    default = f" Default: {key.default}." if key.default else ""
    inner = _type(key.type)
    if "$ref" in inner:  # in draft-07 nothing beside a reference counts
        inner = {"allOf": [inner]}
    return {**inner, "description": f"{key.help}{default}"}


def _type(type_: Type) -> Json:
    rule = RULES.get(type_.rule)
    found = rule(type_) if rule else {"type": ["string", "number"]}
    if type_.nullable:
        found["type"] = [*([found["type"]] if isinstance(found["type"], str) else found["type"]), "null"]
    return found


def _words(type_: Type) -> str:
    return f"^({'|'.join(type_.words)})$"


def _several(inner: Json) -> Json:
    """Return the schema of one thing or a list of it."""
    types = inner["type"] if isinstance(inner["type"], list) else [inner["type"]]
    return {**inner, "type": [*types, "array"], "items": inner}


def _of(type_: Type) -> Json:
    return _type(type_.of) if type_.of else {}


def _number(type_: Type) -> Json:
    return {"type": ["integer", "string"], "minimum": type_.least, "maximum": type_.most, "pattern": PARAMETER}


STRING: Json = {"type": "string"}
TEXT: Json = {"type": ["string", "number"]}
TEXTS: Json = {"type": ["string", "number", "object"], "additionalProperties": TEXT}
WHOLE: Json = {"type": "integer", "minimum": 0}

RULES: Mapping[str, Callable[[Type], Json]] = MappingProxyType({
    "text": lambda _: dict(TEXT),
    "texts": lambda _: dict(TEXTS),
    "said": lambda _: {**TEXTS, "type": [*TEXTS["type"], "boolean"]},
    "lines": lambda _: _several(TEXTS),
    "gutter": lambda _: {**TEXTS, "type": [*TEXTS["type"], "array", "boolean"], "items": TEXTS, "maxItems": 2},
    "name": lambda _: dict(TEXT),
    "new name": lambda _: {**TEXT, "pattern": NAMED},
    "word": lambda type_: {**TEXT, **({"not": {"enum": sorted(type_.others)}} if type_.others else {})},
    "part": lambda _: {"type": "string", "pattern": r"^\S+$"},
    "one": lambda type_: {"type": "string", "enum": list(type_.words)},
    "some": lambda type_: {"type": ["string", "array"], "pattern": _words(type_), "items": {"type": "string", "enum": list(type_.words)}},
    "truth": lambda _: {"type": "boolean"},
    "whole": lambda type_: {"type": "integer", "minimum": type_.least, "maximum": type_.most},
    "number": _number,
    "numbers": lambda type_: _several(_number(type_)),
    "real": lambda type_: {"type": "number", "minimum": type_.least, "maximum": type_.most},
    "matrix": lambda _: {"type": "array", "items": {"type": "array", "items": WHOLE}},
    "rate": lambda _: {"type": "string", "pattern": RATE},
    "size": lambda _: {"type": "string", "pattern": r"^\d+(\.\d+)?([eE]\+?\d+)? ?([KMGTP]i?|k)?B$"},
    "duration": lambda _: {"type": "string", "pattern": r"^\d+(\.\d+)? ?(s|ms|us|µs|min|h)$"},
    "share": lambda _: dict(STRING),
    "params": lambda _: {"type": ["number", "string"], "exclusiveMinimum": 0, "pattern": r"^(?=[0.]*[1-9])\d+(\.\d+)?([eE]\+?\d+)? ?[KMBT]?$"},
    "selector": lambda _: _several(STRING),
    "pair": lambda _: {"type": "array", "items": STRING, "minItems": 2, "maxItems": 2},
    "names": lambda _: _several(TEXT),
    "slot": lambda _: _several({"type": ["integer", "string"], "minimum": 1, "pattern": r"^\d+(-\d+)?$"}),
    "mig": lambda _: _several({"type": "string", "pattern": r"^(\d+ x )?\d+[cg]\.[A-Za-z0-9_.+-]+(@\d+)?$"}),
    "tree": lambda _: {"type": "object", "additionalProperties": _several(STRING)},
    "file": lambda _: {"type": "string", "pattern": rf"^(?!/)(?!\.\./).+\.({'|'.join(s[1:] for s in SUFFIXES)})$"},
    "path": lambda _: {"type": "string", "pattern": r"^(?![/~])(?!\.\./)"},
    "highlight": lambda _: _several(_form_or_text("highlight")),
    "table": lambda _: {**_form_or_text("table"), "type": ["object", "array", "string", "number"], "items": {"$ref": "#/definitions/field"}},
    "any": lambda _: {},
    "form": lambda type_: {"$ref": f"#/definitions/{type_.form}"},
    "list": lambda type_: {"type": "array", "items": _of(type_)},
    "list or one": lambda type_: _several(_of(type_)),
    "map": lambda type_: {"type": "object", "additionalProperties": _of(type_)},
    "named": lambda type_: {"type": "object", "propertyNames": {"pattern": NAMED}, "additionalProperties": _of(type_)},
    "entries": lambda type_: {"type": "object", "propertyNames": {"pattern": NAMED}, "additionalProperties": _of(type_)},
    "blocks": lambda _: {"type": ["array", "string", "number"], "items": {"$ref": "#/definitions/block"}},
    "true or words": lambda _: {"type": ["boolean", "string", "number", "array"], "items": TEXT},
    "ticks": lambda _: _several({"type": ["integer", "string"], "minimum": 1}),
    "frames": lambda _: {"type": ["integer", "string"], "minimum": 1, "pattern": "^all$"},
})  # fmt: skip


def _form_or_text(name: str) -> Json:
    return {**_object(FORMS[name]), "type": ["object", "string", "number"]}
