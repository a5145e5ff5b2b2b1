"""For builders that write no inline SVG the picture becomes an image, or a line of text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from topoviz.errors import MissingExtra
from topoviz.hosts import figure as figures
from topoviz.sphinx.drawn import file
from topoviz.sphinx.node import topology

if TYPE_CHECKING:
    from sphinx.builders import Builder

LOG = logging.getLogger(__name__)
AS_IT_IS = ("gettext",)  # builders that want the node
IN_WORDS = ("text", "man", "texinfo")
NO_INLINE = ("epub", "htmlhelp", "qthelp")  # readers that are no browsers
TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf"}


class Images(SphinxPostTransform):
    """Puts an image in the place of each picture that cannot stand inline."""

    default_priority = 8  # before Sphinx looks for images of its own

    def run(self, **_: Any) -> None:
        """Go through the pictures of a document."""
        builder = builder_of(self)
        if builder.name in AS_IT_IS:
            return
        for node in list(self.document.findall(topology)):
            if builder.name in IN_WORDS:
                node.replace_self(in_words(node))
            elif not (is_inline(builder) and node["format"] == "inline"):
                node.replace_self(self._images(builder, node))

    def _images(self, builder: Builder, node: topology) -> list[nodes.Node]:
        html = builder.format == "html" and builder.name not in NO_INLINE
        if html and node["format"] == "pair":
            return [
                self._image(builder, node, ".svg", "light", ["only-light"]),
                self._image(builder, node, ".svg", "dark", ["only-dark"]),
            ]
        if html:  # dark-light: the picture follows by itself, the theme need not repaint it
            return [self._image(builder, node, ".svg", node["theme"], ["dark-light"])]
        theme = "light" if node["theme"] == "auto" else node["theme"]
        made = (self._attempt(builder, node, suffix, theme) for suffix in suffixes(builder))
        return next(([image] for image in made if image is not None), in_words(node))

    def _attempt(self, builder: Builder, node: topology, suffix: str, theme: str) -> nodes.image | None:
        """Return the image in a format, or None with a warning if the package for it is not there."""
        try:
            return self._image(builder, node, suffix, theme, [])
        except MissingExtra as missing:
            LOG.warning("%s", missing, location=node, type="topoviz", subtype="extra", once=True)
            return None

    def _image(self, builder: Builder, node: topology, suffix: str, theme: str, classes: list[str]) -> nodes.image:
        path = file(builder, node, suffix, theme=theme)
        uri = Path(os.path.relpath(path, builder.srcdir)).as_posix()
        self.env.images.add_file(self.env.docname, uri)
        image = nodes.image(uri=uri, candidates={TYPES[suffix]: uri}, alt=alt(node))
        image["classes"] = [*node["classes"], *classes]
        image["ids"] = list(node["ids"])
        image.source, image.line = node.source, node.line
        if node["shown"]:
            image["width"] = node["shown"]
        if node.get("align"):
            image["align"] = node["align"]
        return image


def builder_of(transform: SphinxPostTransform) -> Builder:
    """Return the builder at work, by the name that old and new Sphinx know it by."""
    app = vars(transform.env).get("_app") or transform.app  # from Sphinx 9 on the public name warns
    builder: Builder = app.builder
    return builder


def is_inline(builder: Builder) -> bool:
    """Return whether a builder writes pages for browsers."""
    return builder.format == "html" and builder.name not in NO_INLINE


def suffixes(builder: Builder) -> tuple[str, ...]:
    """Return the formats to try for a builder, the best first."""
    if builder.format == "latex":
        return (".pdf", ".png")
    known = builder.supported_image_types
    return (".svg",) if not known or TYPES[".svg"] in known else (".png",)


def in_words(node: topology) -> list[nodes.Node]:
    """Return the picture as a paragraph that says what it shows."""
    text = f"[topology: {alt(node)}]"
    paragraph = nodes.paragraph(text, text)
    paragraph["ids"] = list(node["ids"])
    return [paragraph]


def alt(node: topology) -> str:
    """Return the picture in words, in the language of the build."""
    if not node["texts"]:
        return str(node["alt"])
    read = figures.read(node["figure"])
    made = figures.scene(read, node["lang"], node["texts"])
    return made.description or made.title
