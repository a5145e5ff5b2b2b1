"""What kinds of things and of links are called, and which hue stands for a link. English; the keys of the messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

LINKS: Mapping[str, str] = MappingProxyType(
    {
        "nvlink": "NVLink",
        "c2c": "NVLink-C2C",
        "pcie": "PCIe",
        "infiniband": "InfiniBand",
        "ethernet": "Ethernet",
        "xgmi": "xGMI",
        "upi": "UPI",
        "qpi": "QPI",
        "smp": "CPU link",
        "ici": "ICI",
        "neuronlink": "NeuronLink",
    }
)

COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "nvlink": "Green",
        "c2c": "Green",
        "xgmi": "Green",
        "ici": "Green",
        "neuronlink": "Green",
        "infiniband": "Orange",
        "ethernet": "Purple",
        "pcie": "Blue",
        "upi": "Grey",
        "qpi": "Grey",
        "smp": "Grey",
    }
)

SCALE_UP = ("nvlink", "xgmi", "ici", "neuronlink")

THINGS: Mapping[str, str] = MappingProxyType(
    {
        "gpu": "GPU",
        "cpu": "CPU",
        "nic": "NIC",
        "dpu": "DPU",
        "nvswitch": "NVSwitch",
        "pcie": "PCIe switch",
        "switch": "switch",
        "tray": "tray",
        "node": "server",
        "rack": "rack",
        "su": "scalable unit",
        "cluster": "cluster",
        "card": "card",
        "box": "box",
        "power-shelf": "power shelf",
    }
)

COUNTED: Mapping[str, str] = MappingProxyType(
    {
        "gpu": "{count} GPUs",
        "cpu": "{count} CPUs",
        "nvswitch": "{count} NVSwitch chips",
        "nic": "{count} NICs",
        "dpu": "{count} DPUs",
        "pcie": "{count} PCIe switches",
        "switch": "{count} switches",
        "node": "{count} servers",
        "tray": "{count} trays",
        "rack": "{count} racks",
        "su": "{count} scalable units",
        "hop": "{count} hops over other links",
    }
)


ROUTES = (  # how planners name their routes
    "ring {number}", "tree {number}", "inside {number}", "across {place}", "from {source}", "ring", "path", "send",
)  # fmt: skip


def link_name(kind: str, names: Sequence[str]) -> str:
    """Return how a link is called: ``InfiniBand NDR``, ``NVLink 4``, else the name of its kind.

    >>> link_name("infiniband", ["NDR"]), link_name("nvlink", ["NVLink 4"]), link_name("pcie", [])
    ('InfiniBand NDR', 'NVLink 4', 'PCIe')
    """
    family = LINKS.get(kind, kind)
    if not names:
        return family
    text = " / ".join(names)
    return f"{family} {text}" if kind == "infiniband" and not text.startswith(family) else text
