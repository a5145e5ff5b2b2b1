from importlib.metadata import EntryPoint, EntryPoints

import pytest

from topoviz import registry
from topoviz.errors import MissingEntry


@pytest.mark.parametrize(
    ("package", "name"),
    [("topoviz.exporters", "json"), ("topoviz.renderers", "svg"), ("topoviz.drawing.views", "tiers")],
)
def test_a_file_is_an_entry(package, name):
    assert name in registry.names(package)
    assert registry.get(package, name).__name__ == f"{package}.{name}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("jsn", "unknown exporter 'jsn'; did you mean 'json'? There are {all}"),
        ("visio", "unknown exporter 'visio'; there are {all}"),
        ("__init__", "unknown exporter '__init__'; there are {all}"),
    ],
)
def test_an_unknown_name_is_told_with_what_there_is(name, said):
    with pytest.raises(MissingEntry) as caught:
        registry.get("topoviz.exporters", name)
    assert caught.value.args == (said.format(all=", ".join(map(registry.called, registry.names("topoviz.exporters")))),)


def test_the_first_line_of_the_docstring_is_the_help():
    assert (
        registry.summary("topoviz.renderers", "png") == registry.get("topoviz.renderers", "png").__doc__.split("\n")[0]
    )


def test_another_package_can_bring_an_entry(monkeypatch):
    foreign = EntryPoint(name="mine", value="json", group="topoviz.exporters")

    def entry_points(**wanted):
        return EntryPoints([foreign]).select(**wanted)

    monkeypatch.setattr(registry, "entry_points", entry_points)
    assert {"json", "mine", "spec"} <= set(registry.names("topoviz.exporters"))
    assert registry.get("topoviz.exporters", "mine").__name__ == "json"
