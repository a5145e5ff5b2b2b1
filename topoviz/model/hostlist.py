"""Host lists as Slurm writes them: names with numbers in brackets, zeros kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from topoviz.model.short import expand

NUMBER = re.compile(r"[0-9]+")
UNFIT = re.compile(r"[\[\],]")


def names_of(text: str) -> list[str]:
    """Return the names of a host list.

    >>> names_of("n[01-03,7],gpu-[1-2]x"), names_of("r[1-2]n[1-2]")
    (['n01', 'n02', 'n03', 'n7', 'gpu-1x', 'gpu-2x'], ['r1n1', 'r1n2', 'r2n1', 'r2n2'])

    Raises:
        ValueError: the list is not written as one; the text says what is wrong.
    """
    return [name for item in _items(text) for name in expand(item)]


def _items(text: str) -> Iterator[str]:
    """Yield the items between commas that stand outside brackets."""
    depth, item = 0, ""
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth <= 0:
            yield item.strip()
            item = ""
        else:
            item += sign
    if item.strip():
        yield item.strip()


def collapsed(names: Sequence[str]) -> list[str]:
    """Return names in their order as few texts with brackets; ``names_of`` them gives the names again.

    >>> collapsed(["n01", "n02", "n03", "n10", "login", "r1n1", "r1n2"])
    ['n[01-03,10]', 'login', 'r1n[1-2]']
    """
    out: list[str] = []
    open_: tuple[str, str] | None = None
    numbers: list[str] = []
    for name in names:
        split = _split(name)
        around = (split[0], split[2]) if split else None
        if numbers and around != open_:
            out.append(_bracketed(open_, numbers))
            numbers = []
        if split:
            open_ = around
            numbers.append(split[1])
        else:
            out.append(name)
    return [*out, _bracketed(open_, numbers)] if numbers else out


def _split(name: str) -> tuple[str, str, str] | None:
    """Return a name before, in and after its last number; None if it has none or could be misread."""
    found = list(NUMBER.finditer(name))
    if not found or UNFIT.search(name):
        return None
    return name[: found[-1].start()], found[-1].group(), name[found[-1].end() :]


def _bracketed(around: tuple[str, str] | None, numbers: Sequence[str]) -> str:
    stem, tail = around or ("", "")
    if len(numbers) == 1:
        return f"{stem}{numbers[0]}{tail}"
    runs: list[list[str]] = []
    for number in numbers:
        if runs and number == str(int(runs[-1][-1]) + 1).zfill(len(runs[-1][0])):
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [f"{run[0]}-{run[-1]}" if len(run) > 1 else run[0] for run in runs]
    return f"{stem}[{','.join(said)}]{tail}"
