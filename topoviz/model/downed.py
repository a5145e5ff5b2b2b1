"""What a fault takes with it: a link that ends at something that is down is down itself."""

from __future__ import annotations

from dataclasses import replace

from topoviz.model.topology import Assembly, Child, Link


def spread(assembly: Assembly) -> Assembly:
    """Return the assembly with every link down that ends at, or runs inside, something that is down; itself if none does."""
    known: dict[Assembly, bool] = {}
    made: dict[Assembly, Assembly] = {}
    return _spread(assembly, known, made) if _is_hit(assembly, known) else assembly


def _is_hit(assembly: Assembly, known: dict[Assembly, bool]) -> bool:
    """Return whether something inside is down; each type is looked at once."""
    if assembly not in known:
        here = any(child.state == "down" for child in assembly.children)
        known[assembly] = here or any(_is_hit(inner, known) for inner, _ in assembly.variety)
    return known[assembly]


def _spread(assembly: Assembly, known: dict[Assembly, bool], made: dict[Assembly, Assembly]) -> Assembly:
    if not _is_hit(assembly, known):
        return assembly
    if assembly not in made:
        children = tuple(_child(child, known, made) for child in assembly.children)
        inside = replace(assembly, children=children)
        made[assembly] = replace(inside, links=tuple(_link(inside, link) for link in assembly.links))
    return made[assembly]


def _child(child: Child, known: dict[Assembly, bool], made: dict[Assembly, Assembly]) -> Child:
    inner = _dead(child.assembly) if child.state == "down" else _spread(child.assembly, known, made)
    return child if inner is child.assembly else replace(child, assembly=inner)


def _dead(assembly: Assembly) -> Assembly:
    """Return an assembly of which no link works."""
    if not assembly.children:
        return assembly
    children = tuple(replace(child, assembly=_dead(child.assembly)) for child in assembly.children)
    return replace(assembly, children=children, links=tuple(replace(link, state="down") for link in assembly.links))


def _link(assembly: Assembly, link: Link) -> Link:
    if link.state == "down" or all(_is_up(assembly, end) for end in (link.source, link.target)):
        return link
    return replace(link, state="down")


def _is_up(assembly: Assembly, path: str) -> bool:
    """Return whether a thing and all that it stands in are up."""
    for name in path.split("/"):
        child = assembly.children[assembly.places[name]]
        if child.state == "down":
            return False
        assembly = child.assembly
    return True
