"""nvidia-smi nvlink -s, -R: which NVLinks of each GPU are up, how fast, and what is at their other end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from topoviz.importers.evidence import hosts, pcie
from topoviz.importers.evidence.draft import Draft, ranges
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.nvlinks import FABRIC
from topoviz.importers.evidence.products import product
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

GPU = re.compile(r"^\s*GPU (\d+): (.+?)(?: \(UUID.*)?$")
LINK = re.compile(
    r"^\s*Link (\d+): (?:(?P<rate>[\d.]+) GB/s|(?P<down><inactive>)|Remote Device (?P<remote>\S+): Link \d+)\s*$"
)
NONE = re.compile(r"all links are inActive|Unable to retrieve NVLink information")
# what the tool prints is the signalling rate; GB/s in one direction that data get of it
USABLE: Mapping[str, str] = MappingProxyType(
    {"19.531": "NVLink 1", "25.781": "NVLink 2", "26.562": "NVLink 4", "53.125": "NVLink 5"}
)


@dataclass(slots=True)
class Card:
    """What is printed of one GPU."""

    line: int
    model: str
    rates: dict[int, str] = field(default_factory=dict)
    remotes: dict[int, str] = field(default_factory=dict)
    down: list[int] = field(default_factory=list)
    silent: bool = False


def recognises(text: str) -> float:
    """Return how surely a text lists the NVLinks of GPUs."""
    lines = clean(text).split("\n")
    return 0.9 if any(map(GPU.match, lines)) and any(LINK.match(line) or NONE.search(line) for line in lines) else 0.0


def read(source: Source) -> Imported:
    """Return the GPUs with their NVLinks; of links to unnamed switches a fabric. Raises SpecError."""
    told = Told(source)
    cards = _cards(source)
    if not cards:
        raise wrong(source, 1, "no GPU is listed here", hint='run "nvidia-smi nvlink -s"', code="nvlink-no-gpu")
    draft = Draft()
    names = {}
    for number, card in cards.items():
        known = product(card.model)
        names[f"GPU{number}"] = draft.add("gpu", f"gpu{number}", {"part": known.part if known else "gpu"})
    _tell_down(told, cards)
    _tell_uneven(told, cards)
    _join(draft, told, cards)
    models = {card.model for card in cards.values()}
    model = models.pop().removeprefix("NVIDIA ").removeprefix("Tesla ") if len(models) == 1 else ""
    title = hosts.title(len(cards), model)
    active = {f"GPU{number}": max(len(card.rates), len(card.remotes)) for number, card in cards.items()}
    made = hosts.imported(told, [hosts.Machine(draft=draft, title=title, names=names)])
    facts: dict[str, Any] = {**made.facts, "active": active}
    return Imported(document=made.document, told=made.told, names=made.names, facts=facts)


def _cards(source: Source) -> dict[int, Card]:
    cards: dict[int, Card] = {}
    current: Card | None = None
    for at, line in enumerate(clean(source.text).split("\n"), 1):
        card, link = GPU.match(line), LINK.match(line)
        if card:
            current = cards.setdefault(int(card[1]), Card(line=at, model=card[2]))
        elif link and current:
            _take(current, int(link[1]), link)
        elif NONE.search(line) and current:
            current.silent = True
        elif line.strip() and current and line.strip().startswith("Link"):
            raise wrong(
                source,
                at,
                f"'{line.strip()}' is no line about a link",
                hint="the text looks cut off; paste the whole output",
                code="nvlink-line",
            )
    return cards


def _take(card: Card, number: int, link: re.Match[str]) -> None:
    if link["down"]:
        card.down.append(number)
    elif link["rate"]:
        card.rates[number] = link["rate"]
    else:
        card.remotes[number] = link["remote"]


def _tell_down(told: Told, cards: Mapping[int, Card]) -> None:
    for number, card in cards.items():
        if card.silent or (card.down and not card.rates and not card.remotes):
            told.warn("nvlink-down", f"GPU{number}: no active link", card.line)
        elif card.down:
            many = "links" if len(card.down) > 1 else "link"
            said = ranges(card.down).replace(",", " and ") if len(card.down) == 2 else ranges(card.down)
            told.warn("nvlink-down", f"GPU{number}: {many} {said} inactive", card.line)


def _tell_uneven(told: Told, cards: Mapping[int, Card]) -> None:
    """Warn of cards that list fewer links than others of their model: the text may be cut off."""
    listed = {number: len(card.rates) + len(card.down) + len(card.remotes) for number, card in cards.items()}
    for number, card in cards.items():
        alike = max(listed[other] for other, one in cards.items() if one.model == card.model)
        if not card.silent and listed[number] < alike:
            said = f"GPU{number} lists {listed[number]} links, other {card.model} {alike}: is the text cut off?"
            told.warn("nvlink-uneven", said, card.line)


def _join(draft: Draft, told: Told, cards: Mapping[int, Card]) -> None:
    """Join all GPUs with one fabric: neither list says which GPU is at the other end of a link."""
    if not any(card.rates or card.remotes for card in cards.values()):
        return
    peers = {remote for card in cards.values() for remote in card.remotes.values()}
    named = sorted(remote for remote in peers if not pcie.nowhere(remote))
    if named:
        told.infer(
            f"links lead to devices of which the list gives only addresses ({', '.join(named)}): they are imported as one fabric"
        )
    name = draft.add("nvs", "nvs", {"part": "nvswitch", "title": FABRIC})
    for number, card in cards.items():
        for rate, links in _by_rate(card).items():
            draft.join(f"gpu{number}", name, "nvlink", links=links, bandwidth=_bandwidth(told, rate, card))
    told.infer(
        "the other ends of the links are drawn as one NVLink fabric: the list does not say whether they are switches or other GPUs"
    )
    told.say(
        "What is at the other end of the NVLinks is not in the file; it is drawn as one fabric.",
        "文件未说明 NVLink 的另一端，合画为一个网络。",
    )


def _by_rate(card: Card) -> dict[str, int]:
    rates: Sequence[str] = list(card.rates.values()) or [""] * len(card.remotes)
    return {rate: list(rates).count(rate) for rate in dict.fromkeys(rates)}


def _bandwidth(told: Told, rate: str, card: Card) -> str:
    known = product(card.model)
    if not rate or (known and known.link):
        return ""  # the ports of the part say it
    link = USABLE.get(rate, "")
    if not link:
        told.warn(
            "nvlink-rate",
            f"{rate} GB/s is no signalling rate of NVLink that is known; the rate is left open",
            card.line,
        )
    return link
