"""nccl-tests: all_reduce_perf and its sisters, a line for each size, or the file that ``-J`` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from topoviz.importers.evidence.text import clean, wrong
from topoviz.marks import Source
from topoviz.measuring import nccl_json
from topoviz.measuring.runs import Device, Point, Run, Sweep

DEVICE = re.compile(
    r"^#\s*Rank\s+(\d+)\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+(\d+)(?:\s+\[[^\]]*\]\s*(.*\S))?"
)
NAMED = re.compile(r"\b(all_reduce|all_gather|reduce_scatter|alltoall|broadcast|reduce|sendrecv)_perf\b")
HEAD = re.compile(r"^#\s+size\s+count\s+type")
ROW = re.compile(r"^\s*\d+\s+\d+\s+[a-z]\w*\s")
TIMESTAMP = re.compile(r"\s+\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\s*$")
ITERATIONS = 4  # columns about single iterations behind each of the two
COLUMNS = 4  # time, algbw, busbw, number of wrong values: out of place, then in place
COLLECTIVES = {
    "all_reduce": "all-reduce", "all_gather": "all-gather", "reduce_scatter": "reduce-scatter",
    "alltoall": "all-to-all", "broadcast": "broadcast", "reduce": "reduce", "sendrecv": "send",
}  # fmt: skip
LARGE = 1 << 20  # bytes; of smaller sizes the printed rates have too few digits to tell a factor


def recognises(text: str) -> float:
    """Return how surely a text is the output of nccl-tests."""
    if nccl_json.is_report(text):
        return 0.9
    if HEAD.search("\n".join(line for line in text.split("\n") if line.startswith("#"))) or "busbw" in text:
        return 0.9 if "algbw" in text else 0.0
    return 0.0


def read(source: Source) -> Run:
    """Return the collectives of a run with their sizes.

    Raises:
        SpecError: there is no line with numbers, or nothing says which collective it was.
    """
    if nccl_json.is_report(source.text):
        found = nccl_json.read(source)
        program = NAMED.search(found.program)
        sweep = _sweep(source, program[1] if program else "", found.devices, found.points)
        return Run(tool="nccl-tests", path=source.path, names=_names(found.devices), sweeps=(sweep,))
    return _printed(source)


def _printed(source: Source) -> Run:
    """Return what a run printed. Raises SpecError."""
    lines = clean(source.text).split("\n")
    sweeps = tuple(_sweeps(source, lines))
    if not sweeps:
        hint = "all_reduce_perf -b 8 -e 8G -f 2 -g 8 prints a line for each size"
        raise wrong(source, None, "the file has no line with a size and its rates", hint=hint, code="no-measurements")
    names = tuple(dict.fromkeys(found[4] for line in lines if (found := DEVICE.match(line)) and found[4]))
    return Run(tool="nccl-tests", path=source.path, names=names, sweeps=sweeps)


def _names(devices: Sequence[Device]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in devices if one.name))


def _sweeps(source: Source, lines: Sequence[str]) -> Iterator[Sweep]:
    """Yield one sweep for each head; what stands before it says who took part."""
    name, devices, points, columns = "", dict[int, Device](), list[Point](), COLUMNS
    for number, line in enumerate(lines, start=1):
        found = NAMED.search(line)
        if (found or HEAD.match(line)) and points:
            yield _sweep(source, name, [devices[rank] for rank in sorted(devices)], points)
            points = []
        name = found[1] if found else name
        if HEAD.match(line):
            columns = COLUMNS + ITERATIONS if "i_min" in line else COLUMNS
        device = DEVICE.match(line)
        if device:
            devices = {} if device[1] == "0" else devices
            devices[int(device[1])] = Device(host=device[2], number=int(device[3]), name=device[4] or "")
        if ROW.match(line):
            points.append(_point(source, line, number, columns))
    if points:
        yield _sweep(source, name, [devices[rank] for rank in sorted(devices)], points)


def _point(source: Source, line: str, number: int, columns: int) -> Point:
    """Return the numbers of a line, those of the faster of out of place and in place. Raises SpecError."""
    words = TIMESTAMP.sub("", line).split()
    tail = words[-2 * columns :]
    try:
        ways = [[float(word) for word in tail[i : i + 3]] for i in (0, columns)]
    except ValueError:
        ways = []
    if len(words) < 3 + 2 * columns or not ways:
        said = "here must be time, algbw and busbw twice, out of place and in place"
        raise wrong(source, number, said, hint="the line may be cut or wrapped", code="cut-line")
    wrongs = [tail[i] for i in (3, columns + 3)]
    micro, algbw, busbw = max(ways, key=lambda way: way[2])
    checked = [int(float(word)) for word in wrongs if word != "N/A"]
    return Point(
        size=int(words[0]), seconds=micro / 1e6, algbw=algbw, busbw=busbw,
        wrong=sum(checked) if checked else None, line=number,
    )  # fmt: skip


def _sweep(source: Source, name: str, ranks: Sequence[Device], points: Sequence[Point]) -> Sweep:
    collective = COLLECTIVES.get(name) or _by_factor(points, len(ranks))
    if not collective:
        hint = "keep the command (all_reduce_perf …) in the file"
        said = "nothing says which collective this is"
        raise wrong(source, points[0].line, said, hint=hint, code="which-collective")
    return Sweep(
        collective=collective,
        points=tuple(points),
        hosts=tuple(one.host for one in ranks),
        devices=tuple(one.number for one in ranks),
    )


def _by_factor(points: Sequence[Point], ranks: int) -> str:
    """Return the collective that busbw ÷ algbw tells: 2(n-1)/n is an all-reduce; others share their factors."""
    known = [one.busbw / one.algbw for one in points if one.size >= LARGE and one.algbw > 0]
    if not known or ranks < 3:
        return ""
    factor = sorted(known)[len(known) // 2]
    return "all-reduce" if abs(factor - 2 * (ranks - 1) / ranks) < 0.02 else ""
