"""Changes that take away or mark a fault, after everything is wired: absent, state, fewer or slower links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from topoviz.model.copies import Copier, Edit, with_children
from topoviz.model.ends import Finder
from topoviz.model.exchange import exchanges
from topoviz.model.parts import Layer
from topoviz.model.place import Recipe
from topoviz.model.report import Report
from topoviz.model.source import Value
from topoviz.model.spec import Change
from topoviz.model.topology import Assembly, Child, Link, Thing


def takes_away(change: Change) -> bool:
    """Return whether a change takes away or marks a fault."""
    return bool(
        change.link or (change.at and (change.absent or change.state or (change.note and not exchanges(change))))
    )


@dataclass(slots=True, kw_only=True)
class Taker:
    """Applies the changes of each assembly that take away, those inside first."""

    finder: Finder
    recipes: dict[Assembly, Recipe]
    report: Report
    known: dict[Assembly, Assembly] = field(default_factory=dict)

    def take(self, assembly: Assembly) -> Assembly:
        """Return an assembly after all taking away."""
        if assembly not in self.known:
            inner = {child: self.take(child) for child, _ in assembly.variety}
            same = all(before is after for before, after in inner.items())
            children = tuple(replace(child, assembly=inner[child.assembly]) for child in assembly.children)
            after = assembly if same else with_children(assembly, children)
            recipe = self.recipes.get(assembly)
            for layer in recipe.layers if recipe else ():
                for change in layer.body.changes:
                    after = self._one(assembly, after, change, layer) if takes_away(change) else after
            self.known[assembly] = after
        return self.known[assembly]

    def _one(self, before: Assembly, after: Assembly, change: Change, layer: Layer) -> Assembly:
        if change.link:
            return self._link(before, after, change, layer)
        found = self.finder.inner(before, change.at, change.origin.get("at") or change.origin)
        paths = tuple(path for path in found if after.at(path) is not None)
        return Copier(edit=_fault(change), recipes=self.recipes).edited(after, paths) if paths else after

    def _link(self, before: Assembly, after: Assembly, change: Change, layer: Layer) -> Assembly:
        texts = change.link or ("", "")
        sides = [self.finder.ends(before, (text,), value) for text, value in _written(change)]
        fewer = Fewer(change=change, layer=layer, report=self.report)
        for one in sides[0]:
            for other in sides[1]:
                after = fewer.between(after, "", (one, other))
        if all(sides) and not fewer.hit:
            kind = f"{change.kind} " if change.kind else ""
            message = f"there is no {kind}link between {texts[0]} and {texts[1]}"
            self.report.error(change.origin.mark_of("link"), message, code="no-such-link")
        return after


def _written(change: Change) -> Iterable[tuple[str, Value]]:
    """Yield the texts of a change that are selectors, each with its place."""
    value = change.origin.get("link" if change.link else "at") or change.origin
    texts = change.link or change.at
    parts: Sequence[Value] = value.parts()
    yield from zip(texts, parts if len(parts) == len(texts) else [value] * len(texts), strict=True)


def _fault(change: Change) -> Edit:
    def edit(child: Child) -> Child | None:
        if change.absent:
            return None
        state = change.state or child.state
        return replace(child, state=state, note=change.note or child.note, changed=child.changed or state != "up")

    return edit


@dataclass(slots=True, kw_only=True)
class Fewer:
    """Changes the links between two things or anything inside them; ``hit`` says whether there were any."""

    change: Change
    layer: Layer
    report: Report
    hit: bool = False

    def between(self, assembly: Assembly, prefix: str, pair: tuple[Thing, Thing]) -> Assembly:
        """Return the assembly with the links between two things changed, on every level that holds both."""
        one, other = (thing.id[len(prefix) :] for thing in pair)
        links = [after for link in assembly.links for after in self._after(link, one, other)]
        copy = replace(assembly, links=tuple(links)) if links != list(assembly.links) else assembly
        name = one.partition("/")[0]
        if "/" not in one or "/" not in other or other.partition("/")[0] != name:
            return copy
        place = copy.places[name]
        child = copy.children[place]
        inner = self.between(child.assembly, f"{prefix}{name}/", pair)
        if inner is child.assembly:
            return copy
        children = (*copy.children[:place], replace(child, assembly=inner), *copy.children[place + 1 :])
        return replace(copy, children=children)

    def _after(self, link: Link, one: str, other: str) -> tuple[Link, ...]:
        kind = self.change.kind
        joins = (_in(link.source, one) and _in(link.target, other)) or (
            _in(link.source, other) and _in(link.target, one)
        )
        if not joins or (kind and link.kind != kind):
            return (link,)
        self.hit = True
        number = self.layer.number(self.change.links, link.links)
        self._check(link, number)
        return () if self.change.absent or number == 0 else (self._weaker(link, number),)

    def _weaker(self, link: Link, number: int) -> Link:
        change, rate = self.change, self.change.rate
        line, nccl, name = _each(link.bandwidth, link), _each(link.nccl, link), link.link
        if rate is not None:
            line, nccl, name = rate.line, rate.nccl, rate.link
        return replace(
            link,
            links=number,
            bandwidth=None if line is None else line * number,
            nccl=None if nccl is None else nccl * number,
            link=name,
            state=change.state or ("degraded" if number < link.links or rate is not None else link.state),
            note=change.note or link.note,
        )

    def _check(self, link: Link, number: int) -> None:
        """Note a change that would add."""
        rate, each, origin = self.change.rate, _each(link.bandwidth, link), self.change.origin
        if number > link.links:
            message = f"{number} links are more than the {link.links} between {link.source} and {link.target}"
            self.report.error(origin.mark_of("links"), message, "a change only takes away; what is added is a wire")
        if rate is not None and rate.line is not None and each is not None and rate.line > each:
            written = rate.written or rate.link or f"{rate.line:g} GB/s"
            message = f"{written} is more than the {each:g} GB/s that this link has"
            self.report.error(origin.mark_of("bandwidth"), message, "a change only takes away")


def _each(rate: float | None, link: Link) -> float | None:
    return None if rate is None else rate / link.links


def _in(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}/")


def check(assemblies: Iterable[Assembly], recipes: Mapping[Assembly, Recipe], finder: Finder) -> None:
    """Note changes whose things do not exist; those that switches of a fabric may still fulfil are left for later."""
    for assembly in assemblies:
        recipe = recipes.get(assembly)
        for layer in recipe.layers if recipe else ():
            for change in layer.body.changes:
                for text, value in _written(change) if takes_away(change) else ():
                    finder.ends(assembly, (text,), value, fabrics_to_come=True)
