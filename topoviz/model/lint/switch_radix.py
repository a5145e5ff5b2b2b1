"""A network switch with more links than any switch has ports, where the document names no ports.

Why: a switch with stated ports cannot be overbooked (building refuses it). One without
is counted only here: the largest switch announced has 512 ports of 800 Gb/s (Spectrum-6 SN6800,
409.6 Tb/s), the largest in the catalog 144 (Quantum-X800 Q3400).
To mend: state its ``ports``, or draw the tiers that it really has.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoviz.errors import Diagnostic
from topoviz.model.ground import Ground, copies, path, warning
from topoviz.model.roles import NETWORK
from topoviz.model.where import mark_of_child

LARGEST, SHIPPING = 512, 144  # ports: Spectrum-6 SN6800, Quantum-X800 Q3400
HINT = f"the largest switch announced has {LARGEST} ports (SN6800), the Q3400 has {SHIPPING}; state ports, or draw its tiers"


def find(ground: Ground) -> Iterator[Diagnostic]:
    """Yield the first switch of each group without stated ports that has more links than a switch can have."""
    for site in ground.sites:
        told: dict[str, None] = {}
        for child in site.thing.assembly.children:
            if child.assembly.kind != "switch" or child.assembly.ports is not None or child.group in told:
                continue
            number = site.links(child, NETWORK)
            if number > SHIPPING:
                told[child.group] = None
                severity = "warning" if number > LARGEST else "note"
                message = f"{path(site, child)} has {number} network links and says nothing about its ports"
                mark = mark_of_child(site.thing, child.group)
                yield warning("switch-radix", mark, message + copies(site), HINT, severity=severity)
