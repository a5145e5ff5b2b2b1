"""The pipe: read, build, plan, arrange, render. Everything else is in the rooms below."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from topoviz import registry, resources
from topoviz.collectives import ring
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import Plan, findings
from topoviz.drawing import glyphs, suits
from topoviz.drawing.arrange import arrange
from topoviz.drawing.layout import Layout
from topoviz.drawing.scene import Scene
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic, MissingEntry, SpecError, TopovizError
from topoviz.marks import Source
from topoviz.model.build import build, build_picture
from topoviz.model.findings import Findings
from topoviz.model.read import merge_options, picture_from, read_document
from topoviz.model.selectors import pick
from topoviz.model.source import document
from topoviz.model.spec import Picture as Request
from topoviz.model.spec import Spec
from topoviz.model.spelling import nearest
from topoviz.model.topology import Thing, Topology
from topoviz.renderers import theme as themes

FORMATS = (".svg", ".png", ".pdf", ".html")


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
    sources, beside = [], []
    for given in inputs:
        source, folder = _source(given, chosen=choices)
        sources.append(source)
        beside += [folder] if folder is not None else []
    spec = read_document(sources, open_include=_opener(beside[0] if beside else None))
    catalog, layouts = resources.Catalog(beside), resources.Layouts(beside)
    return build(spec, catalog, layouts=tuple(layouts))


def home(topology: Topology) -> tuple[Path, ...]:
    """Return the folders of the documents that a topology was read from, where its own parts and layouts may lie."""
    files = [Path(source.path) for source in topology.spec.sources]
    return tuple(dict.fromkeys(file.parent for file in files if file.is_file()))


def _source(given: str | Path | Mapping[str, Any] | Source, chosen: Mapping[str, str | int]) -> tuple[Source, Path | None]:
    if isinstance(given, Source):
        return _set(given, chosen), None
    if isinstance(given, Mapping):
        return _set(document(given), chosen), None
    path = Path(given)
    if path.is_file():
        return _set(resources.read(path), chosen), path.parent
    name = str(given)
    if resources.find("catalog", name) is not None:
        written = {"part": name, **_choice(chosen)}
        return document(written, name), None
    known = resources.known("catalog")
    near = nearest(name, known)
    hint = f"did you mean '{near}'?" if near else "topoviz list parts shows all"
    what = "there is no such file" if path.suffix or "/" in name else "it is neither a file nor a part of the catalog"
    raise MissingEntry(f"'{name}': {what}; {hint}")


def _choice(chosen: Mapping[str, str | int]) -> dict[str, Any]:
    numbers = {key: value for key, value in chosen.items() if key != "variant"}
    return {**({"variant": chosen["variant"]} if "variant" in chosen else {}), **({"with": numbers} if numbers else {})}


def _set(source: Source, chosen: Mapping[str, str | int]) -> Source:
    """Put ``--set`` into the root: `variant` and `with`, and nothing else."""
    if not chosen:
        return source
    from topoviz.model.source import parse

    plain = parse(source).plain()
    if not isinstance(plain, dict):
        return source
    added = _choice(chosen)
    inner = plain.get("with")
    if "with" in added and isinstance(inner, dict):
        added["with"] = {**inner, **added["with"]}
    return document({**plain, **added}, source.path)


def _opener(folder: Path | None) -> Any:
    if folder is None:
        return None

    def open_include(text: str) -> Source:
        path = (folder / text).resolve()
        if folder.resolve() not in path.parents:
            raise OSError(f"{text} is outside the folder of the document")
        if not path.is_file():
            raise OSError(f"{text} is no file")
        return resources.read(path, text)

    return open_include


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture of a topology: text with ``svg``, a file with ``save``; notebooks show it."""

    topology: Topology
    request: Request
    folders: tuple[Path, ...] = ()
    _scenes: dict[str, Scene] = field(default_factory=dict, repr=False, compare=False)

    @property
    def langs(self) -> tuple[str, ...]:
        return self.request.lang or self.topology.spec.lang or ("en",)

    @property
    def themes(self) -> tuple[str, ...]:
        own = (self.topology.spec.theme,) if self.topology.spec.theme else ()
        return self.request.theme or own or ("light",)

    def scene(self, lang: str = "") -> Scene:
        """Return the arranged picture in a language; the first one asked for if none is named."""
        lang = lang or self.langs[0]
        if lang not in self._scenes:
            layouts = resources.Layouts(self.folders)
            self._scenes[lang] = arrange(scope(self, lang, layouts), layouts)
        return self._scenes[lang]

    def text(self, suffix: str = ".svg", *, lang: str = "", theme: str = "") -> str | bytes:
        """Return the picture in the format of a file name's suffix.

        Raises:
            MissingExtra: PNG and PDF need a package of their own.
            TopovizError: no such format.
        """
        if suffix not in FORMATS:
            raise TopovizError(f"topoviz does not write '{suffix}'; it writes {', '.join(FORMATS)}")
        name = theme or self.themes[0]
        path = resources.find("themes", name, self.folders)
        chosen = themes.load_theme(name if path is None or path.parent == resources.shipped("themes") else resources.read(path))
        written: str | bytes = registry.get("topoviz.renderers", suffix[1:]).render(self.scene(lang), chosen)
        return written

    def svg(self) -> str:
        """Return the picture as SVG.

        >>> render(load("dgx-h100")).svg().startswith("<svg")
        True
        """
        return str(self.text(".svg"))

    def save(self, path: str | Path) -> tuple[Path, ...]:
        """Write the picture; the suffix says the format. Return the files: one for each language and theme."""
        target = Path(path)
        out = []
        for lang in self.langs:
            for name in self.themes:
                marks = [mark for mark, first in ((lang, self.langs[0]), (name, self.themes[0])) if mark != first]
                file = target.with_name("-".join([target.stem, *marks]) + target.suffix)
                write(file, self.text(target.suffix.lower(), lang=lang, theme=name))
                out.append(file)
        return tuple(out)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": self.scene().description}


