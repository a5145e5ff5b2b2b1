"""Numbers in words: bandwidths with their direction, bytes, times, counts, ranges."""

from __future__ import annotations

from dataclasses import dataclass

from topoviz.drawing.messages import fill, message

DIGITS = 3  # as data sheets give them: 129.6 TB/s is printed as 130
TIME_DIGITS = 2
THOUSAND = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bandwidth:
    """GB/s in one direction, from ``low`` to ``high``; None if no rate is stated.

    ``at_least`` says that a part of the sum is not stated. ``both`` asks for the
    words and the number of both directions together.
    """

    low: float | None
    high: float | None
    at_least: bool = False
    both: bool = False

    def number(self, lang: str = "en") -> str:
        """Return the number with its unit, without the direction: what stands in a cell of a table.

        A sum that is not stated in full has the sign ≥.

        >>> Bandwidth(low=450, high=450).number(), Bandwidth(low=100, high=150, both=True).number()
        ('450 GB/s', '200–300 GB/s')
        """
        if self.low is None or self.high is None:
            return message("rate not stated", lang)
        return f"≥ {self._bare()}" if self.at_least else self._bare()

    def text(self, lang: str = "en") -> str:
        """Return the number with unit and direction.

        >>> Bandwidth(low=900, high=900, both=True).text(), Bandwidth(low=450, high=450).text("zh")
        ('1.8 TB/s both directions', '单向 450 GB/s')
        """
        if self.low is None:
            return message("rate not stated", lang)
        template = "{value} both directions" if self.both else "{value} per direction"
        text = fill(template, {"value": self._bare()}, lang)
        return fill("at least {value}", {"value": text}, lang) if self.at_least else text

    def _bare(self) -> str:
        times = 2 if self.both else 1
        ends = (times * (self.low or 0), times * (self.high or 0))
        return span(*(scaled(end, ("GB/s", "TB/s", "PB/s")) for end in ends))

    def bits(self) -> str:
        """Return the number as networks give it.

        >>> Bandwidth(low=50, high=50).bits()
        '400 Gb/s'
        """
        if self.low is None or self.high is None:
            return ""
        return span(f"{_short(8 * self.low)} Gb/s", f"{_short(8 * self.high)} Gb/s")


def span(low: str, high: str) -> str:
    """Return one text if both are equal, else a range; an equal unit is written once.

    >>> span("4", "6"), span("100 GB/s", "150 GB/s"), span("900 GB/s", "1.2 TB/s")
    ('4–6', '100–150 GB/s', '900 GB/s–1.2 TB/s')
    """
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    return f"{number}–{high}" if unit == high.partition(" ")[2] else f"{low}–{high}"


def scaled(value: float, units: tuple[str, ...]) -> str:
    """Return a number below 1,000 with the unit that fits; each unit is a thousand of the one before.

    >>> scaled(3600, ("GB/s", "TB/s")), scaled(83.333, ("GB/s",)), scaled(129600, ("GB/s", "TB/s"))
    ('3.6 TB/s', '83.3 GB/s', '130 TB/s')
    """
    step = 0
    while step + 1 < len(units) and float(f"{value:.{DIGITS}g}") >= THOUSAND:
        value, step = value / THOUSAND, step + 1
    return f"{_short(value)} {units[step]}"


def size(value: float) -> str:
    """Return a number of bytes.

    >>> size(14e9), size(24.5e9), size(1.75e9), size(80e9)
    ('14 GB', '24.5 GB', '1.75 GB', '80 GB')
    """
    return scaled(value, ("B", "kB", "MB", "GB", "TB", "PB"))


def time(seconds: float) -> str:
    """Return a time in two digits, which is all that a lower bound can claim.

    >>> time(0.0544444), time(0.765625), time(1.23), time(0.0000123)
    ('54 ms', '0.77 s', '1.2 s', '12 µs')
    """
    rounded = float(f"{seconds:.{TIME_DIGITS}g}")
    if rounded >= 0.1:
        return f"{rounded:.{TIME_DIGITS}g} s" if rounded < 100 else f"{seconds:,.0f} s"
    return f"{rounded * 1e3:g} ms" if rounded >= 1e-3 else f"{rounded * 1e6:.3g} µs"


def count(low: float, high: float | None = None) -> str:
    """Return a count with thousands marked, or a range of counts.

    >>> count(1296), count(4, 6)
    ('1,296', '4–6')
    """
    return span(_whole(low), _whole(low if high is None else high))


def _whole(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def _short(value: float) -> str:
    rounded = float(f"{value:.{DIGITS}g}")
    return f"{rounded:,.0f}" if rounded.is_integer() else f"{rounded:g}"
