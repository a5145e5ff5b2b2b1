"""A GPU outside every NVLink domain, while others of its part are inside one.

Why: what has no NVLink (XGMI, ICI …) falls back to PCIe or the network, 5 to 30
times slower, and a collective runs at the pace of its slowest member.
To mend: wire it, or give a GPU that is meant to stand alone a group or part of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import SCALE_UP, Ground, copies, have, named, path, warning
from topoviz.model.ports import port_of
from topoviz.model.sites import Site
from topoviz.model.topology import Child
from topoviz.model.where import mark_of_child

CODE = "gpu-outside-nvlink"
HINT = (
    "a collective over all GPUs runs at the pace of the one without; wire it, or give it a group and a part of its own"
)


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield GPUs without a scale-up link: beside others that have one, else anywhere in the machine."""
    groups = [(site, tuple(gpu for gpu in gpus if _could(gpu))) for site, gpus in ground.siblings(frozenset({"gpu"}))]
    inside: dict[str, tuple[Site, Child]] = {}
    for site, gpus in groups:
        for gpu in gpus:
            if site.links(gpu, SCALE_UP):
                inside.setdefault(gpu.assembly.part, (site, gpu))
    for site, gpus in groups:
        without = [gpu for gpu in gpus if not site.links(gpu, SCALE_UP)]
        if without and without[0].assembly.part in inside:
            yield _warning(site, gpus, without, inside[without[0].assembly.part])


def _could(gpu: Child) -> bool:
    """Return whether a GPU has a port for it, or says nothing about ports."""
    return gpu.assembly.ports is None or any(port_of(gpu.assembly, kind) for kind in SCALE_UP)


def _warning(site: Site, gpus: tuple[Child, ...], without: list[Child], other: tuple[Site, Child]) -> Diagnostic:
    beside = [path(site, gpu) for gpu in gpus if gpu not in without] or [path(*other)]
    kind = next((joint.kind for joint in other[0].joints[other[1].name] if joint.kind in SCALE_UP), "nvlink")
    said = f"{named([path(site, gpu) for gpu in without])} {have(len(without))} no {kind} link"
    message = f"{said}; {named(beside)} {have(len(beside))} one" + copies(site)
    return warning(CODE, mark_of_child(site.thing, gpus[0].group), message, HINT)
