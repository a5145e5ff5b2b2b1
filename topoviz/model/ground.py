"""What a lint rule is given, and the groups of equal things that most rules compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from topoviz.errors import Diagnostic
from topoviz.marks import Mark
from topoviz.model.names import first_to_last
from topoviz.model.sites import Site
from topoviz.model.topology import Child, Topology
from topoviz.model.where import excepted

SCALE_UP = frozenset({"nvlink", "xgmi", "ici", "neuronlink"})  # what joins GPUs into one domain
MOST_NAMES = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """A topology and its sites: each sort of thing that holds others, once."""

    topology: Topology
    sites: tuple[Site, ...]

    @cached_property
    def owners(self) -> tuple[Site, ...]:
        """Return one site for each type, whatever joins it from outside: its own links and slots are looked at once."""
        found: dict[object, Site] = {}
        for site in self.sites:
            known = found.setdefault(site.thing.assembly, site)
            if known is not site:
                found[site.thing.assembly] = replace(known, times=known.times + site.times)
        return tuple(found.values())

    @cached_property
    def _meant(self) -> frozenset[str]:
        return frozenset(name for site in self.sites for name in excepted(site.thing))

    def siblings(self, kinds: frozenset[str] = frozenset()) -> Iterator[tuple[Site, tuple[Child, ...]]]:
        """Yield the things of one group and part that stand side by side, two at least, of these kinds or of any.

        What is faulty, exchanged or has links that the document changes is left
        out: somebody has said that it is an exception.
        """
        for site in self.sites:
            groups: dict[Hashable, list[Child]] = {}
            for child in site.thing.assembly.children:
                odd = child.changed or child.state != "up" or path(site, child) in self._meant
                if not odd and (not kinds or child.assembly.kind in kinds):
                    groups.setdefault((child.group, child.assembly.kind, child.assembly.part), []).append(child)
            yield from ((site, tuple(group)) for group in groups.values() if len(group) > 1)


def path(site: Site, child: Child) -> str:
    """Return the id of a child of a site."""
    return f"{site.thing.id}/{child.name}" if site.thing.id else child.name


def named(names: Sequence[str]) -> str:
    """Return several names in a text: all if they are few, else the first, the last and how many.

    >>> named(["gpu0", "gpu1"]), named([f"gpu{i}" for i in range(8)])
    ('gpu0, gpu1', 'gpu0 … gpu7 (8)')
    """
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{first_to_last(names)} ({len(names)})"


def have(number: int) -> str:
    """Return the verb for so many things."""
    return "has" if number == 1 else "have"


def copies(site: Site) -> str:
    """Return in how many places it is so, for the end of a text; empty if in one."""
    return f" (so in all {site.times:,} of this sort)" if site.times > 1 else ""


def most(children: Sequence[Child], value: Callable[[Child], int]) -> int | None:
    """Return what more than half of the things have; None if no value has a majority."""
    number, times = Counter(value(child) for child in children).most_common(1)[0]
    return number if 2 * times > len(children) else None


def warning(code: str, mark: Mark | None, message: str, hint: str, *, severity: str = "warning") -> Diagnostic:
    """Return a finding of a rule; its code is the name of the rule."""
    return Diagnostic(message=message, mark=mark, hint=hint, severity=severity, code=code)
