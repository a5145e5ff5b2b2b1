"""The title of a document, which may hold computed fields: filled once, wherever the machine is called by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from topoviz.drawing import fields
from topoviz.drawing.layout import Block, Layout
from topoviz.drawing.scope import Scope
from topoviz.drawing.template import names
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture, Text
from topoviz.model.topology import Thing, Topology


def filled(topology: Topology, lang: str, findings: Findings | None = None, request: Picture | None = None) -> Topology:
    """Return the topology with the fields of its own title filled; itself if its title has none.

    >>> import topoviz as tv
    >>> filled(tv.load({"title": "{gpu.count} GPUs", "part": "dgx-h100"}), "en").root.title
    '8 GPUs'
    """
    title = topology.root.title
    if not _has_fields(title):
        return topology
    return _with(topology, said(title, _with(topology, ""), lang, findings, request))  # never asked for itself


def said(
    title: Text, topology: Topology, lang: str, findings: Findings | None = None, request: Picture | None = None
) -> str:
    """Return a title with its fields filled as they are of a topology, where no picture is drawn yet."""
    scope = Scope(
        topology=topology,
        roots=(topology.root,),
        request=request or Picture(),
        layout=Layout(name="", block=Block()),
        findings=findings or Findings(),
        lang=lang,
    )
    return fields.say(scope, title)


def _with(topology: Topology, title: Text) -> Topology:
    """Return the topology with another title of its root."""
    before, child = topology.root.title, topology.root.child
    assembly = replace(child.assembly, title=title) if child.assembly.title == before else child.assembly
    return Topology(
        spec=topology.spec,
        root=Thing("", replace(child, title=title, assembly=assembly)),
        routes=topology.routes,
        rates=topology.rates,
        diagnostics=topology.diagnostics,
    )


def _has_fields(title: Text) -> bool:
    texts = title.values() if isinstance(title, Mapping) else (title,)
    return any(names(text) for text in texts)
