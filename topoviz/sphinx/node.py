"""The picture in a document tree: what was written, and how it becomes a piece of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx import addnodes

from topoviz.hosts import figure as figures
from topoviz.hosts.messages import messages

if TYPE_CHECKING:
    from topoviz.hosts.figure import Figure


class topology(nodes.General, nodes.Element, addnodes.translatable):  # noqa: N801 - docutils names nodes so
    """A picture: the figure as written, the language, and translations of its texts as Sphinx finds them.

    Attributes: ``figure``, ``key`` (of all that it is made from), ``lang``, ``theme``, ``format``, ``texts``,
    ``alt``, ``size``, ``shown`` (width in the page), ``align``.
    """

    def preserve_original_messages(self) -> None:
        """Keep nothing: what was written is in ``figure``."""

    def extract_original_messages(self) -> Sequence[str]:
        """Return every text of the picture that a translator may want to say otherwise."""
        if "messages" not in self:
            figure = cast("Figure", self["figure"])
            self["messages"] = list(messages(figures.read(figure), self["lang"]))
        return cast("list[str]", self["messages"])

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Remember a translation; the picture is drawn with it."""
        self["texts"] = {**self["texts"], original_message: translated_message}


def visit_html(self: Any, node: topology) -> None:
    """Write the picture into the page, with ids that no other picture of the page has."""
    from topoviz.sphinx.drawn import drawn, inner

    self.topoviz_pictures = number = getattr(self, "topoviz_pictures", 0) + 1
    picture = drawn(self.builder, node, ".svg", inline=True).decode()
    self.body.append(self.starttag(node, "div", CLASS="topoviz-picture", **inner(node)))
    self.body.append(figures.numbered(picture, number))


def depart_html(self: Any, node: topology) -> None:
    """Close what ``visit_html`` opened."""
    self.body.append("</div>\n")
