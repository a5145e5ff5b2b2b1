"""Placing: bodies become assemblies with children and without links, each distinct one once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from topoviz.errors import Diagnostic, SpecError
from topoviz.marks import Mark
from topoviz.model import mig_mistakes
from topoviz.model.names import KINDS, spoken
from topoviz.model.parts import Layer, Scope, Shelf, Use, is_bare
from topoviz.model.spec import EMPTY, Body, Entry, Memory, Port, Text
from topoviz.model.topology import Assembly, Child

T = TypeVar("T")
UNKNOWN = "?"  # the kind of a thing whose part is not known: already told, not to be told again
MOST_THINGS = 5_000_000
NO_MEMORY: Memory | None = None
NO_HEIGHT: int | None = None
NO_MIG: tuple[str, ...] = ()
NO_TEXT: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How an assembly came about, so that a change may make another one in its place."""

    body: Body
    scope: Scope
    numbers: Mapping[str, int]
    group: str
    layers: tuple[Layer, ...] = ()
    chain: tuple[tuple[str, Mark], ...] = ()


@dataclass(slots=True)
class Places:
    """All assemblies placed so far, by what made them, and the recipe of each."""

    shelf: Shelf
    recipes: dict[Assembly, Recipe] = field(default_factory=dict)
    known: dict[tuple[Any, ...], Assembly] = field(default_factory=dict)
    finish: Any = None  # what is done to each new assembly: replacing changes

    def place(self, recipe: Recipe) -> Assembly:
        """Return the assembly of a body; the same one for the same bodies and numbers."""
        body = recipe.body
        own = {name: self.shelf.evaluated(body, name, value, recipe.numbers) for name, value in body.arguments.items()}
        use = (
            Use(body=body, chain=recipe.chain)
            if body.part
            else Use(body=body, variant=body.variant, numbers=own, chain=recipe.chain)
        )
        layers = self.shelf.layers(body, recipe.scope, recipe.numbers, use)
        part = body.part or body.name
        if layers is None:
            return Assembly(kind=UNKNOWN, part=part, body=body)
        key = (part, recipe.group if not _topmost(layers, "kind", "") else "", *(layer.key for layer in layers))
        if key not in self.known:
            assembly = self._assembly(replace(recipe, layers=layers), part)
            self.known[key] = self.finish(assembly, self) if self.finish else assembly
        return self.known[key]

    def _assembly(self, recipe: Recipe, part: str) -> Assembly:
        layers = recipe.layers
        assembly = Assembly(
            kind=self._kind(recipe, part),
            part=part,
            title=_topmost(layers, "title", NO_TEXT),
            ports=_ports(layers),
            memory=_topmost(layers, "memory", NO_MEMORY),
            facts={name: fact for layer in layers for name, fact in layer.body.facts.items()},
            slices=_topmost(layers, "slices", EMPTY),
            mig=_topmost(layers, "mig", NO_MIG),
            height=_topmost(layers, "height", NO_HEIGHT),
            source=_topmost(layers, "source", ""),
            note=_topmost(layers, "note", NO_TEXT),
            preliminary=_topmost(layers, "preliminary", NO_TEXT),
            others=_others(layers),
            children=self._children(recipe),
            body=recipe.body,
        )
        self.recipes[assembly] = recipe
        self._check_size(assembly, recipe.body.origin.mark)
        self._check_cut(assembly, layers)
        return assembly

    def _kind(self, recipe: Recipe, part: str) -> str:
        kind = _topmost(recipe.layers, "kind", "")
        if not kind:
            named = [word for word in (part, recipe.group) if word in KINDS]
            return named[0] if named else ("box" if recipe.group else "")
        if kind not in KINDS:
            mark = next(layer.body.origin.mark_of("kind") for layer in reversed(recipe.layers) if layer.body.kind)
            message = f"kind '{kind}' is not one that topoviz knows; it is drawn as a plain box"
            self.shelf.report.warning(mark, message, f"known are {', '.join(KINDS)}", "unknown-kind")
        return kind

    def _children(self, recipe: Recipe) -> tuple[Child, ...]:
        found: dict[str, Child] = {}
        entries: dict[str, Entry] = {}
        marks: dict[str, Mark] = {}
        for layer in recipe.layers:
            chain = _longer(recipe, layer)
            for entry in layer.body.contains:
                mark = (layer.body.origin.get("contains") or layer.body.origin).key_mark(entry.name)
                for child in self._things(entry, layer, chain):
                    if child.name in found:
                        other = entries[found[child.name].group]
                        self._twice(child.name, entry, other, (mark, marks[other.name]))
                        break
                    found[child.name] = child
                entries.setdefault(entry.name, entry)
                marks.setdefault(entry.name, mark)
        return tuple(found.values())

    def _things(self, entry: Entry, layer: Layer, chain: tuple[tuple[str, Mark], ...]) -> Iterator[Child]:
        recipe = Recipe(body=entry.body, scope=layer.scope, numbers=layer.numbers, group=entry.name, chain=chain)
        number = self._count(entry, layer)
        assembly = self.place(recipe)
        self._check_number(assembly, number, entry.origin.mark)
        if entry.slot and len(entry.slot) != number:
            message = f"{len(entry.slot)} slot{'s' * (len(entry.slot) != 1)} for {number} {spoken(entry.name, number)}"
            self.shelf.report.later(entry.origin.mark_of("slot"), message)
        title = entry.body.title if is_bare(entry.body) else ""
        for position in range(number):
            yield Child(
                name=_name(entry, position),
                group=entry.name,
                index=None if entry.count is None and not entry.names else position,
                slot=entry.slot[position] if position < len(entry.slot) else None,
                title=title,
                assembly=assembly,
            )

    def _count(self, entry: Entry, layer: Layer) -> int:
        if entry.names:
            return len(entry.names)
        if isinstance(entry.count, str) and entry.count not in layer.numbers:
            self.shelf.no_such_parameter(entry.origin.mark_of("count"), entry.count, layer.numbers)
        return layer.number(entry.count)

    def _twice(self, name: str, entry: Entry, other: Entry, marks: tuple[Mark, Mark]) -> None:
        here, there = marks
        span = f" is {other.name}0 … {other.name}{other.count - 1}" if isinstance(other.count, int) else ""
        whose = f": {other.name} (line {there.line}){span}" if entry is not other else " in the same entry"
        change = f"{{at: {name}, part: {entry.body.part}}}"
        hint = f"to exchange one of them write changes: [{change}]" if entry.count is None and entry.body.part else ""
        self.shelf.report.error(here, f"'{name}' exists already{whose}", hint, "twice")

    def _check_number(self, assembly: Assembly, number: int, mark: Mark) -> None:
        _check_limit((1 + sum(assembly.counts.values())) * number, mark)

    def _check_cut(self, assembly: Assembly, layers: Sequence[Layer]) -> None:
        written = next((found for one in reversed(layers) if (found := one.body.origin.get("mig")) is not None), None)
        if assembly.mig and written is not None:
            titles = [one.body.title for one in reversed(layers) if one.body.title and one is not layers[-1]]
            named = replace(assembly, title=titles[0]) if titles else assembly  # a title of one's own is no product
            mig_mistakes.check(named, written, self.shelf.report, self.shelf.catalog)

    def _check_size(self, assembly: Assembly, mark: Mark) -> None:
        _check_limit(sum(assembly.counts.values()), mark)


