"""Who is drawn in a tiers view: units, and the links between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from topoviz.drawing import ordered
from topoviz.drawing.layout import Block, LineRule, Tier
from topoviz.drawing.scope import Scope
from topoviz.model.odd import odd
from topoviz.model.selectors import pick
from topoviz.model.sums import together
from topoviz.model.topology import Link, Thing

HOST = ("pcie", "c2c")
BETWEEN_CPUS = ("upi", "qpi", "smp", "xgmi")
NETWORK = ("infiniband", "ethernet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What is drawn as one glyph: one thing, or several merged into a strip."""

    id: str
    things: tuple[Thing, ...]
    tier: int
    form: str  # box bar card chip strip micro stack row

    @property
    def kind(self) -> str:
        return self.things[0].kind

    @property
    def thing(self) -> Thing:
        return self.things[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """All links of one kind between two units; ``upper`` stands in the higher tier."""

    upper: str
    lower: str
    kind: str
    links: int
    bandwidth: float | None
    parts: tuple[Link, ...]

    @property
    def state(self) -> str:
        """Return what all parts say, else degraded."""
        return together(part.state for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Units by tier, the joins between them, and what is left out."""

    tiers: tuple[Tier, ...]
    units: tuple[tuple[Unit, ...], ...]
    joins: tuple[Join, ...]
    ports: Mapping[str, str]  # unit with a network port that leads out of the picture -> kind
    inner: Mapping[str, tuple[tuple[Unit, ...], ...]]  # what stands inside an opened card or row, by inner tier

    rules: Mapping[tuple[str, str, str], LineRule]  # the line entry of each join

    def unit(self, unit_id: str) -> Unit:
        """Return the unit of that id, opened ones included."""
        opened = (row for group in self.inner.values() for row in group)
        return next(unit for row in (*self.units, *opened) for unit in row if unit.id == unit_id)

    def rule(self, join: Join) -> LineRule | None:
        """Return the line entry that draws a join."""
        return self.rules.get((join.upper, join.lower, join.kind))


FORMS = {"cpu": "bar", "nvswitch": "bar", "switch": "chip"}


def cast(block: Block, scope: Scope, roots: Sequence[Thing], *, merge: bool) -> Cast:
    """Return who is drawn; ``merge`` makes one strip of each tier of several bars."""
    hidden = {thing.id for thing in pick(scope.topology, roots, block.hide)} if block.hide else set()
    hidden |= {thing.id for thing in pick(scope.topology, roots, scope.request.hide)} if scope.request.hide else set()
    taken = set(hidden)
    closed: set[str] = set()  # containers drawn as one: what is in them is not drawn again
    tiers: list[Tier] = []
    rows: list[tuple[Unit, ...]] = []
    inner: dict[str, tuple[tuple[Unit, ...], ...]] = {}
    first = ordered.places(scope, roots) if scope.request.order else {}
    for tier in block.tiers:
        things = tuple(
            t for t in pick(scope.topology, roots, tier.show) if t.id not in taken and not _inside(t, closed)
        )
        if not things:
            continue
        if tier.drawn_as in {"micro", "stack"}:
            closed.update(t.id for t in things)
        taken.update(t.id for t in things)
        things = ordered.in_order(things, first)
        rows.append(_units(tier, len(tiers), things, merge=merge, owners=_owners(tier, scope, roots)))
        for unit in opened(tier, rows[-1], scope):
            inner[unit.id] = tuple(
                _units(sub, len(tiers), found, merge=False)
                for sub in tier.tiers
                if (found := tuple(t for t in pick(scope.topology, [unit.thing], sub.show) if t.id not in hidden))
            )
        tiers.append(tier)
    joins = tuple(_joins(block, scope, rows, inner))
    rules = {(j.upper, j.lower, j.kind): rule for j in joins if (rule := rule_for(block.lines, scope, j.parts[0]))}
    return Cast(
        tiers=tuple(tiers), units=tuple(rows), joins=joins, ports=_ports(block, rows, joins), inner=inner, rules=rules
    )


def _inside(thing: Thing, closed: set[str]) -> bool:
    above = thing.parent
    while above is not None and above.id not in closed:
        above = above.parent
    return above is not None


MOST_OPENED = 6


def opened(tier: Tier, units: Sequence[Unit], scope: Scope) -> tuple[Unit, ...]:
    """Return the units of a tier that are drawn with what is inside them.

    All, or the first ``full``; and those that somebody asked for (``unfold``) or
    that differ from their siblings, for a difference is never folded away.
    """
    if not tier.tiers:
        return ()
    if tier.full is None:
        return tuple(units)
    asked = {t.id for t in pick(scope.topology, scope.roots, scope.request.unfold)} if scope.request.unfold else set()
    special = [u for u in units[tier.full :] if u.id in asked]
    strange = odd([u.thing for u in units])
    special += [u for u in units[tier.full :] if u.id in strange and u not in special]
    folded = {t.id for t in pick(scope.topology, scope.roots, scope.request.fold)} if scope.request.fold else set()
    found = (*units[: tier.full], *special[: max(0, MOST_OPENED - tier.full)])
    return tuple(unit for unit in found if unit.id not in folded)


MERGED = ("nvswitch", "switch")  # bars of these kinds may be drawn as one
MOST_BOXES = 64  # of one kind side by side
MOST_MARKS = 16  # more containers than this in a row are one stack with their number


def _owners(tier: Tier, scope: Scope, roots: Sequence[Thing]) -> tuple[str, ...]:
    """Ids of the containers by which a strip is divided (`over`); none: one strip for all."""
    if tier.drawn_as != "strip" or not tier.over:
        return ()
    found = pick(scope.topology, roots, tier.over)
    return tuple(t.id for t in found) if len(found) <= MOST_MARKS else ()


def _units(
    tier: Tier, index: int, things: Sequence[Thing], *, merge: bool, owners: Sequence[str] = ()
) -> tuple[Unit, ...]:
    form = tier.drawn_as or FORMS.get(things[0].kind, "box")
    if (form == "micro" and len(things) > MOST_MARKS) or (form == "box" and len(things) > MOST_BOXES):
        form = "stack"
    strip = form == "strip" or (merge and form == "bar" and things[0].kind in MERGED and len(things) > 1)
    if not strip and form != "stack":
        return tuple(Unit(id=t.id, things=(t,), tier=index, form=form) for t in things)
    groups: dict[str, list[Thing]] = {}
    for thing in things:
        own = next((o for o in owners if thing.id.startswith(f"{o}/")), "")
        if tier.drawn_as != "strip" and strip and thing.parent is not None:
            own = thing.parent.id  # chips of two boards are not one bar
        groups.setdefault(own, []).append(thing)
    return tuple(
        Unit(id=group[0].id, things=tuple(group), tier=index, form="strip" if strip else "stack")
        for group in groups.values()
    )


def _joins(
    block: Block, scope: Scope, rows: Sequence[Sequence[Unit]], inner: Mapping[str, tuple[tuple[Unit, ...], ...]]
) -> Iterable[Join]:
    owner = {t.id: unit for row in rows for unit in row for t in unit.things}
    owner.update({t.id: unit for group in inner.values() for row in group for unit in row for t in unit.things})
    links = bridged(scope, tuple(owner), block.through)
    found: dict[tuple[str, str, str], list[Link]] = {}
    for link in links:
        rule = rule_for(block.lines, scope, link)
        if rule is None:
            continue
        a, b = owner[link.source], owner[link.target]
        if a.id == b.id:
            continue
        first, second = (a, b) if a.tier <= b.tier else (b, a)
        found.setdefault((first.id, second.id, link.kind), []).append(link)
    for (upper, lower, kind), parts in found.items():
        rates = [part.bandwidth for part in parts]
        total = None if any(rate is None for rate in rates) else sum(rate for rate in rates if rate is not None)
        yield Join(
            upper=upper,
            lower=lower,
            kind=kind,
            links=sum(part.links for part in parts),
            bandwidth=total,
            parts=tuple(parts),
        )


def rule_for(lines: Sequence[LineRule], scope: Scope, link: Link) -> LineRule | None:
    """Return the line entry that draws this link: kind, and the two ends where it names them."""
    for rule in lines:
        if link.kind in rule.kind and (rule.between is None or _between(rule.between, scope, link)):
            return rule
    return None


def _between(words: tuple[str, str], scope: Scope, link: Link) -> bool:
    a, b = scope.topology.thing(link.source), scope.topology.thing(link.target)
    first, second = words
    return (_is(scope, a, first) and _is(scope, b, second)) or (_is(scope, a, second) and _is(scope, b, first))


def _is(scope: Scope, thing: Thing, word: str) -> bool:
    """A kind, a group, a name or a role; a server or a rack stands for the cards inside it."""
    if word in {thing.kind, thing.group, thing.name} or scope.topology.roles.get(thing.id) == word:
        return True
    return word == "nic" and (thing.kind == "dpu" or bool(thing.assembly.children))


def bridged(scope: Scope, shown: Sequence[str], through: Sequence[str]) -> tuple[Link, ...]:
    """Return the folded links between shown things; parts of a kind in ``through`` are bridged.

    A bridged part with links on both sides is replaced by one link between its
    neighbours, at the slower rate.
    """
    if not through:
        return scope.topology.fold(shown)
    owners = {scope.topology.thing(item).parent for item in shown}
    middle = [
        t.id
        for owner in sorted((o for o in owners if o is not None), key=lambda o: o.id)
        for t in owner.children
        if t.kind in through and t.id not in shown
    ]
    links = scope.topology.fold([*shown, *middle])
    hidden = set(middle)
    kinds = {end: scope.topology.thing(end).kind for link in links for end in (link.source, link.target)}
    kept = [link for link in links if link.source not in hidden and link.target not in hidden]
    for hub in middle:
        kept.extend(_across(hub, links, hidden, kinds))
    return tuple(kept)


def _across(hub: str, links: Iterable[Link], hidden: set[str], kinds: Mapping[str, str]) -> Iterable[Link]:
    spokes = [
        (link.target if link.source == hub else link.source, link)
        for link in links
        if hub in {link.source, link.target} and not {link.source, link.target} <= hidden
    ]
    for i, (a, first) in enumerate(spokes):
        for b, second in spokes[i + 1 :]:
            if kinds.get(a) == kinds.get(b):
                continue  # two GPUs behind one switch are not joined by a link of their own
            slower = min((first, second), key=lambda x: x.bandwidth if x.bandwidth is not None else float("inf"))
            yield Link(
                source=a,
                target=b,
                kind=slower.kind,
                links=1,
                bandwidth=slower.bandwidth,
                nccl=slower.nccl,
                link=slower.link,
                state=slower.state,
            )


def _ports(block: Block, rows: Sequence[Sequence[Unit]], joins: Sequence[Join]) -> dict[str, str]:
    """Return units with a network port and no network line in this picture, if the layout draws stubs."""
    kinds = {kind for rule in block.lines if rule.drawn_as == "stub" or not rule.between for kind in rule.kind}
    wired = {end for join in joins if join.kind in NETWORK for end in (join.upper, join.lower)}
    out: dict[str, str] = {}
    for row in rows:
        for unit in row:
            if unit.id in wired or unit.kind not in {"nic", "dpu"}:
                continue
            for port in unit.thing.assembly.ports or ():
                if port.kind in kinds and port.kind in NETWORK:
                    out.setdefault(unit.id, port.kind)
    return out
