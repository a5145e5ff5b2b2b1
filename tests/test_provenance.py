"""Every number of the catalog has a source that the facts know, and is the number of the facts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import topoviz
from topoviz.model import units

DATA = Path(__file__).parent / "data"
CATALOG = Path(topoviz.__file__).parent / "catalog"
FILES = sorted(path.stem for path in CATALOG.glob("*.yaml"))
FACTS: dict[str, Any] = yaml.safe_load((DATA / "hardware.yaml").read_text(encoding="utf-8"))
TABLE: dict[str, Any] = yaml.safe_load((DATA / "catalog-numbers.yaml").read_text(encoding="utf-8"))
WORDS = {  # of a path that are no statement about hardware, or are held against the facts by other tests
    "title", "source", "note", "preliminary", "not_modelled", "short", "en", "zh",
    "from", "to", "at", "part", "variant", "join", "switch", "rule", "kind", "changes",
    "slices",  # test_catalog: test_mig_profile
    "matrix",  # test_catalog: test_cube_mesh
}  # fmt: skip
SAID = {  # sources without an address of their own in the facts, by what a part says of them
    "dgx1p_topo": "topo -m capture of a DGX-1 with P100",
    "dgx1v_topo": "topo -m captures of DGX-1",
    "dgxa100_topo": "topo -m captures of DGX A100",
    "dgxh100_topo": r"topo -m captures( of DGX H100|$)",
    "pcie_topo": "topo -m captures of 8-GPU PCIe servers",
    "ib_models": "public switch model tables",
    "era_names": "Enterprise RA name 2-8-5-200",
    "era_gb300_tbl": "comparison of NVIDIA Enterprise RA and DGX SuperPOD GB300 RA",
    "aws_gpu_tbl": "AWS g[67]e instance table",
    "mig_lgipp_rtx": "public capture of nvidia-smi mig -lgip$",
    "rack_elev": "ServeTheHome's tour",
    "spod_gb200_cnt": r"summaries of RA-11338-001",
    "recall": "recollection",
}
OF_PARTS = {  # what is said of another part, or follows from a number beside it
    "as DGX H100", "as GB200 NVL72", "18 chips x 36 ports = 648 links", "PCIe 4.0 x16 slot", "generic",
}  # fmt: skip


def raw(name: str) -> dict[str, Any]:
    return yaml.safe_load((CATALOG / f"{name}.yaml").read_text(encoding="utf-8"))


# ------------------------------------------------------------------------------------ sources

ADDRESSES = {said["url"].split(" ")[0].rstrip("/"): key for key, said in FACTS["sources"].items() if "url" in said}


def sources_of(clause: str) -> list[str]:
    """Return the ids of the facts that a clause of a source names."""
    urls = [url.rstrip(").,/") for url in re.findall(r"https://[^\s;]+", clause)]
    found = [ADDRESSES.get(url, f"no such address: {url}") for url in urls]
    return found + [key for key, words in SAID.items() if re.search(words, clause)]


CLAUSES = [(name, clause) for name in FILES for clause in raw(name)["source"].split("; ")]


@pytest.mark.parametrize(("name", "clause"), CLAUSES, ids=[f"{name}-{i}" for i, (name, _) in enumerate(CLAUSES)])
def test_source_is_one_of_the_facts(name: str, clause: str) -> None:
    ids = sources_of(clause)
    assert ids or any(words in clause for words in OF_PARTS)
    assert [one for one in ids if one not in FACTS["sources"]] == []


# ------------------------------------------------------------------------------------ numbers


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """Return every number of a piece with its place: numbers, and texts with a digit in them."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        kept = [(str(key), inner) for key, inner in items if not _is_a_word(path, key, inner)]
        return [found for key, inner in kept for found in leaves(inner, (*path, key))]
    number = not isinstance(value, bool) and (isinstance(value, int | float) or re.search(r"\d", str(value)))
    return [(".".join(path), value)] if number else []


def _is_a_word(path: tuple[str, ...], key: Any, inner: Any) -> bool:
    limit = path[:1] == ("parameters",) and key in {"from", "to"}
    alone = path[-1:] == ("contains",) and isinstance(inner, str) and not re.match(r"\d+ x ", inner)
    return alone or (key in WORDS and not limit)


def ruled(name: str, place: str) -> Any:
    """Return what the table says about a number: its own row, that of its group, or that of a place above it."""
    for group in TABLE.values():
        if name in group["parts"]:
            own, usual = group.get("except", {}).get(name, {}), group.get("numbers", {})
            for depth in range(len(place.split(".")), 0, -1):
                above = ".".join(place.split(".")[:depth])
                if above in own or above in usual:
                    return own.get(above, usual.get(above)), group["parts"][name]
    return None, None


