"""Inputs become a topology: documents, catalog names, dicts, files that an importer knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from topoviz import importers, resources
from topoviz.errors import Diagnostic, MissingEntry, SpecError, TopovizError
from topoviz.importers.evidence.hosts_of_log import misfit, order
from topoviz.importers.evidence.off_nvlink import off_nvlink, with_detours
from topoviz.importers.evidence.text import wrong
from topoviz.marks import Source
from topoviz.model.build import build
from topoviz.model.read import read_document
from topoviz.model.source import decode, document
from topoviz.model.spec import Spec
from topoviz.model.spelling import nearest
from topoviz.model.topology import Topology
from topoviz.model.writing import written

HERE = Path()  # the current folder
LARGEST = 512 * 1024 * 1024  # bytes of a file; a log of 16,384 ranks has some 200 MB
OURS = re.compile(  # a key that only documents of ours have in the first column
    r"^(?:part|contains|wires|fabric|changes|routes|pictures|parts|include|topoviz|\$schema|kind|model|job)[ \t]*:",
    re.MULTILINE,
)
AS_IMPORTED = " (imported)"  # behind the name of a file, for lines that are not its own
UTF16 = (b"\xff\xfe", b"\xfe\xff")
UNREAD = (  # formats that people try, by how they begin
    ("nwdiag", re.compile(r"\s*(?:nwdiag|blockdiag|packetdiag|rackdiag)\s*\{")),
    ("a table of cables of NetBox", re.compile(r"\s*side_a_device,")),
)
MACHINE = ("contains", "part", "fabric")
Input = str | Path | Mapping[str, Any] | Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One input: its document as a text, the folder beside which to look, and what an importer said of it."""

    source: Source
    folder: Path
    imported: importers.Imported | None = None
    file: Source | None = None  # what was imported


def load(*inputs: Input, **choices: str | int) -> Topology:
    """Return the topology of documents, catalog names, dicts, or files that an importer knows; several are joined.

    A machine and a log that ran on it give the log's rings on the machine. What was inferred from
    imported files, and hops that left NVLink although there is one, are in ``diagnostics``.
    ``choices`` are parameters and the variant of the one part that is loaded.

    >>> load("dgx-h100").count("gpu")
    8
    >>> load("superpod-h100", su=2).count("gpu")
    504

    Raises:
        SpecError: mistakes in a document or an imported file, all of one stage at once.
        MissingEntry: a name that is neither a file nor a part.
    """
    given = _joined([_given(one) for one in inputs])
    beside = tuple(dict.fromkeys(one.folder for one in given))
    included: list[Given] = []
    opener = _opener(beside[0] if beside else HERE, included)
    spec = read_document([one.source for one in given], open_include=opener)
    given += included
    catalog, layouts = resources.Catalog(beside), resources.Layouts(beside)
    chosen = _chosen(spec, choices)
    topology = build(_laid(given, chosen, catalog), catalog, layouts=tuple(layouts))
    return _with_findings(topology, given)


def import_files(inputs: Sequence[object], form: str = "") -> tuple[str, tuple[Diagnostic, ...]]:
    r"""Return files as one document of YAML with what was inferred as comments, and all that importers told.

    ``form`` is the format; without it each file is recognised by its content.

    >>> matrix = Source("topo.txt", "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0-7\nGPU1\tNV4\t X \t0-7\n")
    >>> print(import_files([matrix])[0].split("contains:")[1], end="")
    <BLANKLINE>
      gpu: 2 x gpu
    wires:
      - {from: gpu, kind: nvlink, rule: mesh, links: 4}

    Raises:
        SpecError: a file is wrong, or of no format that is known.
    """
    given = _joined([_imported(*_file(one), form, must=True) for one in inputs])
    data: dict[str, Any] = {}
    comments: list[str] = []
    told: list[Diagnostic] = []
    for one in given:
        if one.imported is None or one.file is None:
            continue
        name = Path(one.file.path).name
        comments.append(f"From {name}")
        comments += [f"  {said.severity}: {_bare(said, one.file)}" for said in one.imported.told]
        told += one.imported.told
        for key, value in one.imported.document.items():
            data[key] = [*data[key], *value] if key in data and isinstance(value, list) else value
    return written(data, comments), tuple(told)


