"""The fields of a table or of bars: which, with which head, and what each says of one panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from topoviz.drawing.blocks import wanted
from topoviz.drawing.layout import Block
from topoviz.drawing.messages import message, say_text, several
from topoviz.drawing.scope import Scope
from topoviz.errors import TopovizError
from topoviz.model.spec import Text

DIRECTIONS = {False: "per direction", True: "both directions"}
CARRIED = ("rate", "all")  # what is told per direction; followed by ``both``: both directions together
NOUNS = {"gpu": "GPU", "nic": "NIC", "cpu": "CPU", "nvswitch": "NVSwitch", "switch": "switch", "node": "server"}
PLAIN = {
    "link": "Link",
    "links": "Links",
    "count": "Count",
    "memory": "Memory",
    "bandwidth": "Memory bandwidth",
    "title": "",
    "gbit": "Line rate",
    "ports": "Ports",
    "year": "Year",
    "kv": "KV cache",
    "contents": "Contents",
    "name": "Name",
    "kind": "Kind",
    "part": "Part",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One row (or column) of a table: what is asked, how it is headed, whether it gets bars."""

    name: str
    head: Text = ""
    bars: bool = False

    @property
    def both(self) -> bool:
        """Return whether the number counts both directions."""
        return self.name.endswith(".both")

    @property
    def carried(self) -> bool:
        """Return whether the field is a bandwidth, so that its head must say the direction."""
        return self.name.removesuffix(".both").rpartition(".")[2] in CARRIED


def fields_of(block: Block, scope: Scope) -> tuple[Field, ...]:
    """Return the fields that the picture asks for, else those of the block; those whose ``when`` fails are dropped."""
    asked = scope.request.table
    listed = asked.get("fields", ()) if isinstance(asked, Mapping) else asked
    return tuple(_field(one) for one in listed if _asked(one, scope)) if listed else written_in(block, scope)


def written_in(block: Block, scope: Scope) -> tuple[Field, ...]:
    """Return the fields of the block itself; those whose ``when`` fails are dropped."""
    return tuple(_field(one) for one in block.options.get("fields", ()) if _asked(one, scope))


def each_of(block: Block, scope: Scope) -> str:
    """Return what a row or column of the table is: ``panel`` unless picture or block say otherwise."""
    asked = scope.request.table
    chosen = asked.get("each", "") if isinstance(asked, Mapping) else ""
    return str(chosen or block.each or block.options.get("each", "") or "panel")


def head_of(field: Field, lang: str) -> tuple[str, str]:
    """Return the two lines of a row head, the second empty where there is no direction to say.

    >>> head_of(Field(name="gpu.rate.both"), "en")
    ('Per GPU,', 'both directions')
    >>> head_of(Field(name="gpu.link"), "en")
    ('Link', '')
    """
    text = say_text(field.head, lang) if field.head else default_head(field, lang)
    if not field.carried:
        return text, ""
    return (f"{text}," if lang.startswith("en") else text), message(DIRECTIONS[field.both], lang)


def head_in_one_line(field: Field, lang: str) -> str:
    """Return subject and direction in one line.

    >>> head_in_one_line(Field(name="gpu.rate"), "en"), head_in_one_line(Field(name="gpu.rate"), "zh")
    ('Per GPU, per direction', '每 GPU，单向')
    """
    name, direction = head_of(field, lang)
    if not direction:
        return name
    return f"{name} {direction}" if lang.startswith("en") else f"{name}，{direction}"


def default_head(field: Field, lang: str) -> str:
    """Return the head of a field that was given none: its subject and what is told of it.

    >>> default_head(Field(name="nic.rate"), "en"), default_head(Field(name="gpu.all.both"), "en")
    ('Per NIC', 'All GPUs')
    """
    *subject, word = field.name.removesuffix(".both").split(".")
    noun = NOUNS.get(subject[0], subject[0]) if subject else ""
    if word == "rate":
        return message(f"Per {noun}" if noun else "Rate", lang)
    if word == "all":
        return message(f"All {several(noun)}" if noun else "All", lang)
    return message(PLAIN.get(word, word.capitalize()), lang)


def _asked(written: object, scope: Scope) -> bool:
    when = written.get("when", ()) if isinstance(written, Mapping) else ()
    words = (when,) if isinstance(when, str) else tuple(when)
    return wanted(Block(when=words), scope)


def _field(written: object) -> Field:
    if isinstance(written, str):
        return Field(name=written)
    if isinstance(written, Mapping) and isinstance(written.get("field"), str):
        return Field(name=written["field"], head=written.get("head", ""), bars=bool(written.get("bars")))
    raise TopovizError(f"a field of a table is a name or a mapping with the key field, not {written!r}")
