"""A matrix of devices as ``nvidia-smi`` prints it: a header of names, a row for each, some columns after them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from topoviz.importers.evidence.text import Told, clean, wrong

DEVICE = r"(?:GPU|NIC)\d+|[A-Za-z][\w.-]*_?\d+"
HEADER = re.compile(r"(?<!\S)GPU\d+(?!\S)")
CODE = re.compile(r"NV\d+|PIX|PXB|PHB|NODE|SYS|SOC|X|OK|CNS|GNS|TNS|NS|DR|U")
GLUED = re.compile(r"(?:NV\d+|PIX|PXB|PHB|NODE|SYS|SOC){2,}")
PIECE = re.compile(r"NV\d+|PIX|PXB|PHB|NODE|SYS|SOC")
TAIL = re.compile(r"CPU Affinity|GPU NUMA ID|NUMA Affinity")
LEGEND = re.compile(r"(?:NIC )?Legend:")
HOST = re.compile(r"(?P<host>[A-Za-z0-9][\w.-]*):[ \t]?(?P<rest>.*)")


@dataclass(slots=True)
class Row:
    """One row: the codes in the order of the header, and what stands behind them by the name of its column."""

    line: int
    cells: list[str] = field(default_factory=list)
    tail: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Matrix:
    """One matrix of one host."""

    host: str
    header: int  # its line
    columns: list[str] = field(default_factory=list)
    tails: list[tuple[str, int]] = field(default_factory=list)  # names of the columns behind, and where they begin
    rows: dict[str, Row] = field(default_factory=dict)
    glued: list[int] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)  # codes nobody knows, with the line of the first

    def code(self, row: str, column: str) -> str:
        """Return the cell of a pair, an empty text if its row is not there."""
        found = self.rows.get(row)
        return found.cells[self.columns.index(column)] if found else ""


def lines_by_host(text: str) -> dict[str, list[tuple[int, str]]]:
    r"""Return numbered lines by the host in front of them; one nameless host if there are no prefixes.

    >>> lines_by_host("a: \tGPU0\nb: \tGPU0\na: GPU0\tX").keys()
    dict_keys(['a', 'b'])
    """
    numbered = [(at, plain(line)) for at, line in enumerate(clean(text).split("\n"), 1)]
    split = [(at, HOST.fullmatch(line)) for at, line in numbered]
    hosts = {match["host"]: None for _, match in split if match and header_of(match["rest"])}
    if not hosts:
        return {"": numbered}
    found: dict[str, list[tuple[int, str]]] = {host: [] for host in hosts}
    for at, match in split:
        if match and match["host"] in found:
            found[match["host"]].append((at, match["rest"]))
    return found


def plain(line: str) -> str:
    r"""Return a line without quoting of mails and with tabs for the pipes of a Markdown table.

    >>> plain("| GPU0 | X |"), plain("> GPU0\tX")
    ('GPU0\tX', 'GPU0\tX')
    """
    line = re.sub(r"^(?:> ?)+", "", line)
    if line.lstrip().startswith("|"):
        return "\t".join(cell.strip() for cell in line.strip().strip("|").split("|"))
    return line


def header_of(line: str) -> list[str]:
    r"""Return the devices of a header line; empty for any other line.

    >>> header_of("ops@gpu-01:~$ nvidia-smi topo -m   GPU0    GPU1    CPU Affinity")
    ['GPU0', 'GPU1']
    >>> header_of("GPU0\t X \tNV4")
    []
    """
    first = HEADER.search(line)
    if first is None:
        return []
    behind = TAIL.search(line, first.start())
    names = line[first.start() : behind.start() if behind else len(line)].split()
    return names if all(re.fullmatch(DEVICE, name) and not CODE.fullmatch(name) for name in names) else []


def matrices(told: Told, text: str) -> list[Matrix]:
    """Return the matrices of a text, one for each host. Raises SpecError."""
    found = [_one(told, host, lines) for host, lines in lines_by_host(text).items()]
    return [matrix for matrix in found if matrix is not None]


def _one(told: Told, host: str, lines: Sequence[tuple[int, str]]) -> Matrix | None:
    matrix: Matrix | None = None
    for at, names, whole in _logical(told, lines):
        if names:
            if matrix is not None and matrix.rows:
                first = f"the first begins on line {matrix.header}"
                raise wrong(
                    told.source,
                    at,
                    "a second matrix begins here",
                    hint=f"{first}; one file holds one machine",
                    code="smi-two-matrices",
                )
            matrix = _headed(host, at, names, whole)
        elif matrix is not None:
            _take(told, matrix, at, whole)
    return matrix


def _headed(host: str, at: int, names: list[str], line: str) -> Matrix:
    tails = [(found.group(), found.start()) for found in TAIL.finditer(line)]
    return Matrix(host=host, header=at, columns=names, tails=tails)


def _logical(told: Told, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[str], str]]:
    """Yield header and rows; a line that a terminal folded is put together again."""
    current: tuple[int, list[str], str] | None = None
    for at, line in lines:
        legend = LEGEND.search(line)
        if legend and not line[: legend.start()].strip():
            break
        names = header_of(line)
        if current and _rest_of_header(current, line):
            current = (current[0], current[1] + TAIL.sub("", line).split(), f"{current[2]} {line.strip()}")
            continue
        if current and _continues(current, line):
            current = (current[0], current[1], f"{current[2]} {line.strip()}")
            continue
        if current:
            yield current
        current = (at, names, line) if names or line.strip() else None
        if legend:
            kept = line[: legend.start()].rstrip()
            told.warn("smi-trailing-text", f"text after the last column on line {at} ignored", at, word=legend.group())
            current = (at, names, kept)
            break
    if current:
        yield current


def _rest_of_header(current: tuple[int, list[str], str], line: str) -> bool:
    """Return whether a line holds nothing but further names, as the rest of a folded header does."""
    words = TAIL.sub("", line).split()
    new = all(re.fullmatch(DEVICE, word) and not CODE.fullmatch(word) and word not in current[1] for word in words)
    return bool(current[1]) and bool(line.strip()) and new and not LEGEND.search(line)


def _continues(current: tuple[int, list[str], str], line: str) -> bool:
    """Return whether a line begins with a code or with CPUs, as the rest of a folded row does."""
    words = line.split()
    if not words or current[1] or "=" in line or not line[0].isspace():
        return False
    return bool(CODE.fullmatch(words[0]) or GLUED.fullmatch(words[0]) or re.fullmatch(r"[\d,-]+", words[0]))


def _take(told: Told, matrix: Matrix, at: int, line: str) -> None:
    words = list(re.finditer(r"\S+", line))
    if not words:
        return
    name = words[0].group()
    if name not in matrix.columns:
        if len(words) > 1 and re.fullmatch(r"(?:GPU|NIC)\d+", name) and CODE.fullmatch(words[1].group()):
            raise wrong(
                told.source,
                at,
                f"row '{name}' has no column",
                hint=f"the header on line {matrix.header} has {', '.join(matrix.columns)}",
                code="smi-unknown-row",
                word=name,
            )
        return
    if name in matrix.rows:
        raise wrong(
            told.source,
            at,
            f"row '{name}' is there twice",
            hint=f"first on line {matrix.rows[name].line}",
            code="smi-row-twice",
            word=name,
        )
    row = Row(line=at)
    end = words[0].end()
    glued = False
    for word in words[1:]:
        if len(row.cells) >= len(matrix.columns):
            break
        pieces = _pieces(word.group())
        if not pieces:
            if not re.fullmatch(r"[\d,-]+|N/A", word.group()) and not _cut(word.group(), words):
                matrix.unknown.setdefault(word.group(), at)
                pieces = ["?"]
            else:
                break
        glued = glued or len(pieces) > 1
        row.cells += pieces
        end = word.end()
    _check_length(told, matrix, name, row, len(words) - 1)
    if glued:
        matrix.glued.append(at)
    row.tail = _tail(matrix, line, end)
    matrix.rows[name] = row


def _cut(word: str, words: Sequence[re.Match[str]]) -> bool:
    """Return whether a word is the beginning of a code at the end of a line, as where a text was cut off."""
    return word == words[-1].group() and any(
        code.startswith(word) for code in ("NV", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC")
    )


def _pieces(word: str) -> list[str]:
    if CODE.fullmatch(word):
        return [word]
    return PIECE.findall(word) if GLUED.fullmatch(word) else []


def _check_length(told: Told, matrix: Matrix, name: str, row: Row, given: int) -> None:
    wanted = len(matrix.columns)
    if len(row.cells) == wanted:
        return
    shown = min(max(given, len(row.cells)), wanted) if len(row.cells) < wanted else len(row.cells)
    shown = shown if shown != wanted else len(row.cells)
    message = f"row {name} has {shown} of {wanted} cells"
    raise wrong(
        told.source,
        row.line,
        message,
        hint="the text looks cut off; paste the whole output",
        code="smi-short-row",
        word=name,
    )


def _tail(matrix: Matrix, line: str, end: int) -> dict[str, str]:
    """Return what stands behind the codes, by column: by tabs if there are any, else by where the columns begin."""
    names = [name for name, _ in matrix.tails]
    rest = line[end:]
    if not names:
        return {}
    if "\t" in rest:
        cells = [cell.strip() for cell in rest.lstrip(" ").removeprefix("\t").split("\t")]
        return dict(zip(names, [cells[0], *[cell for cell in cells[1:] if cell]], strict=False))
    words = rest.split()
    if len(words) == len(names):
        return dict(zip(names, words, strict=True))
    found: dict[str, str] = {}
    for word in re.finditer(r"\S+", rest):
        before = [name for name, at in matrix.tails if at <= end + word.start() + 2]
        if before:
            found.setdefault(before[-1], word.group())
    return found