def _longer(recipe: Recipe, layer: Layer) -> tuple[tuple[str, Mark], ...]:
    """Return the chain of parts with what this thing takes at its end: who is in it must not come again inside."""
    body = recipe.body
    chain = (*recipe.chain, (body.part, body.origin.mark)) if body.part else recipe.chain
    name = layer.body.name
    known = not name or any(name == other for other, _ in chain)
    return chain if known else (*chain, (name, layer.body.origin.mark))


def _check_limit(number: int, mark: Mark) -> None:
    if number > MOST_THINGS:
        message = f"{number:,} things are more than topoviz builds: the limit is {MOST_THINGS:,}"
        raise SpecError([Diagnostic(message=message, mark=mark, code="too-many-things")])


def _name(entry: Entry, position: int) -> str:
    if entry.names:
        return entry.names[position]
    return entry.name if entry.count is None else f"{entry.name}{position}"


def _topmost(layers: Sequence[Layer], key: str, empty: T) -> T:
    """Return what the outermost body says that says anything."""
    said = (getattr(layer.body, key) for layer in reversed(layers))
    return next((value for value in said if value not in (None, "", (), {}, EMPTY)), empty)


def _others(layers: Sequence[Layer]) -> tuple[tuple[Port, ...], ...]:
    """Return the ports of variants that were not taken, where a part is preliminary: other figures were published."""
    if not _topmost(layers, "preliminary", NO_TEXT):
        return ()
    taken = _ports(layers)
    variants = (variant for layer in layers for variant in layer.body.variants.values())
    return tuple(one.ports for one in variants if one.ports is not None and one.ports != taken)


def _ports(layers: Sequence[Layer]) -> tuple[Port, ...] | None:
    """Return the ports of all bodies together, the outermost first for each kind; None if none says anything."""
    found: dict[str, Port] = {}
    for layer in reversed(layers):
        for port in layer.body.ports or ():
            found.setdefault(port.kind, replace(port, count=layer.number(port.count)))
    return tuple(found.values()) if any(layer.body.ports is not None for layer in layers) else None
