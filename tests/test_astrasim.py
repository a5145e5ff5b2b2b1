"""The simulator's times beside those of the plans for the same networks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import astrasim

FOUND = list(astrasim.compared())


@pytest.mark.parametrize("one", FOUND, ids=lambda one: "-".join(list(one.row.values())[:5]))
def test_a_row_that_makes_the_same_assumptions_is_met(one):
    assert one.planned == pytest.approx(one.simulated, rel=astrasim.NEAR)


def test_so_many_rows_are_compared_and_all_networks():
    assert (len(astrasim.rows()), len(FOUND)) == (320, 128)
    assert {one.row["config"] for one in FOUND} == {row["config"] for row in astrasim.rows()}
    assert {one.row["collective"] for one in FOUND} == {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"}


def test_every_row_without_congestion_in_one_chunk_is_compared():
    plain = [row for row in astrasim.rows() if row["backend"] == "congestion_unaware" and row["dataset_splits"] == "1"]
    assert len(plain) == 80
    assert all(astrasim.is_comparable(row) for row in plain)


def test_many_chunks_come_near_the_longest_phase():
    """With 64 chunks both dimensions overlap: the time of a plan is then that of the longer phase."""
    (row,) = (
        row for row in astrasim.rows()
        if (row["config"], row["collective"], row["dataset_splits"], row["size_bytes"])
        == ("switch8_450_x_switch4_50", "all_reduce", "64", "14000000000")
    )  # fmt: skip
    machine = astrasim.topology(row["config"])
    plan = astrasim.hierarchical.plan(machine, astrasim.gpus(machine), "all-reduce")
    assert float(row["astrasim_ns"]) * 1e-9 == pytest.approx(plan.seconds(14e9), rel=0.02)


def test_the_table_is_printed(capsys):
    astrasim.main()
    out = capsys.readouterr().out
    assert out.splitlines()[-2].startswith(
        "128 of 320 rows make the assumptions of the formula; they differ by at most 0.2"
    )
