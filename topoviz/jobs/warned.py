"""What a person should know before a job runs, as sentences that can be said in other languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topoviz.model.findings import Sentence, Traffic

SAID = {"tp": "TP", "cp": "CP", "ep": "EP", "fsdp": "FSDP", "dp": "DP", "pp": "PP"}
WAITS = "TP {size}: {where}, so every layer waits for {link}; {remedy}"
ALL = "all {count} groups leave their scale-up domain of {fits} GPUs"
SOME = "{leaving} of {count} groups leave their scale-up domain of {fits} GPUs"
ONE = "its group leaves the scale-up domain of {fits} GPUs"
NO_DOMAIN = "TP {size}: no NVLink (or its like) joins the GPUs, so every layer waits for {link}"
UNJOINED = "{kind}: members of a group have no way to each other"
EXPERTS = "DP: at most, for the document does not say how many of the parameters are in experts"
DOWN = "{down} of {count} ranks are down: {names}"


def unjoined(kind: str) -> Sentence:
    """Return that members of a kind of group have no way to each other."""
    return Sentence.of(UNJOINED, kind=SAID[kind])


def experts() -> Sentence:
    """Return that what is sent for gradients is a bound, for experts are not summed over all copies."""
    return Sentence.of(EXPERTS)


def down(names: Sequence[str], count: int) -> Iterator[Sentence]:
    """Yield which of so many ranks are down, if any are."""
    if names:
        template = DOWN if len(names) > 1 else DOWN.replace(" are ", " is ")
        yield Sentence.of(template, down=f"{len(names):,}", count=f"{count:,}", names=", ".join(names[:3]))


def outside(row: Traffic, fits: int, apart: int) -> Sentence:
    """Return that TP groups leave their domain of so many ranks, and what would stay inside.

    ``apart`` is how far apart the order puts neighbours of a group, in ranks.
    """
    link = row.link or row.link_kind
    if fits == 1:
        return Sentence.of(NO_DOMAIN, size=f"{row.size:,}", link=link)
    template = ONE if row.count == 1 else ALL if row.leaving == row.count else SOME
    where = Sentence.of(template, leaving=f"{row.leaving:,}", count=f"{row.count:,}", fits=f"{fits:,}")
    return Sentence.of(WAITS, size=f"{row.size:,}", where=where, link=link, remedy=_remedy(row.size, fits, apart))


def _remedy(size: int, fits: int, apart: int) -> Sentence:
    """Return what would keep a TP group inside: a smaller one, one that divides the domain, or another order."""
    least = Sentence.of("TP {fits} stays inside", fits=f"{fits:,}")
    if size > fits:
        return (
            least if apart == 1 else Sentence.of("TP {fits} stays inside if tp is first in the order", fits=f"{fits:,}")
        )
    if fits % size:
        return Sentence.of("a TP that divides {fits} stays inside", fits=f"{fits:,}")
    if apart > 1:
        return Sentence.of("it stays inside if tp is first in the order")
    return Sentence.of("it stays inside if the ranks of a domain follow each other")
