import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import documentation
import pytest

WORDS = "8 GPUs, 2 CPUs"


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    return documentation.project(tmp_path_factory.mktemp("documentation") / "lab")


def clean(source, builder, *options):
    code, said, out = documentation.build(source, builder, "-W", *options)
    assert (code, "WARNING" in said) == (0, False), said
    return out


@pytest.fixture(scope="session")
def html(source):
    return clean(source, "html", "-j", "2")


@pytest.fixture(scope="session")
def german(source):
    return clean(source, "singlehtml", "-D", "language=de")


def svgs(page):
    return [ET.fromstring(text) for text in re.findall(r"<svg.*?</svg>", page.read_text(), re.DOTALL)]


def test_a_page_holds_its_pictures_with_ids_of_their_own(html):
    pictures = svgs(html / "index.html")
    ids = [element.get("id") for picture in pictures for element in picture.iter() if element.get("id")]
    assert len(pictures) == 3
    assert len(ids) == len(set(ids))


def test_every_reference_inside_a_picture_finds_its_target(html):
    page = (html / "index.html").read_text()
    for_ids = set(re.findall(r' id="(tv_[^"]+)"', page))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= for_ids
    assert {one for names in re.findall(r'aria-labelledby="(tv_[^"]+)"', page) for one in names.split()} <= for_ids


def test_a_picture_follows_the_page_into_the_dark(html):
    page = (html / "page.html").read_text()
    assert "html[data-theme=dark] #tv_1" in page
    assert "var(--tv-gpu,var(--_gpu))" in page


def test_a_figure_is_numbered_and_found_by_its_name(html):
    page = (html / "index.html").read_text()
    assert re.search(r'<figure[^>]*id="fig-ring"', page)
    assert re.search(r'href="#fig-ring"><span class="std std-numref">Fig\. 2</span>', page)
    assert '<span class="caption-text">A ring through <em>eight</em> GPUs</span>' in page


def test_a_picture_without_caption_has_a_name_too(html):
    page = (html / "index.html").read_text()
    assert re.search(r'<div class="topoviz-picture" id="plain" style="[^"]*--topoviz-width:90%', page)


def test_the_words_for_screen_readers_are_those_of_the_author_or_a_sentence(html):
    said = [picture.find("{*}desc").text for picture in svgs(html / "index.html")]
    assert said[2] == "A server with eight GPUs"
    assert said[1].startswith(f"node A: {WORDS}. Links: 8 PCIe 4.0 x16.")


def test_the_document_stands_beside_its_picture_if_asked(html):
    assert "xeon-spr" in (html / "index.html").read_text()


def test_the_style_sheet_is_there_and_in_a_layer(html):
    assert "_static/topoviz.css" in (html / "index.html").read_text()
    assert "@layer topoviz" in (html / "_static" / "topoviz.css").read_text()


def test_labels_and_words_are_translated_by_the_catalogs_of_the_documentation(german):
    page = (german / "index.html").read_text()
    assert "64 GB/s in beide Richtungen" in page
    assert "32 GB/s je Richtung" in page
    assert "Ein Server mit acht GPUs" in page
    assert 'lang="de"' in page


def test_one_page_of_all_has_no_id_twice(german):
    ids = re.findall(r' id="(tv_[^"]+)"', (german / "index.html").read_text())
    assert len(ids) == len(set(ids)) >= 8


def test_a_language_that_topoviz_speaks_needs_no_catalog(source):
    out = clean(source, "html", "-D", "language=zh_CN", "-D", "locale_dirs=none", "-E")
    assert "单向 32 GB/s" in (out / "page.html").read_text()


def test_translators_get_every_text(source):
    template = (clean(source, "gettext") / "index.pot").read_text()
    assert 'msgid "{value} per direction"' in template
    assert 'msgid "A server with eight GPUs"' in template
    assert 'msgid "{count} CPUs"' in template


def test_latex_gets_vectors_and_the_caption(source):
    out = clean(source, "latex")
    text = next(out.glob("*.tex")).read_text()
    files = re.findall(r"\\sphinxincludegraphics\[?[^{]*\{\{(topoviz-[^}]+)\}\.pdf\}", text)
    assert len(files) == 4
    assert all((out / f"{name}.pdf").read_bytes().startswith(b"%PDF-") for name in files)
    assert r"\caption{A ring through \sphinxstyleemphasis{eight} GPUs}" in text


