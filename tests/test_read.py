"""Documents, part files and options become records; mistakes of the form are told together."""

from __future__ import annotations

from pathlib import Path

import pytest

import topoviz
from topoviz.errors import MOST, SpecError, report
from topoviz.marks import Source
from topoviz.model.read import merge_options, picture_from, read_document, read_part
from topoviz.model.source import document
from topoviz.model.spec import Body, Picture, Spec

EXAMPLES = Path(__file__).parent / "data" / "examples"
PARTS = sorted((Path(topoviz.__file__).parent / "catalog").glob("*.yaml"))


def read(text: str) -> Spec:
    return read_document([Source("a.yaml", text)])


def folder(files: dict[str, str]) -> object:
    def opened(path: str) -> Source:
        if path not in files:
            raise FileNotFoundError(2, "No such file or directory")
        return Source(path, files[path])

    return opened


def mistakes(text: str) -> list[tuple[int, int, int, str]]:
    with pytest.raises(SpecError) as wrong:
        read(text)
    return [(d.mark.line, d.mark.column, d.mark.width, d.message) for d in wrong.value.diagnostics if d.mark]


def hint(text: str) -> str:
    with pytest.raises(SpecError) as wrong:
        read(text)
    return wrong.value.diagnostics[0].hint


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_example_is_read(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    spec = read_document(
        [source], open_include=lambda name: Source(name, (EXAMPLES / name).read_text(encoding="utf-8"))
    )
    assert source in spec.sources


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.stem)
def test_every_part_is_read(path: Path) -> None:
    body = read_part(Source(path.name, path.read_text(encoding="utf-8")), path.stem)
    assert (body.name, body.part != path.stem, bool(body.source)) == (path.stem, True, True)


# ---- short forms are long forms


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("contains: {gpu: l40s}", "contains: {gpu: {part: l40s}}"),
        ("contains: {gpu: 8 x l40s}", "contains: {gpu: {part: l40s, count: 8}}"),
        ("parts: {mine: l40s}", "parts: {mine: {part: l40s}}"),
        ("ports: {nvlink: 18 x NVLink 4}", "ports: {nvlink: {bandwidth: NVLink 4, count: 18}}"),
        ("ports: {pcie: PCIe 5.0 x16}", "ports: {pcie: {bandwidth: PCIe 5.0 x16}}"),
        ("memory: 80 GB", "memory: {size: 80 GB}"),
        ("parameters: {n: 2}", "parameters: {n: {default: 2}}"),
        ("part: x\nmig: 3 x 1g.10gb", "part: x\nmig: [1g.10gb, 1g.10gb, 1g.10gb]"),
        ("pictures: [a.svg]", "pictures: [{file: a.svg}]"),
        ("pictures: [{panels: [x, y]}]", "pictures: [{panels: [{part: x}, {part: y}]}]"),
        ("pictures: [{overlay: load, lang: zh, show: gpu}]", "pictures: [{overlay: [load], lang: [zh], show: [gpu]}]"),
        ('pictures: [{highlight: "path:gpu0,gpu5"}]', "pictures: [{highlight: {path: [gpu0, gpu5]}}]"),
        (
            'pictures: [{highlight: "ring:all-gather"}]',
            "pictures: [{highlight: {algorithm: ring, collective: all-gather}}]",
        ),
        ("contains: {n: {part: x, names: 'a-[01-03]'}}", "contains: {n: {part: x, names: [a-01, a-02, a-03]}}"),
        ("contains: {n: {part: x, slot: [16-18, 33]}}", "contains: {n: {part: x, slot: [16, 17, 18, 33]}}"),
        ("wires: [{from: a, to: b, kind: c}]", "wires: [{from: [a], to: [b], kind: c, rule: all, links: 1}]"),
    ],
)
def test_short_and_long_form_are_the_same(short: str, long: str) -> None:
    assert bare(read(short)) == bare(read(long))


def bare(spec: Spec) -> str:
    """Return a record without where it came from."""
    return _without_places(spec)


