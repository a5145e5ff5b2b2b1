"""Which GPUs of a machine talk fastest with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from math import comb
from typing import TypeAlias

from topoviz.collectives.network import SCALE_UP, gpus
from topoviz.collectives.order import in_box
from topoviz.errors import PlanError
from topoviz.jobs.machine import Machine
from topoviz.model.topology import Topology

Rate: TypeAlias = Callable[[Sequence[str]], float | None]
MOST = 20_000  # choices that are ranked by their links
PLANNED = 16  # of the best by their links so many are planned in full
HOST = 16  # GPUs of a host, at most


def best(topology: Topology, number: int, rate: Rate) -> tuple[str, ...]:
    """Return the ids of so many GPUs that talk fastest, by ``rate``, which gives the bandwidth of some of them.

    They stand in one scale-up domain if there is one so large, else in one host; of equally fast
    ones the first. More than any domain holds take whole domains, the first ones.

    >>> import topoviz as tv
    >>> machine = tv.load("dgx-1v")
    >>> best(machine, 2, lambda names: tv.plan(machine, ranks=names).bandwidth)
    ('gpu0', 'gpu3')

    Raises:
        PlanError: there are not so many GPUs, or fewer than two are asked for.
    """
    names = gpus(topology)
    if number < 2 or number > len(names):
        raise PlanError(f"the best {number} of {len(names)} GPUs cannot be chosen: 2 to {len(names)} can")
    machine = Machine(topology=topology, things=tuple(topology.thing(name) for name in names))
    domains: dict[int, list[str]] = {}
    for name, domain in zip(names, machine.domains, strict=True):
        domains.setdefault(domain, []).append(name)
    found = next((members for members in domains.values() if len(members) >= number), None)
    if found is None:
        return _several(machine, list(domains.values()), number, rate)
    if len(found) == number or _on_switches(machine, found):
        return tuple(found[:number])
    return _fastest(_by_links(machine, found, number), rate)


def _several(machine: Machine, domains: Sequence[Sequence[str]], number: int, rate: Rate) -> tuple[str, ...]:
    """Return whole domains, or of GPUs without a domain those that are neighbours in the host tree."""
    if max(len(members) for members in domains) > 1 or len(domains) > HOST:
        largest = sorted(domains, key=lambda members: -len(members))
        return tuple(islice((name for members in largest for name in members), number))
    everyone = [name for members in domains for name in members]
    row = in_box(machine.net(machine.topology.root), everyone)
    windows = (tuple(row[i : i + number]) for i in range(len(row) - number + 1))
    return _fastest(sorted(windows), rate)


def _on_switches(machine: Machine, members: Sequence[str]) -> bool:
    """Return whether all are equally far from each other, for each hangs on the same switch chips."""
    links = (machine.topology.links_at(name) for name in members)
    return not any(
        link.kind in SCALE_UP and {link.source, link.target} <= set(members) for some in links for link in some
    )


def _by_links(machine: Machine, members: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Return the choices whose weakest member has most bandwidth to the others, the best ones."""
    wide: dict[tuple[str, str], float] = {}
    for name in members:
        for link in machine.topology.links_at(name):
            if link.kind in SCALE_UP and link.state != "down":
                wide[link.source, link.target] = wide[link.target, link.source] = link.bandwidth or 0.0

    if len(wide) == len(members) * (len(members) - 1) and len(set(wide.values())) == 1:
        return [tuple(members[:number])]  # everybody is equally near to everybody

    def weakest(choice: tuple[str, ...]) -> float:
        return min(sum(wide.get((a, b), 0.0) for b in choice) for a in choice)

    choices = _choices(members, number)
    return sorted(choices, key=weakest, reverse=True)[:PLANNED]


def _choices(members: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
    if comb(len(members), number) <= MOST:
        return combinations(members, number)
    return (tuple(members[i : i + number]) for i in range(len(members) - number + 1))


def _fastest(choices: Sequence[tuple[str, ...]], rate: Rate) -> tuple[str, ...]:
    """Return the fastest choice, of equally fast ones the first."""
    rates = [_known(choice, rate) for choice in choices]
    return choices[rates.index(max(rates))]


def _known(choice: Sequence[str], rate: Rate) -> float:
    try:
        return rate(choice) or 0.0
    except PlanError:
        return -1.0
