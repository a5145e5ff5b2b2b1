"""Both sides of a comparison, and what each of them can know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from topoviz.comparing.around import Around
from topoviz.model.topology import Thing

SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink")
NETWORK = ("infiniband", "ethernet")
GENERIC = "generic"  # what the catalog says of a part that stands for any maker's


@dataclass(frozen=True, kw_only=True)
class Case:
    """Both sides, and which thing is which: ``there`` from expected to found, ``back`` the other way."""

    expected: Around
    found: Around
    there: Mapping[str, str]
    back: Mapping[str, str]

    def knows(self, kind: str) -> bool:
        """Whether the found side tells devices of a kind apart: it has some, or it could have had them."""
        if kind == "nvswitch":
            return self.same_fabric
        if kind in {"nic", "dpu"}:
            return bool(self.found.of_kind("nic") or self.found.of_kind("dpu"))
        return bool(self.found.of_kind(kind))

    @cached_property
    def same_fabric(self) -> bool:
        """Whether both sides know the chips of the fabric; a matrix knows the fabric as one."""
        ours, theirs = len(self.expected.of_kind("nvswitch")), len(self.found.of_kind("nvswitch"))
        return theirs > 1 or ours == theirs

    def other_part(self, name: str) -> bool:
        """Whether a thing is of another make on the found side, where both sides say which."""
        if name not in self.there:
            return False
        ours, theirs = self.expected.things[name], self.found.things[self.there[name]]
        return specific(ours) and specific(theirs) and ours.part != theirs.part

    @cached_property
    def other_parts(self) -> frozenset[str]:
        """Return the kinds of which some thing is of another make."""
        return frozenset(thing.kind for name, thing in self.expected.things.items() if self.other_part(name))

    @cached_property
    def fabrics(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """Return of both sides how its GPUs are joined: the kind of link, and through how many chips (0: directly)."""
        return _fabric(self.expected), _fabric(self.found)

    @property
    def joined_otherwise(self) -> bool:
        """Whether GPUs are joined in another way altogether: by other links, or directly instead of through chips."""
        (ours, chips), (theirs, others) = self.fabrics
        return bool(ours and theirs) and (ours != theirs or (chips > 0) != (others > 0))


def specific(thing: Thing) -> bool:
    """Return whether a description says of what make a thing is."""
    here = thing.assembly
    return bool(here.part and (here.source or here.ports)) and not here.source.startswith(GENERIC)


def _fabric(side: Around) -> tuple[str, int]:
    for kind in SCALE_UP:
        ends = [
            (gpu, other)
            for gpu in side.of_kind("gpu")
            for other, link in side.links.get(gpu.id, ())
            if link.kind == kind
        ]
        chips = {other for _, other in ends if side.things[other].kind == "nvswitch"}
        if ends:
            return kind, len(chips)
    return "", 0
