"""Names and numbers as people say them: ranges, articles, lists, and the nearest right word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from topoviz.model.topology import Assembly, Thing

KINDS = (
    "gpu", "cpu", "nic", "dpu", "nvswitch", "switch", "pcie", "tray", "node", "rack", "su", "cluster", "card",
    "power-shelf", "rack-pair", "rail", "fabric", "box",
)  # fmt: skip
SPOKEN = {"gpu": "GPU", "cpu": "CPU", "nic": "NIC", "dpu": "DPU", "pcie": "switch", "nvswitch": "NVSwitch"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANGE = re.compile(r"\[([^\[\]]*)\]")
LONGEST = 1_000_000


def written_out(step: str) -> tuple[str, ...]:
    """Return the names that a step with ranges stands for, in the order given; zeros are kept.

    >>> written_out("dgx-[008-010]"), written_out("gpu[0,2]"), written_out("gpu")
    (('dgx-008', 'dgx-009', 'dgx-010'), ('gpu0', 'gpu2'), ('gpu',))
    """
    match = RANGE.search(step)
    if match is None:
        return (step,)
    rest = written_out(step[match.end() :])
    return tuple(step[: match.start()] + one + tail for one in _range(match[1]) for tail in rest)


def _range(inside: str) -> Iterator[str]:
    for piece in inside.split(","):
        low, dash, high = piece.strip().partition("-")
        if dash and low.isdecimal() and high.isdecimal() and int(high) - int(low) < LONGEST:
            width = len(low) if low.startswith("0") else 0
            step = 1 if int(high) >= int(low) else -1
            yield from (str(number).zfill(width) for number in range(int(low), int(high) + step, step))
        else:
            yield piece.strip()


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was most likely meant, or an empty text.

    >>> nearest("h100_sxm", ["a100-sxm", "h100-sxm"]), nearest("gpus", ["cpu", "gpu"]), nearest("hca", ["nic"])
    ('h100-sxm', 'gpu', '')
    """
    choices = [(_likeness(word, other), other) for other in known]
    score, best = max(choices, key=lambda choice: choice[0], default=(0.0, ""))
    return best if score >= 0.6 else ""


def _likeness(word: str, other: str) -> float:
    if squeezed(word) == squeezed(other):
        return 2
    ratio = SequenceMatcher(None, word.casefold(), other.casefold()).ratio()
    return ratio + (0.1 if len(word) > 3 and other.startswith(word) else 0)


def squeezed(word: str) -> str:
    """Return a word without signs and case, to see whether two are but spelled differently.

    >>> squeezed("H100_SXM") == squeezed("h100-sxm")
    True
    """
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def said(number: int) -> str:
    """Return a small number as a word.

    >>> said(4), said(72)
    ('four', '72')
    """
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def article(word: str) -> str:
    """Return the word with its article, by sound: letters that are spelled out count as they are said.

    >>> article("l40s"), article("qm9700"), article("rack"), article("x86-cpu")
    ('an l40s', 'a qm9700', 'a rack', 'an x86-cpu')
    """
    head = re.match(r"[a-z]*", word.casefold())
    letters = head[0] if head else ""
    spelled = letters.startswith("nv") or not re.search("[aeiou]", letters) or len(letters) <= 2
    vowel = letters[:1] in tuple("aefhilmnorsx" if spelled else "aeiou")
    return f"{'an' if letters and vowel else 'a'} {word}"


def spoken(kind: str, number: int = 1) -> str:
    """Return the word for things of a kind.

    >>> spoken("gpu", 2), spoken("pcie", 2), spoken("nvswitch")
    ('GPUs', 'switches', 'NVSwitch')
    """
    word = SPOKEN.get(kind, kind or "thing")
    if number == 1:
        return word
    return word + ("es" if word.endswith(("ch", "s", "x")) else "s")


def what(assembly: Assembly) -> str:
    """Return what a thing is called in a message, with its article: its part, else its kind."""
    return article(assembly.part or assembly.kind or "thing")


def listed(names: Sequence[str]) -> str:
    """Return names as a run if there are several.

    >>> listed(["gpu0", "gpu1", "gpu2"]), listed(["gpu0"])
    ('gpu0 … gpu2', 'gpu0')
    """
    return names[0] if len(names) == 1 else (", ".join(names) if len(names) == 2 else f"{names[0]} … {names[-1]}")


def run(things: Sequence[Thing]) -> str:
    """Return things as a run: the first and the last by their ids."""
    return things[0].id if len(things) == 1 else f"{things[0].id} … {things[-1].id}"


def inhabitants(assembly: Assembly) -> str:
    """Return the groups directly inside with their numbers, such as ``cpu (2), gpu (8)``."""
    groups: dict[str, int] = {}
    for child in assembly.children:
        groups[child.group] = groups.get(child.group, 0) + 1
    return ", ".join(f"{group} ({number})" for group, number in groups.items())


def groups(assembly: Assembly) -> tuple[str, ...]:
    """Return the groups directly inside, each once, in order."""
    return tuple(dict.fromkeys(child.group for child in assembly.children))


def choose(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> choose(["1", "2", "4"], "or"), choose(["pcie", "upi"])
    ('1, 2 or 4', 'pcie and upi')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