def _bare(said: Diagnostic, file: Source) -> str:
    """Return a message for a comment: with its line, without the name of the file."""
    text = said.message.removeprefix(f"{file.path}: ")
    return f"line {said.mark.line}: {text}" if said.mark is not None else text


def home(topology: Topology) -> tuple[Path, ...]:
    """Return the folders of the documents that a topology was read from, where its own parts and layouts may lie."""
    folders = [Path(source.path).parent for source in topology.spec.sources]
    return tuple(dict.fromkeys(folder if folder.is_dir() else HERE for folder in folders))


def text_of(path: str | Path) -> Source:
    """Return the text of a file. Raises SpecError for one that is empty or too large, MissingEntry if it is not there."""
    return _file(path)[0]


def _given(given: Input) -> Given:
    """Return an input as a text and its folder; what has none lies in the current one."""
    if isinstance(given, Mapping):
        return Given(source=document(given), folder=HERE)
    if not isinstance(given, Source):
        path, name = Path(given), str(given)
        if not path.is_file():
            return Given(source=_part(path, name), folder=HERE)
    return _imported(*_file(given))


def _file(given: object) -> tuple[Source, Path]:
    """Return the text of a file and its folder. Raises SpecError for one that is empty or too large."""
    if isinstance(given, Source):
        beside = Path(given.path).parent
        return given, beside if beside.is_dir() else HERE
    path = Path(str(given))
    if not path.is_file():
        raise MissingEntry(f"'{given}': there is no such file")
    size = path.stat().st_size
    nothing = Source(str(path), "")
    if size > LARGEST:
        said = f"the file has {size / 1e6:,.0f} MB; more than {LARGEST // 1024 // 1024} MB are not read"
        raise wrong(
            nothing, None, said, hint="keep the lines that matter, such as those with NCCL INFO", code="input-too-large"
        )
    data = path.read_bytes()
    if not data.strip() and path.suffix not in {".yaml", ".yml"}:
        raise wrong(
            nothing, None, "the file is empty", hint="the command that wrote it may have failed", code="empty-input"
        )
    return _decoded(data, str(path)), path.parent


def _decoded(data: bytes, path: str) -> Source:
    if data.startswith(UTF16):  # as PowerShell's > writes
        try:
            return Source(path, data.decode("utf-16"))
        except UnicodeDecodeError:
            pass
    return decode(data, path)


def _imported(source: Source, folder: Path, form: str = "", *, must: bool = False) -> Given:
    """Return a file as it is if it is a document of ours, else what an importer makes of it."""
    chosen = form or ("" if _is_ours(source) else importers.recognised(source.text))
    if not chosen:
        _refuse_unread(source)
        if must:
            raise _unknown(source)
        return Given(source=source, folder=folder)
    found = importers.read(source, chosen)
    return _remade(Given(source=source, folder=folder, imported=found, file=source))


def _refuse_unread(source: Source) -> None:
    """Raise SpecError for a text of a format that is known and not read."""
    for name, begins in UNREAD:
        if begins.match(source.text):
            hint = "describe the machine in YAML, or use one of the formats of topoviz list importers"
            raise wrong(source, 1, f"{name} is not supported", hint=hint, code="not-supported")


def _remade(given: Given) -> Given:
    """Return an input with the text of its imported document; a mistake in it is shown as one of that, not of the file."""
    if given.imported is None or given.file is None:
        return given
    name = f"{given.file.path}{AS_IMPORTED}" if "<" not in given.file.path else given.file.path
    return replace(given, source=Source(name, written(given.imported.document)))


def _is_ours(source: Source) -> bool:
    return Path(source.path).suffix in {".yaml", ".yml"} and OURS.search(source.text) is not None


