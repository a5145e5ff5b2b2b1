"""What the computed fields say of machines whose numbers are known."""

from __future__ import annotations

import time

import documents
import machines
import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.collectives import ring
from topoviz.collectives.network import gpus
from topoviz.collectives.plan import findings
from topoviz.drawing import fields, headline
from topoviz.drawing.fields import answers, quantity, say, unknown
from topoviz.errors import SpecError
from topoviz.loading import load
from topoviz.marks import Source
from topoviz.model.topology import Assembly, Link
from topoviz.picture import pictures, render

DGX = machines.scope(machines.dgx())
DGX_ZH = machines.scope(machines.dgx(), "zh")
RACK = machines.scope(machines.nvl72())
RAILS = machines.scope(machines.rails(32))
L40S = machines.scope(machines.l40s_server())
SCOPES = {"dgx": DGX, "zh": DGX_ZH, "rack": RACK, "rails": RAILS, "l40s": L40S}


@pytest.mark.parametrize(
    ("where", "template", "said"),
    [
        ("dgx", "{title}: {gpu.count} GPUs, {nvswitch.count} NVSwitches", "DGX H100: 8 GPUs, 4 NVSwitches"),
        ("dgx", "{node.count} servers", "1 server"),
        ("dgx", "One {nvlink.link}: {nvlink.link.rate}", "One NVLink 4: 25 GB/s per direction"),
        ("dgx", "{nvlink.links} links", "144 links"),
        ("dgx", "{gpu.nvlink.links}", "18"),
        ("dgx", "{gpu.nvlink.rate}", "450 GB/s per direction"),
        ("dgx", "{gpu.nvlink.rate.both}", "900 GB/s both directions"),
        ("dgx", "{gpu.nvlink.all}", "3.6 TB/s per direction"),
        ("dgx", "{gpu.nvlink.all.both}", "7.2 TB/s both directions"),
        ("dgx", "{gpu.rate}", "450 GB/s per direction"),
        ("dgx", "{gpu.link}", "NVLink 4, 18 links"),
        ("dgx", "{nvswitch.used}", "32–40"),
        ("dgx", "{nic.title} {nic.gbit}", "ConnectX-7 400 Gb/s"),
        ("dgx", "{gpu.memory} each", "80 GB HBM3 each"),
        ("dgx", "{cpu.memory} each", ""),
        ("dgx", "{gpu.sms} SMs", "132 SMs"),
        ("dgx", "{pcie.link}: {pcie.count}", "PCIe 5.0 x16: 8"),
        ("dgx", "{upi.link.rate}", "rate not stated"),
        ("dgx", "{colour} numbers", "Green numbers"),
        ("dgx", "{{{gpu.count}}}", "{8}"),
        ("dgx", "{spine.count} spines", "0 spines"),
        ("dgx", "Drawn. {hops.spine}.", "Drawn."),
        ("zh", "{count} CPUs", "1 颗 CPU"),
        ("zh", "{gpu.nvlink.rate}", "单向 450 GB/s"),
        ("zh", "{gpu.nvlink.all.both}", "双向合计 7.2 TB/s"),
        ("zh", "{gpu.link}", "NVLink 4，18 条"),
        ("zh", "{memory} each", ""),
        ("rack", "{gpu.count} GPUs, {cpu.count} CPUs", "72 GPUs, 36 CPUs"),
        ("rack", "{nvswitch.count} NVSwitch chips in {swtray.count} {swtray.title}s", "18 NVSwitch chips in 9 NVLink switch trays"),
        ("rack", "One {tray.title}, {tray.count} in all", "One compute tray, 18 in all"),
        ("rack", "{tray.contents} each", "4 GPUs + 2 Grace each"),
        ("rack", "{swtray.contents} each", "2 NVSwitch chips each"),
        ("rack", "{power.count} {power.title}", "8 power shelves"),
        ("rack", "{nvlink.links} links", "1,296 links"),
        ("rack", "{gpu.nvlink.all}", "64.8 TB/s per direction"),
        ("rack", "{gpu.nvlink.all.both}", "130 TB/s both directions"),
        ("rack", "{gpu.c2c.rate}", "450 GB/s per direction"),
        ("rack", "{nvswitch.ports} ports per chip, {nvswitch.free} free", "72 ports per chip, 0 free"),
        ("rack", "{gpu.link}", "NVLink 5, 18 links"),
        ("rails", "{switch.count} switches: {leaf.count} + {spine.count}", "12 switches: 8 + 4"),
        ("rails", "{node.count} servers, {gpu.count} GPUs", "32 servers, 256 GPUs"),
        ("rails", "{gpu.rate}", "50 GB/s per direction"),
        ("rails", "{gpu.link}", "InfiniBand NDR"),
        ("rails", "{nic.all}, {oversubscription}", "12.8 TB/s per direction, no oversubscription"),
        ("rails", "{gpu.nvlink.rate}", "450 GB/s per direction"),
        ("rails", "{leaf.down} ports down, {leaf.up} up", "32 ports down, 32 up"),
        ("rails", "{spine.used} of {spine.ports}", "64 of 64"),
        ("rails", "{hops.same-rail}: {switches.same-rail}", "NIC → leaf → NIC: 1 switch"),
        ("rails", "{hops.pxn}: {switches.pxn}", "GPU → NVSwitch → GPU, then its rail: 1 leaf switch (NCCL calls this PXN)"),
        ("rails", "{hops.spine}: {switches.spine}", "NIC → leaf → spine → leaf → NIC: 3 switches"),
        ("rails", "{infiniband.links} cables", "512 cables"),
        ("l40s", "{gpu.link}, {gpu.rate}", "PCIe 4.0 x16, 32 GB/s per direction"),
        ("l40s", "{gpu.nvlink.rate}", ""),
    ],
)  # fmt: skip
def test_fields_of_the_scope(where: str, template: str, said: str) -> None:
    assert say(SCOPES[where], template) == said


