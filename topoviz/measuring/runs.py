"""What a tool has measured, before anything is held against it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One number of a table, GB/s, with the line on which it stands; rows and columns count devices from 0."""

    row: int
    column: int
    value: float
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of copies: ``source`` and ``target`` are gpu or cpu, and ``flow`` says who sends.

    ``flow`` is ``column`` or ``row``, whichever the data come from; ``both`` means that a number
    is the sum of two copies that run against each other.
    """

    name: str
    row_kind: str
    column_kind: str
    flow: str
    both: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A collective at one size: bytes, seconds, GB/s; ``wrong`` values that came out wrong, None if not checked."""

    size: int
    seconds: float
    algbw: float
    busbw: float
    wrong: int | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """Where a rank ran: its host, the number of the GPU there, and what the tool calls that GPU (empty if nothing)."""

    host: str
    number: int
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A collective over growing sizes. ``hosts`` names the host of each rank, ``devices`` its device there."""

    collective: str
    points: tuple[Point, ...]
    hosts: tuple[str, ...] = ()
    devices: tuple[int, ...] = ()

    @property
    def ranks(self) -> int:
        return len(self.devices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything that one file holds, of the tool of that name."""

    tool: str
    path: str
    names: tuple[str, ...] = ()  # what the tool calls the GPUs, each once
    tables: tuple[Table, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
