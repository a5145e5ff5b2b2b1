"""One hop of each kind as a chain: the sender, everything that carries it, the receiver, with the rate of each link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from topoviz.drawing import amounts, frames
from topoviz.drawing import text as type_setting
from topoviz.drawing.amounts import Bandwidth
from topoviz.drawing.by_kind import Place, glyph_of
from topoviz.drawing.compose import NOTHING, below, free_text, shifted
from topoviz.drawing.hop_kinds import ROUTES, HopKind, Segment, kinds_of
from topoviz.drawing.layout import Block
from topoviz.drawing.look import fabric_of
from topoviz.drawing.messages import fill, message
from topoviz.drawing.pairs import name
from topoviz.drawing.scene import Box, Drawing, Item, Line, Text
from topoviz.drawing.scope import Scope
from topoviz.drawing.words import THINGS, link_name
from topoviz.model.topology import Thing

KEYS: Mapping[str, str] = MappingProxyType({"first": "how many kinds of hops are drawn, those with most hops first"})

GUTTER, APART = 138.0, 160.0  # right edge of the words, left edge of the chain
HIGH = 32.0
WIDTHS: Mapping[str, float] = MappingProxyType({"gpu": 58.0, "cpu": 62.0, "nic": 48.0, "pcie": 38.0})
WIDTH = 60.0  # of any other sign
LONGEST, SHORTEST = 150.0, 36.0  # u of a line between two signs
AROUND = 8.0  # from a sign to the frame of what holds it
ABOVE = 30.0  # from the upper edge of such a frame to the signs
BEHIND = 3.0  # u by which the second of several things sticks out
MOST = 5
NETWORK, CARDS = ("infiniband", "ethernet"), ("nic", "dpu")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A hop with the places of its signs: left edges and widths, and the y of the upper edge of all."""

    hop: HopKind
    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    top: float
    lang: str

    @property
    def middle(self) -> float:
        return self.top + HIGH / 2


def draw(block: Block, scope: Scope, width: float, height: float | None = None) -> Drawing:  # noqa: ARG001
    """Return a row for each kind of hop; nothing if nothing is highlighted.

    71 hops        ┌─────┐ 900 GB/s ⬡⬡ 900 GB/s ┌─────┐
    over NVLink 5  │GPU 0│ ────────▸ 18 ────────▸ │GPU 1│
    900 GB/s       └─────┘ NVLink 5  NVSwitch      └─────┘
    """
    found = kinds_of(scope)
    if not found:
        return NOTHING
    most = int(block.options.get("first", MOST))
    rings = _rings(scope)
    rows = [_row(one, width, scope.lang, rings) for one in _marked(found)[:most]]
    said = _beside(scope, len(found) - most, rings)
    if said:
        lines = [line for text in said for line in type_setting.wrap(text, width, 12, 2)]
        texts = [Text(x=0, y=14 + 16 * i, content=line, size=12, fill="ink2") for i, line in enumerate(lines)]
        rows.append(Drawing(width=width, height=4 + 16 * len(lines), items=free_text(texts)))
    return below(rows, [14.0] * (len(rows) - 1))


def _rings(scope: Scope) -> int:
    """Return how many rings of equal length there are; 0 if the hops of one say nothing about the others."""
    routes = scope.findings.routes
    same = all(route.shape == "ring" and len(route.nodes) == len(routes[0].nodes) for route in routes)
    return len(routes) if same else 0


def _marked(found: Sequence[HopKind]) -> list[HopKind]:
    """Return the hops as they are, without a mark if every link sets the bandwidth: then none stands out."""
    if not all(segment.narrowest for one in found for segment in one.segments):
        return list(found)
    return [replace(one, segments=tuple(replace(s, narrowest=False) for s in one.segments)) for one in found]


def _beside(scope: Scope, more: int, rings: int) -> tuple[str, ...]:
    """Return what the rows do not show: kinds without a row, rings that run beside the first."""
    said = []
    if rings > 1:
        own = "{count} rings run at once, each over network cards of its own; hops are counted in one of them."
        template = own if _apart(scope) else "{count} rings run at once; hops are counted in one of them."
        said.append(fill(template, {"count": amounts.count(rings)}, scope.lang))
    if more > 0:
        said.append(fill("{count} more kinds of hops are not drawn.", {"count": str(more)}, scope.lang))
    return tuple(said)


def _apart(scope: Scope) -> bool:
    """Return whether no two of the first rings use the same network card."""
    seen: set[str] = set()
    for route in scope.findings.routes[:ROUTES]:
        vias = {name for hop in route.hops if hop.kind in NETWORK for name in hop.via}
        cards = {name for name in vias if scope.topology.thing(name).kind in CARDS}
        if not cards or cards & seen:
            return False
        seen |= cards
    return True


