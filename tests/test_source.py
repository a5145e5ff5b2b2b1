"""YAML with places: what is read, what is refused, the same from the C and the pure scanner."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
import yaml

from topoviz.errors import SpecError
from topoviz.marks import Source
from topoviz.model.composing import compose
from topoviz.model.source import decode, document, parse
from topoviz.model.yaml_scanner import PureLoader

LOADERS = [PureLoader] + ([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])
EXAMPLES = sorted((Path(__file__).parent / "data" / "examples").glob("*.yaml"))
loaders = pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.__name__)


def mistakes(text: str, loader: type) -> list[tuple[int, int, int, str]]:
    with pytest.raises(SpecError) as wrong:
        compose(Source("a.yaml", text), loader)
    return [(d.mark.line, d.mark.column, d.mark.width, d.message) for d in wrong.value.diagnostics if d.mark]


@loaders
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("on", "on"), ("no", "no"), ("True", "True"), ("~", "~"), ("12:30", "12:30"), ("010", "010"), ("0x10", "0x10"), ("0o17", "0o17"),
        ("1_000", "1_000"), ("2024-13-45", "2024-13-45"), (".inf", ".inf"), (".nan", ".nan"), ("=", "="), ("3g.40gb", "3g.40gb"),
        ("true", True), ("false", False), ("null", None), ("", None), ("8", 8), ("-3", -3), ("-0", 0), ("1.5", 1.5), (".5", 0.5), ("70e9", 70e9),
        ("1.", 1.0), ("'8'", "8"), ('"true"', "true"), ("5,4", "5,4"), ("叶", "叶"), ("+1", 1),
    ],
)  # fmt: skip
def test_scalars_are_those_of_yaml_1_2(written: str, meant: object, loader: type) -> None:
    value = compose(Source("a.yaml", f"key: {written}\n"), loader).get("key")
    assert value is not None
    assert (value.data, type(value.data)) == (meant, type(meant))


@loaders
def test_every_piece_has_its_place(loader: type) -> None:
    value = compose(Source("a.yaml", "contains: {叶: 8 x l40s}\nwires:\n  - {from: 'gpu'}   # a comment\n"), loader)
    contains, wires = value.get("contains"), value.get("wires")
    assert contains is not None
    assert wires is not None
    places = [
        contains.mark,
        contains.key_mark("叶"),
        contains.mark_of("叶"),
        wires.parts()[0].mark,
        wires.parts()[0].mark_of("from"),
    ]
    assert [(m.line, m.column, m.width) for m in places] == [
        (1, 11, 13),
        (1, 12, 1),
        (1, 15, 8),
        (3, 5, 13),
        (3, 12, 5),
    ]


@loaders
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: !!python/object:os.system x", [(1, 4, 27, "a YAML tag, '!!python/object:os.system'")]),
        ("a: !!binary aGk=", [(1, 4, 13, "a YAML tag, '!!binary'")]),
        ("a: !thing 1\nb: !!set {x}", [(1, 4, 1, "a text that begins with '!' needs quotes"), (2, 4, 7, "a YAML tag, '!!set'")]),
        ("8: x", [(1, 1, 1, "a key is a text, and 8 is not")]),
        ("true: x", [(1, 1, 4, "a key is a text, and true is not")]),
        ("? [a, b]\n: x", [(1, 3, 6, "a key is a text, not a list or a mapping")]),
        ("<<: {a: 1}", [(1, 1, 2, "'<<' merges mappings, and nothing is merged here")]),
        ("a: &x [*x]", [(1, 8, 2, "this piece contains itself")]),
        ("a: 1e999", [(1, 4, 5, "the number 1e999 is too large")]),
        (f"a: {'9' * 60}", [(1, 4, 60, "the number 9999999999999999… is too large")]),
        ("a: x\x07y", [(1, 5, 1, "a control character (U+0007)")]),
        ("a: x\u2028y", [(1, 5, 1, "a line separator (U+2028)")]),
        ("a: 1\rb: 2", [(1, 5, 1, "a line end of CR alone (U+000D)")]),
        ('a: "\\0"', [(1, 4, 4, "a control character (U+0000)")]),
        ("a: [1, 2", [(1, 4, 1, "'[' is never closed")]),
        ('a: "x', [(1, 4, 1, "'\"' is never closed")]),
        ("a: {b: 1}}", [(1, 10, 1, "'}' closes nothing")]),
        ("a: @x", [(1, 4, 1, "a text that begins with '@' needs quotes")]),
        ("a: %x", [(1, 4, 1, "a text that begins with '%' needs quotes")]),
        ("a: 'x' y", [(1, 8, 1, "text goes on after the closing quote")]),
        ("a: [x] y", [(1, 8, 1, "a text that begins with '[' needs quotes")]),
        ("a:\n  b: 1\n c: 2", [(3, 2, 1, "this line is indented unlike those before it")]),
        ("a: 1\ngpu:8\nb: 2", [(2, 5, 1, "':' needs a blank after it")]),
        ("---\na: 1\n---\n", [(3, 1, 3, "a second document in one file")]),
        ("a: 1\n...\nb: 2", [(2, 1, 3, "a second document in one file")]),
        ("", [(1, 1, 1, "nothing in this document")]),
        ("---\n", [(1, 1, 1, "nothing in this document")]),
        ("a: 1\na: 2\nb: 1\nb: 2", [(2, 1, 1, "'a' is written twice"), (4, 1, 1, "'b' is written twice")]),
        ("a: " + "x" * 70_000, [(1, 4, 70_000, "a text of more than 65,536 characters")]),
        ("a: " + "[" * 70 + "]" * 70, [(1, 68, 1, "nested deeper than 64 levels")]),
        ("x: 1\n" + "a: b\n" * 2_000_000, [(1, 1, 1, "this file is larger than 8 MB")]),
    ],
    ids=lambda case: case[:24] if isinstance(case, str) else "",
)  # fmt: skip
def test_what_is_refused(text: str, expected: list[tuple[int, int, int, str]], loader: type) -> None:
    assert mistakes(text, loader) == expected


@loaders
def test_bombs_are_cheap(loader: type) -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    begun = time.perf_counter()
    assert mistakes(bomb, loader)[0][3] == "more than 200,000 values, aliases counted each time"
    assert time.perf_counter() - begun < 2


@loaders
def test_too_many_aliases(loader: type) -> None:
    text = "a: &a x\nb: [" + ", ".join(["*a"] * 1001) + "]"
    assert mistakes(text, loader)[0][3] == "more than 1,000 aliases"


def test_many_values() -> None:
    assert (
        mistakes("a: [" + "x," * 200_001 + "]", LOADERS[-1])[0][3]
        == "more than 200,000 values, aliases counted each time"
    )


@loaders
def test_deep_brackets_without_end(loader: type) -> None:
    assert mistakes("a: " + "[" * 100_000, loader)[0][3] == "nested deeper than 64 levels"


def test_an_alias_is_read_and_stands_where_it_is_used() -> None:
    value = parse(Source("a.yaml", "a: &x {k: 1}\nb: *x\n"))
    assert value.plain() == {"a": {"k": 1}, "b": {"k": 1}}
    assert value.mark_of("b").line == 2


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert parse(decode(b"\xef\xbb\xbfpart: x", "a.yaml")).mark_of("part").column == 7


def test_bytes_that_are_not_utf_8() -> None:
    with pytest.raises(SpecError, match="this is not text in UTF-8"):
        decode("part: x".encode("utf-16"), "a.yaml")


@pytest.mark.parametrize(
    "data",
    [
        {"a": "1e3", "b": "on", "c": "null", "d": "010", "e": "12", "f": ""},
        {"contains": {"gpu": {"count": 8}}, "links": [5, 4], "x": None, "t": True, "r": 0.5, "big": 7e10},
        {"title": "Ring: a #1", "s": "*gpu", "m": "two\nlines", "z": "叶", "tuple": (1, 2)},
        {"same": [["x"]] * 2},
    ],
)
def test_a_dict_comes_back_as_it_was(data: dict[str, object]) -> None:
    expected = {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}
    assert parse(document(data)).plain() == expected


@pytest.mark.parametrize("data", [{"a": object()}, {"a": {1, 2}}, {"a": b"x"}])
def test_a_dict_that_no_document_can_hold(data: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        parse(document(data))


def test_a_dict_that_holds_itself() -> None:
    data: dict[str, object] = {}
    data["a"] = data
    with pytest.raises(SpecError, match="nothing that holds itself"):
        document(data)


def mutant(seed: int) -> str:
    """Return an example with three random signs put in or taken out."""
    chance = random.Random(seed)
    signs = list(chance.choice(EXAMPLES).read_text(encoding="utf-8"))
    for _ in range(3):
        at = chance.randrange(len(signs))
        signs[at : at + chance.randint(0, 4)] = chance.choice(
            ["", "[", "]", "{", "}", ":", ",", "'", '"', "#", "&", "*", "!", "|", "\t", "\n", "- "]
        )
    return "".join(signs)


def answer(text: str, loader: type) -> object:
    try:
        return compose(Source("a.yaml", text), loader).plain()
    except SpecError as wrong:
        return str(wrong)


@pytest.mark.parametrize("seed", range(100))
def test_both_scanners_give_the_same_answer(seed: int) -> None:
    assert answer(mutant(seed), LOADERS[-1]) == answer(mutant(seed), LOADERS[0])


@loaders
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{from: gp?, to: x}", {"from": "gp?", "to": "x"}),
        ("{t: Ready? Go}", {"t": "Ready? Go"}),
        ("[https://a.org/b?c=d]", ["https://a.org/b?c=d"]),
        ("{k?: 1}", {"k?": 1}),
        ("?pu", "?pu"),
        ("{? x : y}", {"x": "y"}),
    ],
)
def test_a_question_mark_is_a_sign_like_any_other(written: str, meant: object, loader: type) -> None:
    assert compose(Source("a.yaml", f"a: {written}\n"), loader).plain() == {"a": meant}


@loaders
@pytest.mark.parametrize(
    ("text", "column"), [("a: [?pu]", 5), ("a: [gpu, ?pu]", 10), ("a: {?pu: 1}", 5), ("a: {from: ?pu, to: x}", 11)]
)
def test_a_text_that_begins_with_a_question_mark_needs_quotes_in_brackets(text: str, column: int, loader: type) -> None:
    assert mistakes(text, loader) == [(1, column, 1, "a text that begins with '?' needs quotes")]


def test_a_question_mark_is_not_blamed_for_a_mistake_elsewhere() -> None:
    assert mistakes("a: {from: gp?, to: x}\nb: {c: d: e}\n", LOADERS[-1])[0][0] == 2
