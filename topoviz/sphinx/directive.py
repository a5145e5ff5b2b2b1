"""The directive ``topology``: a picture from a file, from a part of the catalog, or from the lines below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from topoviz import resources
from topoviz.errors import Diagnostic, TopovizError
from topoviz.hosts import figure as figures
from topoviz.hosts.dependencies import dependencies
from topoviz.hosts.figure import Figure
from topoviz.hosts.wishes import KEYS, SWITCHES, apart
from topoviz.picture import Picture, write
from topoviz.sphinx.drawn import file, key, rendered
from topoviz.sphinx.node import topology
from topoviz.sphinx.places import findings, shown, tell

OURS = ("width", "align", "class", "figclass", "format", "code")  # not for the picture itself
FORMATS = ("inline", "img", "pair")


def _align(text: str) -> str:
    return directives.choice(text, ("left", "center", "right"))


def _format(text: str) -> str:
    return directives.choice(text, FORMATS)


def _code(text: str) -> str:
    return directives.choice(text or "above", ("above", "below"))


def _text(text: str | None) -> str:
    return text or ""


def option_spec() -> dict[str, Callable[[str], Any]]:
    """Return the options: every key of a picture, and those of a figure in a document."""
    spec: dict[str, Callable[[str], Any]] = dict.fromkeys(KEYS, directives.unchanged_required)
    spec |= dict.fromkeys(SWITCHES, _text)
    spec |= dict.fromkeys(("set", "picture"), directives.unchanged_required)
    spec |= dict.fromkeys(("name", "caption", "foot", "width"), directives.unchanged)
    spec |= {"class": directives.class_option, "figclass": directives.class_option}
    return {**spec, "align": _align, "format": _format, "code": _code}


class TopologyDirective(SphinxDirective):
    """A picture of a GPU system."""

    has_content = True
    required_arguments = 0
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = option_spec()

    def run(self) -> list[nodes.Node]:
        """Return the picture, or a box that says why there is none."""
        figure = Figure()
        try:
            figure = self._figure()
            read = figures.read(figure)
            self._depend(read)
            node = self._node(figure, read)
        except TopovizError as problem:
            return self._failed(figure, findings(problem))
        tell(self, figure, figures.complaints(read), "picture")
        return self._with_code(figure, self._framed(node))

    def _figure(self) -> Figure:
        """Return what was written. Raises TopovizError for a file and a body at once, and for neither."""
        body = "\n".join(self.content)
        given = self.arguments[0].strip() if self.arguments else ""
        if bool(given) == bool(body.strip()):
            both = "a file and lines below it" if given else "neither a file nor lines below it"
            raise TopovizError(f"the directive has {both}; it takes one of them")
        here = Path(self.env.doc2path(self.env.docname)).parent
        return Figure(
            given=self._found(given), text=f"{body}\n" if body else "", folder=str(here), options=self._options()
        )

    def _found(self, given: str) -> str:
        """Return a file of the documentation by its path, or the name of a part as it is."""
        if not given:
            return given
        relative, absolute = self.env.relfn2path(given)
        if Path(absolute).is_file():
            return absolute
        if "/" in given or given.endswith((".yaml", ".yml")):
            self.env.note_dependency(relative)  # draw it when it comes
            raise TopovizError(f"there is no file '{given}'; a path is relative to this document, with / to the root")
        return given

    def _options(self) -> dict[str, str]:
        """Return the options that the picture itself is to read, as texts."""
        options, _ = apart({name: str(text) for name, text in self.options.items() if name not in OURS})
        if _is_length_of_page(self.options.get("width", "")):
            options["width"] = self.options["width"].removesuffix("px")
        return options

    def _depend(self, read: Picture) -> None:
        for path in dependencies(read):
            self.env.note_dependency(str(path.resolve()))

    def _node(self, figure: Figure, read: Picture) -> topology:
        """Return the picture as a node; drawn now, so that mistakes are told with their place."""
        node = topology()
        node["figure"], node["key"] = figure, key(figure, read)
        node["lang"], node["theme"] = self._language(read), self._theme(read)
        node["format"] = self.options.get("format", self.config.topoviz_format)
        node["shown"] = "" if _is_length_of_page(self.options.get("width", "")) else self.options.get("width", "")
        node["texts"], node["classes"] = {}, list(self.options.get("class", ()))
        made = figures.scene(read, node["lang"])
        resources.theme(node["theme"], read.folders)
        node["alt"], node["size"] = made.description or made.title, (made.width, made.height)
        self.set_source_info(node)
        self._keep(node, read, made)
        keys = vars(self.env).setdefault("topoviz_keys", {})
        keys.setdefault(self.env.docname, []).append(node["key"])
        return node

    def _keep(self, node: topology, read: Picture, made: Any) -> None:
        """Write the inline form into the cache: most builds want it, and the picture is at hand."""
        if vars(self.env).get("topoviz_html") and node["format"] == "inline":
            target = file(self.env, node, ".svg", inline=True, draw=False)
            if not target.is_file():
                write(target, rendered(read, made, ".svg", node["theme"], inline=True))

    def _language(self, read: Picture) -> str:
        """Return the language of the option, else of the document, else of the build."""
        built = str(self.config.language or "en").replace("_", "-")
        asked = read.request.lang or read.topology.spec.lang
        return built if not asked or built in asked else asked[0]

    def _theme(self, read: Picture) -> str:
        """Return the theme of the option or of the document if it is one, else that of the configuration."""
        asked = read.request.theme or ((read.topology.spec.theme,) if read.topology.spec.theme else ())
        return asked[0] if len(asked) == 1 else str(self.config.topoviz_theme)

    def _framed(self, node: topology) -> nodes.Node:
        """Return the picture, in a figure if it has a caption."""
        _, caption = apart(self.options)
        if not caption:
            if "align" in self.options:
                node["align"] = self.options["align"]
                node["classes"].append(f"align-{self.options['align']}")
            self.add_name(node)
            return node
        frame = nodes.figure("", node, align=self.options.get("align", "default"))
        frame["classes"] += ["topoviz-figure", *self.options.get("figclass", ())]
        self.set_source_info(frame)
        children, messages = self.state.inline_text(caption, self.lineno)
        title = nodes.caption(caption, "", *children)
        self.set_source_info(title)
        frame += [title, *messages]
        self.add_name(frame)
        return frame

    def _with_code(self, figure: Figure, node: nodes.Node) -> list[nodes.Node]:
        """Return the picture with the lines that it was made from, if they were asked for."""
        where = self.options.get("code", "")
        if not where:
            return [node]
        text = figure.text or (Path(figure.given).read_text(encoding="utf-8") if Path(figure.given).is_file() else "")
        is_yaml = bool(figure.text) or Path(figure.given).suffix in {".yaml", ".yml"}  # else what a tool printed
        code = nodes.literal_block(text, text, language="yaml" if is_yaml else "none")
        self.set_source_info(code)
        return [code, node] if where == "above" else [node, code]

    def _failed(self, figure: Figure, found: Sequence[Diagnostic]) -> list[nodes.Node]:
        """Return a box that everybody sees, and have the document read again next time."""
        tell(self, figure, tuple(found), "spec")
        vars(self.env).setdefault("topoviz_failed", set()).add(self.env.docname)
        text = shown(self, figure, tuple(found))
        box = nodes.error("", nodes.paragraph("", self.config.topoviz_failed), classes=["topoviz-error"])
        box += nodes.literal_block(text, text, language="none")
        self.set_source_info(box)
        self.add_name(box)
        return [box]


def _is_length_of_page(text: str) -> bool:
    """Return whether a width is the picture's own, in CSS pixels, and not one on the page, such as 80%.

    >>> _is_length_of_page("736"), _is_length_of_page("736px"), _is_length_of_page("80%")
    (True, True, False)
    """
    return text.strip().removesuffix("px").replace(".", "", 1).isdecimal()