def _unknown(source: Source) -> TopovizError:
    from topoviz import registry

    known = ", ".join(registry.called(name) for name in registry.names(importers.PACKAGE))
    if OURS.search(source.text):
        return TopovizError(f"{source.path} is a document already; topoviz render takes it as it is")
    return TopovizError(f"{source.path}: no importer knows this text; known are {known}; --from says which it is")


def _joined(given: Sequence[Given]) -> list[Given]:
    """Return inputs that can stand beside each other: one machine, and logs with their routes only."""
    machines = [one for one in given if _has_machine(one)]
    if len(machines) < 2:
        return list(given)
    out, kept = [], []
    for one in given:
        found = one.imported
        if found is not None and "routes" in found.document and _has_machine(one):
            routes = {"routes": found.document["routes"]}
            said = f"{one.source.path}: its system section is left out, for another input describes the machine"
            note = Diagnostic(message=said, severity="note", code="inferred")
            out.append(_remade(replace(one, imported=replace(found, document=routes, told=(*found.told, note)))))
            continue
        if found is not None and _has_machine(one):
            kept.append(one)
        out.append(one)
    if len(kept) > 1:
        names = " and ".join(Path(one.file.path).name for one in kept if one.file is not None)
        raise SpecError(
            [
                Diagnostic(
                    message=f"{names} describe a machine each",
                    hint="take one of them; a log or a graph file may be joined with it",
                    code="two-machines",
                )
            ]
        )
    return out


def _has_machine(given: Given) -> bool:
    if given.imported is not None:
        return any(key in given.imported.document for key in MACHINE)
    return re.search(rf"^(?:{'|'.join(MACHINE)})[ \t]*:", given.source.text, re.MULTILINE) is not None


def _laid(given: Sequence[Given], spec: Spec, catalog: resources.Catalog) -> Spec:
    """Return the document with the ranks of a log of several hosts at the GPUs of as many servers.

    Raises:
        SpecError: a log has more ranks than the machine has GPUs, or more hosts than it has servers.
    """
    logs = [one for one in given if one.imported is not None and one.imported.facts.get("counts", {}).get("ranks")]
    if not logs:
        return spec
    machine = build(replace(spec, routes=(), pictures=()), catalog)
    for one in logs:
        facts = one.imported.facts if one.imported is not None else {}
        wrong_log = misfit(facts, machine, one.file.path if one.file is not None else one.source.path)
        if wrong_log is not None:
            raise SpecError([wrong_log])
    names = order(logs[0].imported.facts, machine) if len(logs) == 1 and logs[0].imported is not None else ()
    return replace(spec, job={"ranks": names}) if names and not spec.job else spec


def _with_findings(topology: Topology, given: Sequence[Given]) -> Topology:
    """Return the topology with what importers told, and with hops that left NVLink although there is one."""
    told: list[Diagnostic] = []
    for one in given:
        if one.imported is not None:
            told += one.imported.told
            told += off_nvlink(one.imported, topology, one.file or one.source)
            topology = with_detours(one.imported, topology)
    return replace(topology, diagnostics=(*told, *topology.diagnostics)) if told else topology


def _part(path: Path, name: str) -> Source:
    """Return a document that takes a part of the catalog. Raises MissingEntry."""
    if resources.find("catalog", name, (HERE,)) is not None:
        return document({"part": name}, name)
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


def _opener(folder: Path, included: list[Given]) -> Callable[[str], Source]:
    """Return what opens included files, documents and files that an importer knows, and notes them."""

    def open_include(text: str) -> Source:
        path = (folder / text).resolve()
        if folder.resolve() not in path.parents:
            raise OSError(f"{text} is outside the folder of the document")
        if not path.is_file():
            raise OSError(f"{text} is no file")
        source = _decoded(path.read_bytes(), text)
        included.append(_imported(source, folder))
        return included[-1].source

    return open_include
