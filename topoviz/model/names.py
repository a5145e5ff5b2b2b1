"""Names of things as people say them: ranges, articles, runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from topoviz.model.short import expand
from topoviz.model.topology import Assembly, Thing

KINDS = (
    "gpu", "cpu", "nic", "dpu", "nvswitch", "switch", "pcie", "tray", "node", "rack", "su", "cluster", "card",
    "power-shelf", "rack-pair", "rail", "fabric", "box",
)  # fmt: skip
SPOKEN = {"gpu": "GPU", "cpu": "CPU", "nic": "NIC", "dpu": "DPU", "pcie": "switch", "nvswitch": "NVSwitch"}


def written_out(step: str) -> tuple[str, ...]:
    """Return the names that a step with ranges stands for, in the order given; a text that is no range is itself.

    >>> written_out("dgx-[008-010]"), written_out("gpu[0,2]"), written_out("gpu")
    (('dgx-008', 'dgx-009', 'dgx-010'), ('gpu0', 'gpu2'), ('gpu',))
    """
    try:
        return tuple(expand(step)) if "[" in step else (step,)
    except ValueError:
        return (step,)


def squeezed(word: str) -> str:
    """Return a word without signs and case, to see whether two are but spelled differently.

    >>> squeezed("H100_SXM") == squeezed("h100-sxm")
    True
    """
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def with_article(word: str) -> str:
    """Return the word with its article, by sound: letters that are spelled out count as they are said.

    >>> with_article("l40s"), with_article("qm9700"), with_article("rack"), with_article("x86-cpu")
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
    return with_article(assembly.part or assembly.kind or "thing")


def first_to_last(names: Sequence[str]) -> str:
    """Return names as a run if there are several.

    >>> first_to_last(["gpu0", "gpu1", "gpu2"]), first_to_last(["gpu0"])
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
