"""What a GPU sends in a step for each kind of parallelism, in bytes of the busiest GPU.

With b sequences in a micro-batch, s tokens in a sequence, h hidden, e bytes of an element, m
micro-batches in a step, L layers of a stage, and t, p, c, E, f, d the degrees of tp, pp, cp, ep,
fsdp and dp; P and G are the bytes of weights and of gradients that a GPU has (parameters ÷ (t p) × e):

tp    4 all-reduces in a layer, two forward and two back: 8 (t-1)/t · b s h e / c, × L × m
      (Shoeybi et al., Megatron-LM, 2019, section 3; with sequence parallelism the same bytes)
pp    activations forward and gradients back, b s h e / c each: a stage in the middle sends both, × m
      (Narayanan et al., 2021, section 2.2; not scattered over tp)
dp    one all-reduce of the gradients: 2 (d-1)/d · G; of a shard G/f with FSDP (HSDP).
      Copies over cp hold the same weights, so d counts them too
fsdp  weights gathered forward and back, gradients scattered: (f-1)/f · (2 P m + G)
      (Rajbhandari et al., ZeRO, 2020, section 7; gathered anew for every micro-batch)
cp    keys and values around the ring, forward once and back twice: 3 (c-1)/c · b s k e / t, × L × m,
      with k the hidden size of keys and values together
ep    dispatch and combine, forward and back: 4 all-to-alls of b s / (c t) tokens, each to as many
      experts as it chooses: 4 (E-1)/E · b s / (c t) · x h e, × MoE layers of a stage × m
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

BYTES = {"weights": 2.0, "gradients": 2.0, "activations": 2.0, "kv": 2.0}
BOTH_WAYS = 2
TWO_FORWARD_TWO_BACK = 8  # an all-reduce sends the buffer twice: 4 of them
TOKENS = ("sequence", "micro_batch", "micro_batches")
NEEDS: Mapping[str, tuple[str, ...]] = {
    "tp": ("layers", "hidden", *TOKENS),
    "pp": ("hidden", *TOKENS),
    "dp": ("params",),
    "fsdp": ("params",),
    "cp": ("layers", "kv_hidden", *TOKENS),
    "ep": ("moe_layers", "experts_per_token", "hidden", *TOKENS),
}
WHAT = {
    "tp": "4 all-reduces per layer",
    "pp": "activations and gradients",
    "dp": "gradients, once per step",
    "fsdp": "weights and gradients",
    "cp": "keys and values",
    "ep": "4 all-to-alls per MoE layer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Bytes that the busiest GPU sends in a step: ``once`` in one message or collective, ``times`` so often."""

    bytes: float | None = None
    once: float | None = None
    times: float | None = None
    unknown: tuple[str, ...] = ()  # keys of the document that would tell


def sent(kind: str, model: Mapping[str, Any], job: Mapping[str, Any], sizes: Mapping[str, int]) -> Sent:
    """Return what a GPU sends for a kind of group; without bytes where the document does not say enough.

    >>> sent("dp", {"params": 7e9}, {}, {"dp": 8}).bytes
    24500000000.0
    >>> sent("tp", {"layers": 8}, {}, {"tp": 8}).unknown
    ('hidden', 'sequence', 'micro_batch', 'micro_batches')
    """
    said = {**model, **job}
    missing = tuple(key for key in NEEDS[kind] if not said.get(key))
    if missing:
        return Sent(unknown=missing if model else ("model", *missing))
    rule = {"tp": _tp, "pp": _pp, "dp": _dp, "fsdp": _fsdp, "cp": _cp, "ep": _ep}[kind]
    once, times = rule({**dict.fromkeys(NEEDS, 1), **sizes}, said, {**BYTES, **model.get("bytes", {})})
    return Sent(bytes=once * times, once=once, times=times)


def layers_of_stage(layers: int, stages: int) -> int:
    """Return how many layers the fullest stage has.

    >>> layers_of_stage(72, 9), layers_of_stage(80, 12)
    (8, 7)
    """
    return ceil(layers / stages)


def _activations(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> float:
    return float(said["micro_batch"] * said["sequence"] * said["hidden"]) * each["activations"] / size["cp"]


def _tp(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> tuple[float, float]:
    share = (size["tp"] - 1) / size["tp"]
    layers = layers_of_stage(said["layers"], size["pp"])
    return TWO_FORWARD_TWO_BACK * share * _activations(size, said, each), layers * said["micro_batches"]


def _pp(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> tuple[float, float]:
    neighbours = min(BOTH_WAYS, size["pp"] - 1)
    return _activations(size, said, each), neighbours * said["micro_batches"]


def _dp(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> tuple[float, float]:
    copies = size["dp"] * size["cp"]
    gradients = said["params"] / (size["tp"] * size["pp"] * size["fsdp"]) * each["gradients"]
    return BOTH_WAYS * (copies - 1) / copies * gradients, 1


def _fsdp(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> tuple[float, float]:
    share = (size["fsdp"] - 1) / size["fsdp"]
    params = said["params"] / (size["tp"] * size["pp"])
    gathered = BOTH_WAYS * params * each["weights"] * said.get("micro_batches", 1)
    return share * (gathered + params * each["gradients"]), 1


def _cp(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> tuple[float, float]:
    share = (size["cp"] - 1) / size["cp"]
    kept = said["micro_batch"] * said["sequence"] * said["kv_hidden"] * each["kv"] / size["tp"]
    return 3 * share * kept, layers_of_stage(said["layers"], size["pp"]) * said["micro_batches"]


def _ep(size: Mapping[str, int], said: Mapping[str, Any], each: Mapping[str, float]) -> tuple[float, float]:
    share = (size["ep"] - 1) / size["ep"]
    tokens = said["micro_batch"] * said["sequence"] / (size["cp"] * size["tp"])
    elements = tokens * said["experts_per_token"] * said["hidden"] * each["activations"]
    return 4 * share * elements, layers_of_stage(said["moe_layers"], size["pp"]) * said["micro_batches"]
