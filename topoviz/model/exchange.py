"""Changes that put another thing in a place, before anything is wired."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from topoviz.model.copies import Copier
from topoviz.model.ends import Finder
from topoviz.model.parts import Layer
from topoviz.model.place import Places
from topoviz.model.spec import Body, Change
from topoviz.model.topology import Assembly, Child


def exchanges(change: Change) -> bool:
    """Return whether a change puts another thing in a place."""
    return bool(change.at and (change.part or change.variant or change.arguments or change.mig or change.title))


@dataclass(slots=True, kw_only=True)
class Exchanger:
    """Applies the exchanging changes of each new assembly."""

    finder: Finder
    bodies: dict[tuple[int, int], Body] = field(default_factory=dict)

    def __call__(self, assembly: Assembly, places: Places) -> Assembly:
        """Return the assembly with everything exchanged that its own bodies exchange."""
        for layer in places.recipes[assembly].layers:
            for change in layer.body.changes:
                if exchanges(change):
                    assembly = self._exchange(assembly, change, layer, places)
        return assembly

    def _exchange(self, assembly: Assembly, change: Change, layer: Layer, places: Places) -> Assembly:
        paths = self.finder.inner(assembly, change.at, change.origin.get("at") or change.origin)

        def edit(child: Child) -> Child:
            other = self._other(child.assembly, change, layer, places)
            title, note = change.title or child.title, change.note or child.note
            return replace(child, assembly=other, title=title, note=note, changed=True)

        return Copier(edit=edit, recipes=places.recipes).edited(assembly, paths) if paths else assembly

    def _other(self, old: Assembly, change: Change, layer: Layer, places: Places) -> Assembly:
        """Return what stands there instead."""
        recipe = places.recipes.get(old)
        if recipe is None or not (change.part or change.variant or change.arguments or change.mig):
            return old
        if not change.part:
            body = self._body(change, recipe.body, recipe.body)
            return places.place(replace(recipe, body=body, numbers={**recipe.numbers, **layer.numbers}))
        body = self._body(change, recipe.body, Body(part=change.part, origin=change.origin))
        return places.place(replace(recipe, body=body, scope=layer.scope, numbers=layer.numbers))

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
