"""Rates, sizes and counts: read from text and written as text. The only place that knows Gb from GB.

A rate is GB/s of one link in one direction; sizes are bytes. ``b`` is bit and
``B`` is byte, by case, always.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from types import MappingProxyType

from topoviz.marks import Source
from topoviz.model.source import Value, parse
from topoviz.model.spec import Rate
from topoviz.model.spelling import listed, nearest

NUMBER = r"(?P<number>\d+(?:\.\d+)?(?:[eE]\+?\d+)?)"
POWERS: Mapping[str, int] = MappingProxyType({"": 0, "K": 3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15})
BINARY: Mapping[str, int] = MappingProxyType({"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50})
RATE = re.compile(
    rf"{NUMBER} ?(?P<power>[KMGTP]i?|k)(?:(?P<byte>B/s|Bps)|(?P<bit>b/s|bps|bit/s))(?: (?P<way>per direction|both directions))?"
)
LOWER = re.compile(rf"{NUMBER} ?(?P<power>[kmgt])bps")  # lower case throughout: bits, as network people write
SIZE = re.compile(rf"{NUMBER} ?(?P<power>[KMGTP]i?|k)?B")
BITS = re.compile(rf"{NUMBER} ?(?P<power>[KMGTP]i?|k)?(?:b|bit)")
COUNT = re.compile(rf"{NUMBER} ?(?P<power>[KMBT])?")
BILLIONS: Mapping[str, int] = MappingProxyType({"": 0, "K": 3, "M": 6, "B": 9, "T": 12})
BILLION_WORDS: Mapping[str, str] = MappingProxyType(
    {"K": "a thousand", "M": "a million", "B": "a billion", "T": "a trillion"}
)
DURATION = re.compile(rf"{NUMBER} ?(?P<unit>h|min|s|ms|us|µs)")
SECONDS: Mapping[str, float] = MappingProxyType(
    {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
)
PERCENT = re.compile(rf"{NUMBER} ?%")
NETWORK = ("EDR", "HDR", "NDR", "XDR")
MOST = 1e18


class UnreadableError(ValueError):
    """A text that is no rate, size or count; ``hint`` says what to write."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


# ---- reading


def rate(text: str | float, called: str = "bandwidth", times: str = "") -> Rate:
    """Return what one link carries in one direction, in GB/s.

    ``called`` is the key for the error, ``times`` what stood before the rate (``18 x ``).
    Raises UnreadableError.

    >>> rate("1.8 TB/s both directions").line
    900.0
    >>> rate("400Gbps").line, rate("NVLink4").link
    (50.0, 'NVLink 4')
    """
    if not isinstance(text, str):
        raise UnreadableError(f"{called} {plain(text)} has no unit", _unit_for(text))
    found = RATE.fullmatch(text) or LOWER.fullmatch(text)
    if found:
        return _measured(found, text, called)
    named = _named(text)
    if named:
        return named
    raise _no_rate(text, called, times)


def _measured(found: re.Match[str], text: str, called: str) -> Rate:
    parts = found.groupdict()
    power = parts["power"] if parts["power"] in BINARY else parts["power"].upper()
    value = float(parts["number"]) * _power(power) / 1e9
    value /= 1 if parts.get("byte") else 8
    value /= 2 if parts.get("way") == "both directions" else 1
    if not 0 < value < MOST:
        raise UnreadableError(f"{called} '{text}' is not a rate above 0")
    return Rate(line=value, nccl=value, written=text)


def _power(prefix: str) -> float:
    return float(2 ** BINARY[prefix]) if prefix in BINARY else 10.0 ** POWERS[prefix]


def size(text: str | float, called: str = "size") -> float:
    """Return bytes.

    >>> size("14 GB"), size("1 GiB")
    (14000000000.0, 1073741824.0)
    """
    if not isinstance(text, str):
        raise UnreadableError(f"{called} {plain(text)} has no unit", f"{plain(text)} GB, {plain(text)} GiB")
    found = SIZE.fullmatch(text)
    if found:
        return _above_zero(float(found["number"]) * _power(found["power"] or ""), text, called)
    bits = BITS.fullmatch(text)
    if bits:
        half = f"{plain(float(bits['number']) / 8)} {bits['power'] or ''}B"
        raise UnreadableError(f"{called} '{text}' counts bits", f"{text} are {half}")
    raise UnreadableError(f"{called} '{text}' has no unit that topoviz knows", _size_hint(text))


def parameters(text: str | float, called: str = "params") -> float:
    """Return a count of parameters; here B is a billion.

    >>> parameters("70 B"), parameters(70e9)
    (70000000000.0, 70000000000.0)
    """
    if not isinstance(text, str):
        return _above_zero(float(text), plain(text), called)
    found = COUNT.fullmatch(text)
    if found:
        return _above_zero(float(found["number"]) * 10.0 ** BILLIONS[found["power"] or ""], text, called)
    bytes_ = SIZE.fullmatch(text)
    if bytes_:
        raise UnreadableError(f"{called} counts parameters, not bytes", _count_hint(bytes_))
    raise UnreadableError(f"{called} '{text}' is not a count of parameters", "70e9, 70 B or 350 M")