def things(where: str, *names: str) -> list:
    return [thing for thing in SCOPES[where].topology.root.walk() if thing.id in names]


@pytest.mark.parametrize(
    ("where", "names", "template", "said"),
    [
        ("dgx", ["gpu3"], "GPU {index}", "GPU 3"),
        ("dgx", ["nvs0"], "{used} NVLinks", "40 NVLinks"),
        ("dgx", ["nvs1"], "{used} NVLinks", "32 NVLinks"),
        ("dgx", ["cpu0", "cpu1"], "{count} CPUs", "2 CPUs"),
        ("dgx", ["cpu0"], "{count} CPUs", "1 CPU"),
        ("dgx", ["gpu0", "gpu1"], "{count} × {title}, {memory} each", "2 × H100 SXM, 80 GB HBM3 each"),
        ("dgx", ["nic0"], "InfiniBand {gbit}, {rate}", "InfiniBand 400 Gb/s, 50 GB/s per direction"),
        ("rack", ["tray3", "tray4"], "{count} {title}", "2 compute trays"),
        ("rack", ["power0"], "{count} {title}", "1 power shelf"),
        ("rails", ["node2", "node31"], "Nodes {first} to {last}", "Nodes 2 to 31"),
        ("rails", ["leaf0"], "{ports} ports each", "64 ports each"),
    ],
)  # fmt: skip
def test_fields_of_things_handed_in(where: str, names: list[str], template: str, said: str) -> None:
    assert say(SCOPES[where], template, things=things(where, *names)) == said


def lanes() -> list[Link]:
    return [link for link in DGX.topology.root.assembly.links if link.kind == "nvlink"]


def test_links_with_things_are_of_one_thing() -> None:
    template = "{link}, {each} links, {rate}, {links} in all"
    assert say(DGX, template, things=things("dgx", "gpu0", "gpu1"), links=lanes()) == (
        "NVLink 4, 18 links, 450 GB/s per direction, 144 in all"
    )


def test_links_alone_are_a_bundle() -> None:
    assert (
        say(DGX, "{links}: {rate}, each {link.rate}", links=lanes()[:1])
        == "5: 125 GB/s per direction, each 25 GB/s per direction"
    )


def test_a_sum_over_an_unstated_rate_says_at_least() -> None:
    stated = Link(source="a", target="b", kind="upi", bandwidth=225)
    unstated = Link(source="a", target="c", kind="upi")
    assert say(DGX, "{rate}", links=[stated, unstated]) == "at least 225 GB/s per direction"
    assert quantity(DGX, "rate", links=[stated, unstated]).number() == "≥ 225 GB/s"


def test_uneven_things_give_a_range() -> None:
    uneven = machines.mesh({(0, 1): 1, (1, 2): 1}, 3)
    assert (
        say(machines.scope(uneven), "{gpu.xgmi.links} links, {gpu.xgmi.rate}") == "1–2 links, 64–128 GB/s per direction"
    )


def test_numbers_come_first() -> None:
    assert (
        say(DGX, "{gpu.count} and {left-out}", numbers={"gpu.count": "nine", "left-out": "the rest"})
        == "nine and the rest"
    )