def _row(hop: HopKind, width: float, lang: str, rings: int) -> Drawing:
    frames_ = _framed(hop)
    top = ABOVE if frames_ else 18.0
    chain = _chain(hop, width - APART, top, lang)
    items: list[Item] = [_frame(chain, first, last, thing) for first, last, thing in frames_]
    edges = {first - 1 for first, _, _ in frames_} | {last for _, last, _ in frames_}
    for i, segment in enumerate(hop.segments):
        items.extend(_line(chain, i, segment, crosses=i in edges, leaves=any(last == i for _, last, _ in frames_)))
    for i, stage in enumerate(hop.stages):
        items.extend(_sign(chain, i, stage))
    height = top + HIGH + (AROUND + 14 if frames_ else 18)
    words = _words(hop, lang, chain.middle, rings)
    moved = shifted(Drawing(width=width, height=height, items=tuple(items)), APART, 0)
    return Drawing(width=width, height=height, items=(*moved, *free_text(words)))


def _words(hop: HopKind, lang: str, middle: float, rings: int) -> list[Text]:
    """Return what stands beside a chain: how many hops, over what, at which rate."""
    kinds = [segment for segment in hop.segments if segment.kind]
    slowest = min(kinds, key=lambda one: (one.rate is None, one.rate or 0.0), default=None)
    count = amounts.count(hop.least, hop.most)
    lines = [(fill("{count} hops", {"count": count}, lang), True, "ink")] if rings else []
    if slowest is not None:
        over = link_name(slowest.kind, slowest.names)
        lines.append((fill("over {link}", {"link": over}, lang), not rings, "ink2" if rings else "ink"))
    rate = Bandwidth(low=hop.rate, high=hop.rate).text(lang)
    lines.append((rate, False, "alert" if hop.narrowest else "ink2"))
    if hop.narrowest:
        lines.append((message("sets the bandwidth", lang), True, "alert"))
    y = middle - 8 * len(lines) + 12
    return [
        Text(x=GUTTER, y=y + 16 * i, content=said, size=13 if i == 0 else 12, bold=bold, fill=ink, anchor="end")
        for i, (said, bold, ink) in enumerate(lines)
    ]


def _chain(hop: HopKind, room: float, top: float, lang: str) -> Chain:
    """Return where the signs of a hop stand: lines as long as the room allows, signs smaller if they must be."""
    wishes = [WIDTHS.get(stage[0].kind, WIDTH) for stage in hop.stages]
    inner = room - 2 * AROUND - BEHIND
    between = len(hop.segments)
    factor = min(1.0, (inner - SHORTEST * between) / sum(wishes))
    widths = tuple(wish * factor for wish in wishes)
    line = min(LONGEST, (inner - sum(widths)) / between) if between else 0.0
    lefts = [AROUND]
    for width in widths[:-1]:
        lefts.append(lefts[-1] + width + line)
    return Chain(hop=hop, lefts=tuple(lefts), widths=widths, top=top, lang=lang)


def _framed(hop: HopKind) -> tuple[tuple[int, int, Thing], ...]:
    """Return first and last stage of what stands in one thing, where sender and receiver stand in different ones."""
    source, target = hop.stages[0][0], hop.stages[-1][0]
    shared = {above.id for above in source.chain} & {above.id for above in target.chain}
    found: list[tuple[int, int, Thing]] = []
    for i, stage in enumerate(hop.stages):
        around = _outermost(stage, shared)
        if around is None:
            continue
        if found and found[-1][2].id == around.id and found[-1][1] == i - 1:
            found[-1] = (found[-1][0], i, around)
        else:
            found.append((i, i, around))
    return tuple(found)


def _outermost(stage: Sequence[Thing], shared: set[str]) -> Thing | None:
    """Return the outermost thing round all of a stage that does not hold both ends of the hop."""
    chains = [[above for above in thing.chain[:-1] if above.id not in shared] for thing in stage]
    first = chains[0][0] if chains[0] else None
    return first if first is not None and all(one and one[0].id == first.id for one in chains) else None


def _frame(chain: Chain, first: int, last: int, thing: Thing) -> Item:
    left = chain.lefts[first] - AROUND
    right = chain.lefts[last] + chain.widths[last] + AROUND
    return frames.enclosure(
        thing.id,
        left,
        chain.top - ABOVE,
        right - left,
        HIGH + ABOVE + AROUND + 10,
        name(thing, chain.lang),
        kind=thing.kind,
    )


