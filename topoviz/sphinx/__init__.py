"""The extension ``topoviz.sphinx``: pictures of GPU systems in documentation, drawn at build time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from topoviz import __version__
from topoviz.sphinx import building
from topoviz.sphinx.directive import FORMATS, TopologyDirective
from topoviz.sphinx.images import Images
from topoviz.sphinx.node import depart_html, topology, visit_html

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STATIC = Path(__file__).parent / "static"
STYLES = "topoviz.css"
FAILED = "The picture could not be drawn."


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and all that carries its pictures to every builder. Return what Sphinx asks of us."""
    from sphinx.config import ENUM

    app.add_config_value("topoviz_theme", "auto", "env", (str,))
    app.add_config_value("topoviz_format", "inline", "env", ENUM(*FORMATS))
    app.add_config_value("topoviz_failed", FAILED, "env", (str,))
    app.add_node(topology, html=(visit_html, depart_html))
    app.add_directive("topology", TopologyDirective)
    app.add_directive("topoviz", TopologyDirective)
    app.add_post_transform(Images)
    app.connect("config-inited", building.refuse_unknown)
    app.connect("builder-inited", building.static)
    app.connect("env-get-outdated", building.outdated)
    app.connect("env-purge-doc", building.forget)
    app.connect("env-merge-info", building.join)
    app.connect("build-finished", building.sweep)
    app.add_css_file(STYLES)
    return {"version": __version__, "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