def test_a_chain_of_single_children_is_skipped() -> None:
    wrapped = Assembly(kind="rack", children=machines.one("node", machines.dgx()))
    assert say(machines.scope(wrapped), "{gpu.rate}") == "450 GB/s per direction"


def test_a_lone_gpu_gives_its_fastest_port() -> None:
    alone = Assembly(kind="node", children=machines.one("gpu", machines.H100))
    assert say(machines.scope(alone), "{gpu.link}: {gpu.rate}") == "NVLink 4, 18 links: 450 GB/s per direction"


RING = findings(ring.plan(DGX.topology, gpus(DGX.topology), "all-reduce"), 14e9, 0.82)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{steps} × {chunk} = {sent}", "14 × 1.75 GB = 24.5 GB"),
        ("{size} over {ranks} GPUs: ≈ {time}", "14 GB over 8 GPUs: ≈ 54 ms"),
        ("{hop.rate}", "450 GB/s per direction"),
        ("measured {measured}: {time.measured}", "measured 82 %: 66 ms"),
        ("{busbw}", "450 GB/s"),
        ("{algbw}", "257 GB/s"),
    ],
)
def test_fields_of_the_plan(template: str, said: str) -> None:
    assert say(machines.scope(machines.dgx(), findings=RING), template) == said


def test_fields_of_a_plan_are_silent_without_one() -> None:
    assert say(DGX, "≈ {time}") == ""


@pytest.mark.parametrize(
    ("template", "fields_", "hint"),
    [
        ("{gpu.cuont}", ("gpu.cuont",), "gpu.count"),
        ("{titel} {count}", ("titel",), "title"),
        ("{gpu.nvlink.rat}", ("gpu.nvlink.rat",), ""),
    ],
)
def test_a_field_that_does_not_exist(template: str, fields_: tuple[str, ...], hint: str) -> None:
    assert unknown(template) == fields_
    with pytest.raises(SpecError, match=rf"(?s)unknown field '{fields_[0]}'.*{hint}"):
        say(DGX, template)


def test_answers_asks_before_saying() -> None:
    assert answers(DGX, "{gpu.nvlink.rate}")
    assert not answers(L40S, "{gpu.nvlink.rate}")


def test_a_bandwidth_as_numbers() -> None:
    found = quantity(DGX, "gpu.rate.both")
    assert found is not None
    assert (found.low, found.both, found.number()) == (450, True, "900 GB/s")
    assert quantity(DGX, "gpu.count") is None


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_description_names_what_there_is(lang: str) -> None:
    said = headline.description(machines.scope(machines.dgx(), lang, RING))
    assert [
        word
        for word in ("DGX H100", "144", "450 GB/s", "7.2 TB/s", "24.5 GB", "54 ms", "gpu0 → gpu1")
        if word not in said
    ] == []


def test_the_description_of_an_unstated_rate_says_so() -> None:
    plan = findings(ring.plan(L40S.topology, gpus(L40S.topology), "all-reduce"), 14e9)
    said = headline.description(machines.scope(machines.l40s_server(), "en", plan))
    assert "UPI has no stated rate and was taken as unlimited." in said


def test_the_default_title_has_one_number() -> None:
    assert headline.default_title(DGX) == "DGX H100: 8 GPUs, each 450 GB/s per direction"
    assert headline.default_title(DGX_ZH) == "DGX H100：8 块 GPU，每块单向 450 GB/s"


def test_a_big_system_is_counted_not_expanded() -> None:
    units = Assembly(kind="cluster", children=machines.many("su", 64, machines.rails(32)))
    scope = machines.scope(units)
    start = time.perf_counter()
    said = say(scope, "{gpu.count} GPUs, {nvlink.links} links, {gpu.rate}, {nic.all}, {leaf.count} leaves")
    assert said == "16,384 GPUs, 294,912 links, 50 GB/s per direction, 819 TB/s per direction, 512 leaves"
    assert time.perf_counter() - start < 1


def test_every_field_of_the_shipped_layouts_exists() -> None:
    from test_messages import layout_texts

    assert [text for _, text in layout_texts() if fields.unknown(text)] == []


@pytest.mark.parametrize(
    ("contains", "said"),
    [
        ("{node: 2 x dgx-h100}", "2 × DGX H100"),
        ("{fast: 2 x dgx-h100, slow: 3 x dgx-a100}", "2 × DGX H100 + 3 × DGX A100"),
        ("{a: dgx-h100, b: dgx-a100, c: dgx-2}", "3 servers"),
        ("{gpu: 2 x h100-pcie}", "2 × H100 PCIe"),
        ("{cpu: xeon-spr}", ""),
    ],
)
def test_a_document_without_a_title_is_called_by_what_it_holds(contains: str, said: str) -> None:
    assert say(machines.scope(documents.built(f"contains: {contains}\n").root.assembly), "{title}") == said


