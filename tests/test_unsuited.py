"""A layout that is forced on a machine: it draws something of it, or is refused with a hint."""

from __future__ import annotations

import pytest

from topoviz import resources
from topoviz.drawing.scene import Text
from topoviz.errors import SpecError, TopovizError
from topoviz.loading import load
from topoviz.picture import render

LAYOUTS = tuple(resources.Layouts())
MACHINES = {
    "one GPU": {"part": "h100-sxm"},
    "three GPUs": {"contains": {"gpu": {"kind": "gpu", "count": 3}}},
    "two CPUs": {"contains": {"cpu": {"kind": "cpu", "count": 2}}},
    "a switch": {"part": "qm9700"},
    "NVSwitches": {"part": "dgx-h100"},
    "boards": {"part": "dgx-2"},
    "hybrid cube mesh": {"part": "dgx-1v"},
    "full mesh": {"part": "mi300x"},
    "no NVLink": {"part": "l40s-server"},
    "a rack": {"part": "gb200-nvl72"},
    "a torus": {"part": "trn2"},
    "rails": {
        "contains": {"node": {"part": "dgx-h100", "count": 4}},
        "fabric": [{"join": "node/nic", "kind": "infiniband", "switch": "qm9700", "rails": 8}],
    },
    "a fat tree": {
        "contains": {"node": {"part": "hgx-h100", "count": 3}},
        "fabric": [{"join": "node/nic", "kind": "infiniband", "switch": "qm9700"}],
    },
}


def drawn(layout, machine):
    """The picture, or the error that refuses it."""
    try:
        return render(load(MACHINES[machine]), layout=layout).scene()
    except TopovizError as refused:
        return refused


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_forced_layout_draws_something_or_is_refused_with_a_hint(layout, machine):
    scene = drawn(layout, machine)
    if isinstance(scene, TopovizError):
        assert "hint: " in str(scene)
        return
    assert any(not isinstance(shape, Text) for item in scene.items for shape in item.shapes)
    titles = [s.content for i in scene.items for s in i.shapes if isinstance(s, Text) and s.size == 20]
    assert not any(" 0 " in f" {title} " for title in titles)


@pytest.mark.parametrize(
    ("layout", "machine", "hint"),
    [
        ("cluster", "one GPU", "part, unknown or nested draws it"),
        ("rail-cluster", "three GPUs", "unknown or nested draws it"),
        ("side-by-side", "NVSwitches", "panels: [a, b]"),
        ("torus", "full mesh", "full-mesh"),
        ("elevation", "one GPU", "part"),
    ],
)
def test_the_hint_names_what_suits(layout, machine, hint):
    with pytest.raises(SpecError) as refused:
        render(load(MACHINES[machine]), layout=layout).scene()
    (one,) = refused.value.diagnostics
    assert one.code == "does-not-suit"
    assert hint in one.hint


def test_a_sentence_of_a_layout_that_counts_nothing_is_left_out():
    scene = render(load("mi300x"), layout="nvlink-rack").scene()
    said = [s.content for i in scene.items for s in i.shapes if isinstance(s, Text)]
    assert not any("0 CPUs" in one for one in said)
    own = render(load("mi300x"), title="{nvswitch.count} NVSwitches").scene()
    assert own.title == "0 NVSwitches"