def _line(chain: Chain, i: int, segment: Segment, *, crosses: bool, leaves: bool) -> Iterator[Item]:
    """Yield the line between two signs, its rate above it and its name below, as far as they fit.

    Where the line ``crosses`` the edge of a frame, the words stand outside of it.
    """
    near, far = chain.hop.stages[i], chain.hop.stages[i + 1]
    start = chain.lefts[i] + chain.widths[i] + (BEHIND if len(near) > 1 else 0)
    end = chain.lefts[i + 1]
    token = "alert" if segment.narrowest else f"{fabric_of(segment.kind)}.line"
    line = Line(
        points=((start, chain.middle), (end, chain.middle)),
        stroke=token,
        width=3,
        end="arrow",
        tip=min(9.0, end - start),
    )
    data = (("source", near[0].id), ("target", far[0].id), ("kind", segment.kind))
    title = link_name(segment.kind, segment.names)
    yield Item(role="route", layer="route", shapes=(line,), kind="route", data=data, title=title)
    left, right = start, end
    if crosses:
        left, right = (start + AROUND, end) if leaves else (start, end - AROUND)
        if leaves and _enters(chain, i):
            right -= AROUND
    room = right - left - 2
    texts = []
    for said, y in ((_rate(segment, room, chain.lang), -6.0), (title, 17.0)):
        if said and type_setting.width(said, 12) <= room:
            ink = "alert" if segment.narrowest and y < 0 else "ink2"
            texts.append(
                Text(x=(left + right) / 2, y=chain.middle + y, content=said, size=12, anchor="middle", fill=ink)
            )
    yield from free_text(texts)


def _enters(chain: Chain, i: int) -> bool:
    """Return whether a line ends inside a frame."""
    return any(first == i + 1 for first, _, _ in _framed(chain.hop))


def _rate(segment: Segment, room: float, lang: str) -> str:
    """Return the rate with its unit if that fits, else the number alone; the caption says its unit."""
    if segment.rate is None:
        return ""
    whole = Bandwidth(low=segment.rate, high=segment.rate).number(lang)
    return whole if type_setting.width(whole, 12) <= room else f"{segment.rate:.4g}"


def _sign(chain: Chain, i: int, stage: Sequence[Thing]) -> Iterator[Item]:
    """Yield the sign of a stage; several things are one behind the other, with their number below."""
    x, width = chain.lefts[i], chain.widths[i]
    first = stage[0]
    place = Place(x=x, y=chain.top, width=width, height=HIGH)
    if len(stage) == 1:
        label, said = _label(first, width, chain.lang)
    else:
        label, said = f"{len(stage)} ×", _word(first, chain.lang)
        yield Item(role="decor", layer="switch", shapes=(_behind(first, place),))
    yield glyph_of(first, place, label, lang=chain.lang, side="")
    if not said:
        return
    content, size = type_setting.fit(said, width + 2 * AROUND - 2, 12)
    yield from free_text(
        [Text(x=x + width / 2, y=chain.top + HIGH + 17, content=content, size=size, anchor="middle", fill="ink2")]
    )


def _label(thing: Thing, width: float, lang: str) -> tuple[str, str]:
    """Return what stands in the sign of a thing and below it.

    In a narrow sign only its word stands, for a number alone would not say of what; in a still
    narrower one nothing, and the word below.
    """
    said = name(thing, lang)
    word, _, number = said.rpartition(" ")
    if thing.kind == "pcie":
        return "SW", ""
    edge = 8 if thing.kind in {"gpu", "nic"} else 16  # points of a hexagon, the second outline of a CPU
    short = word if word and number.isdigit() else said
    for one in (said, short):
        if type_setting.width(one, 12, bold=thing.kind != "nic") <= width - edge:
            return one, ""
    return "", short


def _behind(thing: Thing, place: Place) -> Box:
    """Return the outline of the next of several things, behind the first."""
    (box, *_) = glyph_of(thing, place, "").shapes
    shape = box if isinstance(box, Box) else Box(x=place.x, y=place.y, width=place.width, height=place.height)
    return Box(
        x=shape.x + BEHIND,
        y=shape.y - BEHIND,
        width=shape.width,
        height=shape.height,
        shape=shape.shape,
        radius=shape.radius,
        point=shape.point,
        fill="bg",
        stroke=shape.stroke,
        stroke_width=1,
    )


def _word(thing: Thing, lang: str) -> str:
    """Return what one of several is called: ``NVSwitch``, ``spine``."""
    return message(thing.group if thing.kind == "switch" else THINGS.get(thing.kind, thing.group), lang)
