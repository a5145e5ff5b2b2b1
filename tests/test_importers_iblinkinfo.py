"""iblinkinfo in both its forms: the same fabric, each cable once, what is slow and what is cut told."""

import pytest

import topoviz as tv
from topoviz import importers
from topoviz.errors import SpecError
from topoviz.marks import Source

UP, SLOW = "4X        106.25 Gbps Active/  LinkUp", "4X        53.125 Gbps Active/  LinkUp"
LEAF, SPINE = "MF0;leaf-01:MQM9700/U1", "MF0;spine-01:MQM9700/U1"
BLOCKS = f"""\
CA: host-01 mlx5_0:
      0x0b00000000000001      3    1[  ] ==( {UP})==>       1    1[  ] "{LEAF}" ( )
CA: host-02 mlx5_0:
      0x0b00000000000002      4    1[  ] ==( {SLOW})==>       1    2[  ] "{LEAF}" ( Could be 106.25 Gbps)
Switch: 0x0a00000000000001 {LEAF}:
           1    1[  ] ==( {UP})==>       3    1[  ] "host-01 mlx5_0" ( )
           1    2[  ] ==( {SLOW})==>       4    1[  ] "host-02 mlx5_0" ( Could be 106.25 Gbps)
           1    3[  ] ==( {UP})==>       2    1[  ] "{SPINE}" ( )
           1    4[  ] ==( {UP})==>       2    2[  ] "{SPINE}" ( )
           1    5[  ] ==(                Down/ Polling)==>             [  ] "" ( )
Switch: 0x0a00000000000002 {SPINE}:
           2    1[  ] ==( {UP})==>       1    3[  ] "{LEAF}" ( )
           2    2[  ] ==( {UP})==>       1    4[  ] "{LEAF}" ( )
"""
LINES = f"""\
0x0a00000000000001 "         {LEAF}"      1    1[  ] ==( {UP})==>  0x0b00000000000001      3    1[  ] "host-01 mlx5_0" ( )
0x0a00000000000001 "         {LEAF}"      1    2[  ] ==( {SLOW})==>  0x0b00000000000002      4    1[  ] "host-02 mlx5_0" ( Could be 106.25 Gbps)
0x0a00000000000001 "         {LEAF}"      1    3[  ] ==( {UP})==>  0x0a00000000000002      2    1[  ] "{SPINE}" ( )
0x0a00000000000001 "         {LEAF}"      1    4[  ] ==( {UP})==>  0x0a00000000000002      2    2[  ] "{SPINE}" ( )
0x0a00000000000001 "         {LEAF}"      1    5[  ] ==(                Down/ Polling)==>             [  ] "" ( )
"""
SWITCHES = "\n".join(BLOCKS.split("\n")[4:])  # iblinkinfo --switches-only


def read(text):
    return importers.read(Source("links.txt", text), importers.recognised(text))


@pytest.mark.parametrize("text", [BLOCKS, LINES, SWITCHES], ids=["blocks", "lines", "switches-only"])
def test_the_same_fabric_from_each_form(text):
    graph = tv.load(dict(read(text).document)).graph
    edges = {(*sorted((a, b)), data["links"], data["bandwidth"]) for a, b, data in graph.edges(data=True)}
    assert edges == {
        ("host-01/mlx5_0", "leaf-01", 1, 50.0),
        ("host-02/mlx5_0", "leaf-01", 1, 25.0),
        ("leaf-01", "spine-01", 2, 100.0),
    }


@pytest.mark.parametrize("text", [BLOCKS, LINES], ids=["blocks", "lines"])
def test_counts_and_what_is_slow(text):
    found = read(text)
    assert found.facts["counts"]["cables"] == 4
    assert found.facts["counts"]["open_ports"] == 1
    assert sorted(one.code for one in found.told if one.severity == "warning") == ["ib-could-be-faster", "ib-slow-link"]
    assert all(one.mark for one in found.told if one.severity == "warning")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (BLOCKS[:150], "ib-cut", 2),
        (BLOCKS + "Switch: 0x0a0000", "ib-line", 14),
        ("\n".join(BLOCKS.split("\n")[5:6]), "ib-cut", 1),
        (BLOCKS.replace(UP, "4X Active/ LinkUp", 1), "ib-cut", 2),
    ],
    ids=["cut", "cut-heading", "no-heading", "no-speed"],
)
def test_cut_files_are_refused(text, code, line):
    with pytest.raises(SpecError) as caught:
        read(text)
    found = caught.value.diagnostics[0]
    assert (found.code, found.mark.line) == (code, line)


def test_other_speeds_keep_their_rate_open():
    text = BLOCKS.replace("106.25 Gbps", "77.7 Gbps")
    assert None in {data["bandwidth"] for *_, data in tv.load(dict(read(text).document)).graph.edges(data=True)}


def test_a_cable_from_a_switch_to_itself_is_told_and_left_out():
    row = f'           1    6[  ] ==( {UP})==>       1    7[  ] "{LEAF}" ( )\n'
    found = read(BLOCKS.replace("Switch: 0x0a00000000000002", row + "Switch: 0x0a00000000000002"))
    assert ("ib-loop", 11) in [(one.code, one.mark and one.mark.line) for one in found.told]
    assert tv.load(dict(found.document)).graph.number_of_edges() == 3
