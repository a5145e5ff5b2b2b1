"""The record of a plan: the arithmetic of nccl-tests, and what is handed to a picture or printed."""

from __future__ import annotations

import json

import machines
import pytest

from topoviz.collectives import cost, ring
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import as_json, estimate, findings

TOPOLOGY = machines.topology(machines.dgx())
PLANS = {name: ring.plan(TOPOLOGY, gpus(TOPOLOGY), name) for name in ring.COLLECTIVES}


@pytest.mark.parametrize(
    ("collective", "ranks", "factor", "steps"),
    [
        ("all-reduce", 8, 1.75, 14),
        ("all-gather", 8, 0.875, 7),
        ("reduce-scatter", 72, 71 / 72, 71),
        ("all-reduce", 2, 1, 2),
    ],
)
def test_factor_and_steps(collective: str, ranks: int, factor: float, steps: int) -> None:
    assert cost.factor(collective, ranks) == pytest.approx(factor)
    assert cost.steps(collective, ranks) == steps


@pytest.mark.parametrize(
    ("collective", "sent", "seconds"),
    [("all-reduce", 24.5e9, 0.0544444), ("all-gather", 12.25e9, 0.0272222), ("reduce-scatter", 12.25e9, 0.0272222)],
)
def test_functions_of_a_size(collective: str, sent: float, seconds: float) -> None:
    plan = PLANS[collective]
    assert plan.sent(14e9) == pytest.approx(sent)
    assert plan.seconds(14e9) == pytest.approx(seconds, rel=1e-6)
    assert plan.algbw(14e9) == pytest.approx(14 / seconds, rel=1e-6)
    assert plan.busbw(14e9) == pytest.approx(450)


def test_an_estimate_without_a_size_has_no_times() -> None:
    found = estimate(PLANS["all-reduce"])
    assert (found.sent, found.seconds, found.algbw, found.busbw) == (None, None, None, None)
    assert (found.bandwidth, found.steps, found.chunks, found.link) == (450, 14, 8, "NVLink 4")


def test_findings_hold_what_a_picture_shows() -> None:
    found = findings(PLANS["all-reduce"], 14e9, 0.82)
    assert found.routes == PLANS["all-reduce"].routes
    assert found.nodes == tuple(f"gpu{i}" for i in range(8))
    assert found.estimate is not None
    assert (found.estimate.size, found.estimate.measured) == (14e9, 0.82)


def test_json_has_the_promised_names() -> None:
    found = json.loads(json.dumps(as_json(PLANS["all-reduce"], 14e9)))
    assert list(found) == ["collective", "algorithm", "ranks", "routes", "loads", "bottleneck", "bytes_sent_per_rank",
                           "seconds", "algbw", "busbw", "bandwidth", "rates", "warnings"]  # fmt: skip
    assert found["bytes_sent_per_rank"] == 24.5e9
    assert found["routes"][0]["hops"][7] == {
        "source": "gpu7", "target": "gpu0", "via": ["nvs0", "nvs1", "nvs2", "nvs3"], "kind": "nvlink",
    }  # fmt: skip


def test_json_warns_of_what_was_taken_as_unlimited() -> None:
    topology = machines.topology(machines.l40s_server())
    found = as_json(ring.plan(topology, gpus(topology), "all-reduce"))
    assert found["warnings"] == ["UPI has no stated rate and was taken as unlimited"]
    assert found["seconds"] is None