def _without_places(record: object) -> str:
    if isinstance(record, tuple):
        return f"({', '.join(map(_without_places, record))})"
    if hasattr(record, "items"):
        return f"{{{', '.join(f'{key}: {_without_places(one)}' for key, one in record.items())}}}"
    if hasattr(record, "__dataclass_fields__"):
        names = [name for name in record.__dataclass_fields__ if name not in {"origin", "sources", "written"}]
        return f"{type(record).__name__}({', '.join(f'{name}={_without_places(getattr(record, name))}' for name in names)})"
    return repr(record)


def test_the_pieces_of_a_short_form_have_their_own_places() -> None:
    entry = read("contains:\n  gpu: 8 x h100_sxm\n").body.contains[0]
    part, count = entry.origin.mark_of("part"), entry.origin.mark_of("count")
    assert [(m.line, m.column, m.width) for m in (part, count)] == [(2, 12, 8), (2, 8, 1)]


def test_the_pieces_of_a_short_form_in_quotes() -> None:
    part = read('contains: {gpu: "8 x h100_sxm"}').body.contains[0].origin.mark_of("part")
    assert (part.column, part.width) == (22, 8)


# ---- records


def test_a_wire() -> None:
    text = "contains: {a: {kind: gpu, count: 4}, b: x}\nwires: [{from: [a, b], kind: nvlink, rule: matrix, links: [5, 4], bandwidth: NVLink4, matrix: [[0, 1], [1, 0]], except: a0, note: x}]"
    wire = read(text).body.wires[0]
    assert (wire.source, wire.target, wire.rule, wire.links, wire.matrix, wire.exclude) == (
        ("a", "b"),
        None,
        "matrix",
        (5, 4),
        ((0, 1), (1, 0)),
        ("a0",),
    )
    assert wire.rate is not None
    assert (wire.rate.link, wire.rate.line, wire.rate.written) == ("NVLink 4", 25, "NVLink4")


def test_a_change_and_a_fabric() -> None:
    text = "part: x\nfabric: [{join: node/nic, switch: qm9700, kind: infiniband, rails: 8, oversubscription: 2}]\nchanges: [{link: [a, b], links: 3, state: degraded}, {at: gpu, part: y, with: {n: 2}}]"
    body = read(text).body
    link, other = body.changes
    assert (body.fabric[0].join, body.fabric[0].rails, body.fabric[0].planes, body.fabric[0].oversubscription) == (
        ("node/nic",),
        8,
        1,
        2.0,
    )
    assert (link.link, link.links, link.state, other.at, other.part, dict(other.arguments)) == (
        ("a", "b"),
        3,
        "degraded",
        ("gpu",),
        "y",
        {"n": 2},
    )


def test_a_picture() -> None:
    text = "part: x\npictures: [{file: a.svg, size: 14 GB, measured: 82 %, title: false, lang: [en, zh], part: y, variant: z, table: [gpu.rate], width: 640}]"
    picture = read(text).pictures[0]
    assert (picture.size, picture.measured, picture.title, picture.lang, picture.table, picture.width) == (
        14e9,
        0.82,
        False,
        ("en", "zh"),
        ("gpu.rate",),
        640,
    )
    assert picture.body is not None
    assert (picture.body.part, picture.body.variant) == ("y", "z")


def test_a_model_and_a_job() -> None:
    spec = read("part: x\nmodel: {params: 70 B, use: training, bytes: {kv: 1}}\njob: {tp: 8, order: tp-pp}")
    assert dict(spec.model) == {"params": 70e9, "use": ("training",), "bytes": {"kv": 1}}
    assert dict(spec.job) == {"tp": 8, "order": "tp-pp"}


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("8 x 8 x l40s", "a part is one name; the count goes beside it: {part: l40s, count: 8}"),
        ("8 l40s", "write 8 x l40s"),
        ("8×l40s", "write 8 x l40s"),
        ("8x l40s", "write 8 x l40s"),
        ("l40s x 8", "the number comes first: 8 x l40s"),
        ("eight x l40s", "write 8 x l40s"),
        ("-1 x l40s", "a count is a number from 1 on: 8 x l40s"),
        ("My Part", "a part has no blanks in its name: my-part"),
    ],
)
def test_a_part_that_is_none_is_told_what_to_write(written: str, hint: str) -> None:
    with pytest.raises(SpecError) as wrong:
        read_document([Source("a.yaml", f"contains: {{gpu: {written}}}")])
    assert [one.hint for one in wrong.value.diagnostics] == [hint]


