"""The project's own documentation, built by Sphinx with the extension of the project."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-j", "2", str(DOCS), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return out


def test_it_builds_without_a_warning_and_every_page_is_there(site):
    pages = [path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")]
    assert [str(page) for page in pages if not (site / page).is_file()] == []


def test_every_picture_is_drawn_by_the_build(site):
    assert [path for path in DOCS.rglob("*") if path.suffix in {".svg", ".png", ".pdf"}] == []
    for page in site.rglob("*.html"):
        images = re.findall(r"<img [^>]*>", page.read_text(encoding="utf-8"))
        assert images == [], page


def test_the_course_is_drawn_in_both_languages(site):
    for page, lang in (("course/index.html", "en"), ("course/zh/index.html", "zh")):
        text = (site / page).read_text(encoding="utf-8")
        assert len(re.findall(rf'<svg [^>]*class="topoviz"[^>]*lang="{lang}"', text)) == 23