def at(path: str, key: Any) -> Any:
    """Return what stands at a place of the facts; steps of a text are its words."""
    here: Any = FACTS
    for step in (str(key) if word == "$" else word for word in path.split(".")):
        if isinstance(here, str):
            here = here.split()[int(step)]
        elif isinstance(here, list):
            here = here[int(step)]
        else:
            here = here[step] if step in here else here[int(step)]
    return here


def summed(text: str, key: Any) -> str:
    """Return a sum over facts."""
    with_facts = re.sub(r"\{([^}]+)\}", lambda found: repr(at(found[1], key)), text)
    return _plain(eval(with_facts, {"__builtins__": {}}, {"len": len, "int": int}))  # noqa: S307 - our own table


def _plain(number: Any) -> str:
    return f"{float(number):g}"


def wanted(rule: Any, key: Any) -> str:
    """Return the number that the facts give, as the catalog would write it."""
    if isinstance(rule, dict):
        return rule["as"].replace("{}", summed(rule["sum"], key))
    return re.sub(r"\{([^}]+)\}", lambda found: str(at(found[1], key)), rule)


def same(said: Any, expected: str) -> bool:
    """Return whether two texts say the same number; a count stands for `8 x part` too."""
    text = str(said)
    if text == expected:
        return True
    if re.fullmatch(r"\d+", expected):
        return re.match(r"(\d+)(?: x |$)", text) is not None and re.match(r"\d+", text)[0] == expected
    return any(
        both and both[0] == both[1] for both in (_read(text, expected, units.size), _read(text, expected, _rate))
    )


def _rate(text: str) -> float | None:
    return units.rate(text).line


def _read(one: str, other: str, read: Callable[[str], float | None]) -> tuple[float | None, float | None] | None:
    """Return two texts as numbers; None if they are no such numbers."""
    try:
        return read(one), read(other)
    except units.UnreadableError:
        return None


NUMBERS = [(name, place, value) for name in FILES for place, value in leaves(raw(name))]


@pytest.mark.parametrize(("name", "place", "value"), NUMBERS, ids=[f"{n}-{p}" for n, p, _ in NUMBERS])
def test_number_is_that_of_the_facts(name: str, place: str, value: Any) -> None:
    assert judged(name, place, value) == ""


def judged(name: str, place: str, value: Any) -> str:
    """Return what is wrong with a number; empty if it is sourced and right, or said to be unverified."""
    rule, key = ruled(name, place)
    if rule is None:
        return "no source"
    if isinstance(rule, dict) and "free" in rule:
        return ""
    if isinstance(rule, dict) and "unverified" in rule:
        text = (CATALOG / f"{name}.yaml").read_text(encoding="utf-8")
        return (
            "" if re.search("unverified|assum|second-hand|quoted", text) else "unverified, and the part does not say so"
        )
    expected = wanted(rule, key)
    return "" if same(value, expected) else f"the facts say {expected}"


# ------------------------------------------------------------------------------------ the table itself

SOURCED = [
    (name, place, value)
    for name, place, value in NUMBERS
    if not (isinstance(ruled(name, place)[0], dict) and {"free", "unverified"} & set(ruled(name, place)[0]))
]


@pytest.mark.parametrize(("name", "place", "value"), SOURCED, ids=[f"{n}-{p}" for n, p, _ in SOURCED])
def test_another_number_would_be_found_wrong(name: str, place: str, value: Any) -> None:
    other = re.sub(r"\d+", lambda digits: str(int(digits[0]) + 1), str(value), count=1)
    assert judged(name, place, other) != ""


def test_a_number_that_the_table_does_not_know_has_no_source() -> None:
    assert judged("dgx-h100", "wires.9.links", 3) == "no source"


def test_more_numbers_are_sourced_than_not() -> None:
    assert len(SOURCED) > len(NUMBERS) / 2


ROWS = [
    (name, place)
    for group in TABLE.values()
    for name in group["parts"]
    for place in group.get("except", {}).get(name, {})
]


@pytest.mark.parametrize(("name", "place"), ROWS, ids=[f"{name}-{place}" for name, place in ROWS])
def test_every_row_of_the_table_is_about_a_number(name: str, place: str) -> None:
    assert any(found == place or found.startswith(f"{place}.") for found, _ in leaves(raw(name)))


def test_no_part_with_numbers_is_missing_in_the_table() -> None:
    known = {name for group in TABLE.values() for name in group["parts"]}
    assert [name for name in FILES if leaves(raw(name)) and name not in known] == []
