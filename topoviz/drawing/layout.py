"""A layout file after reading: frozen values. A layout is one block; a block has a view or more blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from topoviz.model.source import Value
from topoviz.model.spec import EMPTY, Selector, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """One row of a tiers view."""

    show: Selector
    drawn_as: str = ""  # the key is `as`: box bar card chip row strip stack micro; empty: by kind
    over: Selector = ()
    holds: Selector = ()
    label: Text = ""
    right: Text = ""
    gutter: tuple[Text, ...] | bool | None = None  # two lines; False: none; None: computed
    full: int | None = None
    rest: tuple[Text, ...] = ()
    tiers: tuple[Tier, ...] = ()
    origin: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRule:
    """How links of some kinds are drawn, between two tiers or wherever they run."""

    kind: tuple[str, ...]
    between: tuple[str, str] | None = None
    drawn_as: str = ""  # the key is `as`: lanes trunks beads crossbar fan arrows stub
    plate: Text = ""
    label: Text = ""
    toward: str = ""
    gutter: tuple[Text, ...] | bool | None = None
    one: str = ""
    rest: str = ""
    origin: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A view, or rows or columns of blocks, or the blocks of another layout."""

    view: str = ""
    rows: tuple[Block, ...] = ()
    columns: tuple[Block, ...] = ()
    share: float = 1  # of twelve, beside its neighbours in `columns`
    layout: str = ""
    each: str = ""
    head: Text = ""
    note: tuple[Text, ...] = ()
    of: Selector = ()
    when: tuple[str, ...] = ()
    hide: Selector = ()
    overlay: tuple[str, ...] = ()
    gutter: tuple[Text, ...] | bool | None = None
    plate: Text = ""
    through: tuple[str, ...] = ()
    frame: Selector = ()  # ("here",) or tiers
    column_of: Selector = ()  # `columns: gpu` of a view: what makes a column
    tiers: tuple[Tier, ...] = ()
    lines: tuple[LineRule, ...] = ()
    options: Mapping[str, Any] = field(default_factory=lambda: EMPTY)  # the view's own keys, plain Python, as written
    origin: Value | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A recipe of a picture."""

    name: str
    summary: str = ""
    suits: tuple[Mapping[str, Any], ...] = ()
    title: Text = ""
    subtitle: Text = ""
    caption: tuple[Text, ...] = ()
    block: Block
    origin: Value | None = None