def test_a_book_holds_pictures_as_files(source):
    with zipfile.ZipFile(next(clean(source, "epub").glob("*.epub"))) as book:
        listed = book.read("content.opf").decode()
        names = [name for name in book.namelist() if "topoviz-" in name]
        assert len(names) == 4
        assert all(ET.fromstring(book.read(name)).tag.endswith("svg") for name in names)
        assert all(name.rsplit("/", 1)[-1] in listed for name in names)


@pytest.mark.parametrize(("builder", "file"), [("text", "index.txt"), ("man", "lab.1"), ("texinfo", "lab.texi")])
def test_words_stand_for_pictures_where_there_are_none(source, builder, file):
    text = " ".join((clean(source, builder) / file).read_text().split())
    assert f"[topology: node A: {WORDS}. Links: 8 PCIe 4.0 x16." in text.replace("\\&", "")


@pytest.mark.parametrize("builder", ["xml", "dirhtml"])
def test_other_builders_know_what_to_do(source, builder):
    out = clean(source, builder)
    assert next(out.rglob("index.*")).stat().st_size > 0


def test_a_foreign_builder_gets_an_image(source):
    tree = ET.parse(clean(source, "xml") / "page.xml")
    image = next(tree.iter("image"))
    assert image.get("uri").endswith(".svg")
    assert image.get("alt").startswith(f"Our own: {WORDS}")


@pytest.mark.parametrize(("form", "classes"), [("img", ["dark-light"]), ("pair", ["only-light", "only-dark"])])
def test_pictures_can_be_files_that_the_theme_may_swap(tmp_path, form, classes):
    files = {"index.rst": f"Lab\n===\n\n.. topology:: l40s-server\n   :format: {form}\n"}
    out = clean(documentation.written(tmp_path / "lab", files), "html")
    found = re.findall(
        r'<img alt="8 × L40S[^"]*" class="([^"]+)" src="(_images/[^"]+)"', (out / "index.html").read_text()
    )
    assert [mark for mark, _ in found] == classes
    assert all((out / path).is_file() for _, path in found)


def test_the_old_name_of_the_directive_draws_too(tmp_path):
    files = {"index.rst": "Lab\n===\n\n.. topoviz:: l40s-server\n"}
    out = clean(documentation.written(tmp_path / "lab", files), "html")
    assert len(svgs(out / "index.html")) == 1


WRONG = "contains:\n  gpu: 8 x l40s\n  cpu: 2 x xeon\n"


def indented(text):
    return text.replace("\n", "\n   ")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("index.rst", f"Lab\n===\n\n.. topology::\n   :title: A\n\n   {indented(WRONG)}\n", 9),
        ("index.md", f"# Lab\n\nWords.\n\n```{{topology}}\n:title: A\n\n{WRONG}```\n", 10),
    ],
)
def test_a_mistake_in_a_body_is_told_with_its_line(tmp_path, name, text, line):
    code, said, out = documentation.build(documentation.written(tmp_path / "lab", {name: text}))
    assert code == 0
    assert f"{name}:{line}: WARNING: unknown part 'xeon'" in said
    page = (out / "index.html").read_text()
    assert "The picture could not be drawn." in page
    assert "unknown part" in page
    assert "<svg" not in page


def test_a_mistake_in_a_file_is_told_where_it_stands_in_the_file(tmp_path):
    files = {"index.rst": "Lab\n===\n\n.. topology:: a.yaml\n", "a.yaml": WRONG}
    said = documentation.build(documentation.written(tmp_path / "lab", files))[1]
    assert "a.yaml:3: WARNING: unknown part 'xeon'" in said


@pytest.mark.parametrize(
    ("directive", "said"),
    [
        (".. topology:: a.yaml\n", "there is no file 'a.yaml'"),
        (".. topology:: dgx-h1000\n", "did you mean 'dgx-h100'"),
        (".. topology::\n", "neither a file nor lines below it"),
        (".. topology:: dgx-h100\n   :highlight: rong\n", "rong"),
        (".. topology:: dgx-h100\n   :layout: rong\n", "did you mean 'ring'"),
    ],
)
def test_what_is_wrong_is_a_warning_that_ends_a_strict_build(tmp_path, directive, said):
    source = documentation.written(tmp_path / "lab", {"index.rst": f"Lab\n===\n\n{directive}"})
    code, told, _ = documentation.build(source, "html", "-W", "--keep-going")
    assert code == 1
    assert f"index.rst:{5 if 'highlight' in directive else 4}: WARNING:" in told
    assert said in told