def test_two_routes_of_joined_documents_need_two_names() -> None:
    route = 'routes: [{name: r, ring: "rank[0-7]"}]'
    with pytest.raises(SpecError) as wrong:
        read_document([Source("a.yaml", route), Source("b.yaml", route)])
    assert [(one.message, one.hint) for one in wrong.value.diagnostics] == [
        ("two routes are called 'r'", "the first is on line 1 of a.yaml")
    ]


def test_routes() -> None:
    ring, tree = read('routes: [{name: r, ring: "gpu[0-3]", count: 2}, {name: t, tree: {a: [b, c]}}]').routes
    assert (ring.shape, ring.nodes, ring.count, tree.shape, dict(tree.tree)) == (
        "ring",
        ("gpu[0-3]",),
        2,
        "tree",
        {"a": ("b", "c")},
    )


def test_a_part_without_ports_checks_nothing() -> None:
    assert (read("part: x").body.ports, read("ports: {}").body.ports) == (None, ())


def test_the_name_is_that_of_the_file_unless_it_says() -> None:
    assert [read_document([Source("some/where/two.yaml", text)]).name for text in ("part: x", "name: n\npart: x")] == [
        "two",
        "n",
    ]


def test_a_part_file_may_say_its_own_name() -> None:
    source = Source("catalog/hgx.yaml", "part: hgx\nkind: node")
    assert [read_part(source, name).part for name in ("hgx", "other")] == ["", "hgx"]


def test_records_cannot_be_changed() -> None:
    body = read("facts: {a: {b: [1]}}\nparameters: {n: 1}").body
    with pytest.raises(TypeError):
        body.facts["a"]["b"] = 2
    with pytest.raises(TypeError):
        body.parameters["m"] = body.parameters["n"]  # type: ignore[index]


