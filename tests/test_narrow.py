"""Pages that are too narrow: the picture becomes wider, says so, and every GPU can be counted."""

from __future__ import annotations

import pytest

from topoviz.drawing.audit import audit
from topoviz.loading import load
from topoviz.picture import render

RAILS = {
    "contains": {"node": {"part": "dgx-h100", "count": 4}},
    "fabric": [{"join": "node/nic", "kind": "infiniband", "switch": "qm9700", "rails": 8}],
}


@pytest.mark.parametrize("part", ["dgx-h100", "dgx-2", "mi300x", "trn2", "gb200-nvl72", "rails"])
@pytest.mark.parametrize(("width", "scale"), [(300, 1), (500, 1), (500, 1.5), (500, 2), (736, 2)])
def test_every_gpu_can_be_counted_at_any_width(part, width, scale):
    picture = render(load(RAILS if part == "rails" else {"part": part}), width=width, scale=scale)
    scene = picture.scene()
    gpus = [item.shapes[0] for item in scene.items if item.role == "node" and item.kind == "gpu"]
    assert min(box.width for box in gpus) >= 6 * scale
    assert audit(scene) == ()
    assert (scene.width > width) == any(one.code == "too-narrow" for one in picture.warnings)


def test_the_warning_says_how_wide_it_is_and_stands_at_its_place():
    (told,) = render(load(RAILS), width=500, scale=1.5).warnings
    assert told.message == "500 is too narrow for this picture at scale 1.5: it is drawn 750 wide"
    assert told.mark is not None


@pytest.mark.parametrize("width", [736, 960, 1400])
def test_a_page_with_room_keeps_its_width(width):
    picture = render(load(RAILS), width=width)
    assert picture.scene().width == width
    assert picture.warnings == ()
