"""Every example loads, has nothing to complain about, and asks for a picture."""

import pytest

import topoviz as tv
from gallery import EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.stem for example in EXAMPLES])
def test_example_checks_clean_and_asks_for_a_picture(example):
    topology = tv.load(example)
    assert [one.render() for one in tv.check(topology) if one.severity != "note"] == []  # notes: what was inferred
    assert topology.spec.pictures


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.stem for example in EXAMPLES])
def test_pictures_of_an_example_are_called_like_it(example):
    first, *others = [picture.file for picture in tv.load(example).spec.pictures]
    assert first == f"{example.stem}.svg"
    assert [file for file in others if not file.startswith(f"{example.stem}-")] == []
