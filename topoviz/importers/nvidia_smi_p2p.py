"""nvidia-smi topo -p2p: between which GPUs peer access works, and why not where it does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from topoviz.importers.evidence import hosts
from topoviz.importers.evidence import matrix as tables
from topoviz.importers.evidence.draft import Draft
from topoviz.importers.evidence.imported import Imported
from topoviz.importers.evidence.text import Told, clean, wrong
from topoviz.marks import Source

ROW = re.compile(r"^\s*GPU\d+[ \t]+(?:(?:X|OK|CNS|GNS|TNS|NS|DR|U)[ \t]*)+$", re.MULTILINE)
STATUS = ("OK", "CNS", "GNS", "TNS", "NS", "DR", "U")
SAID: Mapping[str, str] = MappingProxyType(
    {
        "CNS": "the chipset does not support it",
        "GNS": "the GPU does not support it",
        "TNS": "the topology does not support it",
        "NS": "it is not supported",
        "DR": "it is disabled by a key of the driver",
        "U": "the driver does not know",
    }
)


def recognises(text: str) -> float:
    """Return how surely a text is a matrix of peer access."""
    plain = clean(text)
    return 0.95 if re.search(rf"\b(?:{'|'.join(STATUS)})\b", plain) and ROW.search(plain) else 0.0


def read(source: Source) -> Imported:
    """Return the GPUs of a matrix of peer access: a status matrix says nothing about links, so there are none."""
    told = Told(source)
    found = [one for one in tables.matrices(told, source.text) if one.rows]
    if not found:
        raise wrong(source, 1, "there is no matrix here", hint='run "nvidia-smi topo -p2p r"', code="smi-no-matrix")
    return hosts.imported(told, [_machine(told, one) for one in found])


def _machine(told: Told, matrix: tables.Matrix) -> hosts.Machine:
    draft, gpus = Draft(), matrix.columns
    names = {gpu: draft.add("gpu", gpu.lower(), {"part": "gpu"}) for gpu in gpus}
    for gpu in gpus:
        if gpu not in matrix.rows:
            said = f"{gpu} has a column but no row; its status is taken from the other rows"
            told.warn("smi-missing-row", said, matrix.header, word=gpu)
    pairs = {}
    for at, a in enumerate(gpus):
        for b in gpus[at + 1 :]:
            pairs[a, b] = matrix.code(a, b) or matrix.code(b, a)
    refused: dict[str, list[str]] = {}
    for (a, b), code in pairs.items():
        if code not in {"OK", ""}:
            refused.setdefault(code, []).append(f"{a} - {b}")
    for code, between in refused.items():
        told.infer(f"no peer access (status {code}: {SAID.get(code, 'not known')}) between {', '.join(between)}")
    told.infer(
        "a matrix of peer access says whether it works, not over which link: the GPUs are imported without links"
    )
    told.say("From a matrix of peer access: links are not in it.", "来自对等访问矩阵，其中不含链路。")
    title = hosts.title(len(gpus))
    return hosts.Machine(host=matrix.host, draft=draft, title=title, names=names, pairs=pairs)
