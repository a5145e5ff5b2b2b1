"""A link that ends at something that is down is down: in the topology, in pictures, in words and in what is exported."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.exporters import astra_sim, nccl_xml

CHIP = [{"at": "nvs1", "state": "down"}]
PAIR = {
    "contains": {"node": "2 x dgx-h100"},
    "fabric": [{"join": "node/nic", "switch": "qm9700", "kind": "infiniband", "rails": 8, "tiers": 1}],
}


def dgx(*changes):
    return tv.load({"part": "dgx-h100", "changes": list(changes)})


def test_links_take_the_state_of_what_they_end_at():
    graph = dgx(*CHIP).graph
    assert {data["state"] for *_, data in graph.edges("nvs1", data=True)} == {"down"}
    assert {data["state"] for *_, data in graph.edges("nvs0", data=True)} == {"up"}


def test_links_inside_and_of_a_container_that_is_down_are_down_and_no_others():
    graph = tv.load({**PAIR, "changes": [{"at": "node1", "state": "down"}]}).graph
    states = {(a.split("/")[0], b.split("/")[0]): set() for a, b in graph.edges()}
    for a, b, data in graph.edges(data=True):
        states[a.split("/")[0], b.split("/")[0]].add(data["state"])
    assert all(found == ({"down"} if "node1" in ends else {"up"}) for ends, found in states.items())


def test_of_a_machine_without_faults_every_link_is_up():
    assert {data["state"] for *_, data in dgx().graph.edges(data=True)} == {"up"}


def test_counts_and_rates_of_a_picture_are_of_what_is_up():
    said = tv.render(dgx(*CHIP)).svg()
    assert "Links: 112 NVLink 4" in said
    assert "One GPU: NVLink 4, 14 links, 350 GB/s per direction" in said
    assert ">NVLink 4, 14 links<" in said
    assert "18 links" not in said
    assert ">down<" in said  # in place of the number of its links


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_name_of_a_bar_that_is_down_is_legible(lang):
    assert audit(tv.render(dgx(*CHIP)).scene(lang)) == ()


def test_explain_counts_what_is_up(tmp_path):
    (tmp_path / "a.yaml").write_text("part: dgx-h100\nchanges:\n  - {at: nvs1, state: down}\n", encoding="utf-8")
    assert "112 NVLink 4" in CliRunner().invoke(cli, ["explain", str(tmp_path / "a.yaml")]).output


@pytest.mark.parametrize(
    ("changes", "count", "rate"),
    [
        ((), 8, 450),
        (tuple(CHIP), 8, 350),
        (({"at": "gpu3", "state": "down"},), 7, 450),
        (({"link": ["gpu5", "nvs0"], "state": "down"},), 8, 325),
    ],
)
def test_a_simulator_gets_what_is_up(changes, count, rate):
    written = astra_sim.write(dgx(*changes))
    assert f"npus_count: [ {count} ]" in written
    assert f"bandwidth: [ {rate} ]" in written


def test_a_simulator_gets_the_weakest_of_the_domains():
    written = astra_sim.write(tv.load({**PAIR, "changes": [{"at": "node1/nic3", "state": "down"}]}))
    assert "bandwidth: [ 450, 43.75 ]" in written


@pytest.mark.parametrize(
    ("changes", "gpus", "nets", "nvlinks"),
    [
        ((), 8, 8, 32),
        (tuple(CHIP), 8, 8, 24),
        (({"at": "gpu3", "state": "down"}, {"at": "nic5", "state": "down"}), 7, 7, 28),
    ],
)
def test_nccl_gets_what_is_up(changes, gpus, nets, nvlinks):
    written = nccl_xml.write(dgx(*changes))
    assert [written.count(f"<{one} ") for one in ("gpu", "net", "nvlink")] == [gpus, nets, nvlinks]
