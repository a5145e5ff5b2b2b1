"""Wrong documents of the names and hardware stages: the exact answer stands beside each."""

import pytest
from documents import CATALOG, DATA, LAYOUTS, document

from topoviz.errors import SpecError
from topoviz.model.build import build

WRONG = [path for path in sorted((DATA / "wrong").glob("*.yaml")) if path.stem.startswith(("name-", "hard-"))]


def test_all_are_there():
    assert len(WRONG) == 37


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_answer(path):
    told, _, _ = path.with_suffix(".txt").read_text("utf-8").rstrip("\n").rpartition("\n")
    with pytest.raises(SpecError) as caught:
        build(document(path.read_text("utf-8"), path.name), CATALOG, layouts=LAYOUTS)
    assert str(caught.value) == told
