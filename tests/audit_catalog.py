"""Audit every system of the catalog by every layout that suits it: python tests/audit_catalog.py [--browser] [NAME...].

In English and Chinese by geometry; with --browser in the light and the dark theme too, with
the default fonts and with DejaVu Sans. Prints a row for each picture that is not clean, then
a table of what was tried. Leaves with 1 if a picture is not clean.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from audit_browser import audit as audit_in_browser

from topoviz import resources
from topoviz.drawing import suits
from topoviz.drawing.audit import audit
from topoviz.loading import load
from topoviz.model.findings import Findings
from topoviz.model.spec import Picture as Request
from topoviz.model.topology import Topology
from topoviz.picture import render

KINDS = {"node", "rack", "cluster", "su", "rack-pair"}
LANGS = ("en", "zh")
THEMES = ("light", "dark")
TOGETHER = 20


def systems() -> list[tuple[str, Topology]]:
    """Every part of the catalog that is a system, with its topology."""
    found = ((name, load(name)) for name in resources.known("catalog"))
    return [(name, topology) for name, topology in found if topology.root.kind in KINDS]


def suiting(topology: Topology) -> list[str]:
    """The layouts of which a condition holds for a system, the strongest first; else the one that is drawn."""
    layouts = resources.Layouts(())
    case = suits.Case(
        topology=topology, root=suits.alone(topology.root), request=Request(), findings=Findings(), alone=True
    )
    names = [name for *_, name, _ in sorted(suits.suiting(case, layouts))]
    return names or [suits.choose(topology, topology.root, Request(), Findings(), layouts).layout.name]


def main() -> int:
    wishes = argparse.ArgumentParser(description=__doc__)
    wishes.add_argument("names", nargs="*")
    wishes.add_argument("--browser", action="store_true")
    asked = wishes.parse_args()
    tried: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        files: list[Path] = []
        bad = 0
        for name, topology in systems():
            if asked.names and name not in asked.names:
                continue
            for layout in suiting(topology):
                tried[layout] += 1
                for lang in LANGS:
                    picture = render(topology, layout=layout, lang=lang)
                    found = audit(picture.scene(lang))
                    bad += bool(found)
                    for one in found[:3]:
                        print(f"{name}, {layout}, {lang}: {one}", flush=True)
                    for theme in THEMES if asked.browser else ():
                        files.append(Path(folder) / f"{name} {layout} {lang} {theme}.svg")
                        files[-1].write_text(str(picture.text(".svg", lang=lang, theme=theme)), encoding="utf-8")
        for at in range(0, len(files), TOGETHER):
            for file, rows in audit_in_browser(files[at : at + TOGETHER]).items():
                bad += bool(rows)
                for fonts, text in rows[:3]:
                    print(f"{Path(file).stem} [{fonts}]: {text}", flush=True)
    total = sum(tried.values())
    print(", ".join(f"{layout} {count}" for layout, count in sorted(tried.items())))
    print(
        f"{total} systems × layouts, {total * len(LANGS)} pictures by geometry, {len(files)} in the browser; {bad} not clean"
    )
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
