"""Bytes, steps and times against COLLECTIVES.md §4, and NCCL's double binary trees."""

from __future__ import annotations

from math import ceil, log2

import machines
import pytest
from facts import fact

import topoviz as tv
from topoviz import planning
from topoviz.collectives import btree, cost, direct, hierarchical, nvls, ring, tree
from topoviz.collectives.network import gpus
from topoviz.model.overlap import overlap
from topoviz.model.topology import Assembly, Link, Topology

PAPER = fact("paper_times")
SIZE = 14e9
NEAR = 1e-6


def switched(count: int, rate: float) -> Topology:
    """Return GPUs on one switch chip, so many GB/s each."""
    links = tuple(
        Link(source=f"gpu{i}", target="nvs0", kind="nvlink", links=1, link="link", bandwidth=rate, nccl=rate)
        for i in range(count)
    )
    children = (*machines.many("gpu", count, machines.H100), *machines.many("nvs", 1, machines.CHIP))
    return machines.topology(Assembly(kind="node", title="Switched", children=children, links=links))


def boxes(count: int) -> Topology:
    """Return DGX H100s on eight rails."""
    return machines.topology(machines.rails(count, spines=4, cables=count))


def made(planner, topology: Topology, collective: str = "all-reduce"):
    return planner.plan(topology, gpus(topology), collective)


@pytest.mark.parametrize(("name", "seconds"), PAPER["allreduce_8"].items())
def test_the_times_of_the_paper(name: str, seconds: float) -> None:
    plan = made(ring, switched(8, float(name.rsplit("_", 1)[1])))
    assert plan.seconds(SIZE) == pytest.approx(seconds, rel=NEAR)
    assert plan.sent(SIZE) == PAPER["sent_per_gpu_8"]
    for half in ("all-gather", "reduce-scatter"):
        assert made(ring, switched(8, plan.bandwidth), half).seconds(SIZE) == pytest.approx(seconds / 2, rel=NEAR)


def test_a_ring_of_72() -> None:
    plan = made(ring, tv.load("gb200-nvl72"))
    assert plan.seconds(SIZE) == pytest.approx(PAPER["allreduce_72_900"], rel=NEAR)
    assert plan.sent(SIZE) == pytest.approx(PAPER["sent_per_gpu_72"], rel=NEAR)
    assert made(nvls, tv.load("gb200-nvl72")).seconds(SIZE) == pytest.approx(PAPER["nvls_72_900"], rel=NEAR)


@pytest.mark.parametrize(("nodes", "name"), [(2, "allreduce_16_two_boxes_400"), (128, "allreduce_1024_400")])
def test_rings_over_servers_of_400(nodes: int, name: str) -> None:
    topology = boxes(nodes)
    plan = planning.plan(topology, algorithm="ring")
    assert (plan.bandwidth, plan.seconds(SIZE)) == (400, pytest.approx(PAPER[name], rel=NEAR))


@pytest.mark.parametrize(("name", "times"), PAPER["hierarchical_450_50"].items())
def test_hierarchical_times_in_turn_and_side_by_side(name: str, times: dict[str, float]) -> None:
    topology = boxes(int(name.split("x")[1]))
    plan = planning.plan(topology, algorithm="hierarchical")
    assert plan.in_turn(SIZE) == pytest.approx(times["seq"], rel=NEAR)
    assert plan.seconds(SIZE) == pytest.approx(times["pipe"], rel=NEAR)


@pytest.mark.parametrize(("rate", "seconds"), PAPER["nvls_8"].items())
def test_switches_that_add(rate: float, seconds: float) -> None:
    plan = made(nvls, switched(8, rate))
    assert plan.seconds(SIZE) == pytest.approx(seconds, rel=NEAR)
    assert plan.busbw(SIZE) == pytest.approx(2 * 7 / 9 * rate)


def test_all_to_all_on_a_ring_of_two_ways_splits_ties() -> None:
    """The busiest link has 8 shares of S/8 where ties go both ways; ASTRA-sim sends them one way, 10 shares."""
    topology = machines.topology(machines.mesh({(i, i + 1): 1 for i in range(7)} | {(0, 7): 1}, 8))
    seconds = made(direct, topology, "all-to-all").seconds(SIZE) * 64 / 50  # links of 64 GB/s, the fact is for 50
    assert seconds == pytest.approx(PAPER["alltoall_direct_on_two_way_ring_8_50"]["ties_split"], rel=NEAR)


