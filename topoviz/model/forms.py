"""Checks the form of a text against the grammar, and writes its short forms out.

What comes back is the same text in its long form (``8 x l40s`` has become
``{part: l40s, count: 8}``), every piece with the place where it was written. All
mistakes are told, none stops the check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from topoviz.errors import Diagnostic
from topoviz.marks import Mark
from topoviz.model.grammar import FORMS, OTHER_KEYS, Form, Type
from topoviz.model.source import Value
from topoviz.model.spelling import article, listed, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the check is: the key, the name of the group, and the parameters that may stand for numbers.

    ``open`` is set where a taken part may have parameters that this text does not show.
    """

    key: str = ""
    group: str = ""
    parameters: tuple[str, ...] = ()
    open: bool = False


NUMERIC = {
    "default",
    "bandwidth",
    "size",
}  # short keys for which a bare number is read, if only to say that it has no unit
Check = Callable[["Reading", Value, Type, Place], Value]


@dataclass(slots=True)
class Reading:
    """One check of one text; collects what is wrong. ``what`` is document, part, layout or options."""

    what: str
    forms: Mapping[str, Form] = field(default_factory=lambda: FORMS)
    told: list[Diagnostic] = field(default_factory=list)

    def tell(self, mark: Mark, message: str, hint: str = "", code: str = "form") -> None:
        """Note one mistake."""
        self.told.append(Diagnostic(message=message, mark=mark, hint=hint, code=code))

    def check(self, value: Value, type_: Type, place: Place) -> Value:
        """Return the value in its long form; mistakes are told."""
        from topoviz.model.selected import SELECTED

        if value.data is None and type_.nullable:
            return value
        if value.data is None and type_.rule not in {"form", "entries", "any"}:
            self.tell(value.mark, f"'{place.key}' has no value", "leave the key out, or write a value", "form-empty")
            return value
        rule = CHECKS.get(type_.rule) or SELECTED[type_.rule]
        return rule(self, value, type_, place)


def quoted(value: Value) -> str:
    """Return a value as an error names it: a text in quotes, a number bare, the rest by its kind."""
    if isinstance(value.data, str):
        return f"'{value.data if len(value.data) <= 60 else value.data[:59] + '…'}'"
    if value.is_mapping:
        return "a mapping"
    return "a list" if value.is_list else value.text or "nothing"


def piece(value: Value, start: int, end: int, data: str | int | None = None) -> Value:
    """Return a part of a text with its own place; ``data`` is what it means, if not the text itself."""
    text = value.text[start:end]
    raw = value.mark.source.line(value.mark.line)[value.mark.column - 1 :][: value.mark.width]
    offset = raw.find(value.text)
    mark = (
        value.mark
        if offset < 0
        else replace(value.mark, column=value.mark.column + offset + start, width=max(1, end - start))
    )
    return Value(text if data is None else data, mark, text=text)


def mapping(data: Mapping[str, Value], mark: Mark, keys: Mapping[str, Mark] | None = None) -> Value:
    """Return a mapping as a value; a key without a place of its own stands where its value does."""
    places = {name: (keys or {}).get(name, value.mark) for name, value in data.items()}
    return Value(MappingProxyType(dict(data)), mark, keys=MappingProxyType(places))


# ---- mappings with known keys


