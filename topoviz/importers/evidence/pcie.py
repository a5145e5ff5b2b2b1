"""PCIe as files of NCCL and hwloc write it: speeds, classes, and names of things by their address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

GENERATIONS: Mapping[float, str] = MappingProxyType(
    {2.5: "1.0", 5.0: "2.0", 8.0: "3.0", 16.0: "4.0", 32.0: "5.0", 64.0: "6.0"}
)
LANES = (1, 2, 4, 8, 16)
SPEED = re.compile(r"(\d+(?:\.\d+)?)\s*GT/s")
IDLE = (2.5, 5.0)  # what a link shows that sleeps


def link(speed: str, width: str) -> str:
    """Return the name of a PCIe link by its speed and width; empty if the file does not know.

    >>> link("16.0 GT/s PCIe", "16"), link("8 GT/s", "8"), link("", "0")
    ('PCIe 4.0 x16', 'PCIe 3.0 x8', '')
    """
    found = SPEED.search(speed)
    generation = GENERATIONS.get(float(found[1]), "") if found else ""
    lanes = int(width) if width.isdecimal() else 0
    return f"PCIe {generation} x{lanes}" if generation and lanes in LANES else ""


def kind(code: str) -> str:
    """Return what a PCI class stands for: gpu, nic, nvswitch, bridge, or empty.

    >>> kind("0x030200"), kind("0x060400"), kind("0302"), kind("0x010802")
    ('gpu', 'bridge', 'gpu', '')
    """
    digits = code.lower().removeprefix("0x")[:4]
    if digits in {"0302", "0300", "0380", "1200"}:
        return "gpu"
    return {"0207": "nic", "0200": "nic", "0280": "nic", "0604": "bridge", "0680": "nvswitch"}.get(digits, "")


def fabric(code: str) -> str:
    """Return the kind of network of a card's class.

    >>> fabric("0x020700"), fabric("0200")
    ('infiniband', 'ethernet')
    """
    return "infiniband" if code.lower().removeprefix("0x").startswith("0207") else "ethernet"


def address(text: str) -> str:
    """Return a PCI address as all files here write it: lower case, four digits or more for the domain.

    >>> address("00000000:07:00.0"), address("ffff:ff:01.0")
    ('0000:07:00.0', 'ffff:ff:01.0')
    """
    domain, _, rest = text.strip().lower().partition(":")
    return f"{domain.lstrip('0').rjust(4, '0')}:{rest}" if rest else text.strip().lower()


def nowhere(text: str) -> bool:
    """Return whether an address stands for some switch, as drivers write where they do not know it.

    >>> nowhere("fffffff:ff:ff.0"), nowhere("fffffff:ffff:ff"), nowhere("ffff:ff:01.0")
    (True, True, False)
    """
    return not set(text.lower()) - set("f:.0") and text.lower().startswith("fffff")
