"""Audit pictures of systems that nobody built: python tests/audit_random.py [COUNT] [--first SEED] [--browser].

Prints a line for each picture that is not clean, then what was tried: how many of each
sort, with how many GPUs, by which layout. Leaves with 1 if a picture is not clean.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from random_systems import system  # noqa: E402

from topoviz import resources  # noqa: E402
from topoviz.drawing.audit import audit  # noqa: E402
from topoviz.errors import TopovizError  # noqa: E402
from topoviz.loading import load  # noqa: E402
from topoviz.picture import choice, render  # noqa: E402


def main() -> int:
    wishes = argparse.ArgumentParser(description=__doc__)
    wishes.add_argument("count", nargs="?", type=int, default=500)
    wishes.add_argument("--first", type=int, default=0)
    wishes.add_argument("--browser", action="store_true", help="also in Chromium, with the default fonts and DejaVu Sans")
    wishes.add_argument("--keep", type=Path, help="folder for the pictures")
    asked = wishes.parse_args()
    sorts, sizes, layouts, bad, refused = Counter(), Counter(), Counter(), 0, 0
    for seed in range(asked.first, asked.first + asked.count):
        sort, document = system(seed)
        lang = ("en", "zh")[seed % 2]
        try:
            topology = load(document)
            picture = render(topology, lang=lang)
            found = list(audit(picture.scene()))
        except TopovizError as problem:
            refused += 1
            print(f"{seed} {sort}: refused: {str(problem).splitlines()[0]}")
            continue
        if asked.keep:
            picture.save(asked.keep / f"{seed}.svg")
        if asked.browser:
            found += _in_browser(picture.svg())
        sorts[sort] += 1
        sizes[_decade(topology.count("gpu"))] += 1
        layouts[choice(picture, resources.Layouts(())).layout.name] += 1
        if found:
            bad += 1
            print(f"{seed} {sort}: {found[0]}")
    for name, counter in (("sort", sorts), ("GPUs", sizes), ("layout", layouts)):
        print(f"{name}: " + ", ".join(f"{key} {number}" for key, number in sorted(counter.items())))
    print(f"{sum(sorts.values())} pictures, {bad} not clean, {refused} documents refused")
    return int(bool(bad))


def _decade(gpus: int) -> str:
    return next(f"up to {limit}" for limit in (1, 4, 8, 16, 64, 256, 10**9) if gpus <= limit)


def _in_browser(svg: str) -> list[str]:
    from audit_browser import audit_svg

    return [one for fonts in ("", "DejaVu Sans") for one in audit_svg(svg, fonts)]


if __name__ == "__main__":
    sys.exit(main())