def test_warnings_can_be_switched_off_by_their_type(tmp_path):
    source = documentation.written(
        tmp_path / "lab", {"index.rst": "Lab\n===\n\n.. topology:: nowhere\n"}, 'suppress_warnings = ["topoviz.spec"]'
    )
    assert "WARNING" not in documentation.build(source)[1]


def test_a_failed_picture_is_told_at_every_build_until_it_is_mended(tmp_path):
    files = {"index.rst": "Lab\n===\n\n.. topology:: a.yaml\n", "a.yaml": WRONG}
    source = documentation.written(tmp_path / "lab", files)
    assert [documentation.build(source)[1].count("unknown part") for _ in range(2)] == [1, 1]
    (source / "a.yaml").write_text("part: l40s-server\n")
    out = clean(source, "html")
    assert len(svgs(out / "index.html")) == 1


def test_only_readers_of_a_changed_file_are_read_again_and_others_draw_nothing(tmp_path):
    files = {
        "index.rst": "Lab\n===\n\n.. toctree::\n\n   a\n   b\n",
        "a.rst": "A\n=\n\n.. topology:: system.yaml\n",
        "b.rst": "B\n=\n\n.. topology:: dgx-h100\n",
        "system.yaml": "contains: {node: 2 x own}\n",
        "catalog/own.yaml": "kind: node\ncontains: {gpu: 2 x l40s}\n",
    }
    source = documentation.written(tmp_path / "lab", files)
    clean(source, "html")
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "lab-trees-html" / "topoviz").iterdir()}
    (source / "catalog" / "own.yaml").write_text("kind: node\ncontains: {gpu: 4 x l40s}\n")
    said = documentation.build(source)[1]
    assert "1 changed" in said
    now = {path: path.stat().st_mtime_ns for path in (tmp_path / "lab-trees-html" / "topoviz").iterdir()}
    assert len(set(kept.items()) & set(now.items())) == 1  # the picture of b; the old one of a is gone
    assert len(now) == 2


def test_a_name_in_conf_that_is_none_of_ours_is_told(tmp_path):
    source = documentation.written(tmp_path / "lab", {"index.rst": "Lab\n===\n"}, 'topoviz_them = "dark"')
    assert "unknown 'topoviz_them'; did you mean 'topoviz_theme'?" in documentation.build(source)[1]


def test_the_same_documentation_gives_the_same_pictures(tmp_path):
    made = []
    for name in ("one", "two"):
        source = documentation.project(tmp_path / name / "lab")
        made.append((clean(source, "html") / "index.html").read_bytes())
    assert made[0] == made[1]


def test_a_picture_of_a_fixed_theme_keeps_its_own_ground_and_one_that_follows_the_page_has_none(tmp_path):
    files = {"index.rst": "Lab\n===\n\n.. topology:: l40s\n   :theme: dark\n\n.. topology:: l40s\n"}
    dark, follows = svgs(clean(documentation.written(tmp_path / "lab", files), "html") / "index.html")
    grounds = [
        [one for one in svg.iter() if one.get("width") == "960" and one.get("fill", "none") != "none"]
        for svg in (dark, follows)
    ]
    assert [len(found) for found in grounds] == [1, 0]


def test_a_document_with_a_job_is_drawn_with_its_groups_unless_something_else_is_asked(tmp_path):
    body = "\n   part: dgx-h100\n   job: {tp: 4, pp: 2}\n"
    files = {"index.rst": f"Lab\n===\n\n.. topology::\n{body}\n.. topology::\n   :highlight: ring\n{body}"}
    groups, ring = svgs(clean(documentation.written(tmp_path / "lab", files), "html") / "index.html")
    assert "TP 4 × PP 2" in "".join(groups.itertext())
    assert "TP 4 × PP 2" not in "".join(ring.itertext())


def test_what_a_tool_printed_stands_beside_its_picture_without_being_taken_for_yaml(tmp_path):
    matrix = Path("examples/topo.txt").read_text()
    files = {"topo.txt": matrix, "index.rst": "Lab\n===\n\n.. topology:: topo.txt\n   :code: below\n"}
    out = clean(documentation.written(tmp_path / "lab", files), "html")
    assert "NV18" in (out / "index.html").read_text()
