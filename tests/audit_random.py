"""Audit pictures of systems that nobody built: python tests/audit_random.py [COUNT] [--first SEED] [--browser] [--keep FOLDER].

Every second picture is in Chinese. Prints a line for each finding, then what was tried: how
many of each sort, with how many GPUs, by which layout. Leaves with 1 if a picture is not
clean or a document is refused.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from audit_browser import audit as audit_in_browser
from random_systems import system

from topoviz import resources
from topoviz.drawing.audit import audit
from topoviz.loading import load
from topoviz.model.topology import Topology
from topoviz.picture import Picture, choice, render

LIMITS = (1, 4, 8, 16, 64, 256, 1024, 10**9)
TOGETHER = 20  # files in one run of the browser


def drawn(seed: int) -> tuple[str, Topology, Picture]:
    """Return the sort of a random system, the system, and its picture in the language of its seed."""
    sort, document = system(seed)
    topology = load(document)
    return sort, topology, render(topology, lang=("en", "zh")[seed % 2])


def main() -> int:
    """Print findings and what was tried; return 1 if anything is wrong."""
    wishes = argparse.ArgumentParser(description=__doc__)
    wishes.add_argument("count", nargs="?", type=int, default=600)
    wishes.add_argument("--first", type=int, default=0)
    wishes.add_argument(
        "--browser", action="store_true", help="also in Chromium, with the default fonts and DejaVu Sans"
    )
    wishes.add_argument("--keep", type=Path, help="folder for the pictures")
    asked = wishes.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = asked.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        bad = _by_geometry(range(asked.first, asked.first + asked.count), folder)
        if asked.browser:
            bad += _in_browser([folder / f"{seed}.svg" for seed in range(asked.first, asked.first + asked.count)])
    return int(bool(bad))


def _by_geometry(seeds: range, folder: Path) -> int:
    tried: dict[str, Counter[str]] = {name: Counter() for name in ("sort", "GPUs", "layout", "finding")}
    began, bad, slowest = time.monotonic(), 0, (0.0, -1)
    for seed in seeds:
        start = time.monotonic()
        try:
            sort, topology, picture = drawn(seed)
            found = audit(picture.scene())
            (folder / f"{seed}.svg").write_text(picture.svg(), encoding="utf-8")
        except Exception:  # noqa: BLE001 - whatever it is, it is a finding about this system
            bad += 1
            print(f"{seed} {system(seed)[0]}: {traceback.format_exc().splitlines()[-1]}")
            continue
        slowest = max(slowest, (time.monotonic() - start, seed))
        tried["sort"][sort] += 1
        tried["GPUs"][_range(topology.count("gpu"))] += 1
        name = choice(picture, resources.Layouts(())).layout.name
        tried["layout"][name] += 1
        tried["finding"]["with findings" if found else "clean"] += 1
        bad += bool(found)
        for one in found[:3]:
            print(f"{seed} {sort}, {name}: {one}", flush=True)
    for name, counter in tried.items():
        print(f"{name}: " + ", ".join(f"{key} {number}" for key, number in sorted(counter.items())))
    long = f"{time.monotonic() - began:.0f} s, the slowest {slowest[0]:.1f} s (seed {slowest[1]})"
    print(f"{len(seeds)} documents, {bad} not clean, {long}")
    return bad


def _range(gpus: int) -> str:
    at = next(n for n, limit in enumerate(LIMITS) if gpus <= limit)
    low = LIMITS[at - 1] + 1 if at else 0
    return f"{low:4}" + (f"–{LIMITS[at]}" if LIMITS[at] < 10**9 else " and more")


def _in_browser(files: list[Path]) -> int:
    there = [file for file in files if file.exists()]
    bad = 0
    for at in range(0, len(there), TOGETHER):
        for name, rows in audit_in_browser(there[at : at + TOGETHER]).items():
            bad += bool(rows)
            for fonts, text in rows[:3]:
                print(f"{Path(name).stem} [{fonts}]: {text}")
    print(f"{len(there)} pictures in the browser, {bad} not clean")
    return bad


if __name__ == "__main__":
    sys.exit(main())
