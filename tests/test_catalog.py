"""The catalog against the table of CATALOG.md and against the hardware facts: one case, one id."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import topoviz
from topoviz.errors import SpecError
from topoviz.marks import Source
from topoviz.model.build import build
from topoviz.model.read import read_document, read_part
from topoviz.model.source import document

DATA = Path(__file__).parent / "data"
CATALOG = Path(topoviz.__file__).parent / "catalog"
FACTS: dict[str, Any] = yaml.safe_load((DATA / "hardware.yaml").read_text(encoding="utf-8"))
FILES = sorted(path.stem for path in CATALOG.glob("*.yaml"))
ATOMIC_TEXT, MADE_TEXT = (DATA / "CATALOG.md").read_text(encoding="utf-8").split("## Made of others")
ROW = re.compile(
    r"^\| `([^`]+)`(?: \([^|]*\))? \| ([^ |]+)[^|]* \| ([^|]*) \|(?: ([^|]*) \|)?(?: ([^|]*) \|)?$", re.MULTILINE
)


# ------------------------------------------------------------------------------------ reading the table


def counts(text: str) -> dict[str, int]:
    """Return {"gpu": 8} for "gpu 8"; nothing for a dash."""
    pairs = [piece.rsplit(" ", 1) for piece in re.split(r", (?=[a-z])", text) if piece != "–"]
    return {name: int(number.replace(",", "")) for name, number in pairs}


def port(text: str) -> tuple[str, tuple[int, str, bool]]:
    """Return (kind, (count, rate as written, shared)) for "nvlink 18 x NVLink 4"."""
    kind, rest = text.removesuffix(" (shared)").split(" ", 1)
    many = re.fullmatch(r"(\d+) x (.*)", rest)
    return kind, (int(many[1]), many[2], text.endswith("(shared)")) if many else (1, rest, text.endswith("(shared)"))


def ports(text: str) -> dict[str, tuple[int, str, bool]]:
    return dict(port(piece) for piece in text.split(", ") if piece != "–")


def port_cases() -> list[tuple[str, str, dict[str, tuple[int, str, bool]]]]:
    """Return (part, variant, ports) of every atomic part; one case for each variant."""
    cases = []
    for name, _, text, *_ in ROW.findall(ATOMIC_TEXT):
        pieces = re.findall(r"\*([a-z-]+)\*: ([^;]*)", text) or [("", text)]
        cases += [(name, variant, ports(said.strip())) for variant, said in pieces]
    return cases


KINDS = [(name, kind) for name, kind, *_ in ROW.findall(ATOMIC_TEXT + MADE_TEXT)]
PORTS = port_cases()
MADE = [(name, counts(groups), counts(links)) for name, _, groups, links, _ in ROW.findall(MADE_TEXT)]
VARIANTS = [
    (name, variant)
    for name in FILES
    for variant in yaml.safe_load((CATALOG / f"{name}.yaml").read_text(encoding="utf-8")).get("variants", {})
]


# ------------------------------------------------------------------------------------ looking at parts


class Files:
    """The shipped parts, each read when it is asked for and always the same."""

    def __init__(self):
        self.get = cache(self._read)

    def _read(self, name):
        return read_part(Source(f"{name}.yaml", (CATALOG / f"{name}.yaml").read_text(encoding="utf-8")), name)

    def names(self):
        return tuple(FILES)


PARTS = Files()


def load(said: dict[str, Any]) -> Any:
    """Return the topology of a document."""
    return build(read_document([document(said, "test")]), PARTS)


@cache
def built(name: str, variant: str = "", su: int = 0) -> Any:
    """Return the topology of a part of the catalog."""
    said: dict[str, Any] = {"part": name}
    if variant:
        said["variant"] = variant
    if su:
        said["with"] = {"su": su}
    return load(said)


def tally(
    assembly: Any, seen: dict[int, tuple[Counter[str], Counter[str]]] | None = None
) -> tuple[Counter[str], Counter[str]]:
    """Return how many things of each group and how many links of each kind are inside, counted by type."""
    seen = {} if seen is None else seen
    if id(assembly) not in seen:
        groups: Counter[str] = Counter()
        links: Counter[str] = Counter()
        for link in assembly.links:
            links[link.kind] += link.links
        for child in assembly.children:
            groups[child.group] += 1
            inner = tally(child.assembly, seen)
            groups.update(inner[0])
            links.update(inner[1])
        seen[id(assembly)] = (groups, links)
    return seen[id(assembly)]


def inside(name: str, variant: str = "", su: int = 0) -> tuple[dict[str, int], dict[str, int]]:
    groups, links = tally(built(name, variant, su).root.assembly)
    return dict(groups), dict(links)


def raw(name: str) -> dict[str, Any]:
    return yaml.safe_load((CATALOG / f"{name}.yaml").read_text(encoding="utf-8"))


def texts(value: Any) -> list[dict[str, str]]:
    """Return every text of a part that is given in several languages."""
    if isinstance(value, list):
        return [found for item in value for found in texts(item)]
    if not isinstance(value, dict):
        return []
    if "en" in value:
        return [value]
    return [found for item in value.values() for found in texts(item)]


def edges(name: str, kind: str, variant: str = "") -> dict[tuple[str, str], Any]:
    """Return the links of one kind of a part as {(a, b): attributes}, both ways round."""
    one_way = [(a, b, said) for a, b, said in built(name, variant).graph.edges(data=True) if said["kind"] == kind]
    return {(a, b): said for a, b, said in one_way} | {(b, a): said for a, b, said in one_way}


def beside(name: str, node: str, kind: str) -> dict[str, int]:
    """Return the neighbours of a node over one kind of link, with the number of links."""
    return {b: said["links"] for (a, b), said in edges(name, kind).items() if a == node}


# ------------------------------------------------------------------------------------ every file


def test_every_name_of_the_table_has_a_file():
    assert [name for name, _ in KINDS if name not in FILES] == []


def test_every_file_is_in_the_table():
    assert [name for name in FILES if name not in dict(KINDS)] == []


@pytest.mark.parametrize("name", FILES)
def test_file_has_title_and_source(name):
    said = raw(name)
    assert said["title"]
    assert said["source"]


@pytest.mark.parametrize("name", FILES)
def test_texts_are_in_both_languages(name):
    assert [text for text in texts(raw(name)) if set(text) != {"en", "zh"} or not all(text.values())] == []


@pytest.mark.parametrize("name", FILES)
def test_source_says_where_or_why_not(name):
    assert re.search(r"https://|unverified|generic|derived|public", raw(name)["source"])


@pytest.mark.parametrize("name", FILES)
def test_systems_say_what_they_leave_out(name):
    said = raw(name)
    assert "contains" not in said or "not_modelled" in said["facts"]


@pytest.mark.parametrize(("name", "kind"), KINDS, ids=[name for name, _ in KINDS])
def test_part_builds_with_its_kind(name, kind):
    assert built(name).root.assembly.kind == kind


@pytest.mark.parametrize("name", FILES)
def test_part_builds_without_a_warning(name):
    assert built(name).diagnostics == ()


@pytest.mark.parametrize(("name", "variant"), VARIANTS, ids=[f"{name}-{variant}" for name, variant in VARIANTS])
def test_variant_builds(name, variant):
    assert built(name, variant).root.assembly.kind == raw(name)["kind"]


@pytest.mark.parametrize(
    ("name", "variant", "expected"), PORTS, ids=[f"{name}-{variant}".rstrip("-") for name, variant, _ in PORTS]
)
def test_ports(name, variant, expected):
    found = built(name, variant).root.assembly.ports
    assert {p.kind: (p.count, p.rate.written, p.shared) for p in found or ()} == expected


@pytest.mark.parametrize(("name", "groups", "links"), MADE, ids=[name for name, *_ in MADE])
def test_groups_and_links_as_in_the_table(name, groups, links):
    assert inside(name) == (groups, links)


# ------------------------------------------------------------------------------------ GPUs against the facts

GPUS = [
    ("p100-sxm", "P100_SXM2"),
    ("v100-sxm", "V100_SXM2"),
    ("a100-sxm-40gb", "A100_SXM4_40GB"),
    ("a100-sxm-80gb", "A100_SXM4_80GB"),
    ("h100-sxm", "H100_SXM5"),
    ("h100-pcie", "H100_PCIe"),
    ("h100-nvl", "H100_NVL"),
    ("h200-sxm", "H200_SXM"),
    ("l40s", "L40S"),
    ("b200", "B200_SXM"),
    ("b300", "B300_SXM"),
    ("gb200-gpu", "GB200_GPU"),
    ("gb300-gpu", "GB300_GPU"),
    ("rubin", "Rubin_R200"),
]
LINKED = [(name, FACTS["gpus"][key]["nvlink"]) for name, key in GPUS if FACTS["gpus"][key]["nvlink"]]
SLICED = [
    ("a100-sxm-40gb", "A100_SXM4_40GB", "profiles"),
    ("a100-sxm-80gb", "A100_SXM4_80GB", "profiles"),
    ("a30", "A30", "profiles"),
    ("h100-sxm", "H100_SXM5", "profiles"),
    ("h100-nvl", "H100_NVL", "profiles"),
    ("h200-sxm", "H200_SXM", "profiles"),
    ("gh200-gpu", "GH200", "profiles_96gb"),
    ("rtx-pro-6000", "RTX_PRO_6000_Blackwell", "profiles"),
    ("b200", "B200_SXM", "profiles"),
    ("b300", "B300_SXM", "profiles"),
    ("gb200-gpu", "GB200_GPU", "profiles"),
    ("gb300-gpu", "GB300_GPU", "profiles"),
]
PROFILES = [
    (name, FACTS["gpus"][key]["mig"]["placements"], row)
    for name, key, rows in SLICED
    for row in FACTS["gpus"][key]["mig"][rows]
]


@pytest.mark.parametrize(("name", "fact"), LINKED, ids=[name for name, _ in LINKED])
def test_nvlink_per_direction(name, fact):
    nvlink = next(p for p in built(name).root.assembly.ports if p.kind == "nvlink")
    assert nvlink.count * nvlink.rate.line == fact["total_dir"]


def test_rubin_of_the_product_pages():
    nvlink = next(p for p in built("rubin", "product-pages").root.assembly.ports if p.kind == "nvlink")
    assert nvlink.count * nvlink.rate.line == pytest.approx(1500, rel=1e-4)


@pytest.mark.parametrize(("name", "key"), GPUS, ids=[name for name, _ in GPUS])
def test_memory(name, key):
    fact = FACTS["gpus"][key]
    size = fact["memory_gb"][-1] if isinstance(fact["memory_gb"], list) else fact["memory_gb"]
    memory = built(name).root.assembly.memory
    assert (memory.size, memory.type, memory.bandwidth) == (size * 1e9, fact["memory_type"], fact["memory_bw"])


@pytest.mark.parametrize(("name", "key"), GPUS, ids=[name for name, _ in GPUS])
def test_facts_of_a_gpu(name, key):
    said = raw(name)["facts"]
    wanted = {k: FACTS["gpus"][key][k] for k in ("arch", "compute_capability", "sms") if k in FACTS["gpus"][key]}
    assert {k: said[k] for k in wanted} == wanted
    assert said["short"]
    assert said["year"] >= 2016


@pytest.mark.parametrize(("name", "places", "row"), PROFILES, ids=[f"{name}-{row[0]}" for name, _, row in PROFILES])
def test_mig_profile(name, places, row):
    profile, share, compute, most, sms, place = row
    table = FACTS["mig_placements"][places]
    found = built(name).root.assembly.slices["profiles"][profile]
    said = {"compute": compute, "memory": table[place]["size"], "at": found["at"], "most": most, "sms": sms}
    assert dict(found) == {key: value for key, value in said.items() if value is not None}
    assert list(found["at"]) == table[place]["starts"]
    assert found["memory"] * int(share.split("/")[1]) == table["memory_slices"] * int(share.split("/")[0])


@pytest.mark.parametrize(("name", "key", "_rows"), SLICED, ids=[name for name, *_ in SLICED])
def test_mig_slices(name, key, _rows):
    slices = built(name).root.assembly.slices
    table = FACTS["mig_placements"][FACTS["gpus"][key]["mig"]["placements"]]
    assert (slices["compute"], slices["memory"]) == (table["compute_slices"], table["memory_slices"])


@pytest.mark.parametrize("name", ["l40s", "v100-sxm", "p100-sxm", "rubin"])
def test_no_mig(name):
    assert not built(name).root.assembly.slices


# ------------------------------------------------------------------------------------ servers against the facts

STRIPED = [
    ("dgx-a100", "DGX_A100"),
    ("dgx-h100", "DGX_H100"),
    ("dgx-h200", "DGX_H100"),
    ("hgx-h100", "DGX_H100"),
    ("dgx-b200", "DGX_B200"),
    ("dgx-b300", "DGX_B300"),
]


@pytest.mark.parametrize("gpu", range(8))
@pytest.mark.parametrize(("name", "key"), STRIPED, ids=[name for name, _ in STRIPED])
def test_links_of_a_gpu_to_each_nvswitch(name, key, gpu):
    expected = FACTS["systems"][key]["links_gpu_to_each_switch"]
    assert beside(name, f"gpu{gpu}", "nvlink") == {f"nvs{k}": links for k, links in enumerate(expected)}


@pytest.mark.parametrize(("name", "key"), STRIPED, ids=[name for name, _ in STRIPED])
def test_nvlink_of_a_gpu_per_direction(name, key):
    found = sum(said["bandwidth"] for (a, _), said in edges(name, "nvlink").items() if a == "gpu0")
    assert 2 * found == FACTS["systems"][key]["per_gpu_bidir"]


@pytest.mark.parametrize(("chip", "links"), [(0, 40), (1, 32), (2, 32), (3, 40)])
def test_ports_used_of_a_dgx_h100_nvswitch(chip, links):
    assert sum(beside("dgx-h100", f"nvs{chip}", "nvlink").values()) == links


@pytest.mark.parametrize("k", range(8))
@pytest.mark.parametrize("name", ["dgx-h100", "dgx-h200", "dgx-b200"])
def test_gpu_nic_and_cpu_share_a_switch(name, k):
    assert beside(name, f"sw{k}", "pcie") == {f"cpu{k // 4}": 1, f"gpu{k}": 1, f"nic{k}": 1}


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("name", ["dgx-a100", "hgx-h100"])
def test_two_gpus_and_two_nics_share_a_switch(name, k):
    ends = {f"cpu{k // 2}", f"gpu{2 * k}", f"gpu{2 * k + 1}", f"nic{2 * k}", f"nic{2 * k + 1}"}
    assert set(beside(name, f"sw{k}", "pcie")) == ends


@pytest.mark.parametrize("gpu", range(8))
@pytest.mark.parametrize(("name", "key"), [("dgx-1", "DGX-1_P100"), ("dgx-1v", "DGX-1_V100")], ids=["dgx-1", "dgx-1v"])
def test_cube_mesh(name, key, gpu):
    row = FACTS["systems"][key]["adjacency_links"][gpu]
    assert beside(name, f"gpu{gpu}", "nvlink") == {f"gpu{k}": links for k, links in enumerate(row) if links}


def test_dgx_1v_has_pairs_without_nvlink():
    assert 28 - len(edges("dgx-1v", "nvlink")) // 2 == 12


def test_dgx_2_joins_its_boards_by_48_links():
    across = [said["links"] for (a, b), said in edges("dgx-2", "nvlink").items() if a.split("/")[0] < b.split("/")[0]]
    assert sum(across) == 48


L40S = [
    ("four-switches", {"pcie": 16}, {"sw0": 1}),
    ("two-switches", {"pcie": 12}, {"sw0": 1}),
    ("direct-attach", {"pcie": 10}, {"cpu0": 1}),
]


@pytest.mark.parametrize(("name", "between"), [("l40s-server", "upi"), ("l40s-server-amd", "xgmi")])
@pytest.mark.parametrize(("variant", "links", "above"), L40S, ids=[variant for variant, *_ in L40S])
def test_l40s_server(name, between, variant, links, above):
    assert inside(name, variant)[1] == {**links, between: 3}
    assert {b: said["links"] for (a, b), said in edges(name, "pcie", variant).items() if a == "gpu0"} == above


@pytest.mark.parametrize("variant", [variant for variant, *_ in L40S])
def test_l40s_is_on_pcie_4(variant):
    assert {
        said["bandwidth"] for (a, _), said in edges("l40s-server", "pcie", variant).items() if a.startswith("gpu")
    } == {32}


MESHES = [("mi300x", "xgmi", "MI300X_platform"), ("mi355x", "xgmi", "MI350X_MI355X_platform")]


@pytest.mark.parametrize(("name", "kind", "key"), MESHES, ids=[name for name, *_ in MESHES])
def test_full_mesh(name, kind, key):
    found = [said["bandwidth"] for (a, _), said in edges(name, kind).items() if a == "gpu0"]
    assert [2 * rate for rate in found] == [FACTS["systems"][key]["link_bidir"]] * 7


def test_gaudi_3_pairs():
    assert {said["bandwidth"] for said in edges("gaudi3", "ethernet").values()} == {75}


@pytest.mark.parametrize(("name", "kind", "total"), [("tpu-v5p-cube", "ici", 1200), ("trn2", "neuronlink", 1024)])
def test_torus_bandwidth_of_a_chip(name, kind, total):
    assert 2 * sum(said["bandwidth"] for (a, _), said in edges(name, kind).items() if a == "gpu5") == total


# ------------------------------------------------------------------------------------ racks against the facts

RACKS = [
    ("gb200-nvl72", "", 129_600),
    ("gb300-nvl72", "", 129_600),
    ("vera-rubin-nvl72", "", 259_200),
]


@pytest.mark.parametrize(("name", "variant", "total"), RACKS, ids=[name for name, *_ in RACKS])
def test_nvlink_of_a_rack(name, variant, total):
    assert sum(said["bandwidth"] for said in edges(name, "nvlink", variant).values()) == total


def test_vera_rubin_at_the_lower_figure():
    rack = load({"part": "vera-rubin-nvl72", "changes": [{"at": "gpu", "variant": "product-pages"}]})
    found = sum(said["bandwidth"] for *_, said in rack.graph.edges(data=True) if said["kind"] == "nvlink")
    assert 2 * found == pytest.approx(216_000, rel=1e-4)


SLOTS = [
    ("gb200-nvl72", "tray", [*range(16, 24), *range(33, 43)]),
    ("gb200-nvl72", "swtray", [*range(24, 33)]),
    ("gb200-nvl72", "power", [*range(12, 16), *range(43, 47)]),
    ("gb200-nvl72", "mgmt", [47, 48]),
    ("gb300-nvl72", "tray", [*range(16, 24), *range(33, 43)]),
    ("vera-rubin-nvl72", "tray", [*range(16, 24), *range(33, 43)]),
    ("vera-rubin-nvl72", "swtray", [*range(24, 33)]),
    ("gb200-nvl36", "tray", [12, 14, 16, 18, 29, 31, 33, 35, 37]),
]


@pytest.mark.parametrize(("name", "group", "slots"), SLOTS, ids=[f"{name}-{group}" for name, group, _ in SLOTS])
def test_slots(name, group, slots):
    assert [child.slot for child in built(name).root.assembly.children if child.group == group] == slots


@pytest.mark.parametrize("name", ["gb200-nvl72", "gb300-nvl72", "vera-rubin-nvl72", "gb200-nvl36"])
def test_no_unit_of_a_rack_is_taken_twice(name):
    rack = built(name).root.assembly
    taken = Counter(child.slot + k for child in rack.children for k in range(child.assembly.height or 1))
    assert max(taken.values()) == 1
    assert max(taken) <= rack.height


@pytest.mark.parametrize("name", ["gb200-tray", "gb300-tray", "vera-rubin-tray"])
def test_two_gpus_share_the_c2c_of_a_cpu(name):
    assert beside(name, "cpu1", "c2c") == {"gpu2": 1, "gpu3": 1}


@pytest.mark.parametrize("k", range(4))
def test_gb200_nic_hangs_on_grace(k):
    assert beside("gb200-tray", f"nic{k}", "pcie") == {f"cpu{k // 2}": 1}


@pytest.mark.parametrize("k", range(4))
def test_gb300_nic_has_a_way_to_its_gpu(k):
    assert beside("gb300-tray", f"nic{k}", "pcie") == {f"cpu{k // 2}": 1, f"gpu{k}": 1}


def test_nvl36x2_crosses_by_648_links():
    across = [said["links"] for (a, b), said in edges("gb200-nvl36x2", "nvlink").items() if a[:5] < b[:5]]
    assert sum(across) == FACTS["systems"]["GB200_NVL36x2"]["cross_rack"]["links"]


# ------------------------------------------------------------------------------------ SuperPODs against the facts


def three_tiers(rows: list[list[int]]) -> list[tuple[int, ...]]:
    """Return rows of node, gpu, leaf, spine, core and all cables, with the number of units in front."""
    return [(su, nodes, gpus, leaf, spine, core, sum(cables)) for su, nodes, gpus, leaf, spine, core, *cables in rows]


def two_tiers(rows: list[list[int]]) -> list[tuple[int, ...]]:
    return [(su, nodes, gpus, leaf, spine, 0, sum(cables)) for su, nodes, gpus, leaf, spine, *cables in rows]


PODS = FACTS["superpod"]
SUPERPODS = [
    *(("superpod-h100", "published", row) for row in two_tiers(PODS["H100"]["compute_fabric"])),
    *(("superpod-h100", "full", row) for row in three_tiers(PODS["H100"]["larger"])),
    *(("superpod-b200", "", row) for row in three_tiers(PODS["B200"]["larger"])),
    *(("superpod-b300", "xdr", row) for row in two_tiers(PODS["B300_XDR"]["rows"])),
]


@pytest.mark.parametrize(
    ("name", "variant", "row"), SUPERPODS, ids=[f"{n}-{v}-{r[0]}".replace("--", "-") for n, v, r in SUPERPODS]
)
def test_superpod(name, variant, row):
    su, nodes, gpus, leaf, spine, core, cables = row
    groups, links = inside(name, variant, su)
    found = tuple(groups.get(group, 0) for group in ("su", "node", "gpu", "leaf", "spine", "core"))
    assert (*found, links["infiniband"]) == (su, nodes, gpus, leaf, spine, core, cables)


SPECTRUM = [tuple(row) for row in PODS["B300_SpectrumX"]["rows"]]


@pytest.mark.parametrize("row", SPECTRUM, ids=[str(row[0]) for row in SPECTRUM])
def test_superpod_spectrum_x(row):
    su, nodes, gpus, leaf, spine, *cables = row
    groups, links = inside("superpod-b300", "spectrum-x", su)
    assert tuple(groups[group] for group in ("node", "gpu", "leaf", "spine")) == (nodes, gpus, leaf, spine)
    assert links["ethernet"] == 2 * sum(cables)  # two links in one cable


GB200 = [tuple(row) for row in PODS["GB200"]["rows"]]


@pytest.mark.parametrize("row", GB200, ids=[str(row[0]) for row in GB200])
def test_superpod_gb200(row):
    groups, links = inside("superpod-gb200", su=row[0])
    assert tuple(groups[group] for group in ("su", "gpu", "leaf", "spine", "core")) == row
    assert links["infiniband"] == 3 * row[1]


def test_superpod_gb300_at_its_largest():
    most = PODS["GB300"]["max"]
    groups, _ = inside("superpod-gb300", su=16)
    assert (groups["gpu"], groups["leaf"], groups["spine"]) == (most["gpus"], most["leaf"], most["spine"])


@pytest.mark.parametrize("k", range(8))
def test_a_rail_is_one_leaf(k):
    leaf = {b for b in built("superpod-h100-su").graph[f"leaf{k}"] if b.startswith("node")}
    assert leaf == {f"node{n}/nic{k}" for n in range(32)}


def test_fabric_manager_takes_four_ports():
    pod = built("superpod-h100").graph
    assert sorted(pod["su0/ufm"]) == ["su0/leaf0", "su0/leaf1", "su0/leaf2", "su0/leaf3"]


def test_second_unit_of_a_published_superpod_is_whole():
    groups, _ = inside("superpod-h100", "published", 2)
    assert (groups["node"], groups["ufm"]) == (63, 1)


def test_superpod_of_a_size_that_does_not_exist_is_refused():
    with pytest.raises(SpecError):
        load({"part": "superpod-h100", "with": {"su": 65}})


RACKFULS = [(1, 4, 24), (8, 32, 24), (16, 64, 24)]


@pytest.mark.parametrize(("racks", "leaf", "spine"), RACKFULS, ids=[str(row[0]) for row in RACKFULS])
def test_nvl72_cluster(racks, leaf, spine):
    groups, links = tally(load({"part": "nvl72-cluster", "with": {"racks": racks}}).root.assembly)
    assert (groups["leaf"], groups["spine"], links["infiniband"]) == (leaf, spine, 144 * racks)