def check_form(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a mapping of one form; a text and ``N x text`` are short for it."""
    form = reading.forms[type_.form]
    long = _long(reading, value, form, place)
    if long is None:
        return value
    _keys(reading, long, form)
    inner = _inner(long, place)
    data = {
        name: reading.check(one, key.type, _place_for(name, long, place, inner))
        for name, one in long.items()
        if (key := form.key(name))
    }
    return mapping(data, long.mark, long.keys)


def _long(reading: Reading, value: Value, form: Form, place: Place) -> Value | None:
    """Return the long form, or None if this is neither form (then the mistake is told)."""
    from topoviz.model.short import counted

    if value.is_mapping:
        return value
    if isinstance(value.data, str) and form.counted and (parts := counted(value)):
        count, rest = parts
        return mapping({form.short: rest, form.counted: count}, value.mark)
    short = isinstance(value.data, str) or (form.short in NUMERIC and isinstance(value.data, (int, float)))
    if form.short and short and not isinstance(value.data, bool):
        return mapping({form.short: value}, value.mark)
    name = f"'{place.key}'" if place.key else "this file"
    keys = ", ".join(key.name for key in form.keys if key.name not in {"$schema", "topoviz", "name", "include"})
    keys = ", ".join(keys.split(", ")[:4])
    if value.data is None:
        reading.tell(value.mark, f"{name} has no value", f"a mapping with keys such as {keys}", "form-empty")
    else:
        reading.tell(value.mark, f"{name} is a mapping, not {quoted(value)}", f"its keys are {keys}, …", "form-mapping")
    return None


def _keys(reading: Reading, value: Value, form: Form) -> None:
    """Tell unknown keys and missing ones."""
    meant: set[str] = set()
    for name in value.keys:
        if form.key(name) is None:
            meant.add(_unknown(reading, value, name, form))
    missing = [key.name for key in form.keys if key.required and value.get(key.name) is None and key.name not in meant]
    who = article(form.called) if form.called else "this file"
    for name in missing:
        reading.tell(value.mark, f"{who} needs '{name}'", _example(form, name), "form-missing")
    if form.needs and not any(value.get(name) is not None or name in meant for name in form.needs):
        reading.tell(value.mark, f"{who} needs {_either(form.needs)}", form.example, "form-missing")
    elif form.also and not any(value.get(name) is not None or name in meant for name in form.also):
        reading.tell(value.mark, f"{who} needs {_either(form.also)}", form.also_example, "form-missing")
    _apart(reading, value, form, who)


def _either(names: Sequence[str]) -> str:
    return listed([f"'{name}'" for name in names])


def _apart(reading: Reading, value: Value, form: Form, who: str) -> None:
    """Tell keys that say nothing beside another, each once."""
    told: set[str] = set()
    for first, others in form.apart.items():
        for name in others:
            if first in value.keys and name in value.keys and name not in told:
                told.add(name)
                message = f"{who} has '{first}' or '{name}', not both"
                reading.tell(value.key_mark(name), message, form.example, "form-apart")


def _example(form: Form, name: str) -> str:
    key = form.key(name)
    return form.example or (key.help.rstrip(".") if key else "")


def _unknown(reading: Reading, value: Value, name: str, form: Form) -> str:
    """Tell an unknown key; return the key that was meant, or an empty text."""
    known = [key.name for key in form.keys]
    near = nearest(name, known, {**OTHER_KEYS, **form.others})
    where = f" in {article(form.called)}" if form.called else ""
    if name in form.sentences:
        near, hint = "", form.sentences[name]
    elif ":" in name and name.partition(":")[0] in known:
        near, _, rest = name.partition(":")
        hint = f"':' needs a blank after it: {near}: {rest}"
    else:
        hint = f"did you mean '{near}'?" if near else f"there are {', '.join(known)}"
    reading.tell(value.key_mark(name), f"unknown key '{name}'{where}", hint, "form-key")
    return near


def _inner(value: Value, place: Place) -> Place:
    """Return the place inside a body: its own parameters count there, and those of the part it takes."""
    own = value.get("parameters")
    names = tuple(own.data) if own is not None and isinstance(own.data, Mapping) else ()
    taken = value.get("part") is not None or value.get("include") is not None
    return replace(place, parameters=tuple(dict.fromkeys((*place.parameters, *names))), open=place.open or taken)


def _place_for(name: str, value: Value, outer: Place, inner: Place) -> Place:
    """Return the place of a key: a count is the business of who holds the thing, not of the thing."""
    if name in {"count", "names", "slot"}:
        return replace(outer, key=name)
    if name == "with":
        return replace(inner, key=name, open=outer.open or "parameters" in value.keys)
    return replace(inner, key=name)


# ---- lists and mappings of names


def check_list(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a list; a single thing in its place is an error with the line to write."""
    if not value.is_list:
        _not_a_list(reading, value, place)
        return value
    return _each(reading, value, type_, place)


def _each(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    of = type_.of or Type(rule="any")
    return Value(tuple(reading.check(one, of, place) for one in value.parts()), value.mark)


def _not_a_list(reading: Reading, value: Value, place: Place) -> None:
    first = next(iter(value.keys.items()), None)
    if first is not None:
        name, mark = first
        block = value.mark.source.line(value.mark.line)[value.mark.column - 1 : value.mark.column] != "{"
        indent = f"put '- ' before '{name}' and indent the next lines with it"
        reading.tell(
            mark if block else value.mark,
            f"'{place.key}' is a list",
            indent if block else "put it in brackets: [{…}]",
            "form-list",
        )
        return
    hint = f"write {place.key}: [{value.text}]" if value.text else f"write {place.key}: []"
    reading.tell(value.mark, f"'{place.key}' is a list", hint, "form-list")


def check_list_or_one(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a list, or one thing that stands for a list of itself."""
    return _each(reading, value, type_, place)


def check_map(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a mapping from any name to one type of value."""
    if not value.is_mapping:
        texts = [one.text for one in value.parts() if one.text]
        shown = f"{{{texts[0]}: …}}" if value.is_list and texts else f"{{name: {value.text or '…'}}}"
        reading.tell(
            value.mark,
            f"'{place.key}' is a mapping of names, not {quoted(value)}",
            f"write {place.key}: {shown}" if value.data is not None else "leave the key out, or write names below it",
            "form-mapping",
        )
        return value
    of = type_.of or Type(rule="any")
    data = {name: reading.check(one, of, replace(place, key=name, group=name)) for name, one in value.items()}
    return mapping(data, value.mark, value.keys)


def check_named(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check a mapping whose keys are names that a person makes up."""
    from topoviz.model.short import bad_name

    for name in value.keys:
        wrong = bad_name(name)
        if wrong:
            reading.tell(value.key_mark(name), *wrong, "form-name")
    return check_map(reading, value, type_, place)


def check_entries(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    """Check what a thing contains: names, counts, and what each is."""
    from topoviz.model.short import counted_name, of_what

    if not value.is_mapping:
        return check_map(reading, value, type_, place)
    data: dict[str, Value] = {}
    for name, one in value.items():
        if one.data is None or isinstance(one.data, (int, float)):
            reading.tell(one.mark if one.data is not None else value.key_mark(name), *of_what(name, one), "form-part")
        else:
            data[name] = one
    checked = check_named(reading, mapping(data, value.mark, value.keys), type_, place)
    for name, one in checked.items():
        wrong = counted_name(name, one)
        if wrong:
            reading.tell(value.key_mark(name), *wrong, "form-name")
        _names_fit(reading, one)
    return checked


def _names_fit(reading: Reading, entry: Value) -> None:
    """Tell names that are not as many as the things."""
    names, count = entry.get("names"), entry.get("count")
    if names is None or count is None or not isinstance(count.data, int):
        return
    number = len(names.parts())
    if number and number != count.data:
        message = f"{number:,} {'name' if number == 1 else 'names'} for {count.data:,} {'thing' if count.data == 1 else 'things'}"
        reading.tell(names.mark, message, f"count: {number}, or as many names as things", "form-name")


CHECKS: Mapping[str, Check] = MappingProxyType({
    "form": check_form, "list": check_list, "list or one": check_list_or_one, "map": check_map, "named": check_named, "entries": check_entries,
})  # fmt: skip
