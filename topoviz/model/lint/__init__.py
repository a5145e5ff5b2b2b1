"""What is odd about a machine that can be built all the same; a file here is a rule.

What cannot be built is an error of building (too few ports, a link without a
port). A rule has ``find(ground)``; it yields warnings, and notes where the
machine may well be meant so. Each says the fact that it rests on and how to
change or confirm the document. Rules look at each sort of thing once, so a
cluster costs as much as its description.
"""

from __future__ import annotations

from topoviz import registry
from topoviz.errors import Diagnostic
from topoviz.model.ground import Ground
from topoviz.model.sites import sites
from topoviz.model.topology import Topology


def lint(topology: Topology) -> tuple[Diagnostic, ...]:
    r"""Return what the rules find odd about a topology, rule by rule in the order of their names.

    >>> from types import SimpleNamespace
    >>> from topoviz.marks import Source
    >>> from topoviz.model.build import build
    >>> from topoviz.model.read import read_document
    >>> text = "contains: {gpu: {kind: gpu, count: 3}}\nwires: [{from: gpu0, to: gpu1, kind: nvlink}]"
    >>> catalog = SimpleNamespace(get=lambda name: None, names=tuple)
    >>> [found.message for found in lint(build(read_document([Source("a.yaml", text)]), catalog))]
    ['gpu2 has no nvlink link; gpu0, gpu1 have one']
    """
    ground = Ground(topology=topology, sites=sites(topology))
    rules = (registry.get(__name__, name) for name in registry.names(__name__))
    found = {(one.message, one.mark): one for rule in rules for one in rule.find(ground)}
    return tuple(found.values())
