"""Scale-up domains: GPUs that NVLink (or xGMI, ICI, NeuronLink) joins, directly or through switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from topoviz.model.topology import Assembly, Child, Thing

SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink")


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """What a GPU shares a domain with: the container that joins them, and which of its domains it is in."""

    container: Thing
    part: int


@dataclass(frozen=True, slots=True)
class Domains:
    """Finds the domain of a GPU; each type of container is looked at once, however many there are."""

    known: dict[Assembly, dict[str, int]] = field(default_factory=dict)
    _sizes: dict[Assembly, Counter[int]] = field(default_factory=dict)

    def box(self, gpu: Thing) -> Box:
        """Return the innermost container with the whole domain of the GPU in it; the GPU itself if it has none."""
        found, size = Box(container=gpu, part=0), 1
        path, here = gpu.name, gpu.parent
        while here is not None:
            parts = self._parts(here.assembly)
            if path in parts:
                members = self._sizes[here.assembly][parts[path]]
                if members > size:
                    found, size = Box(container=here, part=parts[path]), members
            path, here = f"{here.name}/{path}", here.parent
        return found

    def _parts(self, assembly: Assembly) -> dict[str, int]:
        """Return the domain of every GPU in a container, by its path; nothing if it makes no scale-up link itself."""
        if assembly not in self.known:
            makes = any(link.kind in SCALE_UP and link.state != "down" for link in assembly.links)
            self.known[assembly] = _components(assembly) if makes else {}
            self._sizes[assembly] = Counter(self.known[assembly].values())
        return self.known[assembly]


def _components(assembly: Assembly) -> dict[str, int]:
    """Return the number of the domain of every GPU inside a container, by its path."""
    root = Thing("", Child(name="", group="", assembly=assembly))
    joined: dict[str, str] = {}

    def top(name: str) -> str:
        while joined.setdefault(name, name) != name:
            joined[name] = joined[joined[name]]
            name = joined[name]
        return name

    for container in (root, *root.walk()):
        prefix = f"{container.id}/" if container.id else ""
        for link in container.assembly.links:
            if link.kind in SCALE_UP and link.state != "down":
                joined[top(prefix + link.target)] = top(prefix + link.source)
    numbers: dict[str, int] = {}
    found = {}
    for thing in root.walk():
        if thing.kind == "gpu":
            found[thing.id] = numbers.setdefault(top(thing.id), len(numbers))
    return found


def numbered(boxes: Sequence[Box]) -> tuple[int, ...]:
    """Return a number for the domain of each GPU, counted from 0 in their order."""
    numbers: dict[tuple[str, int], int] = {}
    return tuple(numbers.setdefault((box.container.id, box.part), len(numbers)) for box in boxes)