# ---- mistakes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("contains: {gpu: {part: l40s, count: 0}}", [(1, 37, 1, "count 0 is below 1")]),
        ("contains: {gpu: {part: l40s, count: -8}}", [(1, 37, 2, "count -8 is below 1")]),
        ("contains: {gpu: 100000000 x l40s}", [(1, 17, 9, "count 100000000 is above 10,000,000")]),
        ("contains: {gpu: {part: l40s, count: 8.5}}", [(1, 37, 3, "count 8.5 is neither a number nor a parameter")]),
        ("contains: {gpu: {part: l40s, count: true}}", [(1, 37, 4, "count true is neither a number nor a parameter")]),
        ("contains: {gpu: }", [(1, 12, 3, "what is 'gpu'?")]),
        ("contains: {gpu: [l40s]}", [(1, 17, 6, "'gpu' is a mapping, not a list")]),
        ("contains: [gpu]", [(1, 11, 5, "'contains' is a mapping of names, not a list")]),
        ("contains: {my gpu: l40s}", [(1, 12, 6, "the name 'my gpu' has a blank")]),
        ("contains: {a/b: l40s}", [(1, 12, 3, "the name 'a/b' has a '/'")]),
        ("contains: {g\u200bpu: l40s}", [(1, 12, 4, "the name 'g\u200bpu' has a sign that nobody sees (U+200B)")]),
        ("contains: {g\u202epu: l40s}", [(1, 12, 4, "the name 'g\u202epu' has a sign that nobody sees (U+202E)")]),
        ("contains: {n: {part: x, names: [a, a]}}", [(1, 36, 1, "the name 'a' is there twice")]),
        ("contains: {n: {part: x, slot: 0}}", [(1, 31, 1, "slot 0 is not a rack unit")]),
        ("part: 8 x l40s", [(1, 7, 8, "'8 x l40s' is not a part")]),
        ("part: x\nvariant: 1\nwires:\n", [(3, 1, 5, "'wires' has no value")]),
        ("wires: [{from: gpu -> nvs, kind: x}]", [(1, 16, 10, "'gpu -> nvs' is not a selector")]),
        ("wires: [{from: gpu, to: nvs, kind: ib}]", [(1, 36, 2, "unknown kind 'ib'")]),
        ("wires: [{from: ../x, to: y, kind: z}]", [(1, 16, 4, "'../x' is not a selector")]),
        ('wires: [{from: "gpu[3-1]", to: y, kind: z}]', [(1, 16, 10, "'gpu[3-1]' is not a selector: the range 3-1 runs backwards")]),
        ("wires: [{to: nvs}]", [(1, 9, 9, "a wire needs 'from'"), (1, 9, 9, "a wire needs 'kind'")]),
        ("wires: [{from: a, kind: x, links: []}]", [(1, 35, 2, "links is an empty list")]),
        ("wires: [{from: a, kind: x, matrix: [[0, 1], [1]]}]", [(1, 45, 3, "this row has 1 numbers, the first has 2")]),
        ("changes: [{link: gpu0, state: down}]", [(1, 18, 4, "link is a list of two ends")]),
        ("changes: [{at: a, state: broken}]", [(1, 26, 6, "unknown state 'broken'")]),
        ("changes: [{at: a}]", [(1, 11, 7, "a change needs 'part', 'variant', 'with', 'mig', 'title', 'absent', 'state', 'links', 'bandwidth' or 'note'")]),
        ("changes: [{at: a, link: [a, b], state: down}]", [(1, 19, 4, "a change has 'at' or 'link', not both")]),
        ("changes: [{at: a, bandwidth: 3 GB/s}]", [(1, 19, 9, "a change has 'at' or 'bandwidth', not both")]),
        ("changes: [{at: a, absent: true, part: y}]", [(1, 33, 4, "a change has 'absent' or 'part', not both")]),
        ("routes: [{name: r, ring: a, path: b}]", [(1, 29, 4, "a route has 'ring' or 'path', not both")]),
        ("routes: [{name: r, ring: a}, {name: r, path: b}]", [(1, 37, 1, "two routes are called 'r'")]),
        ("pictures: [{name: a, file: x.svg}, {name: a, file: y.svg}]", [(1, 43, 1, "two pictures are called 'a'")]),
        ("contains: {n: {part: x, count: 2, names: [a, b, c]}}", [(1, 42, 9, "3 names for 2 things")]),
        ('contains: {n: {part: x, names: "n[1-9][1-99][1-999]"}}', [(1, 32, 21, "'n[1-9][1-99][1-999]' is not a list of names: it stands for more than 100,000 names")]),
        ('contains: {n: {part: x, names: "n[1-99999999999999999999]"}}', [(1, 32, 27, "'n[1-99999999999999999999]' is not a list of names: the range 1-99999999999999999999 is too long")]),
        ('wires: [{from: "g[0-99999][0-99999]", kind: x}]', [(1, 16, 21, "'g[0-99999][0-99999]' is not a selector: it stands for more than 100,000 names")]),
        ('wires: [{from: "g[0-9]]", kind: x}]', [(1, 16, 9, "'g[0-9]]' is not a selector: ']' closes nothing")]),
        ("contains: {gpu: 99999999999999 x l40s}", [(1, 17, 14, "count 99999999999999 is above 10,000,000")]),
        ("routes: [{name: r}]", [(1, 10, 9, "a route needs 'ring', 'path' or 'tree'")]),
        ("mig: 3g", [(1, 6, 2, "'3g' is not a MIG profile")]),
        ("pictures: out.svg", [(1, 11, 7, "'pictures' is a list")]),
        ("pictures: [../out.svg]", [(1, 12, 10, "'../out.svg' is outside the folder of this document")]),
        ("pictures: [{file: a.svg, size: 14, measured: 0.8}]", [(1, 32, 2, "size 14 has no unit"), (1, 46, 3, "measured 0.8 has no unit")]),
        ("pictures: [{background: yes, width: 10}]", [(1, 25, 3, "background 'yes' is neither true nor false"), (1, 37, 2, "width 10 is below 120")]),
        ("topoviz: 2", [(1, 10, 1, "topoviz 2 is above 1")]),
        ("title: true", [(1, 8, 4, "title is a text, not true")]),
        ("dgx-h100", [(1, 1, 8, "this file is a mapping, not 'dgx-h100'")]),
        ("include: [/etc/passwd, '~/x', 'http://x/y']", [(1, 11, 11, "'/etc/passwd' is outside the folder of this document"), (1, 24, 5, "'~/x' is outside the folder of this document"), (1, 31, 12, "'http://x/y' is outside the folder of this document")]),
    ],
)  # fmt: skip
def test_mistakes(text: str, expected: list[tuple[int, int, int, str]]) -> None:
    assert mistakes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "parameters: {racks: 2}\ncontains: {rack: {part: x, count: rack}}",
            "did you mean 'racks'? Parameters here are racks",
        ),
        ("contains: {gpu: {part: l40s, count: 3 + 4}}", "topoviz does not calculate; write the number"),
        ("contains: {gpu: {part: l40s, count: '8'}}", "write count: 8, without quotes"),
        ("contains: {gpu: 8x l40s}", "write 8 x l40s"),
        ("contains: {gpu: 8 × l40s}", "write 8 x l40s"),
        ("contains: {gpu: H100 SXM}", "a part has no blanks in its name: h100-sxm"),
        ("contains: {tray: 4}", "write tray: 4 x h100-sxm"),
        ("contains: {gpu0: 4 x made-up}", "gpu: 4 x made-up"),
        ("changes: [{at: a, state: broken}]", "did you mean 'down'? There are up, down, degraded, spare"),
        ("contains: {a: {prt: x}}", "did you mean 'part'?"),
        ("part:x: y", "':' needs a blank after it: part: x"),
        ("wires: [{from: gpu -> nvs, kind: x}]", "links have no direction here: {from: gpu, to: nvs, kind: …}"),
    ],
)
def test_hints(text: str, expected: str) -> None:
    assert hint(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "parameters: {n: 2}\ncontains: {rack: {part: x, count: n}}",
        "part: superpod\ncontains: {rack: {part: x, count: su}}",  # a parameter of the part that is taken
        "parameters: {n: 2}\ncontains: {a: {kind: rack, contains: {b: {part: x, count: n}}}}",
        "parameters: {n: 2}\nvariants: {v: {contains: {a: {part: x, count: n}}}}",
        "parameters: {n: 2}\ncontains: {a: {part: x, with: {su: n}}}",
    ],
)
def test_parameters_stand_for_numbers(text: str) -> None:
    assert read(text).body.origin.is_mapping


