"""The grammar, and that the JSON Schema and the form check agree on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

import topoviz
from topoviz.drawing.read_layout import read_layout
from topoviz.marks import Source
from topoviz.model.forms import CHECKS
from topoviz.model.grammar import FORMS, Form
from topoviz.model.layout_grammar import LAYOUT_FORMS, VIEWS, block_form
from topoviz.model.read import read_document
from topoviz.model.schema import RULES, schema
from topoviz.model.selected import SELECTED
from topoviz.model.source import parse

DATA = Path(__file__).parent / "data"
EXAMPLES = sorted((DATA / "examples").glob("*.yaml"))
LAYOUTS = sorted((DATA / "examples" / "layouts").glob("*.yaml"))
PARTS = sorted((Path(topoviz.__file__).parent / "catalog").glob("*.yaml"))
ALL_FORMS = {
    **FORMS,
    **LAYOUT_FORMS,
    **{f"block {view}": block_form(view) for view in VIEWS},
    "layout": block_form("", root=True),
}
LAYOUT_RULES = {"lines", "gutter", "true or words", "ticks", "frames"}
# what only the reader can see: names, counts that follow from others, links that are known
UNSEEN = {
    "form-name-ends-in-digit",
    "form-pcie-lanes",
    "form-same-file-twice",
    "form-unknown-link-name",
    "form-count-in-words",
}
WRONG = sorted(path for path in (DATA / "wrong").glob("form-*.yaml") if path.stem not in UNSEEN)
VALIDATORS = {which: jsonschema.Draft7Validator(schema(which)) for which in ("document", "part", "layout")}


def wrong_in(which: str, path: Path) -> list[str]:
    value = parse(Source(path.name, path.read_text(encoding="utf-8")))
    return [error.message for error in VALIDATORS[which].iter_errors(value.plain())]


def pieces(piece: object) -> Iterator[dict[str, object]]:
    if isinstance(piece, dict):
        yield piece
        for one in piece.values():
            yield from pieces(one)
    if isinstance(piece, list):
        for one in piece:
            yield from pieces(one)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_schema_takes_every_example(path: Path) -> None:
    assert wrong_in("document", path) == []


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_the_schema_takes_every_layout(path: Path) -> None:
    assert wrong_in("layout", path) == []


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.stem)
def test_the_schema_takes_every_part(path: Path) -> None:
    assert wrong_in("part", path) == []


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_the_schema_refuses_wrong_documents(path: Path) -> None:
    assert wrong_in("document", path) != []


@pytest.mark.parametrize(
    "text",
    [
        "changes: [{at: a}]",
        "changes: [{at: a, link: [a, b], state: down}]",
        "changes: [{at: a, absent: true, part: y}]",
        "routes: [{name: r, ring: a, path: b}]",
    ],
)
def test_the_schema_refuses_keys_that_do_not_go_together(text: str) -> None:
    assert list(VALIDATORS["document"].iter_errors(parse(Source("a.yaml", text)).plain())) != []


@pytest.mark.parametrize(
    ("which", "text"),
    [
        ("document", "contains: {n: {part: x, variant: 4}}"),
        ("document", "pictures: [{highlight: 1, table: [1.5], lang: [1]}]"),
        ("layout", "suits: [{has: 8, mig: 1}]\nview: tiers\ngutter: 3"),
    ],
)
def test_the_schema_takes_numbers_where_the_reader_takes_them_as_texts(which: str, text: str) -> None:
    source = Source("a.yaml", text)
    read_layout(source, "a") if which == "layout" else read_document([source])
    assert list(VALIDATORS[which].iter_errors(parse(source).plain())) == []


@pytest.mark.parametrize("which", ["document", "part", "layout"])
def test_the_schema_is_draft_7(which: str) -> None:
    jsonschema.Draft7Validator.check_schema(schema(which))


@pytest.mark.parametrize("which", ["document", "part", "layout"])
def test_every_object_is_closed_and_there_is_no_one_of(which: str) -> None:
    found = list(pieces(schema(which)))
    assert [one for one in found if "oneOf" in one] == []
    assert [
        one
        for one in found
        if isinstance(one.get("properties"), dict) and "type" in one and one.get("additionalProperties") is not False
    ] == []


@pytest.mark.parametrize("form", ALL_FORMS.values(), ids=ALL_FORMS.keys())
def test_every_key_has_help_and_a_rule(form: Form) -> None:
    names = [key.name for key in form.keys]
    assert len(names) == len(set(names))
    assert [key.name for key in form.keys if not key.help.endswith((".", "…"))] == []
    assert {key.type.rule for key in form.keys} <= {*CHECKS, *SELECTED, *LAYOUT_RULES}
    assert {key.type.rule for key in form.keys} <= set(RULES)


def test_an_unknown_file_kind_is_no_schema() -> None:
    with pytest.raises(KeyError):
        schema("theme")
