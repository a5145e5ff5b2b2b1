"""What an author writes beside a picture in a document, as keys of a picture: texts become lists, maps and truths."""

from __future__ import annotations

from collections.abc import Mapping

from topoviz.cli.inputs import split
from topoviz.errors import TopovizError
from topoviz.marks import Source
from topoviz.model.grammar import FORMS
from topoviz.model.source import parse

NOT_FOR_HOSTS = ("file", "name")  # where a picture goes and what it is called is the host's affair
KEYS = tuple(key.name for key in FORMS["picture"].keys if key.name not in NOT_FOR_HOSTS)
SWITCHES = tuple(key.name for key in FORMS["picture"].keys if key.type.rule == "truth")
FALSE = "false"
SEVERAL = ("selector", "list", "list or one", "some", "table")  # rules of keys that take a list
LISTS = tuple(key.name for key in FORMS["picture"].keys if key.type.rule in SEVERAL)


def keys(written: Mapping[str, str]) -> dict[str, object]:
    """Return the keys of a picture from the texts of a host's options; an empty text switches a key on.

    What starts like YAML in brackets is read as YAML; keys that take several things take them with commas.

    >>> keys({"show": "gpu[0,2], nic*", "highlight": "{path: [gpu0, gpu5]}", "interactive": ""})
    {'show': ['gpu[0,2]', 'nic*'], 'highlight': {'path': ['gpu0', 'gpu5']}, 'interactive': True}

    Raises:
        SpecError: a value in brackets is no YAML.
    """
    return {name: _value(name, text.strip()) for name, text in written.items() if name in KEYS}


def apart(written: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return the options that the picture reads, and the caption below it in the author's document.

    ``caption`` is the document's, ``foot`` the words that the picture itself has at its foot;
    ``caption: false`` takes these away, as in a picture of a document.

    >>> apart({"caption": "A ring", "foot": "false"}), apart({"caption": "false"})
    (({'caption': 'false'}, 'A ring'), ({'caption': 'false'}, ''))
    """
    options = {name: text for name, text in written.items() if name not in {"caption", "foot"}}
    caption = written.get("caption", "").strip()
    own = FALSE if caption.lower() == FALSE else ""
    foot = written.get("foot", own)
    return {**options, **({"caption": foot} if foot else {})}, caption if not own else ""


def _value(name: str, text: str) -> object:
    if not text and name in SWITCHES:
        return True
    if text.startswith(("[", "{")):
        return parse(Source(name, text)).plain()
    if name == "with":
        return choices(text, name)
    if name in LISTS:
        several = split(text)
        return several if len(several) > 1 else text
    return text


def choices(text: str, name: str = "set") -> dict[str, str | int]:
    """Return parameters and the variant as ``su=4, variant=full`` says them.

    >>> choices("su=4, variant=full")
    {'su': 4, 'variant': 'full'}

    Raises:
        TopovizError: one of them is no ``NAME=VALUE``.
    """
    out: dict[str, str | int] = {}
    for one in split(text):
        key, _, value = (part.strip() for part in one.partition("="))
        if not key or not value:
            raise TopovizError(f"{name}: '{one}' is no NAME=VALUE; for instance su=4, variant=full")
        if key in out:
            raise TopovizError(f"{name}: '{key}' is set twice")
        out[key] = int(value) if value.lstrip("-").isdecimal() else value
    return out
