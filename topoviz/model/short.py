"""Short forms: ``8 x l40s``, ``dgx-[001-032]``, ``16-23``; and the names that a person makes up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from topoviz.model.source import Value
from topoviz.model.spelling import NUMBERS

COUNTED = re.compile(r"(\d{1,40}) x (\S.*)")
BEHIND = re.compile(r"(\S+) ?[x×*] ?(\d+)")
NEAR = re.compile(r"(\d+) ?[x×*] ?(\S+)|(\d+)x (\S+)|(\d+) (\S+)")
IN_WORDS = re.compile(r"(\S+) [x×*] (\S+)")
FORBIDDEN = "/[]*?,:{}#&!|>'\"%@`"
RANGE = re.compile(r"(\d+)-(\d+)")
MOST_NAMES = 100_000
DIGITS = 18  # of a number in a range

# what a thing is usually called, by the beginning of its part's name; for hints only
USUAL = (
    ("dgx", "node"), ("hgx", "node"), ("connectx", "nic"), ("bluefield", "dpu"), ("nvswitch", "nvs"), ("pcie", "sw"), ("xeon", "cpu"),
    ("epyc", "cpu"), ("grace", "cpu"), ("x86", "cpu"), ("qm", "leaf"), ("sn", "leaf"), ("q3", "leaf"), ("superpod", "pod"),
)  # fmt: skip
EXAMPLES = (
    ("cpu", "x86-cpu"), ("nic", "connectx-7"), ("node", "dgx-h100"), ("server", "dgx-h100"), ("leaf", "qm9700"), ("spine", "qm9700"),
    ("switch", "qm9700"), ("nvs", "nvswitch-3"), ("rack", "gb200-nvl72"), ("sw", "pcie-gen5-switch"),
)  # fmt: skip
PLAIN = ("gpu", "cpu", "nic", "switch", "node", "rack", "box")  # generic parts


def counted(value: Value) -> tuple[Value, Value] | None:
    """Return the number and the rest of ``N x something``, each with its place; None if it is not that."""
    from topoviz.model.forms import piece

    found = COUNTED.fullmatch(value.text)
    if not found:
        return None
    return piece(value, *found.span(1), int(found.group(1))), piece(value, *found.span(2))


def expand(text: str) -> tuple[str, ...]:
    """Return the names that a host list stands for; zeros are kept.

    Raises ValueError with a reason.

    >>> expand("dgx-[001-003]")
    ('dgx-001', 'dgx-002', 'dgx-003')
    >>> expand("ib-[a1,b2]")
    ('ib-a1', 'ib-b2')
    """
    names, rest = [""], text
    while "[" in rest:
        before, _, after = rest.partition("[")
        inside, closed, rest = after.partition("]")
        if not closed:
            raise ValueError("'[' is never closed")
        _refuse_closing(before)
        items = list(islice(_items(inside), MOST_NAMES + 1))
        if len(names) * len(items) > MOST_NAMES:  # counted before they are written out
            raise ValueError(f"it stands for more than {MOST_NAMES:,} names")
        names = [name + before + item for name in names for item in items]
    _refuse_closing(rest)
    return tuple(name + rest for name in names)


def _refuse_closing(text: str) -> None:
    if "]" in text:
        raise ValueError("']' closes nothing")


def _items(text: str) -> Iterator[str]:
    for item in map(str.strip, text.split(",")):
        found = RANGE.fullmatch(item)
        if not item:
            raise ValueError("an empty place between brackets")
        if not found:
            yield item
            continue
        low, high = found.groups()
        if len(low) > DIGITS or len(high) > DIGITS or int(high) - int(low) >= MOST_NAMES:
            raise ValueError(f"the range {item if len(item) <= 40 else item[:39] + '…'} is too long")
        if int(high) < int(low):
            raise ValueError(f"the range {item} runs backwards")
        yield from (str(n).zfill(len(low)) if low.startswith("0") else str(n) for n in range(int(low), int(high) + 1))


def bad_name(name: str) -> tuple[str, str] | None:
    """Return what is wrong with a name that a person made up, and a hint; None if it is fine.

    >>> bad_name("gpu"), bad_name("my gpu")
    (None, ("the name 'my gpu' has a blank", "write 'my-gpu'; what a reader shall see goes into title"))
    """
    if not name:
        return "a name is empty", "every group needs a name"
    hidden = next((c for c in name if unicodedata.category(c) in {"Cf", "Cc", "Cs", "Zl", "Zp"}), None)
    if hidden:
        return (
            f"the name '{name}' has a sign that nobody sees (U+{ord(hidden):04X})",
            "type the name again, do not paste it",
        )
    if any(c.isspace() for c in name):
        return (
            f"the name '{name}' has a blank",
            f"write '{'-'.join(name.split())}'; what a reader shall see goes into title",
        )
    sign = next((c for c in name if c in FORBIDDEN), None)
    if sign:
        return (
            f"the name '{name}' has a '{sign}'",
            "letters and digits of any script, - and _; what a reader shall see goes into title",
        )
    return (
        (f"a name of {len(name)} signs", "100 are enough; what a reader shall see goes into title")
        if len(name) > 100
        else None
    )


def of_what(name: str, value: Value) -> tuple[str, str]:
    """Return error and hint for a number, or nothing, where a thing should stand."""
    number = (
        f"{value.text} x " if isinstance(value.data, int) and value.data is not True and value.data is not False else ""
    )
    part = next((example for start, example in EXAMPLES if name.startswith(start)), "h100-sxm")
    hint = f"write {name}: {number}{part}"
    if name in PLAIN:
        hint += f", or {number}{name} for a plain one"
    return (f"{value.text} of what?" if value.text else f"what is '{name}'?"), hint


def counted_name(name: str, entry: Value) -> tuple[str, str] | None:
    """Return error and hint for a counted name that ends in a digit: h100 would give h1007."""
    count = entry.get("count")
    if count is None or not name[-1:].isdigit() or entry.get("names") is not None:
        return None
    last = f"{name}{count.data - 1}" if isinstance(count.data, int) else "…"
    would = f"{name}0 … {last}" if last != "…" else f"{name}0 …"
    part = entry.get("part")
    text = str(part.data) if part is not None else ""
    better = next(
        (word for start, word in USUAL if text.startswith(start)),
        "gpu" if text else name.rstrip("0123456789-_") or "group",
    )
    hint = f"{better}: {count.text} x {text}" if text else f"{better}: …"
    return f"a name with a count must not end in a digit: '{name}' would give {would}", hint


def bad_part(text: str) -> tuple[str, str] | None:
    """Return error and hint for a text that cannot be the name of a part; None if it can."""
    if any(c.isspace() or c == "×" for c in text):  # gb200-nvl36x2 is a name
        return f"'{text}' is not a part", _counted_part(text)
    wrong = bad_name(text)
    return (f"'{text}' is not a part", "topoviz list parts shows all") if wrong else None


def _counted_part(text: str) -> str:
    """Return what to write for a part with a count that stands wrong, or with blanks."""
    if found := COUNTED.fullmatch(text):
        number, rest = found.groups()
        return f"a part is one name; the count goes beside it: {{part: {rest}, count: {number}}}"
    if found := NEAR.fullmatch(text):
        number, rest = (
            found.group(1) or found.group(3) or found.group(5),
            found.group(2) or found.group(4) or found.group(6),
        )
        return f"write {number} x {rest}"
    if found := BEHIND.fullmatch(text):
        return f"the number comes first: {found.group(2)} x {found.group(1)}"
    if found := IN_WORDS.fullmatch(text):
        word, rest = found.groups()
        number = NUMBERS.index(word.lower()) if word.lower() in NUMBERS else 0
        return f"write {number} x {rest}" if number else f"a count is a number from 1 on: 8 x {rest}"
    return f"a part has no blanks in its name: {'-'.join(text.split()).lower()}"


def slots(text: str) -> tuple[int, ...] | None:
    """Return the rack units of ``16-23`` or ``4``; None if it is neither.

    >>> slots("16-18")
    (16, 17, 18)
    """
    found = RANGE.fullmatch(text)
    if found and int(found.group(1)) <= int(found.group(2)) <= 1000:
        return tuple(range(int(found.group(1)), int(found.group(2)) + 1))
    return (int(text),) if text.isdecimal() and int(text) <= 1000 else None


def product(text: str) -> tuple[int, int, int] | None:
    """Return the factors and what a calculation such as ``2 * 4`` gives; None if it is none."""
    found = re.fullmatch(r"(\d{1,6}) ?[*x×·] ?(\d{1,6})", text)
    if not found:
        return None
    a, b = int(found.group(1)), int(found.group(2))
    return a, b, a * b


__all__ = ["bad_name", "bad_part", "counted", "counted_name", "expand", "of_what", "product", "slots"]
