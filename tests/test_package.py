"""What is installed is what is here: the wheel holds all data and draws the same bytes."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the source archive and the wheel that was made from it."""
    out = tmp_path_factory.mktemp("built")
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)], check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def wheel(built):
    return next(built.glob("*.whl"))


@pytest.mark.parametrize(
    "name",
    [
        "layouts/ring.yaml",
        "catalog/dgx-h100.yaml",
        "renderers/themes/dark.yaml",
        "lang/zh.yaml",
        "model/links.yaml",
        "drawing/advances.json",
        "py.typed",
    ],
)
def test_wheel_holds(wheel, name):
    assert f"topoviz/{name}" in zipfile.ZipFile(wheel).namelist()


def test_wheel_holds_every_layout_and_part(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"topoviz/layouts/{f.name}" for f in (ROOT / "layouts").glob("*.yaml")}
    wanted |= {f"topoviz/catalog/{f.name}" for f in (ROOT / "topoviz" / "catalog").glob("*.yaml")}
    assert wanted <= inside


def test_nothing_of_it_lies_at_the_top_of_site_packages(wheel):
    assert {name.split("/")[0].split("-")[0] for name in zipfile.ZipFile(wheel).namelist()} == {"topoviz"}


@pytest.mark.parametrize("part", ["dgx-h100", "gb200-nvl72"])
def test_wheel_draws_the_same_bytes(wheel, tmp_path, part):
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")  # noqa: S202 - our own
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "installed")}
    command = [sys.executable, "-m", "topoviz", "render", part, "-o", "-"]
    there = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True).stdout
    here = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert there == here != b""


@pytest.mark.parametrize(
    "name", ["run-tests", "LICENSE", "docs/language.md", "examples/ring.yaml", "gallery/ring.svg", "tests/conftest.py"]
)
def test_source_archive_holds(built, name):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        assert name in {member.partition("/")[2] for member in archive.getnames()}


def test_lowest_versions_are_those_of_the_project():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = re.search(r"^dependencies = \[(.*?)^\]", project, re.DOTALL | re.MULTILINE)[1]
    lowest = (ROOT / "tests" / "lowest.txt").read_text(encoding="utf-8")
    assert re.findall(r"^(\w+)==([\d.]+)$", lowest, re.MULTILINE) == re.findall(r'"(\w+)>=([\d.]+)', dependencies)
