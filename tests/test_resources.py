import pytest

from topoviz import resources
from topoviz.errors import MissingEntry, SpecError

PART = "kind: node\ntitle: {title}\n"
LAYOUT = "summary: Mine.\nsuits: [{kind: node}]\nrows: [{view: nested}]\n"
THEME = 'summary: Mine.\nbase: light\ncolours: {gpu: "#123456"}\n'


@pytest.fixture
def folder(tmp_path):
    """A folder with a part, a layout, a theme and a language of one's own."""
    for kind, name, text in [
        ("catalog", "mine", PART.format(title="Mine")),
        ("catalog", "dgx-h100", PART.format(title="Not the shipped one")),
        ("layouts", "zz-mine", LAYOUT),
        ("themes", "mine", THEME),
        ("lang", "fr", '"leaf": "feuille"\n'),
    ]:
        (tmp_path / kind).mkdir(exist_ok=True)
        (tmp_path / kind / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_ones_own_part_comes_before_the_shipped_one(folder):
    assert resources.Catalog([folder]).get("dgx-h100").title == "Not the shipped one"
    assert resources.Catalog().get("dgx-h100").title == "DGX H100"


def test_a_part_is_read_once():
    catalog = resources.Catalog()
    assert catalog.get("h100-sxm") is catalog.get("h100-sxm")
    assert catalog.get("no-such-part") is None


@pytest.mark.parametrize(
    ("kind", "name", "where"),
    [
        ("catalog", "dgx-h100", "catalog/dgx-h100.yaml"),
        ("catalog", "l40s", "shipped"),
        ("layouts", "zz-mine", "layouts/zz-mine.yaml"),
        ("themes", "dark", "shipped"),
        ("lang", "xx", ""),
    ],
)
def test_origin(folder, kind, name, where):
    found = resources.origin(kind, name, [folder])
    assert found.removeprefix(f"{folder.as_posix()}/") == where


def test_topoviz_path_comes_after_the_folder_and_before_the_shipped(folder, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "catalog").mkdir()
    (elsewhere / "catalog" / "mine.yaml").write_text(PART.format(title="Of the path"), encoding="utf-8")
    (elsewhere / "catalog" / "l40s.yaml").write_text(PART.format(title="Of the path"), encoding="utf-8")
    monkeypatch.setenv("TOPOVIZ_PATH", str(elsewhere))
    catalog = resources.Catalog([folder])
    assert [catalog.get(name).title for name in ("mine", "l40s")] == ["Mine", "Of the path"]


@pytest.mark.parametrize("name", ["", ".hidden", "..", "a\\b"])
def test_a_name_that_is_no_name_finds_nothing(folder, name):
    assert resources.find("catalog", name, [folder]) is None


@pytest.mark.parametrize("name", ["layouts/zz-mine.yaml", "layouts/zz-mine"])
def test_a_name_with_a_slash_or_suffix_is_a_path(folder, name):
    assert (resources.find("layouts", name, [folder]) is not None) == name.endswith(".yaml")


def test_layouts_are_a_mapping_with_ones_own_first(folder):
    layouts = resources.Layouts([folder])
    names = list(layouts)
    assert names[0] == "zz-mine"
    assert names[1:] == sorted(names[1:])
    assert (len(layouts), layouts.is_own("zz-mine"), layouts.is_own("ring")) == (len(names), True, False)
    assert layouts["zz-mine"] is layouts["zz-mine"]


def test_a_layout_that_there_is_not():
    layouts = resources.Layouts()
    assert "nvlink-rak" not in layouts
    with pytest.raises(MissingEntry, match="unknown layout 'nvlink-rak'; did you mean 'nvlink-rack'"):
        layouts.named("nvlink-rak")


def test_a_theme_of_ones_own(folder):
    assert resources.theme("mine", [folder]).colour("gpu") == "#123456"
    assert resources.theme("mine", [folder]).colour("bg") == resources.theme("light").colour("bg")


def test_a_wrong_theme_file_is_told_with_its_place(folder):
    (folder / "themes" / "mine.yaml").write_text('base: light\ncolours: {gqu: "#123456"}\n', encoding="utf-8")
    with pytest.raises(SpecError, match=r"mine.yaml:2:11: error: unknown token 'gqu'"):
        resources.theme("mine", [folder])


def test_a_language_of_ones_own_brings_its_entries(folder):
    found = resources.language("fr", [folder])
    assert (found, found.table["leaf"]) == ("fr", "feuille")


@pytest.mark.parametrize(
    ("find", "name", "said"),
    [
        (resources.theme, "drak", "unknown theme 'drak'; did you mean 'dark'? There are auto, dark, light, print"),
        (resources.language, "de", "unknown language 'de'; there are en, zh"),
    ],
)
def test_what_there_is_not(find, name, said):
    with pytest.raises(MissingEntry) as caught:
        find(name)
    assert caught.value.args == (said,)
