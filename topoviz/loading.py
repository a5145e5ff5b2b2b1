"""Inputs become a topology: documents, catalog names, dicts, files that an importer knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from topoviz import resources
from topoviz.errors import MissingEntry
from topoviz.marks import Source
from topoviz.model.build import build
from topoviz.model.read import read_document
from topoviz.model.source import document
from topoviz.model.spec import Spec
from topoviz.model.spelling import nearest
from topoviz.model.topology import Topology

HERE = Path()  # the current folder


def load(*inputs: str | Path | Mapping[str, Any] | Source, **choices: str | int) -> Topology:
    """Return the topology of documents, catalog names or dicts; several are joined.

    ``choices`` are parameters and the variant of the one part that is loaded.

    >>> load("dgx-h100").count("gpu")
    8
    >>> load("superpod-h100", su=2).count("gpu")
    504

    Raises:
        SpecError: mistakes in a document, all of one stage at once.
        MissingEntry: a name that is neither a file nor a part.
    """
    read = [_source(given) for given in inputs]
    beside = tuple(dict.fromkeys(folder for _, folder in read))
    spec = read_document([source for source, _ in read], open_include=_opener(beside[0] if beside else HERE))
    catalog, layouts = resources.Catalog(beside), resources.Layouts(beside)
    return build(_chosen(spec, choices), catalog, layouts=tuple(layouts))


def home(topology: Topology) -> tuple[Path, ...]:
    """Return the folders of the documents that a topology was read from, where its own parts and layouts may lie."""
    files = [Path(source.path) for source in topology.spec.sources]
    return tuple(dict.fromkeys(file.parent if file.is_file() else HERE for file in files))


def _source(given: str | Path | Mapping[str, Any] | Source) -> tuple[Source, Path]:
    """Return an input as a text and its folder; what has none lies in the current one."""
    if isinstance(given, Source):
        return given, HERE
    if isinstance(given, Mapping):
        return document(given), HERE
    path, name = Path(given), str(given)
    if path.is_file():
        return resources.read(path), path.parent
    if resources.find("catalog", name, (HERE,)) is not None:
        return document({"part": name}, name), HERE
    if path.is_dir():
        raise MissingEntry(f"'{name}' is a folder; a document is a file")
    if path.suffix or "/" in name:
        raise MissingEntry(f"'{name}': there is no such file{_near(name)}")
    raise MissingEntry(
        f"'{name}' is neither a file nor a part of the catalog{_near(name) or '; topoviz list parts shows all'}"
    )


def _near(name: str) -> str:
    near = nearest(name.removesuffix(".yaml"), resources.known("catalog", (HERE,)))
    return f"; did you mean '{near}'?" if near else ""


def _chosen(spec: Spec, choices: Mapping[str, str | int]) -> Spec:
    """Return the document with other parameters or another variant of its root."""
    if not choices:
        return spec
    numbers = {key: value for key, value in choices.items() if key != "variant"}
    variant = str(choices.get("variant", spec.body.variant))
    return replace(spec, body=replace(spec.body, variant=variant, arguments={**spec.body.arguments, **numbers}))


def _opener(folder: Path) -> Callable[[str], Source]:
    def open_include(text: str) -> Source:
        path = (folder / text).resolve()
        if folder.resolve() not in path.parents:
            raise OSError(f"{text} is outside the folder of the document")
        if not path.is_file():
            raise OSError(f"{text} is no file")
        return resources.read(path, text)

    return open_include
