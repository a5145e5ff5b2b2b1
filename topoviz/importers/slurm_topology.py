"""Slurm topology.conf: a tree of switches with the nodes below them, or blocks of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from topoviz.importers.evidence import scheduled
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.scheduled import Above, Block, Plan, hosts
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

FIRST = re.compile(r"^[ \t]*(?:SwitchName|BlockName|BlockSizes)[ \t]*=", re.IGNORECASE | re.MULTILINE)
WORD = re.compile(r"([A-Za-z]\w*)\s*=\s*(\S*)")
KNOWN = ("switchname", "switches", "nodes", "linkspeed", "blockname", "blocksizes")


def recognises(text: str) -> float:
    """Return how surely a text is a topology.conf."""
    return 0.9 if FIRST.search(text[:1_000_000]) else 0.0


def read(source: Source) -> Imported:
    """Return the cluster of a topology.conf. Raises SpecError."""
    told = Told(source)
    plan = Plan()
    for line, said in _lines(source):
        words = _words(told, line, said)
        if "switchname" in words:
            plan.switches += _switches(told, line, words)
        elif "blockname" in words:
            plan.blocks += _blocks(told, line, words)
        elif "blocksizes" in words:
            plan.sizes = _sizes(source, line, words["blocksizes"])
        else:
            hint = "a line begins with SwitchName=, BlockName= or BlockSizes="
            raise wrong(source, line, "this line names neither a switch nor a block", hint=hint, code="slurm-line")
        if "linkspeed" in words:
            told.infer(
                "LinkSpeed is a number without a unit, which Slurm does not use; it is left out", line, word="LinkSpeed"
            )
    if plan.switches and plan.blocks:
        said = "the file has switches and blocks"
        raise wrong(source, plan.blocks[0].line, said, hint="one kind per topology", code="slurm-exclusive")
    if not plan.switches and not plan.blocks:
        raise wrong(source, 1, "there is neither a switch nor a block here", code="slurm-nothing")
    return scheduled.imported(told, [plan])


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield lines without comments, those that end in a backslash with the next, each with its number."""
    waiting, begun = "", 0
    for at, raw in enumerate(clean(source.text).split("\n"), 1):
        line = raw.split("#", 1)[0].rstrip()
        begun = begun or at
        if line.endswith("\\"):
            waiting += line[:-1] + " "
            continue
        whole = (waiting + line).strip()
        if whole:
            yield begun, whole
        waiting, begun = "", 0
    if waiting.strip():
        raise wrong(source, begun, "the file ends in a line that goes on (\\)", hint="copy all of it", code="slurm-cut")


def _words(told: Told, line: int, text: str) -> Mapping[str, str]:
    out: dict[str, str] = {}
    rest = WORD.sub("", text).strip()
    if rest:
        said = f"'{rest.split()[0]}' is no KEY=VALUE"
        raise wrong(told.source, line, said, hint="no blanks inside a value", code="slurm-line", word=rest.split()[0])
    for found in WORD.finditer(text):
        key = found[1].lower()
        if key not in KNOWN:
            told.warn("slurm-unknown-key", f"'{found[1]}' is no key that topoviz knows", line, word=found[1])
        elif not found[2]:
            raise wrong(told.source, line, f"{found[1]} has no value", code="slurm-line", word=found[1])
        elif key in out:
            raise wrong(told.source, line, f"{found[1]} is on this line twice", code="slurm-line", word=found[1])
        out[key] = found[2]
    return out


def _switches(told: Told, line: int, words: Mapping[str, str]) -> list[Above]:
    below = hosts(told, words.get("switches", ""), line)
    nodes = hosts(told, words.get("nodes", ""), line)
    if not below and not nodes:
        said = f"switch '{words['switchname']}' has neither Switches= nor Nodes="
        raise wrong(told.source, line, said, code="slurm-line", word=words["switchname"])
    return [Above(name=one, switches=below, nodes=nodes, line=line) for one in hosts(told, words["switchname"], line)]


def _blocks(told: Told, line: int, words: Mapping[str, str]) -> list[Block]:
    return [Block(name=words["blockname"], nodes=hosts(told, words.get("nodes", ""), line), line=line)]


def _sizes(source: Source, line: int, text: str) -> list[int]:
    bad = next((one for one in text.split(",") if not one.isdecimal()), None)
    if bad is not None:
        raise wrong(source, line, f"BlockSizes has '{bad}', which is no number", code="bad-number", word=bad)
    return [int(one) for one in text.split(",")]
