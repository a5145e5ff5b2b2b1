"""Pictures in the documents of other hosts: MkDocs, pandoc, notebooks, a README."""

import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from xml.etree import ElementTree as ET

import nbformat
import pypandoc
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

import topoviz as tv
from topoviz.hosts import mkdocs, pandoc

BODY = "contains:\n  cpu: xeon-spr\n  gpu: 2 x l40s\nwires:\n  - {from: gpu, to: cpu, kind: pcie, rule: block}\n"
FENCES = """
markdown_extensions:
  - pymdownx.superfences:
      custom_fences:
        - name: topology
          class: topology
          format: !!python/name:topoviz.hosts.mkdocs.fence
          validator: !!python/name:topoviz.hosts.mkdocs.options
"""


def site(folder, page, *options):
    """Build a site by MkDocs with the Material theme; return its code, what it said, and the page."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(f"site_name: Lab\ntheme: {{name: material}}\n{FENCES}")
    command = [sys.executable, "-m", "mkdocs", "build", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    out = folder / "site" / "index.html"
    return done.returncode, done.stdout + done.stderr, out.read_text(encoding="utf-8") if out.is_file() else ""


def pictures(page):
    return [ET.fromstring(text) for text in re.findall(r"<svg[^>]*class=\"topoviz\".*?</svg>", page, re.DOTALL)]


def test_mkdocs_draws_fences_each_with_ids_of_its_own(tmp_path):
    fence = f"``` {{ .topology title='Two L40S' caption='Our own' name='fig-own' }}\n{BODY}```\n"
    page = f"# Lab\n\n{fence}\n``` topology\npart: dgx-h100\n```\n\n``` topology\npart: dgx-h100\n```\n"
    code, said, html = site(tmp_path, page, "--strict")
    assert (code, "topoviz" in said) == (0, False), said
    drawn = pictures(html)
    assert len(drawn) == 3
    ids = re.findall(r' id="(tv_[^"]+)"', html)
    assert len(ids) == len(set(ids)) >= 6
    assert '<figure id="fig-own"' in html
    assert "<figcaption>Our own</figcaption>" in html
    assert "[data-md-color-scheme=slate]" in html


def test_mkdocs_shows_a_box_for_a_mistake_and_fails_if_strict(tmp_path):
    code, said, html = site(tmp_path, "# Lab\n\n``` topology\ncontain: {}\n```\n")
    assert code == 0
    assert "line 1: error: unknown key 'contain'" in said
    assert "The picture could not be drawn." in html
    assert "unknown key &#x27;contain&#x27;" in html


def test_mkdocs_ends_a_strict_build(tmp_path):
    assert site(tmp_path, "# Lab\n\n``` topology\ncontain: {}\n```\n", "--strict")[0] != 0


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (BODY, {"hightlight": "ring"}, "unknown option 'hightlight'"),
        (BODY, {"from": "dgx-h100"}, "a fence has either from= or lines in it"),
        ("", {}, "a fence has either from= or lines in it"),
        ("", {"from": "dgx-h1000"}, "did you mean 'dgx-h100'"),
    ],
)
def test_a_fence_says_what_is_wrong_in_its_place(source, options, said):
    assert said in mkdocs.fence(source, "topology", "topology", options, None).replace("&#x27;", "'")


def converted(text, form, folder):
    """Return what pandoc itself makes of a Markdown text with our filter, beside the pictures."""
    # The installed command as the documentation calls it; a `.py` filter would run in whichever Python is first.
    script = Path(sysconfig.get_path("scripts"), "topoviz-pandoc")
    source = folder / "page.md"
    source.write_text(text, encoding="utf-8")
    command = [pypandoc.get_pandoc_path(), "page.md", "-t", form, "--filter", str(script)]
    out = [] if form == "html" else ["-o", f"page.{form}"]
    return subprocess.run([*command, *out], cwd=folder, capture_output=True, text=True, check=False)


PAGE = f'# Lab\n\n```{{.topology #fig-own caption="Our own"}}\n{BODY}```\n\n``` {{.topology from=dgx-h100}}\n```\n'


def test_pandoc_writes_inline_pictures_into_html(tmp_path):
    done = converted(PAGE, "html", tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(pictures(done.stdout)) == 2
    assert 'id="fig-own"' in done.stdout


def test_pandoc_writes_pdf_for_latex_with_the_caption(tmp_path):
    done = converted(PAGE, "latex", tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.latex").read_text(encoding="utf-8")
    assert r"\caption{Our own}" in text
    files = re.findall(r"\{(topoviz-pictures/[^}]+\.pdf)\}", text)
    assert len(files) == 2
    assert all((tmp_path / name).read_bytes().startswith(b"%PDF-") for name in files)


def test_pandoc_writes_png_for_word(tmp_path):
    done = converted(PAGE, "docx", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.docx").stat().st_size > 20_000
    assert (tmp_path / "topoviz-pictures" / "topoviz-1.png").read_bytes().startswith(b"\x89PNG")


def test_pandoc_stops_with_the_mistake(tmp_path):
    done = converted("```{.topology}\ncontain: {}\n```\n", "html", tmp_path)
    assert done.returncode != 0
    assert "unknown key 'contain'" in done.stderr


def test_other_blocks_of_a_document_stay_as_they_are(tmp_path):
    document = {"blocks": [{"t": "CodeBlock", "c": [["", ["python"], []], "1 + 1"]}]}
    assert pandoc.filtered(document, "html", tmp_path) == document


def test_a_notebook_shows_the_picture_of_its_last_line():
    cell = nbformat.v4.new_code_cell("import topoviz as tv\ntv.render(tv.load('l40s-server'))")
    book = nbformat.v4.new_notebook(cells=[cell])
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(book, {})
    data = book.cells[0].outputs[0]["data"]
    assert set(data) == {"image/svg+xml", "image/png", "text/plain"}
    assert data["text/plain"].startswith("8 × L40S")
    assert "data:image/svg+xml;base64," in HTMLExporter().from_notebook_node(book)[0]


def test_one_file_is_right_in_a_readme_in_both_modes():
    """GitHub keeps the style element of a committed file: literal colours first, the dark ones for who asks."""
    svg = tv.render(tv.load("l40s-server"), theme="auto").svg()
    assert "@media screen and (prefers-color-scheme:dark)" in svg
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<style>[^@]*\{", svg)
