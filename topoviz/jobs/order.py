"""Rank order: which axis of a job varies fastest. Megatron-LM's ``tp-cp-ep-dp-pp`` unless the job says otherwise.

Ranks form two grids over the same GPUs (megatron/core/parallel_state.py, ``RankGenerator``): a dense
one of tp, cp, dp and pp, and one of experts, of etp, ep, their own dp and pp, in the same order.
What FSDP shards stands beside the copies: ``fsdp`` varies faster than ``dp``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topoviz.model.degrees import ORDER, sizes
from topoviz.model.rank_grid import Grid


def order(job: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the axes of a job, the fastest first; those that it does not name follow.

    >>> order({"tp": 8}), order({"order": "tp-pp-dp"})
    (('tp', 'cp', 'ep', 'fsdp', 'dp', 'pp'), ('tp', 'pp', 'fsdp', 'dp', 'cp', 'ep'))
    """
    names = [name for name in str(job.get("order", "")).split("-") if name and name != "etp"]
    names += [name for name in ORDER if name not in names]
    if "fsdp" not in names:
        names.insert(names.index("dp"), "fsdp")
    return tuple(names)


def grid(job: Mapping[str, Any], ranks: int) -> Grid:
    """Return the dense grid of a job on so many ranks.

    >>> list(grid({"tp": 2, "pp": 4}, 16).groups("dp"))[:3]
    [(0, 2), (1, 3), (4, 6)]
    """
    found = sizes(job, ranks)
    return Grid(axes=tuple((name, found[name]) for name in order(job) if name != "ep"))


def experts(job: Mapping[str, Any], ranks: int) -> Grid:
    """Return the grid of experts: etp stands where tp does, cp and fsdp are in its dp.

    >>> experts({"tp": 2, "ep": 4, "etp": 1}, 8).groups("ep").__next__()
    (0, 1, 2, 3)
    """
    found = sizes(job, ranks)
    stage = found["tp"] * found["cp"] * found["fsdp"] * found["dp"]
    own = {"tp": found["etp"], "ep": found["ep"], "dp": stage // (found["etp"] * found["ep"]), "pp": found["pp"]}
    names = {"tp": "etp"}
    return Grid(axes=tuple((names.get(name, name), own[name]) for name in order(job) if name in own))
