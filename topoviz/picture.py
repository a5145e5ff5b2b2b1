"""The pipe: read, build, plan, arrange, render. Everything else is in the rooms below."""

from __future__ import annotations

import os
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from topoviz import registry, resources
from topoviz.asked import finding
from topoviz.asked.differences import without_faults
from topoviz.asked.ignored import ignored
from topoviz.asked.left_out import left_out, not_pointed, still, widened
from topoviz.asked.memory import left_out as memory_left_out
from topoviz.asked.placement import placement
from topoviz.asked.refuse import refuse
from topoviz.asked.unsuited import unsuited
from topoviz.comparing.differences import diff as differing
from topoviz.drawing import fields, glyphs, suits
from topoviz.drawing.arrange import arrange
from topoviz.drawing.layout import Layout
from topoviz.drawing.marked import NUMBERED
from topoviz.drawing.own_title import filled
from topoviz.drawing.scene import Scene
from topoviz.drawing.scope import Scope
from topoviz.errors import Diagnostic, SpecError, TopovizError
from topoviz.loading import AS_IMPORTED, home, load
from topoviz.marks import Source
from topoviz.model.build import build_picture
from topoviz.model.findings import Differences, Findings, merged
from topoviz.model.lint import lint
from topoviz.model.read import merge_options, picture_from
from topoviz.model.selectors import pick
from topoviz.model.spec import Picture as Request
from topoviz.model.topology import Thing, Topology