def test_ten_mistakes_are_shown_and_all_are_counted() -> None:
    with pytest.raises(SpecError) as wrong:
        read("\n".join(f"zzz{n}: 1" for n in range(12)))
    text = report(wrong.value.diagnostics)
    assert (text.count("unknown key"), text.splitlines()[-1]) == (MOST, "12 errors, nothing written (2 more not shown)")


def test_mistakes_in_a_dict_have_a_line() -> None:
    with pytest.raises(SpecError) as wrong:
        read_document([document({"title": "x", "wires": [{"from": "gpu", "speed": 3, "kind": "y"}]}, "document")])
    assert wrong.value.diagnostics[0].render().splitlines()[:2] == [
        "document:4:3: error: unknown key 'speed' in a wire",
        "    speed: 3",
    ]


# ---- joining


def test_documents_are_put_under_one_another() -> None:
    spec = read_document(
        [
            Source("a.yaml", "contains: {a: x}\nwires: [{from: a, kind: k, rule: mesh}]"),
            Source("b.yaml", "contains: {b: y}\nroutes: [{name: r, ring: a}]"),
        ]
    )
    assert (spec.name, [one.name for one in spec.body.contains], len(spec.body.wires), len(spec.routes)) == (
        "a",
        ["a", "b"],
        1,
        1,
    )


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("title: x", "title: y", "'title' is there twice"),
        ("part: x", "part: x", "'part' is there twice"),
        ("contains: {a: x}", "contains: {a: y}", "'a' is there twice"),
        ("job: {tp: 2}", "job: {tp: 2}", "'tp' is there twice"),
        ("pictures: [a.svg]", "pictures: [a.svg]", "two pictures write 'a.svg'"),
    ],
)
def test_a_thing_said_twice_is_an_error(first: str, second: str, message: str) -> None:
    with pytest.raises(SpecError) as wrong:
        read_document([Source("a.yaml", first), Source("b.yaml", second)])
    found = wrong.value.diagnostics[0]
    assert found.mark is not None
    assert (found.message, found.mark.source.path, "a.yaml" in found.hint) == (message, "b.yaml", True)