@pytest.mark.parametrize(
    ("fabric", "said"),
    [
        ("rails: 8", "GPU k of every server meets at leaf switch k"),
        ("rails: 4", "card k of every server meets at one leaf switch"),
    ],
)
def test_which_card_meets_at_which_leaf(fabric: str, said: str) -> None:
    text = (
        f"contains: {{node: 4 x dgx-h100}}\nfabric: [{{join: node/nic, switch: qm9700, kind: infiniband, {fabric}}}]\n"
    )
    assert say(machines.scope(documents.built(text).root.assembly), "{rails}") == said


UNKNOWN = """title: {en: "{gpu.count} GPUs", zh: "{gpu.cont}"}
part: dgx-h100
pictures:
  - file: a.svg
    subtitle: {en: "{gpu.count}", zh: "{gpu.rat}"}
    caption: "x {bar}"
    table: [gpu.link, gpu.cuont]
    panels: [{title: "{gpu.ct} one"}, {part: dgx-a100, title: "{gpu.count} two"}]
"""


def test_fields_that_there_are_not_are_told_where_they_are_written():
    with pytest.raises(SpecError) as caught:
        tv.render(tv.load(Source("a.yaml", UNKNOWN))).svg()
    (document,) = caught.value.diagnostics
    assert (document.mark.line, document.mark.column, document.hint) == (1, 37, "did you mean {gpu.count}?")


def test_check_tells_every_field_that_there_is_not(tmp_path):
    (tmp_path / "a.yaml").write_text(UNKNOWN, encoding="utf-8")
    said = CliRunner().invoke(cli, ["check", str(tmp_path / "a.yaml")]).output
    found = [line.split("a.yaml:")[1] for line in said.splitlines() if "unknown field" in line]
    assert found == [
        "1:37: error: unknown field 'gpu.cont'",
        "5:39: error: unknown field 'gpu.rat'",
        "6:14: error: unknown field 'bar'",
        "7:23: error: unknown field 'gpu.cuont'",
        "8:22: error: unknown field 'gpu.ct'",
    ]


TITLED = 'title: "{gpu.count} GPUs of mine"\ncontains: {node: 2 x dgx-h100}\n'


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_title_of_a_document_is_nowhere_raw(lang):
    picture = tv.render(tv.load(Source("a.yaml", TITLED)), lang=lang)
    assert picture.scene(lang).description.startswith("16 GPUs of mine")
    assert "{" not in picture.svg().split("<style")[0]
    assert "{gpu" not in picture.svg()


def test_titles_of_panels_take_fields_in_pictures_and_in_plans(tmp_path):
    panels = 'pictures:\n  - panels: [{title: "{gpu.count} here"}, {part: dgx-a100, title: "{gpu.link}"}]\n'
    (tmp_path / "a.yaml").write_text(f"part: dgx-h100\n{panels}", encoding="utf-8")
    (_, picture) = pictures(tv.load(tmp_path / "a.yaml"))[0]
    assert ">8 here<" in picture.svg()
    said = CliRunner().invoke(cli, ["plan", str(tmp_path / "a.yaml")]).output
    assert "8 here " in said
    assert "{" not in said


def test_a_plan_calls_a_machine_by_its_filled_title(tmp_path):
    fabric = "fabric:\n  - {join: node/nic, switch: qm9700, kind: infiniband, rails: 8, tiers: 1}\n"
    (tmp_path / "a.yaml").write_text(TITLED + fabric, encoding="utf-8")
    said = CliRunner().invoke(cli, ["plan", str(tmp_path / "a.yaml")]).output
    assert said.startswith("all-reduce by ring over 16 GPUs of 16 GPUs of mine")


def test_gpus_of_a_mesh_are_told_by_its_links_however_slow():
    wires = [
        {"from": "gpu", "kind": "xgmi", "rule": "mesh", "bandwidth": "20 GB/s"},
        {"from": "gpu", "to": "cpu", "kind": "pcie", "rule": "block"},
    ]
    contains = {"cpu": "2 x epyc-genoa", "gpu": "4 x mi300x-oam"}
    scene = render(load({"kind": "node", "contains": contains, "wires": wires})).scene()
    texts = [shape.content for item in scene.items for shape in item.shapes if hasattr(shape, "content")]
    assert "One link, xGMI" in texts  # 3 × 20 GB/s, and PCIe has 64
    assert "One GPU, 3 links" in texts
