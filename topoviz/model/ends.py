"""Ends of wires, fabrics and changes: finding them, and saying well what was not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from topoviz.marks import Mark
from topoviz.model.names import KINDS, first_to_last, groups, inhabitants, with_article
from topoviz.model.place import UNKNOWN, Places
from topoviz.model.report import Report
from topoviz.model.selectors import Miss, find
from topoviz.model.source import Value
from topoviz.model.spec import Selector
from topoviz.model.spelling import nearest
from topoviz.model.topology import Assembly, Child, Thing


def itself(assembly: Assembly) -> Thing:
    """Return an assembly as the thing from which its selectors start."""
    return Thing("", Child(name="", group="", assembly=assembly))


@dataclass(slots=True, kw_only=True)
class Finder:
    """Finds ends by selector, remembers them, and notes once what matches nothing."""

    places: Places
    report: Report
    found: dict[tuple[Assembly, Selector], tuple[Thing, ...]] = field(default_factory=dict)

    def ends(
        self, assembly: Assembly, selector: Selector, value: Value, *, fabrics_to_come: bool = False
    ) -> tuple[Thing, ...]:
        """Return what a selector finds in an assembly, each once; what is missing is noted at its text.

        ``fabrics_to_come``: switches are not there yet, so a miss is not yet a mistake
        if the assembly or something inside makes some.
        """
        key = (assembly, selector)
        if key in self.found:
            return self.found[key]
        start, things, whole = itself(assembly), {}, True
        for number, text in enumerate(selector):
            hits, miss = find(start, text)
            things.update({thing.id: thing for thing in hits if thing.id not in things})
            if miss is not None:
                whole = False
                if not self._excused(assembly, miss, fabrics_to_come=fabrics_to_come):
                    self._missed(text, miss, _mark(value, number))
        found = tuple(things.values())
        if whole:
            self.found[key] = found
        return found

    def inner(self, assembly: Assembly, selector: Selector, value: Value) -> tuple[str, ...]:
        """Return the paths of what a change is about; the whole itself is nothing that it can change."""
        things = self.ends(assembly, selector, value)
        if any(not thing.id for thing in things):
            message = f"'{', '.join(selector)}' is the whole, and a change is about what is inside"
            self.report.error(
                value.mark, message, "write it where the thing is held, or as its own key", "changes-itself"
            )
        return tuple(thing.id for thing in things if thing.id)

    def _excused(self, assembly: Assembly, miss: Miss, *, fabrics_to_come: bool) -> bool:
        """Return whether a miss follows from something already told, or may be mended by a fabric."""
        if fabrics_to_come and self.makes_switches(assembly):
            return True
        if miss.step:
            return any(thing.kind == UNKNOWN for thing in miss.inside)
        return UNKNOWN in assembly.words and miss.word in KINDS

    def makes_switches(self, assembly: Assembly) -> bool:
        """Return whether the assembly or something inside has a fabric."""
        recipe = self.places.recipes.get(assembly)
        own = recipe is not None and any(layer.body.fabric for layer in recipe.layers)
        return own or any(self.makes_switches(inner) for inner, _ in assembly.variety if inner.children or inner.body)

    def _missed(self, text: str, miss: Miss, mark: Mark) -> None:
        message, hint = told(text, miss)
        self.report.error(mark, message, hint, "matches-nothing")


def told(text: str, miss: Miss) -> tuple[str, str]:
    """Return the message and the hint for a path that finds nothing."""
    if miss.absent:
        near_by = [child for child in miss.inside[0].assembly.children if miss.absent.startswith(child.group)]
        has = f"{near_by[0].group} has {first_to_last([child.name for child in near_by])}" if near_by else ""
        return f"'{text}' names {miss.absent}, which does not exist", has
    if miss.step == 0:
        return f"'{text}' matches nothing", _nearest_here(miss)
    before = text.split("/")[miss.step - 1]
    first = miss.inside[0].assembly
    none = f"{before} fits {len(miss.inside)}, but {'none of them has' if len(miss.inside) > 1 else 'it does not have'}"
    there = inhabitants(first)
    near = _meant(miss.word, groups(first))
    name = with_article(first.part or first.kind)
    hint = f"inside {name}: {there}" if there else f"there is nothing inside {name}"
    return f"'{text}' matches nothing: {none} '{miss.word}' inside", f"did you mean '{near}'? {hint}" if near else hint


def _nearest_here(miss: Miss) -> str:
    assembly = miss.inside[0].assembly
    for group in groups(assembly):
        members = [child.name for child in assembly.children if child.group == group]
        rest = miss.word[len(group) :]
        if miss.word.startswith(group) and rest.isdigit() and members[0] != f"{group}0" and len(members) > 1:
            return f"the group {group} has names of its own: {first_to_last(members)}"
        if miss.word.startswith(group) and rest.isdigit() and len(members) > 1:
            return f"{group} has {first_to_last(members)}"
    here = inhabitants(assembly)
    near = _meant(miss.word, groups(assembly)) or _meant(miss.word, _deeper(assembly))
    if not here:
        return "there is nothing here"
    return f"did you mean '{near}'? Here are {here}" if near else f"here are {here}"


def _meant(word: str, known: Sequence[str]) -> str:
    """Return the known word that was meant; a short word at the start of a long one is no spelling mistake."""
    starts = [one for one in known if one and word.startswith(one) and len(word) <= len(one) + 2]
    near = nearest(word, known) or max(starts, key=len, default="")
    return "" if len(word) > len(near) + 2 and word.startswith(near) else near


def _deeper(assembly: Assembly) -> tuple[str, ...]:
    """Return the groups and kinds inside, at every depth, each once."""
    found = {
        word: None for child in assembly.children for word in (child.group, child.assembly.kind) if word != UNKNOWN
    }
    return tuple(found | {word: None for inner, _ in assembly.variety for word in _deeper(inner)})


def _mark(value: Value, number: int) -> Mark:
    """Return where the text of a selector stands: the value, or one of its list."""
    parts: Sequence[Value] = value.parts()
    return parts[number].mark if value.is_list and number < len(parts) else value.mark