def share(text: str | float, called: str = "measured") -> float | Rate:
    """Return a share of 1 (from a percentage), or a rate if a bandwidth was written.

    >>> share("82 %")
    0.82
    >>> share("370 GB/s").line
    370.0
    """
    if not isinstance(text, str):
        percent = plain(round(text * 100, 6)) if 0 < text <= 1 else plain(text)
        raise UnreadableError(f"{called} {plain(text)} has no unit", f"{percent} %, or a bandwidth: 370 GB/s")
    found = PERCENT.fullmatch(text)
    if not found:
        return rate(text, called)
    value = round(float(found["number"]) / 100, 9)
    if not 0 < value <= 1:
        raise UnreadableError(f"{called} '{text}' is not between 0 and 100 %")
    return value


def duration(text: str | float, called: str = "compute") -> float:
    """Return seconds.

    >>> duration("0.5 s"), duration("40 ms")
    (0.5, 0.04)
    """
    if not isinstance(text, str):
        raise UnreadableError(f"{called} {plain(text)} has no unit", f"{plain(text)} s, {plain(text)} ms")
    found = DURATION.fullmatch(text)
    if not found:
        raise UnreadableError(f"{called} '{text}' is not a time", "0.5 s, 40 ms")
    return _above_zero(float(found["number"]) * SECONDS[found["unit"]], text, called)


def _above_zero(value: float, text: str, called: str) -> float:
    if not 0 < value < MOST:
        raise UnreadableError(f"{called} {text} is not above 0" if value <= 0 else f"{called} {text} is too large")
    return value


# ---- hints


def _unit_for(number: float) -> str:
    shown, gbit = plain(number), {link.line * 8 for name in NETWORK if (link := links()[name]).line is not None}
    if number in gbit:
        return f"{shown} Gb/s are {plain(number / 8)} GB/s"
    return f"{shown} GB/s, {shown} Gb/s, or the name of a link such as NVLink 4"


def _no_rate(text: str, called: str, times: str) -> UnreadableError:
    family = _family(text)
    if family:
        return UnreadableError(f"unknown link '{text}'", _family_hint(text, family, times))
    found = re.match(rf"{NUMBER}(.*)$", text)
    if found:
        number = float(found["number"])
        both = re.sub(
            r" *(?:\(?bi-?directional\)?|bidir|bi-?dir|total|duplex|full duplex)$", "", text, flags=re.IGNORECASE
        )
        if RATE.fullmatch(both) and both != text:
            return UnreadableError(
                f"{called} '{text}' has a word that topoviz does not know", f"write {both} both directions"
            )
        hint = f"{plain(number)} Gb/s are {plain(number / 8)} GB/s; {plain(number)} GB/s are {plain(number * 8)} Gb/s"
        return UnreadableError(f"{called} '{text}' has no unit that topoviz knows", hint)
    near = nearest(text, links())
    known = "50 GB/s, 400 Gb/s, or the name of a link such as NVLink 4"
    return UnreadableError(f"unknown link '{text}'", f"did you mean '{near}'?" if near else known)


def _family(text: str) -> Sequence[str]:
    """Return all links of the family that a text begins with: NVLink, PCIe."""
    word = re.match(r"[A-Za-z]+", text)
    return [
        n for n in links() if word and re.match(r"[A-Za-z]+ \d", n) and n.split()[0].lower() == word.group().lower()
    ]


def _family_hint(text: str, family: Sequence[str], times: str) -> str:
    stem = re.sub(r" x\d+$", "", family[-1])
    generations = list(dict.fromkeys(re.sub(r" x\d+$", "", name) for name in family))
    lanes = list(dict.fromkeys(found.group(1) for name in family if (found := re.search(r" (x\d+)$", name))))
    if lanes and any(_key(text).startswith(_key(one)) for one in generations):
        return f"{family[0].split()[0]} has {listed(lanes, 'and')}"
    fastest = max(links()[name].line or 0 for name in family if name.startswith(stem))
    return f"{generations[0]} … {generations[-1]} are known; give a number instead: {times}{plain(2 * fastest)} GB/s"


def _size_hint(text: str) -> str:
    found = re.match(rf"{NUMBER} ?(?P<letter>[A-Za-z]?)", text)
    if not found:
        return "14 GB, 14 GiB"
    letter = found["letter"].upper()
    return f"{found['number']} {letter if letter in POWERS else 'G'}B"


def _count_hint(found: re.Match[str]) -> str:
    letter = {"G": "B", "k": "K"}.get(found["power"] or "", (found["power"] or "B")[:1])
    letter = letter if letter in BILLION_WORDS else "B"
    number = found["number"]
    return f"{number}e{BILLIONS[letter]} or {number} {letter}, where {letter} is {BILLION_WORDS[letter]}"


