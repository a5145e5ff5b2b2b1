"""The grammar of the language: every key with its type, its default and a sentence of help.

One table for documents, parts and what is in them; ``layout_grammar.py`` holds that of layout
files. The form check (``forms.py``) is driven by it, and the JSON Schema (``schema.py``) and
the reference in the docs are written from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

EMPTY: Mapping[str, str] = MappingProxyType({})
MOST_THINGS = 10_000_000  # a count, links of a pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """What may stand under a key. ``rule`` names the check in ``scalars.py``, ``selected.py`` or ``forms.py``."""

    rule: str
    of: Type | None = None  # of the elements of a list, the values of a mapping
    form: str = ""  # the form of a mapping
    words: tuple[str, ...] = ()
    least: float = 0
    most: float = MOST_THINGS
    nullable: bool = False  # null says that nobody knows
    others: Mapping[str, str] = field(default_factory=lambda: EMPTY)  # words of other tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of a mapping."""

    name: str
    type: Type
    help: str
    default: str = ""  # as the documentation says it
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A mapping with known keys. A text stands for the key ``short``, ``N x`` before it for ``counted``.

    ``called`` is how an error names it, empty for a whole file. ``sentences`` are
    hints for keys that other tools have and that mean something else here.
    """

    keys: tuple[Key, ...]
    called: str = ""
    short: str = ""
    counted: str = ""
    needs: tuple[str, ...] = ()  # one of these must be there
    example: str = ""
    also: tuple[str, ...] = ()  # and one of these
    also_example: str = ""
    apart: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )  # what cannot stand beside a key
    others: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    sentences: Mapping[str, str] = field(default_factory=lambda: EMPTY)

    def key(self, name: str) -> Key | None:
        """Return the key of that name, or None."""
        return next((key for key in self.keys if key.name == name), None)


def one(*words: str, others: Mapping[str, str] = EMPTY) -> Type:
    """Return the type of one word of a closed list."""
    return Type(rule="one", words=words, others=others)


def some(*words: str, others: Mapping[str, str] = EMPTY) -> Type:
    """Return the type of one or several words of a closed list."""
    return Type(rule="some", words=words, others=others)


def whole(least: float = 1, most: float = MOST_THINGS) -> Type:
    """Return the type of a whole number in a range."""
    return Type(rule="whole", least=least, most=most)


def form(name: str) -> Type:
    """Return the type of a mapping of that form."""
    return Type(rule="form", form=name)


def list_of(of: Type) -> Type:
    """Return the type of a list."""
    return Type(rule="list", of=of)


def map_of(of: Type, rule: str = "map") -> Type:
    """Return the type of a mapping from names to something."""
    return Type(rule=rule, of=of)


TEXT = Type(rule="text")  # one text
TEXTS = Type(rule="texts")  # one text, or one for each language
SAID = Type(rule="said")  # the same, or true or false
NAME = Type(rule="name")  # of a part, a layout, a variant …
PART = Type(rule="part")
WORD = Type(rule="word")  # a kind, in lower case
LINK_KIND = Type(
    rule="word",
    others=MappingProxyType(
        {"ib": "infiniband", "eth": "ethernet", "roce": "ethernet", "nvl": "nvlink", "pci": "pcie", "pci-e": "pcie"}
    ),
)
NUMBER = Type(rule="number", least=1)  # a whole number, or the name of a parameter
NUMBERS = Type(rule="numbers", least=1)  # one of these or a list
HOPS = list_of(whole())
TRUTH = Type(rule="truth")
RATE = Type(rule="rate")
SIZE = Type(rule="size")
SELECTOR = Type(rule="selector")
ANY = Type(rule="any")
ENTRIES = map_of(form("entry"), "entries")
PARTS = map_of(form("part"), "named")
ARGUMENTS = map_of(Type(rule="number", least=0))
MIG = Type(rule="mig")
STATES = one(
    "up",
    "down",
    "degraded",
    "spare",
    others=MappingProxyType({"failed": "down", "broken": "down", "off": "down", "ok": "up", "slow": "degraded"}),
)
OVERLAYS = ("load", "bottleneck", "groups", "memory", "faults")
DETAILS = ("stacks", "marks", "ids", "full")
SUFFIXES = (".svg", ".png", ".pdf", ".html")
SHOWN = MappingProxyType(
    {"heat": "load", "heatmap": "load", "traffic": "load", "utilization": "load", "errors": "faults", "job": "groups"}
)

# words of other tools for keys; each counts where the right word is a key
OTHER_KEYS: Mapping[str, str] = MappingProxyType({
    "type": "kind", "source": "from", "src": "from", "target": "to", "dst": "to", "destination": "to", "speed": "bandwidth",
    "rate": "bandwidth", "bw": "bandwidth", "throughput": "bandwidth", "nodes": "contains", "devices": "contains",
    "children": "contains", "components": "contains", "edges": "wires", "links": "wires", "connections": "wires", "cables": "wires",
    "interfaces": "ports", "replicas": "count", "number": "count", "num": "count", "amount": "count", "quantity": "count",
    "label": "title", "caption": "title", "heading": "title", "description": "note", "comment": "note", "desc": "note",
    "extends": "part", "base": "part", "uses": "part", "model": "part", "params": "parameters", "lanes": "links", "multiplicity": "links",
    "position": "slot", "unit": "slot", "u": "slot", "units": "height", "rack_units": "height", "mem": "memory", "vram": "memory",
    "imports": "include", "import": "include", "includes": "include", "language": "lang", "locale": "lang", "style": "theme",
    "output": "file", "path": "file", "filename": "file", "exclude": "except", "filter": "show", "select": "show", "collapse": "fold",
    "expand": "unfold", "bytes": "size", "buffer": "size", "algorithm": "highlight", "template": "layout", "zoom": "scale",
    "figures": "pictures", "diagrams": "pictures", "outputs": "pictures", "overrides": "changes", "faults": "changes", "status": "state",
    "removed": "absent", "missing": "absent", "method": "rule", "pattern": "rule", "strategy": "rule", "tensor_parallel": "tp",
    "pipeline_parallel": "pp", "data_parallel": "dp", "batch_size": "micro_batch", "seq": "sequence", "seq_len": "sequence",
    "num_layers": "layers", "hidden_size": "hidden", "num_experts": "experts", "blocking": "oversubscription",
})  # fmt: skip
THEMES = "a theme colours; overlay: load colours links by how busy they are"
PLACES = "a layout places; show, hide, fold and order say what is drawn"
LOOKS: Mapping[str, str] = MappingProxyType({
    "colour": THEMES, "color": THEMES, "fill": THEMES, "stroke": THEMES, "font": THEMES, "x": PLACES, "y": PLACES, "columns": PLACES, "rows": PLACES,
})  # fmt: skip
CONTAINERLAB = "this looks like containerlab; topoviz import FILE translates it (here: contains and wires)"


def _key(name: str, type_: Type, help_: str, default: str = "", *, required: bool = False) -> Key:
    return Key(name=name, type=type_, help=help_, default=default, required=required)


BODY: tuple[Key, ...] = (
    _key("part", PART, "Takes a part of the catalog or of `parts`; the keys beside it add to it."),
    _key("variant", NAME, "The variant of the part that is taken.", "its first"),
    _key("with", ARGUMENTS, "Values of the parameters of the part that is taken.", "its defaults"),
    _key(
        "kind",
        WORD,
        "What it is: gpu cpu nic dpu nvswitch switch pcie tray node rack su cluster card …",
        "that of the part, else the name",
    ),
    _key("title", TEXTS, "What a picture calls it; one text, or one for each language."),
    _key("source", TEXT, "Where the numbers come from."),
    _key("note", TEXTS, "A remark, shown in captions."),
    _key("preliminary", SAID, "Numbers that may still change: true, or a text that says so.", "false"),
    _key("parameters", map_of(form("parameter"), "named"), "Whole numbers that a user of this part may choose."),
    _key(
        "variants", PARTS, "Named pieces of this part, one of which is put beside the rest; the first is the default."
    ),
    _key("parts", PARTS, "Parts of one's own; found before the catalog."),
    _key("contains", ENTRIES, "What there is: names, each with a part, a count, or a part of its own."),
    _key("wires", list_of(form("wire")), "What is joined."),
    _key("fabric", list_of(form("fabric")), "Switches that topoviz counts out itself."),
    _key("changes", list_of(form("change")), "Exceptions and faults."),
    _key("ports", map_of(form("port")), "Ports by kind of link; without any, nothing is checked."),
    _key("memory", form("memory"), "Memory: a size, or size, type and bandwidth."),
    _key("slices", form("slices"), "How MIG cuts this GPU."),
    _key("facts", map_of(ANY), "Anything else worth printing."),
    _key("height", whole(1, 100), "Rack units.", "1"),
    _key("mig", MIG, "How it is cut: `7 x 1g.10gb`, or a list of profiles; `3g.40gb@4` starts at memory slice 4."),
)
FILE: tuple[Key, ...] = (
    _key("$schema", TEXT, "For editors; ignored."),
    _key("topoviz", whole(1, 1), "Version of the language.", "1"),
)
ENTRY: tuple[Key, ...] = (
    _key("count", NUMBER, "How many; the names get a number.", "one, without a number"),
    _key("names", Type(rule="names"), "Names of one's own instead of numbers: `dgx-[001-032]`."),
    _key("slot", Type(rule="slot"), "Lowest rack unit of each, in order; counted from the bottom, from 1."),
)
CHOICE: tuple[Key, ...] = tuple(key for key in BODY if key.name in {"part", "variant", "with", "mig"})
DOCUMENT: tuple[Key, ...] = (
    *FILE,
    _key("name", TEXT, "Short name.", "that of the file"),
    _key("include", list_of(Type(rule="path")), "Documents of the same folder or below, joined with this one."),
    *BODY,
    _key("routes", list_of(form("route")), "Rings, paths and trees to be shown."),
    _key("model", form("model"), "The model that is trained or served."),
    _key("job", form("job"), "How the model is spread over the GPUs."),
    _key("pictures", list_of(form("picture")), "What to draw."),
    _key("theme", NAME, "Theme of all pictures.", "light"),
    _key("lang", Type(rule="list or one", of=NAME), "Language or languages of all pictures.", "en"),
)
PICTURE: tuple[Key, ...] = (
    _key("file", Type(rule="file"), "Where to write it: .svg, .png, .pdf or .html.", "drawn when asked for"),
    _key("name", TEXT, "Name for `--picture`.", "stem of `file`"),
    _key("layout", TEXT, "Name or path of a layout.", "what suits the thing"),
    *CHOICE,
    _key("show", SELECTOR, "What to draw.", "all"),
    _key("hide", SELECTOR, "What to leave out; the caption says so.", "none"),
    _key("fold", SELECTOR, "What to draw as one box or stack.", "by budget"),
    _key("unfold", SELECTOR, "What to draw in full.", "by budget"),
    _key("detail", one(*DETAILS), "How much of each thing is drawn.", "by budget"),
    _key("order", SELECTOR, "Names in the order of columns.", "found"),
    _key("rates", one("line", "nccl"), "Which rates count: line rates, or those of NCCL's search.", "line"),
    _key(
        "highlight", Type(rule="highlight"), "An algorithm, a route's name, `routes`, a path, nodes, or a list.", "none"
    ),
    _key("size", SIZE, "Bytes to move; gives times.", "none"),
    _key("compute", Type(rule="duration"), "Computing of a step; the exchange is held against it.", "none"),
    _key("measured", Type(rule="share"), "Share of the line rate reached, in percent or as a bandwidth.", "none"),
    _key("overlay", some(*OVERLAYS, others=SHOWN), "What lies over the picture.", "none"),
    _key("title", SAID, "A text, or `false`.", "computed"),
    _key("subtitle", SAID, "A text, or `false`.", "computed"),
    _key("caption", SAID, "A text, or `false`.", "computed"),
    _key("alt", SAID, "The picture in words for those who do not see it; a text, or `false`.", "computed"),
    _key("summary", TRUTH, "The strip of computed facts.", "true"),
    _key("theme", Type(rule="list or one", of=NAME), "Theme or themes.", "light"),
    _key("lang", Type(rule="list or one", of=NAME), "Language or languages.", "en"),
    _key("width", Type(rule="real", least=120, most=20_000), "Width in CSS pixels.", "960"),
    _key("scale", Type(rule="real", least=0.25, most=8), "Larger type and glyphs on the same page.", "1"),
    _key("background", TRUTH, "`false` leaves the ground out.", "true"),
    _key("interactive", TRUTH, "Focus and names for screen readers when inlined.", "false"),
    _key("animate", TRUTH, "Step frames shown in turn.", "false"),
    _key("panels", list_of(form("panel")), "Pictures inside this one; a text is a part."),
    _key("table", Type(rule="table"), "Fields, one row each, one column per panel.", "none"),
    _key("found", TEXT, "A document, part or file to compare with; differences are drawn.", "none"),
)

OF_PICTURES: Mapping[str, str] = MappingProxyType({  # keys of a picture, written beside the machine
    key.name: f"a picture has it: pictures: [{{{key.name}: …}}]"
    for key in PICTURE if key.name not in {*OTHER_KEYS, *(one.name for one in DOCUMENT)}
})  # fmt: skip
DEGREES = ("tp", "pp", "dp", "cp", "ep", "etp", "fsdp")
FORMS: Mapping[str, Form] = MappingProxyType({
    "document": Form(keys=DOCUMENT, sentences=MappingProxyType({**OF_PICTURES, "topology": CONTAINERLAB})),
    "part file": Form(keys=(*FILE, *BODY)),
    "part": Form(keys=BODY, called="part", short="part", sentences=LOOKS),
    "entry": Form(keys=(*BODY, *ENTRY), called="entry", short="part", counted="count", sentences=LOOKS),
    "parameter": Form(
        called="parameter",
        short="default",
        keys=(
            _key("default", whole(0), "Its value if the user says nothing.", required=True),
            _key("from", whole(0), "The least that is allowed.", "none"),
            _key("to", whole(0), "The most that is allowed.", "none"),
        ),
    ),
    "port": Form(
        called="port",
        short="bandwidth",
        counted="count",
        keys=(
            _key("bandwidth", RATE, "Of one link, in one direction: a rate, or the name of a link.", required=True),
            _key("count", NUMBER, "How many ports.", "1"),
            _key("shared", TRUTH, "All links of this port together have that bandwidth.", "false"),
            _key("twin", TRUTH, "Two links go into one plug.", "false"),
        ),
    ),
    "memory": Form(
        called="memory",
        short="size",
        keys=(
            _key("size", SIZE, "How much: `80 GB`.", required=True),
            _key("type", TEXT, "What it is: `HBM3`."),
            _key("bandwidth", RATE, "How fast it is: `3.35 TB/s`."),
        ),
    ),
    "slices": Form(
        called="slices",
        keys=(
            _key("compute", whole(1, 64), "Compute slices of the GPU.", required=True),
            _key("memory", whole(1, 64), "Memory slices of the GPU.", required=True),
            _key("profiles", map_of(form("profile")), "MIG profiles by name.", required=True),
        ),
    ),
    "profile": Form(
        called="profile",
        keys=(
            _key("compute", whole(1, 64), "Compute slices."),
            _key("memory", whole(1, 64), "Memory slices.", required=True),
            _key("at", list_of(whole(0, 63)), "Memory slices at which it may start.", required=True),
            _key("most", whole(1, 64), "How many fit on one GPU."),
            _key("sms", Type(rule="whole", least=1, most=10_000, nullable=True), "Streaming multiprocessors; null: not published."),
        ),
    ),
    "wire": Form(
        called="wire",
        example="{from: gpu, to: nvs, kind: nvlink}",
        keys=(
            _key("from", SELECTOR, "Ends.", required=True),
            _key("to", SELECTOR, "The other ends; absent: `from` among themselves."),
            _key("kind", LINK_KIND, "nvlink c2c pcie infiniband ethernet xgmi upi qpi smp ici neuronlink …", required=True),
            _key("rule", WORD, "Who is joined with whom: all pairwise block rail ring mesh torus matrix.", "all"),
            _key("links", NUMBERS, "Links of each pair: a number, a parameter, or a list taken in turn over the targets.", "1"),
            _key("bandwidth", RATE, "Of one link; may lower the rate of a port, not raise it.", "what the slower port says"),
            _key("shape", list_of(whole(1, 100_000)), "Lengths of the axes of a torus."),
            _key("matrix", Type(rule="matrix"), "Links of each pair, rows `from`, columns `to`."),
            _key("except", SELECTOR, "Ends that get nothing."),
            _key("title", TEXTS, "What a picture calls it."),
            _key("note", TEXT, "A word for the picture."),
        ),
    ),
    "fabric": Form(
        called="fabric",
        keys=(
            _key("join", SELECTOR, "Network cards, or leaves that are there already.", required=True),
            _key("switch", PART, "Part of the switches.", required=True),
            _key("kind", LINK_KIND, "Kind of link.", required=True),
            _key("rails", NUMBER, "Card k of a node goes to rail k mod rails.", "1"),
            _key("planes", NUMBER, "As rails, but the planes never meet.", "1"),
            _key("oversubscription", Type(rule="real", least=0.01, most=100), "Down-links for each up-link of a leaf.", "1"),
            _key("down", NUMBER, "Ports of a leaf that go down."),
            _key("up", NUMBER, "Ports of a leaf that go up."),
            _key("tiers", Type(rule="number", least=1, most=3), "How many tiers of switches.", "as many as it takes"),
            _key("unit", WORD, "Leaves are filled unit by unit, none serves two.", "by leaf size"),
            _key("spines", NUMBER, "So many spines in each plane.", "the fewest"),
            _key("name", Type(rule="new name"), "A container round its switches.", "none"),
            _key("variant", NAME, "Variant of the switch.", "its first"),
        ),
    ),
    "change": Form(
        called="change",
        needs=("at", "link"),
        example="at: gpu3 for a thing, link: [gpu3, nvs0] for a link",
        also=("part", "variant", "with", "mig", "title", "absent", "state", "links", "bandwidth", "note"),
        also_example="absent: true, state: down, part: connectx-6, links: 3",
        apart=MappingProxyType({
            "at": ("link", "links", "bandwidth", "kind"),
            "link": ("part", "variant", "with", "mig", "title"),
            "absent": ("part", "variant", "with", "mig", "title", "state", "links", "bandwidth"),
        }),
        keys=(
            _key("at", SELECTOR, "The things that change."),
            _key("link", Type(rule="pair"), "The links between two things, or anything inside them."),
            *CHOICE,
            _key("title", TEXTS, "Another title."),
            _key("absent", TRUTH, "It is not there.", "false"),
            _key("state", STATES, "down, degraded or spare.", "up"),
            _key("links", Type(rule="number", least=0), "So many links are left."),
            _key("bandwidth", RATE, "Of one link, slower."),
            _key("kind", LINK_KIND, "Kind of link, if there are several."),
            _key("note", TEXT, "A word for the picture."),
        ),
    ),
    "route": Form(
        called="route",
        needs=("ring", "path", "tree"),
        example='{name: mine, ring: "gpu[0,3,2,1]"}',
        apart=MappingProxyType({"ring": ("path", "tree"), "path": ("tree",)}),
        keys=(
            _key("name", TEXT, "Its name.", required=True),
            _key("ring", SELECTOR, "Members in order; the last is followed by the first."),
            _key("path", SELECTOR, "Members from end to end."),
            _key("tree", Type(rule="tree"), "From parent to children."),
            _key("via", LINK_KIND, "Only over this kind of link; `host` or `network`: past the links between GPUs.", "any"),
            _key("through_host", HOPS, "Hops, counted from 1, that went through the host, as a log says."),
            _key("through_network", HOPS, "Hops that went over the network although they stay in a server."),
            _key("count", whole(), "So many equal channels.", "1"),
        ),
    ),
    "model": Form(
        called="model",
        keys=(
            _key("params", Type(rule="params"), "Parameters: 70e9 or 70 B."),
            _key("use", some("inference", "training"), "What is done with it."),
            _key("layers", whole(1, 100_000), "Layers."),
            _key("hidden", whole(), "Width of a layer."),
            _key("kv_hidden", whole(), "Width of keys and values together, for each layer."),
            _key("sequence", whole(1, 1e9), "Tokens in a sequence."),
            _key("experts", whole(1, 100_000), "Experts of a layer."),
            _key("experts_per_token", whole(1, 100_000), "Experts that a token goes through."),
            _key("moe_layers", whole(1, 100_000), "Layers with experts."),
            _key("bytes", form("bytes"), "Bytes of an element.", "2 and 16 for each parameter"),
        ),
    ),
    "bytes": Form(
        called="bytes",
        keys=tuple(
            _key(name, Type(rule="real", least=0, most=64), f"Bytes for each element of the {name}.", default)
            for name, default in (("weights", "2"), ("gradients", "2"), ("optimizer", "12"), ("activations", "2"), ("kv", "2"))
        ),
    ),
    "job": Form(
        called="job",
        keys=(
            *(_key(name, whole(), f"Degree of {name.upper()}.", "what is left" if name == "dp" else "1") for name in DEGREES),
            _key("order", TEXT, "From the innermost to the outermost.", "tp-cp-ep-dp-pp"),
            _key("ranks", SELECTOR, "The ranks, in order.", "gpu"),
            _key("micro_batch", whole(), "Sequences in a micro-batch."),
            _key("micro_batches", whole(), "Micro-batches in a step."),
        ),
    ),
    "picture": Form(called="picture", short="file", keys=PICTURE, sentences=LOOKS),
    "panel": Form(called="panel", short="part", keys=PICTURE, sentences=LOOKS),
    "highlight": Form(
        called="highlight",
        keys=(
            _key("collective", TEXT, "all-reduce, all-gather, …", "all-reduce"),
            _key("algorithm", TEXT, "ring, tree, nvls, …", "auto"),
            _key("ranks", SELECTOR, "Who takes part.", "all"),
            _key("rings", whole(), "How many rings.", "as many as there are"),
            _key("path", Type(rule="pair"), "The way from one thing to another."),
            _key("nodes", SELECTOR, "These things."),
        ),
    ),
    "table": Form(
        called="table",
        short="",
        keys=(
            _key("each", one("group", "panel", "tier", "finding"), "What makes a column or a row.", "panel"),
            _key("fields", list_of(form("field")), "What is printed."),
        ),
    ),
    "field": Form(
        called="field",
        short="field",
        keys=(
            _key("field", TEXT, "A computed field: `gpu.rate`.", required=True),
            _key("head", TEXTS, "What stands over it.", "by field"),
            _key("bars", TRUTH, "A bar beside the number.", "false"),
            _key("when", Type(rule="list or one", of=NAME), "Only if the picture has this."),
        ),
    ),
})  # fmt: skip