def test_a_parameter_of_one_file_counts_in_another() -> None:
    spec = read_document(
        [Source("a.yaml", "parameters: {n: 2}"), Source("b.yaml", "contains: {a: {part: x, count: n}}")]
    )
    assert spec.body.contains[0].count == "n"


def test_includes_come_first_and_are_found_from_where_they_are_named() -> None:
    files = {"sub/one.yaml": "include: [two.yaml]\ncontains: {one: x}", "sub/two.yaml": "contains: {two: x}"}
    spec = read_document(
        [Source("main.yaml", "include: [sub/one.yaml]\ncontains: {main: x}")], open_include=folder(files)
    )  # type: ignore[arg-type]
    assert [one.name for one in spec.body.contains] == ["two", "one", "main"]
    assert [one.path for one in spec.sources] == ["main.yaml", "sub/one.yaml", "sub/two.yaml"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "'a.yaml' cannot be read"),
        ({"a.yaml": "include: [main.yaml]"}, "'main.yaml' includes itself: main.yaml → a.yaml → main.yaml"),
        ({"a.yaml": "include: [a.yaml]"}, "'a.yaml' includes itself: a.yaml → a.yaml"),
        (
            {"a.yaml": "include: [b0.yaml]", **{f"b{n}.yaml": f"include: [b{n + 1}.yaml]" for n in range(12)}},
            "files include each other more than 8 deep",
        ),
    ],
)
def test_includes_refused(files: dict[str, str], message: str) -> None:
    with pytest.raises(SpecError) as wrong:
        read_document([Source("main.yaml", "include: [a.yaml]")], open_include=folder(files))  # type: ignore[arg-type]
    assert wrong.value.diagnostics[0].message == message


# ---- options


@pytest.mark.parametrize(
    ("options", "name", "meant"),
    [
        ({"size": "14 GB"}, "size", 14e9),
        ({"scale": "1.25"}, "scale", 1.25),
        ({"background": "false"}, "background", False),
        ({"background": False}, "background", False),
        ({"title": "false"}, "title", False),
        ({"title": None}, "title", None),
        ({"lang": ["en", "zh"]}, "lang", ("en", "zh")),
        ({"lang": "zh"}, "lang", ("zh",)),
        ({"highlight": {"algorithm": "ring", "rings": 8}}, "highlight", ({"algorithm": "ring", "rings": 8},)),
        ({"highlight": "ring"}, "highlight", ("ring",)),
        ({"show": "gpu[0-3]"}, "show", ("gpu[0-3]",)),
        ({"overlay": ("load", "faults")}, "overlay", ("load", "faults")),
        ({"measured": "370 GB/s"}, "measured_rate", 370),
        ({}, "layout", ""),
    ],
)
def test_options(options: dict[str, object], name: str, meant: object) -> None:
    assert getattr(picture_from(options), name) == meant


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 14}, "size 14 has no unit"),
        ({"detail": "L3"}, "unknown detail 'L3'"),
        ({"colour": "red"}, "unknown key 'colour' in a picture"),
    ],
)
def test_options_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError) as wrong:
        picture_from(options)
    found = wrong.value.diagnostics[0]
    assert found.mark is not None
    assert (found.message, found.mark.source.path) == (message, "options")


def test_options_win_over_the_picture() -> None:
    picture = Picture(
        file="a.svg",
        layout="ring",
        size=1.0,
        title="x",
        body=Body(part="p", variant="v", origin=read("part: p").origin),
    )
    over = picture_from({"size": "2 GB", "title": False, "variant": "w"})
    merged = merge_options(picture, over)
    assert (merged.file, merged.layout, merged.size, merged.title) == ("a.svg", "ring", 2e9, False)
    assert merged.body is not None
    assert (merged.body.part, merged.body.variant) == ("p", "w")


@pytest.mark.parametrize(("before", "after"), [("370 GB/s", "82 %"), ("82 %", "370 GB/s")])
def test_a_measured_share_takes_the_place_of_a_rate_and_the_other_way(before: str, after: str) -> None:
    over = picture_from({"measured": after})
    merged = merge_options(picture_from({"measured": before}), over)
    assert (merged.measured, merged.measured_rate) == (over.measured, over.measured_rate)