def write(path: Path, content: str | bytes) -> None:
    """Write a file at once or not at all, UTF-8 with LF."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".topoviz-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def render(topology: Topology, **keys: Any) -> Picture:
    """Return a picture of a topology; ``keys`` are those of a picture in a document.

    >>> picture = render(load("dgx-h100"), highlight="ring", size="14 GB")
    >>> "24.5 GB" in picture.svg()
    True
    """
    request = picture_from(keys) if keys else Request()
    return of(topology, request)


def of(topology: Topology, request: Request) -> Picture:
    """Return the picture that a request asks for, which may draw another part than its document."""
    folders = home(topology)
    if request.body is not None:
        topology = build_picture(request, topology.spec, resources.Catalog(folders))
    return Picture(topology=topology, request=request, folders=folders)


def pictures(topology: Topology, over: Request | None = None) -> tuple[tuple[Request, Picture], ...]:
    """Return the pictures that a document asks for, with the options of the command line on top."""
    asked = topology.spec.pictures
    merged = [merge_options(one, over) if over is not None else one for one in asked]
    return tuple((one, of(topology, one)) for one in merged)


def plan(
    topology: Topology, collective: str = "all-reduce", algorithm: str = "auto", ranks: Sequence[str] | None = None,
    rates: str = "line",
) -> Plan:
    """Return a collective planned on a topology.

    >>> plan(load("dgx-h100")).bandwidth
    450.0

    Raises:
        PlanError: there is no way, or the algorithm is not planned yet.
    """
    from topoviz.errors import PlanError

    if algorithm not in {"auto", "ring"}:
        raise PlanError(f"'{algorithm}' is not planned yet; ring is")
    members = tuple(ranks) if ranks is not None else gpus(topology)
    return ring.plan(topology, members, collective, rates=rates)


def check(topology: Topology) -> list[Diagnostic]:
    """Return what is odd about a topology; what is wrong was told when it was loaded."""
    return list(topology.diagnostics)


def scope(picture: Picture, lang: str, layouts: Mapping[str, Layout]) -> Scope:
    """Return the frame in which a picture is arranged, with one for each of its panels."""
    topology, request = picture.topology, picture.request
    refuse_later(topology.spec, request)
    found = finding(topology, request)
    roots = _roots(topology, request)
    panels = tuple(
        _panel(picture, panel, number, lang, layouts) for number, panel in enumerate(request.panels, 1)
    )
    layout = suits.choose(topology, roots[0], request, found, layouts).layout
    return Scope(
        topology=topology, roots=roots, request=request, layout=layout, findings=found, lang=lang, panels=panels,
        title=glyphs.words(roots[0].title, lang),
    )


def _roots(topology: Topology, request: Request) -> tuple[Thing, ...]:
    found = pick(topology, (topology.root,), request.show) if request.show else ()
    if request.show and not found:
        raise TopovizError(f"'{', '.join(request.show)}' matches nothing that could be shown")
    return found or (suits.alone(topology.root),)


INHERITED = ("highlight", "size", "measured", "rates", "overlay", "theme", "lang")


def _panel(picture: Picture, panel: Request, number: int, lang: str, layouts: Mapping[str, Layout]) -> Scope:
    given = {key: getattr(panel, key) or getattr(picture.request, key) for key in INHERITED}
    request = replace(panel, **given)
    inner = of(picture.topology, request) if request.body is None else Picture(
        topology=build_picture(request, picture.topology.spec, resources.Catalog(picture.folders)), request=request,
        folders=picture.folders,
    )
    made = scope(inner, lang, layouts)
    title = glyphs.words(panel.title, lang) if isinstance(panel.title, (str, Mapping)) else made.title
    return replace(made, compact=True, number=number, title=title)


def finding(topology: Topology, request: Request) -> Findings:
    """Return what the picture highlights: planned rings, and routes that the document wrote down."""
    out = Findings()
    for one in request.highlight:
        out = _merged(out, _highlight(topology, request, one))
    return out


def _merged(a: Findings, b: Findings) -> Findings:
    return replace(
        a, routes=(*a.routes, *b.routes), loads=(*a.loads, *b.loads), bottleneck=(*a.bottleneck, *b.bottleneck),
        estimate=a.estimate or b.estimate, nodes=(*a.nodes, *b.nodes),
    )


def _highlight(topology: Topology, request: Request, one: Any) -> Findings:
    rates = request.rates or "line"
    if isinstance(one, Mapping) and "algorithm" not in one and "collective" not in one:
        raise later("highlighting a path or single things")
    if one == "routes":
        return Findings(routes=topology.routes)
    named = [route for route in topology.routes if route.name == one]
    if named:
        route = named[0]
        if route.shape != "ring":
            return Findings(routes=(route,))
        return findings(ring.along(topology, route.nodes, rates=rates), request.size, request.measured)
    wish = one if isinstance(one, Mapping) else {"algorithm": str(one)}
    algorithm, collective = str(wish.get("algorithm", "ring")), str(wish.get("collective", "all-reduce"))
    if algorithm in {"tree", "nvls"}:
        raise later(f"highlighting '{algorithm}'")
    if algorithm != "ring":
        there = ", ".join(route.name for route in topology.routes) or "none"
        raise TopovizError(f"unknown highlight '{algorithm}'; there is ring, and the routes of the document: {there}")
    return findings(plan(topology, collective, "ring", rates=rates), request.size, request.measured)


def refuse_later(spec: Spec, request: Request) -> None:
    """Tell what is read but cannot be drawn yet.

    Raises:
        SpecError: with the place in the document.
    """
    later_keys = {"found": bool(request.found), "overlay": bool(request.overlay), "interactive": False}
    words = {"found": "differences are not drawn yet", "overlay": f"overlay {', '.join(request.overlay)} is not drawn yet"}
    for key, asked in later_keys.items():
        if asked:
            mark = request.origin.mark_of(key) if request.origin is not None else None
            raise SpecError([Diagnostic(message=words[key], mark=mark, hint="leave it out for now", code="not-yet")])
    for key, named in (("memory", "model"), ("mig", "mig"), ("groups", "job")):
        if request.layout == key:
            mark = request.origin.mark_of("layout") if request.origin is not None else None
            raise SpecError([Diagnostic(message=f"'{named}' is read but not drawn yet", mark=mark, code="not-yet")])
    del spec


def later(what: str) -> TopovizError:
    """Return the one answer to what is promised and not there yet."""
    return TopovizError(f"{what} is not there yet; ring and the routes of a document are")
