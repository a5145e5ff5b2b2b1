"""Rings against the optimum of every machine of COLLECTIVES.md, and the bounds that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import machines
import pytest
import yaml
from facts import fact

import topoviz as tv
from topoviz import planning
from topoviz.collectives import bounds, optimal, ring, solver
from topoviz.collectives.network import gpus, network
from topoviz.errors import PlanError
from topoviz.model.topology import Assembly, Child, Link, Topology

OPTIMUM = fact("optimum")
RAILS = """
contains: {{node: {nodes} x {server}, leaf: 8 x {switch}}}
wires: [{{from: node/nic, to: leaf, kind: infiniband, rule: rail}}]
"""


def mesh(links: dict[tuple[int, int], int], count: int, rate: float) -> Topology:
    """Return GPUs with direct links of so many GB/s each."""
    cables = [cable(f"gpu{a}", f"gpu{b}", "xgmi", rate * n, n) for (a, b), n in links.items()]
    return made(machines.many("gpu", count, machines.MI300X), cables)


def full(count: int, links: int = 1) -> dict[tuple[int, int], int]:
    return {(a, b): links for b in range(count) for a in range(b)}


def torus(width: int, height: int) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for here in range(width * height):
        row, column = divmod(here, width)
        for other in (row * width + (column + 1) % width, (row + 1) % height * width + column):
            pair = (min(here, other), max(here, other))
            found[pair] = found.get(pair, 0) + 1
    return found


def cube(name: str, each: int | None = None) -> dict[tuple[int, int], int]:
    pairs = fact("cube_mesh_links")["dgx1v"].items()
    return {tuple(int(end) for end in pair.split("-")): each or links for pair, links in pairs} if name else {}


def mi250() -> dict[tuple[int, int], int]:
    rows = fact("mi250_16_links")["matrix"]
    return {(a, b): rows[a][b] for b in range(16) for a in range(b) if rows[a][b]}


def sockets(upi: float) -> Topology:
    """Return two CPUs, under each a PCIe switch with four GPUs; PCIe carries 32 GB/s."""
    ends = [(f"gpu{i}", f"sw{i // 4}") for i in range(8)] + [("sw0", "cpu0"), ("sw1", "cpu1")]
    links = [cable(source, target, "pcie", 32) for source, target in ends]
    children = (
        *machines.many("cpu", 2, machines.AMD),
        *machines.many("sw", 2, machines.PCIE),
        *machines.many("gpu", 8, machines.L40S),
    )
    return made(children, [*links, cable("cpu0", "cpu1", "upi", upi)])


def boxes(count: int) -> Topology:
    """Return servers of eight GPUs of 300 GB/s, each GPU also on a rail of 25 GB/s."""
    children = [*machines.many("nvs", count, machines.CHIP), *machines.many("leaf", 8, machines.SWITCH)]
    children += machines.many("gpu", 8 * count, machines.H100)
    inside = [cable(f"gpu{i}", f"nvs{i // 8}", "nvlink", 300) for i in range(8 * count)]
    rail = [cable(f"gpu{i}", f"leaf{i % 8}", "infiniband", 25) for i in range(8 * count)]
    return made(tuple(children), [*inside, *rail])


def cable(source: str, target: str, kind: str, rate: float, links: int = 1) -> Link:
    name = {"upi": "UPI", "pcie": "PCIe"}.get(kind, "link")
    return Link(source=source, target=target, kind=kind, links=links, link=name, bandwidth=rate, nccl=rate)


def made(children: Sequence[Child], links: Sequence[Link]) -> Topology:
    return machines.topology(Assembly(kind="node", title="Made", children=tuple(children), links=tuple(links)))


def rails(nodes: int, server: str, switch: str) -> Topology:
    return tv.load(yaml.safe_load(RAILS.format(nodes=nodes, server=server, switch=switch)))


MACHINES = {
    "dgx1v": lambda: mesh(cube("dgx1v"), 8, 25),
    "dgx1p": lambda: mesh(cube("dgx1p", 1), 8, 20),
    "dgxa100_8": lambda: tv.load("dgx-a100"),
    "dgxh100_8": lambda: tv.load("dgx-h100"),
    "dgx2_16": lambda: tv.load("dgx-2"),
    "mi300x_8": lambda: tv.load("mi300x"),
    "mi250_16": lambda: mesh(mi250(), 16, 50),
    "torus_4x4": lambda: mesh(torus(4, 4), 16, 1),
    "torus_3x3": lambda: mesh(torus(3, 3), 9, 1),
    "torus_8x8": lambda: mesh(torus(8, 8), 64, 1),
    "ring_8": lambda: mesh({(i, i + 1): 1 for i in range(7)} | {(0, 7): 1}, 8, 1),
    "K4": lambda: mesh(full(4), 4, 1),
    "K4_double": lambda: mesh(full(4, 2), 4, 1),
    "K6": lambda: mesh(full(6), 6, 1),
    "pcie8_2x4_upi20": lambda: sockets(20),
    "pcie8_2x4_upi40": lambda: sockets(40),
    "2xdgxa100_8nic25": lambda: rails(2, "dgx-a100", "qm8790"),
    "2xdgxh100_8nic50": lambda: rails(2, "dgx-h100", "qm9700"),
    "4xdgxa100_8nic25": lambda: rails(4, "dgx-a100", "qm8790"),
}
RINGS = [name for name, known in OPTIMUM.items() if "ring_lp" in known or name == "torus_8x8"]
TREES = [name for name, known in OPTIMUM.items() if "forest_busbw" in known]


def planned(name: str, collective: str = "all-reduce"):
    topology = MACHINES[name]()
    return ring.plan(topology, gpus(topology), collective)


def test_every_machine_of_the_table_is_here() -> None:
    assert {*MACHINES, "K8_K10_K12_K14_K16"} == set(OPTIMUM)


@pytest.mark.parametrize("name", RINGS)
def test_rings_reach_the_optimum(name: str) -> None:
    known, plan = OPTIMUM[name], planned(name)
    whole = known["rings"] * known["link"] if "rings" in known else known["ring_lp"]
    assert plan.bandwidth == pytest.approx(whole, rel=1e-6)
    assert plan.bound is not None
    assert plan.bound.met
    assert plan.bound.bandwidth == pytest.approx(whole, rel=1e-6)


@pytest.mark.parametrize("name", [name for name in RINGS if "rings" in OPTIMUM[name]])
def test_so_many_rings_visit_every_gpu_once_and_overload_nothing(name: str) -> None:
    plan = planned(name)
    assert sum(route.count for route in plan.routes) == OPTIMUM[name]["rings"]
    assert all(sorted(route.nodes) == sorted(plan.ranks) for route in plan.routes)
    assert max(load.load for load in plan.loads) == pytest.approx(1)


@pytest.mark.parametrize("count", [8, 10, 12, 14, 16])
def test_a_full_mesh_has_a_ring_less_than_gpus(count: int) -> None:
    topology = mesh(full(count), count, 1)
    plan = ring.plan(topology, gpus(topology), "all-reduce")
    assert (plan.bandwidth, plan.bound.met, plan.bound.proof) == (count - 1, True, "links of gpu0")
    assert len(plan.loads) == count * (count - 1)
    assert {load.load for load in plan.loads} == {1.0}


@pytest.mark.parametrize("name", ["K4", "K6"])
def test_full_meshes_of_four_and_six_are_the_exceptions(name: str) -> None:
    known, plan = OPTIMUM[name], planned(name)
    assert (plan.bound.rings, plan.bound.fractional) == (known["rings"], pytest.approx(known["ring_lp"], abs=1e-6))
    assert plan.bound.proof == "exact search"


@pytest.mark.parametrize("name", ["dgx1v", "dgx1p", "mi300x_8", "torus_4x4", "mi250_16", "K6"])
def test_the_linear_program_agrees_with_the_table(name: str) -> None:
    topology = MACHINES[name]()
    net, box = network(topology), gpus(topology)
    joins = {
        (i, k): arcs[0] for i, a in enumerate(box) for k, b in enumerate(box) if (arcs := net.between(a, b, ("xgmi",)))
    } or {(i, k): net.between(a, b)[0] for i, a in enumerate(box) for k, b in enumerate(box) if net.between(a, b)}
    shares = {pair: ((place, 1.0),) for place, pair in enumerate(joins)}
    start = [tuple(box.index(one) for one in route.nodes) for route in ring.plan(topology, box, "all-reduce").routes]
    found = optimal.fractional(shares, [arc.capacity for arc in joins.values()], len(box), start)
    assert found == pytest.approx(OPTIMUM[name]["ring_lp"], rel=1e-6)


def test_the_six_rings_of_a_dgx_1v_use_all_48_directed_links_to_the_full() -> None:
    plan = ring.plan(tv.load("dgx-1v"), gpus(tv.load("dgx-1v")), "all-reduce")
    assert (plan.bandwidth, plan.bound.rings, plan.bound.met, plan.nccl) == (150, 6, True, True)
    net = network(tv.load("dgx-1v"))
    links = {(one.source, one.target): net.between(one.source, one.target, ("nvlink",))[0].links for one in plan.loads}
    assert (len(links), sum(links.values())) == (32, 48)
    assert {load.load for load in plan.loads} == {1.0}


def test_seven_rings_of_an_mi300x_cannot_all_run_both_ways() -> None:
    plan = planned("mi300x_8")
    rings = {turned(route.nodes) for route in plan.routes}
    back = {turned(route.nodes[::-1]) for route in plan.routes}
    assert len(rings) == 7
    assert len(rings & back) <= OPTIMUM["mi300x_8"]["both_directions_only"]


def turned(nodes: tuple[str, ...]) -> tuple[str, ...]:
    start = nodes.index(min(nodes))
    return (*nodes[start:], *nodes[:start])


@pytest.mark.parametrize("name", TREES)
def test_what_trees_could_carry(name: str) -> None:
    topology = boxes(int(name[0])) if name in {"2xdgxa100_8nic25", "4xdgxa100_8nic25"} else MACHINES[name]()
    ranks = gpus(topology)
    most = bounds.trees(network(topology), ranks, () if name[0].isdigit() or "pcie" in name else ("nvlink", "xgmi"))
    assert most == pytest.approx(OPTIMUM[name]["forest_busbw"], rel=1e-5)
    if "forest_algbw" in OPTIMUM[name]:
        assert most * len(ranks) / (len(ranks) - 1) == pytest.approx(OPTIMUM[name]["forest_algbw"], rel=1e-5)


def test_rings_of_an_mi250_lose_against_trees() -> None:
    plan = planned("mi250_16")
    known = OPTIMUM["mi250_16"]
    topology = MACHINES["mi250_16"]()
    lost = 1 - plan.bandwidth / bounds.trees(network(topology), gpus(topology))
    assert (plan.bandwidth, plan.bound.rings) == (300, 6)
    assert (known["upper_by_degree"], lost) == (7, pytest.approx(0.067, abs=1e-3))


@pytest.mark.parametrize(("machine", "order"), [(m, o) for m, some in fact("order_matters").items() for o in some])
def test_the_order_on_two_sockets_matters(machine: str, order: str) -> None:
    topology = sockets(float(machine.removeprefix("upi")))
    plan = ring.along(topology, [f"gpu{i}" for i in order.split()])
    assert plan.bandwidth == pytest.approx(fact("order_matters")[machine][order])


def test_why_a_server_is_slower_than_its_gpus_is_said() -> None:
    plan = ring.plan(sockets(20), gpus(sockets(20)), "all-reduce")
    assert (plan.bandwidth, plan.link) == (20, "UPI")
    assert plan.notes == ("UPI from cpu0 to cpu1 (20 GB/s) is the narrowest link on the way",)
    shared = ring.along(sockets(20), [f"gpu{i}" for i in (0, 4, 1, 5, 2, 6, 3, 7)])
    assert shared.notes == ("UPI from cpu0 to cpu1 (20 GB/s) is shared by 4 hops",)


@pytest.mark.parametrize("links", [None, 1])
def test_32_of_the_56_subsets_of_five_have_no_nvlink_ring(links: int | None) -> None:
    name = "dgx-1" if links else "dgx-1v"
    topology = tv.load(name)
    plans = [ring.plan(topology, [f"gpu{i}" for i in some], "all-reduce") for some in combinations(range(8), 5)]
    without = [plan for plan in plans if plan.link.startswith("PCIe")]
    assert len(without) == 32
    assert all(plan.notes[0].startswith("no NVLink ring: ") for plan in without)
    assert all(
        "the ring goes over PCIe where it is missing; spanning trees over NVLink alone carry" in p.notes[0]
        for p in without
    )


def test_the_bounds_met_by_the_solver_and_by_enumeration_are_the_same() -> None:
    joins = {(a, b): 1 for a in range(6) for b in range(6) if a != b}
    assert len(optimal.whole(joins, 6)) == solver.whole(joins, 6, 3, 5)[1] == 4


def test_without_the_extras_the_bound_is_said_and_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "is_there", lambda: False)
    monkeypatch.setattr(solver, "is_there", lambda: False)
    plan = planned("K6")
    assert (plan.bandwidth, plan.bound.rings, plan.bound.met) == (4, 5, False)
    assert "the extra 'solver' searches for more" in plan.notes[0]


@pytest.mark.parametrize("broken", [("gpu0", "gpu1"), ("gpu0", "gpu3")])
def test_a_broken_link_of_a_cube_mesh_leaves_what_can_be_proven(broken: tuple[str, str]) -> None:
    source = tv.load({"part": "dgx-1v", "changes": [{"link": list(broken), "state": "down"}]})
    plan = planning.plan(source, algorithm="ring")
    assert plan.bandwidth < 150
    assert plan.bound.met
    assert plan.order != "NCCL"


def test_a_gpu_without_nvlink_goes_over_pcie() -> None:
    whole = tv.load("dgx-1v").root.assembly
    broken = made(whole.children, [one for one in whole.links if not is_nvlink_of(one, "gpu3")])
    plan = ring.plan(broken, gpus(broken), "all-reduce")
    assert plan.notes[0].startswith("no NVLink ring: 2 parts are not joined by it")
    assert not plan.nccl
    with pytest.raises(PlanError):
        ring.plan(broken, ["gpu3", "gpu9"], "all-reduce")


def is_nvlink_of(link: Link, name: str) -> bool:
    return link.kind == "nvlink" and name in {link.source, link.target}


PAIRS = tuple((a, b) for a in range(4) for b in range(a + 1, 4))


def _four(wide: tuple[tuple[int, int], ...], without: tuple[tuple[int, int], ...] = ()) -> tv.Topology:
    wires = [
        {
            "from": f"gpu{a}",
            "to": f"gpu{b}",
            "kind": "nvlink",
            "bandwidth": "100 GB/s" if (a, b) in wide else "60 GB/s",
        }
        for a, b in PAIRS
        if (a, b) not in without
    ]
    return tv.load({"contains": {"gpu": "4 x gpu"}, "wires": wires})


@pytest.mark.parametrize(
    ("wide", "bandwidth"),
    [((), 120.0), (((0, 1), (1, 2), (2, 3), (0, 3)), 200.0), (((0, 1), (1, 2)), 120.0), (PAIRS[:3], 120.0)],
)
def test_links_of_two_rates_have_a_bound_that_holds(wide: tuple[tuple[int, int], ...], bandwidth: float) -> None:
    whole = tv.plan(_four(wide), algorithm="ring")
    assert whole.bandwidth == bandwidth
    assert whole.bound is not None
    assert whole.bound.bandwidth >= whole.bandwidth
    for pair in PAIRS:
        less = tv.plan(_four(wide, (pair,)), algorithm="ring")
        assert less.bandwidth <= whole.bandwidth
        assert less.bandwidth <= less.bound.bandwidth
        assert less.bound.bandwidth <= max(whole.bound.fractional or 0, whole.bound.bandwidth)
