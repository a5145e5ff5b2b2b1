"""Every text that is shipped exists in every language, with the same fields."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml

from topoviz.drawing.messages import Language, fill, languages, message, plural, say_text, table
from topoviz.drawing.template import names

ROOT = Path(__file__).parents[1]
NO_TEXT = {"view", "engine", "otherwise", "open", "group", "bands", "bars", "layout", "name", "file", "kind", "of", "show", "hide", "when", "columns", "field", "as", "overlay",
           "each", "mark", "marks", "ticks", "through", "frame", "over", "between", "row_of", "column_of", "suits", "toward",
           "one", "route", "summary", "cell", "cells", "share", "full"}  # fmt: skip
CALLS = {"message": 0, "fill": 0, "say": 1}  # the argument that is a text


def texts(value: object) -> list[str]:
    """Return the texts of a layout that a reader sees."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    if isinstance(value, dict):
        return [text for key, one in value.items() if is_read(key, one) for text in texts(one)]
    return []


def is_read(key: str, value: object) -> bool:
    """Return whether a reader sees what stands under a key of a layout."""
    if key in {"rest", "rows"}:  # `rest: stub` says how, `rest: [...]` says what; `rows: dp` is a kind of group
        return isinstance(value, list)
    return key not in NO_TEXT or isinstance(value, dict)


def layout_texts() -> list[tuple[str, str]]:
    found = []
    for path in sorted((ROOT / "layouts").glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        found.extend((path.stem, text) for text in texts(document) + rows_as_blocks(document) if not_only_fields(text))
    return sorted(set(found))


def rows_as_blocks(value: object) -> list[str]:
    """Return the texts inside lists of blocks that stand under a key which may also be a selector."""
    if isinstance(value, dict):
        lists = [v for k, v in value.items() if k == "columns" and isinstance(v, list) and isinstance(v[0], dict)]
        return [t for v in lists for t in texts(v)] + [t for v in value.values() for t in rows_as_blocks(v)]
    return [t for one in value for t in rows_as_blocks(one)] if isinstance(value, list) else []


def not_only_fields(text: str) -> bool:
    bare = text
    for name in names(text):
        bare = bare.replace(f"{{{name}}}", "")
    return any(sign.isalpha() for sign in bare)


def code_texts() -> list[tuple[str, str]]:
    """Return the texts that the drawing room hands to ``message``, ``fill`` or ``say`` as they stand."""
    found = {
        (path.stem, text)
        for path in (ROOT / "topoviz" / "drawing").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and (text := _text_of(node)) and not_only_fields(text)
    }
    return sorted(found)


def _text_of(call: ast.Call) -> str:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    at = CALLS.get(name, 99)
    argument = call.args[at] if at < len(call.args) else None
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


OTHERS = [lang for lang in languages() if lang != "en"]
ENTRIES = [(lang, key) for lang in OTHERS for key in table(lang)]


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize(("where", "text"), layout_texts())
def test_every_text_of_a_layout_is_translated(lang: str, where: str, text: str) -> None:
    assert text in table(lang), f"layouts/{where}.yaml: {text!r} is not in lang/{lang}.yaml"


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize(("where", "text"), code_texts())
def test_every_text_of_the_code_is_translated(lang: str, where: str, text: str) -> None:
    assert text in table(lang), f"{where}: {text!r} is not in lang/{lang}.yaml"


@pytest.mark.parametrize(("lang", "key"), ENTRIES)
def test_a_translation_has_the_fields_of_its_key(lang: str, key: str) -> None:
    assert sorted(names(table(lang)[key])) == sorted(names(key))


@pytest.mark.parametrize(("lang", "key"), ENTRIES)
def test_chinese_has_full_width_punctuation(lang: str, key: str) -> None:
    text = table(lang)[key]
    ends = [text[i : i + 2] for i in range(len(text) - 1) if "\u4e00" <= text[i] <= "\u9fff"]
    assert not [pair for pair in ends if pair[1] in ",;:()"]


def test_the_tests_above_see_texts() -> None:
    assert ("nvswitch-server", "{count} CPUs") in layout_texts()
    assert ("times", "≈ {time}") not in code_texts()  # no words, nothing to translate
    assert len(code_texts()) > 10


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        ("{count} CPUs", {"count": "1"}, "1 CPU"),
        ("{count} CPUs", {"count": "11"}, "11 CPUs"),
        ("{gpu.count} GPUs, {gpu.nvlink.links} links each", {"gpu.count": "8", "gpu.nvlink.links": "1"}, "8 GPUs, 1 link each"),
        ("{gpu.count} GPUs, {gpu.nvlink.links} links each", {"gpu.count": "1", "gpu.nvlink.links": "18"}, "1 GPU, 18 links each"),
        ("through {nvswitch.count} NVSwitches", {"nvswitch.count": "1"}, "through 1 NVSwitch"),
        ("{count} core switches", {"count": "1"}, "1 core switch"),
        ("{count} ports, {up} up", {"count": "1", "up": "32"}, "1 port, 32 up"),
        ("All {gpu.count} GPUs", {"gpu.count": "1"}, "The one GPU"),
        ("All {gpu.count} GPUs", {"gpu.count": "8"}, "All 8 GPUs"),
        ("{count} × {title}", {"count": "1", "title": "H100 SXM"}, "1 × H100 SXM"),
    ],
)  # fmt: skip
def test_english_agrees_with_the_number_one(template: str, values: dict[str, str], said: str) -> None:
    assert fill(template, values) == said


@pytest.mark.parametrize(
    ("noun", "many"),
    [("compute tray", "compute trays"), ("power shelf", "power shelves"), ("Ethernet switch", "Ethernet switches"),
     ("H100 SXM", "H100 SXM"), ("DGX H100", "DGX H100"), ("box", "boxes")],
)  # fmt: skip
def test_plural_of_common_nouns_only(noun: str, many: str) -> None:
    assert plural(noun) == many


def test_unknown_text_and_unknown_language_stay_english() -> None:
    assert message("my own words", "zh") == "my own words"
    assert message("{count} CPUs", "xx") == "{count} CPUs"
    assert message("leaf", "../../etc") == "leaf"


def test_a_text_of_its_own_in_several_languages() -> None:
    both = {"en": "compute tray", "zh": "自己的托盘"}
    assert say_text(both, "zh") == "自己的托盘"
    assert say_text({"en": "compute tray"}, "zh") == "计算托盘"
    assert say_text({"de": "Einschub"}, "zh") == "Einschub"


def test_a_language_with_entries_of_its_own() -> None:
    french = Language("fr", {"{count} CPUs": "{count} processeurs"})
    assert french == "fr"
    assert fill("{count} CPUs", {"count": "2"}, french) == "2 processeurs"
    assert fill("{value} per direction", {"value": "50 GB/s"}, Language("zh", {"leaf": "叶子"})) == "单向 50 GB/s"
