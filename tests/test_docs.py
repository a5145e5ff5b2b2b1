"""What the documentation shows is true: its documents load, its layouts are read, its Python runs, its links lead somewhere."""

import re
from pathlib import Path

import pytest
from reference import PAGES, ROOT

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing import view_by_name
from topoviz.drawing.fields.names import OF_LINKS, OF_NETWORK, OF_PLAN, OF_THINGS
from topoviz.drawing.read_layout import read_layout
from topoviz.marks import Source
from topoviz.model.grammar import FORMS
from topoviz.model.source import decode, parse
from topoviz.model.wiring import RULES
from topoviz.picture import of, wanted

FILES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
LAYOUT_KEYS = {"view", "rows", "columns", "summary", "suits", "each"}
THEME_KEYS = {"base", "colours"}


def blocks(language):
    """Every fenced block of a language, with the file and the line where it starts."""
    found = []
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            found.append((f"{file.name}:{text.count(chr(10), 0, match.start()) + 2}", match[1]))
    return found


def keys(text):
    return {key for key, _ in parse(Source("block.yaml", text)).items()}


DATA = [(place, text, keys(text)) for place, text in blocks("yaml")]
DOCUMENTS = [(place, text) for place, text, found in DATA if not found & (LAYOUT_KEYS | THEME_KEYS)]
LAYOUTS = [(place, text) for place, text, found in DATA if found & LAYOUT_KEYS]
FENCED = re.compile(r"^(`{3,}).*?^\1$", re.DOTALL | re.MULTILINE)  # what stands in a fence is no link
LINKS = [
    (file, link)
    for file in FILES
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", file.read_text(encoding="utf-8")))
    if "://" not in link
]


@pytest.mark.parametrize(("place", "text"), DOCUMENTS, ids=[place for place, _ in DOCUMENTS])
def test_documents_load_and_draw(place, text):
    topology = tv.load(decode(text.encode(), place))
    assert all(of(topology, request).svg().startswith("<svg") for request in wanted(topology))


@pytest.mark.parametrize(("place", "text"), LAYOUTS, ids=[place for place, _ in LAYOUTS])
def test_layouts_are_read(place, text):
    assert read_layout(Source(place, text), "block").block


@pytest.mark.parametrize(("place", "text"), blocks("python"), ids=[place for place, _ in blocks("python")])
def test_python_runs(place, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(text, place, "exec"), {})  # noqa: S102 - our own documentation


def anchors(file):
    """The anchors that a page has for its headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize(("file", "link"), LINKS, ids=[f"{file.name}-{link}" for file, link in LINKS])
def test_links_lead_somewhere(file, link):
    path, _, anchor = link.partition("#")
    target = (file.parent / path).resolve() if path else file
    assert target.exists()
    assert not anchor or anchor in anchors(target)


@pytest.mark.parametrize("name", PAGES)
def test_reference_pages_are_fresh(name, request):
    page, text = ROOT / "docs" / name, PAGES[name]()
    if request.config.getoption("--accept"):
        page.write_bytes(text.encode())
    assert page.read_text(encoding="utf-8") == text


def test_every_page_is_reached_from_the_readme():
    there = {f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")}
    seen, found = [ROOT / "README.md"], set()
    while seen:
        here = seen.pop()
        for path in (
            here.parent / link.partition("#")[0]
            for link in re.findall(r"\]\(([^):\s]+\.md[^)\s]*)\)", here.read_text(encoding="utf-8"))
        ):
            name = Path(path).resolve().relative_to(ROOT).as_posix()
            if name not in found:
                found.add(name)
                seen.append(ROOT / name)
    assert there <= found


@pytest.mark.parametrize("field", [*OF_THINGS, *OF_LINKS, *OF_PLAN, *OF_NETWORK])
def test_every_field_is_explained(field):
    assert f"`{field}`" in (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("view", view_by_name.names())
def test_every_view_is_explained(view):
    assert f"`{view}`" in (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_is_explained(rule):
    assert f"| `{rule}`" in (ROOT / "docs" / "language.md").read_text(encoding="utf-8")


README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = [line for line in README.split("## Commands")[1].split("\n## ")[0].splitlines() if line.startswith("| `")]


def test_the_readme_lists_every_command():
    named = {word for line in TABLE for word in re.findall(r"`topoviz ([\w-]+)", line)}
    assert named == set(cli.commands)


@pytest.mark.parametrize("option", sorted({option for line in TABLE for option in re.findall(r"--[\w-]+", line)}))
def test_options_in_the_readme_exist(option):
    assert option in {name for command in cli.commands.values() for one in command.params for name in one.opts}


GUIDE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
CODE = "\n".join(re.findall(r"^```yaml\n.*?^```$|`[^`\n]+`", GUIDE, re.DOTALL | re.MULTILINE))
SHOWN = ("document", "entry", "port", "wire", "fabric", "change", "route", "picture")


@pytest.mark.parametrize("key", sorted({key.name for form in SHOWN for key in FORMS[form].keys}))
def test_every_key_is_in_the_guide(key):
    assert re.search(rf"(?<![\w$-]){re.escape(key)}(?![\w-])", CODE)


def test_every_key_of_a_picture_has_its_row():
    rows = "".join(line.split(" | ")[0] for line in GUIDE.split("\n## Pictures")[1].split("\n## ")[0].splitlines())
    assert [key.name for key in FORMS["picture"].keys if f"`{key.name}`" not in rows] == []
