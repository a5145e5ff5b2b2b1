"""What to write instead, where that can be computed."""

from __future__ import annotations

from collections.abc import Sequence

from topoviz.errors import SpecError
from topoviz.model.names import spoken, with_article
from topoviz.model.parts import Catalog
from topoviz.model.ports import port_of
from topoviz.model.spec import Body, Wire
from topoviz.model.spelling import number_word
from topoviz.model.topology import Assembly, Thing
from topoviz.model.wiring import Ends


def instead_of_all(ends: Ends, wire: Wire, catalog: Catalog) -> str:
    """Return what to write where each with each needs too many ports: a block, or what a part of the catalog has."""
    if wire.rule != "all" or wire.target is None:
        return ""
    known = Lookup(catalog, ends.sources[0].part, ends.targets[0].part, wire.kind)
    port = port_of(ends.sources[0].assembly, wire.kind)
    whole = len(ends.sources) % len(ends.targets) == 0
    if whole and len(ends.targets) > 1 and port is not None and int(port.count) == ends.links[0]:
        return _block(ends.sources, ends.targets)
    return known.hint() if max(ends.links) > 1 else ""


def _block(sources: Sequence[Thing], targets: Sequence[Thing]) -> str:
    each = len(sources) // len(targets)
    one, other = spoken(sources[0].kind), spoken(targets[0].kind)
    return f"rule: block gives every {one} one {other}, {number_word(each)} {spoken(sources[0].kind, each)} to each"


class Lookup:
    """Finds in the catalog how two parts are wired that a document has wired too often."""

    def __init__(self, catalog: Catalog, source: str, target: str, kind: str) -> None:
        self._catalog, self._parts, self._kind = catalog, (source, target), kind

    def hint(self) -> str:
        """Return one line that a part of the catalog has, or an empty text."""
        for name in sorted(self._catalog.names()) if all(self._parts) else ():
            body = self._read(name)
            wire = self._wire(body) if body is not None else None
            if body is not None and wire is not None:
                links = ", ".join(str(number) for number in wire.links)
                title = body.title if isinstance(body.title, str) and body.title else name
                return f"{with_article(title)} has links: {f'[{links}]' if len(wire.links) > 1 else links}"
        return ""

    def _read(self, name: str) -> Body | None:
        try:
            return self._catalog.get(name)
        except SpecError:  # another part's mistake is no help here
            return None

    def _wire(self, body: Body) -> Wire | None:
        groups = {entry.name: entry.body.part for entry in body.contains}
        for wire in body.wires:
            ends = (groups.get(wire.source[0]), groups.get(wire.target[0]) if wire.target else None)
            if wire.kind == self._kind and ends == self._parts:
                return wire
        return None


def cards(owner: Assembly, kind: str) -> str:
    """Return the group of network cards in a thing that have a port of a kind; empty if there is none."""
    found = (c.group for c in owner.children if c.assembly.kind in ("nic", "dpu") and port_of(c.assembly, kind))
    return next(found, "")
