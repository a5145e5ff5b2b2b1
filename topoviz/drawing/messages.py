"""Texts by language. English texts are the keys of ``lang/LANG.yaml``; one more file is one more language.

A language is asked for by its short name, ``zh``. Whoever has entries of their own
(a folder ``lang/`` beside a document) hands in a :class:`Language`, which is that
name together with a table; it can stand wherever the name can::

    Scope(..., lang=Language("fr", {"{count} CPUs": "{count} processeurs"}))

``lang/en.yaml`` holds the singular of English plurals: ``GPUs`` becomes ``GPU``
after the number 1. A key with a field is a whole text: ``"All {gpu.count} GPUs"``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from topoviz.drawing.template import Piece, joined, names, pieces
from topoviz.marks import Source
from topoviz.model.source import parse
from topoviz.model.spec import EMPTY, Text

if TYPE_CHECKING:
    from typing_extensions import Self

_NOUN = r"(?P<between> (?:[A-Za-z][\w.-]* ){0,3}?)(?P<noun>[A-Za-z][A-Za-z-]*)(?![\w-])"
_SHELF = "shelf"


class Language(str):
    """The short name of a language, with entries that come before the shipped ones.

    >>> message("leaf", Language("fr", {"leaf": "feuille"}))
    'feuille'
    """

    __slots__ = ("table",)
    table: Mapping[str, str]

    def __new__(cls, name: str, table: Mapping[str, str] = EMPTY) -> Self:
        self = super().__new__(cls, name)
        self.table = MappingProxyType(dict(table))
        return self


def message(text: str, lang: str) -> str:
    """Return the text in the language; unchanged if nobody has translated it.

    >>> message("{count} CPUs", "zh"), message("a sentence of one's own", "zh")
    ('{count}颗 CPU', "a sentence of one's own")
    """
    if isinstance(lang, Language) and text in lang.table:
        return lang.table[text]
    return text if lang.startswith("en") else table(str(lang)).get(text, text)


def say_text(text: Text, lang: str) -> str:
    """Return a text that may be given for each language: the asked one, else English, else the first.

    A text that is given once only is looked up like any other.

    >>> say_text({"en": "switch tray", "zh": "交换托盘"}, "zh"), say_text("compute tray", "zh")
    ('交换托盘', '计算托盘')
    """
    if isinstance(text, str):
        return message(text, lang)
    if str(lang) in text:
        return text[str(lang)]
    return message(text["en"], lang) if "en" in text else next(iter(text.values()), "")


def fill(template: str, values: Mapping[str, str], lang: str = "en") -> str:
    """Return the translated template with its fields filled; English nouns agree with the number 1.

    >>> fill("{count} CPUs", {"count": "1"}), fill("{count} CPUs", {"count": "2"})
    ('1 CPU', '2 CPUs')
    >>> fill("{value} per direction", {"value": "50 GB/s"}, "zh")
    '单向 50 GB/s'
    """
    text = message(template, lang)
    if text != template or not (lang.startswith("en") or not table(str(lang))):
        return _put(pieces(text), values)
    counts = [name for name in names(template) if values.get(name) == "1"]
    if counts and template in table("en"):
        return _put(pieces(table("en")[template]), values)
    parts = [values.get(p.text, "") if p.is_field else p.text for p in pieces(template)]
    return agreed(parts, [i for i, p in enumerate(pieces(template)) if p.is_field and p.text in counts])


def retold(text: str, templates: Sequence[str], lang: str) -> str:
    """Return a text that was made in English from one of the templates, in the language; unchanged if from none.

    >>> retold("tree 3", ["ring {number}", "tree {number}"], "zh"), retold("a name", ["tree {number}"], "zh")
    ('树 3', 'a name')
    """
    if lang.startswith("en"):
        return text
    for template in templates:
        parts = [f"(?P<{part.text}>.+?)" if part.is_field else re.escape(part.text) for part in pieces(template)]
        match = re.fullmatch("".join(parts), text)
        if match:
            return fill(template, match.groupdict(), lang)
    return text


def agreed(parts: Sequence[str], ones: Sequence[int]) -> str:
    """Return the parts as one text; the first plural noun after each of the ``ones`` becomes singular.

    >>> agreed(["1", " NVSwitch chips in ", "1", " NVLink switch tray", "s"], [0, 2])
    '1 NVSwitch chip in 1 NVLink switch tray'
    """
    out = ""
    for i in reversed(range(len(parts))):
        out = parts[i] + (_first_singular(out) if i in ones else out)
    return out


def plural(noun: str) -> str:
    """Return the English plural of a common noun; a product name (capitals, digits) stays.

    >>> plural("compute tray"), plural("power shelf"), plural("Ethernet switch"), plural("H100 SXM")
    ('compute trays', 'power shelves', 'Ethernet switches', 'H100 SXM')
    """
    last = noun.rsplit(" ", 1)[-1]
    if not (last.isascii() and last.isalpha() and last.islower()):
        return noun
    if last.endswith(_SHELF):
        return f"{noun[:-1]}ves"
    return f"{noun}es" if last.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def several(noun: str) -> str:
    """Return more than one of what a word of ours means: common nouns as in :func:`plural`, GPU and NIC with an s.

    >>> several("GPU"), several("PCIe switch"), several("box"), several("power shelf")
    ('GPUs', 'PCIe switches', 'boxes', 'power shelves')
    """
    many = plural(noun)
    return many if many != noun else f"{noun}es" if noun.endswith("ch") else f"{noun}s"


@cache
def table(lang: str) -> Mapping[str, str]:
    """Return the shipped entries of a language; ``zh-CN`` takes those of ``zh``; none if there is no file.

    >>> table("zh")["per direction"], len(table("xx"))
    ('单向', 0)
    """
    short = lang.split("-", maxsplit=1)[0].lower()
    file = files("topoviz") / "lang" / f"{short}.yaml"
    if not (short.isascii() and short.isalpha() and file.is_file()):
        return EMPTY
    entries = parse(Source(file.name, file.read_text(encoding="utf-8"))).items()
    return MappingProxyType({key: str(value.plain()) for key, value in entries})


def languages() -> tuple[str, ...]:
    """Return the short names of the languages that are shipped.

    >>> languages()
    ('en', 'zh')
    """
    found = (files("topoviz") / "lang").iterdir()
    return tuple(sorted(file.name[:-5] for file in found if file.name.endswith(".yaml")))


def _put(parts: Sequence[Piece], values: Mapping[str, str]) -> str:
    return joined([values.get(part.text, "") if part.is_field else part.text for part in parts])


def _first_singular(text: str) -> str:
    """Return what stands after a 1: ' NVSwitches, 2 links' becomes ' NVSwitch, 2 links'."""
    singular = table("en")
    match = re.match(_NOUN, text)
    while match:
        noun = match["noun"]
        if noun in singular:
            return f"{match['between']}{singular[noun]}{text[match.end() :]}"
        match = _longer(text, match)
    return text


def _longer(text: str, match: re.Match[str]) -> re.Match[str] | None:
    if match["between"].count(" ") > 3:
        return None
    return re.match(rf"(?P<between>{re.escape(match[0])} )(?P<noun>[A-Za-z][A-Za-z-]*)(?![\w-])", text)
