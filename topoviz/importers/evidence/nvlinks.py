"""What NV# in a matrix means: links from GPU to GPU, or the links of each GPU into a switch fabric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from topoviz.importers.evidence.draft import Draft
from topoviz.importers.evidence.products import MOST_NVLINKS, Product
from topoviz.importers.evidence.text import Told

FABRIC: Mapping[str, str] = MappingProxyType({"en": "NVLink fabric", "zh": "NVLink 交换网络"})
Pairs = Mapping[frozenset[str], int]


def island(draft: Draft, told: Told, gpus: Sequence[str], pairs: Pairs, product: Product | None, line: int) -> None:
    """Join the GPUs of each island: directly where a GPU has links enough, else through a fabric of switches.

    A GPU with ``x`` links to each of ``n - 1`` others would need ``x (n - 1)``; no GPU has more than
    its model says, or 18 if the model is not known.
    """
    most = (product.nvlinks if product else 0) or MOST_NVLINKS
    for number, members in enumerate(_islands(gpus, pairs)):
        inside = {pair: links for pair, links in pairs.items() if pair <= set(members)}
        needed = max(sum(links for pair, links in inside.items() if gpu in pair) for gpu in members)
        if needed > most:
            _fabric(draft, told, members, inside, needed, number, line, most if product else 0)
        else:
            _direct(draft, members, inside)


def _islands(gpus: Sequence[str], pairs: Pairs) -> list[list[str]]:
    islands: list[list[str]] = []
    for gpu in gpus:
        near = [one for one in islands if any(frozenset((gpu, other)) in pairs for other in one)]
        islands = [one for one in islands if one not in near] + [[other for one in near for other in one] + [gpu]]
    order = {gpu: at for at, gpu in enumerate(gpus)}
    return [sorted(one, key=order.__getitem__) for one in islands if len(one) > 1]


def _direct(draft: Draft, members: Sequence[str], pairs: Pairs) -> None:
    for at, a in enumerate(members):
        for b in members[at + 1 :]:
            links = pairs.get(frozenset((a, b)), 0)
            if links:
                draft.join(a, b, "nvlink", links=links)


def _fabric(
    draft: Draft, told: Told, members: Sequence[str], pairs: Pairs, needed: int, number: int, line: int, most: int
) -> None:
    group = "nvs" if number == 0 else f"nvs-{number}"
    name = draft.add(group, group, {"part": "nvswitch", "title": FABRIC})
    own = {gpu: max(links for pair, links in pairs.items() if gpu in pair) for gpu in members}
    for gpu, links in own.items():
        draft.join(gpu, name, "nvlink", links=links)
    said = ", ".join(f"NV{links}" for links in sorted(set(pairs.values())))
    limit = f"its model has {most}" if most else f"no GPU has more than {MOST_NVLINKS}"
    told.infer(
        f"NVSwitches are inferred: {said} between all {len(members)} GPUs would take {needed} links per GPU if they "
        f"were direct, and {limit}; so the number is a GPU's links into a fabric. How many switch chips there are, "
        "and whether more GPUs hang on them, a matrix does not say"
    )
    told.say(
        "NVSwitches are inferred from NV# and drawn as one fabric; the file does not say how many chips there are.",
        "NVSwitch 由 NV# 推断，合画为一；文件未说明芯片数。",
    )
    odd = [pair for pair, links in pairs.items() if links != min(own[gpu] for gpu in pair)]
    for pair in odd[:3]:
        a, b = sorted(pair)
        told.warn(
            "nvlink-uneven",
            f"{a} - {b}: {pairs[pair]} NVLinks, where the others of these GPUs let expect {min(own[a], own[b])}",
            line,
        )
    least = {gpu: links for gpu, links in own.items() if links < max(own.values())}
    for gpu, links in least.items():
        told.warn("nvlink-fewer", f"{gpu} has {links} NVLinks, the others {max(own.values())}", line)