FORMATS = (".svg", ".png", ".pdf", ".html", ".txt")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture of a topology: text with ``svg``, a file with ``save``; notebooks show it."""

    topology: Topology
    request: Request
    folders: tuple[Path, ...] = ()
    given: Findings = field(
        default_factory=Findings
    )  # what was found before, and is drawn beside what the request asks for
    _scenes: dict[str, tuple[Scene, tuple[Diagnostic, ...]]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def langs(self) -> tuple[str, ...]:
        return self.request.lang or self.topology.spec.lang or ("en",)

    @property
    def themes(self) -> tuple[str, ...]:
        own = (self.topology.spec.theme,) if self.topology.spec.theme else ()
        return self.request.theme or own or ("light",)

    def scene(self, lang: str = "") -> Scene:
        """Return the arranged picture in a language; the first one asked for if none is named."""
        return self._drawn(lang or self.langs[0])[0]

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Return what was asked for and is not in the picture.

        >>> [one.message for one in render(load("dgx-h100"), animate=True).warnings]
        ["animate has no effect: the layout 'nvswitch-server' has no steps to show in turn"]
        """
        return self._drawn(self.langs[0])[1]

    def _drawn(self, lang: str) -> tuple[Scene, tuple[Diagnostic, ...]]:
        if lang not in self._scenes:
            layouts = resources.Layouts(self.folders)
            framed = scope(self, resources.language(lang, self.folders), layouts)
            scene = arrange(framed, layouts)
            mistake = unsuited(scene, framed, layouts)
            if mistake is not None:
                raise mistake
            warned = (
                *left_out(scene, framed, layouts),
                *not_pointed(scene, framed),
                *ignored(scene, framed, layouts),
                *memory_left_out(framed),
                *still(scene, framed),
                *widened(scene, framed),
            )
            self._scenes[lang] = scene, warned
        return self._scenes[lang]

    def text(self, suffix: str = ".svg", *, lang: str = "", theme: str = "") -> str | bytes:
        """Return the picture in the format of a file name's suffix.

        Raises:
            MissingExtra: PNG and PDF need a package of their own.
            TopovizError: no such format.
        """
        if suffix not in FORMATS:
            raise TopovizError(f"topoviz does not write '{suffix}'; it writes {', '.join(FORMATS)}")
        chosen = resources.theme(theme or self.themes[0], self.folders)
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
        made = tuple(self.files(Path(path)))
        for file, content in made:
            write(file, content)
        return tuple(file for file, _ in made)

    def files(self, target: Path) -> Iterator[tuple[Path, bytes]]:
        """Yield each file and its content; the first language and theme have no suffix, then ``-zh``, ``-dark``."""
        for lang in self.langs:
            for name in self.themes:
                marks = [mark for mark, first in ((lang, self.langs[0]), (name, self.themes[0])) if mark != first]
                content = self.text(target.suffix.lower(), lang=lang, theme=name)
                file = target.with_name("-".join([target.stem, *marks]) + target.suffix)
                yield file, content.encode() if isinstance(content, str) else content

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return the picture for notebooks: SVG that follows their theme, PNG for those that trust no SVG, and words."""
        own = self.request.theme or self.topology.spec.theme
        svg = str(self.text(".svg", theme="" if own else "auto"))
        return {"image/svg+xml": svg, **self._pixels(), "text/plain": self.scene().description}

    def _pixels(self) -> dict[str, str]:
        try:
            return {"image/png": b64encode(bytes(self.text(".png"))).decode()}  # type: ignore[arg-type]
        except TopovizError:  # no package for it, or too big: the others will do
            return {}


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
    return Picture(topology=topology, request=_of_job(topology, request), folders=folders)


def _of_job(topology: Topology, request: Request) -> Request:
    """Return the request for a document that has a job and no pictures: its groups, unless something else is asked.

    ``layout: suited`` draws the machine alone.
    """
    others = request.layout or request.overlay or request.highlight or request.panels or request.body or request.found
    plain = not topology.spec.job or topology.spec.pictures or others
    return request if plain else replace(request, overlay=("groups",))


def compared(expected: Topology, found: Topology, **keys: Any) -> tuple[Picture, Differences]:
    """Return a picture of what differs between two topologies, and the differences themselves."""
    made = differing(expected, found)
    request = replace(picture_from({"layout": "fault-diff", **keys}), overlay=())
    return Picture(topology=expected, request=request, folders=home(expected), given=Findings(differences=made)), made


def diff(expected: Topology, found: Topology) -> Differences:
    """Return what differs between the machine as it should be and the machine as found.

    >>> from topoviz.loading import load
    >>> diff(load("dgx-h100"), load("dgx-h100")).items
    ()
    """
    return differing(expected, found)


def pictures(topology: Topology, over: Request | None = None) -> tuple[tuple[Request, Picture], ...]:
    """Return the pictures that a document asks for, with the options of the command line on top."""
    asked = topology.spec.pictures
    merged = [merge_options(one, over) if over is not None else one for one in asked]
    return tuple((one, of(topology, one)) for one in merged)


def is_empty(topology: Topology) -> bool:
    """Return whether a document holds no machine, only routes or pictures for one.

    >>> is_empty(load({"pictures": ["a.svg"]})), is_empty(load("l40s"))
    (True, False)
    """
    return not topology.root.assembly.children and not topology.root.kind


def wanted(topology: Topology) -> tuple[Request, ...]:
    """Return the pictures that a document asks for; one without wishes if it asks for none."""
    return topology.spec.pictures or (Request(),)


def check(given: Topology | str | Path | Mapping[str, Any] | Source) -> list[Diagnostic]:
    """Return what is wrong or odd about a topology, or about an input that has not been loaded yet.

    >>> check("dgx-h100")
    []
    >>> [one.message for one in check({"contain": {}})]
    ["unknown key 'contain'"]
    """
    try:
        topology = given if isinstance(given, Topology) else load(given)
        return [*topology.diagnostics, *lint(topology)]
    except SpecError as wrong:
        return list(wrong.diagnostics)


def choice(picture: Picture, layouts: Mapping[str, Layout]) -> suits.Choice:
    """Return the layout of a picture and the reason.

    Raises:
        SpecError: what the picture shows or highlights is not there.
    """
    return _choice(picture, finding(picture.topology, picture.request), layouts)


def _choice(picture: Picture, found: Findings, layouts: Mapping[str, Layout]) -> suits.Choice:
    return suits.choose_for(picture.topology, _roots(picture), picture.request, found, layouts)


def scope(picture: Picture, lang: str, layouts: Mapping[str, Layout]) -> Scope:
    """Return the frame in which a picture is arranged, with one for each of its panels."""
    request = picture.request
    if is_empty(picture.topology) and not request.panels:
        raise _nothing(picture.topology)
    found = merged(picture.given, finding(picture.topology, request))
    picture = _as_expected(picture)
    picture = replace(picture, topology=filled(picture.topology, lang, found, request))
    paths = [one for route in found.routes if route.shape == "path" for one in route.nodes]
    request = replace(request, unfold=(*request.unfold, *_with_holders((*found.outlined, *paths, *_differing(found)))))
    roots = _roots(picture)
    numbered = enumerate(request.panels, 1)
    layout = _choice(picture, found, layouts).layout
    found = replace(found, placement=placement(picture.topology, roots, layout))
    return Scope(
        topology=picture.topology,
        roots=roots,
        request=request,
        layout=layout,
        findings=found,
        lang=lang,
        panels=tuple(_panel(picture, panel, number, lang, layouts) for number, panel in numbered),
        title=glyphs.words(roots[0].title, lang),
    )


def _with_holders(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the ids with those of everything that they are in: what is pointed out or on a path is never folded away."""
    parts = [one.split("/") for one in ids]
    return tuple(dict.fromkeys("/".join(names[:end]) for names in parts for end in range(1, len(names) + 1)))


