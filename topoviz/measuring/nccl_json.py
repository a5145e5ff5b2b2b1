"""The file that nccl-tests writes with ``-J``: what it was called with, the devices, and a record for each size.

Its strings are those of nccl-tests' ``util.cu`` (file version 2): ``config.devices`` has one entry for
each process, which stands for ``nthreads`` × ``ngpus`` ranks; ``out_of_place`` is null where it was not run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoviz.errors import SpecError
from topoviz.importers.evidence.text import wrong
from topoviz.marks import Source
from topoviz.measuring.runs import Device, Point

WAYS = ("out_of_place", "in_place")
NEAR = 40  # characters shown of the place where a file is damaged
KEYS = ('"alg_bw"', '"bus_bw"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The program that was called, the device of each rank, and the rates at each size."""

    program: str
    devices: tuple[Device, ...]
    points: tuple[Point, ...]


def is_report(text: str) -> bool:
    """Return whether a text is such a file, even if it is cut."""
    start = text[:2000].lstrip("\ufeff \t\r\n")
    named = '"nccl_version"' in text or '"start_time"' in start
    return start.startswith("{") and (named or all(key in text for key in KEYS))


def read(source: Source) -> Report:
    """Return what a file holds. Raises SpecError for one that is cut, or where a record lacks a number."""
    try:
        data = json.loads(source.text.lstrip("\ufeff"))
    except json.JSONDecodeError as problem:
        raise _damaged(source, problem) from None
    except RecursionError:
        raise wrong(source, 1, "the file nests too deep to be of nccl-tests", code="cut-json") from None
    results = data.get("results") if isinstance(data, dict) else None
    if not isinstance(results, list) or not results:
        hint = (
            "the run may have ended before its first size; all_reduce_perf -b 8 -e 8G -f 2 -g 8 -J out.json writes one"
        )
        raise wrong(source, None, "the file has no results", hint=hint, code="no-measurements")
    args = data.get("args")
    program = str(args[0]) if isinstance(args, list) and args else ""
    points = tuple(_point(source, one, at) for at, one in enumerate(results))
    return Report(program=program, devices=tuple(_devices(source, data.get("config"))), points=points)


def _damaged(source: Source, problem: json.JSONDecodeError) -> SpecError:
    near = " ".join(source.text[max(0, problem.pos - NEAR) : problem.pos].split())
    at = f"character {problem.pos + 1:,}" + (f", after '…{near}'" if near else "")
    said = f"the JSON is damaged at {at}: {problem.msg[:1].lower()}{problem.msg[1:]}"
    hint = "the run may have been ended before it closed the file; the text that it printed can be read instead"
    return wrong(source, min(problem.lineno, source.text.count("\n") + 1), said, hint=hint, code="cut-json")


def _point(source: Source, record: Any, at: int) -> Point:
    """Return the numbers of a record, those of the faster of out of place and in place. Raises SpecError."""
    one = record if isinstance(record, Mapping) else {}
    ways = [way for name in WAYS if isinstance(way := one.get(name), Mapping)]
    if not ways:
        said = f"results[{at}] has neither out_of_place nor in_place"
        raise wrong(source, None, said, hint="it was written by another version, or edited", code="cut-record")
    rates = [(_rate(source, way, at, "alg_bw"), _rate(source, way, at, "bus_bw"), way) for way in ways]
    algbw, busbw, way = max(rates, key=lambda rate: rate[1])
    micro = _rate(source, way, at, "time" if "time" in way else "cpu_time")
    checked = [int(_rate(source, one, at, "nwrong")) for one in ways if one.get("nwrong") is not None]
    return Point(
        size=int(_rate(source, one, at, "size")), seconds=micro / 1e6, algbw=algbw, busbw=busbw,
        wrong=sum(checked) if checked else None, line=1,
    )  # fmt: skip


def _rate(source: Source, record: Mapping[str, Any], at: int, key: str) -> float:
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
        said = f"results[{at}]: {key} is {json.dumps(value)} and should be a number"
        raise wrong(
            source, None, said, hint="the file may be edited, or the run failed at that size", code="cut-record"
        )
    return float(value)


def _devices(source: Source, config: Any) -> Iterator[Device]:
    """Yield the device of each rank: an entry is a process, and stands for all ranks of it."""
    said = config if isinstance(config, Mapping) else {}
    entries = said.get("devices")
    each = _whole(said.get("nthreads")) * _whole(said.get("ngpus"))
    listed: Sequence[Any] = entries if isinstance(entries, list) else ()
    known = [one for one in listed if isinstance(one, Mapping) and isinstance(one.get("device"), int)]
    if len(known) < len(listed):
        raise wrong(source, None, "an entry of config.devices has no number of a device", code="cut-record")
    for one in known:
        for step in range(each):
            yield Device(
                host=str(one.get("hostname", "")), number=one["device"] + step, name=str(one.get("device_info", ""))
            )


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 4096 else 1
