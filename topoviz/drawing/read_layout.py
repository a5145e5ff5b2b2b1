"""Reads a layout file into frozen values, with errors in the style of those about documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from topoviz.drawing.layout import Block, Layout, LineRule, Tier
from topoviz.errors import SpecError
from topoviz.marks import Source
from topoviz.model.forms import Check, Place, Reading, check_form, mapping, quoted
from topoviz.model.grammar import Form, Type
from topoviz.model.layout_grammar import BLOCK, HEAD, LAYOUT_FORMS, VIEWS, block_form
from topoviz.model.records import frozen, said
from topoviz.model.scalars import text, texts
from topoviz.model.source import Value, parse
from topoviz.model.spec import Selector, Text

OWN = {key.name for key in BLOCK} | {"tiers", "lines", "frame", "columns"}  # keys that are fields of a Block


def read_layout(source: Source, name: str) -> Layout:
    r"""Return the layout that a file describes; ``name`` is that of the file. Raises SpecError.

    >>> read_layout(Source("bars.yaml", "suits: []\nrows: [{view: bars}]"), "bars").block.rows[0].view
    'bars'
    """
    value = parse(source)
    reading = _Layouts("layout", forms=LAYOUT_FORMS)
    long = reading.block(value, Place(), root=True)
    if reading.told:
        raise SpecError(sorted(reading.told, key=lambda one: (one.mark.line, one.mark.column) if one.mark else (0, 0)))
    heads = {key.name for key in HEAD}
    return Layout(
        name=name,
        summary=_plain_text(long, "summary"),
        suits=tuple(_suit(one) for one in _parts(long, "suits")),
        title=_text(long, "title"),
        subtitle=_text(long, "subtitle"),
        caption=_lines(long, "caption"),
        block=_block(mapping({key: one for key, one in long.items() if key not in heads}, long.mark, long.keys)),
        origin=long,
    )


# ---- the check


class _Layouts(Reading):
    """A check that knows the types of layout files beside those of documents."""

    __slots__ = ()

    def check(self, value: Value, type_: Type, place: Place) -> Value:
        own = RULES.get(type_.rule)
        if type_.rule == "form" and type_.form == "block":
            return self.block(value, place)
        return own(self, value, type_, place) if own and value.data is not None else super().check(value, type_, place)

    def block(self, value: Value, place: Place, *, root: bool = False) -> Value:
        """Check a block by the form of its view."""
        view = value.get("view")
        found = str(view.data) if view is not None else ""
        form = block_form(found, root=root)
        if "layout" in value.keys or found not in VIEWS:
            form = _without_own(form, value)
        reading = _Layouts(self.what, forms=MappingProxyType({**LAYOUT_FORMS, "block": form}), told=self.told)
        return check_form(reading, value, Type(rule="form", form="block"), place)


def _without_own(form: Form, value: Value) -> Form:
    """Let a block with an unknown view, or with the view of another layout, have any key of any view."""
    known = {key.name for key in form.keys}
    own = {key.name: key for keys in VIEWS.values() for key in keys if key.name not in known and key.name in value.keys}
    return replace(form, keys=(*form.keys, *own.values()))


def _some_lines(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    """Check one text or several; the long form is a list."""
    return Value(tuple(texts(reading, one, Type(rule="texts"), place) for one in value.parts()), value.mark)


def _gutter(reading: Reading, value: Value, type_: Type, place: Place) -> Value:
    if isinstance(value.data, bool):
        return value
    if len(value.parts()) > 2:
        reading.tell(value.mark, f"{place.key} has {len(value.parts())} lines", "two at most, or false", "form-gutter")
    return _some_lines(reading, value, type_, place)


def _true_or_words(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    if isinstance(value.data, bool):
        return value
    return Value(tuple(text(reading, one, Type(rule="text"), place) for one in value.parts()), value.mark)


def _ticks(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    if isinstance(value.data, int) and not isinstance(value.data, bool):
        return reading.check(value, Type(rule="whole", least=1, most=1000), place)
    return reading.check(value, Type(rule="selector"), place)


def _frames(reading: Reading, value: Value, _type: Type, place: Place) -> Value:
    if value.data == "all" or (isinstance(value.data, int) and value.data is not True and value.data > 0):
        return value
    reading.tell(value.mark, f"{place.key} {quoted(value)} is neither a number nor 'all'", code="form-number")
    return value


RULES: Mapping[str, Check] = MappingProxyType(
    {"lines": _some_lines, "gutter": _gutter, "true or words": _true_or_words, "ticks": _ticks, "frames": _frames}
)


# ---- the records


def _parts(value: Value, key: str) -> tuple[Value, ...]:
    found = value.get(key)
    return found.parts() if found is not None else ()


def _text(value: Value, key: str) -> Text:
    found = value.get(key)
    return said(found) if found is not None else ""


def _plain_text(value: Value, key: str) -> str:
    found = value.get(key)
    return str(found.data) if found is not None else ""


def _lines(value: Value, key: str) -> tuple[Text, ...]:
    return tuple(said(one) for one in _parts(value, key))


def _words(value: Value, key: str) -> Selector:
    return tuple(str(one.data) for one in _parts(value, key))


def _beside(value: Value) -> tuple[Text, ...] | bool | None:
    found = value.get("gutter")
    if found is None or isinstance(found.data, bool):
        return None if found is None or found.data is True else False
    return _lines(value, "gutter")


def _blocks(value: Value, key: str) -> tuple[Block, ...]:
    return tuple(_block(one) for one in _parts(value, key) if one.is_mapping)


def _block(value: Value) -> Block:
    share = value.get("share")
    return Block(
        view=_plain_text(value, "view"),
        rows=_blocks(value, "rows"),
        columns=_blocks(value, "columns"),
        share=float(share.data) if share is not None and isinstance(share.data, (int, float)) else 1,
        layout=_plain_text(value, "layout"),
        each=_plain_text(value, "each"),
        head=_text(value, "head"),
        note=_lines(value, "note"),
        of=_words(value, "of"),
        when=_words(value, "when"),
        hide=_words(value, "hide"),
        overlay=_words(value, "overlay"),
        gutter=_beside(value),
        plate=_text(value, "plate"),
        through=_words(value, "through"),
        frame=_words(value, "frame"),
        column_of=_column_of(value),
        tiers=_tiers(value),
        lines=tuple(_line(one) for one in _parts(value, "lines")),
        options=_options(value),
        origin=value,
    )


def _column_of(value: Value) -> Selector:
    """Return what makes a column; `columns` of a block without a view are blocks."""
    return tuple(str(one.data) for one in _parts(value, "columns") if isinstance(one.data, str))


def _options(value: Value) -> Mapping[str, Any]:
    """Return the keys that only this view has, as written."""
    own = {key: one for key, one in value.items() if key not in OWN}
    rows = value.get("rows")
    if rows is not None and isinstance(rows.data, str):  # in the view `groups` a kind of group
        own["rows"] = rows
    return MappingProxyType({key: _as_written(one) for key, one in own.items()})


def _as_written(value: Value) -> object:
    """Return a long form as the author wrote it: a list of one that was no list is that one."""
    if value.is_list and len(value.parts()) == 1 and value.parts()[0].mark == value.mark:
        return frozen(value.parts()[0])
    return frozen(value)


def _suit(value: Value) -> Mapping[str, Any]:
    return MappingProxyType({key: _as_written(one) for key, one in value.items()})


def _tiers(value: Value) -> tuple[Tier, ...]:
    return tuple(_tier(one) for one in _parts(value, "tiers"))


def _tier(value: Value) -> Tier:
    full = value.get("full")
    return Tier(
        show=_words(value, "show"),
        drawn_as=_plain_text(value, "as"),
        over=_words(value, "over"),
        holds=_words(value, "holds"),
        label=_text(value, "label"),
        right=_text(value, "right"),
        gutter=_beside(value),
        full=int(full.data) if full is not None and isinstance(full.data, int) else None,
        rest=_lines(value, "rest"),
        tiers=_tiers(value),
        origin=value,
    )


def _line(value: Value) -> LineRule:
    between = _words(value, "between")
    return LineRule(
        kind=_words(value, "kind"),
        between=(between[0], between[1]) if between else None,
        drawn_as=_plain_text(value, "as"),
        plate=_text(value, "plate"),
        label=_text(value, "label"),
        toward=_plain_text(value, "toward"),
        gutter=_beside(value),
        one=_plain_text(value, "one"),
        rest=_plain_text(value, "rest"),
        origin=value,
    )
