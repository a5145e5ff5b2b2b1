"""From a document to a topology: every distinct thing is built once, however many copies there are.

The order of events is that of the language: place all things; exchange; wire;
generate fabrics; check port budgets; take away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from topoviz.model import changes, degrees, downed, fabric, routes
from topoviz.model.ends import Finder
from topoviz.model.exchange import Exchanger
from topoviz.model.join import MOST_LINKS, Wirer, check_rule, occurrences, too_many
from topoviz.model.parts import Catalog, Scope, Shelf
from topoviz.model.place import UNKNOWN, Places, Recipe
from topoviz.model.report import Report
from topoviz.model.spec import EMPTY, Body, Picture, Spec
from topoviz.model.spelling import nearest
from topoviz.model.topology import Assembly, Child, Route, Thing, Topology

__all__ = ["Catalog", "build", "build_picture"]


def build(spec: Spec, catalog: Catalog, *, layouts: Sequence[str] | None = None) -> Topology:
    """Return the topology of a document. Nothing is expanded.

    ``layouts`` are the names of the layouts that are known, to check what pictures say.

    >>> from types import SimpleNamespace
    >>> from topoviz.marks import Source
    >>> from topoviz.model.read import read_document
    >>> empty = SimpleNamespace(get=lambda name: None, names=tuple)
    >>> text = "contains: {gpu: {kind: gpu, count: 8}, hub: {kind: switch}}"
    >>> topology = build(read_document([Source("a.yaml", text)]), empty)
    >>> topology.count("gpu")
    8

    Raises:
        SpecError: the document names what is not there, or joins what does not fit;
            all mistakes of a stage together.
    """
    report = Report()
    shelf = Shelf(catalog, report)
    _check_pictures(spec.pictures, spec, shelf, layouts)
    _check_cuts(spec.pictures, spec, shelf)
    topology = _built(spec, shelf, report)
    return replace(topology, routes=_routes(topology, report))


def build_picture(picture: Picture, spec: Spec, catalog: Catalog) -> Topology:
    """Return the topology that a picture or panel draws instead of its document.

    A body without a part is the document itself with another variant, other
    numbers or cut otherwise. What is the model of the document is that of every part
    that it draws; its job is not, for it names ranks of the document.

    Raises:
        SpecError: as ``build``.
    """
    body = picture.body
    if body is None:
        return build(replace(spec, pictures=()), catalog)
    other = replace(spec, body=_instead(body, spec), pictures=())
    return build(replace(other, name=body.part, routes=(), job=EMPTY) if body.part else other, catalog)


def _instead(body: Body, spec: Spec) -> Body:
    """Return the body that a picture draws; its mistakes are at the place where the picture asks for it."""
    if body.part:
        return replace(body, parts={**spec.body.parts, **body.parts})
    given = {key: value for key in ("variant", "arguments", "mig") if (value := getattr(body, key))}
    own = replace(spec.body, **given)
    return replace(own, origin=body.origin) if body.mig else own


def _built(spec: Spec, shelf: Shelf, report: Report) -> Topology:
    places = Places(shelf=shelf)
    finder = Finder(places=places, report=report)
    places.finish = Exchanger(finder=finder)
    placed = _placed(spec.body, places)
    _check_names(placed, places, finder, report)
    report.close()
    degrees.check(spec, Thing("", Child(name="", group="", assembly=placed)), report)
    wirer = Wirer(places=places, finder=finder, report=report)
    wired = wirer.wire(placed)
    report.close()
    links = sum(times * len(assembly.links) for assembly, times in occurrences(wired))
    if links > MOST_LINKS:
        raise too_many(links, spec.body.origin.mark)
    final = changes.Taker(finder=finder, recipes=places.recipes, report=report).take(wired)
    if final is not wired:
        degrees.check(spec, Thing("", Child(name="", group="", assembly=final)), report)  # GPUs may have gone
    report.close()
    root = Thing("", Child(name="", group="", title=spec.body.title, assembly=downed.spread(final)))
    return Topology(spec=spec, root=root, rates=wirer.rates, diagnostics=tuple(report.warnings.values()))


def _placed(body: Body, places: Places) -> Assembly:
    return places.place(Recipe(body=body, scope=Scope(EMPTY), numbers=EMPTY, group=""))


def _check_names(top: Assembly, places: Places, finder: Finder, report: Report) -> None:
    """Note what wires, fabrics and changes name and does not exist."""
    everything = tuple(_distinct(top))
    for assembly in everything:
        recipe = places.recipes.get(assembly)
        for layer in recipe.layers if recipe and assembly.kind != UNKNOWN else ():
            for wire in layer.body.wires:
                check_rule(wire, report)
                for key, selector in (("from", wire.source), ("to", wire.target or ()), ("except", wire.exclude)):
                    finder.ends(assembly, selector, wire.origin.get(key) or wire.origin, fabrics_to_come=True)
            for each in layer.body.fabric:
                fabric.check(each, layer, places)
                finder.ends(
                    assembly,
                    each.join,
                    each.origin.get("join") or each.origin,
                    fabrics_to_come=len(layer.body.fabric) > 1,
                )
                if each.unit:
                    finder.ends(assembly, (each.unit,), each.origin.get("unit") or each.origin)
    changes.check(everything, places.recipes, finder)


def _distinct(top: Assembly) -> Iterator[Assembly]:
    seen: dict[Assembly, None] = {}

    def visit(assembly: Assembly) -> None:
        if assembly not in seen:
            seen[assembly] = None
            for inner, _ in assembly.variety:
                visit(inner)

    visit(top)
    yield from seen


def _check_pictures(pictures: Sequence[Picture], spec: Spec, shelf: Shelf, layouts: Sequence[str] | None) -> None:
    for picture in pictures:
        origin = picture.origin or spec.origin
        name = picture.layout
        if (
            layouts is not None
            and name
            and name not in layouts
            and not name.endswith((".yaml", ".yml"))
            and "/" not in name
        ):
            near = nearest(name, layouts)
            looked = "Looked in layouts/ beside the document and in the shipped ones"
            hint = f"did you mean '{near}'? {looked}" if near else looked
            shelf.report.error(origin.mark_of("layout"), f"unknown layout '{name}'", hint, "unknown-layout")
        part = picture.body.part if picture.body is not None else ""
        if picture.body is not None and part and part not in spec.body.parts and shelf.get(part) is None:
            shelf.unknown_part(part, picture.body.origin.mark_of("part"), tuple(spec.body.parts))
        _check_pictures(picture.panels, spec, shelf, layouts)


def _check_cuts(pictures: Sequence[Picture], spec: Spec, shelf: Shelf) -> None:
    """Note what is wrong with the cuts of pictures and panels: they are placed and not wired."""
    for picture in pictures:
        if picture.body is not None and picture.body.mig:
            _placed(_instead(picture.body, spec), Places(shelf=shelf))
        _check_cuts(picture.panels, spec, shelf)


def _routes(topology: Topology, report: Report) -> tuple[Route, ...]:
    found = routes.resolve(topology, report)
    report.close()
    return found
