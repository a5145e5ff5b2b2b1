"""The systems that people type: which layout each is drawn with, that it is clean, and the figures it must show."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import topoviz as tv
from topoviz import resources
from topoviz.cli import cli
from topoviz.drawing.audit import audit
from topoviz.model.figures import figures
from topoviz.model.join import occurrences
from topoviz.picture import choice

FACTS = yaml.safe_load((Path(__file__).parent / "data" / "hardware.yaml").read_text(encoding="utf-8"))

# ------------------------------------------------------------------------------------ layouts

# what is typed, and the layout that it gets; a system with a variant or a size has a row for each that looks otherwise
DRAWN = [
    ("dgx-1", {}, "mesh"),
    ("dgx-1v", {}, "mesh"),
    ("dgx-2", {}, "nvswitch-boards"),
    ("dgx-a100", {}, "nvswitch-server"),
    ("dgx-h100", {}, "nvswitch-server"),
    ("dgx-h200", {}, "nvswitch-server"),
    ("dgx-b200", {}, "nvswitch-server"),
    ("dgx-b300", {}, "nvswitch-server"),
    ("hgx-h100", {}, "nvswitch-server"),
    ("l40s-server", {}, "unknown"),
    ("l40s-server", {"variant": "two-switches"}, "unknown"),
    ("l40s-server", {"variant": "direct-attach"}, "unknown"),
    ("gh200", {}, "unknown"),
    ("gb200-nvl36", {}, "nvlink-rack"),
    ("gb200-nvl36x2", {}, "cluster"),
    ("gb200-nvl72", {}, "nvlink-rack"),
    ("gb300-nvl72", {}, "nvlink-rack"),
    ("vera-rubin-nvl72", {}, "nvlink-rack"),
    ("mi300x", {}, "full-mesh"),
    ("mi355x", {}, "full-mesh"),
    ("gaudi3", {}, "full-mesh"),
    ("tpu-v5p-cube", {}, "torus"),
    ("trn2", {}, "torus"),
    ("superpod-a100", {}, "three-tier"),
    ("superpod-h100", {}, "rail-cluster"),
    ("superpod-h100", {"su": 4}, "three-tier"),
    ("superpod-h100", {"su": 64, "variant": "full"}, "three-tier"),
    ("superpod-b200", {}, "rail-cluster"),
    ("superpod-b300", {}, "rail-cluster"),
    ("superpod-b300", {"variant": "spectrum-x"}, "fabric"),
    ("superpod-gb200", {}, "cluster"),
    ("superpod-gb300", {}, "cluster"),
]
BY_GENERAL_RULES = {  # why the layout for anything suits these
    "l40s-server": "a host tree is what it draws: CPUs, PCIe switches, cards and GPUs hang on each other",
    "gh200": "one CPU, one GPU and one card need no layout of their own",
}
NAMES = [f"{name}-{'-'.join(str(value) for value in given.values())}".rstrip("-") for name, given, _ in DRAWN]


@cache
def picture(name, given):
    return tv.render(tv.load(name, **dict(given)))


def drawn(name, given):
    return picture(name, tuple(given.items()))


@pytest.mark.parametrize(("name", "given", "layout"), DRAWN, ids=NAMES)
def test_system_gets_a_layout_that_suits_it(name, given, layout):
    found = choice(drawn(name, given), resources.Layouts())
    print(f"{name} {given or ''}: {found.reason}")  # noqa: T201 - pytest -rP shows the table
    assert found.layout.name == layout
    assert "it suits" in found.reason


@pytest.mark.parametrize(("name", "given", "_layout"), DRAWN, ids=NAMES)
def test_system_is_drawn_without_a_flaw(name, given, _layout):
    one = drawn(name, given)
    assert [str(flaw) for flaw in audit(one.scene())] == []
    assert one.warnings == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["rubin", "vera", "connectx-9", "bluefield-4", "vera-rubin-tray", "vera-rubin-nvl72"])
def test_picture_says_that_its_numbers_are_preliminary(name, lang):
    words = {"en": "preliminary", "zh": "初步"}[lang]
    assert words in tv.render(tv.load(name), lang=lang).svg().casefold()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_picture_of_a_recollection_says_so(lang):
    words = {"en": "unverified", "zh": "未经核实"}[lang]
    assert words in tv.render(tv.load("superpod-a100"), lang=lang).svg()


@pytest.mark.parametrize("name", sorted({name for name, *_ in DRAWN}))
def test_system_passes_a_strict_check(name):
    done = CliRunner().invoke(cli, ["check", name, "--strict"], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def test_systems_drawn_by_general_rules_have_a_reason():
    assert {name for name, _, layout in DRAWN if layout == "unknown"} == set(BY_GENERAL_RULES)


# ------------------------------------------------------------------------------------ figures

GENERATIONS = [
    (1, "p100-sxm", 160),
    (2, "v100-sxm", 300),
    (3, "a100-sxm-80gb", 600),
    (4, "h100-sxm", 900),
    (5, "b200", 1800),
    (6, "rubin", 3600),
]


def of_generation(number):
    row = FACTS["nvlink_generations"][number]
    return row if "gpu_total_bidir" in row else row["variants"][row["catalog_default"]]


@pytest.mark.parametrize(("number", "name", "both"), GENERATIONS, ids=[f"NVLink {row[0]}" for row in GENERATIONS])
def test_nvlink_of_a_gpu_in_both_directions(number, name, both):
    (link,) = figures(tv.load(name)).gpu
    assert 2 * link.bandwidth == of_generation(number)["gpu_total_bidir"] == both


SUMS = [
    ("dgx-a100", 2 * 2400, FACTS["systems"]["DGX_A100"]["fabric_total_bidir"]),
    ("dgx-h100", 2 * 3600, FACTS["systems"]["DGX_H100"]["fabric_total_bidir"]),
    ("dgx-b200", 2 * 7200, FACTS["systems"]["DGX_B200"]["fabric_total_bidir"]),
    ("dgx-b300", 2 * 7200, FACTS["systems"]["DGX_B300"]["fabric_total_bidir"]),
    ("gb200-nvl72", 129_600, FACTS["systems"]["GB200_NVL72"]["fabric_total_bidir"]),
    ("vera-rubin-nvl72", 259_200, FACTS["systems"]["VeraRubin_NVL72"]["fabric_total_bidir"]["launch_2026_01"]),
]


@pytest.mark.parametrize(("name", "both", "fact"), SUMS, ids=[name for name, *_ in SUMS])
def test_nvlink_of_a_system_in_both_directions(name, both, fact):
    assert 2 * tv.load(name).total("nvlink").bandwidth == both == fact


BISECTIONS = [("dgx-2", "DGX-2"), ("dgx-a100", "DGX_A100"), ("dgx-h100", "DGX_H100")]


@pytest.mark.parametrize(("name", "key"), BISECTIONS, ids=[name for name, _ in BISECTIONS])
def test_bisection_is_that_of_the_facts(name, key):
    assert 2 * figures(tv.load(name)).bisection.bandwidth == FACTS["systems"][key]["bisection_bidir"]


# ------------------------------------------------------------------------------------ cables, tier by tier

PODS = FACTS["superpod"]
TIERS = ("nic", "leaf", "spine", "core")
CABLES = [  # name, what is chosen, cables up to the leaves, up to the spines, up to the cores; cables per cable
    *(
        ("superpod-h100", {"su": r[0], "variant": "published"}, (r[5], r[6], 0), 1)
        for r in PODS["H100"]["compute_fabric"]
    ),
    *(("superpod-h100", {"su": r[0], "variant": "full"}, tuple(r[6:]), 1) for r in PODS["H100"]["larger"]),
    *(("superpod-b200", {"su": r[0]}, tuple(r[6:]), 1) for r in PODS["B200"]["larger"]),
    *(("superpod-b300", {"su": r[0]}, (*r[5:], 0), 1) for r in PODS["B300_XDR"]["rows"]),
    *(("superpod-b300", {"su": r[0], "variant": "spectrum-x"}, (*r[5:], 0), 2) for r in PODS["B300_SpectrumX"]["rows"]),
]


def cables(name, given):
    """Return the network links that lead up to leaves, spines and cores, counted by type."""
    found = Counter()
    for assembly, times in occurrences(tv.load(name, **given).root.assembly):
        for link in assembly.links:
            ends = {re.sub(r"\d+$", "", end.rpartition("/")[2]) for end in (link.source, link.target)}
            tier = max((TIERS.index(end) for end in ends if end in TIERS), default=0)
            found[tier] += times * link.links * (link.kind in {"infiniband", "ethernet"})
    return tuple(found[TIERS.index(tier)] for tier in TIERS[1:])


@pytest.mark.parametrize(
    ("name", "given", "expected", "twin"),
    CABLES,
    ids=[f"{name}-{'-'.join(str(value) for value in given.values())}" for name, given, *_ in CABLES],
)
def test_cables_of_each_tier(name, given, expected, twin):
    assert cables(name, given) == tuple(twin * number for number in expected)


def test_spectrum_x_cables_are_twin():
    pod = tv.load("superpod-b300", su=1, variant="spectrum-x")
    links = [link for link in pod.root.assembly.links if link.kind == "ethernet"]
    assert all(link.twin for link in links)


@pytest.mark.parametrize("su", [row[0] for row in PODS["H100"]["compute_fabric"]])
def test_the_fabric_manager_has_an_end_and_four_cables_of_its_own(su):
    pod = tv.load("superpod-h100", su=su)
    ends = [link for link in pod.links_at("su0/ufm") if link.kind == "infiniband"]
    row = next(row for row in PODS["H100"]["compute_fabric"] if row[0] == su)
    assert len(ends) == row[5] - 8 * row[1] == 4
