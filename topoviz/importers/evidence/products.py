"""Product names as tools print them: the part of the catalog, the name of its NVLink, how many it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Product:
    """A GPU that a tool named."""

    part: str
    nvlinks: int = 0
    link: str = ""


# the first pattern that occurs in the name wins
PRODUCTS: tuple[tuple[str, Product], ...] = (
    (r"P100-SXM2", Product("p100-sxm", 4, "NVLink 1")),
    (r"V100-SXM[23]", Product("v100-sxm", 6, "NVLink 2")),
    (r"A100-SXM4-80GB", Product("a100-sxm-80gb", 12, "NVLink 3")),
    (r"A100-SXM4-40GB", Product("a100-sxm-40gb", 12, "NVLink 3")),
    (r"\bA30\b", Product("a30", 4, "NVLink 3")),
    (r"H100 PCIe", Product("h100-pcie", 12, "NVLink 4")),
    (r"H100 NVL", Product("h100-nvl", 18, "NVLink 4")),
    (r"H100 80GB HBM3|H100-SXM|H100 SXM", Product("h100-sxm", 18, "NVLink 4")),
    (r"GH200", Product("gh200-gpu", 18, "NVLink 4")),
    (r"\bH200\b(?! NVL)", Product("h200-sxm", 18, "NVLink 4")),
    (r"GB300", Product("gb300-gpu", 18, "NVLink 5")),
    (r"GB200", Product("gb200-gpu", 18, "NVLink 5")),
    (r"\bB300\b", Product("b300", 18, "NVLink 5")),
    (r"\bB200\b", Product("b200", 18, "NVLink 5")),
    (r"\bL40S\b", Product("l40s")),
    (r"RTX PRO 6000", Product("rtx-pro-6000")),
    (r"MI300X", Product("mi300x-oam")),
    (r"MI355X", Product("mi355x-oam")),
)
MOST_NVLINKS = 18  # of any GPU so far: NVLink 4 and 5
# compute capability as NCCL writes it (sm) -> the NVLink of that GPU; none where the rate depends on the card
NVLINK_OF_SM: Mapping[int, str] = MappingProxyType(
    {60: "NVLink 1", 70: "NVLink 2", 80: "NVLink 3", 90: "NVLink 4", 100: "NVLink 5", 103: "NVLink 5"}
)
ARCH_OF_SM: Mapping[int, str] = MappingProxyType(
    {60: "Pascal", 70: "Volta", 75: "Turing", 80: "Ampere", 86: "Ampere", 89: "Ada", 90: "Hopper"}
    | {100: "Blackwell", 103: "Blackwell Ultra", 120: "Blackwell"}
)


def product(name: str) -> Product | None:
    """Return what the catalog knows of a GPU by its printed name; None for one that it does not have.

    >>> product("Tesla V100-SXM2-32GB").part, product("NVIDIA GeForce RTX 4090")
    ('v100-sxm', None)
    """
    return next((found for pattern, found in PRODUCTS if re.search(pattern, name)), None)
