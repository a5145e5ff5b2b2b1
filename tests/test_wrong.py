"""Every wrong document gets exactly the answer that lies beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from topoviz.errors import SpecError, report
from topoviz.marks import Source
from topoviz.model.read import read_document

FOLDER = Path(__file__).parent / "data" / "wrong"
READ = ("read-", "form-")  # found by the reader alone


def documents(*prefixes: str) -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem.startswith(prefixes))


def source(name: str) -> Source:
    return Source(f"{name}.yaml", (FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


def answer(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", documents(*READ))
def test_the_reader_gives_the_exact_answer(name: str) -> None:
    with pytest.raises(SpecError) as wrong:
        read_document([source(name)])
    assert report(wrong.value.diagnostics) + "\n" == answer(name)


@pytest.mark.parametrize("name", documents("name-", "hard-"))
def test_the_reader_leaves_later_stages_their_mistakes(name: str) -> None:
    assert read_document([source(name)]).sources == (source(name),)
