"""What a body takes from others: parts found by name, numbers chosen, variants put beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from topoviz.marks import Mark
from topoviz.model.names import squeezed, with_article
from topoviz.model.report import Report
from topoviz.model.spec import EMPTY, Body, Number
from topoviz.model.spelling import nearest

OWN_KEYS = (
    "kind", "source", "note", "preliminary", "parameters", "variants", "ports", "memory", "slices", "facts", "height",
    "mig", "parts", "contains", "wires", "fabric", "changes",
)  # fmt: skip


class Catalog(Protocol):
    """Parts by name."""

    def get(self, name: str) -> Body | None:
        """Return the body of a part; None if there is no such part."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The parts that a body may name: its own, then those of what it is written in, then the catalog."""

    parts: Mapping[str, Body]
    outer: Scope | None = None

    def within(self, body: Body) -> Scope:
        """Return the scope inside a body."""
        return Scope(body.parts, self) if body.parts else self

    def find(self, name: str) -> tuple[Body, Scope] | None:
        """Return a part written in the document and the scope that it sees; None if there is none."""
        if name in self.parts:
            return self.parts[name], self
        return self.outer.find(name) if self.outer else None

    def names(self) -> Iterator[str]:
        """Yield the names of all parts written in the document."""
        yield from self.parts
        if self.outer:
            yield from self.outer.names()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """One body of those that make a thing, with the numbers chosen for its parameters."""

    body: Body
    scope: Scope
    numbers: Mapping[str, int] = field(default_factory=lambda: EMPTY)

    def number(self, value: Number | None, default: int = 1) -> int:
        """Return a number of the body, a parameter by its value."""
        return default if value is None else (value if isinstance(value, int) else self.numbers.get(value, default))

    @property
    def key(self) -> tuple[int, tuple[tuple[str, int], ...]]:
        return id(self.body), tuple(sorted(self.numbers.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Who takes a part: the body that says so, what it chose, and the chain of parts that led there."""

    body: Body
    variant: str = ""
    numbers: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    chain: tuple[tuple[str, Mark], ...] = ()


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where parts are taken from."""

    catalog: Catalog
    report: Report
    known: dict[str, Body | None] = field(default_factory=dict)

    def get(self, name: str) -> Body | None:
        """Return a part of the catalog, always the same object."""
        if name not in self.known:
            self.known[name] = self.catalog.get(name)
        return self.known[name]

    def layers(self, body: Body, scope: Scope, outer: Mapping[str, int], use: Use) -> tuple[Layer, ...] | None:
        """Return the bodies that make a thing, the innermost first; None if a part is unknown."""
        here = scope.within(body)
        takes = bool(body.part) and not self._names_itself(body, here)
        base = self._taken(body, here, outer, use) if takes else ()
        if base is None:
            return None
        numbers = {**outer, **self.chosen(body, use)}
        own = Layer(body=body, scope=here, numbers=numbers)
        variant = self.variant(body, use)
        beside = (Layer(body=variant, scope=here.within(variant), numbers=numbers),) if variant else ()
        return (*base, *(() if is_bare(body) else (own,)), *beside)

    def _names_itself(self, body: Body, scope: Scope) -> bool:
        return body.part == body.name and scope.find(body.part) is None and self.get(body.part) is body

    def _taken(self, body: Body, scope: Scope, outer: Mapping[str, int], use: Use) -> tuple[Layer, ...] | None:
        found = scope.find(body.part)
        target = found[0] if found else self.get(body.part)
        mark = body.origin.mark
        if target is None:
            self._unknown(body, scope)
            return None
        if any(name == body.part for name, _ in use.chain):
            self._circle(body.part, mark, use.chain)
            return None
        given = {name: self.evaluated(body, name, value, outer) for name, value in body.arguments.items()}
        chain = (*use.chain, (body.part, mark))
        taken = Use(body=body, variant=body.variant, numbers=given, chain=chain)
        return self.layers(target, found[1] if found else Scope(EMPTY), EMPTY, taken)

    def evaluated(self, body: Body, name: str, value: Number, outer: Mapping[str, int]) -> int:
        """Return a chosen number; the name of a parameter of the body around stands for its value."""
        if isinstance(value, int):
            return value
        if value not in outer:
            self.no_such_parameter((body.origin.get("with") or body.origin).mark_of(name), value, outer)
        return outer.get(value, 1)

    def no_such_parameter(self, mark: Mark, name: str, known: Mapping[str, int]) -> None:
        """Note that a number was given by the name of a parameter that is not there."""
        near = nearest(name, known)
        there = f"there {'is' if len(known) == 1 else 'are'} {', '.join(known)}" if known else "there are none here"
        hint = f"did you mean '{near}'?" if near else f"a number is a whole number or a parameter; {there}"
        self.report.error(mark, f"unknown parameter '{name}'", hint, "unknown-parameter")

    def chosen(self, part: Body, use: Use) -> dict[str, int]:
        """Return the numbers of a part: what its user chose, else the default."""
        numbers = {name: parameter.default for name, parameter in part.parameters.items()}
        given = use.body.origin.get("with") or use.body.origin
        for name, value in use.numbers.items():
            if name not in part.parameters:
                self._no_parameter(part, name, given.key_mark(name))
                continue
            parameter = part.parameters[name]
            title = use.body.part or part.name
            for limit, word, beyond in ((parameter.most, "above", 1), (parameter.least, "below", -1)):
                if limit is not None and (value - limit) * beyond > 0:
                    message = f"{name} {value} is {word} {limit}"
                    self.report.error(
                        given.mark_of(name), message, f"{title} takes {name} {_span(part, name)}", "parameter-range"
                    )
            numbers[name] = value
        return numbers

    def _no_parameter(self, part: Body, name: str, mark: Mark) -> None:
        near = nearest(name, part.parameters)
        known = f"there {'is' if len(part.parameters) == 1 else 'are'} {', '.join(part.parameters)}"
        hint = f"did you mean '{near}'?" if near else (known if part.parameters else "it takes none")
        self.report.error(mark, f"{part.name or 'this'} has no parameter '{name}'", hint, "unknown-parameter")

    def variant(self, part: Body, use: Use) -> Body | None:
        """Return the variant of a part that its user chose, else the first; None if it has none."""
        if not part.variants:
            if use.variant:
                title = part.name or "this"
                self.report.error(
                    use.body.origin.mark_of("variant"),
                    f"{title} has no variant '{use.variant}'",
                    "it has none",
                    "unknown-variant",
                )
            return None
        first, *others = part.variants
        if use.variant in part.variants or not use.variant:
            return part.variants[use.variant or first]
        near = nearest(use.variant, part.variants)
        there = f"there are {', '.join([f'{first} (default)', *others])}"
        hint = f"did you mean '{near}'? {there.capitalize()}" if near else there
        self.report.error(
            use.body.origin.mark_of("variant"),
            f"{part.name or 'this'} has no variant '{use.variant}'",
            hint,
            "unknown-variant",
        )
        return part.variants[first]

    def _unknown(self, body: Body, scope: Scope) -> None:
        self.unknown_part(body.part, body.origin.mark_of("part"), tuple(scope.names()))

    def unknown_part(self, name: str, mark: Mark, own: tuple[str, ...] = ()) -> None:
        """Note that there is no such part, with the nearest one there is."""
        near = nearest(name, (*own, *self.catalog.names()))
        sure = bool(near) and squeezed(near) == squeezed(name)
        meant = f"did you mean '{near}'?" if near else ""
        hint = meant if sure else f"{meant} topoviz list parts shows all".strip()
        self.report.error(mark, f"unknown part '{name}'", hint, "unknown-part")

    def _circle(self, name: str, mark: Mark, chain: tuple[tuple[str, Mark], ...]) -> None:
        first = next(number for number, (known, _) in enumerate(chain) if known == name)
        circle = [known for known, _ in chain[first:]] + [name]
        at = chain[first + 1][1] if first + 1 < len(chain) else mark
        self.report.error(at, f"{with_article(circle[1])} contains itself: {' → '.join(circle)}", code="part-in-itself")


def _span(part: Body, name: str) -> str:
    parameter = part.parameters[name]
    if parameter.least is not None and parameter.most is not None:
        return f"from {parameter.least} to {parameter.most}"
    return f"from {parameter.least}" if parameter.least is not None else f"up to {parameter.most}"


def is_bare(body: Body) -> bool:
    """Return whether a body only takes a part, perhaps under another title, and adds nothing."""
    return bool(body.part) and not any(getattr(body, key) not in (None, "", (), {}, EMPTY) for key in OWN_KEYS)
