"""Copies of assemblies in which something differs: only what lies on the path is copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from topoviz.model.place import Recipe
from topoviz.model.topology import Assembly, Child

Edit: TypeAlias = Callable[[Child], Child | None]
Paths: TypeAlias = tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Copier:
    """Applies one edit at many places; equal assemblies that are edited alike stay one."""

    edit: Edit
    recipes: dict[Assembly, Recipe]
    known: dict[tuple[Assembly, Paths], Assembly] = field(default_factory=dict)

    def edited(self, assembly: Assembly, paths: Paths) -> Assembly:
        """Return a copy with the things at these paths edited; one that becomes None goes, and its links with it."""
        key = (assembly, paths)
        if key not in self.known:
            deeper: dict[str, list[str]] = {}
            for path in paths:
                name, _, rest = path.partition("/")
                deeper.setdefault(name, []).append(rest)
            children = [after for child in assembly.children for after in self._after(child, deeper)]
            copy = with_children(assembly, _alike(children))
            if assembly in self.recipes:
                self.recipes[copy] = self.recipes[assembly]
            self.known[key] = copy
        return self.known[key]

    def _after(self, child: Child, deeper: Mapping[str, Sequence[str]]) -> Iterator[Child]:
        paths = deeper.get(child.name, ())
        inside = tuple(path for path in paths if path)
        after = replace(child, assembly=self.edited(child.assembly, inside)) if inside else child
        edited = self.edit(after) if "" in paths else after
        if edited is not None:
            yield edited


def with_children(assembly: Assembly, children: tuple[Child, ...]) -> Assembly:
    """Return the assembly with other children; links to what is no longer there go."""
    copy = replace(assembly, children=children)
    there: dict[str, bool] = {}

    def stands(path: str) -> bool:
        if path not in there:
            there[path] = copy.at(path) is not None
        return there[path]

    links = tuple(link for link in assembly.links if stands(link.source) and stands(link.target))
    return copy if len(links) == len(assembly.links) else replace(copy, links=links)


def _alike(children: Sequence[Child]) -> tuple[Child, ...]:
    """Return the children; a whole group that changed alike differs from nobody and is not marked."""
    looks: dict[str, set[tuple[Assembly, str, bool, str]]] = {}
    for child in children:
        looks.setdefault(child.group, set()).add((child.assembly, child.state, child.changed, str(child.title)))
    return tuple(
        replace(child, changed=False)
        if child.changed and child.state == "up" and len(looks[child.group]) == 1
        else child
        for child in children
    )
