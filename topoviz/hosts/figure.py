"""A picture in somebody's document: read once, drawn in the language, theme and format that a host asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from topoviz import registry, resources
from topoviz.drawing.arrange import arrange
from topoviz.drawing.messages import Language, table
from topoviz.drawing.scene import Scene
from topoviz.errors import Diagnostic, TopovizError
from topoviz.hosts.wishes import choices, keys
from topoviz.loading import load
from topoviz.marks import Source
from topoviz.model.read import picture_from
from topoviz.model.spec import EMPTY
from topoviz.picture import Picture, of, pictures, scope
from topoviz.renderers import svg

BODY = "system.yaml"  # the name of a document in the body; a picture without a title is called after it
AUTO = "auto"  # the theme that follows the page
PREFIX = "tv_prefix_"  # starts all ids of an inline picture until the page gives it a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What an author wrote: a document or the name of one, and texts of options beside it.

    ``text`` is the document itself; without it ``given`` is a file or a part of the catalog.
    ``folder`` is where the author's document lies: own parts and layouts are found beside it.
    """

    given: str = ""
    text: str = ""
    folder: str = "."
    options: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    caption: str = ""  # of the figure in the author's document; the picture does not read it

    @property
    def source(self) -> Source:
        """Return the document in the body, under a name that lies in the author's folder."""
        return Source(str(Path(self.folder) / BODY), self.text)


def read(figure: Figure) -> Picture:
    """Return the picture of a figure.

    Raises:
        SpecError: mistakes in the document or in an option.
        TopovizError: there is no such file, or the document has several pictures and none is named.
    """
    chosen = choices(figure.options.get("set", ""))
    over = picture_from(keys(figure.options))
    topology = load(figure.source if figure.text else figure.given, **chosen)
    wanted = figure.options.get("picture", "")
    asked = [(request.name or Path(request.file).stem, picture) for request, picture in pictures(topology, over)]
    named = [picture for name, picture in asked if name == wanted]
    there = ", ".join(name for name, _ in asked if name) or "none with a name"
    if wanted and not named:
        raise TopovizError(f"there is no picture '{wanted}' in the document; there are {there}")
    if len(asked) > 1 and not wanted:
        raise TopovizError(f"the document has {len(asked)} pictures; picture: says which one ({there})")
    return (named or [picture for _, picture in asked] or [of(topology, over)])[0]


def scene(picture: Picture, lang: str, texts: Mapping[str, str] = EMPTY) -> Scene:
    """Return the picture arranged in a language; ``texts`` are translations that come before the shipped ones."""
    return arranged(picture, spoken(picture, lang, texts))


def arranged(picture: Picture, lang: str) -> Scene:
    """Return the picture arranged in a language that may bring its own texts."""
    layouts = resources.Layouts(picture.folders)
    return arrange(scope(picture, lang, layouts), layouts)


def spoken(picture: Picture, lang: str, texts: Mapping[str, str] = EMPTY) -> Language:
    """Return the language to draw in: own texts first, then those beside the document, then the shipped ones.

    A language that topoviz does not speak and nobody translates is drawn in English.
    """
    name = lang.replace("_", "-")
    if resources.find("lang", name, picture.folders) is not None:
        beside = resources.language(name, picture.folders)
        name, texts = str(beside), {**(beside.table if isinstance(beside, Language) else EMPTY), **texts}
    elif not table(name) and not texts and not _written_in(picture, name):
        name = "en"
    return Language(name, texts)


def _written_in(picture: Picture, lang: str) -> bool:
    """Return whether the author gave a text in that language."""
    title = picture.topology.root.title
    said = (title, picture.request.title, picture.request.subtitle, picture.request.caption, picture.request.alt)
    return any(isinstance(one, Mapping) and lang in one for one in said)


def inline(made: Scene, theme: str, folders: tuple[Path, ...]) -> str:
    """Return the picture as SVG for a page that holds it among others; ``numbered`` gives it its ids."""
    return svg.render(made, resources.theme(theme, folders), prefix=PREFIX)


def numbered(text: str, number: object) -> str:
    """Return an inline picture with ids of its own: an underscore never stands in ids that docutils makes."""
    return text.replace(PREFIX, f"tv_{number}")


def written(made: Scene, theme: str, suffix: str, folders: tuple[Path, ...]) -> bytes:
    """Return the picture in the format of a suffix. Raises MissingExtra if a package for it is not there."""
    content: str | bytes = registry.get("topoviz.renderers", suffix[1:]).render(made, resources.theme(theme, folders))
    return content.encode() if isinstance(content, str) else content


def complaints(picture: Picture) -> tuple[Diagnostic, ...]:
    """Return what is odd about a picture, worth a warning; notes are left out."""
    found = (*picture.topology.diagnostics, *picture.warnings)
    return tuple(one for one in found if one.severity != "note")


def on_page(made: Scene, theme: str) -> Scene:
    """Return the picture on the ground of the page that holds it, if it follows the page; one of a fixed theme keeps its own."""
    return replace(made, background=False) if theme == AUTO else made
