"""The lines of an NCCL log, whatever stands in front of them: launchers, containers, progress bars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from topoviz.importers.evidence.text import clean

HEAD = re.compile(
    r"(?P<host>[A-Za-z0-9][\w.-]*):(?P<pid>\d+):(?P<tid>\d+) \[(?P<device>\d+)\] "
    r"(?:NCCL (?P<info>INFO) |(?P<file>\S+:\d+) NCCL (?P<warn>WARN) )"
)


@dataclass(frozen=True, slots=True)
class Record:
    """One message: who wrote it, on which line of the file, and what it says."""

    line: int
    host: str
    thread: str  # host, process and thread: one rank of one communicator at a time
    device: int
    warning: bool
    text: str


def records(text: str) -> Iterator[Record]:
    r"""Yield the messages of a log in their order; several may stand on one line.

    >>> [one.text for one in records("0: [default0]:c1:5:6 [0] NCCL INFO Channel 00/01 : 0 1")]
    ['Channel 00/01 : 0 1']
    """
    for at, line in enumerate(clean(text).split("\n"), 1):
        for piece in line.split("\r"):
            heads = list(HEAD.finditer(piece))
            for number, head in enumerate(heads):
                end = heads[number + 1].start() if number + 1 < len(heads) else len(piece)
                yield Record(
                    line=at,
                    host=head["host"],
                    thread=f"{head['host']}:{head['pid']}:{head['tid']}",
                    device=int(head["device"]),
                    warning=bool(head["warn"]),
                    text=piece[head.end() : end].rstrip(),
                )