@pytest.mark.parametrize(
    ("collective", "ranks", "factor", "steps"),
    [
        ("all-reduce", 8, 14 / 8, 14), ("all-gather", 8, 7 / 8, 7), ("reduce-scatter", 72, 71 / 72, 71),
        ("broadcast", 8, 1, 7), ("reduce", 4, 1, 3),
    ],
)  # fmt: skip
def test_factors_are_those_of_nccl_tests(collective: str, ranks: int, factor: float, steps: int) -> None:
    plan = made(ring, switched(ranks, 100), collective)
    assert (plan.sent(1.0), plan.steps) == (pytest.approx(factor, rel=1e-9), steps)
    assert plan.busbw(SIZE) == pytest.approx(100)
    assert plan.algbw(SIZE) == pytest.approx(100 / factor)


def test_all_to_all_on_a_switch_sends_what_is_not_its_own() -> None:
    plan = made(direct, switched(8, 450), "all-to-all")
    assert plan.seconds(SIZE) == pytest.approx(7 / 8 * SIZE / 450e9)
    assert plan.busbw(SIZE) == pytest.approx(450)


@pytest.mark.parametrize("count", [4, 8, 16])
def test_a_double_tree_sends_twice_the_buffer(count: int) -> None:
    plan = made(tree, switched(count, 100))
    assert plan.seconds(SIZE) == pytest.approx(2 * SIZE / 100e9)
    assert plan.steps <= 2 * ceil(log2(count))


def test_latencies_are_counted_by_what_a_step_goes_over() -> None:
    plan = made(ring, switched(8, 450))
    assert plan.seconds(SIZE, 1e-6) == pytest.approx(plan.seconds(SIZE) + 14e-6)
    assert plan.seconds(SIZE, cost.SIMPLE) == pytest.approx(plan.seconds(SIZE) + 14 * 3.4e-6)
    both = planning.plan(boxes(2), algorithm="ring")
    assert dict(both.phases[0].steps) == {"nvlink": 2 * 14, "network": 2 * 1}


def test_a_pipeline_in_many_chunks_comes_near_the_size_over_the_rate() -> None:
    times = [cost.pipelined(SIZE, 8, 450, 1e-6, chunks) for chunks in (1, 64, 1024)]
    assert times == sorted(times, reverse=True)
    assert times[-1] == pytest.approx(SIZE / 450e9, rel=0.05)


@pytest.mark.parametrize("count", sorted(fact("double_binary_tree_parents")))
def test_double_binary_trees_of_the_list(count: int) -> None:
    known = fact("double_binary_tree_parents")[count]
    assert [list(parents) for parents in btree.double(count)] == [known["t0"], known["t1"]]


@pytest.mark.parametrize("count", range(2, 301))
def test_double_binary_trees_of_every_number_of_members(count: int) -> None:
    """One root each, two children at most, as deep as the logarithm; interior in both is nobody but 0 of an odd count."""
    interior = []
    for parents in btree.double(count):
        children = [sum(1 for above in parents if above == member) for member in range(count)]
        assert parents.count(-1) == 1
        assert max(children) <= 2
        assert btree.depth(parents) <= ceil(log2(count))
        interior.append({member for member, below in enumerate(children) if below})
    assert interior[0] & interior[1] == (set() if count % 2 == 0 or count < 3 else interior[0] & interior[1] & {0})


def test_overlap_hides_what_is_shorter_than_the_computing() -> None:
    plan = made(ring, switched(8, 450))
    short, long = overlap(plan.seconds(SIZE), 0.1), overlap(plan.seconds(SIZE), 0.04)
    assert (short.exposed, short.hidden, short.step) == (0, plan.seconds(SIZE), 0.1)
    assert (long.hidden, long.exposed) == (0.04, pytest.approx(plan.seconds(SIZE) - 0.04))


def test_hierarchical_can_use_fewer_rings_inside() -> None:
    topology = boxes(2)
    ranks = gpus(topology)
    assert hierarchical.plan(topology, ranks, "all-reduce", most=1).routes[0].count == 1
