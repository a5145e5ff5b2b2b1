"""The grammar of layout files: blocks, tiers, lines, and the keys that each view has of its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from topoviz.model.grammar import (
    FORMS,
    NAME,
    OVERLAYS,
    SELECTOR,
    SHOWN,
    TEXT,
    TEXTS,
    TRUTH,
    WORD,
    Form,
    Key,
    Type,
    form,
    list_of,
    map_of,
    one,
    some,
    whole,
)

LINES = Type(rule="lines")  # one text or several
GUTTER = Type(rule="gutter")  # one or two lines, or false
WORDS = Type(rule="list or one", of=WORD)
ASKED = ("highlight", "size", "compute", "job", "model", "mig", "faults", "found")
EACH = ("panel", "route", "group", "tier", "finding", "growth")
SHAPES = ("box", "bar", "card", "chip", "row", "strip", "stack", "micro")
STROKES = ("lanes", "trunks", "beads", "crossbar", "fan", "arrows", "stub")
FIELDS = list_of(form("field"))
FACTS = list_of(list_of(TEXTS))


def _key(name: str, type_: Type, help_: str, default: str = "", *, required: bool = False) -> Key:
    return Key(name=name, type=type_, help=help_, default=default, required=required)


TIERS = _key("tiers", list_of(form("tier")), "Rows, from top to bottom.")
RULES = _key("lines", list_of(form("line")), "Which links are drawn, and how.")
COLUMNS = _key("columns", SELECTOR, "What makes a column.")
OF = _key("of", SELECTOR, "What it shows; several match: the first stands for all.", "all")
LABEL = _key("label", TEXTS, "What is written on each.")
KIND = _key("kind", WORDS, "Kind of link, or several.", "any")
FIELD_LIST = _key("fields", FIELDS, "Computed fields, or {field, head, bars, when}.")
FRAME = _key("frame", SELECTOR, "`here` for one enclosure round everything, or the tiers inside it.")
AXIS = _key("axis", LINES, "Words for the axes.")
TICKS = _key("ticks", Type(rule="ticks"), "Every so many get a number; or a gap after each of these.")
MARK = _key("mark", SELECTOR, "What is outlined.")
OPEN = _key("open", SELECTOR, "One unit in full, the others as cards.")
FIRST = _key("first", whole(1, 1000), "So many are drawn, or have a number.")
PER_ROW = _key("per_row", whole(1, 100), "How many in a row.")

# the keys of each view beside those of every block
VIEWS: Mapping[str, tuple[Key, ...]] = MappingProxyType({
    "tiers": (
        COLUMNS, FRAME, TIERS, RULES,
        _key(
            "route",
            one("in-place", "over-hosts"),
            "`in-place` draws the highlighted route in the picture, `over-hosts` only one that runs over PCIe and CPUs.",
        ),
        _key("otherwise", one("nested"), "What draws it where rows have no room, or the audit finds a flaw in them."),
    ),
    "nested": (TIERS, RULES),
    "ports": (),
    "crossbar": (
        COLUMNS, TIERS, RULES, OPEN,
        _key("bars", SELECTOR, "What makes a bar."),
        _key("group", one("same"), "`same`: bars wired alike are one."),
    ),
    "bands": (COLUMNS, TIERS, RULES, OPEN, _key("bands", SELECTOR, "What makes a band.")),
    "elevation": (
        TICKS, AXIS,
        _key("marks", SELECTOR, "Kinds of things drawn inside each row, so that they can be counted."),
        _key("brackets", LINES, "One or two texts beside each run of equal things."),
        _key("free", TEXTS, "What is said beside empty units."),
    ),
    "matrix": (
        KIND, TICKS, MARK, AXIS,
        _key("row_of", SELECTOR, "What makes a row."),
        _key("column_of", SELECTOR, "What makes a column."),
        _key("cell", one("count", "rate", "route", "state"), "What a cell says.", "count"),
    ),
    "circle": (OF, LABEL),
    "mesh": (OF, KIND, LABEL),
    "torus": (OF, KIND, LABEL),
    "tree": (OF, LABEL),
    "steps": (_key("frames", Type(rule="frames"), "`all`, or how many."), PER_ROW),
    "chunks": (FIELD_LIST,),
    "times": (FIELD_LIST,),
    "hops": (FIRST,),
    "timeline": (_key("pieces", whole(1, 64), "Into how many pieces the exchange is cut; 8 if not said."),),
    "groups": (
        _key("rows", NAME, "Kind of group that makes a row."),
        _key("columns", NAME, "Kind of group that makes a column."),
        _key("cell", NAME, "Kind of group that makes a hull."),
        LABEL, TIERS, RULES,
    ),
    "blocks": (_key("per", one("link"), "What a block is."), FIELD_LIST, KIND, AXIS),
    "tanks": (TICKS, PER_ROW),
    "slices": (),
    "findings": (FIELD_LIST, FIRST),
    "table": (FIELD_LIST, MARK),
    "bars": (FIELD_LIST, MARK),
    "facts": (_key("facts", FACTS, "Facts, each a head and up to two lines."),),
    "key": (),
    "graph": (_key("engine", one("dot", "neato", "fdp", "sfdp", "circo", "twopi"), "The program of Graphviz that places things.", "dot"),),
})  # fmt: skip

BLOCK: tuple[Key, ...] = (
    _key("view", one(*VIEWS), "What is drawn here."),
    _key("rows", list_of(form("block")), "Blocks under each other."),
    _key("columns", list_of(form("block")), "Blocks beside each other."),
    _key("share", Type(rule="real", least=0.5, most=12), "Its part of twelve, beside its neighbours.", "equal"),
    _key("layout", TEXT, "The blocks of another layout; `suited` is the one that would be chosen."),
    _key("each", one(*EACH), "Repeated for each of these."),
    _key("head", TEXTS, "A heading."),
    _key("note", LINES, "A remark below."),
    OF,
    _key(
        "when",
        some(*ASKED, "route", "routes", "hosts"),
        "Drawn only if the picture asks for all of these; `route`: for one; `routes`: for several; `hosts`: if there are CPUs or PCIe switches.",
    ),
    _key("hide", SELECTOR, "What to leave out."),
    _key("overlay", some(*OVERLAYS, others=SHOWN), "What lies over it."),
    _key("gutter", GUTTER, "Gutter of all tiers and lines that have none of their own."),
    _key("plate", TEXTS, "Plate of all lines that have none of their own."),
    _key("through", SELECTOR, "Hidden parts of these kinds are bridged."),
)
HEAD: tuple[Key, ...] = (
    _key("$schema", TEXT, "For editors; ignored."),
    _key("summary", TEXT, "What it draws, in a sentence."),
    _key("suits", list_of(form("suit")), "What it is for: one of these must hold.", "only by name"),
    _key("title", TEXTS, "Title of the picture."),
    _key("subtitle", TEXTS, "Subtitle of the picture."),
    _key("caption", LINES, "Caption of the picture, one or more lines."),
)
FITS = map_of(whole(0))
NEEDS = ("view", "rows", "columns", "layout", "each")
EXAMPLE = "a block is {view: tiers, …}, or rows or columns of blocks, or {layout: NAME}"


def block_form(view: str, *, root: bool = False) -> Form:
    """Return the form of a block with that view; its own keys come first and win.

    >>> block_form("matrix").key("row_of").help
    'What makes a row.'
    """
    own = VIEWS.get(view, ())
    names = {key.name for key in own}
    keys = (*own, *(key for key in BLOCK if key.name not in names))
    called = "" if root else "block"
    return Form(
        keys=(*HEAD, *keys) if root else keys, called=called, needs=NEEDS, example=EXAMPLE, short="", counted=""
    )


LAYOUT_FORMS: Mapping[str, Form] = MappingProxyType({
    "field": FORMS["field"],
    "tier": Form(
        called="tier",
        short="show",
        keys=(
            _key("show", SELECTOR, "What stands in this row; nothing found, nothing drawn.", required=True),
            _key("as", one(*SHAPES), "How each is drawn.", "by kind"),
            _key("over", SELECTOR, "A bar as wide as these."),
            _key("holds", SELECTOR, "What is drawn inside."),
            LABEL,
            _key("right", TEXTS, "What is written at its right end."),
            _key("gutter", GUTTER, "Two lines beside the row, or false.", "computed"),
            _key("full", whole(0), "So many in full, the others as thin rows.", "all"),
            _key("rest", LINES, "Label of the others."),
            TIERS,
        ),
    ),
    "line": Form(
        called="line",
        short="kind",
        keys=(
            _key("kind", WORDS, "Kind of link, or several.", required=True),
            _key("between", Type(rule="pair"), "The two tiers between which they run.", "any"),
            _key("as", one(*STROKES), "How they are drawn.", "by number"),
            _key("plate", TEXTS, "A text on the line."),
            LABEL,
            _key("toward", one("up", "down", "both", "left", "right"), "Where stubs and arrows point."),
            _key("gutter", GUTTER, "Two lines beside them, or false.", "computed"),
            _key("one", TEXT, "All links of this one, as a fan."),
            _key("rest", one("stub"), "How the links of the others are drawn."),
        ),
    ),
    "suit": Form(
        called="suit",
        keys=(
            _key("kind", WORDS, "The thing is of this kind."),
            _key("part", WORDS, "The thing is this part."),
            _key("has", WORDS, "Somewhere inside is such a kind, role or link."),
            _key("lacks", WORDS, "Nowhere inside is such a kind, role or link."),
            _key("min", FITS, "At least so many, by kind."),
            _key("max", FITS, "At most so many, by kind."),
            _key("wired", one("mesh", "partial-mesh", "torus", "rail", "tiers", "tree"), "How it is wired."),
            _key("alone", TRUTH, "The picture shows nothing else, so there is a whole page for it."),
            *(
                _key(name, Type(rule="true or words"), f"The picture asks for {name}: true, or one of these words.")
                for name in ("highlight", "panels", "job", "model", "mig", "size", "compute", "faults", "found")
            ),
        ),
    ),
})  # fmt: skip