def _differing(found: Findings) -> tuple[str, ...]:
    """Return the ids of what the numbered differences are about: each is drawn where it is."""
    items = found.differences.items if found.differences is not None else ()
    own = [
        one for one in items if one.number <= NUMBERED and (one.what, one.unit) != ("extra", "thing") and not one.also
    ]
    return tuple(dict.fromkeys(name for one in own for name in (*one.nodes, *one.ends)))


def _as_expected(picture: Picture) -> Picture:
    """Return the picture of the machine as it should be, where its faults are marked on it."""
    if "faults" not in picture.request.overlay or picture.request.found:
        return picture
    return replace(picture, topology=without_faults(picture.topology))


def _nothing(topology: Topology) -> SpecError:
    message, hint = "there is no machine to draw", "contains: or part: says what there is; several inputs are joined"
    imported = [one.path.removesuffix(AS_IMPORTED) for one in topology.spec.sources if one.path.endswith(AS_IMPORTED)]
    if imported and topology.spec.routes:
        message += f": {imported[0]} says which rings there are, and not on what machine"
        hint = f"name the machine as well, for instance: topoviz render dgx-h100 {imported[0]} --highlight routes"
        return SpecError([Diagnostic(message=message, hint=hint, code="nothing")])
    return SpecError([Diagnostic(message=message, mark=topology.spec.origin.mark, hint=hint, code="nothing")])


def _roots(picture: Picture) -> tuple[Thing, ...]:
    request, topology = picture.request, picture.topology
    found = pick(topology, (topology.root,), request.show) if request.show else ()
    if request.show and not found:
        said = f"'{', '.join(request.show)}' matches nothing that could be shown"
        raise refuse(request, "show", said, code="matches-nothing")
    return found or (suits.alone(topology.root),)


INHERITED = ("highlight", "size", "compute", "measured", "measured_rate", "rates", "overlay", "theme", "lang")


def inherited(request: Request, panel: Request) -> Request:
    """Return a panel with what it takes from its picture; computing only where something is exchanged."""
    own = replace(panel, **{key: getattr(panel, key) or getattr(request, key) for key in INHERITED})
    return own if own.highlight or "groups" in own.overlay else replace(own, compute=panel.compute)


def _panel(picture: Picture, panel: Request, number: int, lang: str, layouts: Mapping[str, Layout]) -> Scope:
    own = inherited(picture.request, panel)
    catalog = resources.Catalog(picture.folders)
    topology = picture.topology if own.body is None else build_picture(own, picture.topology.spec, catalog)
    made = scope(Picture(topology=topology, request=own, folders=picture.folders), lang, layouts)
    title = fields.say(made, panel.title) if isinstance(panel.title, (str, Mapping)) else made.title
    return replace(made, compact=True, number=number, title=title)
