"""A seeded sample of systems that nobody built: every picture is clean, by geometry and in the browser."""

import pytest
from audit_browser import audit as audit_in_browser
from audit_random import drawn

from topoviz.drawing.audit import audit

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_system_that_nobody_built_is_drawn_clean(seed):
    sort, _, picture = drawn(seed)
    assert audit(picture.scene()) == (), sort


def test_the_browser_agrees(tmp_path):
    files = [tmp_path / f"{seed}.svg" for seed in SEEDS]
    for seed, file in zip(SEEDS, files, strict=True):
        file.write_text(drawn(seed)[2].svg(), encoding="utf-8")
    found = [row for at in range(0, len(files), 20) for row in audit_in_browser(files[at : at + 20]).items() if row[1]]
    assert found == []
