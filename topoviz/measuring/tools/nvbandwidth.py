"""nvbandwidth: tables of copies between GPUs, and between CPU and GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from topoviz.importers.evidence.text import clean, wrong
from topoviz.marks import Source
from topoviz.measuring.runs import Cell, Run, Table

BEGIN = re.compile(r"^Running (?P<name>\w+)\.?\s*$")
HEAD = re.compile(r"(?P<row>CPU|GPU)\s*\(row\)\s*(?P<arrow><->|<-|->)\s*(?P<column>CPU|GPU)\s*\(column\).*\(GB/s\)")
DEVICE = re.compile(r"^Device \d+: (.*\S?) \([0-9a-fA-F:.]+\)?.*$")
NUMBER = re.compile(r"^(?:\d+(?:\.\d+)?|N/A)$")
KINDS = {"CPU": "cpu", "GPU": "gpu"}
SUMMED = ("Total", "total")  # both directions of a copy that runs both ways, added


def recognises(text: str) -> float:
    """Return how surely a text is the output of nvbandwidth."""
    if "nvbandwidth" in text[:2000] and ("Running " in text or "testcases" in text):
        return 0.9
    return 0.8 if HEAD.search(text) else 0.0


def read(source: Source) -> Run:
    """Return the tables of copies.

    Raises:
        SpecError: there is no table, or one is cut.
    """
    lines = clean(source.text).split("\n")
    tables = tuple(_tables(source, lines))
    if not tables:
        hint = "nvbandwidth -t device_to_device_memcpy_read_ce prints one"
        raise wrong(source, None, "the file has no table of copies", hint=hint, code="no-measurements")
    names = tuple(dict.fromkeys(found[1] for line in lines if (found := DEVICE.match(line.strip()))))
    return Run(tool="nvbandwidth", path=source.path, names=names, tables=tables)


def _tables(source: Source, lines: Sequence[str]) -> Iterator[Table]:
    name = ""
    for at, line in enumerate(lines):
        begin = BEGIN.match(line.strip())
        name = begin["name"] if begin else name
        head = HEAD.search(line)
        if head is None:
            continue
        cells = tuple(_cells(source, lines, at + 1))
        both = head["arrow"] == "<->"
        yield Table(
            name=name or line.strip(),
            row_kind=KINDS[head["row"]],
            column_kind=KINDS[head["column"]],
            flow="column" if head["arrow"] == "<-" else "row",
            both=both and any(word in line for word in SUMMED),
            cells=cells,
        )


def _cells(source: Source, lines: Sequence[str], at: int) -> Iterator[Cell]:
    """Yield the numbers below a head: a line with the columns, then a line for each row. Raises SpecError."""
    columns = lines[at].split() if at < len(lines) else []
    if not columns or not all(word.isdecimal() for word in columns):
        raise wrong(source, at, "below this line the numbers of the columns are missing", code="cut-table")
    found = 0
    for number, line in enumerate(lines[at + 1 :], start=at + 2):
        words = line.split()
        if not words or not words[0].isdecimal() or not all(NUMBER.match(word) for word in words[1:]):
            break
        if len(words) - 1 != len(columns):
            said = f"this row has {len(words) - 1} numbers, and there are {len(columns)} columns"
            raise wrong(source, number, said, hint="the output may be cut or wrapped", code="cut-table")
        found += 1
        for column, word in zip(columns, words[1:], strict=True):
            if word != "N/A":
                yield Cell(row=int(words[0]), column=int(column), value=float(word), line=number)
    if not found:
        raise wrong(source, at + 1, "below this line the rows of the table are missing", code="cut-table")
