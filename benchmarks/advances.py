"""Write topoviz/drawing/advances.json: how wide characters are, from the fonts of this computer.

Needs fontTools and the fonts named below; run it again when a font is added. Widths are
thousandths of an em: ``widest`` over all fonts, ``typical`` of Liberation Sans, which has
the widths of Arial and Helvetica. Runs of code points are stored as a start and its widths.

    python benchmarks/advances.py [OUT.json]
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain
from pathlib import Path

from fontTools.ttLib import TTFont

TYPICAL = "Liberation Sans"
FAMILIES = (TYPICAL, "DejaVu Sans", "Noto Sans", "Roboto", "Open Sans", "Lato", "Inter", "Cantarell")
RANGES = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x218, 0x21B), (0x2C6, 0x2DD),
    (0x384, 0x3CE), (0x400, 0x45F), (0x490, 0x493), (0x2010, 0x2027), (0x2030, 0x203A), (0x2044, 0x2044),
    (0x2070, 0x208E), (0x20AC, 0x20AC), (0x2113, 0x2113), (0x2116, 0x2122), (0x2126, 0x2126),
    (0x2190, 0x2199), (0x21D0, 0x21D5), (0x2202, 0x2212), (0x2215, 0x221E), (0x2229, 0x222B),
    (0x2248, 0x2248), (0x2260, 0x2265), (0x2295, 0x2297), (0x25A0, 0x25A1), (0x25B2, 0x25CF), (0x2713, 0x2717),
)  # fmt: skip


def found(family: str, weight: str) -> TTFont:
    """Return the font file that fontconfig knows for the family in that weight."""
    listed = subprocess.run(  # noqa: S603
        ["fc-list", f"{family}:weight={weight}:slant=0:width=100", "file"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = sorted(line.rstrip(": \n") for line in listed.splitlines())
    fonts = [TTFont(file) for file in files if file.endswith((".ttf", ".otf"))]
    return next(font for font in fonts if font["name"].getBestFamilyName() == family)


def advances(font: TTFont) -> dict[int, float]:
    """Return code point -> advance in thousandths of an em."""
    em, widths = font["head"].unitsPerEm, font["hmtx"]
    wanted = chain.from_iterable(range(first, last + 1) for first, last in RANGES)
    names = font.getBestCmap()
    return {code: 1000 * widths[names[code]][0] / em for code in wanted if code in names}


def widest(tables: list[dict[int, float]]) -> dict[int, float]:
    """Return the widest advance of each code point that any of the fonts has."""
    codes = sorted(set(chain.from_iterable(tables)))
    return {code: max(table[code] for table in tables if code in table) for code in codes}


def runs(table: dict[int, float]) -> dict[str, list[int]]:
    """Return first code point (hexadecimal) -> widths of the run of neighbours that starts there."""
    result: dict[str, list[int]] = {}
    run: list[int] = []
    for code in sorted(table):
        if code - 1 not in table:
            run = result.setdefault(f"{code:04X}", [])
        run.append(-int(-table[code] // 1))
    return result


def written(tables: dict[str, dict[str, list[int]]]) -> str:
    """Return the tables as JSON with one run on a line."""
    blocks = (
        f' "{name}": {{\n'
        + ",\n".join(f'  "{k}": {json.dumps(v, separators=(",", ":"))}' for k, v in t.items())
        + "\n }"
        for name, t in tables.items()
    )
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def main() -> None:
    """Write the file."""
    out = sys.argv[1] if len(sys.argv) > 1 else "topoviz/drawing/advances.json"
    tables: dict[str, dict[str, list[int]]] = {}
    for name, weight in (("regular", "80"), ("bold", "200")):
        fonts = {family: advances(found(family, weight)) for family in FAMILIES}
        tables[f"widest {name}"] = runs(widest(list(fonts.values())))
        tables[f"typical {name}"] = runs(fonts[TYPICAL])
    Path(out).write_text(written(tables), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
