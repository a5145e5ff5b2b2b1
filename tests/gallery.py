"""The gallery: every picture that an example asks for. ``python tests/gallery.py`` draws it again, with its index."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from topoviz import resources  # noqa: E402
from topoviz.loading import load  # noqa: E402
from topoviz.picture import Picture, pictures  # noqa: E402

EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
GALLERY = ROOT / "gallery"
SHOWN = {  # the picture that stands for a layout in its index
    "cluster": "nvl72-cluster.svg",
    "elevation": "own-rack.svg",
    "fabric": "superpod.svg",
    "nested": "nested.svg",
    "mesh": "dgx-1v.svg",
    "mesh-rings": "dgx-1v-rings.svg",
    "full-mesh": "mi300x-rings.svg",
    "torus": "torus.svg",
    "part": "h100-sxm.svg",
    "nvlink-rack": "nvl72.svg",
    "nvswitch-server": "dgx-h100.svg",
    "nvswitch-boards": "dgx-2.svg",
    "rail-cluster": "rail-cluster.svg",
    "ring": "ring.svg",
    "scales": "four-scales.svg",
    "side-by-side": "three-ways-of-pcie.svg",
    "unknown": "odd-machine.svg",
    "bars": "bits-and-bytes.svg",
}


def drawn(example: Path) -> list[tuple[str, str, str, Picture]]:
    """File name, language, theme and picture of everything that an example asks for."""
    out = []
    for request, picture in pictures(load(example)):
        stem = Path(request.file).stem
        for lang in picture.langs:
            for theme in picture.themes:
                marks = [m for m, first in ((lang, picture.langs[0]), (theme, picture.themes[0])) if m != first]
                out.append(("-".join([stem, *marks]) + ".svg", lang, theme, picture))
    return out


def index() -> str:
    lines = [
        "# Gallery",
        "",
        "Every picture here is drawn from a file in `examples/` and compared byte for byte by the tests.",
        "",
    ]
    for example in EXAMPLES:
        lines += [f"## [{example.stem}](../examples/{example.name})", ""]
        for file, lang, theme, picture in drawn(example):
            title = picture.scene(lang).title
            lines += [f"![{title}]({file})", ""] if theme == "light" else [f"[{theme}]({file})", ""]
    return "\n".join(lines)


def layouts_index() -> str:
    lines = [
        "# Layouts",
        "",
        "A layout is a recipe of a picture, in YAML: which things are shown, how they stand, which links are drawn. "
        "The language of layouts is explained in [docs/layouts.md](../docs/layouts.md). "
        "`topoviz show layout NAME` prints one to copy; a file in a folder `layouts/` beside a document is found first.",
        "",
    ]
    for name, layout in resources.Layouts().items():
        lines += [f"## [{name}]({name}.yaml)", "", layout.summary, ""]
        if name in SHOWN:
            lines += [f"![{name}](../gallery/{SHOWN[name]})", ""]
    return "\n".join(lines)


def main() -> None:
    wanted = {"README.md"}
    for example in EXAMPLES:
        for file, lang, theme, picture in drawn(example):
            (GALLERY / file).write_bytes(str(picture.text(".svg", lang=lang, theme=theme)).encode())
            wanted.add(file)
    for old in GALLERY.iterdir():
        if old.name not in wanted:
            old.unlink()
    (GALLERY / "README.md").write_bytes(index().encode())
    (ROOT / "layouts" / "README.md").write_bytes(layouts_index().encode())


if __name__ == "__main__":
    main()
