"""Exceptions and faults: exchanging things before they are wired, taking away afterwards.

Only what lies on the path of a change is copied; equal copies that change alike
stay one assembly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from topoviz.model.ends import Finder, itself
from topoviz.model.parts import Layer
from topoviz.model.place import Places, Recipe
from topoviz.model.report import Report
from topoviz.model.spec import Body, Change
from topoviz.model.topology import Assembly, Child, Link, Thing

Edit: TypeAlias = Callable[[Child], Child | None]
Paths: TypeAlias = tuple[str, ...]


def exchanges(change: Change) -> bool:
    """Return whether a change puts another thing in a place, before anything is wired."""
    return bool(change.at and (change.part or change.variant or change.arguments or change.mig or change.title))


def takes_away(change: Change) -> bool:
    """Return whether a change takes away or marks a fault, after all is wired."""
    return bool(change.link or (change.at and (change.absent or change.state or (change.note and not exchanges(change)))))


@dataclass(slots=True, kw_only=True)
class Exchanger:
    """Applies the exchanging changes of each new assembly."""

    finder: Finder
    report: Report
    bodies: dict[tuple[int, int], Body] = field(default_factory=dict)

    def __call__(self, assembly: Assembly, places: Places) -> Assembly:
        """Return the assembly with everything exchanged that its own bodies exchange."""
        for layer in places.recipes[assembly].layers:
            for change in layer.body.changes:
                if exchanges(change):
                    assembly = self._exchange(assembly, change, layer, places)
        return assembly

    def _exchange(self, assembly: Assembly, change: Change, layer: Layer, places: Places) -> Assembly:
        origin = change.origin.get("at") or change.origin
        things = self.finder.ends(assembly, change.at, origin, fabrics_to_come=False)
        paths = tuple(thing.id for thing in things if thing.id)
        if not paths:
            return assembly

        def edit(child: Child) -> Child:
            other = self._other(child.assembly, change, layer, places)
            return replace(child, assembly=other, title=change.title or child.title, note=change.note or child.note, changed=True)

        return edited(assembly, paths, edit, places.recipes, {})

    def _other(self, old: Assembly, change: Change, layer: Layer, places: Places) -> Assembly:
        """Return what stands there instead."""
        recipe = places.recipes.get(old)
        if not (change.part or change.variant or change.arguments or change.mig) or recipe is None:
            return old
        if change.part:
            body = self._body(change, recipe.body, Body(part=change.part, origin=change.origin))
            return places.place(Recipe(body=body, scope=layer.scope, numbers=layer.numbers, group=recipe.group, chain=recipe.chain))
        body = self._body(change, recipe.body, recipe.body)
        return places.place(replace(recipe, body=body, numbers={**recipe.numbers, **layer.numbers}))

    def _body(self, change: Change, old: Body, base: Body) -> Body:
        """Return the body that a change makes of another, always the same object."""
        key = (id(change), id(old))
        if key not in self.bodies:
            self.bodies[key] = replace(
                base,
                variant=change.variant or base.variant,
                arguments=change.arguments or base.arguments,
                mig=change.mig or base.mig,
                origin=change.origin,
            )
        return self.bodies[key]


def edited(
    assembly: Assembly, paths: Paths, edit: Edit, recipes: dict[Assembly, Recipe], known: dict[tuple[Assembly, Paths], Assembly]
) -> Assembly:
    """Return a copy of an assembly with the children at these paths edited; what is beside the paths is shared."""
    key = (assembly, paths)
    if key in known:
        return known[key]
    here = {path for path in paths if "/" not in path}
    deeper: dict[str, list[str]] = {}
    for path in paths:
        name, slash, rest = path.partition("/")
        if slash:
            deeper.setdefault(name, []).append(rest)
    children = []
    for child in assembly.children:
        after: Child | None = child
        if child.name in deeper:
            after = replace(child, assembly=edited(child.assembly, tuple(deeper[child.name]), edit, recipes, known))
        if child.name in here and after is not None:
            after = edit(after)
        if after is not None:
            children.append(after)
    copy = replace(assembly, children=_alike(children))
    if assembly in recipes:
        recipes[copy] = recipes[assembly]
    known[key] = copy
    return copy


def _alike(children: Sequence[Child]) -> tuple[Child, ...]:
    """Return the children; a whole group that changed alike differs from nobody and is not marked."""
    groups: dict[str, list[Child]] = {}
    for child in children:
        groups.setdefault(child.group, []).append(child)
    same = {group for group, some in groups.items() if len({(c.assembly, c.state, c.changed, str(c.title)) for c in some}) == 1}
    return tuple(replace(c, changed=False) if c.changed and c.state == "up" and c.group in same else c for c in children)


@dataclass(slots=True, kw_only=True)
class Taker:
    """Takes away what changes say is absent, and marks what is down, slower or fewer."""

    finder: Finder
    recipes: dict[Assembly, Recipe]
    report: Report
    known: dict[Assembly, Assembly] = field(default_factory=dict)

    def take(self, assembly: Assembly) -> Assembly:
        """Return an assembly after all taking away, that of its inside first."""
        if assembly in self.known:
            return self.known[assembly]
        inner = {child: self.take(child) for child, _ in assembly.variety}
        same = all(before is after for before, after in inner.items())
        after = assembly if same else self._over(assembly, tuple(replace(c, assembly=inner[c.assembly]) for c in assembly.children))
        recipe = self.recipes.get(assembly)
        for layer in recipe.layers if recipe else ():
            for change in layer.body.changes:
                if takes_away(change):
                    after = self._one(assembly, after, change, layer)
        self.known[assembly] = after
        return after

    def _over(self, assembly: Assembly, children: tuple[Child, ...]) -> Assembly:
        """Return the assembly with other children; links to what is no longer there go."""
        copy = replace(assembly, children=children)
        there: dict[str, bool] = {}

        def stands(path: str) -> bool:
            if path not in there:
                there[path] = copy.at(path) is not None
            return there[path]

        return replace(copy, links=tuple(link for link in assembly.links if stands(link.source) and stands(link.target)))

    def _one(self, before: Assembly, after: Assembly, change: Change, layer: Layer) -> Assembly:
        if change.link:
            return self._link(before, after, change, layer)
        things = self.finder.ends(before, change.at, change.origin.get("at") or change.origin)
        paths = tuple(thing.id for thing in things if thing.id and after.at(thing.id) is not None)
        return self._edited(after, paths, _fault(change)) if paths else after

    def _edited(self, assembly: Assembly, paths: Paths, edit: Edit) -> Assembly:
        copy = edited(assembly, paths, edit, self.recipes, {})
        return self._pruned(copy)

    def _pruned(self, assembly: Assembly) -> Assembly:
        children = tuple(replace(c, assembly=self._pruned(c.assembly)) if c.assembly not in self.known.values() and c.assembly.children else c for c in assembly.children)
        return self._over(assembly, children)

    def _link(self, before: Assembly, after: Assembly, change: Change, layer: Layer) -> Assembly:
        value = change.origin.get("link") or change.origin
        texts = change.link or ("", "")
        marks = value.parts() if len(value.parts()) == len(texts) else (value, value)
        sides = [self.finder.ends(before, (text,), mark) for text, mark in zip(texts, marks)]
        if not all(sides):
            return after
        found = False
        for one in sides[0]:
            for other in sides[1]:
                after, hit = self._between(after, "", (one, other), change, layer)
                found |= hit
        if not found:
            kind = f"{change.kind} " if change.kind else ""
            self.report.error(value.mark, f"there is no {kind}link between {texts[0]} and {texts[1]}", code="no-such-link")
        return after

    def _between(
        self, assembly: Assembly, prefix: str, pair: tuple[Thing, Thing], change: Change, layer: Layer
    ) -> tuple[Assembly, bool]:
        """Return the assembly with the links between two things changed, at every level, and whether there were any."""
        ends = tuple(thing.id[len(prefix) :] for thing in pair)
        hit = False
        links: list[Link] = []
        for link in assembly.links:
            if (not change.kind or link.kind == change.kind) and _joins(link, ends):
                hit = True
                links += [after for after in [self._fewer(link, change, layer)] if after is not None]
            else:
                links.append(link)
        copy = replace(assembly, links=tuple(links)) if hit else assembly
        names = {end.partition("/")[0] for end in ends}
        if len(names) == 1 and all("/" in end for end in ends):
            name = names.pop()
            place = copy.places[name]
            inner, deeper = self._between(copy.children[place].assembly, f"{prefix}{name}/", pair, change, layer)
            if deeper:
                children = (*copy.children[:place], replace(copy.children[place], assembly=inner), *copy.children[place + 1 :])
                copy = replace(copy, children=children)
            hit |= deeper
        return copy, hit

    def _fewer(self, link: Link, change: Change, layer: Layer) -> Link | None:
        """Return a link after a fault; None if it is gone."""
        if change.absent:
            return None
        number = layer.number(change.links, link.links)
        if number > link.links:
            message = f"{number} links are more than the {link.links} between {link.source} and {link.target}"
            self.report.error(change.origin.mark_of("links"), message, "a change only takes away; what is added is a wire", "too-many-links")
        if number == 0:
            return None
        each = None if link.bandwidth is None else link.bandwidth / link.links
        nccl = None if link.nccl is None else link.nccl / link.links
        name = link.link
        if change.rate is not None and change.rate.line is not None:
            if each is not None and change.rate.line > each:
                message = f"{change.rate.written or change.rate.link or f'{change.rate.line:g} GB/s'} is more than the {each:g} GB/s that this link has"
                self.report.error(change.origin.mark_of("bandwidth"), message, "a change only takes away", "too-fast")
            each, nccl, name = change.rate.line, change.rate.nccl, change.rate.link
        fault = number < link.links or change.rate is not None
        return replace(
            link,
            links=number,
            bandwidth=None if each is None else each * number,
            nccl=None if nccl is None else nccl * number,
            link=name,
            state=change.state or ("degraded" if fault else link.state),
            note=change.note or link.note,
        )


def _joins(link: Link, ends: Sequence[str]) -> bool:
    one, other = ends
    return (_is_in(link.source, one) and _is_in(link.target, other)) or (_is_in(link.source, other) and _is_in(link.target, one))


def _is_in(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}/")


def _fault(change: Change) -> Edit:
    def edit(child: Child) -> Child | None:
        if change.absent:
            return None
        state = change.state or child.state
        return replace(child, state=state, note=change.note or child.note, changed=child.changed or state != "up")

    return edit


def checked(assemblies: Iterable[Assembly], recipes: Mapping[Assembly, Recipe], finder: Finder) -> None:
    """Note changes whose things do not exist; those that switches of a fabric may still fulfil are left for later."""
    for assembly in assemblies:
        recipe = recipes.get(assembly)
        for layer in recipe.layers if recipe else ():
            for change in layer.body.changes:
                if takes_away(change):
                    key = "link" if change.link else "at"
                    value = change.origin.get(key) or change.origin
                    for number, text in enumerate(change.link or change.at):
                        parts = value.parts()
                        mark = parts[number] if value.is_list and number < len(parts) else value
                        finder.ends(assembly, (text,), mark, fabrics_to_come=True)


__all__ = ["Exchanger", "Taker", "checked", "edited", "exchanges", "itself", "takes_away"]
