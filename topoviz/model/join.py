"""Wiring: each distinct assembly gets its links once, the inner ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark
from topoviz.model import ports
from topoviz.model.ends import Finder
from topoviz.model.fabric import Made, generate
from topoviz.model.hints import instead_of_all
from topoviz.model.parts import Layer
from topoviz.model.place import Places
from topoviz.model.report import Report
from topoviz.model.selectors import fits
from topoviz.model.source import Value
from topoviz.model.spec import Fabric, Rate, Wire
from topoviz.model.spelling import nearest
from topoviz.model.sums import added
from topoviz.model.topology import Assembly, Link, Thing
from topoviz.model.wiring import MEANT, RULES, Ends, Misfit, paired

MOST_LINKS = 20_000_000


@dataclass(slots=True, kw_only=True)
class Wirer:
    """Wires assemblies, remembers each, and what ports its own links take."""

    places: Places
    finder: Finder
    report: Report
    wired: dict[Assembly, Assembly] = field(default_factory=dict)
    used: dict[Assembly, Mapping[tuple[str, str], int]] = field(default_factory=dict)
    rates: dict[str, Rate] = field(default_factory=dict)

    def wire(self, assembly: Assembly) -> Assembly:
        """Return the assembly with all links, inside too."""
        if assembly not in self.wired:
            inner = {child: self.wire(child) for child, _ in assembly.variety}
            same = all(before is after for before, after in inner.items())
            children = (
                assembly.children if same else tuple(replace(c, assembly=inner[c.assembly]) for c in assembly.children)
            )
            recipe = self.places.recipes.get(assembly)
            busy = recipe is not None and any(layer.body.wires or layer.body.fabric for layer in recipe.layers)
            after = (
                assembly
                if same and not busy
                else self._join(assembly, replace(assembly, children=children), recipe.layers if recipe else ())
            )
            if recipe is not None:
                self.places.recipes[after] = recipe
            self.wired[assembly] = after
        return self.wired[assembly]

    def _join(self, before: Assembly, after: Assembly, layers: tuple[Layer, ...]) -> Assembly:
        budget = ports.Budget(top=after, inside=self.used, report=self.report)
        start = after if self.finder.makes_switches(before) else before
        links = Links(budget=budget)
        for layer in layers:
            for wire in layer.body.wires:
                self._wire(start, wire, layer, links)
        for layer in layers:
            for fabric in layer.body.fabric:
                made = self._fabric(after, fabric, layer, links)
                after = replace(after, children=(*after.children, *made.children)) if made else after
                budget.top = after
        joined = replace(after, links=tuple(_counted(link, after) for link in links.found.values()))
        self.used[joined] = budget.used
        return joined

    def _wire(self, start: Assembly, wire: Wire, layer: Layer, links: Links) -> None:
        found = self._ends(start, wire, layer)
        if found is None or not self._rate_fits(found, wire):
            return
        sides = (("from", found.sources), ("to" if wire.target is not None else "from", found.targets))
        fit = [ports.check_port(things, wire.kind, wire.origin.mark_of(key), self.report) for key, things in sides]
        if not all(fit):
            return
        _check_limit(found, wire)
        try:
            pairs = tuple(paired(wire.rule, found))
        except Misfit as misfit:
            self.report.error(_at(wire.origin, misfit), misfit.message, misfit.hint, "rule-does-not-fit")
            return
        lanes = Lanes(kind=wire.kind, rate=wire.rate, rates=self.rates)
        links.add(lanes.link(found.sources[a], found.targets[b], number) for a, b, number in pairs)
        hint = partial(instead_of_all, found, wire, self.places.shelf.catalog)
        mark = wire.origin.mark_of("links")
        links.budget.check(found.sources, wire.kind, mark, hint)
        if wire.target is not None:
            links.budget.check(found.targets, wire.kind, mark, hint)

    def _ends(self, start: Assembly, wire: Wire, layer: Layer) -> Ends | None:
        errors = len(self.report.found)
        sources = self.finder.ends(start, wire.source, wire.origin.get("from") or wire.origin)
        to = wire.origin.get("to") or wire.origin
        targets = sources if wire.target is None else self.finder.ends(start, wire.target, to)
        without = self._without(start, wire)
        if wire.rule != "rail":  # there an end that gets nothing keeps its number
            sources = tuple(thing for thing in sources if thing.id not in without)
            targets = tuple(thing for thing in targets if thing.id not in without)
        if len(self.report.found) > errors or not sources or not targets:
            return None
        return Ends(
            sources=sources,
            targets=targets,
            source=wire.source,
            target=wire.target,
            links=tuple(layer.number(number) for number in wire.links),
            shape=wire.shape,
            matrix=wire.matrix,
            owners=owners(sources, wire.source) if wire.rule == "rail" else None,
            without=without,
        )

    def _without(self, start: Assembly, wire: Wire) -> frozenset[str]:
        value = wire.origin.get("except") or wire.origin
        return (
            frozenset(thing.id for thing in self.finder.ends(start, wire.exclude, value))
            if wire.exclude
            else frozenset()
        )

    def _rate_fits(self, ends: Ends, wire: Wire) -> bool:
        """Return whether a wire only lowers what the ports give."""
        if wire.rate is None or wire.rate.line is None:
            return True
        given = ports.lane(ends.sources[0].assembly, ends.targets[0].assembly, wire.kind)
        if given.line is None or wire.rate.line <= given.line * 1.0001:
            return True
        rate = Rate(line=given.line, link=given.link)
        bits = abs(wire.rate.line / 8 - given.line) < 1e-9
        instead = f"did you mean {wire.rate.line:g} Gb/s? The" if bits else "the"
        written = wire.rate.written or f"{wire.rate.line:g} GB/s"
        message = f"{written} is more than the ports give: {ports.said_rate(rate)}"
        self.report.error(
            wire.origin.mark_of("bandwidth"),
            message,
            f"{instead} ports already say so; leave bandwidth out",
            "too-fast",
        )
        return False

    def _fabric(self, after: Assembly, fabric: Fabric, layer: Layer, links: Links) -> Made | None:
        ends = self.finder.ends(after, fabric.join, fabric.origin.get("join") or fabric.origin)
        if not ends:
            return None
        made = generate(after, fabric, layer, ends, self.places, self.finder, self.report)
        if made is None:
            return None
        links.budget.top = replace(after, children=(*after.children, *made.children))
        lanes = Lanes(kind=fabric.kind, rate=None, rates=self.rates)
        links.add(lanes.link(a, b, number) for a, b, number in made.pairs)
        links.budget.check(ends, fabric.kind, fabric.origin.mark_of("join"))
        links.budget.check(made.things, fabric.kind, fabric.origin.mark)
        return made


@dataclass(slots=True, kw_only=True)
class Lanes:
    """Makes links of one kind; what one carries is looked up once for each pair of types."""

    kind: str
    rate: Rate | None
    rates: dict[str, Rate]
    known: dict[tuple[Assembly, Assembly], ports.Lane] = field(default_factory=dict)

    def link(self, one: Thing, other: Thing, number: int) -> Link:
        """Return so many links between two things."""
        key = (one.assembly, other.assembly)
        if key not in self.known:
            lane = ports.lane(*key, self.kind, self.rate)
            self.known[key] = lane
            if lane.link:
                self.rates.setdefault(lane.link, Rate(line=lane.line, nccl=lane.nccl, link=lane.link))
        return self.known[key].link_of(one.id, other.id, self.kind, number)


@dataclass(slots=True, kw_only=True)
class Links:
    """The links of one assembly, one for each pair and kind."""

    budget: ports.Budget
    found: dict[tuple[str, str, str], Link] = field(default_factory=dict)

    def add(self, links: Iterable[Link]) -> None:
        """Add links; those that meet on a pair and kind add up."""
        for link in links:
            self.budget.take(link)
            back = (link.target, link.source, link.kind)
            key = back if back in self.found else (link.source, link.target, link.kind)
            self.found[key] = added([self.found[key], link]) if key in self.found else link


def owners(things: Iterable[Thing], selector: tuple[str, ...]) -> dict[str, str]:
    """Return for each end its owner: what the selector without its last step finds above it.

    The owner is the nearest container that fits the step before the last; for a
    selector of one step it is the part that holds the wire.
    """
    last = [text.strip("/").split("/")[-2] if "/" in text.strip("/") else "" for text in selector]
    return {thing.id: _owner(thing, last) for thing in things}


def _owner(thing: Thing, steps: list[str]) -> str:
    here = thing.parent
    while here is not None and here.parent is not None:
        if any(step and fits(here, step) for step in steps):
            return here.id
        here = here.parent
    return ""


def _counted(link: Link, assembly: Assembly) -> Link:
    """Return the link with what NCCL counts between two CPUs."""
    if link.kind not in ports.BETWEEN_CPUS:
        return link
    one, other = assembly.at(link.source), assembly.at(link.target)
    return link if one is None or other is None else replace(link, nccl=ports.between_cpus(link, one, other))


def _at(origin: Value, misfit: Misfit) -> Mark:
    """Return where a rule that does not fit is to be pointed at."""
    if misfit.on_key:
        return origin.key_mark(misfit.key)
    value = origin.get(misfit.key) if misfit.key else None
    for index in misfit.path:
        value = value.parts()[index] if value is not None else None
    return value.mark if value is not None else origin.mark


def _check_limit(ends: Ends, wire: Wire) -> None:
    a, b = len(ends.sources), len(ends.targets)
    number = a * b if wire.rule in ("all", "matrix") else (a * a // 2 if wire.rule == "mesh" else max(a, b))
    if number > MOST_LINKS:
        raise too_many(number, wire.origin.mark)


def too_many(number: int, mark: Mark) -> SpecError:
    """Return the error for more links than can be built."""
    message = f"{number:,} links are more than topoviz builds: the limit is {MOST_LINKS:,}"
    return SpecError([Diagnostic(message=message, mark=mark, code="too-many-links")])


def check_rule(wire: Wire, report: Report) -> None:
    """Note a rule that does not exist."""
    if wire.rule not in RULES:
        near = nearest(wire.rule, RULES, MEANT)
        rules = f"Rules: {', '.join(RULES)}"
        report.error(
            wire.origin.mark_of("rule"),
            f"unknown rule '{wire.rule}'",
            f"did you mean '{near}'? {rules}" if near else rules,
            "unknown-rule",
        )


def occurrences(assembly: Assembly) -> Iterator[tuple[Assembly, int]]:
    """Yield each distinct assembly with links, itself included, and how often it occurs."""
    order: dict[Assembly, int] = {}

    def visit(here: Assembly, times: int) -> None:
        order[here] = order.get(here, 0) + times
        for inner, number in here.variety:
            visit(inner, times * number)

    visit(assembly, 1)
    yield from ((here, times) for here, times in order.items() if here.links)
