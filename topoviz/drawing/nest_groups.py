"""What stands together in a box: which things share a row, in which order, and which are folded into a stack."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topoviz.drawing.ordered import in_order
from topoviz.drawing.pairs import name
from topoviz.model.odd import odd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topoviz.model.topology import Thing

ORDER = ("core", "spine", "leaf", "switch", "cpu", "pcie", "nic", "dpu", "gpu", "nvswitch")  # top to bottom in a box
CARDS_FIRST = ("core", "spine", "leaf", "switch", "dpu", "nic", "cpu", "gpu", "nvswitch")  # without PCIe switches
LEAVES = 32  # equal things without content in a row before they become a stack


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How much is shown: so many equal boxes in full, so many boxes deep, and what somebody asked for."""

    full: int = 1000
    order: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, int] = field(default_factory=dict)  # by id: what stands before its siblings
    folded: frozenset[str] = frozenset()
    unfolded: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    lang: str = "en"


def linked(thing: Thing) -> Mapping[tuple[str, str], str]:
    """Return the kind of link between children of a thing, by their names, in both directions.

    >>> from topoviz.model.topology import Assembly, Child, Link, Thing
    >>> node = Assembly(kind="node", links=(Link(source="gpu0", target="nvs0", kind="nvlink"),))
    >>> linked(Thing("n", Child(name="n", group="n", assembly=node)))["nvs0", "gpu0"]
    'nvlink'
    """
    found: dict[tuple[str, str], str] = {}
    for link in thing.assembly.links:
        one, other = link.source.split("/")[0], link.target.split("/")[0]
        if one != other:
            found[one, other] = found[other, one] = link.kind
    return found


def stack_name(things: tuple[Thing, ...], lang: str) -> str:
    """Return what stands on a stack: how many, and the first and the last of them.

    >>> from topoviz.model.topology import Assembly, Child, Thing
    >>> node = Assembly(kind="node")
    >>> two = tuple(Thing(f"node{i}", Child(name=f"node{i}", group="node", index=i, assembly=node)) for i in (1, 2))
    >>> stack_name(two, "en")
    '2 × node 1–2'
    """
    first, last = name(things[0], lang), name(things[-1], lang)
    if len(things) == 1:
        return first
    number = last.rpartition(" ")[2]
    joined = (
        f"{first}–{number}"
        if first.rpartition(" ")[0] == last.rpartition(" ")[0] and number.isdigit()
        else f"{first} – {last}"
    )
    return f"{len(things):,} × {joined}"


def groups(inside: tuple[Thing, ...], rule: Rule) -> list[tuple[Thing, ...]]:
    """Return the children by group, in the order of the tiers, else network, host, GPU, scale-up."""
    names = dict.fromkeys(child.group for child in inside)
    groups = [in_order([child for child in inside if child.group == group], rule.first) for group in names]
    order = ORDER if any(child.kind == "pcie" for child in inside) else CARDS_FIRST
    return sorted(groups, key=lambda group: _rank(group[0], rule, order))


def _rank(thing: Thing, rule: Rule, order: tuple[str, ...]) -> tuple[int, int]:
    asked = min(rule.order.get(thing.group, 1000), rule.order.get(thing.kind, 1000))
    word = thing.group if thing.group in order else thing.kind
    return asked, order.index(word) if word in order else len(order)


def members(group: tuple[Thing, ...], rule: Rule) -> tuple[tuple[Thing, ...], ...]:
    """Return the things one by one, the equal ones beyond the budget together; what differs stays alone."""
    most = rule.full if group[0].children else LEAVES
    if len(group) <= most:
        return tuple((thing,) for thing in group)
    kept = rule.full if group[0].children else 8
    seen: Counter[int] = Counter()
    stacks: dict[int, list[Thing]] = {}
    members: list[list[Thing]] = []
    strange = odd(group)
    for thing in group:
        key = id(thing.assembly)
        seen[key] += 1
        alone = thing.id in strange or thing.id in rule.unfolded
        if alone or (seen[key] <= kept and key not in stacks):
            members.append([thing])
        elif key in stacks:
            stacks[key].append(thing)
        else:
            stacks[key] = [thing]
            members.append(stacks[key])
    return tuple(tuple(one) for one in members)
