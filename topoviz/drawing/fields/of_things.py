"""Fields about things: how many, what they are called, what they hold, their ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from topoviz.drawing import amounts, census
from topoviz.drawing.fields.subject import Subject
from topoviz.drawing.messages import fill, message, say_text
from topoviz.drawing.words import COUNTED, THINGS
from topoviz.model.topology import Thing

TOLD = ("gpu", "cpu", "nvswitch", "switch")  # what a container is described by
ELSE = ("nic", "dpu", "pcie")  # if it holds none of these


def of_things(subject: Subject, tail: str) -> str | None:
    """Return the value of a field about things; None if they have no such value."""
    say = SAY.get(tail)
    return say(subject) if say else _fact(subject, tail)


WHOLES = ("rack", "node", "gpu")  # of these a document without a title is made, the largest first
FEW = 2  # sorts that are named one by one


def title(thing: Thing, lang: str) -> str:
    """Return what a thing is called; the name of its kind if it has no title, of a document what it is made of."""
    written = say_text(thing.title, lang)
    named = (thing.part if "{" in written else written) or message(THINGS.get(thing.kind, thing.kind), lang)
    return named or made_of(thing, lang)


def made_of(thing: Thing, lang: str) -> str:
    """Return ``2 × DGX H100``, ``2 × DGX H100 + 3 × DGX A100`` or, of many sorts, ``9 servers``."""
    inside = census.sorts((thing,))[1:]
    for kind in WHOLES:
        found = [sort for sort in inside if sort.first.kind == kind]
        counts: dict[str, int] = {}
        for sort in found:
            name = title(sort.first, lang)
            counts[name] = counts.get(name, 0) + sort.count
        if len(counts) > FEW:
            return fill(COUNTED[kind], {"count": amounts.count(census.number_of(found))}, lang)
        if counts:
            return " + ".join(f"{amounts.count(count)} × {name}" for name, count in counts.items())
    return ""


def contents(thing: Thing, lang: str) -> str:
    """Return what is inside by kind, ``4 GPUs + 2 Grace``; empty if there is nothing to name."""
    inside = census.sorts((thing,))[1:]
    for wanted in (TOLD, ELSE):
        parts = [_counted([s for s in inside if s.first.kind == kind], kind, lang) for kind in wanted]
        if any(parts):
            return " + ".join(part for part in parts if part)
    return ""


def _counted(found: list[census.Sort], kind: str, lang: str) -> str:
    if not found:
        return ""
    number = {"count": amounts.count(census.number_of(found))}
    name = title(found[0].first, lang)
    # a CPU is known by its own name if it has a short one: 2 Grace
    if kind == "cpu" and name.isascii() and name.isalpha() and name != "CPU":
        return fill("{count} {cpu}", {**number, "cpu": name}, lang)
    return fill(COUNTED[kind], number, lang)


def _titles(subject: Subject) -> str:
    scope = subject.scope
    if scope.title and "{" not in scope.title and subject.things == scope.roots:
        return scope.title
    return " + ".join(dict.fromkeys(title(thing, scope.lang) for thing in subject.things))


def _part_title(subject: Subject) -> str:
    assembly = subject.first.assembly
    return say_text(assembly.title, subject.scope.lang) or assembly.part


def _short(subject: Subject) -> str:
    stated = subject.first.assembly.facts.get("short")
    return say_text(stated, subject.scope.lang) if isinstance(stated, (str, Mapping)) else _titles(subject)


def _number(thing: Thing) -> str:
    return thing.name if thing.index is None else str(thing.index)


def _index(subject: Subject) -> str:
    return "" if subject.first.index is None else str(subject.first.index)


def _memory(subject: Subject) -> str | None:
    memories = [thing.assembly.memory for thing in subject.things if thing.assembly.memory]
    if not memories:
        return None
    sizes = sorted(memories, key=lambda memory: memory.size)
    text = amounts.span(amounts.size(sizes[0].size), amounts.size(sizes[-1].size))
    return f"{text} {memories[0].type}".rstrip()


def _memory_rate(subject: Subject) -> str | None:
    """Return the bandwidth of the memory of one; it is read and written, so it has no direction."""
    rates = [m.bandwidth for thing in subject.things if (m := thing.assembly.memory) and m.bandwidth]
    units = ("GB/s", "TB/s")
    return amounts.span(*(amounts.scaled(end, units) for end in (min(rates), max(rates)))) if rates else None


def _height(subject: Subject) -> str | None:
    height = subject.first.assembly.height
    return None if height is None else str(height)


def _ports(subject: Subject) -> int | None:
    kind = _main_kind(subject)
    ports = subject.first.assembly.ports
    if ports is None or kind is None:
        return None
    return sum(int(port.count) for port in ports if port.kind == kind)


def _main_kind(subject: Subject) -> str | None:
    main = subject.main()
    return main.kind if main else None


def _used(subject: Subject) -> tuple[float, float] | None:
    """Return how many links the things have, least and most; ports without a link do not count."""
    kind = _main_kind(subject)
    if kind is None or not any(link.kind == kind for thing in subject.things for link, _, _ in census.links_of(thing)):
        return None
    found = subject.tally(kind)
    return found.links if found else None


def _free(subject: Subject) -> str | None:
    ports, used = _ports(subject), _used(subject) or (0, 0)
    return None if ports is None else amounts.count(ports - used[1], ports - used[0])


def _toward(subject: Subject, *, down: bool) -> str:
    """Return how many links of each switch that are up lead towards the cards, or away from them."""
    numbers = [_led(switch, down=down) for switch in subject.things]
    return amounts.count(min(numbers), max(numbers))


def _led(switch: Thing, *, down: bool) -> int:
    level = census.level(switch)
    total = 0
    for link, container, path in census.links_of(switch):
        other = container.at(path)
        is_below = other.kind != "switch" or census.level(other) < level
        if link.kind in census.NETWORK and link.state != "down" and is_below == down:
            total += link.links
    return total


def _fact(subject: Subject, name: str) -> str | None:
    stated = subject.first.assembly.facts.get(name)
    if isinstance(stated, (str, Mapping)):
        return say_text(stated, subject.scope.lang)
    return None if stated is None else str(stated)


def _names(subject: Subject) -> str:
    """Return the name of one thing, or the first and the last name of several."""
    first, last = subject.things[0].name, subject.things[-1].name
    return first if first == last else f"{first} – {last}"


def _of_range(numbers: tuple[float, float] | None) -> str | None:
    return None if numbers is None else amounts.count(*numbers)


def _of_count(number: float | None) -> str | None:
    return None if number is None else amounts.count(number)


SAY: Mapping[str, Callable[[Subject], str | None]] = MappingProxyType({
    "count": lambda s: amounts.count(s.count),
    "name": _names,
    "index": _index,
    "title": _titles,
    "short": _short,
    "kind": lambda s: message(THINGS.get(s.first.kind, s.first.kind), s.scope.lang),
    "part": lambda s: s.first.part,
    "part.title": _part_title,
    "memory": _memory,
    "memory.bandwidth": _memory_rate,
    "contents": lambda s: contents(s.first, s.scope.lang) or None,
    "height": _height,
    "first": lambda s: _number(s.things[0]),
    "last": lambda s: _number(s.things[-1]),
    "ports": lambda s: _of_count(_ports(s)),
    "used": lambda s: _of_range(_used(s)),
    "free": _free,
    "up": lambda s: _toward(s, down=False),
    "down": lambda s: _toward(s, down=True),
})  # fmt: skip
