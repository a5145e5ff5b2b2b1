"""A model in words: parameters, gigabytes, bytes of an element, what is not counted."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.drawing import amounts
from topoviz.drawing.messages import fill, message
from topoviz.model.findings import Filling, MemoryFit, MemoryUse

GB = 1e9
NAMES = {
    "weights": "weights",
    "gradients": "gradients",
    "optimizer": "optimizer",
    "master": "master weights",
    "momentum": "momentum",
    "variance": "variance",
    "activations": "activations",
    "kv": "KV cache",
}
TYPES = {0.5: "FP4", 1.0: "FP8", 2.0: "BF16", 4.0: "FP32"}
POWERS = ((1e12, "{value} trillion"), (1e9, "{value} billion"), (1e6, "{value} million"))
SIGNS = ((1e12, "10¹²"), (1e9, "10⁹"), (1e6, "10⁶"))
TIGHT = 0.05  # of the memory left: less than a label promises and a driver gives


def params(value: float, lang: str = "en") -> str:
    """Return a number of parameters in words.

    >>> params(70e9), params(70e9, "zh"), params(1.5e9)
    ('70 billion', '70B', '1.5 billion')
    """
    for power, template in POWERS:
        if value >= power:
            return fill(template, {"value": f"{value / power:.4g}"}, lang)
    return amounts.count(value)


def product(memory: MemoryFit, each: float, lang: str = "en") -> str:
    """Return parameters times bytes, for a reader who checks it: ``70 × 10⁹ parameters × 2 bytes``."""
    power, sign = next((one for one in SIGNS if memory.params >= one[0]), SIGNS[-1])
    values = {"value": f"{memory.params / power:.4g} × {sign}", "bytes": f"{each:g}"}
    return fill("{value} parameters × {bytes} bytes", values, lang)


def number(value: float) -> str:
    """Return bytes as a number of GB, without the unit.

    >>> number(1120e9), number(17.5e9), number(140e9), number(1.0737e9), number(0)
    ('1,120', '17.5', '140', '1.1', '0')
    """
    size = value / GB
    if size >= 100:
        return f"{size:,.0f}"
    return f"{float(f'{size:.1f}' if size >= 10 else f'{size:.2g}'):g}"


def gigabytes(value: float) -> str:
    """Return bytes in GB, so that two of them can be divided in the head: ``1,120 GB``."""
    return f"{number(value)} GB"


def name(part: Filling, lang: str = "en") -> str:
    """Return what a part of the memory is called."""
    return message(NAMES.get(part.name, part.name), lang)


def detail(part: Filling, lang: str = "en") -> str:
    """Return what one element of a part takes.

    >>> detail(Filling(name="weights", bytes=1, each=2)), detail(Filling(name="optimizer", bytes=1, each=6))
    ('2 bytes, BF16', '6 bytes')
    """
    template = "{bytes} bytes, {type}" if part.each in TYPES else "{bytes} bytes"
    return fill(template, {"bytes": f"{part.each:g}", "type": TYPES.get(part.each, "")}, lang)


def state(use: MemoryUse) -> float:
    """Return the bytes of a parameter: weights, and in training gradients and what the optimizer keeps."""
    return sum(part.each for part in use.fillings if part.group not in {"kv", "activations"})


def unknown(uses: Sequence[MemoryUse], lang: str = "en") -> str:
    """Return what is not counted and which keys of the document would tell; empty if all is counted."""
    comma = "、" if lang.startswith("zh") else ", "
    parts = dict.fromkeys(message(NAMES[what], lang) for use in uses for what, _ in use.unknown)
    keys = dict.fromkeys(key for use in uses for _, missing in use.unknown for key in missing)
    if not parts:
        return ""
    return fill("Not counted: {parts} (needs {keys})", {"parts": comma.join(parts), "keys": ", ".join(keys)}, lang)


def left(memory: float, needed: float, lang: str = "en") -> str:
    """Return how much room is left, and whether that is little.

    >>> left(80e9, 80e9), left(160e9, 140e9), left(144e9, 140e9), left(80e9, 140e9)
    ('exactly full: 0 GB left', 'fits, 20 GB left', 'fits tightly, 4 GB left', 'does not fit: 60 GB too little')
    """
    free = memory - needed
    if abs(free) < 1:
        return message("exactly full: 0 GB left", lang)
    if free < 0:
        return fill("does not fit: {value} too little", {"value": gigabytes(-free)}, lang)
    template = "fits tightly, {value} left" if free < TIGHT * memory else "fits, {value} left"
    return fill(template, {"value": gigabytes(free)}, lang)
