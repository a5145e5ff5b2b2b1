import re
import zipfile
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
