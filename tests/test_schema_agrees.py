"""The JSON Schema and the checker agree: on right files, and on each of them made wrong in one place."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from mutations import mutants

import topoviz
from topoviz.cli import cli
from topoviz.drawing.read_layout import read_layout
from topoviz.errors import SpecError
from topoviz.marks import Source
from topoviz.model.read import read_document, read_part
from topoviz.model.schema import schema
from topoviz.model.source import parse

HERE = Path(__file__).parent
ROOT = HERE.parent
VALIDATORS = {which: jsonschema.Draft7Validator(schema(which)) for which in ("document", "part", "layout")}
READERS = {
    "document": lambda source: read_document([source]),
    "part": lambda source: read_part(source, "a"),
    "layout": lambda source: read_layout(source, "a"),
}
CORPUS = [  # which schema, files, every how many-th mutant is tried
    ("document", sorted((HERE / "data" / "examples").glob("*.yaml")), 1),
    ("document", sorted((ROOT / "examples").glob("*.yaml")), 3),
    ("part", sorted((Path(topoviz.__file__).parent / "catalog").glob("*.yaml")), 11),
    ("layout", sorted((ROOT / "layouts").glob("*.yaml")), 7),
]
NEEDS_OTHERS = {"28-joined", "host", "scheduler", "simulated"}  # they include a file, which the checker looks for
FILES = [(which, path, step) for which, paths, step in CORPUS for path in paths if path.stem not in NEEDS_OTHERS]
IDS = [f"{which}-{path.parent.parent.name}-{path.stem}" for which, path, _ in FILES]


def verdicts(which: str, text: str) -> tuple[bool, bool]:
    """Return whether the schema and the checker take a text."""
    source = Source("a.yaml", text)
    by_schema = VALIDATORS[which].is_valid(parse(source).plain())
    try:
        READERS[which](source)
    except SpecError:
        return by_schema, False
    return by_schema, True


def written(document: Any) -> str:
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False)


def tried(which: str, path: Path, step: int) -> list[tuple[str, bool, bool]]:
    """Return what schema and checker say of each mutant of a file."""
    whole = parse(Source(path.name, path.read_text(encoding="utf-8"))).plain()
    some = islice(mutants(whole), 0, None, step)
    return [(name, *verdicts(which, written(mutant))) for name, mutant in some]


@pytest.mark.parametrize(("which", "path", "_step"), FILES, ids=IDS)
def test_both_take_a_right_file(which: str, path: Path, _step: int) -> None:
    assert verdicts(which, path.read_text(encoding="utf-8")) == (True, True)


@pytest.mark.parametrize(("which", "path", "step"), FILES, ids=IDS)
def test_both_say_the_same_of_a_file_made_wrong(which: str, path: Path, step: int) -> None:
    found = tried(which, path, step)
    assert [name for name, by_schema, by_checker in found if by_schema != by_checker] == []
    assert any(not by_checker for _, _, by_checker in found)


STRAY = [(which, path) for which, path, _ in FILES[::9]]


@pytest.mark.parametrize(("which", "path"), STRAY, ids=[f"{which}-{path.stem}" for which, path in STRAY])
def test_a_stray_key_at_the_top_is_refused_by_both(which: str, path: Path) -> None:
    whole = parse(Source(path.name, path.read_text(encoding="utf-8"))).plain()
    assert verdicts(which, written({**whole, "no-such-key": 1})) == (False, False)


@pytest.mark.parametrize("number", [0, -1, "0", "-1 B", "many"])
def test_parameters_of_a_model_are_above_zero_for_both(number: float | str) -> None:
    assert verdicts("document", written({"model": {"params": number}})) == (False, False)


@pytest.mark.parametrize("which", ["document", "layout", "part"])
def test_the_command_prints_the_schema(which: str) -> None:
    done = CliRunner().invoke(cli, ["schema", "--for", which], catch_exceptions=False)
    assert json.loads(done.output) == json.loads(json.dumps(schema(which)))