# ---- names of links


@cache
def links() -> Mapping[str, Rate]:
    """Return every link name with its rates, slowest of a family first.

    >>> links()["PCIe 5.0 x16"].line, links()["UPI"].line
    (64.0, None)
    """
    text = resources.files("topoviz.model").joinpath("links.yaml").read_text(encoding="utf-8")
    rows = parse(Source("links.yaml", text)).parts()
    return MappingProxyType({one.link: one for row in rows for one in _rows(row)})


def _rows(row: Value) -> list[Rate]:
    name, line, nccl = _cell(row, "link"), _cell(row, "line"), _cell(row, "nccl")
    lanes = row.get("lanes")
    if lanes is None:
        return [Rate(line=_float(line), nccl=_float(nccl), link=str(name))]
    widths = [int(str(one.data)) for one in lanes.parts()]
    return [Rate(line=float(str(line)) * n / 16, nccl=float(str(nccl)) * n / 16, link=f"{name} x{n}") for n in widths]


def _cell(row: Value, key: str) -> object:
    value = row.get(key)
    return None if value is None else value.data


def _float(value: object) -> float | None:
    return None if value is None else float(str(value))


@cache
def _keys() -> Mapping[str, Rate]:
    return MappingProxyType({_key(name): one for name, one in links().items()})


def _key(name: str) -> str:
    """Return a link name as all its spellings share it: `PCIe Gen5 x16` is `pcie5x16`."""
    return re.sub(r"(?<=pcie)gen|(?<=\d)\.0(?=$|x)", "", re.sub(r"\s", "", name.lower()))


def _named(text: str) -> Rate | None:
    known = _keys().get(_key(text))
    return Rate(line=known.line, nccl=known.nccl, link=known.link, written=text) if known else None


# ---- writing


def plain(value: float) -> str:
    """Return a number without a needless ``.0``, thousands not separated.

    >>> plain(50.0), plain(6.25), plain(70e9)
    ('50', '6.25', '70000000000')
    """
    return str(int(value)) if value == int(value) and abs(value) < 1e18 else f"{value:.12g}"


def number(value: float) -> str:
    """Return a number for a picture: thousands with a comma, at most two decimals.

    >>> number(1296), number(16384.0), number(5.25)
    ('1,296', '16,384', '5.25')
    """
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def rate_text(value: float) -> str:
    """Return GB/s as a data sheet writes it: three digits that count, no word of direction.

    >>> rate_text(450), rate_text(3600), rate_text(129600), rate_text(0.125)
    ('450 GB/s', '3.6 TB/s', '130 TB/s', '125 MB/s')
    """
    return _scaled(value * 1e9, "B/s", 6)


def gbit_text(value: float) -> str:
    """Return GB/s in bits.

    >>> gbit_text(50), gbit_text(0.125)
    ('400 Gb/s', '1 Gb/s')
    """
    bits = value * 8
    return f"{_three(bits)} Gb/s" if bits < 100_000 else f"{_three(bits / 1000)} Tb/s"


def size_text(value: float) -> str:
    """Return bytes in decimal units.

    >>> size_text(24.5e9), size_text(14e9), size_text(80)
    ('24.5 GB', '14 GB', '80 B')
    """
    return _scaled(value, "B", 0)


def seconds_text(value: float) -> str:
    """Return a time: whole numbers from 10 on, two digits below.

    >>> seconds_text(0.0544), seconds_text(0.0054), seconds_text(1.53), seconds_text(0.9996)
    ('54 ms', '5.4 ms', '1.5 s', '1 s')
    """
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        scaled = _two(value * factor)
        if scaled >= 1 or unit == "µs":
            return f"{plain(scaled)} {unit}"
    raise AssertionError


def count_text(value: float) -> str:
    """Return a large count in words of a model card.

    >>> count_text(70e9), count_text(350e6)
    ('70 B', '350 M')
    """
    for factor, letter in ((1e12, " T"), (1e9, " B"), (1e6, " M")):
        if value >= factor:
            return f"{_three(value / factor)}{letter}"
    return number(value)


def _two(value: float) -> float:
    return float(round(value)) if value >= 9.95 else float(f"{value:.2g}")


def _three(value: float) -> str:
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:.4g}"


def _scaled(value: float, unit: str, least: int) -> str:
    powers = [power for power in (15, 12, 9, 6, 3, 0) if power >= least]
    for power in powers:
        scaled = float(f"{value / 10.0**power:.3g}")
        if scaled >= 1 or power == powers[-1]:
            prefix = {15: "P", 12: "T", 9: "G", 6: "M", 3: "K", 0: ""}[power]
            return f"{_three(scaled)} {prefix}{unit}"
    raise AssertionError
